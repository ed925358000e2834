/* SPDX-License-Identifier: MIT */
/* Stores the few numbers of a column that do not fit into its narrow type. */
#include "analyzer/rows/kineto-wide.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/base/util.h"

void ra_kineto_wide_fini(struct ra_kineto_wide *wide)
{
	ra_util_map_free(&wide->at);
	free(wide->values);
	memset(wide, 0, sizeof(*wide));
}

void ra_kineto_wide_copy(struct ra_kineto_wide *to, const struct ra_kineto_wide *from)
{
	*to = *from;
	to->capacity = from->count;
	to->at.keys = NULL;
	to->at.values = NULL;
	to->values = NULL;
	if (from->count > 0) {
		ra_util_resize(&to->at.keys, from->at.capacity, sizeof(*to->at.keys));
		ra_util_resize(&to->at.values, from->at.capacity, sizeof(*to->at.values));
		ra_util_resize(&to->values, from->count, sizeof(*to->values));
		memcpy(to->at.keys, from->at.keys, from->at.capacity * sizeof(*to->at.keys));
		memcpy(to->at.values, from->at.values, from->at.capacity * sizeof(*to->at.values));
		memcpy(to->values, from->values, from->count * sizeof(*to->values));
	}
}

void ra_kineto_wide_put(struct ra_kineto_wide *wide, uint32_t row, int64_t value)
{
	const uint32_t known = ra_util_map_find(&wide->at, row);

	if (known != RA_UTIL_MAP_NONE) {
		wide->values[known] = value;
		return;
	}
	ra_util_map_put(&wide->at, row, (uint32_t) wide->count);
	RA_UTIL_APPEND(wide->values, wide->count, wide->capacity, value);
}

int64_t ra_kineto_wide_get(const struct ra_kineto_wide *wide, uint32_t row)
{
	return wide->values[ra_util_map_find(&wide->at, row)];
}
