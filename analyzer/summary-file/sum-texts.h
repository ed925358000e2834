/* SPDX-License-Identifier: MIT */
/* Numbers for texts: equal texts have the same. */
#ifndef RA_SUM_TEXTS_H
#define RA_SUM_TEXTS_H

#include "analyzer/base/util-map.h"
#include "format/tables.h"

/* Zero-initialise. */
struct ra_sum_texts {
	struct rlog_string *rows; /* owned; the bytes are borrowed */
	size_t count;
	size_t capacity;
	struct ra_util_map by_hash;
};

void ra_sum_texts_fini(struct ra_sum_texts *texts);

/* The number of a text: of a new one texts->count before the call. */
void ra_sum_texts_find(struct ra_sum_texts *texts, struct rlog_string text, uint32_t *id);

/* A copy, with a NUL behind it, to be freed. */
struct rlog_string ra_sum_texts_copy(struct rlog_string text);

#endif
