/* SPDX-License-Identifier: MIT */
/* Computes sums over all streams of a spool: events written, lost, and left. */
#include <string.h>

#include "format/batch.h"
#include "libranges/drain/drain.h"
#include "libranges/drain/slots.h"

uint64_t rcap_drain_add_causes(const uint64_t *lost)
{
	uint64_t sum = 0;

	for (uint32_t cause = 1; cause < RLOG_CAUSES; cause++) {
		if (cause != RLOG_CAUSE_INTERN_OVERFLOW) {
			sum += lost[cause];
		}
	}
	return sum;
}

void rcap_drain_sum(const struct rcap_spool *spool, struct rcap_drain_sum *out)
{
	const uint32_t count = atomic_load_explicit(&spool->header->streams, memory_order_acquire);
	const struct rcap_ended *ended = rcap_spool_ended(spool);
	uint64_t lost[RLOG_CAUSES];

	memset(out, 0, sizeof(*out));
	out->rows = ended->ordinal;
	out->remarks = ended->remarks;
	for (uint32_t cause = 0; cause < RLOG_CAUSES; cause++) {
		lost[cause] = ended->lost[cause] +
		              atomic_load_explicit(&spool->header->lost_process[cause],
		                                   memory_order_relaxed);
	}
	for (uint32_t i = 0; i < count; i++) {
		const struct rcap_stream *stream = rcap_spool_stream(spool, i);

		if (stream && rcap_spool_is_counted_alone(spool, stream)) {
			const struct rcap_position at = rcap_spool_position(stream);

			out->rows += at.ordinal;
			out->remarks += at.remarks;
			for (uint32_t cause = 0; cause < RLOG_CAUSES; cause++) {
				lost[cause] += atomic_load_explicit(&stream->lost[cause],
				                                    memory_order_relaxed);
			}
		}
	}
	out->lost = rcap_drain_add_causes(lost);
	out->nameless = lost[RLOG_CAUSE_INTERN_OVERFLOW];
	out->bad_records = lost[RLOG_CAUSE_BAD_RECORD];
	out->full = lost[RLOG_CAUSE_RING_FULL] + lost[RLOG_CAUSE_NO_SLOT];
}

uint64_t rcap_drain_total_lost(const struct rcap_spool *spool)
{
	struct rcap_drain_sum sum;

	rcap_drain_sum(spool, &sum);
	return sum.lost;
}

/* Counts the program's events in slots `from` to `to`. */
static uint64_t count_events(const struct rcap_slot *slots, uint32_t from, uint32_t to)
{
	uint64_t count = 0;

	for (uint32_t i = from; i < to; i++) {
		const uint8_t op = rcap_slot_op(&slots[i]);

		count += rcap_slot_is_sound(&slots[i]) && !rcap_slot_is_behind_event(&slots[i]) &&
		         op != 0 && !rlog_batch_is_remark(op);
	}
	return count;
}

/* Counts the program's events that a stream still holds. */
static uint64_t count_left(const struct rcap_spool *spool, const struct rcap_stream *stream)
{
	struct rcap_position at = rcap_spool_position(stream);
	uint64_t count = 0;
	uint32_t blocks = 0; /* limits the loop: a damaged spool may chain blocks in a circle */

	while (rcap_spool_has_block(spool, at.block) && blocks++ < spool->header->all_blocks) {
		struct rcap_block *block = rcap_spool_block(spool, at.block);
		const uint32_t next = atomic_load_explicit(&block->next, memory_order_acquire);

		count += count_events(block->slots, at.slot, rcap_spool_published(block));
		at.block = next;
		at.slot = 0;
	}
	return count;
}

uint64_t rcap_drain_count_left(const struct rcap_spool *spool)
{
	const uint32_t streams =
		atomic_load_explicit(&spool->header->streams, memory_order_acquire);
	uint64_t count = 0;

	for (uint32_t i = 0; i < streams; i++) {
		const struct rcap_stream *stream = rcap_spool_stream(spool, i);

		if (stream && rcap_spool_is_counted_alone(spool, stream)) {
			count += count_left(spool, stream);
		}
	}
	return count;
}

void rcap_drain_drop(struct rcap_drain *drain, struct rcap_stream *stream, uint32_t index,
                     struct rcap_position at)
{
	uint64_t count = 0;

	(void) index;
	for (size_t i = 0; i < drain->batch.count; i++) {
		count += !rlog_batch_is_remark(drain->batch.op[i]);
	}
	at.ordinal = 0;
	at.remarks = 0;
	/* The count is stored before the position. If the program dies in between, these events are
	 * counted again. That does not make the log wrong. */
	atomic_fetch_add_explicit(&drain->spool->header->control.outside, count,
	                          memory_order_relaxed);
	rcap_spool_commit(stream, at);
}

void rcap_drain_keep_sums(struct rcap_drain *drain, struct rcap_stream *stream)
{
	struct rcap_control *control = &drain->spool->header->control;

	atomic_fetch_add_explicit(
		&control->outside,
		atomic_exchange_explicit(&stream->outside, 0, memory_order_relaxed),
		memory_order_relaxed);
	if (drain->is_dropping) {
		for (uint32_t i = 1; i < RLOG_CAUSES; i++) {
			atomic_fetch_add_explicit(
				&drain->spool->header->lost_process[i],
				atomic_exchange_explicit(&stream->lost[i], 0, memory_order_relaxed),
				memory_order_relaxed);
		}
	}
}

uint64_t rcap_drain_outside(const struct rcap_spool *spool)
{
	const struct rcap_spool_header *header = spool->header;
	const uint32_t count = atomic_load_explicit(&header->streams, memory_order_acquire);
	uint64_t sum = atomic_load_explicit(&header->control.outside, memory_order_relaxed);

	for (uint32_t i = 0; i < count; i++) {
		const struct rcap_stream *stream = rcap_spool_stream(spool, i);

		if (stream && atomic_load_explicit(&stream->state, memory_order_acquire) !=
		                      RCAP_STREAM_FREE) {
			sum += atomic_load_explicit(&stream->outside, memory_order_relaxed);
		}
	}
	return sum;
}

void rcap_drain_tell_oddities(struct rcap_drain *drain)
{
	uint64_t counts[RLOG_ODDITIES];

	for (uint32_t i = 0; i < RLOG_ODDITIES; i++) {
		counts[i] = atomic_load_explicit(&drain->spool->header->oddities[i],
		                                 memory_order_relaxed);
	}
	rlog_writer_set_oddities(drain->writer, counts);
}

void rcap_drain_give_up(struct rcap_drain *drain, struct rcap_spool *spool)
{
	const uint32_t streams =
		atomic_load_explicit(&spool->header->streams, memory_order_acquire);

	for (uint32_t i = 0; i < streams; i++) {
		struct rcap_stream *stream = rcap_spool_stream(spool, i);
		struct rcap_position at;

		if (stream && rcap_spool_is_counted_alone(spool, stream)) {
			at = rcap_spool_position(stream);
			atomic_fetch_add_explicit(&stream->lost[RLOG_CAUSE_WRITE_ERROR],
			                          count_left(spool, stream), memory_order_relaxed);
			at.block = RCAP_NO_BLOCK;
			rcap_spool_commit(stream, at);
		}
	}
	if (drain && drain->writer) {
		drain->is_cramped = true;
		rlog_writer_spend_reserve(drain->writer);
	}
}
