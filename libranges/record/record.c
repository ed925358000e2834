/* SPDX-License-Identifier: MIT */
/* Writes events that take several slots. */
#include "libranges/record/record.h"

#include <string.h>

#include "format/batch.h"
#include "format/wire.h"
#include "libranges/base/clock.h"
#include "libranges/abi/nvtx-abi.h"

/* Number of slots of an event without its data: for the event, id, category, colour, payload. */
#define FIXED_SLOTS 5
/* An event with data begins only in a block that has room for at least this many slots. */
#define LEAST_SLOTS 8

_Static_assert(LEAST_SLOTS + RCAP_COUNTS_MAX <= RCAP_THREAD_MOST_SLOTS, "there is room for all");

/* The part of an event's data that is still to be written. */
struct rest {
	const uint8_t *bytes;
	size_t count;
};

/* Fills a data slot. Copies RCAP_DATA_BYTES bytes, and notes that the first `count` are valid. */
static inline void put_piece(struct rcap_slot *slot, const uint8_t *bytes, uint32_t count)
{
	uint32_t tail;

	memcpy(&slot->a, bytes, sizeof(slot->a));
	memcpy(&tail, bytes + sizeof(slot->a), sizeof(tail));
	slot->b = rcap_slot_word(slot, tail, count, RCAP_OP_DATA);
}

/* Fills slots up to `end` with data. Return: the slot after them. */
static struct rcap_slot *put_data(struct rcap_slot *slot, const struct rcap_slot *end,
                                  struct rest *rest)
{
	uint8_t bytes[RCAP_DATA_BYTES] = { 0 };

	/* Full slots have a loop of their own, because the compiler then knows their length. */
	for (; slot < end && rest->count >= RCAP_DATA_BYTES; slot++) {
		put_piece(slot, rest->bytes, RCAP_DATA_BYTES);
		rest->bytes += RCAP_DATA_BYTES;
		rest->count -= RCAP_DATA_BYTES;
	}
	if (slot < end && rest->count > 0) {
		memcpy(bytes, rest->bytes, rest->count);
		put_piece(slot++, bytes, (uint32_t) rest->count);
		rest->count = 0;
	}
	return slot;
}

static struct rcap_slot *put_attrs(struct rcap_slot *slot, const struct rcap_event *event)
{
	if (event->id != 0) {
		slot = rcap_record_attr(slot, RCAP_ATTR_ID, 0, event->id);
	}
	if (event->category != 0) {
		slot = rcap_record_attr(slot, RLOG_ATTR_CATEGORY, 0, event->category);
	}
	if (event->color != 0) {
		slot = rcap_record_attr(slot, RLOG_ATTR_COLOR, 0, event->color);
	}
	if (event->payload_type != 0) {
		slot = rcap_record_attr(slot, RLOG_ATTR_PAYLOAD, event->payload_type,
		                        event->payload);
	}
	return slot;
}

/* Returns the number of counts in an event. Only events that open or close a range of the thread
 * have counts. */
static uint32_t count_counts(const struct rcap_thread *thread, uint32_t op)
{
	return op == RLOG_OP_PUSH || op == RLOG_OP_POP ? thread->counters.count : 0;
}

/* Fills the slots of the counts. */
static void put_counts(const struct rcap_thread *thread, struct rcap_slot *slot, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		slot = rcap_record_attr(slot, RLOG_ATTR_COUNT1 + i, 0,
		                        rcap_count_read(&thread->counters.sources[i]));
	}
}

static const struct rcap_slot *block_end(const struct rcap_thread *thread)
{
	return (const struct rcap_slot *) (const void *) thread->end;
}

/* Writes the data that did not fit in the event's block to further blocks, as rows of op more. */
static void put_rest(struct rcap_thread *thread, struct rest *rest, uint64_t ticks)
{
	while (rest->count > 0) {
		struct rcap_slot *first = rcap_thread_reserve(thread, LEAST_SLOTS);
		struct rcap_slot *slot;

		if (!first) {
			rcap_thread_lose(thread, ticks);
			return;
		}
		first->a = ticks;
		first->b = rcap_slot_word(first, 0, 0, RLOG_OP_MORE);
		slot = put_data(first + 1, block_end(thread), rest);
		rcap_thread_publish(thread, slot);
	}
}

/*
 * Writes the event, and as much of its data as fits in the block. @ticks: time of the event; if it
 * is 0, the clock is read, and *ticks gets the time. @rest: gets the data that did not fit; empty
 * if the event was lost.
 */
