/* SPDX-License-Identifier: MIT */
/* Numbers texts: equal texts get the same number. */
#ifndef RA_SUM_TEXTS_H
#define RA_SUM_TEXTS_H

#include "analyzer/base/util-map.h"
#include "format/tables.h"

/* The texts. Zero-initialise. */
struct ra_sum_texts {
	struct rlog_string *rows; /* owned; their bytes are borrowed */
	size_t count;
	size_t capacity;
	struct ra_util_map by_hash;
};

void ra_sum_texts_fini(struct ra_sum_texts *texts);

/* Finds the number of a text. A new text gets the number that texts->count was. */
void ra_sum_texts_find(struct ra_sum_texts *texts, struct rlog_string text, uint32_t *id);

/* Copies a text and appends a NUL. The caller frees the copy. */
struct rlog_string ra_sum_texts_copy(struct rlog_string text);

#endif
