/* SPDX-License-Identifier: MIT */
/* A hash map from 64-bit keys to 32-bit values: linear probing, at most 5/8 full, deletion by
 * shifting back. */
#include "analyzer/base/util-map.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/base/alloc.h"
#define FIRST_CAPACITY 64

static size_t home_slot(const struct ra_util_map *map, uint64_t key)
{
	uint64_t h = key ^ map->seed;

	/* The finalizer of splitmix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number
	 * Generators). */
	h = (h ^ (h >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
	h = (h ^ (h >> 27)) * UINT64_C(0x94D049BB133111EB);
	return (size_t) (h ^ (h >> 31)) & (map->capacity - 1);
}

void ra_util_map_free(struct ra_util_map *map)
{
	free(map->keys);
	free(map->values);
	memset(map, 0, sizeof(*map));
}

/* Finds the slot that holds the key, or the free slot where it would go. */
static size_t find_slot(const struct ra_util_map *map, uint64_t key)
{
	size_t slot = home_slot(map, key);

	while (map->values[slot] != RA_UTIL_MAP_NONE && map->keys[slot] != key) {
		slot = (slot + 1) & (map->capacity - 1);
	}
	return slot;
}

uint32_t ra_util_map_find(const struct ra_util_map *map, uint64_t key)
{
	return map->count == 0 ? RA_UTIL_MAP_NONE : map->values[find_slot(map, key)];
}

static bool is_full(const struct ra_util_map *map)
{
	return map->count >= map->capacity / 8 * 5;
}

static void resize_map(struct ra_util_map *map, size_t capacity)
{
	const struct ra_util_map old = *map;
	uint64_t *keys = ra_alloc_bytes(capacity * sizeof(*keys));
	uint32_t *values = ra_alloc_bytes(capacity * sizeof(*values));

	memset(values, 0xFF, capacity * sizeof(*values));
	map->keys = keys;
	map->values = values;
	map->capacity = capacity;
	map->seed = (uint64_t) (uintptr_t) keys;
	for (size_t i = 0; i < old.capacity; i++) {
		if (old.values[i] != RA_UTIL_MAP_NONE) {
			const size_t slot = find_slot(map, old.keys[i]);

			keys[slot] = old.keys[i];
			values[slot] = old.values[i];
		}
	}
	free(old.keys);
	free(old.values);
}

void ra_util_map_reserve(struct ra_util_map *map, size_t count)
{
	size_t capacity = FIRST_CAPACITY;

	while (count >= capacity / 8 * 5) {
		capacity *= 2;
	}
	resize_map(map, capacity);
}

void ra_util_map_put(struct ra_util_map *map, uint64_t key, uint32_t value)
{
	size_t slot;

	if (is_full(map)) {
		resize_map(map, map->capacity == 0 ? FIRST_CAPACITY : map->capacity * 2);
	}
	slot = find_slot(map, key);
	map->count += map->values[slot] == RA_UTIL_MAP_NONE;
	map->keys[slot] = key;
	map->values[slot] = value;
}

void ra_util_map_number(struct ra_util_map *map, uint64_t key, uint32_t *number)
{
	*number = ra_util_map_find(map, key);
	if (*number == RA_UTIL_MAP_NONE) {
		*number = (uint32_t) map->count;
		ra_util_map_put(map, key, *number);
	}
}

void ra_util_map_remove(struct ra_util_map *map, uint64_t key)
{
	const size_t mask = map->capacity - 1;
	size_t hole;
	size_t next;

	if (map->count == 0) {
		return;
	}
	hole = find_slot(map, key);
	if (map->values[hole] == RA_UTIL_MAP_NONE) {
		return;
	}
	map->count--;
	map->values[hole] = RA_UTIL_MAP_NONE;
	next = (hole + 1) & mask;
	while (map->values[next] != RA_UTIL_MAP_NONE) {
		const size_t home = home_slot(map, map->keys[next]);

		/* An entry may move into the hole unless its home slot is after the hole. */
		if (((next - home) & mask) >= ((next - hole) & mask)) {
			map->keys[hole] = map->keys[next];
			map->values[hole] = map->values[next];
			map->values[next] = RA_UTIL_MAP_NONE;
			hole = next;
		}
		next = (next + 1) & mask;
	}
}
