/* SPDX-License-Identifier: MIT */
/* Restores the original rows of a trace in JSON that we redrew
 * (timeline/kineto/kineto-export.h). */
#ifndef RA_KINETO_TIMELINE_H
#define RA_KINETO_TIMELINE_H

#include "analyzer/rows/kineto-store.h"

/*
 * This top-level key comes before the events. Its value has "shift_us", which was subtracted from
 * all times but those of M, and "adds_base" if there was no baseTimeNanoseconds. Its "rows" are a
 * flat list: pid and tid of a row, then pid and tid in the original trace, as JSON texts, empty for
 * none. "arrows" and "marks" are such lists for flow events and for instants.
 */
#define RA_KINETO_TIMELINE_KEY "libranges_timeline"

struct ra_kineto_timeline_row {
	uint32_t pid; /* string ids of JSON text */
	uint32_t tid;
};

struct ra_kineto_timeline {
	bool is_there;
	bool adds_base;
	bool is_added;             /* the current event was added by us */
	uint8_t was;               /* its original phase; 0: it still has it */
	int64_t shift_ns;          /* not negative, whole µs */
	struct ra_util_map arrows; /* as rows */
	struct ra_util_map marks;
	struct ra_util_map rows;                 /* pid << 32 | tid → index of was_rows */
	struct ra_kineto_timeline_row *was_rows; /* owned: original pid and tid */
	size_t row_count, row_capacity;
};

void ra_kineto_timeline_fini(struct ra_kineto_timeline *timeline);

/* @json: the value of that key. */
void ra_kineto_timeline_read(struct ra_kineto_timeline *timeline, struct ra_kineto_store *store,
                             struct rlog_string json);

/* Handles a field of an event. Return: true if it is a field of ours that the original lacks. */
bool ra_kineto_timeline_take_field(struct ra_kineto_timeline *timeline, struct rlog_string key,
                                   const char *text, size_t length);

/* Restores a row. Return: false if the original did not have it. */
bool ra_kineto_timeline_undo(struct ra_kineto_timeline *timeline, struct ra_kineto_row *row);

/* Finds the original baseTimeNanoseconds of a trace with a shift. Return: the length of the text;
 * 0: there was none. @base: room for RA_KINETO_TIMELINE_BASE_BYTES. */
#define RA_KINETO_TIMELINE_BASE_BYTES 24
size_t ra_kineto_timeline_find_base(const struct ra_kineto_timeline *timeline, const char *text,
                                    size_t length, char *base);

#endif
