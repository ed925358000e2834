/* SPDX-License-Identifier: MIT */
/* Facts of the machines that inputs are from, over ranks. */
#ifndef RA_SUM_FACTS_H
#define RA_SUM_FACTS_H

#include "analyzer/base/util-map.h"
#include "analyzer/summary-file/sum.h"

/* A fact, and how many inputs have it. */
struct ra_sum_known {
	struct ra_sum_fact fact; /* texts of the set */
	uint32_t part;           /* where parts stay apart, else RA_NONE */
	uint32_t part_last;
	uint32_t parts;
};

/* Zero-initialise. */
struct ra_sum_facts {
	struct ra_sum_known *rows; /* owned; as they come */
	size_t count;
	size_t capacity;
	struct ra_util_map by_key;
};

void ra_sum_facts_fini(struct ra_sum_facts *facts);

/*
 * Adds one of a part. A part that says the same twice counts once.
 *
 * @fact: texts of the set. @by_part: facts of parts stay apart.
 */
void ra_sum_facts_add(struct ra_sum_facts *facts, struct ra_sum_fact fact, uint32_t part,
                      bool by_part);

#endif
