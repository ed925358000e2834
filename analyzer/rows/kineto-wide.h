/* SPDX-License-Identifier: MIT */
/* Stores the few numbers of a column that do not fit into its narrow type. */
#ifndef RA_KINETO_WIDE_H
#define RA_KINETO_WIDE_H

#include <stddef.h>
#include <stdint.h>

#include "analyzer/base/util-map.h"

/* The wide numbers of a column. Zero-initialise. */
struct ra_kineto_wide {
	struct ra_util_map at; /* row → index into values */
	int64_t *values;       /* owned */
	size_t count;
	size_t capacity;
};

void ra_kineto_wide_fini(struct ra_kineto_wide *wide);

/* Copies all wide numbers. @to: must not be initialised. */
void ra_kineto_wide_copy(struct ra_kineto_wide *to, const struct ra_kineto_wide *from);

/* Sets the wide number of a row. */
void ra_kineto_wide_put(struct ra_kineto_wide *wide, uint32_t row, int64_t value);

/* The wide number of a row, which must have one. */
int64_t ra_kineto_wide_get(const struct ra_kineto_wide *wide, uint32_t row);

#endif
