/* SPDX-License-Identifier: MIT */
/* Detects that a PyTorch DataLoader got or lost its worker processes, and which ranges moved to or
 * from these. */
#ifndef RA_DIFF_LOADER_H
#define RA_DIFF_LOADER_H

#include "analyzer/diff/diff.h"

/* Loaders have a range per class: _SingleProcessDataLoaderIter loads on the spot,
 * _MultiProcessingDataLoaderIter only waits for worker processes. */
struct ra_diff_loader {
	bool has;                    /* one is gone, and another one is new */
	bool is_to_workers;          /* it loads in worker processes now … */
	bool is_from_workers;        /* … or no longer */
	struct rlog_string names[2]; /* of the ranges, borrowed from the rows */
	int64_t time_ns[2];          /* time of these ranges, per unit */
};

/* Finds the loader that replaced another one, after ra_diff_init(). */
void ra_diff_loader_find(struct ra_diff_loader *loader, const struct ra_diff *diff);

/* Marks rows of ranges that lost or got calls mainly because worker processes make these calls on
 * the other side (row->like). Traces lack those processes. */
void ra_diff_loader_mark(struct ra_diff *diff);

#endif
