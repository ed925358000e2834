/* SPDX-License-Identifier: MIT */
/* Detects that a PyTorch DataLoader got or lost its worker processes, and finds the ranges that
 * moved to or from these. */
#ifndef RA_DIFF_LOADER_H
#define RA_DIFF_LOADER_H

#include "analyzer/diff/diff.h"

/* A DataLoader that was replaced. Its range has the name of its class: _SingleProcessDataLoaderIter
 * loads data itself, _MultiProcessingDataLoaderIter only waits for worker processes. */
struct ra_diff_loader {
	bool has;                    /* one loader is gone, and another one is new */
	bool is_to_workers;          /* the new one loads in worker processes, the old one did
	                                not … */
	bool is_from_workers;        /* … or the other way round */
	struct rlog_string names[2]; /* names of the loaders' ranges, borrowed from the rows */
	int64_t time_ns[2];          /* time of these ranges, per unit */
};

/* Finds the loader that replaced another one, after ra_diff_init(). */
void ra_diff_loader_find(struct ra_diff_loader *loader, const struct ra_diff *diff);

/* Marks (row->like) the rows of ranges that lost or got calls mainly because on the other side
 * worker processes make these calls. Traces lack those processes. */
void ra_diff_loader_mark(struct ra_diff *diff);

#endif
