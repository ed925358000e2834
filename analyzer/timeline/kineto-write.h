/* SPDX-License-Identifier: MIT */
/* A trace in JSON being written again: its state, and its events. */
#ifndef RA_KINETO_WRITE_H
#define RA_KINETO_WRITE_H

#include "analyzer/io/outbuf.h"
#include "analyzer/model/model.h"
#include "analyzer/names/labels.h"
#include "analyzer/timeline/kineto-draw.h"

struct ra_kineto_write {
	const struct ra_model *model;
	const struct ra_kineto *kineto;
	struct ra_outbuf *out;
	struct ra_kineto_draw draw; /* owned */
	struct ra_labels labels;    /* owned */
	bool has_labels;
	bool has_first;   /* an event is there */
	bool is_moving;   /* the event is written where it was moved to */
	size_t next_move; /* index of draw.moves */
	int64_t shift_ns; /* taken from each time; whole µs */
};

void ra_kineto_write_string(struct ra_outbuf *out, struct rlog_string text);
void ra_kineto_write_text(struct ra_outbuf *out, struct rlog_string text);

/* A time of the trace, as µs; with a point if the trace has one there. */
void ra_kineto_write_time(const struct ra_kineto_write *write, int64_t ns, bool has_point);

/* What stands before the fields of an event. */
void ra_kineto_write_begin(struct ra_kineto_write *write);

/* pid, tid and ts of an event, as it is drawn. */
void ra_kineto_write_place(struct ra_kineto_write *write, uint32_t event);

void ra_kineto_write_event(struct ra_kineto_write *write, uint32_t event);

/*
 * What is added to a trace: each event has "added", so that it is not taken for one of the trace
 * when that is read again.
 */
#define RA_KINETO_WRITE_ADDED "\"added\":1,"

/* Halves of arrows that are written before this event instead of where they were. */
void ra_kineto_write_moved(struct ra_kineto_write *write, size_t before);

/* Names of rows and processes that have none, or other numbers now. */
void ra_kineto_added_names(struct ra_kineto_write *write);
/* From calls to what they launched, an s at the call, an f at each operation. */
void ra_kineto_added_arrows(struct ra_kineto_write *write);
/* Counters of GPUs, and memory. */
void ra_kineto_added_counters(struct ra_kineto_write *write);

#endif
