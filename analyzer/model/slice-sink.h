/* SPDX-License-Identifier: MIT */
/* A sink: takes slices from a reader when they close, so that the model need not hold them. */
#ifndef RA_SLICE_SINK_H
#define RA_SLICE_SINK_H

#include "analyzer/model/model.h"

/* The duration of a slice that is still open. */
#define RA_SLICE_SINK_OPEN (-1)

/*
 * A stretch: consecutive slices of a track, given in model->slices. A slice that is still open
 * comes again, at the start of the track's next stretch, until it is closed. Otherwise slices come
 * in the order that they have in a model. A crossing slice still has its parent and children,
 * because the reader may learn late that it crosses others (RA_SLICE_CROSSING).
 */
struct ra_slice_stretch {
	const struct ra_model *model;
	size_t track;
	int64_t now_ns; /* no later slice of this track begins before this time */
};

/* The rows and ranges of a run have numbers below this. */
#define RA_SLICE_RUN_OPEN UINT16_MAX

/* The rows of a range in a run: its push and its pop. */
struct ra_slice_run_rows {
	uint16_t push; /* undefined for a range that was open before the run */
	uint16_t pop;  /* undefined for a range that is open after the run */
};

/*
 * A run: consecutive pushes and pops of one domain of a thread, which nest. While the sink gets a
 * run, model->slices has only the slices that were open before the run, outermost first, all of the
 * same domain. A run is given instead of a stretch: a range that was open before has come in a
 * stretch or a run, and a range that is open after it comes again. The ranges of a run are numbered
 * in order of their start, including those that were open before.
 */
struct ra_slice_run {
	const struct ra_model *model;
	size_t track;
	uint16_t domain;
	size_t rows;           /* at least 1; less than RA_SLICE_RUN_OPEN */
	const int64_t *times;  /* by row; never decreasing */
	const uint32_t *names; /* by row: the name of a push */
	const struct ra_slice_run_rows *ranges;
	/* numbers of the ranges that are open after the run, outermost first */
	const uint16_t *open;
	size_t open_before;
	size_t open_count;
	size_t count;
};

/* What a sink asks the reader to do next. */
enum ra_slice_sink_wish {
	RA_SLICE_SINK_ENOUGH, /* the sink needs nothing more */
	RA_SLICE_SINK_AGAIN,  /* make another pass over the same slices */
	RA_SLICE_SINK_WALK, /* give the model a walk, too (walk.h); everything comes in stretches */
	RA_SLICE_SINK_HOLD, /* let the model hold all slices; the sink is dropped */
};

/* A sink; each load uses a sink of its own. The reader calls begin, then take any number of times,
 * then end. If end asks for another pass, the reader does this again with the same slices. It may
 * call drop at any time. */
struct ra_slice_sink {
	void *context;
	bool keeps_samples; /* the model of the first pass must have the samples of counters */
	/*
	 * Called after the first begin; NULL: ENOUGH.
	 *
	 * @rows: number of rows of all threads.
	 * Return: ENOUGH, WALK, HOLD.
	 */
	enum ra_slice_sink_wish (*choose)(void *context, uint64_t rows);
	/* Begins a pass. @model: the model given in the first pass is the final model, and lives as
	 * long as its owner wants. */
	void (*begin)(void *context, const struct ra_model *model);
	void (*take)(void *context, const struct ra_slice_stretch *stretch);
	/*
	 * Takes a run; NULL: everything comes in stretches.
	 *
	 * Return: ns in which at least one range was open during the run.
	 */
	int64_t (*take_run)(void *context, const struct ra_slice_run *run);
	/* Ends a pass. Return: ENOUGH, AGAIN or HOLD; after the first pass also WALK: then the sink
	 * is dropped, and everything is read anew. */
	enum ra_slice_sink_wish (*end)(void *context);
	/* Discards all slices taken so far: the model will hold all of them. */
	void (*drop)(void *context);
};

#endif
