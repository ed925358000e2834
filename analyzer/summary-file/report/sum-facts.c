/* SPDX-License-Identifier: MIT */
/* Compares the facts about inputs' machines over ranks. */
#include "analyzer/summary-file/report/sum-facts.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/base/util.h"

void ra_sum_facts_fini(struct ra_sum_facts *facts)
{
	free(facts->rows);
	ra_util_map_free(&facts->by_key);
	memset(facts, 0, sizeof(*facts));
}

/* Finds or adds the row of a fact. A new row has no parts yet. */
static struct ra_sum_known *find_row(struct ra_sum_facts *facts, struct ra_sum_fact fact,
                                     uint32_t part)
{
	struct ra_sum_known *row;
	uint64_t word =
		((uint64_t) fact.key << 32) ^ fact.text ^
		(part == RA_NONE ? 0 : (uint64_t) (part + 1) * UINT64_C(0x9E3779B97F4A7C15));
	uint32_t index;

	for (;; word++) {
		index = ra_util_map_find(&facts->by_key, word);
		if (index == RA_UTIL_MAP_NONE) {
			break;
		}
		row = &facts->rows[index];
		if (row->fact.key == fact.key && row->fact.text == fact.text && row->part == part) {
			return row;
		}
	}
	RA_UTIL_APPEND(facts->rows, facts->count, facts->capacity,
	               (struct ra_sum_known){ .fact = fact, .part = part, .part_last = RA_NONE });
	ra_util_map_put(&facts->by_key, word, (uint32_t) facts->count - 1);
	return &facts->rows[facts->count - 1];
}

void ra_sum_facts_add(struct ra_sum_facts *facts, struct ra_sum_fact fact, uint32_t part,
                      bool by_part)
{
	struct ra_sum_known *row = find_row(facts, fact, by_part ? part : RA_NONE);

	if (row->part_last != part) {
		row->part_last = part;
		row->parts++;
	}
}
