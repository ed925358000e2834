/* SPDX-License-Identifier: MIT */
/* Puts several inputs on one time axis: finds how much their clocks differ, and how certain that is
 * (doc/metrics.md, section 31). */
#ifndef RA_RANKS_ALIGN_H
#define RA_RANKS_ALIGN_H

#include "analyzer/model/model.h"
#include "analyzer/summary-file/sum-texts.h"

/* A stretch of time that no input leaves before all have come, such as a collective or a
 * barrier. */
struct ra_ranks_meeting {
	uint32_t name;    /* index of its name in ranks->texts */
	int64_t start_ns; /* CLOCK_REALTIME of the input, as end_ns */
	int64_t end_ns;
};

struct ra_ranks_input {
	const char *path;                  /* borrowed */
	int64_t rank;                      /* -1: unknown */
	uint32_t host;                     /* index of a text; the host is unknown if the text is
	                                      empty */
	int64_t real_ns;                   /* CLOCK_REALTIME of the model's time 0 */
	int64_t first_ns;                  /* first time of the drawing, on the model's axis */
	int64_t error_ns;                  /* error of its clock */
	struct ra_ranks_meeting *meetings; /* owned; ordered by name, then time */
	size_t meeting_count;
	size_t meeting_capacity;
	/* Set by ra_ranks_align(). */
	int64_t offset_ns;      /* add it to the input's times */
	int64_t uncertainty_ns; /* the true offset differs at most by this; -1: unknown */
	size_t matched;         /* number of meetings in common with the first input */
};

/* Zero-initialise. */
struct ra_ranks {
	struct ra_ranks_input *inputs; /* owned */
	size_t count;
	size_t capacity;
	struct ra_sum_texts texts;
	uint64_t reversed; /* pairs of inputs in a meeting, of which one left before the other came
	                      … */
	uint64_t pairs;    /* … of so many pairs */
};

/*
 * Adds an input. Its model is not needed afterwards.
 *
 * @range: ranges of this name are meetings. NULL: collectives are, or else ranges named
 * MPI_Barrier.
 */
void ra_ranks_add(struct ra_ranks *ranks, const struct ra_model *model, const char *path,
                  const char *range);
void ra_ranks_fini(struct ra_ranks *ranks);

/* Finds the offsets to the first input, and counts pairs that are still reversed. */
void ra_ranks_align(struct ra_ranks *ranks);

#endif
