/* SPDX-License-Identifier: MIT */
/* Who takes slices from a reader as they are closed, so that the model need not hold them. */
#ifndef RA_SLICE_SINK_H
#define RA_SLICE_SINK_H

#include "analyzer/model/model.h"

/* Duration of a slice that is still open. */
#define RA_SLICE_SINK_OPEN (-1)

/*
 * Slices of a track: all that model->slices has. Those that are still open come again, first of the
 * next stretch of the track, each time until they are closed. In their order, from stretch to
 * stretch, slices first come in that in which a model has them.
 */
struct ra_slice_stretch {
	const struct ra_model *model;
	size_t track;
	const int64_t *inner_ns; /* by slice, of closed ones: what lies in direct children; modulo
	                            2^64. NULL if it was not asked for, or of start/end ranges */
	int64_t now_ns;          /* nothing that is to come on this track begins before */
};

/* One per load. The reader calls begin, take any number of times, end; from begin on again if end
 * says so, with the same slices; or drop at any time. */
struct ra_slice_sink {
	void *context;
	/*
	 * Begins a pass. @model: that of the first pass is the one that stays, and lives as long as
	 * its owner wants. Return: true if inner_ns is wanted.
	 */
	bool (*begin)(void *context, const struct ra_model *model);
	void (*take)(void *context, const struct ra_slice_stretch *stretch);
	/* A pass is over. Return: true if another one is needed. */
	bool (*end)(void *context);
	/* What was taken counts for nothing: the model will have all slices. */
	void (*drop)(void *context);
};

#endif
