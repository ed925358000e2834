/* SPDX-License-Identifier: MIT */
/*
 * Drains a capture that is switched on and off: drops events, follows the ranges that are open at a
 * switch, and writes a log for each cycle.
 */
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "format/batch.h"
#include "format/wire.h"
#include "libranges/base/clock.h"
#include "libranges/base/log.h"
#include "libranges/drain/drain.h"
#include "libranges/drain/keep/keep.h"
#include "libranges/drain/open-ranges.h"
#include "libranges/drain/live-follow.h"
#include "libranges/drain/slots.h"

#define NS_PER_MS UINT64_C(1000000)
/* A switch is handled this long after it happened. This is the time for a thread to publish its
 * event, if the thread was stopped after it read its clock. */
#define GRACE_NS (5 * NS_PER_MS)
/* If a stream has more blocks than this, a round takes about this many of them. */
#define SLICE_BLOCKS 64u
/* How long CUPTI may take to hand over the rest of a cycle. Later records are not in the log. */
#define GPU_WAIT_NS (1000 * NS_PER_MS)

/* Makes streams number their rows from 0 again. Earlier rows are in the previous log. */
static void forget_rows(struct rcap_drain *drain)
{
	struct rcap_spool_header *header = drain->spool->header;
	const uint32_t count = atomic_load_explicit(&header->streams, memory_order_acquire);

	for (uint32_t i = 0; i < count; i++) {
		struct rcap_stream *stream = rcap_spool_stream(drain->spool, i);
		struct rcap_position at;

		if (stream && atomic_load_explicit(&stream->state, memory_order_acquire) !=
		                      RCAP_STREAM_FREE) {
			at = rcap_spool_position(stream);
			at.ordinal = 0;
			at.remarks = 0;
			rcap_spool_commit(stream, at);
		}
	}
}

/* Takes the counts of all causes. Threads go on counting, and later losses belong to the next
 * log. */
static uint64_t take_causes(_Atomic uint64_t *lost)
{
	uint64_t taken[RLOG_CAUSES];

	for (uint32_t cause = 0; cause < RLOG_CAUSES; cause++) {
		taken[cause] = atomic_exchange_explicit(&lost[cause], 0, memory_order_relaxed);
	}
	return rcap_drain_add_causes(taken);
}

/* Assigns the losses so far to the logs that are closed. A loss between two logs is reported by the
 * next log. */
static void forget_losses(struct rcap_drain *drain)
{
	struct rcap_spool_header *header = drain->spool->header;
	const uint32_t count = atomic_load_explicit(&header->streams, memory_order_acquire);
	const uint32_t commit = atomic_load_explicit(&header->ended_commit, memory_order_relaxed);
	uint64_t sum = rcap_drain_add_causes(rcap_spool_ended(drain->spool)->lost);

	for (uint32_t i = 0; i < count; i++) {
		struct rcap_stream *stream = rcap_spool_stream(drain->spool, i);

		if (stream && atomic_load_explicit(&stream->state, memory_order_acquire) !=
		                      RCAP_STREAM_FREE) {
			const bool is_alone = rcap_spool_is_counted_alone(drain->spool, stream);
			const uint64_t taken = take_causes(stream->lost);

			sum += is_alone ? taken : 0; /* otherwise the sum of ended streams includes
			                              * the count */
		}
	}
	sum += take_causes(header->lost_process);
	memset(&header->ended[(commit + 1) & 1], 0, sizeof(header->ended[0]));
	atomic_store_explicit(&header->ended_commit, commit + 1, memory_order_release);
	header->control.lost_before += sum;
}

/* ---- Cycles ---- */

bool rcap_drain_wants_log(const struct rcap_spool *spool)
{
	const struct rcap_control *control = &spool->header->control;
	struct rcap_switch now;

	rcap_control_now(control, &now);
	return now.phase == RCAP_PHASE_ON &&
	       atomic_load_explicit(&control->cycles_done, memory_order_acquire) < now.cycle;
}

