/* SPDX-License-Identifier: MIT */
/* Takes slices from a reader when they close, so that the model need not hold them. */
#ifndef RA_SLICE_SINK_H
#define RA_SLICE_SINK_H

#include "analyzer/model/model.h"

/* Duration of a slice that is still open. */
#define RA_SLICE_SINK_OPEN (-1)

/*
 * Slices of a track: those in model->slices. Slices that are still open come again, at the start of
 * the track's next stretch, until they are closed. From stretch to stretch, slices first come in
 * the order in which a model would have them. A crossing slice still has its parent and children:
 * that it crosses (RA_SLICE_CROSSING) may become known late.
 */
struct ra_slice_stretch {
	const struct ra_model *model;
	size_t track;
	int64_t now_ns; /* no later slice of this track begins before this time */
};

/* One per load. The reader calls begin, then take any number of times, then end. If end asks for
 * another pass, it does the same again with the same slices. It may call drop at any time. */
struct ra_slice_sink {
	void *context;
	bool keeps_samples; /* the model of the first pass shall have the samples of counters */
	/* Begins a pass. @model: the model of the first pass is the final one, and lives as long as
	 * its owner wants. */
	void (*begin)(void *context, const struct ra_model *model);
	void (*take)(void *context, const struct ra_slice_stretch *stretch);
	/* Ends a pass. Return: true if another one is needed. */
	bool (*end)(void *context);
	/* Discards all that was taken: the model will hold all slices. */
	void (*drop)(void *context);
};

#endif
