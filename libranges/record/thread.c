/* SPDX-License-Identifier: MIT */
/* The slow paths of producer threads: registering, nested calls, the end of a thread. */
#include "libranges/record/thread.h"

#include <errno.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "format/batch.h"
#include "libranges/base/signals.h"
#include "libranges/base/tsan.h"
#include "libranges/spool/arena.h"
#include "libranges/record/names/handles.h"
#include "libranges/record/names/names.h"

#ifndef MADV_WIPEONFORK
#define MADV_WIPEONFORK 18
#endif

/* One mapping is for this many threads. With a mapping for each thread, starting many threads took
 * some milliseconds more. */
#define CHUNK_THREADS 32u
/* Nested calls are recorded down to this many levels. Deeper calls are only counted. */
#define MAX_NESTED 16u

__thread struct rcap_thread *rcap_thread_self
	__attribute__((visibility("hidden"), tls_model("initial-exec")));
/* True while the slow path runs. A call of a signal handler must not enter it then, because it
 * would wait for a lock that its own thread holds. */
static __thread uint32_t entering __attribute__((tls_model("initial-exec")));

static struct {
	pthread_key_t key;
	bool has_key;
	struct rcap_thread *free_threads; /* used under the lock */
	struct rcap_thread *chunk;
	uint32_t chunk_used;
} pool;

static void end_thread(void *argument);

void rcap_thread_reset(void)
{
	rcap_thread_names_reset();
	if (!pool.has_key) {
		pool.has_key = pthread_key_create(&pool.key, end_thread) == 0;
	}
	/* A fork child never uses the structs of its parent's other threads again. */
	pool.free_threads = NULL;
	pool.chunk = NULL;
	pool.chunk_used = CHUNK_THREADS;
}

/* Returns a free struct, or NULL. The lock is held. */
static struct rcap_thread *take_thread(void)
{
	struct rcap_thread *thread = pool.free_threads;

	if (thread) {
		pool.free_threads = thread->next_free;
		memset(thread, 0, sizeof(*thread));
		return thread;
	}
	if (pool.chunk_used == CHUNK_THREADS) {
		void *memory = mmap(NULL, CHUNK_THREADS * sizeof(*thread), PROT_READ | PROT_WRITE,
		                    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

		if (memory == MAP_FAILED) {
			return NULL;
		}
		madvise(memory, CHUNK_THREADS * sizeof(*thread), MADV_WIPEONFORK);
		pool.chunk = memory;
		pool.chunk_used = 0;
	}
	return &pool.chunk[pool.chunk_used++];
}

/* Finds a free stream record in the spool; NULL if there is none. The lock is held. */
static struct rcap_stream *take_stream(void)
{
	struct rcap_spool *spool = &rcap_process.spool;
	struct rcap_spool_header *header = spool->header;
	const uint32_t count = atomic_load_explicit(&header->streams, memory_order_relaxed);
	static uint32_t hint;
	uint32_t block;