/*
 * Writes the ranges that are open when the log begins, as its first rows. Stores the positions
 * before the rows. If the program dies in between, readers detect a gap, and do not take events of
 * the program for these rows.
 */
static int write_begun(struct rcap_drain *drain, uint64_t ticks, struct rlog_error *err)
{
	const uint32_t count =
		atomic_load_explicit(&drain->spool->header->streams, memory_order_acquire);
	bool has_started = false;
	int status = 0;

	for (uint32_t i = 0; drain->cycles && i < count && status == 0; i++) {
		struct rcap_stream *stream = rcap_spool_stream(drain->spool, i);
		struct rcap_position at;

		if (!rcap_open_ranges_has(drain, i)) {
			continue;
		}
		rlog_batch_clear(&drain->batch);
		rcap_open_ranges_put(drain, i, ticks, !has_started);
		has_started = true;
		if (drain->batch.count == 0) {
			continue;
		}
		at = rcap_spool_position(stream);
		at.ordinal = drain->batch.count;
		at.remarks = drain->batch.count;
		rcap_spool_commit(stream, at);
		drain->batch.stream = stream->id;
		drain->batch.sequence = 0;
		drain->batch.flags = 0;
		status = rlog_writer_put_events(drain->writer, &drain->batch, 0, err);
	}
	return status;
}

/* Begins the log of the cycle whose switch the drain has handled. */
static int begin_cycle(struct rcap_drain *drain, struct rlog_error *err)
{
	struct rcap_switch now;
	int status;

	rcap_control_now(&drain->spool->header->control, &now);
	drain->is_dropping = false;
	if (rcap_keep_is_begun(drain->spool)) {
		return rcap_keep_begin(drain, err); /* an earlier attempt failed */
	}
	forget_rows(drain);
	status = rcap_drain_create_log(drain, err);
	if (status == 0) {
		drain->sync_step_ns = 10 * NS_PER_MS;
		drain->next_sync_ns =
			drain->is_owner && drain->next_sync_ns != UINT64_MAX ? 0 : UINT64_MAX;
		status = rcap_drain_write_names(drain, err);
	}
	return status == 0 && !rcap_kept_is_on(&drain->spool->header->control.kept)
	               ? write_begun(drain, now.ticks, err)
	               : status;
}

/* Closes the log of a cycle. */
static int close_cycle(struct rcap_drain *drain, struct rlog_error *err)
{
	struct rcap_spool_header *header = drain->spool->header;
	struct rcap_control *control = &header->control;
	struct rcap_closed_log *closed;
	struct rcap_drain_sum sum;
	struct rcap_switch now;
	int status = 0;

	rcap_control_now(control, &now);
	if (drain->is_owner && drain->next_sync_ns != UINT64_MAX) {
		status = rcap_drain_sync_clock(drain, err);
	}
	status = status == 0
	                 ? rcap_drain_finish(drain, drain->is_owner ? "clean" : "recovered", err)
	                 : status;
	if (status != 0) {
		return status;
	}
	closed = &control->closed[now.cycle % RCAP_CONTROL_LOGS];
	closed->cycle = now.cycle;
	closed->events = atomic_load_explicit(&header->events, memory_order_relaxed);
	closed->path[0] = '\0';
	if (strlen(header->log_path) < sizeof(closed->path)) {
		rcap_log_format(closed->path, sizeof(closed->path), "%s", header->log_path);
	}
	control->events_before += closed->events;
	control->bytes_before += atomic_load_explicit(&header->log_bytes, memory_order_relaxed);
	atomic_store_explicit(&header->log_bytes, 0, memory_order_relaxed);
	atomic_store_explicit(&header->events, 0, memory_order_relaxed);
	/* Release pairs with readers that look for closed logs. */
	atomic_store_explicit(&control->cycles_done, now.cycle, memory_order_release);
	atomic_store_explicit(&header->log_inode, 0, memory_order_release);
	rcap_drain_leave_log(drain);
	forget_rows(drain);
	rcap_drain_sum(drain->spool, &sum);
	control->nameless_before += sum.nameless - control->kept.whole_nameless;
	forget_losses(drain);
	control->lost_before += control->kept.whole_gone - control->kept.whole_lost;
	rcap_keep_forget(drain->spool);
	return 0;
}

