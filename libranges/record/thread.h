/* SPDX-License-Identifier: MIT */
/* A producer thread: its queue of blocks in the spool, its cache of names, its depths. */
#ifndef RCAP_THREAD_H
#define RCAP_THREAD_H

#include <stdbool.h>
#include <string.h>

#include "libranges/base/clock.h"
#include "libranges/record/count.h"
#include "libranges/record/guard.h"
#include "libranges/process/process.h"

#define RCAP_CACHE_ENTRIES 256u
/* Linux's prime near the golden ratio. Products with it spread addresses evenly, whatever distance
 * the addresses usually have. */
#define RCAP_CACHE_HASH     0x9E370001u
#define RCAP_INLINE_DOMAINS 32u
#define RCAP_DOMAIN_PAGES   128u
#define RCAP_PAGE_DOMAINS   512u

/* Depth of a thread in one domain. at_loss is the depth at the begin of a loss, and min the least
 * depth since then. */
struct rcap_depth {
	uint32_t now;
	uint32_t at_loss;
	uint32_t min;
};

/* Size of the address space for one call's arguments. Only touched pages take memory. */
#define RCAP_SCRATCH_BYTES 262144u

/* Texts with fewer bytes are compared in place, longer ones by strcmp. */
#define RCAP_SHORT_BYTES 32u

/* rcap_thread_reserve() grants at most this many slots. */
#define RCAP_THREAD_MOST_SLOTS 11

/* The room of an empty block. */
#define RCAP_THREAD_EMPTY_ROOM (-(int64_t) (RCAP_BLOCK_SLOTS * sizeof(struct rcap_slot)))

/*
 * An entry of the cache of names: a cache line. An equal pointer proves nothing, because the
 * program may have put another text there. So `words` has the text itself, in the order in which
 * rcap_thread_is_same() reads it. A hit then needs no second memory access.
 */
struct rcap_cached_name {
	/* The address of the text, if the text can't change: a literal of the program itself, or a
	 * registered string. Otherwise the bitwise complement of the address, which is never an
	 * address. For an empty entry see rcap_thread_clear_name(). */
	uintptr_t key;
	const char *copy; /* the copy in the arena */
	uint32_t id;
	uint32_t bytes; /* bytes of the text with its NUL; 0: the text can't be compared in place */
	uint64_t words[4];
	uint64_t push; /* rcap_slot_bare_word() of a push with this name in the default domain */
};

/*
 * A producer thread. Only the thread itself uses the struct. Its memory is wiped by the kernel in a
 * fork child. There next == base == NULL, which leads into the slow path. So no event of the child
 * can get into its parent's queue.
 */
struct rcap_thread {
	struct rcap_depth *pages[RCAP_DOMAIN_PAGES]; /* depths in domains ≥ RCAP_INLINE_DOMAINS;
	                                              * allocated when needed */
	struct rcap_thread *next_free;
	/* Another struct of the same thread, with a stream of its own. It is for calls that
	 * interrupt a call using this struct. */
	struct rcap_thread *nested;
	uint8_t *scratch; /* memory of rcap_args_begin(); mapped at the first use */
	uint64_t lost;
	uint64_t lost_first; /* ticks; so is lost_last */
	uint64_t lost_last;
	bool is_slow; /* there is no fast path, because the clock needs a call, or something is
	               * counted */
	/* The event of the current call is in the previous block, or was counted as lost. */
	bool is_counted;
	/* Calls were, or may have been, left out because the capture was off. */
	bool is_parked;
	bool is_of_ours; /* made by rcap_thread_make(); its events are filtered before they get
	                  * here */
	struct rcap_counters counters; /* counters of RANGES_COUNT */
	/* The range whose pop this thread waits for (steer.h): its domain, and its depth before the
	 * push + 1; 0: there is none. While the range is open, depths are counted from there. */
	uint32_t watched_domain;
	uint32_t watched_depth;
	/* The domain used last while the capture was off; never a domain that is left out. NULL:
	 * the default domain. It is a single word, so that calls need not take the guard. */
	const void *off_domain;
	/*
	 * The members that every call uses. Structs are aligned to pages, so these members are at
	 * offset 0x800 of a page. The head of a block, which every call stores, is at offset 0 of a
	 * page. If both had the same offset, each load here would wait for that store (4 KiB
	 * aliasing; measured: 3 of 19 ns).
	 */
	_Alignas(2048) struct rcap_guard guard;
	/* Domain of the last call, and its id. NULL: the default domain. */
	const void *last_domain;
	uint32_t last_domain_id;
	char *end;                /* end of the block; the next slot is at end + room */
	struct rcap_slot *resume; /* the next slot, during a call on the slow path */
	struct rcap_block *block;
	struct rcap_stream *stream; /* record in the spool; NULL: the thread is not registered */
	uint32_t generation;
	uint32_t ranges; /* number of start ranges so far, used for their ids */
	bool losing;
	struct rcap_depth depth[RCAP_INLINE_DOMAINS];
	struct rcap_cached_name cache[RCAP_CACHE_ENTRIES];
};

