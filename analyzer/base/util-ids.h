/* SPDX-License-Identifier: MIT */
/* A map from ids that a program assigned by counting to 32-bit values. */
#ifndef RA_UTIL_IDS_H
#define RA_UTIL_IDS_H

#include "analyzer/base/util-map.h"

/*
 * Ids close to each other are in an array, because neighbours then share cache lines. All others
 * are in a hash map. Zero-initialise.
 */
struct ra_util_ids {
	uint32_t *values; /* owned; by id - first: value + 1; 0: the id has no value */
	uint32_t first;
	uint32_t span;
	struct ra_util_map others;
};

/*
 * Makes room before the first put; without this call all ids go to the hash map. The array is used
 * only if it takes at most 64 bytes per id.
 *
 * @first, @last: the smallest and the largest of `count` ids.
 */
void ra_util_ids_reserve(struct ra_util_ids *ids, uint32_t first, uint32_t last, size_t count);

void ra_util_ids_free(struct ra_util_ids *ids);

/* Return: the value, or RA_UTIL_MAP_NONE. */
static inline uint32_t ra_util_ids_find(const struct ra_util_ids *ids, uint32_t id)
{
	return id - ids->first < ids->span ? ids->values[id - ids->first] - 1
	                                   : ra_util_map_find(&ids->others, id);
}

/* Sets the value of an id. */
static inline void ra_util_ids_put(struct ra_util_ids *ids, uint32_t id, uint32_t value)
{
	if (id - ids->first >= ids->span) {
		ra_util_map_put(&ids->others, id, value);
	} else {
		ids->values[id - ids->first] = value + 1;
	}
}

/* Forgets an id, which need not be there. */
static inline void ra_util_ids_remove(struct ra_util_ids *ids, uint32_t id)
{
	if (id - ids->first >= ids->span) {
		ra_util_map_remove(&ids->others, id);
	} else {
		ids->values[id - ids->first] = 0;
	}
}

#endif
