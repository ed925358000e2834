/* SPDX-License-Identifier: MIT */
/* Compares the facts about inputs' machines over ranks. */
#ifndef RA_SUM_FACTS_H
#define RA_SUM_FACTS_H

#include "analyzer/base/util-map.h"
#include "analyzer/summary-file/sum.h"

/* A fact, and how many inputs have it. */
struct ra_sum_known {
	struct ra_sum_fact fact; /* its texts are in the set */
	/* index of the part if facts of parts are kept separate, otherwise RA_NONE */
	uint32_t part;
	uint32_t part_last;
	uint32_t parts;
};

/* The facts. Zero-initialise. */
struct ra_sum_facts {
	struct ra_sum_known *rows; /* owned; in the order in which they came */
	size_t count;
	size_t capacity;
	struct ra_util_map by_key;
};

void ra_sum_facts_fini(struct ra_sum_facts *facts);

/*
 * Adds a fact of a part. If a part has the same fact twice, it counts once.
 *
 * @fact: its texts must be in the set. @by_part: keep the facts of parts separate.
 */
void ra_sum_facts_add(struct ra_sum_facts *facts, struct ra_sum_fact fact, uint32_t part,
                      bool by_part);

#endif
