/* SPDX-License-Identifier: MIT */
/* All of HTA's rows with all fields, in HTA's order. For the critical path, which needs them by
 * number. */
#ifndef RA_HTA_FULL_H
#define RA_HTA_FULL_H

#include "analyzer/compat/hta/hta.h"

/* Zero-initialise. */
struct ra_hta_full {
	const struct ra_hta_rank *rank; /* borrowed */
	const struct ra_kineto *kineto; /* borrowed */
	struct ra_hta_row *rows;        /* owned; in HTA's order */
	size_t count;
	uint32_t *row_of; /* owned: for each event, its last row; RA_NONE: it has none */
	uint32_t *row_at; /* owned: for each index in the rank's order of linked rows, its row */
};

void ra_hta_full_init(struct ra_hta_full *full, const struct ra_hta_rank *rank);
void ra_hta_full_fini(struct ra_hta_full *full);

static inline struct rlog_string ra_hta_full_name(const struct ra_hta_full *full,
                                                  const struct ra_hta_row *row)
{
	return ra_hta_name(full->rank, row->event);
}

/* True if the row's name is one of `names`, which ends with NULL. */
static inline bool ra_hta_full_is_named(const struct ra_hta_full *full,
                                        const struct ra_hta_row *row, const char *const *names)
{
	return ra_hta_names_is_any(ra_hta_full_name(full, row), names);
}

/* Finds the row of an event; NULL if it has none. */
static inline const struct ra_hta_row *ra_hta_full_find(const struct ra_hta_full *full,
                                                        int64_t event)
{
	if (event < 0 || (uint64_t) event >= full->kineto->count ||
	    full->row_of[event] == RA_NONE) {
		return NULL;
	}
	return &full->rows[full->row_of[event]];
}

#endif