_Static_assert(sizeof(struct rcap_thread) % 4096 == 0, "threads fill pages");

/*
 * The calling thread's struct; NULL: the thread is new. No variable of ours in TLS may have an
 * initial value other than zero: when a library is loaded late, glibc copies the initial values to
 * the threads that it knows, and misses a thread that is being created at that moment. We use two
 * words of static TLS, because a library that is loaded late can't rely on more.
 */
extern __thread struct rcap_thread *rcap_thread_self
	__attribute__((visibility("hidden"), tls_model("initial-exec")));

/* Reads the clock for the fast path, without a check: if the clock is not the CPU's counter,
 * threads have no fast path. */
static inline uint64_t rcap_thread_ticks(void)
{
#if defined(__x86_64__) || defined(__aarch64__)
	return rcap_clock_counter();
#else
	return rcap_clock_now();
#endif
}

static inline void rcap_thread_stamp(struct rcap_slot *slot)
{
#if defined(__x86_64__)
	/* Stores the two halves as the CPU gives them. To combine them before would cost two
	 * instructions. */
	typedef uint32_t __attribute__((may_alias)) half;
	half *const halves = (half *) &slot->a;

	__asm__ volatile("rdtsc\n\t"
	                 "movl %%eax, %[low]\n\t"
	                 "movl %%edx, %[high]"
	                 : [low] "=m"(halves[0]), [high] "=m"(halves[1])
	                 :
	                 : "rax", "rdx");
#else
	slot->a = rcap_thread_ticks();
#endif
}

/*
 * Begins a call on the fast path, which is for calls that write one slot: begin, put, end. It calls
 * no function, so that the compiler needs no stack frame. It takes the guard before it reads
 * anything. So a signal handler that runs earlier has finished its calls when we read, and a
 * handler that runs later writes to another struct.
 *
 * Return: the room, which is negative. 0: nothing was begun, and the call must take the slow path,
 * because there is no room, the call is nested, or this is a fork child or a new thread.
 */
static inline int64_t rcap_thread_begin(struct rcap_thread *thread)
{
	return __builtin_expect(!thread, 0) ? 0 : rcap_guard_take(&thread->guard);
}

/* Writes one slot, and makes it visible to the drain. From then on the slot survives the death of
 * the process. @word: from rcap_slot_bare_word(). Return: the room after the slot, for
 * rcap_thread_end(). */
static inline int64_t rcap_thread_put(struct rcap_thread *thread, int64_t room, uint64_t word)
{
	char *end = thread->end;
	struct rcap_slot *slot = (struct rcap_slot *) (void *) (end + room);
	struct rcap_block *block = (struct rcap_block *) (void *) (end - sizeof(struct rcap_block));

	rcap_thread_stamp(slot);
	slot->b = word ^ rcap_slot_check(slot);
	room += (int64_t) sizeof(*slot);
	/* Release pairs with the drain's acquire of `head`, so the drain sees complete records. */
	atomic_store_explicit(&block->head, (uint32_t) room, memory_order_release);
	return room;
}

