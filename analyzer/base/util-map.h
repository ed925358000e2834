/* SPDX-License-Identifier: MIT */
/* A hash map from 64-bit keys to 32-bit values. */
#ifndef RA_UTIL_MAP_H
#define RA_UTIL_MAP_H

#include <stddef.h>
#include <stdint.h>

/* "Not there"; it can't be stored as a value. */
#define RA_UTIL_MAP_NONE UINT32_MAX

/* Zero-initialise. Keys may come from hostile files, so the hash is seeded with an address. Never
 * iterate: the order differs from run to run. */
struct ra_util_map {
	uint64_t *keys;   /* owned */
	uint32_t *values; /* owned; RA_UTIL_MAP_NONE marks a free slot */
	size_t capacity;  /* a power of two, or 0 */
	size_t count;
	uint64_t seed;
};

void ra_util_map_free(struct ra_util_map *map);

/* Makes room for `count` keys in an empty map. */
void ra_util_map_reserve(struct ra_util_map *map, size_t count);

/* Return: the value, or RA_UTIL_MAP_NONE. */
uint32_t ra_util_map_find(const struct ra_util_map *map, uint64_t key);

/* Sets the value of a key. */
void ra_util_map_put(struct ra_util_map *map, uint64_t key, uint32_t value);

/* Numbers keys from 0 in the order in which they come. The map must be used for nothing else. */
void ra_util_map_number(struct ra_util_map *map, uint64_t key, uint32_t *number);

/* Forgets a key, which need not be there. */
void ra_util_map_remove(struct ra_util_map *map, uint64_t key);

#endif
