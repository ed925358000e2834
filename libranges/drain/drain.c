/* SPDX-License-Identifier: MIT */
/* Turns the spool's queues and arena into chunks of the log. */
#include "libranges/drain/drain.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "libranges/base/clock.h"
#include "libranges/drain/live-follow.h"
#include "libranges/drain/plain.h"
#include "libranges/drain/slots.h"

#define NS_PER_MS UINT64_C(1000000)
/* A batch ends after this many blocks. 16384 rows of one slot each take 17 blocks. */
#define MAX_PASSED 64u

/* The state while one batch is filled. */
struct gathering {
	struct rcap_stream *stream;
	struct rcap_position at;
	uint64_t skip_to; /* events with ordinals below this are already in the log */
	uint32_t passed[MAX_PASSED];
	uint32_t passed_count;
	uint32_t remarks; /* rows of the batch that are not events of the program */
	bool is_empty;    /* true if all published events were taken */
	bool is_cut;      /* true if the rest belongs to another phase of the capture */
	uint64_t until;   /* start of that phase, in ticks of the stream's own clock */
};

int rcap_drain_init(struct rcap_drain *drain, struct rcap_spool *spool, bool is_owner)
{
	memset(drain, 0, sizeof(*drain));
	drain->spool = spool;
	drain->fd = -1;
	drain->is_owner = is_owner;
	drain->until = UINT64_MAX;
	drain->limit = UINT64_MAX;
	drain->sync_step_ns = 10 * NS_PER_MS;
	drain->written_ns = calloc((size_t) RCAP_STREAM_BLOCKS * RCAP_STREAMS_BLOCK,
	                           sizeof(*drain->written_ns));
	if (!drain->written_ns || rlog_batch_init(&drain->batch, RCAP_DRAIN_ROWS) != 0) {
		rcap_drain_fini(drain);
		return -RLOG_E_NO_MEMORY;
	}
	return 0;
}

void rcap_drain_fini(struct rcap_drain *drain)
{
	rlog_writer_destroy(drain->writer);
	drain->writer = NULL;
	rlog_batch_fini(&drain->batch);
	free(drain->written_ns);
	drain->written_ns = NULL;
	if (drain->free_cycles) {
		drain->free_cycles(drain);
	}
	if (drain->free_triggers) {
		drain->free_triggers(drain);
	}
	rcap_shrink_fini(&drain->shrink);
	rcap_listed_fini(&drain->listed);
	if (drain->fd >= 0) {
		close(drain->fd);
		drain->fd = -1;
	}
}

static void take_data(struct rlog_batch *batch, uint32_t row, const struct rcap_slot *slot)
{
	const uint32_t tail = (uint32_t) slot->b;
	const size_t count = slot->b >> 32 & 0xFFFF;
	uint8_t bytes[RCAP_DATA_BYTES];

	memcpy(bytes, &slot->a, sizeof(slot->a));
	memcpy(bytes + sizeof(slot->a), &tail, sizeof(tail));
	/* If there is no memory, the batch leaves these bytes out. The decoder then reports that
	 * the data end too early. */
	(void) rlog_batch_add_data(batch, row, bytes,
	                           count <= sizeof(bytes) ? count : sizeof(bytes));
}

/* Adds the attribute slots and data slots of an event to the event's row. Return: the slot after
 * them. */
static uint32_t take_attrs(struct rlog_batch *batch, const struct rcap_slot *slots, uint32_t at,
                           uint32_t head)
{
	const uint32_t row = (uint32_t) batch->count - 1;

	for (; at < head && rcap_slot_is_sound(&slots[at]) && rcap_slot_is_behind_event(&slots[at]);
	     at++) {
		const uint32_t attr = (uint32_t) slots[at].b;

		if (rcap_slot_op(&slots[at]) == RCAP_OP_DATA) {
			take_data(batch, row, &slots[at]);
			continue;
		}
		if (attr == RCAP_ATTR_ID) {
			rlog_batch_set_id(batch, row, slots[at].a);
		} else if (attr < RLOG_ATTRS) {
			rlog_batch_add_attr(batch, (enum rlog_attr) attr, row, slots[at].a);
		}
		if (attr == RLOG_ATTR_PAYLOAD) {
			rlog_batch_add_attr(batch, RLOG_ATTR_PTYPE, row,
			                    slots[at].b >> 32 & 0xFFFF);
		}
	}
	return at;
}