/* Makes the slots before `room` visible, as rcap_thread_put() does. */
static inline void rcap_thread_show(struct rcap_thread *thread, int64_t room)
{
	struct rcap_block *block =
		(struct rcap_block *) (void *) (thread->end - sizeof(struct rcap_block));

	atomic_store_explicit(&block->head, (uint32_t) room, memory_order_release);
}

static inline void rcap_thread_end(struct rcap_thread *thread, int64_t room)
{
	rcap_guard_release(&thread->guard, room);
}

/* Notes where the current call begins: all slots after this room are its own. If a longjmp leaves
 * the call, this shows what the call had recorded. */
static inline void rcap_thread_note_room(struct rcap_thread *thread, int64_t room)
{
	const int64_t state = thread->guard.state;

	if (state > 0) {
		rcap_guard_hold(&thread->guard, rcap_guard_holder(state), room);
	}
}

/* The slow part of rcap_thread_enter(), for the first call of a thread, a fork child, a nested
 * call, the end of a block, and a capture that is off. */
struct rcap_thread *rcap_thread_enter_slow(void);

/* Finds the memory whose texts can't change. Context: rcap_thread_reset(). */
void rcap_thread_names_reset(void);

/* Prepares for the end of threads by a pthread key. Context: rcap_process_start(). */
void rcap_thread_reset(void);

/*
 * Makes a producer that is no thread of the program, with a stream of its own. One thread at a time
 * may write to it, by rcap_record_timed().
 *
 * @clock: clock of its times, enum rlog_stream_clock.
 * Return: the producer, which exists as long as the capture; NULL if there is no room, which is
 * counted.
 * Context: the capture has started; not under rcap_process_lock.
 */
struct rcap_thread *rcap_thread_make(uint32_t name, uint32_t clock);

/* Makes the calling thread look new. Context: a fork child. */
void rcap_thread_forget(void);

/*
 * Begins any call.
 *
 * Return: the thread, which the caller must give back by rcap_thread_leave(); NULL if nothing can
 * be recorded now, which is counted. There may be no room: rcap_thread_reserve() finds that out.
 * Context: any thread, also signal handlers; a few instructions, except at the first time and at
 * the end of a block; errno is kept.
 */
static inline struct rcap_thread *rcap_thread_enter(void)
{
	struct rcap_thread *thread = rcap_thread_self;
	const int64_t room = rcap_thread_begin(thread);

	if (room == 0) {
		return rcap_thread_enter_slow();
	}
	thread->resume = (struct rcap_slot *) (void *) (thread->end + room);
	return thread;
}

/*
 * Begins a call that defines something. Such a call must be handled while the capture is off, too.
 * Its events are then counted as not to be recorded. Otherwise this is the same as
 * rcap_thread_enter().
 */
struct rcap_thread *rcap_thread_enter_to_define(void);

/* Counts a call that is not recorded because the capture is off. */
static inline void rcap_thread_count_outside(struct rcap_stream *stream)
{
#if defined(__x86_64__)
	/* A single instruction, so that no call of a handler is lost in between. */
	__asm__ volatile("incq %0" : "+m"(stream->outside) : : "cc");
#else
	atomic_fetch_add_explicit(&stream->outside, 1, memory_order_relaxed);
#endif
}

/* Counts a call that is not recorded. Return: false if this thread can't count. */
static inline bool rcap_thread_skips(void)
{
	const struct rcap_thread *thread = rcap_thread_self;

	/* A fork child has no stream, and its phase is that of its parent. */
	if (!thread || !thread->stream) {
		return false;
	}
	rcap_thread_count_outside(thread->stream);
	return true;
}

/* True if the capture is off, and the domain is known to be one that is recorded otherwise. If not,
 * the caller must find that out, and report it by rcap_thread_keep_off(). */
static inline bool rcap_thread_is_off_in(const void *domain)
{
	const struct rcap_thread *thread = rcap_thread_self;

	return rcap_process_is_off() && thread && thread->off_domain == domain;
}

static inline void rcap_thread_keep_off(const void *domain)
{
	struct rcap_thread *thread = rcap_thread_self;

	if (thread) {
		thread->off_domain = domain;
	}
}

