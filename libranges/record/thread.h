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
/* Linux' prime near the golden ratio: addresses at any usual distance spread evenly. */
#define RCAP_CACHE_HASH     0x9E370001u
#define RCAP_INLINE_DOMAINS 32u
#define RCAP_DOMAIN_PAGES   128u
#define RCAP_PAGE_DOMAINS   512u

/* Depth of a thread in one domain; the two others count from the start of a loss on. */
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
 * A cache line. A pointer alone proves nothing, the program may have put another text there: the
 * words hold the text itself, in the order in which rcap_thread_is_same() reads it, so that a hit
 * needs no second memory access.
 */
struct rcap_cached_name {
	/* The address, if the text can't change: a literal of the program itself, or a registered
	 * string. Else its complement, which is no address. Of an entry that is none, see
	 * rcap_thread_clear_name(). */
	uintptr_t key;
	const char *copy; /* in the arena */
	uint32_t id;
	uint32_t bytes; /* with the NUL; 0: not comparable in place */
	uint64_t words[4];
	uint64_t push; /* rcap_slot_bare_word() of a push of this name in the default domain */
};

/*
 * Private to its thread. It lives in memory that the kernel wipes in a fork child, so there next ==
 * base == NULL, which leads into the slow path: no event of the child can land in its parent's
 * queue.
 */
struct rcap_thread {
	struct rcap_depth *pages[RCAP_DOMAIN_PAGES]; /* depths in domains ≥ RCAP_INLINE_DOMAINS,
	                                                made when needed */
	struct rcap_thread *next_free;
	/* What takes the calls that come while one of this struct is under way: a stream of its
	 * own, of the same thread. */
	struct rcap_thread *nested;
	uint8_t *scratch; /* of rcap_args_begin(), mapped when first needed */
	uint64_t lost;
	uint64_t lost_first; /* ticks */
	uint64_t lost_last;
	bool is_slow; /* the clock needs a call, or something is counted: there is no fast path */
	/* The event of the call under way is in the block before this one, or counted as lost. */
	bool is_counted;
	/* Calls have come, or may have, that were not recorded because the capture was off. */
	bool is_parked;
	bool is_of_ours; /* made by rcap_thread_make(): what it brings is chosen before */
	struct rcap_counters counters; /* of RANGES_COUNT */
	/* The range whose pop this thread waits for (steer.h): its domain, and the depth that its
	 * push found, plus 1. 0: none. While it is open the depth counts from there. */
	uint32_t watched_domain;
	uint32_t watched_depth;
	/* The domain that was used last while the capture was off; never one that is left out. A
	 * word alone, so that calls need not take the guard. NULL: the default domain. */
	const void *off_domain;
	/*
	 * The words that every call touches. Structs are page-aligned, so these stand at 0x800 of a
	 * page, and the head of a block, stored by every call, at 0: at equal offsets each load
	 * here would wait for that store (4 KiB aliasing; measured 3 of 19 ns).
	 */
	_Alignas(2048) struct rcap_guard guard;
	const void *last_domain; /* handle used last, NULL for the default domain, and its id */
	uint32_t last_domain_id;
	char *end;                /* of the block; the next slot is at end + room */
	struct rcap_slot *resume; /* the next slot during a call of the slow path */
	struct rcap_block *block;
	struct rcap_stream *stream; /* in the spool; NULL: not registered */
	uint32_t generation;
	uint32_t ranges; /* start ranges so far, for their ids */
	bool losing;
	struct rcap_depth depth[RCAP_INLINE_DOMAINS];
	struct rcap_cached_name cache[RCAP_CACHE_ENTRIES];
};

_Static_assert(sizeof(struct rcap_thread) % 4096 == 0, "threads fill pages");

/*
 * NULL: a thread that was not seen yet. Nothing of ours in TLS may need another value than zero at
 * first: glibc copies the first values of a library that is loaded late to the threads that it
 * knows, and misses one that is being made at that moment. Two words of static TLS: such a library
 * gets no more than that for sure (facts: performance, section 2).
 */
extern __thread struct rcap_thread *rcap_thread_self
	__attribute__((visibility("hidden"), tls_model("initial-exec")));

/* The clock of the fast path, without a test: threads are never ready when it is not the CPU's
 * counter. */
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
	/* In the halves that the CPU gives: to put them together first costs two instructions. */
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
 * The fast path, for calls that write one slot: begin, put, end. It calls nothing, so that the
 * compiler needs no stack frame.
 *
 * The guard is taken before anything is read: a signal handler that comes earlier has done its
 * calls before we look, one that comes later writes to another struct.
 *
 * Return: room, negative; or 0: nothing was begun, the call must take the slow path (no room,
 * nested, a fork child, a thread not seen before).
 */
