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
/* Linux's prime near the golden ratio. It spreads addresses evenly, whatever their usual distance
 * is. */
#define RCAP_CACHE_HASH     0x9E370001u
#define RCAP_INLINE_DOMAINS 32u
#define RCAP_DOMAIN_PAGES   128u
#define RCAP_PAGE_DOMAINS   512u

/* Depth of a thread in one domain; at_loss and min count from the start of a loss. */
struct rcap_depth {
	uint32_t now;
	uint32_t at_loss;
	uint32_t min;
};

/* Address space for the arguments of one call; only touched pages take memory. */
#define RCAP_SCRATCH_BYTES 262144u

/* Texts up to this length are compared in place, longer ones by strcmp. */
#define RCAP_SHORT_BYTES 32u

/* Slots that rcap_thread_reserve() can grant. */
#define RCAP_THREAD_MOST_SLOTS 11

/* Room of an empty block. */
#define RCAP_THREAD_EMPTY_ROOM (-(int64_t) (RCAP_BLOCK_SLOTS * sizeof(struct rcap_slot)))

/*
 * A cache line. An equal pointer alone proves nothing, because the program may have put another
 * text there. So the words hold the text itself, in the order in which rcap_thread_is_same() reads
 * it, and a hit needs no second memory access.
 */
struct rcap_cached_name {
	/* The address of the text, if it can't change: a literal of the program itself, or a
	 * registered string. Otherwise the complement of its address, which is not an address. For
	 * an empty entry see rcap_thread_clear_name(). */
	uintptr_t key;
	const char *copy; /* in the arena */
	uint32_t id;
	uint32_t bytes; /* with the NUL; 0: can't be compared in place */
	uint64_t words[4];
	uint64_t push; /* rcap_slot_bare_word() of a push of this name in the default domain */
};

/*
 * A producer thread, only used by itself. The struct lies in memory that the kernel wipes in a fork
 * child. There next == base == NULL, which leads into the slow path. So no event of the child can
 * get into its parent's queue.
 */
struct rcap_thread {
	struct rcap_depth *pages[RCAP_DOMAIN_PAGES]; /* depths in domains ≥ RCAP_INLINE_DOMAINS,
	                                                made when needed */
	struct rcap_thread *next_free;
	/* Another struct with a stream of its own, for calls that interrupt a call using this
	 * struct. It is of the same thread. */
	struct rcap_thread *nested;
	uint8_t *scratch; /* of rcap_args_begin(), mapped on first use */
	uint64_t lost;
	uint64_t lost_first; /* ticks */
	uint64_t lost_last;
	bool is_slow; /* the clock needs a call, or something is counted: no fast path */
	/* The event of the current call is in the previous block, or counted as lost. */
	bool is_counted;
	/* Calls were, or may have been, left out because the capture was off. */
	bool is_parked;
	bool is_of_ours; /* made by rcap_thread_make(): its events are filtered before */
	struct rcap_counters counters; /* of RANGES_COUNT */
	/* The range whose pop this thread waits for (steer.h): its domain, and its depth before
	 * the push, plus 1. 0: none. While it is open the depth counts from there. */
	uint32_t watched_domain;
	uint32_t watched_depth;
	/* The domain used last while the capture was off; never a left-out domain. It is a single
	 * word, so that calls need not take the guard. NULL: the default domain. */
	const void *off_domain;
	/*
	 * The words that every call touches. Structs are page-aligned, so these are at offset 0x800
	 * of a page. The head of a block, stored by every call, is at 0: with equal offsets each
	 * load here would wait for that store (4 KiB aliasing; measured 3 of 19 ns).
	 */
	_Alignas(2048) struct rcap_guard guard;
	/* domain of the last call, NULL for the default domain, and its id */
	const void *last_domain;
	uint32_t last_domain_id;
	char *end;                /* of the block; the next slot is at end + room */
	struct rcap_slot *resume; /* the next slot during a slow-path call */
	struct rcap_block *block;
	struct rcap_stream *stream; /* in the spool; NULL: not registered */
	uint32_t generation;
	uint32_t ranges; /* start ranges so far; their ids need it */
	bool losing;
	struct rcap_depth depth[RCAP_INLINE_DOMAINS];
	struct rcap_cached_name cache[RCAP_CACHE_ENTRIES];
};

_Static_assert(sizeof(struct rcap_thread) % 4096 == 0, "threads fill pages");

/*
 * The calling thread's struct; NULL: the thread is new. Nothing of ours in TLS may need a first
 * value other than zero. glibc copies such values of a library that is loaded late to the threads
 * that it knows, and misses a thread that is being created at that moment. We use two words of
 * static TLS, because a library that is loaded late can't rely on more.
 */