static bool write_head(struct rcap_thread *thread, const struct rcap_event *event, uint64_t *ticks,
                       struct rest *rest)
{
	const uint32_t counts = count_counts(thread, event->op);
	struct rcap_slot *first = rcap_thread_reserve(
		thread, (event->data_bytes > 0 ? LEAST_SLOTS : FIXED_SLOTS) + (ptrdiff_t) counts);
	const bool is_closing = *ticks != 0;
	struct rcap_slot *slot;

	*rest = (struct rest){ event->data, event->data_bytes };
	if (!first) {
		rest->count = 0;
		rcap_thread_lose(thread, *ticks != 0 ? *ticks : rcap_clock_now());
		return false;
	}
	/* Reads the counts next to the clock, so that our own work is outside of the range. */
	if (is_closing) {
		put_counts(thread, first + 1, counts);
	}
	slot = put_attrs(first + 1 + counts, event);
	slot = put_data(slot, block_end(thread), rest);
	if (!is_closing) {
		put_counts(thread, first + 1, counts);
		*ticks = rcap_clock_now();
	}
	first->a = *ticks;
	first->b = rcap_slot_word(first, event->name, event->domain, event->op);
	rcap_thread_publish(thread, slot);
	return true;
}

static bool write_event(struct rcap_thread *thread, const struct rcap_event *event, uint64_t ticks)
{
	struct rest rest;
	const bool is_recorded = write_head(thread, event, &ticks, &rest);

	put_rest(thread, &rest, ticks);
	return is_recorded;
}

bool rcap_record_event(struct rcap_thread *thread, const struct rcap_event *event)
{
	return write_event(thread, event, 0);
}

bool rcap_record_closing(struct rcap_thread *thread, const struct rcap_event *event)
{
	return write_event(thread, event, rcap_clock_now());
}

bool rcap_record_at(struct rcap_thread *thread, const struct rcap_event *event, uint64_t ticks)
{
	return write_event(thread, event, ticks);
}

/* Changes the depth before the rest is written, because memory may be exhausted there, and a loss
 * may begin. */
int rcap_record_push(struct rcap_thread *thread, struct rcap_event *event)
{
	uint64_t ticks = 0;
	struct rest rest;
	int depth;

	event->op = RLOG_OP_PUSH;
	write_head(thread, event, &ticks, &rest);
	depth = (int) (rcap_thread_depth(thread, event->domain)->now++);
	put_rest(thread, &rest, ticks);
	return depth;
}

int rcap_record_pop(struct rcap_thread *thread, struct rcap_event *event, uint64_t ticks)
{
	struct rcap_depth *depth = rcap_thread_depth(thread, event->domain);
	bool is_recorded;
	struct rest rest;
	int now = RCAP_NVTX_NO_TRACKING;

	event->op = RLOG_OP_POP;
	is_recorded = write_head(thread, event, &ticks, &rest);
	if (depth->now > 0) {
		now = (int) --depth->now;
		if (!is_recorded && depth->now < depth->min) {
			depth->min = depth->now;
		}
	}
	put_rest(thread, &rest, ticks);
	return now;
}

/* The upper half of the id is the stream's number, so no two threads share a counter. */
uint64_t rcap_record_start(struct rcap_thread *thread, struct rcap_event *event)
{
	event->op = RLOG_OP_START;
	event->id = (uint64_t) thread->stream->id << 32 | ++thread->ranges;
	write_event(thread, event, 0);
	return event->id;
}

bool rcap_record_timed(struct rcap_thread *thread, const struct rcap_timed *event)
{
	struct rcap_slot *first = rcap_thread_reserve(thread, 3 + (ptrdiff_t) event->count);
	struct rcap_slot *slot;

	if (!first) {
		rcap_thread_lose(thread, event->ticks);
		return false;
	}
	first->a = event->ticks;
	first->b = rcap_slot_word(first, event->name, 0, event->op);
	slot = first + 1;
	if (event->id != 0) {
		slot = rcap_record_attr(slot, RCAP_ATTR_ID, 0, event->id);
	}
	if (event->payload_type != 0) {
		slot = rcap_record_attr(slot, RLOG_ATTR_PAYLOAD, event->payload_type,
		                        event->payload);
	}
	for (uint32_t i = 0; i < event->count; i++) {
		slot = rcap_record_attr(slot, event->attrs[i].attr, 0, event->attrs[i].value);
	}
	rcap_thread_publish(thread, slot);
	return true;
}