/*
 * True if the capture is off and waits for no range. The call is then counted, and nothing more is
 * to be done. Slow paths check this first. False does not mean that the capture is on.
 */
static inline bool rcap_thread_is_quiet(void)
{
	return __builtin_expect(rcap_process_is_quiet(), 0) && rcap_thread_skips();
}

/* Does the same for the end of a range, or a mark, for which the capture never waits. */
static inline bool rcap_thread_is_off(void)
{
	return __builtin_expect(rcap_process_is_off(), 0) && rcap_thread_skips();
}

/* Makes a block from the pool empty. */
struct rcap_block *rcap_thread_clear_block(uint32_t number);

/* Makes an empty block the thread's block. */
void rcap_thread_enter_block(struct rcap_thread *thread, struct rcap_block *block);

/* Leaves a thread that has no fast path. */
void rcap_thread_leave_slow(struct rcap_thread *thread);

static inline void rcap_thread_leave(struct rcap_thread *thread)
{
	if (__builtin_expect(thread->is_slow, 0)) {
		rcap_thread_leave_slow(thread);
		return;
	}
	thread->is_counted = false;
	rcap_guard_release(&thread->guard, (char *) thread->resume - thread->end);
}

/*
 * Continues in a new block. Return: its first slot; NULL if there is no memory. Then a loss begins,
 * and the caller must call rcap_thread_lose().
 */
struct rcap_slot *rcap_thread_next_block(struct rcap_thread *thread);

/*
 * Finds room for `count` (1 … RCAP_THREAD_MOST_SLOTS) adjacent slots. Return: NULL if there is
 * none.
 * Context: between enter and leave; no lock, no allocation, no system call except at the end of a
 * block.
 */
static inline struct rcap_slot *rcap_thread_reserve(struct rcap_thread *thread, ptrdiff_t count)
{
	if (__builtin_expect(thread->end - (char *) thread->resume <
	                             count * (ptrdiff_t) sizeof(struct rcap_slot),
	                     0)) {
		return rcap_thread_next_block(thread);
	}
	return thread->resume;
}

/* Makes all slots before `after` visible to the drain, as rcap_thread_put() does for one slot. */
static inline void rcap_thread_publish(struct rcap_thread *thread, struct rcap_slot *after)
{
	thread->resume = after;
	atomic_store_explicit(&thread->block->head,
	                      (uint32_t) ((char *) after - (char *) (thread->block + 1)),
	                      memory_order_release);
}

/* Begins to count a loss. Stores the present depths. */
void rcap_thread_begin_loss(struct rcap_thread *thread);

/* Writes the ops loss and depth (doc/format.md) about a loss to the start of a new block. */
void rcap_thread_end_loss(struct rcap_thread *thread);

/* Counts an event for which there was no room. */
void rcap_thread_lose(struct rcap_thread *thread, uint64_t ticks);

/* Returns the depth in a domain ≥ RCAP_INLINE_DOMAINS. Never NULL. */
struct rcap_depth *rcap_thread_far_depth(struct rcap_thread *thread, uint32_t domain);

static inline struct rcap_depth *rcap_thread_depth(struct rcap_thread *thread, uint32_t domain)
{
	return __builtin_expect(domain < RCAP_INLINE_DOMAINS, 1)
	               ? &thread->depth[domain]
	               : rcap_thread_far_depth(thread, domain);
}

/* Returns the entry that is `bytes` after the first entry, modulo the table's size. The mask is for
 * bytes, which saves a shift. */
static inline struct rcap_cached_name *rcap_thread_entry(struct rcap_thread *thread,
                                                         uintptr_t bytes)
{
	const uintptr_t mask = (RCAP_CACHE_ENTRIES - 1) * sizeof(struct rcap_cached_name);
	char *entry = (char *) thread->cache + (bytes & mask);

	__asm__("" : "+r"(entry)); /* must be computed only once */
	return (struct rcap_cached_name *) (void *) entry;
}

static inline struct rcap_cached_name *rcap_thread_cached(struct rcap_thread *thread,
                                                          const char *text)
{
	/* The distance between literals is some bytes, and between texts of malloc() a multiple of
	 * 16. The upper bits of the product spread both kinds over the whole table. */
	return rcap_thread_entry(thread, (uint32_t) (uintptr_t) text * RCAP_CACHE_HASH >> 18);
}