/* True if the current phase of the capture ends at this slot. */
static bool ends_here(const struct rcap_drain *drain, struct gathering *gathering,
                      const struct rcap_slot *slot)
{
	struct rcap_switch now;

	if (!rcap_slot_is_sound(slot) || rcap_slot_is_behind_event(slot)) {
		return false;
	}
	if (rcap_slot_op(slot) == RCAP_OP_CYCLE) {
		rcap_control_now(&drain->spool->header->control, &now);
		gathering->is_cut = slot->a > now.cycle;
	} else {
		gathering->is_cut = slot->a >= gathering->until;
	}
	return gathering->is_cut;
}

/* Converts slots to rows as long as they are pushes, pops and marks of this phase. Most slots are.
 * Return: the first slot that was not taken. */
static uint32_t take_plain(struct gathering *gathering, struct rlog_batch *batch,
                           const struct rcap_slot *slots, uint32_t head)
{
	const size_t room = RCAP_DRAIN_ROWS - batch->count;
	const size_t slot_count = head - gathering->at.slot;
	const size_t taken =
		rcap_plain_take(batch, slots + gathering->at.slot,
	                        slot_count < room ? slot_count : room, gathering->until);

	gathering->at.ordinal += taken;
	return gathering->at.slot + (uint32_t) taken;
}

/* Converts the slots of one block to rows. */
static void take_slots(struct rcap_drain *drain, struct gathering *gathering,
                       const struct rcap_slot *slots, uint32_t head)
{
	struct rlog_batch *batch = &drain->batch;
	uint32_t at = gathering->at.slot;

	while (at < head && batch->count < RCAP_DRAIN_ROWS) {
		const struct rcap_slot *slot;
		uint8_t op;

		if (gathering->at.ordinal >= gathering->skip_to) {
			const uint32_t from = at;

			gathering->at.slot = at;
			at = take_plain(gathering, batch, slots, head);
			if (at > from && at < head && rcap_slot_is_behind_event(&slots[at])) {
				at = take_attrs(batch, slots, at, head);
			}
			if (at > from) {
				continue;
			}
		}
		slot = &slots[at++];
		op = rcap_slot_op(slot);
		if (__builtin_expect(slot->a >= gathering->until || op == RCAP_OP_CYCLE, 0) &&
		    ends_here(drain, gathering, slot)) {
			at--;
			break;
		}
		if (op == RCAP_OP_CYCLE && rcap_slot_is_sound(slot)) {
			continue;
		}
		if (__builtin_expect(!rcap_slot_is_sound(slot) || rcap_slot_is_behind_event(slot) ||
		                             op == 0,
		                     0)) {
			atomic_fetch_add_explicit(&gathering->stream->lost[RLOG_CAUSE_BAD_RECORD],
			                          1, memory_order_relaxed);
			continue;
		}
		gathering->at.ordinal++;
		gathering->at.remarks += rlog_batch_is_remark(op);
		if (gathering->at.ordinal <= gathering->skip_to) {
			while (at < head && rcap_slot_is_behind_event(&slots[at])) {
				at++;
			}
			continue;
		}
		gathering->remarks += rlog_batch_is_remark(op);
		rlog_batch_append(batch, slot->a, op, (uint32_t) slot->b,
		                  (uint32_t) (slot->b >> 32) & 0xFFFF, 0);
		if (at < head && rcap_slot_is_behind_event(&slots[at])) {
			at = take_attrs(batch, slots, at, head);
		}
	}
	gathering->at.slot = at;
}

/* Fills the batch with published events of one stream, at most as many as fit in a chunk. */
static void gather(struct rcap_drain *drain, struct gathering *gathering)
{
	struct rcap_spool *spool = drain->spool;

	gathering->is_empty = false;
	while (drain->batch.count < RCAP_DRAIN_ROWS) {
		struct rcap_block *block;
		uint32_t next;
		uint32_t head;

		if (!rcap_spool_has_block(spool, gathering->at.block)) {
			gathering->is_empty = true;
			return;
		}
		block = rcap_spool_block(spool, gathering->at.block);
		/* Reads `next` before `head`: if a block has a successor, its head is final
		 * (spool.h). */
		next = atomic_load_explicit(&block->next, memory_order_acquire);
		head = rcap_spool_published(block);
		take_slots(drain, gathering, block->slots, head);
		if (gathering->is_cut) {
			gathering->is_empty = true;
			return;
		}
		if (gathering->at.slot < head) {
			return;
		}
		if (next == RCAP_NO_BLOCK || !rcap_spool_has_block(spool, next)) {
			gathering->is_empty = true;
			return;
		}
		if (gathering->passed_count == MAX_PASSED) {
			return;
		}
		gathering->passed[gathering->passed_count++] = gathering->at.block;
		gathering->at.block = next;
		gathering->at.slot = 0;
	}
}

