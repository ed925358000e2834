/* SPDX-License-Identifier: MIT */
/* Puts several inputs on one time axis: finds how much their clocks differ, and how certain that is
 * (doc/metrics.md, section 31). */
#ifndef RA_RANKS_ALIGN_H
#define RA_RANKS_ALIGN_H

#include "analyzer/model/model.h"
#include "analyzer/summary-file/sum-texts.h"

/* A meeting: a stretch of time that no input leaves before all have come, such as a collective or a
 * barrier. */
struct ra_ranks_meeting {
	uint32_t name;    /* index of its name in ranks->texts */
	int64_t start_ns; /* by CLOCK_REALTIME of the input, like end_ns */
	int64_t end_ns;
};

struct ra_ranks_input {
	const char *path; /* borrowed */
	int64_t rank;     /* -1: unknown */
	uint32_t host;   /* index of the host's name in ranks->texts; an empty text means unknown */
	int64_t real_ns; /* CLOCK_REALTIME of the model's time 0 */
	int64_t first_ns;                  /* first time of the drawing, in the model's ns */
	int64_t error_ns;                  /* error of its clock */
	struct ra_ranks_meeting *meetings; /* owned; ordered by name, then time */
	size_t meeting_count;
	size_t meeting_capacity;
	/* These are set by ra_ranks_align(). */
	int64_t offset_ns;      /* ns to add to the input's times */
	int64_t uncertainty_ns; /* the true offset differs by at most this; -1: unknown */
	size_t matched;         /* number of meetings that the input shares with the first one */
};

/* The inputs. Zero-initialise. */
struct ra_ranks {
	struct ra_ranks_input *inputs; /* owned */
	size_t count;
	size_t capacity;
	struct ra_sum_texts texts;
	/* pairs of inputs in a meeting of which one left before the other came … */
	uint64_t reversed;
	uint64_t pairs; /* … of this number of pairs */
};

/*
 * Adds an input. Its model is not needed afterwards.
 *
 * @range: ranges with this name are meetings. NULL: collectives are; if there are none, ranges
 * named MPI_Barrier.
 */
void ra_ranks_add(struct ra_ranks *ranks, const struct ra_model *model, const char *path,
                  const char *range);
void ra_ranks_fini(struct ra_ranks *ranks);

/* Finds each input's offset to the first input. Counts the pairs that are reversed even with these
 * offsets. */
void ra_ranks_align(struct ra_ranks *ranks);

#endif