/* Registered strings use the same table, because their handles are never freed, and a fork child's
 * table is empty. */
static inline struct rcap_cached_name *rcap_thread_cached_handle(struct rcap_thread *thread,
                                                                 const void *handle)
{
	return rcap_thread_entry(thread, (uintptr_t) handle / 32 * sizeof(struct rcap_cached_name));
}

static inline uint64_t rcap_thread_word(const char *at)
{
	uint64_t word;

	memcpy(&word, at, sizeof(word));
	return word;
}

/* Loads the first and the last four bytes of a text of four to seven bytes. */
static inline uint64_t rcap_thread_halves(const char *at, uint64_t bytes)
{
	uint32_t first;
	uint32_t last;

	memcpy(&first, at, sizeof(first));
	memcpy(&last, at + bytes - 4, sizeof(last));
	return first | (uint64_t) last << 32;
}

/*
 * True if the program's text is still the same as when its address was stored. Compares as many
 * bytes as the copy has, without strcmp, which would take as long as everything else here. If the
 * program has put a shorter text there, this reads bytes after its end, but never beyond its page.
 * Also false for texts that are not compared here: those with less than 3 or more than 31
 * characters, and those near the end of a page.
 */
__attribute__((no_sanitize("address", "thread"))) static inline bool rcap_thread_is_same(
	const struct rcap_cached_name *entry, const char *text)
{
	const uint64_t bytes = entry->bytes;
	uint64_t differs;

	if (__builtin_expect(bytes - 4 > RCAP_SHORT_BYTES - 4, 0)) {
		return false;
	}
	if (bytes < 8) {
		return rcap_thread_halves(text, bytes) == entry->words[0];
	}
	differs = (rcap_thread_word(text) ^ entry->words[0]) |
	          (rcap_thread_word(text + bytes - 8) ^ entry->words[1]);
	if (bytes > 16) {
		differs |= (rcap_thread_word(text + 8) ^ entry->words[2]) |
		           (rcap_thread_word(text + bytes - 16) ^ entry->words[3]);
	}
	return differs == 0;
}

/* Empties an entry. Its key becomes 1 if it is the first entry, and 0 in other entries. The reason
 * is that NULL has the key 0 and belongs in the first entry, and that no text with the key 1
 * belongs there. */
static inline void rcap_thread_clear_name(struct rcap_thread *thread,
                                          struct rcap_cached_name *entry)
{
	entry->key = entry == thread->cache ? 1 : 0;
	entry->copy = NULL;
	entry->bytes = 0;
	atomic_signal_fence(memory_order_seq_cst);
}

/* True if this entry has the text as it is now. */
static inline bool rcap_thread_has(const struct rcap_cached_name *entry, const char *text)
{
	return __builtin_expect(entry->key == (uintptr_t) text, 1) ||
	       (entry->key == ~(uintptr_t) text && rcap_thread_is_same(entry, text));
}

/* Interns a text that is not in the cache, and caches it. Return: its id; 0 if the text can't be
 * read, which is counted. Context: between enter and leave. */
uint32_t rcap_thread_intern(struct rcap_thread *thread, const char *text,
                            struct rcap_cached_name *entry);

/* Returns the id of a NUL-terminated text; 0 for NULL and other addresses that can't be read. */
static inline uint32_t rcap_thread_name(struct rcap_thread *thread, const char *text)
{
	struct rcap_cached_name *entry = rcap_thread_cached(thread, text);

	if (rcap_thread_has(entry, text) ||
	    (entry->key == ~(uintptr_t) text && entry->copy && strcmp(entry->copy, text) == 0)) {
		return entry->id;
	}
	return rcap_thread_intern(thread, text, entry);
}

/* Caches a registered string. */
void rcap_thread_cache_handle(struct rcap_thread *thread, const void *handle, uint32_t id);

/* Counts a name for which the table has no room. The event itself is recorded. */
void rcap_thread_count_lost_name(struct rcap_thread *thread);

#endif