	for (uint32_t i = 0; i < count; i++) {
		struct rcap_stream *stream = rcap_spool_stream(spool, (hint + i) % count);

		/* Acquire pairs with the drain's release after its last use of the record. */
		if (stream && atomic_load_explicit(&stream->state, memory_order_acquire) ==
		                      RCAP_STREAM_FREE) {
			hint = (hint + i + 1) % count;
			return stream;
		}
	}
	if (count / RCAP_STREAMS_BLOCK >= RCAP_STREAM_BLOCKS) {
		return NULL;
	}
	block = rcap_spool_take_vital(spool);
	if (block == RCAP_NO_BLOCK) {
		return NULL;
	}
	memset(rcap_spool_block(spool, block), 0, RCAP_BLOCK_BYTES);
	header->stream_block[count / RCAP_STREAMS_BLOCK] = block;
	hint = count;
	/* Release pairs with the drain's acquire: the drain sees the table, all of whose records
	 * are FREE. */
	atomic_store_explicit(&header->streams, count + RCAP_STREAMS_BLOCK, memory_order_release);
	return rcap_spool_stream(spool, count);
}

static uint32_t name_this_thread(void)
{
	char name[17] = "";
	bool lost = false;

	prctl(PR_GET_NAME, name);
	return name[0] == '\0' ? 0 : rcap_names_intern(name, strlen(name), 0, NULL, &lost);
}

/* Fills a stream record, and makes it visible to the drain. The lock is held. @def: definition of
 * the stream, without its number. */
static bool fill_stream(struct rcap_thread *thread, struct rcap_stream *stream, struct rlog_def def)
{
	struct rcap_spool *spool = &rcap_process.spool;
	const uint32_t block = rcap_spool_take_vital(spool);

	if (block == RCAP_NO_BLOCK) {
		return false;
	}
	rcap_thread_enter_block(thread, rcap_thread_clear_block(block));
	stream->id =
		atomic_fetch_add_explicit(&spool->header->next_stream_id, 1, memory_order_relaxed);
	stream->tid = (uint32_t) def.value;
	stream->clock = (uint32_t) def.parent;
	for (uint32_t i = 0; i < RLOG_CAUSES; i++) {
		atomic_store_explicit(&stream->lost[i], 0, memory_order_relaxed);
	}
	atomic_store_explicit(&stream->refill, RCAP_REFILL_NONE, memory_order_relaxed);
	atomic_store_explicit(&stream->outside, 0, memory_order_relaxed);
	rcap_spool_commit(stream, (struct rcap_position){ .block = block });
	def.id = stream->id;
	rcap_arena_add_def(spool, &def);
	thread->stream = stream;
	rcap_thread_clear_name(thread, thread->cache);
	/* If the default domain is left out, the fast path must not take it. No program has this
	 * handle. */
	thread->last_domain = rcap_handles_is_off(NULL) ? &pool : NULL;
	thread->off_domain = thread->last_domain;
	thread->generation = rcap_process.generation;
	/* Release pairs with the drain's acquire of `state`: the record is complete. */
	atomic_store_explicit(&stream->state, RCAP_STREAM_LIVE, memory_order_release);
	return true;
}

/* Makes a stream that only counts calls, for a thread that is first seen while the capture is off.
 * The lock is held. */
static bool fill_off(struct rcap_thread *thread, struct rcap_stream *stream)
{
	for (uint32_t i = 0; i < RLOG_CAUSES; i++) {
		atomic_store_explicit(&stream->lost[i], 0, memory_order_relaxed);
	}
	atomic_store_explicit(&stream->outside, 0, memory_order_relaxed);
	rcap_spool_commit(stream, (struct rcap_position){ .block = RCAP_NO_BLOCK });
	stream->id = 0;
	stream->clock = 0;
	thread->stream = stream;
	thread->off_domain = rcap_handles_is_off(NULL) ? &pool : NULL;
	rcap_thread_clear_name(thread, thread->cache);
	thread->generation = rcap_process.generation;
	thread->is_parked = true;
	/* Release pairs with the drain's acquire of `state`: the record is complete. */
	atomic_store_explicit(&stream->state, RCAP_STREAM_OFF, memory_order_release);
	return true;
}

/* Frees the thread's stream that only counts calls, if it has one. The lock is held. */
static void drop_off(struct rcap_thread *thread)
{
	struct rcap_stream *stream = thread->stream;

	if (!stream || thread->block) {
		return;
	}
	atomic_fetch_add_explicit(
		&rcap_process.spool.header->control.outside,
		atomic_exchange_explicit(&stream->outside, 0, memory_order_relaxed),
		memory_order_relaxed);
	for (uint32_t i = 0; i < RLOG_CAUSES; i++) {
		atomic_fetch_add_explicit(
			&rcap_process.spool.header->lost_process[i],
			atomic_exchange_explicit(&stream->lost[i], 0, memory_order_relaxed),
			memory_order_relaxed);
	}
	thread->stream = NULL;
	thread->is_parked = false;
	/* Release pairs with the acquire of the thread that uses the record next. */
	atomic_store_explicit(&stream->state, RCAP_STREAM_FREE, memory_order_release);
}

/* Makes a thread with a stream. @old: the caller's struct; NULL if it has none yet. @def:
 * its definition; NULL for a stream that only counts calls. Return: NULL if there is no room. */
static struct rcap_thread *try_thread(struct rcap_thread *old, const struct rlog_def *def)
{
	struct rcap_thread *thread;
	struct rcap_stream *stream;
	bool done = false;

