/* SPDX-License-Identifier: MIT */
/* Gets the next block of a producer thread, waits for room, and counts the events that are lost
 * without room. Also notes how deep the thread's ranges are around a loss. */
#include <errno.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "format/batch.h"
#include "libranges/base/signals.h"
#include "libranges/base/tsan.h"
#include "libranges/record/thread.h"

/* With RANGES_ON_FULL=block a producer waits for the drain, 0.2 ms at a time. */
#define BLOCK_WAIT_NS 200000

/* Makes a block from the pool empty. */
struct rcap_block *rcap_thread_clear_block(uint32_t number)
{
	struct rcap_block *block = rcap_spool_block(&rcap_process.spool, number);

	rcap_tsan_take_over(block);
	atomic_store_explicit(&block->head, (uint32_t) RCAP_THREAD_EMPTY_ROOM,
	                      memory_order_relaxed);
	atomic_store_explicit(&block->next, RCAP_NO_BLOCK, memory_order_relaxed);
	return block;
}

/* Makes an empty block the thread's block. A longjmp may end this anywhere: then settle() corrects
 * the other members, given `block`. */
void rcap_thread_enter_block(struct rcap_thread *thread, struct rcap_block *block)
{
	rcap_thread_note_room(thread, RCAP_THREAD_EMPTY_ROOM);
	atomic_signal_fence(memory_order_seq_cst);
	thread->block = block;
	atomic_signal_fence(memory_order_seq_cst);
	thread->resume = block->slots;
	thread->end = (char *) (block + 1);
	/* The fast path does nothing but read the CPU's counter. If that is not enough, there is no
	 * fast path. */
	thread->is_slow = !rcap_clock_is_counter || thread->counters.count != 0;
}

static bool is_live(void)
{
	return atomic_load_explicit(&rcap_process.spool.header->state, memory_order_relaxed) ==
	       RCAP_SPOOL_LIVE;
}

/* Waits a moment by a raw system call, because that is no cancellation point. */
static void nap(void)
{
	const struct timespec wait = { .tv_nsec = BLOCK_WAIT_NS };

	syscall(SYS_nanosleep, &wait, NULL);
}

/*
 * Offers the thread's full block to the drain for a moment. Signals are blocked, because a handler
 * could leave this by a longjmp. Return: true if the drain has emptied the block, and the thread
 * continues in it.
 */
static bool offer_block(struct rcap_thread *thread)
{
	_Atomic uint32_t *const refill = &thread->stream->refill;
	const uint64_t mask = rcap_signals_block();
	uint32_t state = RCAP_REFILL_WANTED;

	/* Release and acquire pair with the drain's: each side sees the block as the other has left
	 * it. */
	atomic_store_explicit(refill, RCAP_REFILL_WANTED, memory_order_release);
	rcap_process_wake_drain();
	nap();
	while (!atomic_compare_exchange_strong_explicit(
		refill, &state, RCAP_REFILL_NONE, memory_order_acquire, memory_order_acquire)) {
		if (state == RCAP_REFILL_DONE) {
			atomic_store_explicit(refill, RCAP_REFILL_NONE, memory_order_relaxed);
			rcap_thread_enter_block(thread, thread->block);
			break;
		}
		if (!rcap_process_is_drained()) {
			break; /* the drain was killed while it emptied the block, so the block is
			        * not used again */
		}
		nap(); /* the drain is emptying the block */
		state = RCAP_REFILL_WANTED;
	}
	rcap_signals_restore(mask);
	return state == RCAP_REFILL_DONE;
}

/* Continues in an empty block. This is another block or, after a wait, the thread's own block that
 * the drain has emptied. Return: false if there is none. */
static bool renew_block(struct rcap_thread *thread)
{
	const bool is_patient = rcap_process.config.on_full == RCAP_ON_FULL_BLOCK;
	uint32_t number = rcap_spool_take_block(&rcap_process.spool);

	for (; number == RCAP_NO_BLOCK; number = rcap_spool_take_block(&rcap_process.spool)) {
		if (is_patient && is_live() && rcap_process_is_drained()) {
			if (!thread->losing && offer_block(thread)) {
				return true;
			}
		} else if (!is_live() || !rcap_process_await_room()) {
			return false;
		}
	}
	rcap_thread_clear_block(number);
	rcap_tsan_hand_over(thread->block);
	/* Release pairs with the drain's acquire of `next`: the drain sees that the new block is
	 * empty, and the final head of this block. This store is first, so that the queue is
	 * complete if a longjmp leaves this call. */
	atomic_store_explicit(&thread->block->next, number, memory_order_release);
	rcap_thread_enter_block(thread, rcap_spool_block(&rcap_process.spool, number));
	return true;
}

/* Forgets the depths. While the capture was off, it did not see ranges open and close. */
static void forget_depths(struct rcap_thread *thread)
{
	memset(thread->depth, 0, sizeof(thread->depth));
	for (uint32_t i = 0; i < RCAP_DOMAIN_PAGES; i++) {
		if (thread->pages[i]) {
			memset(thread->pages[i], 0, RCAP_PAGE_DOMAINS * sizeof(struct rcap_depth));
		}
	}
	thread->watched_depth = 0;
	thread->is_parked = false;
}

struct rcap_slot *rcap_thread_next_block(struct rcap_thread *thread)
{
	const int saved = errno;
	bool has_room;