/* Returns the next switch to handle; NULL if there is none. */
static const struct rcap_switch *next_switch(const struct rcap_control *control)
{
	const uint32_t passed = atomic_load_explicit(&control->passed, memory_order_relaxed);

	/* Acquire pairs with the switching thread's release, so the entry is complete. */
	return atomic_load_explicit(&control->switches, memory_order_acquire) != passed
	               ? rcap_control_at(control, passed)
	               : NULL;
}

/* True if all events before the switch are in the spool, or will never come. */
static bool is_settled(const struct rcap_drain *drain, const struct rcap_switch *next)
{
	const struct rcap_control *control = &drain->spool->header->control;
	const uint32_t passed = atomic_load_explicit(&control->passed, memory_order_relaxed);
	const uint64_t now = rcap_clock_mono_ns();

	/* If the program has ended, or is about to, nothing more will come. */
	if (!drain->is_owner || atomic_load_explicit(&drain->spool->header->state,
	                                             memory_order_acquire) != RCAP_SPOOL_LIVE) {
		return true;
	}
	if (now < next->mono_ns + GRACE_NS) {
		return false;
	}
	/* Checks the phase that this switch ends. is_dropping may still be that of an earlier
	 * phase. */
	return !rcap_drain_wants_log(drain->spool) || now >= next->mono_ns + GPU_WAIT_NS ||
	       atomic_load_explicit(&control->has_gpu, memory_order_acquire) == 0 ||
	       atomic_load_explicit(&control->gpu_done, memory_order_acquire) > passed;
}

/* Handles a switch. Closes the cycle's log if the switch ends the cycle. */
static int pass(struct rcap_drain *drain, const struct rcap_switch *next, struct rlog_error *err)
{
	struct rcap_control *control = &drain->spool->header->control;
	const uint32_t passed = atomic_load_explicit(&control->passed, memory_order_relaxed);
	struct rcap_switch now;

	rcap_control_now(control, &now);
	if (drain->writer && next->phase != RCAP_PHASE_ON) {
		const int status = close_cycle(drain, err);

		if (status != 0) {
			return status;
		}
	}
	/* Ranges that were opened while the capture was off are unknown. */
	if (now.phase == RCAP_PHASE_OFF) {
		rcap_open_ranges_forget(drain);
		rcap_live_follow_forget(drain->is_owner ? drain->spool : NULL);
	}
	/* Release pairs with the thread that adds switches: the drain no longer reads this entry,
	 * only the one before. */
	atomic_store_explicit(&control->passed, passed + 1, memory_order_release);
	return 0;
}

/* Drains one phase, up to the next switch. */
static int run_phase(struct rcap_drain *drain, bool all, uint64_t *written, struct rlog_error *err)
{
	/* A piece must have all events of its time, because the window may begin at any piece. */
	const bool is_over = drain->turn_piece && rcap_keep_is_over(drain);
	int status = 0;

	if (rcap_drain_wants_log(drain->spool)) {
		if (!drain->writer) {
			status = begin_cycle(drain, err);
		}
		drain->is_dropping = false;
	} else {
		drain->is_dropping = true;
	}
	if (status == 0) {
		status = rcap_drain_cycle(drain, all || is_over, written, err);
	}
	return status == 0 && drain->turn_piece ? drain->turn_piece(drain, is_over, err) : status;
}

bool rcap_drain_is_switching(const struct rcap_drain *drain)
{
	return next_switch(&drain->spool->header->control) != NULL;
}

bool rcap_drain_is_idle(const struct rcap_drain *drain)
{
	const struct rcap_control *control = &drain->spool->header->control;
	struct rcap_switch now;

	rcap_control_now(control, &now);
	return now.phase == RCAP_PHASE_OFF && !next_switch(control) &&
	       rcap_control_asked(atomic_load_explicit(&control->command, memory_order_acquire)) ==
	               RCAP_CONTROL_NONE;
}