	rcap_process_lock();
	thread = old ? old : take_thread();
	if (thread) {
		stream = take_stream();
		drop_off(thread);
		done = stream &&
		       (def ? fill_stream(thread, stream, *def) : fill_off(thread, stream));
		if (!done && !old) {
			thread->next_free = pool.free_threads;
			pool.free_threads = thread;
		}
	}
	rcap_process_unlock();
	return done ? thread : NULL;
}

/* Makes a thread. Counts it if there is no room. */
static struct rcap_thread *make_thread(struct rcap_thread *old, const struct rlog_def *def)
{
	struct rcap_thread *thread = try_thread(old, def);

	while (!thread && rcap_process_await_room()) {
		thread = try_thread(old, def);
	}
	if (!thread) {
		atomic_fetch_add_explicit(
			&rcap_process.spool.header->lost_process[RLOG_CAUSE_NO_SLOT], 1,
			memory_order_relaxed);
	}
	return thread;
}

struct rcap_thread *rcap_thread_make(uint32_t name, uint32_t clock)
{
	const struct rlog_def def = { .kind = RLOG_DEF_STREAM, .parent = clock, .string = name };
	struct rcap_thread *thread = make_thread(NULL, &def);

	if (thread) {
		thread->is_of_ours = true;
	}
	return thread;
}

/* Fills in the definition of a stream for the calling thread. */
static struct rlog_def describe_thread(void)
{
	return (struct rlog_def){ .kind = RLOG_DEF_STREAM,
		                  .string = name_this_thread(),
		                  .value = (uint32_t) syscall(SYS_gettid) };
}

/* Registers the calling thread. Return: false if there is no room for it. */
static bool register_thread(void)
{
	const struct rlog_def def = describe_thread();
	struct rcap_thread *thread =
		make_thread(rcap_thread_self, rcap_process_is_off() ? NULL : &def);

	if (!thread) {
		return false;
	}
	rcap_thread_self = thread;
	if (!rcap_process_is_off()) {
		rcap_count_open(&thread->counters);
		thread->is_slow |= thread->counters.count != 0;
	}
	if (pool.has_key) {
		pthread_setspecific(pool.key, thread);
	}
	return true;
}

/* Counts a call that has interrupted another call of the thread and found no place, or that a
 * longjmp has left. @stream: NULL if the thread has none yet. */
static void count_nested(struct rcap_stream *stream)
{
	struct rcap_spool_header *header = rcap_process.spool.header;

	if (stream) {
		atomic_fetch_add_explicit(&stream->lost[RLOG_CAUSE_NESTED], 1,
		                          memory_order_relaxed);
	} else if (header && atomic_load_explicit(rcap_process_alive, memory_order_acquire) ==
	                             RCAP_ALIVE_YES) {
		atomic_fetch_add_explicit(&header->lost_process[RLOG_CAUSE_NESTED], 1,
		                          memory_order_relaxed);
	}
}

/* Handles the first call of a thread, or of a fork child. Signals are blocked, because a handler's
 * call would find the thread half registered. Return: false if the thread can't be recorded. */
static bool join_capture(uintptr_t here)
{
	const int saved = errno;
	const uint64_t mask = rcap_signals_block();
	bool registered;

	entering = 1;
	registered = rcap_process_start() && register_thread();
	if (registered) {
		/* `resume` is at the start of the first block, if there is a block */
		rcap_guard_hold(&rcap_thread_self->guard, here,
		                rcap_thread_self->block ? RCAP_THREAD_EMPTY_ROOM : 0);
		if (rcap_process.look) {
			rcap_process.look();
		}
	}
	entering = 0;
	rcap_signals_restore(mask);
	errno = saved;
	return registered;
}

/*
 * Cleans up after a longjmp out of the call that had the guard. If the call's event was published,
 * it is in the log, otherwise it is counted. All members that the call may have left in between are
 * restored from the block.
 */
static void settle(struct rcap_thread *thread)
{
	const uint32_t next = atomic_load_explicit(&thread->block->next, memory_order_relaxed);
	bool is_counted = thread->is_counted;
	int32_t head;

	if (next != RCAP_NO_BLOCK) {
		rcap_thread_enter_block(thread, rcap_spool_block(&rcap_process.spool, next));
	} else if (!thread->losing) {
		is_counted |= atomic_load_explicit(&thread->block->head, memory_order_relaxed) !=
		              (uint32_t) rcap_guard_room(thread->guard.state);
	}
	if (!is_counted) {
		count_nested(thread->stream);
	}
	thread->is_counted = false;
	head = (int32_t) atomic_load_explicit(&thread->block->head, memory_order_relaxed);
	thread->end = (char *) (thread->block + 1);
	thread->resume = (struct rcap_slot *) (void *) (thread->end + head);
	rcap_thread_note_room(thread, head);
	if (thread->losing) {
		thread->end = (char *) thread->resume;
		rcap_thread_note_room(thread, 0);
	}
}

/* Enters a struct of the thread. Return: true if the struct is now the caller's. */
static bool take_idle(struct rcap_thread *thread, uintptr_t here)
{
	const int64_t state = thread->guard.state;

	if (state <= 0) {
		if (!rcap_guard_change(&thread->guard, state, rcap_guard_mark(here) + state)) {
			return false;
		}
		if (thread->is_slow) {
			rcap_thread_note_room(thread, (char *) thread->resume - thread->end);
		}
		return true;
	}
	if (rcap_guard_is_abandoned(rcap_guard_holder(state), here) &&
	    rcap_guard_change(&thread->guard, state,
	                      rcap_guard_mark(here) + rcap_guard_room(state))) {
		settle(thread);
		return true;
	}
	return false;
}

/* Adds another struct for the thread, behind its last one. Return: NULL if there is no room, which
 * is counted. */
static struct rcap_thread *add_nested(struct rcap_thread *last, uintptr_t here)
{
	const uint64_t mask = rcap_signals_block();
	const int saved = errno;
	const struct rlog_def def = describe_thread();
	struct rcap_thread *thread = make_thread(NULL, &def);

