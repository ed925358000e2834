/* SPDX-License-Identifier: MIT */
/* Writes events with more than a name and a domain: attributes, an id, data of any length. */
#ifndef RCAP_RECORD_H
#define RCAP_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "libranges/record/thread.h"

/* An event as in doc/format.md section 6. A member that is 0 is not set. */
struct rcap_event {
	uint32_t op; /* enum rlog_op */
	uint32_t domain;
	uint32_t name;
	uint32_t category;
	uint32_t color;
	uint32_t payload_type;
	uint64_t payload;
	uint64_t id;
	const void *data; /* bytes of a detail; borrowed during the call */
	size_t data_bytes;
};

/* Fills an attribute slot of an event. Return: the slot after it. */
static inline struct rcap_slot *rcap_record_attr(struct rcap_slot *slot, uint32_t attr,
                                                 uint32_t type, uint64_t value)
{
	slot->a = value;
	slot->b = rcap_slot_word(slot, attr, type, RCAP_OP_ATTR);
	return slot + 1;
}

/*
 * Writes an event with all its attributes and data. Reads the clock last, so that the copying of
 * data is outside of a range that opens. Data that do not fit in the block continue in rows of op
 * more. If there is no memory for these rows, the rest of the data is counted as lost.
 *
 * Return: false if the event was lost (and counted).
 * Context: between rcap_thread_enter() and rcap_thread_leave(); no lock, no allocation.
 */
bool rcap_record_event(struct rcap_thread *thread, const struct rcap_event *event);

/* Does the same for an event that closes a range. Reads the clock first. */
bool rcap_record_closing(struct rcap_thread *thread, const struct rcap_event *event);

/* Does the same for an event whose time the caller has read, before it gathered the event's
 * data. */
bool rcap_record_at(struct rcap_thread *thread, const struct rcap_event *event, uint64_t ticks);

/*
 * Record events that open and close ranges. Count the thread's depth in the event's domain.
 *
 * @event: `op` and, for start, `id` are filled in here. @ticks: when the range closed.
 * Return: push and pop return the depth of the range, counted from 0, or RCAP_NVTX_NO_TRACKING for
 * a pop without a push; start returns the id of the range.
 * Context: as rcap_record_event().
 */
int rcap_record_push(struct rcap_thread *thread, struct rcap_event *event);
int rcap_record_pop(struct rcap_thread *thread, struct rcap_event *event, uint64_t ticks);
uint64_t rcap_record_start(struct rcap_thread *thread, struct rcap_event *event);

/* A timed event has at most this many attributes. */
#define RCAP_TIMED_ATTRS 14

/* An event whose time is known. Its attributes may be in any order. Attributes of value 0 are left
 * out. */
struct rcap_timed {
	uint64_t ticks; /* ticks of the stream's clock */
	uint32_t op;
	uint32_t name;
	uint64_t id;
	uint64_t payload;
	uint32_t payload_type; /* enum rlog_payload_type; 0: none */
	uint32_t count;
	struct {
		uint32_t attr; /* enum rlog_attr */
		uint64_t value;
	} attrs[RCAP_TIMED_ATTRS];
};

/* Adds an attribute, unless its value is 0. */
static inline void rcap_record_add(struct rcap_timed *event, uint32_t attr, uint64_t value)
{
	if (value != 0 && event->count < RCAP_TIMED_ATTRS) {
		event->attrs[event->count].attr = attr;
		event->attrs[event->count++].value = value;
	}
}

/*
 * Writes the event to a stream from rcap_thread_make().
 *
 * Return: false if the event was lost (and counted). Context: one thread at a time; no allocation.
 */
bool rcap_record_timed(struct rcap_thread *thread, const struct rcap_timed *event);

#endif
