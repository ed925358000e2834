/* SPDX-License-Identifier: MIT */
/* A map from ids that a program assigned by counting to 32-bit values. */
#include "analyzer/base/util-ids.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/base/alloc.h"

/* The most entries that the array may have for each id. */
#define MOST_ENTRIES 16

void ra_util_ids_reserve(struct ra_util_ids *ids, uint32_t first, uint32_t last, size_t count)
{
	if (count == 0 || first > last || (last - first) / MOST_ENTRIES >= count ||
	    last - first == UINT32_MAX) {
		return;
	}
	/* Pages without ids are never touched, so they take no memory. */
	ids->values = ra_alloc_zeros((size_t) (last - first) + 1, sizeof(*ids->values));
	ids->first = first;
	ids->span = last - first + 1;
}

void ra_util_ids_free(struct ra_util_ids *ids)
{
	free(ids->values);
	ra_util_map_free(&ids->others);
	memset(ids, 0, sizeof(*ids));
}