extern __thread struct rcap_thread *rcap_thread_self
	__attribute__((visibility("hidden"), tls_model("initial-exec")));

/* Reads the clock of the fast path, without a check: where the clock is not the CPU's counter,
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
	/* Stores the two halves that the CPU gives. Combining them first would cost two
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
 * nothing, so that the compiler needs no stack frame. It takes the guard before it reads anything.
 * A signal handler that runs before that has finished its calls when we read. A handler that runs
 * later writes to another struct.
 *
 * Return: room, negative; or 0: nothing was begun, and the call must take the slow path (no room,
 * nested, a fork child, a new thread).
 */
static inline int64_t rcap_thread_begin(struct rcap_thread *thread)
{
	return __builtin_expect(!thread, 0) ? 0 : rcap_guard_take(&thread->guard);
}

/* Writes one slot and makes it visible to the drain, for good: it survives the death of the
 * process. @word: of rcap_slot_bare_word(). Return: the room after it, for rcap_thread_end(). */
static inline int64_t rcap_thread_put(struct rcap_thread *thread, int64_t room, uint64_t word)
{
	char *end = thread->end;
	struct rcap_slot *slot = (struct rcap_slot *) (void *) (end + room);
	struct rcap_block *block = (struct rcap_block *) (void *) (end - sizeof(struct rcap_block));

	rcap_thread_stamp(slot);
	slot->b = word ^ rcap_slot_check(slot);
	room += (int64_t) sizeof(*slot);
	/* Release pairs with the drain's acquire of head: it sees whole records. */
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

/* Notes where the current call begins: slots after this room are its own. So if a longjmp leaves
 * the call, we know what it had recorded. */
static inline void rcap_thread_note_room(struct rcap_thread *thread, int64_t room)
{
	const int64_t state = thread->guard.state;

	if (state > 0) {
		rcap_guard_hold(&thread->guard, rcap_guard_holder(state), room);
	}
}

/* The slow part of rcap_thread_enter(): for the first call of a thread, a fork child, a nested
 * call, the end of a block, or a capture that is off. */
struct rcap_thread *rcap_thread_enter_slow(void);

/* Finds the memory whose texts can't change. Context: rcap_thread_reset(). */
void rcap_thread_names_reset(void);

/* Prepares for the end of threads (pthread key). Context: rcap_process_start(). */
void rcap_thread_reset(void);

/*
 * Makes a producer that is no thread of the program: its own stream, to be written by one thread at
 * a time with rcap_record_timed().
 *
 * @clock: of its times, enum rlog_stream_clock.
 * Return: NULL if there is no room, which is counted. Lives as long as the capture.
 * Context: the capture has started; not under rcap_process_lock.
 */
struct rcap_thread *rcap_thread_make(uint32_t name, uint32_t clock);

/* Makes the calling thread look new. Context: a fork child. */
void rcap_thread_forget(void);

/*
 * Begins any call.
 *
 * Return: the thread, to be given back with rcap_thread_leave(); NULL if nothing can be recorded
 * now (which is counted). There may be no room: rcap_thread_reserve() tells. Context: any thread,
 * also signal handlers; a few instructions except the first time and at the end of a block; errno
 * is kept.
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
 * Begins a call that defines something, which must happen while the capture is off, too. What it
 * records then counts as not to be recorded. Otherwise as rcap_thread_enter().
 */
struct rcap_thread *rcap_thread_enter_to_define(void);

/* Counts a call that is not recorded because the capture is off. */
static inline void rcap_thread_count_outside(struct rcap_stream *stream)
{
#if defined(__x86_64__)
	/* A single instruction, so that no handler's call in between gets lost. */
	__asm__ volatile("incq %0" : "+m"(stream->outside) : : "cc");
#else
	atomic_fetch_add_explicit(&stream->outside, 1, memory_order_relaxed);
#endif
}

/* Counts a call that is not to be recorded. Return: false if this thread can't count. */
static inline bool rcap_thread_skips(void)
{
	const struct rcap_thread *thread = rcap_thread_self;

	/* A fork child has no stream, and its phase is still its parent's. */
	if (!thread || !thread->stream) {
		return false;
	}
	rcap_thread_count_outside(thread->stream);
	return true;
}

/* True if the capture is off, and the domain is known to be recorded otherwise. Else the caller
 * finds that out, and reports it by rcap_thread_keep_off(). */
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
 * True, and counts the call, while the capture is off and waits for no range: then there is nothing
 * more to do. Slow paths check it first. False does not mean that the capture is on.
 */
static inline bool rcap_thread_is_quiet(void)
{
	return __builtin_expect(rcap_process_is_quiet(), 0) && rcap_thread_skips();
}

/* The same test for the end of a range, or a mark: the capture never waits for these. */
static inline bool rcap_thread_is_off(void)
{
	return __builtin_expect(rcap_process_is_off(), 0) && rcap_thread_skips();
}

/* Empties a block from the pool. */
struct rcap_block *rcap_thread_clear_block(uint32_t number);

/* Continues in an empty block. */
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
 * Continues in a new block. Return: its first slot. NULL if there is no memory: then a loss begins,
 * and the caller calls rcap_thread_lose().
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

/* Makes the slots up to `after` visible to the drain, as rcap_thread_put() does for one. */
static inline void rcap_thread_publish(struct rcap_thread *thread, struct rcap_slot *after)
{
	thread->resume = after;
	atomic_store_explicit(&thread->block->head,
	                      (uint32_t) ((char *) after - (char *) (thread->block + 1)),
	                      memory_order_release);
}

/* Starts to count a loss, with the depths of now. */
void rcap_thread_begin_loss(struct rcap_thread *thread);

/* Writes what happened during the loss to the start of a new block: doc/format.md, ops loss and
 * depth. */
void rcap_thread_end_loss(struct rcap_thread *thread);

/* Counts an event that did not fit. */
void rcap_thread_lose(struct rcap_thread *thread, uint64_t ticks);

/* Depth record of a domain ≥ RCAP_INLINE_DOMAINS. Never NULL. */
struct rcap_depth *rcap_thread_far_depth(struct rcap_thread *thread, uint32_t domain);

static inline struct rcap_depth *rcap_thread_depth(struct rcap_thread *thread, uint32_t domain)
{
	return __builtin_expect(domain < RCAP_INLINE_DOMAINS, 1)
	               ? &thread->depth[domain]
	               : rcap_thread_far_depth(thread, domain);
}

/* Returns the entry that lies `bytes` after the first, modulo the table. The mask works on bytes,
 * which saves a shift. */
static inline struct rcap_cached_name *rcap_thread_entry(struct rcap_thread *thread,
                                                         uintptr_t bytes)
{
	const uintptr_t mask = (RCAP_CACHE_ENTRIES - 1) * sizeof(struct rcap_cached_name);
	char *entry = (char *) thread->cache + (bytes & mask);

	__asm__("" : "+r"(entry)); /* compute it once */
	return (struct rcap_cached_name *) (void *) entry;
}

static inline struct rcap_cached_name *rcap_thread_cached(struct rcap_thread *thread,
                                                          const char *text)
{
	/* Literals are some bytes apart, texts from malloc() multiples of 16. The upper bits of
	 * the product spread both over the whole table. */
	return rcap_thread_entry(thread, (uint32_t) (uintptr_t) text * RCAP_CACHE_HASH >> 18);
}

/* The same table serves registered strings: their handles are never freed, and a fork child's
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

/* First and last four bytes of a text of four to seven bytes. */
static inline uint64_t rcap_thread_halves(const char *at, uint64_t bytes)
{
	uint32_t first;
	uint32_t last;

	memcpy(&first, at, sizeof(first));
	memcpy(&last, at + bytes - 4, sizeof(last));
	return first | (uint64_t) last << 32;
}

/*
 * True if the program's text is still what it was when its address was entered. Compares as many
 * bytes as the copy has, without calling strcmp (which would cost as much as everything else here).
 * If the program has put a shorter text there, this reads bytes after its end, but never beyond its
 * page. Return: false also for texts that are not compared here: under 3 or over 31 characters, or
 * near the end of a page.
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

/* Empties an entry. The key becomes 1 in the first entry, and 0 in others: 0 is the key of NULL,
 * which belongs in the first entry, and no text has the key 1 there. */
static inline void rcap_thread_clear_name(struct rcap_thread *thread,
                                          struct rcap_cached_name *entry)
{
	entry->key = entry == thread->cache ? 1 : 0;
	entry->copy = NULL;
	entry->bytes = 0;
	atomic_signal_fence(memory_order_seq_cst);
}

/* True if this is the entry of the text as it is now. */
static inline bool rcap_thread_has(const struct rcap_cached_name *entry, const char *text)
{
	return __builtin_expect(entry->key == (uintptr_t) text, 1) ||
	       (entry->key == ~(uintptr_t) text && rcap_thread_is_same(entry, text));
}

/* Interns a text that is not in the cache, and caches it. Return: its id; 0, and counted, if it
 * can't be read. Context: between enter and leave. */
uint32_t rcap_thread_intern(struct rcap_thread *thread, const char *text,
                            struct rcap_cached_name *entry);

/* Id of a NUL-terminated text, 0 for NULL and other unreadable addresses. */
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

/* Counts a name that did not fit in the table; the event itself is kept. */
void rcap_thread_count_lost_name(struct rcap_thread *thread);

#endif
