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
 *  - To many readers, pids up to 15 mean GPUs, and tid 0 means "the process". Such numbers are
 *    replaced.
 *  - Ranges that cross others of their thread get rows of their own, with a tid that no thread of
 *    Linux can have.
 *  - Of slices that begin together, the longer one comes first. An instant or a range of 0 ns is
 *    drawn inside all slices that begin or are open at that very ns. So its depth in the drawing
 *    can be larger than in the model's tree, or 1 less at the end of its parent.
 *  - API calls are drawn among the ranges of their thread. A call that crosses a range is put on an
 *    extra row. So is a call that launches something, if a slice inside it begins in its first ns:
 *    Perfetto would bind the arrow to that slice, because it began last.
 *  - Slices deeper than 512 are left out, and counted.
 *  - Perfetto drops everything that begins before time 0. So if some items begin before the
 *    capture, time 0 of the drawing is when the first of these begins.
 */
#define RA_LAYOUT_MAX_DEPTH 512u
/* From this on, tids are those of rows that are not threads; Linux's tids are below 4194304. */
#define RA_LAYOUT_FIRST_ROW 10000000u
/* From this on, pids replace pids that would collide with others. */
#define RA_LAYOUT_FIRST_PID 5000000u
/* Most rows for the crossing ranges of one thread. Further crossing ranges are counted as left
 * out. */
#define RA_LAYOUT_MAX_LANES 4096u
/* The drawing begins at most this long before the capture. Perfetto's times are exact for 50
 * days. */
#define RA_LAYOUT_MAX_EARLY_NS (INT64_C(25) * 24 * 3600 * 1000000000)

enum ra_layout_kind {
	RA_LAYOUT_SLICE, /* index into model->slices; on a thread's row */
	RA_LAYOUT_SPAN,  /* index into model->slices; a start/end range, on no thread's row */
	RA_LAYOUT_MARK,  /* index into model->marks */
	RA_LAYOUT_LOSS,  /* index into model->loss_spans */
	RA_LAYOUT_CALL,  /* index into model->gpu.apis */
};

/* An item to draw. */
struct ra_layout_item {
	uint32_t index;
	uint32_t tid;
	uint16_t depth; /* depth in Perfetto */
	uint8_t kind;   /* enum ra_layout_kind */
};

struct ra_layout_left_out {
	/* number of ranges, calls, marks and losses deeper than RA_LAYOUT_MAX_DEPTH */
	uint64_t too_deep;
	uint64_t no_lane;   /* number of crossing ranges and calls that found no row, because
	                       RA_LAYOUT_MAX_LANES were in use */
	uint64_t too_early; /* number of items that begin before ra_layout_find_zero() */
};

struct ra_layout;

/* Prepares the drawing of a model. The model is borrowed, and must live longer. */
struct ra_layout *ra_layout_create(const struct ra_model *model);

/* Prepares a drawing that shows several models: numbers the processes and devices of this one from
 * first_pid on. */
void ra_layout_move(struct ra_layout *layout, uint32_t first_pid);

void ra_layout_destroy(struct ra_layout *layout);

/* Returns the pid of a process in Perfetto. For process_count, returns the pid of the first device,
 * or 0 if devices have their own numbers. */
uint32_t ra_layout_find_pid(const struct ra_layout *layout, uint32_t process);

/* The tid of a track's own row; 0 for tracks of start/end ranges, which have none. */
uint32_t ra_layout_find_tid(const struct ra_layout *layout, uint32_t track);

/* Returns a number for a row that no track uses. */
uint32_t ra_layout_take_row(struct ra_layout *layout);

/* Returns that time, in the model's ns, which is time 0 in the drawing: 0, or the first event's
 * time if that is earlier, but at most RA_LAYOUT_MAX_EARLY_NS earlier. */
int64_t ra_layout_find_zero(const struct ra_layout *layout);

/* True if an item that begins at this time can be drawn. If not, counts it as left out. */
bool ra_layout_accept(struct ra_layout *layout, int64_t start_ns);

/* Counts an item as left out: it is too deep, or there was no row for it. */
void ra_layout_refuse(struct ra_layout *layout, bool is_too_deep);

/* Begins a track. Go through the tracks in order, once: then rows get the same numbers each
 * time. */
void ra_layout_begin_track(struct ra_layout *layout, uint32_t track);

/* Begins the next part of the track (walk.h). The part must stay valid until it is drawn. */
void ra_layout_begin_part(struct ra_layout *layout, const struct ra_model *part, int64_t until_ns);
void ra_layout_end_part(struct ra_layout *layout, const struct ra_model *whole);

/*
 * Gets the next items of the part, in the order in which an output must write them.
 *
 * Return: their number; 0: the part is at its end.
 */
int ra_layout_next(struct ra_layout *layout, struct ra_layout_item *items, int capacity);

/* Counts the rows that the current track has so far for crossing ranges. Their tids are first,
 * first + 1, … */
uint32_t ra_layout_count_lanes(const struct ra_layout *layout, uint32_t *first_tid);

struct ra_layout_left_out ra_layout_left_out(const struct ra_layout *layout);

#endif