/* Counts slots that are published but not written. Stops at about as many as fill a chunk. */
static uint32_t count_pending(const struct rcap_spool *spool, struct rcap_position at)
{
	uint32_t pending = 0;

	while (pending < RCAP_DRAIN_ROWS && rcap_spool_has_block(spool, at.block)) {
		struct rcap_block *block = rcap_spool_block(spool, at.block);
		const uint32_t next = atomic_load_explicit(&block->next, memory_order_acquire);
		const uint32_t head = rcap_spool_published(block);

		pending += head > at.slot ? head - at.slot : 0;
		if (next == RCAP_NO_BLOCK) {
			break;
		}
		pending += head == 0; /* makes the loop end if a damaged spool chains empty blocks
		                       * in a circle */
		at.block = next;
		at.slot = 0;
	}
	return pending;
}

static void load_lost(uint64_t out[RLOG_CAUSES], const _Atomic uint64_t *lost)
{
	for (uint32_t cause = 0; cause < RLOG_CAUSES; cause++) {
		out[cause] = atomic_load_explicit(&lost[cause], memory_order_relaxed);
	}
}

static int put_losses(struct rcap_drain *drain, uint32_t stream, const uint64_t *lost,
                      struct rlog_error *err)
{
	struct rlog_loss rows[RLOG_CAUSES];
	size_t count = 0;

	for (uint32_t cause = 1; cause < RLOG_CAUSES; cause++) {
		if (lost[cause] > 0) {
			rows[count] = (struct rlog_loss){ .stream = stream,
				                          .cause = cause,
				                          .count = lost[cause] };
			count++;
		}
	}
	return count == 0 ? 0 : rlog_writer_put_losses(drain->writer, rows, count, err);
}

static int write_losses(struct rcap_drain *drain, const struct rcap_stream *stream,
                        struct rlog_error *err)
{
	uint64_t lost[RLOG_CAUSES];

	load_lost(lost, stream->lost);
	return put_losses(drain, stream->id, lost, err);
}

/* Frees the blocks that the batch has emptied. */
static void free_passed(struct rcap_drain *drain, const struct gathering *gathering)
{
	if (!drain->is_owner) {
		return;
	}
	for (uint32_t i = 0; i < gathering->passed_count; i++) {
		rcap_shrink_free_block(&drain->shrink, drain->spool, gathering->passed[i]);
	}
	drain->freed += gathering->passed_count;
}

/* Writes the batch, and moves the stream's position behind it. */
static int write_batch(struct rcap_drain *drain, struct gathering *gathering, bool is_last,
                       struct rlog_error *err)
{
	struct rcap_spool_header *header = drain->spool->header;
	struct rcap_stream *stream = gathering->stream;
	struct rlog_batch *batch = &drain->batch;
	uint64_t lost[RLOG_CAUSES];
	int status = rcap_drain_write_names(drain, err);

	load_lost(lost, stream->lost);
	batch->stream = stream->id;
	batch->sequence = gathering->at.ordinal - batch->count;
	batch->flags = is_last ? RLOG_FLAG_LAST : 0;
	if (status == 0 && batch->count > 0) {
		status = rlog_writer_put_events(drain->writer, batch, rcap_drain_add_causes(lost),
		                                err);
	}
	if (status != 0) {
		return status;
	}
	/* The slots become free only now, so that a recovery could still find them until here. */
	rcap_spool_commit(stream, gathering->at);
	free_passed(drain, gathering);
	atomic_fetch_add_explicit(&header->events, batch->count - gathering->remarks,
	                          memory_order_relaxed);
	atomic_store_explicit(&header->log_bytes, rlog_writer_size_bytes(drain->writer),
	                      memory_order_relaxed);
	return 0;
}

/* Removes a stream whose thread has ended and whose events are all in the log. Another thread can
 * then use its record. */
static int drop_stream(struct rcap_drain *drain, struct rcap_stream *stream, uint32_t block,
                       struct rlog_error *err)
{
	const int status = drain->is_dropping ? 0 : write_losses(drain, stream, err);

	if (status != 0) {
		return status;
	}
	rcap_drain_keep_sums(drain, stream);
	if (!drain->is_dropping) {
		rcap_spool_add_ended(drain->spool, stream);
	}
	/* Release pairs with the acquire of the thread that uses the record next. */
	atomic_store_explicit(&stream->state, RCAP_STREAM_FREE, memory_order_release);
	if (drain->is_owner && rcap_spool_has_block(drain->spool, block)) {
		rcap_shrink_free_block(&drain->shrink, drain->spool, block);
	}
	return 0;
}

