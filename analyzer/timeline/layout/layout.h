/* SPDX-License-Identifier: MIT */
/* Decides where Perfetto draws the model: process and thread numbers, extra rows, depths. */
#ifndef RA_LAYOUT_H
#define RA_LAYOUT_H

#include "analyzer/model/model.h"

/*
 * Perfetto knows a row by two 32-bit numbers, pid and tid. It nests the slices of a row by time
 * alone, and reports an import error for slices that overlap without nesting. The following rules
 * are based on measurements of its importer (v55.3):
 *
 *  - To many readers pids up to 15 mean GPUs, and tid 0 means "the process". Such numbers are
 *    replaced.
 *  - Ranges that cross others of their thread get rows of their own, with a tid that no thread of
 *    Linux can have.
 *  - Of slices that begin together the longer one comes first. An instant or a range of 0 ns lies
 *    on top of what begins or lies there at that very ns. So its depth in the drawing can be larger
 *    than in the model's tree, or 1 less at the end of its parent.
 *  - API calls lie among the ranges of their thread. A call that crosses a range goes on an extra
 *    row. So does a call that launches something, if a slice inside it begins in its first ns:
 *    Perfetto would bind the arrow to that slice, because it began last.
 *  - Slices deeper than 512 are left out, and counted.
 *  - Perfetto drops what begins before time 0. So if something begins before the capture, time 0 of
 *    the drawing is where the first such thing begins.
 */
#define RA_LAYOUT_MAX_DEPTH 512u
/* tids from here on are rows that are not threads; Linux's tids end below 4194304. */
#define RA_LAYOUT_FIRST_ROW 10000000u
/* pids from here on replace pids that would collide. */
#define RA_LAYOUT_FIRST_PID 5000000u
/* Most rows for the crossing ranges of one thread. Ranges beyond it are counted as left out. */
#define RA_LAYOUT_MAX_LANES 4096u
/* The drawing begins at most this long before the capture. Perfetto's times are exact for 50
 * days. */
#define RA_LAYOUT_MAX_EARLY_NS (INT64_C(25) * 24 * 3600 * 1000000000)

enum ra_layout_kind {
	RA_LAYOUT_SLICE, /* index: of model->slices, on a thread's row */
	RA_LAYOUT_SPAN,  /* index: of model->slices, a start/end range, on no thread row */
	RA_LAYOUT_MARK,  /* index: of model->marks */
	RA_LAYOUT_LOSS,  /* index: of model->loss_spans */
	RA_LAYOUT_CALL,  /* index: of model->gpu.apis */
};

/* One thing to draw. */
struct ra_layout_item {
	uint32_t index;
	uint32_t tid;
	uint16_t depth; /* depth in Perfetto */
	uint8_t kind;   /* enum ra_layout_kind */
};

struct ra_layout_left_out {
	uint64_t too_deep;  /* ranges, calls, marks and losses that are deeper than
	                       RA_LAYOUT_MAX_DEPTH */
	uint64_t no_lane;   /* crossing ranges and calls that found no row: RA_LAYOUT_MAX_LANES were
	                       used */
	uint64_t too_early; /* things that begin before ra_layout_find_zero() */
};

struct ra_layout;

/* Prepares the drawing of a model, which must live longer. */
struct ra_layout *ra_layout_create(const struct ra_model *model);

/* Prepares a drawing that shows several models: numbers the processes and devices of this one from
 * first_pid on. */
void ra_layout_move(struct ra_layout *layout, uint32_t first_pid);

void ra_layout_destroy(struct ra_layout *layout);

/* Returns the pid of a process in Perfetto. If `process` equals process_count, this is the pid of
 * the first device, or 0 if devices have numbers of their own. */
uint32_t ra_layout_find_pid(const struct ra_layout *layout, uint32_t process);

/* The tid of a track's own row; 0 for start/end tracks, which have none. */
uint32_t ra_layout_find_tid(const struct ra_layout *layout, uint32_t track);

/* Returns a number for a row that no track uses. */
uint32_t ra_layout_take_row(struct ra_layout *layout);

/* Returns the time, in the model's ns, that is 0 in the drawing: 0, or the first event's time if
 * that is earlier, but at most RA_LAYOUT_MAX_EARLY_NS earlier. */
int64_t ra_layout_find_zero(const struct ra_layout *layout);

/* True if something that begins at this time can be drawn. Otherwise counts it as left out. */
bool ra_layout_accept(struct ra_layout *layout, int64_t start_ns);

/* Counts something as left out: it is too deep, or there was no row for it. */
void ra_layout_refuse(struct ra_layout *layout, bool is_too_deep);

/* Begins a track. Walk the tracks in order, each once: then the rows get the same numbers in each
 * walk. */
void ra_layout_begin_track(struct ra_layout *layout, uint32_t track);

/* Goes on with a part of the track (walk.h). The part must stay valid until it is drawn. */
void ra_layout_begin_part(struct ra_layout *layout, const struct ra_model *part, int64_t until_ns);
void ra_layout_end_part(struct ra_layout *layout, const struct ra_model *whole);

/*
 * Gets the next things of the part, in the order in which an output must write them.
 *
 * Return: their number, 0 at the end of the part.
 */
int ra_layout_next(struct ra_layout *layout, struct ra_layout_item *items, int capacity);

/* Counts the rows that the current track has so far for crossing ranges. Their tids are first,
 * first + 1, … */
uint32_t ra_layout_count_lanes(const struct ra_layout *layout, uint32_t *first_tid);

struct ra_layout_left_out ra_layout_left_out(const struct ra_layout *layout);

#endif
