/* SPDX-License-Identifier: MIT */
/* A trace in JSON being drawn again: its state, and its events. */
#ifndef RA_KINETO_WRITE_H
#define RA_KINETO_WRITE_H

#include "analyzer/model/model.h"
#include "analyzer/names/labels.h"
#include "analyzer/timeline/kineto/kineto-draw.h"
#include "analyzer/timeline/pens/pen.h"

struct ra_kineto_write {
	const struct ra_model *model;
	const struct ra_kineto *kineto;
	struct ra_pen *pen;
	struct ra_kineto_draw draw; /* owned */
	struct ra_labels labels;    /* owned */
	bool has_labels;
	bool has_first;   /* something is drawn */
	bool is_moving;   /* the event is written where it was moved to */
	size_t next_move; /* index of draw.moves */
	int64_t shift_ns; /* taken from each time; whole µs */
};

/* Begins what is added: an event at a time of the trace. */
struct ra_pen_copy ra_kineto_write_make_added(const struct ra_kineto_write *write, char phase,
                                              int64_t ns, bool has_point);

/* Where an event is drawn: numbers of rows that are not the trace's are written here. */
struct ra_kineto_write_place {
	char pid[16];
	char tid[16];
};

/* Sets pid and tid of an event, as it is drawn. */
void ra_kineto_write_set_place(const struct ra_kineto_write *write, uint32_t event,
                               struct ra_pen_copy *copy, struct ra_kineto_write_place *place);

void ra_kineto_write_event(struct ra_kineto_write *write, uint32_t event);

/* Halves of arrows that are written before this event instead of where they were. */
void ra_kineto_write_moved(struct ra_kineto_write *write, size_t before);

/* Names of rows and processes that have none, or other numbers now. */
void ra_kineto_added_names(struct ra_kineto_write *write);
/* From calls to what they launched, an s at the call, an f at each operation. */
void ra_kineto_added_arrows(struct ra_kineto_write *write);
/* Counters of GPUs, and memory. */
void ra_kineto_added_counters(struct ra_kineto_write *write);

#endif