static inline int64_t rcap_thread_begin(struct rcap_thread *thread)
{
	return __builtin_expect(!thread, 0) ? 0 : rcap_guard_take(&thread->guard);
}

/* Writes one slot and makes it visible to the drain, for good: it survives the death of the
 * process. @word: of rcap_slot_bare_word(). Return: the room behind it, for rcap_thread_end(). */
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

/* Makes what lies before `room` visible, as rcap_thread_put() does. */
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

/* The call under way begins at this room: what lies behind it is no event of its own. So it can be
 * told what it had recorded, should it be left by a jump. */
static inline void rcap_thread_note_room(struct rcap_thread *thread, int64_t room)
{
	const int64_t state = thread->guard.state;

	if (state > 0) {
		rcap_guard_hold(&thread->guard, rcap_guard_holder(state), room);
	}
}

/* First call of a thread, fork child, nested call, end of a block, capture off. See
 * rcap_thread_enter(). */
struct rcap_thread *rcap_thread_enter_slow(void);

/* Finds the texts that can't change. Context: rcap_thread_reset(). */
void rcap_thread_names_reset(void);

/* Prepares for threads that will end (pthread key). Context: rcap_process_start(). */
void rcap_thread_reset(void);

/*
 * A producer that is no thread of the program: its own stream, to be written by one thread at a
 * time with rcap_record_timed().
 *
 * @clock: of its times, enum rlog_stream_clock.
 * Return: NULL if there is no room, which is counted. Lives as long as the capture.
 * Context: the capture has started; not under rcap_process_lock.
 */
struct rcap_thread *rcap_thread_make(uint32_t name, uint32_t clock);

/* Makes the calling thread look like one never seen. Context: a fork child. */
void rcap_thread_forget(void);

/*
 * Begins any call.
 *
 * Return: the thread, to be given back with rcap_thread_leave(); NULL if nothing can be recorded
 * now (which is counted). There may be no room: rcap_thread_reserve() tells. Context: any
 * thread, also signal handlers; a few instructions but for the first time and at the end of a
 * block; errno is kept.
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
 * Begins a call that defines something, and must do so while the capture is off, too. What it
 * records then is counted as not to be recorded. Otherwise as rcap_thread_enter().
 */
struct rcap_thread *rcap_thread_enter_to_define(void);

/* Counts a call that is not recorded because the capture is off. */
static inline void rcap_thread_count_outside(struct rcap_stream *stream)
{
#if defined(__x86_64__)
	/* One instruction: a handler's call in the midst is counted, too. */
	__asm__ volatile("incq %0" : "+m"(stream->outside) : : "cc");
#else
	atomic_fetch_add_explicit(&stream->outside, 1, memory_order_relaxed);
#endif
}

/* Counts a call that is not to be recorded. Return: false if this thread can't. */
static inline bool rcap_thread_skips(void)
{
	const struct rcap_thread *thread = rcap_thread_self;

	/* In a fork child there is no stream, and the phase is that of its parent. */
	if (!thread || !thread->stream) {
		return false;
	}
	rcap_thread_count_outside(thread->stream);
	return true;
}

/* True if the capture is off, and the domain is known not to be left out. Else the caller finds
 * that out, and says so by rcap_thread_keep_off(). */
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
 * True, and the call is counted, while the capture is off and waits for no range: then nothing more
 * is to be done. The first thing that slow paths ask. False does not mean that it is on.
 */
static inline bool rcap_thread_is_quiet(void)
{
	return __builtin_expect(rcap_process_is_quiet(), 0) && rcap_thread_skips();
}

/* The same for a range that ends, or a mark: whatever the capture waits for, it is not that. */
static inline bool rcap_thread_is_off(void)
{
	return __builtin_expect(rcap_process_is_off(), 0) && rcap_thread_skips();
}

/* An empty block from the pool, by its number. */
struct rcap_block *rcap_thread_clear_block(uint32_t number);

/* Goes on with a block that is empty. */
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
 * Goes on with a new block. Return: its first slot; NULL if there is no memory, then the loss that
 * begins is noted and the caller calls rcap_thread_lose().
 */
struct rcap_slot *rcap_thread_next_block(struct rcap_thread *thread);