	if (thread) {
		thread->counters = rcap_thread_self->counters;
		thread->counters.is_borrowed = true;
		thread->is_slow |= thread->counters.count != 0;
		rcap_guard_hold(&thread->guard, here, RCAP_THREAD_EMPTY_ROOM);
		/* A handler may have added a struct before signals were blocked. */
		while (last->nested) {
			last = last->nested;
		}
		last->nested = thread;
	}
	errno = saved;
	rcap_signals_restore(mask);
	return thread;
}

/*
 * Finds a struct of the thread that no call is using. Interrupted calls keep their structs: they
 * may continue at any time or, if a longjmp has left them, never.
 */
static struct rcap_thread *take_any(struct rcap_thread *thread, uintptr_t here)
{
	struct rcap_thread *last = thread;

	for (uint32_t i = 0; i < MAX_NESTED; i++) {
		if (take_idle(last, here)) {
			return last;
		}
		if (!last->nested) {
			return add_nested(last, here);
		}
		last = last->nested;
	}
	count_nested(thread->stream);
	return NULL;
}

/* Handles a thread without a block: it is first seen now, or was seen only while the capture was
 * off. A nested call that gets here is only counted. */
static struct rcap_thread *join(struct rcap_thread *thread, uintptr_t here)
{
	if (thread && thread->stream) {
		if (thread->guard.state > 0) {
			count_nested(thread->stream);
			return NULL;
		}
		if (rcap_process_is_off()) {
			rcap_guard_hold(&thread->guard, here, 0);
			thread->end = NULL;
			thread->resume = NULL;
			return thread;
		}
	}
	return join_capture(here) ? rcap_thread_self : NULL;
}

/* Begins any call, except those made while the capture is off. */
static struct rcap_thread *enter(void)
{
	const uintptr_t here = rcap_guard_stack();
	struct rcap_thread *thread = rcap_thread_self;

	if (entering) {
		count_nested(NULL);
		return NULL;
	}
	if (!thread || !thread->stream || !thread->block) {
		return join(thread, here);
	}
	thread = take_any(thread, here);
	if (thread) {
		thread->is_counted = false;
		thread->resume =
			(struct rcap_slot *) (void *) (thread->end +
		                                       rcap_guard_room(thread->guard.state));
	}
	return thread;
}

struct rcap_thread *rcap_thread_enter_slow(void)
{
	struct rcap_thread *thread = rcap_thread_self;

