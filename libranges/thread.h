/* SPDX-License-Identifier: MIT */
/* A producer thread: its queue of blocks in the spool, its cache of names, its depths. */
#ifndef RCAP_THREAD_H
#define RCAP_THREAD_H

#include <stdbool.h>
#include <string.h>

#include "libranges/process.h"

#define RCAP_CACHE_ENTRIES  256u
#define RCAP_INLINE_DOMAINS 32u
#define RCAP_DOMAIN_PAGES   128u
#define RCAP_PAGE_DOMAINS   512u

/* Depth of a thread in one domain; the two others count from the start of a loss on. */
struct rcap_depth {
	uint32_t now;
	uint32_t at_loss;
	uint32_t min;
};

struct rcap_cached_name {
	const char *pointer; /* the program's */
	const char *copy;    /* in the arena: the pointer alone proves nothing, the program may have
	                        reused it */
	uint32_t id;
};

/*
 * Private to its thread. It lives in memory that the kernel wipes in a fork child, so there
 * `stream` is NULL and next == end == NULL: both lead into the slow path, and no event of the child
 * can land in its parent's queue.
 */
struct rcap_thread {
	struct rcap_slot *next; /* to write */
	struct rcap_slot *end;  /* of the block */
	struct rcap_slot *slots;
	_Atomic uint32_t *head;
	struct rcap_stream *stream; /* in the spool; NULL: not registered */
	uint32_t busy;              /* a call is under way: what comes now is a signal handler */
	uint32_t block;
	uint32_t generation;
	uint32_t ranges; /* start ranges so far, for their ids */
	bool losing;
	uint64_t lost;
	uint64_t lost_first; /* ticks */
	uint64_t lost_last;
	struct rcap_thread *next_free;
	struct rcap_depth *pages[RCAP_DOMAIN_PAGES]; /* depths in domains ≥ RCAP_INLINE_DOMAINS,
	                                                made when needed */
	struct rcap_depth depth[RCAP_INLINE_DOMAINS];
	struct rcap_cached_name cache[RCAP_CACHE_ENTRIES];
};

/* Two words of static TLS: a library loaded late gets no more than that for sure (facts:
 * performance, section 2). */
extern __thread struct rcap_thread *rcap_thread_self
	__attribute__((visibility("hidden"), tls_model("initial-exec")));

/* First call of a thread, fork child, nested call, capture off. Return: as rcap_thread_enter().
 * errno is kept. */
struct rcap_thread *rcap_thread_enter_slow(void);

/* Prepares for threads that will end (pthread key). Context: rcap_lifetime_start(). */
void rcap_thread_reset(void);

/*
 * Begins a call.
 *
 * Return: the thread, to be given back with rcap_thread_leave(); NULL if nothing can be recorded
 * now (nested calls are counted). Context: any thread, also signal handlers; a few instructions but
 * for the first time.
 */
static inline struct rcap_thread *rcap_thread_enter(void)
{
	struct rcap_thread *thread = rcap_thread_self;

	if (__builtin_expect(!thread || !thread->stream || thread->busy, 0)) {
		return rcap_thread_enter_slow();
	}
	thread->busy = 1;
	atomic_signal_fence(memory_order_seq_cst); /* against our own signal handlers only */
	return thread;
}

static inline void rcap_thread_leave(struct rcap_thread *thread)
{
	atomic_signal_fence(memory_order_seq_cst);
	thread->busy = 0;
}

/*
 * Goes on with a new block. Return: its first slot; NULL if there is no memory, then the loss that
 * begins is noted and the caller calls rcap_thread_lose().
 */
struct rcap_slot *rcap_thread_next_block(struct rcap_thread *thread);

/*
 * Room for `count` (1 … 8) slots in a row. Return: NULL if there is none.
 * Context: between enter and leave; no lock, no allocation, no system call but at the end of a
 * block.
 */
static inline struct rcap_slot *rcap_thread_reserve(struct rcap_thread *thread, ptrdiff_t count)
{
	if (__builtin_expect(thread->end - thread->next < count, 0)) {
		return rcap_thread_next_block(thread);
	}
	return thread->next;
}

/* Makes the slots up to `after` visible to the drain, for good: they survive the death of the
 * process. */
static inline void rcap_thread_publish(struct rcap_thread *thread, struct rcap_slot *after)
{
	thread->next = after;
	/* Release pairs with the drain's acquire of head: it sees whole records. */
	atomic_store_explicit(thread->head, (uint32_t) (after - thread->slots),
	                      memory_order_release);
}

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

/* Id of a text that is not in the cache; enters it. */
uint32_t rcap_thread_intern(struct rcap_thread *thread, const char *text,
                            struct rcap_cached_name *entry);

/* Id of a NUL-terminated text, 0 for NULL. */
static inline uint32_t rcap_thread_name(struct rcap_thread *thread, const char *text)
{
	const uintptr_t key = (uintptr_t) text;
	struct rcap_cached_name *entry = &thread->cache[(key ^ key >> 8) % RCAP_CACHE_ENTRIES];

	if (__builtin_expect(!text, 0)) {
		return 0;
	}
	if (__builtin_expect(entry->pointer == text, 1) && strcmp(entry->copy, text) == 0) {
		return entry->id;
	}
	return rcap_thread_intern(thread, text, entry);
}

/* Counts a name that found no place in the table; the event itself is kept. */
void rcap_thread_count_lost_name(struct rcap_thread *thread);

#endif