/*
 * Room for `count` (1 … RCAP_THREAD_MOST_SLOTS) slots in a row. Return: NULL if there is none.
 * Context: between enter and leave; no lock, no allocation, no system call but at the end of a
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

/* Starts to count a loss: depths as they are now. */
void rcap_thread_begin_loss(struct rcap_thread *thread);

/* Writes what happened during the loss at the start of a fresh block: doc/format.md, ops loss and
 * depth. */
void rcap_thread_end_loss(struct rcap_thread *thread);

/* Counts an event that found no room. */
void rcap_thread_lose(struct rcap_thread *thread, uint64_t ticks);

/* Depth record of a domain ≥ RCAP_INLINE_DOMAINS. Never NULL. */
struct rcap_depth *rcap_thread_far_depth(struct rcap_thread *thread, uint32_t domain);

static inline struct rcap_depth *rcap_thread_depth(struct rcap_thread *thread, uint32_t domain)
{
	return __builtin_expect(domain < RCAP_INLINE_DOMAINS, 1)
	               ? &thread->depth[domain]
	               : rcap_thread_far_depth(thread, domain);
}

/* The entry `bytes` behind the first, round and round. Masked as it is, in bytes: a shift less. */
static inline struct rcap_cached_name *rcap_thread_entry(struct rcap_thread *thread,
                                                         uintptr_t bytes)
{
	const uintptr_t mask = (RCAP_CACHE_ENTRIES - 1) * sizeof(struct rcap_cached_name);
	char *entry = (char *) thread->cache + (bytes & mask);

	__asm__("" : "+r"(entry)); /* worked out once */
	return (struct rcap_cached_name *) (void *) entry;
}

static inline struct rcap_cached_name *rcap_thread_cached(struct rcap_thread *thread,
                                                          const char *text)
{
	/* Texts of literals are some bytes apart, those of malloc() multiples of 16: by the upper
	 * bits of the product both get entries all over the table. */
	return rcap_thread_entry(thread, (uint32_t) (uintptr_t) text * RCAP_CACHE_HASH >> 18);
}

/* The same table serves registered strings: their handles live for ever, and a fork child's table
 * is empty. */
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

/* First and last four bytes of a text of four to seven. */
static inline uint64_t rcap_thread_halves(const char *at, uint64_t bytes)
{
	uint32_t first;
	uint32_t last;

	memcpy(&first, at, sizeof(first));
	memcpy(&last, at + bytes - 4, sizeof(last));
	return first | (uint64_t) last << 32;
}

/*
 * Does the program's text still read as when its address was entered? Compares as many bytes as the
 * copy has, in place of a call of strcmp (which costs as much as all else here). If the program has
 * put a shorter text there, bytes behind its end are read, never beyond its page.
 *
 * Return: false also for texts that are not compared here: under 3 or over 31 characters, or near a
 * page's end.
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

/* Makes it one that is none. 0 would be the key of NULL, which belongs into the first entry; 1 does
 * not, as a text. */
static inline void rcap_thread_clear_name(struct rcap_thread *thread,
                                          struct rcap_cached_name *entry)
{
	entry->key = entry == thread->cache ? 1 : 0;
	entry->copy = NULL;
	entry->bytes = 0;
	atomic_signal_fence(memory_order_seq_cst);
}

/* Is this the entry of the text, as it reads now? */
static inline bool rcap_thread_has(const struct rcap_cached_name *entry, const char *text)
{
	return __builtin_expect(entry->key == (uintptr_t) text, 1) ||
	       (entry->key == ~(uintptr_t) text && rcap_thread_is_same(entry, text));
}

/* Id of a text that is not in the cache; enters it. 0, and counted, if it can't be read. Context:
 * between enter and leave. */
uint32_t rcap_thread_intern(struct rcap_thread *thread, const char *text,
                            struct rcap_cached_name *entry);

/* Id of a NUL-terminated text, 0 for NULL and other addresses that can't be read. */
static inline uint32_t rcap_thread_name(struct rcap_thread *thread, const char *text)
{
	struct rcap_cached_name *entry = rcap_thread_cached(thread, text);

	if (rcap_thread_has(entry, text) ||
	    (entry->key == ~(uintptr_t) text && entry->copy && strcmp(entry->copy, text) == 0)) {
		return entry->id;
	}
	return rcap_thread_intern(thread, text, entry);
}

/* Enters a registered string into the cache. */
void rcap_thread_cache_handle(struct rcap_thread *thread, const void *handle, uint32_t id);

/* Counts a name that found no place in the table; the event itself is kept. */
void rcap_thread_count_lost_name(struct rcap_thread *thread);

#endif
