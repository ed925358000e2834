/* SPDX-License-Identifier: MIT */
/* A trace in JSON that was drawn (timeline/kineto/kineto-export.h) becomes again what it was. */
#ifndef RA_KINETO_TIMELINE_H
#define RA_KINETO_TIMELINE_H

#include "analyzer/rows/kineto-store.h"

/*
 * This key of the top level stands before the events. Its value has "shift_us", which was taken
 * from all times but those of M, "adds_base" if baseTimeNanoseconds was not there, and "rows": pid
 * and tid of a row, pid and tid of the trace, as texts of JSON, empty for none, one behind the
 * other.
 * "arrows" and "marks" are the same for halves of arrows and for instants.
 */
#define RA_KINETO_TIMELINE_KEY "libranges_timeline"

struct ra_kineto_timeline_row {
	uint32_t pid; /* string ids of JSON text */
	uint32_t tid;
};

struct ra_kineto_timeline {
	bool is_there;
	bool adds_base;
	bool is_added;             /* the event at hand was */
	uint8_t was;               /* the phase that it had, 0: the one that it has */
	int64_t shift_ns;          /* not negative, whole µs */
	struct ra_util_map arrows; /* as rows */
	struct ra_util_map marks;
	struct ra_util_map rows;                 /* pid << 32 | tid → index of was_rows */
	struct ra_kineto_timeline_row *was_rows; /* owned */
	size_t row_count, row_capacity;
};

void ra_kineto_timeline_fini(struct ra_kineto_timeline *timeline);

/* @json: the value of the key. */
void ra_kineto_timeline_read(struct ra_kineto_timeline *timeline, struct ra_kineto_store *store,
                             struct rlog_string json);

/* A field of an event. Return: true if it is one of ours, which the trace did not have. */
bool ra_kineto_timeline_take_field(struct ra_kineto_timeline *timeline, struct rlog_string key,
                                   const char *text, size_t length);

/* Makes a row what it was. Return: false if it was not there. */
bool ra_kineto_timeline_undo(struct ra_kineto_timeline *timeline, struct ra_kineto_row *row);

/* What baseTimeNanoseconds was, of a timeline with a shift. Return: the length of the text; 0: it
 * was not there. @base: room for RA_KINETO_TIMELINE_BASE_BYTES. */
#define RA_KINETO_TIMELINE_BASE_BYTES 24
size_t ra_kineto_timeline_find_base(const struct ra_kineto_timeline *timeline, const char *text,
                                    size_t length, char *base);

#endif
