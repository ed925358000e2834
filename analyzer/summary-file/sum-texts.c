/* SPDX-License-Identifier: MIT */
/* Numbers texts: equal texts get the same number. */
#include "analyzer/summary-file/sum-texts.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/base/text/util-string.h"
#include "analyzer/base/util.h"

void ra_sum_texts_fini(struct ra_sum_texts *texts)
{
	free(texts->rows);
	ra_util_map_free(&texts->by_hash);
	memset(texts, 0, sizeof(*texts));
}

void ra_sum_texts_find(struct ra_sum_texts *texts, struct rlog_string text, uint32_t *id)
{
	/* The hash has a seed, because the texts may be from files of strangers. */
	uint64_t hash = ra_util_string_hash_seeded(text, (uint64_t) (uintptr_t) texts);

	for (;; hash++) {
		*id = ra_util_map_find(&texts->by_hash, hash);
		if (*id == RA_UTIL_MAP_NONE) {
			break;
		}
		if (ra_util_string_is_same(texts->rows[*id], text)) {
			return;
		}
	}
	*id = (uint32_t) texts->count;
	ra_util_map_put(&texts->by_hash, hash, *id);
	RA_UTIL_APPEND(texts->rows, texts->count, texts->capacity, text);
}

struct rlog_string ra_sum_texts_copy(struct rlog_string text)
{
	return (struct rlog_string){ ra_util_copy(text.bytes, text.length), text.length,
		                     text.length };
}
