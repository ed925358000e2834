/* SPDX-License-Identifier: MIT */
/* Events of several slots. */
#include "libranges/record.h"

#include <string.h>

#include "format/batch.h"
#include "format/wire.h"
#include "libranges/clock.h"

/* Slots an event takes besides its data: itself, id, category, colour, payload. */
#define FIXED_SLOTS 5
/* A piece of data is begun only where some of it fits; what rcap_thread_reserve() grants. */
#define LEAST_SLOTS 8

static struct rcap_slot *put_attr(struct rcap_slot *slot, uint32_t attr, uint32_t type,
                                  uint64_t value)
{
	slot->a = value;
	slot->b = rcap_slot_word(slot, attr, type, RCAP_OP_ATTR);
	return slot + 1;
}

/* What is left of an event's data. */
struct rest {
	const uint8_t *bytes;
	size_t count;
};

/* Fills slots up to `end` with data. Return: the slot behind them. */
static struct rcap_slot *put_data(struct rcap_slot *slot, const struct rcap_slot *end,
                                  struct rest *rest)
{
	while (slot < end && rest->count > 0) {
		const size_t count = rest->count < RCAP_DATA_BYTES ? rest->count : RCAP_DATA_BYTES;
		uint8_t bytes[RCAP_DATA_BYTES] = { 0 };
		uint32_t tail;

		memcpy(bytes, rest->bytes, count);
		memcpy(&slot->a, bytes, sizeof(slot->a));
		memcpy(&tail, bytes + sizeof(slot->a), sizeof(tail));
		slot->b = rcap_slot_word(slot, tail, (uint32_t) count, RCAP_OP_DATA);
		slot++;
		rest->bytes += count;
		rest->count -= count;
	}
	return slot;
}

static struct rcap_slot *put_attrs(struct rcap_slot *slot, const struct rcap_event *event)
{
	if (event->id != 0) {
		slot = put_attr(slot, RCAP_ATTR_ID, 0, event->id);
	}
	if (event->category != 0) {
		slot = put_attr(slot, RLOG_ATTR_CATEGORY, 0, event->category);
	}
	if (event->color != 0) {
		slot = put_attr(slot, RLOG_ATTR_COLOR, 0, event->color);
	}
	if (event->payload_type != 0) {
		slot = put_attr(slot, RLOG_ATTR_PAYLOAD, event->payload_type, event->payload);
	}
	return slot;
}

static const struct rcap_slot *block_end(const struct rcap_thread *thread)
{
	return (const struct rcap_slot *) (const void *) thread->end;
}

/* The data that found no room behind their event, in blocks of their own. */
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

static bool write_event(struct rcap_thread *thread, const struct rcap_event *event, uint64_t ticks)
{
	struct rest rest = { event->data, event->data_bytes };
	struct rcap_slot *first =
		rcap_thread_reserve(thread, rest.count > 0 ? LEAST_SLOTS : FIXED_SLOTS);
	struct rcap_slot *slot;

	if (!first) {
		rcap_thread_lose(thread, ticks != 0 ? ticks : rcap_clock_now());
		return false;
	}
	slot = put_attrs(first + 1, event);
	slot = put_data(slot, block_end(thread), &rest);
	if (ticks == 0) {
		ticks = rcap_clock_now();
	}
	first->a = ticks;
	first->b = rcap_slot_word(first, event->name, event->domain, event->op);
	rcap_thread_publish(thread, slot);
	put_rest(thread, &rest, ticks);
	return true;
}

bool rcap_record_event(struct rcap_thread *thread, const struct rcap_event *event)
{
	return write_event(thread, event, 0);
}

bool rcap_record_closing(struct rcap_thread *thread, const struct rcap_event *event)
{
	return write_event(thread, event, rcap_clock_now());
}

bool rcap_record_timed(struct rcap_thread *thread, const struct rcap_timed *event)
{
	struct rcap_slot *first = rcap_thread_reserve(thread, 2 + (ptrdiff_t) event->count);
	struct rcap_slot *slot;

	if (!first) {
		rcap_thread_lose(thread, event->ticks);
		return false;
	}
	first->a = event->ticks;
	first->b = rcap_slot_word(first, event->name, 0, event->op);
	slot = first + 1;
	if (event->id != 0) {
		slot = put_attr(slot, RCAP_ATTR_ID, 0, event->id);
	}
	for (uint32_t i = 0; i < event->count; i++) {
		slot = put_attr(slot, event->attrs[i].attr, 0, event->attrs[i].value);
	}
	rcap_thread_publish(thread, slot);
	return true;
}
