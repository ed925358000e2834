/* SPDX-License-Identifier: MIT */
/* Writes events with more than a name and a domain: attributes, an id, data of any length. */
#ifndef RCAP_RECORD_H
#define RCAP_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "libranges/record/thread.h"

/* An event as in doc/format.md section 6; 0 means none. */
struct rcap_event {
	uint32_t op; /* enum rlog_op */
	uint32_t domain;
	uint32_t name;
	uint32_t category;
	uint32_t color;
	uint32_t payload_type;
	uint64_t payload;
	uint64_t id;
	const void *data; /* a detail; borrowed for the call */
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
 * Writes an event with all its attributes and data. The clock is read last, so that the copying of
 * data stays outside of a range that opens. Data that do not fit into the block continue in rows of
 * op more. If there is no memory for these, the rest is counted as lost.
 *
 * Return: false if the event was lost (and counted).
 * Context: between rcap_thread_enter() and rcap_thread_leave(); no lock, no allocation.
 */
bool rcap_record_event(struct rcap_thread *thread, const struct rcap_event *event);

/* As above for a closing event: the clock is read first. */
bool rcap_record_closing(struct rcap_thread *thread, const struct rcap_event *event);

/* As above, but the caller has read the clock, before it gathered the event's data. */
bool rcap_record_at(struct rcap_thread *thread, const struct rcap_event *event, uint64_t ticks);

/*
 * These record events that open and close ranges, and keep the thread's depth in the event's
 * domain.
 *
 * @ticks: when the range closed. `op` and, for start, `id` of the event are filled in.
 * Return: depth of the range, 0-based; RCAP_NVTX_NO_TRACKING for a pop without a push; for start
 * the id of the range. Context: as above.
 */
int rcap_record_push(struct rcap_thread *thread, struct rcap_event *event);
int rcap_record_pop(struct rcap_thread *thread, struct rcap_event *event, uint64_t ticks);
uint64_t rcap_record_start(struct rcap_thread *thread, struct rcap_event *event);

/* Most attributes of one timed event. */
#define RCAP_TIMED_ATTRS 14

/* An event whose time is known, with attributes in any order; those of value 0 are skipped. */
struct rcap_timed {
	uint64_t ticks; /* by the stream's clock */
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

/* Adds an attribute unless it is 0. */
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
