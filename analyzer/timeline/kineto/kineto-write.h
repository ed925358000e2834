/* SPDX-License-Identifier: MIT */
/* The state of redrawing a trace in JSON, and the functions that write its events. */
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
	bool has_first;   /* an event has been drawn */
	bool is_moving;   /* the event is being written at the place to which it was moved … */
	uint32_t before;  /* … which is before the event with this number */
	size_t next_move; /* index of the next entry in draw.moves */
	int64_t shift_ns; /* subtracted from each time; whole µs */
};

/* Makes an event that is added to the trace, at a time of the trace. */
struct ra_pen_copy ra_kineto_write_make_added(const struct ra_kineto_write *write, char phase,
                                              int64_t ns, bool has_point);

/* The row on which an event is drawn. Numbers of rows that are not in the trace are formatted
 * here. */
struct ra_kineto_write_place {
	char pid[16];
	char tid[16];
};

/* Sets an event's pid and tid to those of the row on which it is drawn. */
void ra_kineto_write_set_place(const struct ra_kineto_write *write, uint32_t event,
                               struct ra_pen_copy *copy, struct ra_kineto_write_place *place);

/* The phase and times with which an event is drawn. */
struct ra_pen_copy ra_kineto_write_times(const struct ra_kineto_write *write, uint32_t event);

void ra_kineto_write_event(struct ra_kineto_write *write, uint32_t event);

/* Writes the ends of arrows that were moved to the place before this event. */
void ra_kineto_write_moved(struct ra_kineto_write *write, size_t before);

/* Adds names for rows and processes that have none, or whose numbers have changed. */
void ra_kineto_added_names(struct ra_kineto_write *write);
/* Adds arrows from calls to the work that they launched: an s at the call, an f at each
 * operation. */
void ra_kineto_added_arrows(struct ra_kineto_write *write);
/* Adds counters of GPUs and of memory. */
void ra_kineto_added_counters(struct ra_kineto_write *write);

#endif
