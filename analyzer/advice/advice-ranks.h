/* SPDX-License-Identifier: MIT */
/* Writes one sentence: which ranks of a run are slow, or which ranks only started late. */
#ifndef RA_ADVICE_RANKS_H
#define RA_ADVICE_RANKS_H

#include "analyzer/base/text/util-text.h"
#include "analyzer/figures/ranks/rank-threads.h"

/* The data about the ranks of a run. Zero-initialise; call fini in any case. */
struct ra_advice_ranks {
	struct ra_collectives collectives;
	struct ra_rank_delays delays;
	struct ra_rank_place *places; /* owned: one for each rank */
};

/* Compares the ranks. The files are borrowed. O(n log n). */
void ra_advice_ranks_init(struct ra_advice_ranks *ranks, const struct ra_files *files);
void ra_advice_ranks_fini(struct ra_advice_ranks *ranks);

/* Appends the sentence without a full stop. Appends nothing if no stretch of work could be
 * compared. */
void ra_advice_ranks_put(struct ra_util_text *text, const struct ra_advice_ranks *ranks);

/*
 * Appends how much time curing a slow rank alone can gain, and how much curing all slow ranks
 * together can gain if that is more than the sum: "; curing just this rank gains up to 101us, ranks
 * 5 and 4 together up to 901us". Appends nothing for a rank that is not slow.
 *
 * @rank: its index among the files.
 */
void ra_advice_ranks_put_gain(struct ra_util_text *text, const struct ra_advice_ranks *ranks,
                              size_t rank);

#endif
