/* SPDX-License-Identifier: MIT */
/* Facts of ranks, waits and collectives that a trace could have recorded, but does not have. */
#ifndef RA_FOOTER_LACKS_H
#define RA_FOOTER_LACKS_H

#include "analyzer/base/text/util-text.h"
#include "analyzer/model/model.h"

/* A question that the trace leaves open. */
struct ra_footer_lack {
	const char *key;
	uint64_t count; /* 0: nothing to count */
	/* Owned by the caller. The words to print behind the count. They end with a NUL, which the
	 * length includes. */
	struct ra_util_text text;
};

#define RA_FOOTER_LACKS 3

/*
 * Lists what a trace lacks. For files that are no traces it lists nothing.
 *
 * @file_count: number of the run's files that are given.
 * @lacks: room for RA_FOOTER_LACKS.
 * Return: their number. O(n log n).
 */
size_t ra_footer_lacks_find(const struct ra_model *model, size_t file_count,
                            struct ra_footer_lack *lacks);

#endif
