/* SPDX-License-Identifier: MIT */
/* Where Perfetto draws what the model holds: process and thread numbers, extra rows, depths. */
#ifndef RA_LAYOUT_H
#define RA_LAYOUT_H

#include "analyzer/model/model.h"

/*
 * Perfetto knows a row by two 32-bit numbers, pid and tid, and nests the slices of a row by time
 * alone; slices that overlap without nesting are an import error. So (facts measured on its
 * importer, v55.3):
 *
 *  - pids up to 15 mean GPUs to many readers, tid 0 means "the process": such numbers are replaced;
 *  - ranges that cross others of their thread get rows of their own, with a tid no thread of Linux
 * can have;
 *  - at one time the longer slice comes first, and an instant or a range of 0 ns lies on top of
 * what began or lies there at that very ns, so its depth in the drawing can be larger than in the
 * model's tree, or 1 less at the end of its parent;
 *  - API calls lie among the ranges of their thread; those that cross one are in such a row too, as
 * is one that launches something if what is in it begins in its first ns: the arrow begins at what
 * began last on a row;
 *  - slices deeper than 512 are left out, and counted;
 *  - what begins before time 0 is dropped, so time 0 of the drawing is where its first thing begins
 * if that is before the capture.
 */
#define RA_LAYOUT_MAX_DEPTH 512u
#define RA_LAYOUT_FIRST_ROW \
	10000000u /* tids of rows that are no thread; Linux's tids end below 4194304 */
#define RA_LAYOUT_FIRST_PID 5000000u /* pids given in place of those that would collide */
#define RA_LAYOUT_MAX_LANES 4096u    /* rows for the crossing ranges of one thread */
/* How long before the capture the drawing can begin: Perfetto's times are exact for 50 days. */
#define RA_LAYOUT_MAX_EARLY_NS (INT64_C(25) * 24 * 3600 * 1000000000)

enum ra_layout_kind {
	RA_LAYOUT_SLICE, /* index: of model->slices, on a thread's row */
	RA_LAYOUT_SPAN,  /* index: of model->slices, a start/end range: no row of a thread */
	RA_LAYOUT_MARK,  /* index: of model->marks */
	RA_LAYOUT_LOSS,  /* index: of model->loss_spans */
	RA_LAYOUT_CALL,  /* index: of model->gpu.apis */
};

/* One thing to draw. */
struct ra_layout_item {
	uint32_t index;
	uint32_t tid;
	uint16_t depth; /* as Perfetto will have it */
	uint8_t kind;   /* enum ra_layout_kind */
};

struct ra_layout_left_out {
	uint64_t too_deep;  /* ranges, calls, marks and losses below RA_LAYOUT_MAX_DEPTH */
	uint64_t no_lane;   /* crossing ranges and calls beyond RA_LAYOUT_MAX_LANES */
	uint64_t too_early; /* begin before what ra_layout_find_zero tells */
};

struct ra_layout;

/* Prepares the drawing of a model, which must outlive it. */
struct ra_layout *ra_layout_create(const struct ra_model *model);

/* For one of several models in a drawing: processes and devices get numbers from first_pid on. */
void ra_layout_move(struct ra_layout *layout, uint32_t first_pid);

void ra_layout_destroy(struct ra_layout *layout);

/* The number by which Perfetto knows a process; of process_count that of the first device, 0:
 * devices have numbers. */
uint32_t ra_layout_find_pid(const struct ra_layout *layout, uint32_t process);

/* The number of a track's own row; 0 for start/end tracks, which have none. */
uint32_t ra_layout_find_tid(const struct ra_layout *layout, uint32_t track);

/* A number for a row that no track has. */
uint32_t ra_layout_take_row(struct ra_layout *layout);

/* The time, in the model's ns, that the drawing counts from: 0, or that of the first thing if it is
 * earlier, but not by more than RA_LAYOUT_MAX_EARLY_NS. */
int64_t ra_layout_find_zero(const struct ra_layout *layout);

/* True if something that begins then can be drawn; else it is counted as left out. */
bool ra_layout_accept(struct ra_layout *layout, int64_t start_ns);

/* Counts something for which no row was to be had, or that lies too deep. */
void ra_layout_refuse(struct ra_layout *layout, bool is_too_deep);

/* Begins a track; tracks are to be walked in order, each once, so that the rows' numbers are the
 * same each time. */
void ra_layout_begin_track(struct ra_layout *layout, uint32_t track);

/* Goes on with a part of the track (walk.h), which must outlive the drawing of it. */
void ra_layout_begin_part(struct ra_layout *layout, const struct ra_model *part, int64_t until_ns);
void ra_layout_end_part(struct ra_layout *layout, const struct ra_model *whole);

/*
 * The next things of the part, in the order in which an output must write them.
 *
 * Return: their number, 0 at the part's end.
 */
int ra_layout_next(struct ra_layout *layout, struct ra_layout_item *items, int capacity);

/* The rows that the current track has opened so far for its crossing ranges; their tids are first,
 * first + 1, … */
uint32_t ra_layout_count_lanes(const struct ra_layout *layout, uint32_t *first_tid);

struct ra_layout_left_out ra_layout_left_out(const struct ra_layout *layout);

#endif
