/* SPDX-License-Identifier: MIT */
/* Takes slices from a reader when they close, so that the model need not hold them. */
#ifndef RA_SLICE_SINK_H
#define RA_SLICE_SINK_H

#include "analyzer/model/model.h"

/* Duration of a slice that is still open. */
#define RA_SLICE_SINK_OPEN (-1)

/*
 * A stretch of a track: the slices in model->slices. Slices that are still open come again, at the
 * start of the track's next stretch, until they are closed. From stretch to stretch, slices first
 * come in the order in which a model would have them. A crossing slice still has its parent and
 * children: that it crosses (RA_SLICE_CROSSING) may become known late.
 */
struct ra_slice_stretch {
	const struct ra_model *model;
	size_t track;
	int64_t now_ns; /* no later slice of this track begins before this time */
};

/* In a run: the range is still open at the run's end. */
#define RA_SLICE_RUN_OPEN UINT16_MAX

/* The rows of a range in a run. */
struct ra_slice_run_rows {
	uint16_t push; /* undefined for a range that was open before */
	uint16_t pop;  /* undefined for one that stays open */
};

/*
 * A run: consecutive pushes and pops of one domain of a thread, which nest. The model's slices are
 * those that were open before the run, outermost first, all of the same domain, and no others. A
 * run replaces a stretch: a range that was open before has come in a stretch or a run, and a range
 * that stays open comes again. Ranges are numbered in order of their start, including those that
 * were open before.
 */
struct ra_slice_run {
	const struct ra_model *model;
	size_t track;
	uint16_t domain;
	size_t rows;           /* at least 1; below RA_SLICE_RUN_OPEN */
	const int64_t *times;  /* by row; they never go back */
	const uint32_t *names; /* by row: a push's name */
	const struct ra_slice_run_rows *ranges;
	const uint16_t *open; /* ranges that stay open, outermost first */
	size_t open_before;
	size_t open_count;
	size_t count;
};

/* The next step that a sink wants of the reader. */
enum ra_slice_sink_wish {
	RA_SLICE_SINK_ENOUGH, /* nothing more */
	RA_SLICE_SINK_AGAIN,  /* another pass over the same slices */
	RA_SLICE_SINK_WALK, /* the model shall have a walk, too (walk.h); all comes in stretches */
	RA_SLICE_SINK_HOLD, /* the model shall hold all slices: the sink is dropped */
};

/* A sink; one per load. The reader calls begin, then take any number of times, then end. If end
 * asks for another pass, the reader does this again with the same slices. It may call drop at any
 * time. */
struct ra_slice_sink {
	void *context;
	bool keeps_samples; /* the model of the first pass shall have the samples of counters */
	/*
	 * Called after the first begin; NULL: ENOUGH.
	 *
	 * @rows: of all threads.
	 * Return: ENOUGH, WALK, HOLD.
	 */
	enum ra_slice_sink_wish (*choose)(void *context, uint64_t rows);
	/* Begins a pass. @model: the model of the first pass is the final one, and lives as long as
	 * its owner wants. */
	void (*begin)(void *context, const struct ra_model *model);
	void (*take)(void *context, const struct ra_slice_stretch *stretch);
	/*
	 * Takes a run; NULL: all comes in stretches.
	 *
	 * Return: ns in which at least one range was open. A range counts from its begin, or from
	 * the run's if it was open before, to its end, or to the run's if it stays open.
	 */
	int64_t (*take_run)(void *context, const struct ra_slice_run *run);
	/* Ends a pass. Return: ENOUGH, AGAIN, HOLD; after the first pass also WALK: the sink is
	 * dropped, and all is read anew. */
	enum ra_slice_sink_wish (*end)(void *context);
	/* Discards all slices taken so far: the model will hold all of them. */
	void (*drop)(void *context);
};

#endif
