/* SPDX-License-Identifier: MIT */
/* One time axis for several inputs: what their clocks differ by, and how sure that is
 * (doc/metrics.md, section 31). */
#ifndef RA_RANKS_ALIGN_H
#define RA_RANKS_ALIGN_H

#include "analyzer/model/model.h"
#include "analyzer/summary-file/sum-texts.h"

/* A stretch that no input leaves before all have come: a collective, a barrier. */
struct ra_ranks_meeting {
	uint32_t name;    /* text of the ranks */
	int64_t start_ns; /* CLOCK_REALTIME of the input, as the next */
	int64_t end_ns;
};

struct ra_ranks_input {
	const char *path;                  /* borrowed */
	int64_t rank;                      /* -1: it does not say */
	uint32_t host;                     /* text; an empty one is not known */
	int64_t real_ns;                   /* CLOCK_REALTIME of the model's time 0 */
	int64_t first_ns;                  /* of the drawing, on the model's axis */
	int64_t error_ns;                  /* of its clock */
	struct ra_ranks_meeting *meetings; /* owned; by name, then time */
	size_t meeting_count;
	size_t meeting_capacity;
	/* Found by ra_ranks_align(). */
	int64_t offset_ns;      /* to be added to its times */
	int64_t uncertainty_ns; /* the true offset is within; -1: not known */
	size_t matched;         /* meetings with the first input */
};

/* Zero-initialise. */
struct ra_ranks {
	struct ra_ranks_input *inputs; /* owned */
	size_t count;
	size_t capacity;
	struct ra_sum_texts texts;
	uint64_t reversed; /* pairs in a meeting of which one left before the other came */
	uint64_t pairs;    /* … of so many */
};

/*
 * Adds an input, whose model may go afterwards.
 *
 * @range: name of a range that is a meeting; NULL: collectives, else ranges called MPI_Barrier.
 */
void ra_ranks_add(struct ra_ranks *ranks, const struct ra_model *model, const char *path,
                  const char *range);
void ra_ranks_fini(struct ra_ranks *ranks);

/* Finds offsets to the first input, and what is still reversed. */
void ra_ranks_align(struct ra_ranks *ranks);

#endif