/* Empties the block of a producer that waits for room, if the whole block is in the log. Resets the
 * head first: if the program dies in between, the block is empty. */
static void refill(struct rcap_drain *drain, struct rcap_stream *stream)
{
	struct rcap_position at = rcap_spool_position(stream);
	uint32_t state = RCAP_REFILL_WANTED;
	struct rcap_block *block;

	/* Acquire and release pair with the producer's release and acquire. */
	if (!drain->is_owner || !rcap_spool_has_block(drain->spool, at.block) ||
	    !atomic_compare_exchange_strong_explicit(&stream->refill, &state, RCAP_REFILL_BUSY,
	                                             memory_order_acq_rel, memory_order_relaxed)) {
		return;
	}
	block = rcap_spool_block(drain->spool, at.block);
	if (atomic_load_explicit(&block->next, memory_order_acquire) != RCAP_NO_BLOCK ||
	    rcap_spool_published(block) != at.slot) {
		atomic_store_explicit(&stream->refill, RCAP_REFILL_WANTED, memory_order_release);
		return;
	}
	atomic_store_explicit(&block->head, 0u - (uint32_t) sizeof(block->slots),
	                      memory_order_release);
	at.slot = 0;
	rcap_spool_commit(stream, at);
	atomic_store_explicit(&stream->refill, RCAP_REFILL_DONE, memory_order_release);
}

/* Fills the next batch. If the capture is switched meanwhile, later events stay in the queue. */
static void gather_batch(struct rcap_drain *drain, struct gathering *gathering)
{
	const struct rcap_stream *stream = gathering->stream;

	gathering->skip_to =
		drain->is_dropping ? 0 : rlog_writer_next_event(drain->writer, stream->id);
	do {
		rlog_batch_clear(&drain->batch);
		gathering->until = stream->clock == 0
		                           ? rcap_control_until(&drain->spool->header->control,
		                                                drain->limit, drain->is_owner)
		                           : UINT64_MAX;
		gathering->at = rcap_spool_position(stream);
		gathering->passed_count = 0;
		gathering->remarks = 0;
		gathering->is_cut = false;
		gather(drain, gathering);
	} while (stream->clock == 0 &&
	         gathering->until != rcap_control_until(&drain->spool->header->control,
	                                                drain->limit, drain->is_owner));
}

static int drain_stream(struct rcap_drain *drain, uint32_t index, bool is_ended, uint64_t *written,
                        struct rlog_error *err)
{
	struct rcap_stream *stream = rcap_spool_stream(drain->spool, index);
	struct gathering gathering = { .stream = stream };
	uint64_t rounds = 0;
	int status = 0;

	do {
		gather_batch(drain, &gathering);
		if (drain->is_dropping) {
			rcap_drain_drop(drain, stream, index, gathering.at);
			free_passed(drain, &gathering);
		} else {
			rcap_live_tell(drain->is_owner ? drain->spool : NULL, index, &drain->batch);
			status = write_batch(drain, &gathering,
			                     is_ended && gathering.is_empty && !gathering.is_cut,
			                     err);
		}
		if (status != 0) {
			return status;
		}
		if (drain->follow) {
			drain->follow(drain, index);
		}
		rcap_live_follow(drain->is_owner ? drain->spool : NULL, index, &drain->batch,
		                 drain->is_dropping || drain->batch.count == 0
		                         ? NULL
		                         : rlog_writer_borrow_outer(drain->writer));
		*written += drain->batch.count;
		if (drain->turn_piece && (status = drain->turn_piece(drain, false, err)) != 0) {
			return status;
		}
		if (drain->pause) {
			drain->pause();
		}
		/* A damaged spool may chain its blocks in a circle. */
	} while (!gathering.is_empty && ++rounds < drain->spool->header->all_blocks);
	refill(drain, stream);
	rcap_live_follow(drain->is_owner ? drain->spool : NULL, index, NULL, NULL);
	return is_ended && !gathering.is_cut ? drop_stream(drain, stream, gathering.at.block, err)
	                                     : 0;
}

static bool is_due(const struct rcap_drain *drain, const struct rcap_stream *stream, uint32_t index,
                   uint64_t now_ns)
{
	const uint32_t pending = count_pending(drain->spool, rcap_spool_position(stream));

	if (pending >= RCAP_DRAIN_ROWS ||
	    atomic_load_explicit(&stream->refill, memory_order_relaxed) == RCAP_REFILL_WANTED) {
		return true;
	}
	return pending > 0 && (rcap_spool_is_tight(drain->spool) ||
	                       now_ns - drain->written_ns[index] >= drain->flush_ns);
}