	/* If nothing is recorded now, takes no block, and leaves no room, so that the fast path is
	 * not used. */
	if (!thread->block || (rcap_process_is_off() && !thread->is_of_ours)) {
		thread->is_parked = true;
		thread->end = (char *) thread->resume;
		return NULL;
	}
	if (thread->is_parked) {
		forget_depths(thread);
	}
	if (!thread->losing && atomic_load_explicit(&thread->block->head, memory_order_relaxed) !=
	                               (uint32_t) rcap_guard_room(thread->guard.state)) {
		thread->is_counted = true;
	}
	has_room = renew_block(thread);
	errno = saved;
	if (rcap_spool_is_tight(&rcap_process.spool)) {
		rcap_process_wake_drain();
	}
	if (!has_room) {
		if (!thread->losing) {
			rcap_process_wake_drain();
			rcap_thread_begin_loss(thread);
			/* The rest of the block is too short for this event. It is not used for
			 * shorter events either, because events must stay in order. */
			thread->end = (char *) thread->resume;
		}
		return NULL;
	}
	if (thread->losing) {
		rcap_thread_end_loss(thread);
	}
	return thread->resume;
}

void rcap_thread_begin_loss(struct rcap_thread *thread)
{
	thread->losing = true;
	thread->lost = 0;
	for (uint32_t i = 0; i < RCAP_INLINE_DOMAINS; i++) {
		thread->depth[i].at_loss = thread->depth[i].now;
		thread->depth[i].min = thread->depth[i].now;
	}
	for (uint32_t page = 0; page < RCAP_DOMAIN_PAGES; page++) {
		for (uint32_t i = 0; thread->pages[page] && i < RCAP_PAGE_DOMAINS; i++) {
			struct rcap_depth *depth = &thread->pages[page][i];

			depth->at_loss = depth->now;
			depth->min = depth->now;
		}
	}
}

void rcap_thread_lose(struct rcap_thread *thread, uint64_t ticks)
{
	if (thread->is_parked) {
		rcap_thread_count_outside(thread->stream);
		return;
	}
	if (thread->lost == 0) {
		thread->lost_first = ticks;
	}
	thread->lost++;
	thread->lost_last = ticks;
	thread->is_counted = true;
	atomic_fetch_add_explicit(&thread->stream->lost[RLOG_CAUSE_RING_FULL], 1,
	                          memory_order_relaxed);
}

static struct rcap_slot *put_attr(struct rcap_slot *slot, uint32_t attr, uint64_t value)
{
	slot->a = value;
	slot->b = rcap_slot_word(slot, attr, 0, RCAP_OP_ATTR);
	return slot + 1;
}

static struct rcap_slot *put_depth(const struct rcap_thread *thread, struct rcap_slot *slot,
                                   uint32_t domain, const struct rcap_depth *depth)
{
	/* Keeps slots free for the event that is to be written in this block. */
	if ((depth->at_loss == 0 && depth->now == 0) ||
	    thread->end - (char *) slot <
	            (3 + RCAP_THREAD_MOST_SLOTS) * (ptrdiff_t) sizeof(*slot)) {
		return slot;
	}
	slot->a = thread->lost_last;
	slot->b = rcap_slot_word(slot, 0, domain, RLOG_OP_DEPTH);
	slot = put_attr(slot + 1, RLOG_ATTR_DEPTH, depth->now);
	return put_attr(slot, RLOG_ATTR_MIN_DEPTH, depth->min);
}

void rcap_thread_end_loss(struct rcap_thread *thread)
{
	struct rcap_slot *slot = thread->resume;

	thread->losing = false;
	if (thread->lost == 0) {
		return;
	}
	slot->a = thread->lost_first;
	slot->b = rcap_slot_word(slot, 0, 0, RLOG_OP_LOSS);
	slot = put_attr(slot + 1, RLOG_ATTR_LOST, thread->lost);
	slot = put_attr(slot, RLOG_ATTR_CAUSE, RLOG_CAUSE_RING_FULL);
	slot = put_attr(slot, RLOG_ATTR_SPAN, thread->lost_last - thread->lost_first);
	for (uint32_t i = 0; i < RCAP_INLINE_DOMAINS; i++) {
		slot = put_depth(thread, slot, i, &thread->depth[i]);
	}
	for (uint32_t page = 0; page < RCAP_DOMAIN_PAGES; page++) {
		for (uint32_t i = 0; thread->pages[page] && i < RCAP_PAGE_DOMAINS; i++) {
			slot = put_depth(thread, slot, page * RCAP_PAGE_DOMAINS + i,
			                 &thread->pages[page][i]);
		}
	}
	rcap_thread_publish(thread, slot);
	/* These rows belong to no call. */
	rcap_thread_note_room(thread, (char *) slot - thread->end);
}

struct rcap_depth *rcap_thread_far_depth(struct rcap_thread *thread, uint32_t domain)
{
	static struct rcap_depth scratch; /* without memory, depths in domains with large ids are
	                                   * not kept */
	struct rcap_depth **page = &thread->pages[domain / RCAP_PAGE_DOMAINS % RCAP_DOMAIN_PAGES];

	if (!*page) {
		void *memory = mmap(NULL, RCAP_PAGE_DOMAINS * sizeof(struct rcap_depth),
		                    PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

		if (memory == MAP_FAILED) {
			return &scratch;
		}
		*page = memory;
	}
	return &(*page)[domain % RCAP_PAGE_DOMAINS];
}
