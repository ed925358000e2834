/* SPDX-License-Identifier: MIT */
/* Restores the original rows of a trace in JSON whose rows our own output redrew
 * (timeline/kineto/kineto-export.h). */
#ifndef RA_KINETO_TIMELINE_H
#define RA_KINETO_TIMELINE_H

#include "analyzer/rows/kineto-store.h"

/*
 * This top-level key comes before the events. Its value is an object. "shift_us" was subtracted
 * from all times but those of M. "adds_base" is there if the original had no baseTimeNanoseconds.
 * "rows" is a flat list: for each row its pid and tid, then pid and tid in the original trace, as
 * JSON texts; an empty text stands for none. "arrows" and "marks" are such lists for flow events
 * and for instants.
 */
#define RA_KINETO_TIMELINE_KEY "libranges_timeline"

struct ra_kineto_timeline_row {
	uint32_t pid; /* string id of the JSON text; the same for tid */
	uint32_t tid;
};

struct ra_kineto_timeline {
	bool is_there;
	bool adds_base;
	bool is_added;             /* the current event was added by us */
	uint8_t was;               /* original phase of the current event; 0: it was not changed */
	int64_t shift_ns;          /* not negative, whole µs */
	struct ra_util_map arrows; /* as `rows`, for flow events and for instants */
	struct ra_util_map marks;
	struct ra_util_map rows;                 /* pid << 32 | tid → index of was_rows */
	struct ra_kineto_timeline_row *was_rows; /* owned: original pid and tid */
	size_t row_count, row_capacity;
};

void ra_kineto_timeline_fini(struct ra_kineto_timeline *timeline);

/* Reads the rows to restore. @json: the value of RA_KINETO_TIMELINE_KEY. */
void ra_kineto_timeline_read(struct ra_kineto_timeline *timeline, struct ra_kineto_store *store,
                             struct rlog_string json);

/* Handles a field of an event. Return: true if our output added the field. */
bool ra_kineto_timeline_take_field(struct ra_kineto_timeline *timeline, struct rlog_string key,
                                   const char *text, size_t length);

/* Gives an event's row its original pid and tid. Return: false if our output added the event. */
bool ra_kineto_timeline_undo(struct ra_kineto_timeline *timeline, struct ra_kineto_row *row);

/* Finds the original baseTimeNanoseconds of a trace with a shift. Return: the length of the text;
 * 0: there was none. @base: has room for RA_KINETO_TIMELINE_BASE_BYTES. */
#define RA_KINETO_TIMELINE_BASE_BYTES 24
size_t ra_kineto_timeline_find_base(const struct ra_kineto_timeline *timeline, const char *text,
                                    size_t length, char *base);

#endif
