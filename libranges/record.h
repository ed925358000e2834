/* SPDX-License-Identifier: MIT */
/* Writing an event that has more to it than name and domain: attributes, an id, data of any length.
 */
#ifndef RCAP_RECORD_H
#define RCAP_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "libranges/thread.h"

/* An event as doc/format.md section 6 has it; 0 is none. */
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

/*
 * Writes an event with all it has. The clock is read when everything else is in place, so that the
 * copying of data stays outside of a range that opens. Data that do not fit into the rest of the
 * block go on in rows of op more; of an event that was cut short by the end of memory the rest is
 * counted as lost.
 *
 * Return: false if the event was lost (and counted).
 * Context: between rcap_thread_enter() and rcap_thread_leave(); no lock, no allocation.
 */
bool rcap_record_event(struct rcap_thread *thread, const struct rcap_event *event);

/* The same for a closing event: the clock is read first. */
bool rcap_record_closing(struct rcap_thread *thread, const struct rcap_event *event);

#endif