int rcap_drain_cycle(struct rcap_drain *drain, bool all, uint64_t *written, struct rlog_error *err)
{
	const uint64_t now_ns = rcap_clock_mono_ns();
	const uint32_t count =
		atomic_load_explicit(&drain->spool->header->streams, memory_order_acquire);
	int status = 0;

	*written = 0;
	drain->freed = 0;
	for (uint32_t i = 0; i < count && status == 0; i++) {
		struct rcap_stream *stream = rcap_spool_stream(drain->spool, i);
		uint32_t state;

		if (!stream) {
			break;
		}
		state = atomic_load_explicit(&stream->state, memory_order_acquire);
		if (state == RCAP_STREAM_FREE || state == RCAP_STREAM_OFF ||
		    (drain->is_dropping && stream->clock != 0)) {
			drain->written_ns[i] = now_ns;
			continue;
		}
		if (drain->written_ns[i] == 0) {
			drain->written_ns[i] = now_ns; /* a new stream: the time that its events
			                                * wait is counted from now on */
		}
		if (all || state == RCAP_STREAM_ENDED || is_due(drain, stream, i, now_ns)) {
			drain->written_ns[i] = now_ns;
			status = drain_stream(drain, i, state == RCAP_STREAM_ENDED, written, err);
		}
	}
	if (drain->is_dropping) {
		return status;
	}
	if (status == 0) {
		status = rlog_writer_checkpoint(drain->writer, err);
	}
	if (status == 0 && drain->is_owner && now_ns >= drain->next_sync_ns) {
		/* Clock points are more frequent at first, so that the log has a clock rate even if
		 * the program is killed early. */
		drain->next_sync_ns = now_ns + drain->sync_step_ns;
		drain->sync_step_ns = drain->sync_step_ns >= 500 * NS_PER_MS
		                              ? 1000 * NS_PER_MS
		                              : drain->sync_step_ns * 3;
		status = rcap_drain_sync_clock(drain, err);
	}
	return status;
}

int rcap_drain_sync_clock(struct rcap_drain *drain, struct rlog_error *err)
{
	struct rlog_clock_point point;

	rcap_clock_sync(&point);
	return rlog_writer_put_clock(drain->writer, &point, 1, err);
}

/*
 * Writes losses of threads without a stream, as losses of stream 0. In a log that was begun again,
 * stream 0 also has the losses of streams that had ended before.
 */
static int write_process_losses(struct rcap_drain *drain, struct rlog_error *err)
{
	const struct rcap_ended *before = &drain->spool->header->log_base.ended;
	uint64_t lost[RLOG_CAUSES];

	load_lost(lost, drain->spool->header->lost_process);
	for (uint32_t cause = 0; cause < RLOG_CAUSES; cause++) {
		lost[cause] += before->lost[cause];
	}
	lost[RLOG_CAUSE_WRITE_ERROR] += before->ordinal - before->remarks;
	return put_losses(drain, 0, lost, err);
}

int rcap_drain_finish(struct rcap_drain *drain, const char *status_text, struct rlog_error *err)
{
	const struct rcap_spool_header *header = drain->spool->header;
	const uint32_t count = atomic_load_explicit(&header->streams, memory_order_acquire);
	int status = drain->is_cramped ? 0 : rcap_drain_write_names(drain, err);
	struct rlog_fact facts[RCAP_DRAIN_END_FACTS];
	struct rlog_string text;

	if (status == 0 && drain->finish_pieces && rcap_kept_is_on(&header->control.kept)) {
		return drain->finish_pieces(drain, status_text, err);
	}
	for (uint32_t i = 0; i < count && status == 0; i++) {
		const struct rcap_stream *stream = rcap_spool_stream(drain->spool, i);

		if (stream && atomic_load_explicit(&stream->state, memory_order_acquire) !=
		                      RCAP_STREAM_FREE) {
			status = write_losses(drain, stream, err);
		}
	}
	if (status == 0) {
		status = write_process_losses(drain, err);
	}
	if (status == 0) {
		rcap_drain_tell_oddities(drain);
		rlog_writer_set_end_facts(drain->writer, facts,
		                          rcap_drain_end_facts(drain, facts, &text));
		status = rlog_writer_finish(drain->writer, status_text,
		                            rcap_drain_total_lost(drain->spool) +
		                                    header->log_base.ended.ordinal -
		                                    header->log_base.ended.remarks,
		                            err);
	}
	if (status == 0) {
		atomic_store_explicit(&drain->spool->header->log_bytes,
		                      rlog_writer_size_bytes(drain->writer), memory_order_relaxed);
	}
	return status;
}
