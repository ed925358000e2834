/* SPDX-License-Identifier: MIT */
/* Lists facts about ranks, waits and collectives that a trace could contain, but does not. */
#ifndef RA_FOOTER_LACKS_H
#define RA_FOOTER_LACKS_H

#include "analyzer/base/text/util-text.h"
#include "analyzer/model/model.h"

/* A question that the trace leaves open. */
struct ra_footer_lack {
	const char *key;
	uint64_t count; /* 0: the words have no count */
	/* The words to print after the count. They end with a NUL, which the length includes. The
	 * caller frees them. */
	struct ra_util_text text;
};

#define RA_FOOTER_LACKS 3

/*
 * Lists what a trace lacks. For files that are no traces it lists nothing.
 *
 * @file_count: number of the run's files that the user gave.
 * @lacks: room for RA_FOOTER_LACKS.
 * Return: their number. O(n log n).
 */
size_t ra_footer_lacks_find(const struct ra_model *model, size_t file_count,
                            struct ra_footer_lack *lacks);

#endif