/* Returns the time of the first event in the block that is SLICE_BLOCKS after the drain's position
 * in a stream. UINT64_MAX: there is no such block. */
static uint64_t look_ahead(const struct rcap_spool *spool, const struct rcap_stream *stream)
{
	uint32_t number = rcap_spool_position(stream).block;
	struct rcap_block *block = NULL;
	uint32_t head;

	for (uint32_t i = 0; i <= SLICE_BLOCKS; i++) {
		if (!rcap_spool_has_block(spool, number)) {
			return UINT64_MAX;
		}
		block = rcap_spool_block(spool, number);
		/* Acquire pairs with the producer's release. */
		number = atomic_load_explicit(&block->next, memory_order_acquire);
	}
	head = rcap_spool_published(block);
	for (uint32_t i = 0; i < head; i++) {
		if (rcap_slot_is_sound(&block->slots[i]) &&
		    !rcap_slot_is_behind_event(&block->slots[i])) {
			return block->slots[i].a;
		}
	}
	return UINT64_MAX;
}

/*
 * Finds the time up to which this round drains, in a capture that keeps its last part. If streams
 * have many blocks to write, all streams advance together in time, so that the oldest events are
 * dropped first.
 */
static uint64_t find_limit(const struct rcap_drain *drain, uint64_t goal)
{
	const uint32_t count =
		atomic_load_explicit(&drain->spool->header->streams, memory_order_acquire);
	uint64_t limit = goal;

	for (uint32_t i = 0; drain->turn_piece && i < count; i++) {
		const struct rcap_stream *stream = rcap_spool_stream(drain->spool, i);
		const uint32_t state =
			stream ? atomic_load_explicit(&stream->state, memory_order_acquire)
			       : RCAP_STREAM_FREE;

		if (state != RCAP_STREAM_FREE && state != RCAP_STREAM_OFF && stream->clock == 0) {
			const uint64_t ticks = look_ahead(drain->spool, stream);

			limit = ticks < limit ? ticks : limit;
		}
	}
	return limit;
}

int rcap_drain_turn(struct rcap_drain *drain, bool all, uint64_t *written, struct rlog_error *err)
{
	struct rcap_control *control = &drain->spool->header->control;
	const bool is_live =
		drain->is_owner && atomic_load_explicit(&drain->spool->header->state,
	                                                memory_order_acquire) == RCAP_SPOOL_LIVE;
	/* Without a goal this would never end if the program recorded faster than the drain
	 * writes. */
	const uint64_t goal = (all || drain->turn_piece) && is_live ? rcap_clock_now() : UINT64_MAX;
	const struct rcap_switch *next;
	uint64_t sum = 0;
	bool is_stuck = false; /* the times are wrong, because a round up to them took nothing */
	int status;

	if (!drain->cycles && (rcap_control_is_used(control) || rcap_kept_is_on(&control->kept))) {
		rcap_open_ranges_init(drain);
	}
	for (;;) {
		bool is_passing;
		bool is_part;

		*written = 0;
		drain->limit = is_stuck ? goal : find_limit(drain, goal);
		is_part = drain->limit < goal;
		next = next_switch(control);
		/* This round takes all events before the switch. */
		is_passing = next && is_settled(drain, next) && next->ticks <= drain->limit;
		drain->until = next ? next->ticks : UINT64_MAX;
		status = !all && rcap_drain_is_idle(drain)
		                 ? 0
		                 : run_phase(drain, all || is_passing, written, err);
		sum += *written;
		if (status == 0 && is_passing) {
			status = pass(drain, next, err);
		}
		drain->until = UINT64_MAX;
		is_stuck = is_part && *written == 0 && !is_passing;
		if (status != 0 || (!is_passing && !(is_part && (all || is_stuck)))) {
			drain->limit = UINT64_MAX;
			*written = sum;
			return status;
		}
	}
}