	/* A fork child has no stream, and its phase is that of its parent. */
	if (rcap_process_is_off() && thread && thread->stream) {
		rcap_thread_count_outside(thread->stream);
		return NULL;
	}
	thread = enter();
	if (thread && thread->is_parked && rcap_process_is_off()) {
		rcap_thread_count_outside(thread->stream);
		rcap_thread_leave(thread);
		return NULL;
	}
	return thread;
}

struct rcap_thread *rcap_thread_enter_to_define(void)
{
	struct rcap_thread *thread = rcap_thread_self;
	const int64_t room = rcap_thread_begin(thread);

	if (room == 0) {
		return enter();
	}
	thread->resume = (struct rcap_slot *) (void *) (thread->end + room);
	return thread;
}

void rcap_thread_leave_slow(struct rcap_thread *thread)
{
	thread->is_counted = true;
	atomic_signal_fence(memory_order_seq_cst);
	thread->guard.state = 0;
}

void rcap_thread_forget(void)
{
	if (rcap_thread_self) {
		memset(rcap_thread_self, 0, sizeof(*rcap_thread_self));
	}
}

static bool has_open_ranges(const struct rcap_thread *thread)
{
	uint32_t open = 0;

	for (uint32_t i = 0; i < RCAP_INLINE_DOMAINS; i++) {
		open |= thread->depth[i].now;
	}
	for (uint32_t page = 0; page < RCAP_DOMAIN_PAGES; page++) {
		for (uint32_t i = 0; thread->pages[page] && i < RCAP_PAGE_DOMAINS; i++) {
			open |= thread->pages[page][i].now;
		}
	}
	return open != 0;
}

static void unmap_extras(struct rcap_thread *thread)
{
	rcap_count_close(&thread->counters);
	for (uint32_t i = 0; i < RCAP_DOMAIN_PAGES; i++) {
		if (thread->pages[i]) {
			munmap(thread->pages[i], RCAP_PAGE_DOMAINS * sizeof(struct rcap_depth));
		}
	}
	if (thread->scratch) {
		munmap(thread->scratch, RCAP_SCRATCH_BYTES);
	}
}

static void end_stream(struct rcap_thread *thread)
{
	struct rcap_stream *stream = thread->stream;
	const struct rlog_def def = { .kind = RLOG_DEF_STREAM_END,
		                      .id = stream->id,
		                      .value = rcap_clock_now() };
	const bool is_open = has_open_ranges(thread);

	if (!thread->block) {
		unmap_extras(thread);
		rcap_process_lock();
		drop_off(thread);
		thread->guard = (struct rcap_guard){ 0 };
		thread->next_free = pool.free_threads;
		pool.free_threads = thread;
		rcap_process_unlock();
		return;
	}
	if (thread->guard.state > 0) {
		settle(thread);
	}
	unmap_extras(thread);
	thread->stream = NULL;
	thread->guard = (struct rcap_guard){ 0 };
	rcap_tsan_hand_over(thread->block);
	/* Release pairs with the drain's acquire. The drain then sees the thread's last events, and
	 * removes the stream. */
	atomic_store_explicit(&stream->state, RCAP_STREAM_ENDED, memory_order_release);
	rcap_process_lock();
	/* The drain may have taken these events before it could know that they were the last
	 * ones. */
	if (is_open) {
		rcap_arena_add_def(&rcap_process.spool, &def);
	}
	thread->next_free = pool.free_threads;
	pool.free_threads = thread;
	rcap_process_unlock();
}

/* Signals are blocked, because a handler's call would register the thread again halfway. */
static void end_thread(void *argument)
{
	const uint64_t mask = rcap_signals_block();
	struct rcap_thread *thread = argument;

	rcap_thread_self = NULL;
	/* After a fork the struct is empty, or belongs to the parent's capture, so there is nothing
	 * to end. */
	while (thread && thread->stream && thread->generation == rcap_process.generation) {
		struct rcap_thread *const nested = thread->nested;

		end_stream(thread);
		thread = nested;
		/* The drain must end after the program's last thread. No other thread would wake
		 * it. */
		if (rcap_process_is_off()) {
			rcap_process_wake_drain();
		}
	}
	rcap_signals_restore(mask);
}
