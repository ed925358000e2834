/* SPDX-License-Identifier: MIT */
/* Finds the rows of key_averages() by the keys that identify them. */
#include "analyzer/compat/torch/key-averages.h"

#include <stdlib.h>

#include "analyzer/base/util.h"

/* Finds the number of a key. A new key gets the next number. */
static uint32_t number(struct ra_util_map *map, uint64_t key, uint32_t *count)
{
	const uint32_t found = ra_util_map_find(map, key);

	if (found != RA_UTIL_MAP_NONE) {
		return found;
	}
	ra_util_map_put(map, key, *count);
	return (*count)++;
}

uint32_t ra_key_averages_find(struct ra_key_averages *averages, struct ra_key_finder *finder,
                              uint64_t name, uint32_t shape, uint32_t stack, bool *is_new)
{
	const uint32_t by_name = number(&finder->names, name, &finder->name_count);
	const uint32_t by_shape =
		number(&finder->shapes, (uint64_t) by_name << 32 | shape, &finder->shape_count);
	uint32_t count = (uint32_t) averages->count;
	const uint32_t row = number(&finder->stacks, (uint64_t) by_shape << 32 | stack, &count);

	*is_new = row == averages->count;
	if (*is_new) {
		RA_UTIL_APPEND(averages->rows, averages->count, averages->capacity,
		               (struct ra_key_average){ .calls = 0 });
	}
	return row;
}

void ra_key_averages_fini_finder(struct ra_key_finder *finder)
{
	ra_util_map_free(&finder->names);
	ra_util_map_free(&finder->shapes);
	ra_util_map_free(&finder->stacks);
}

/* An empty list of inputs counts as no information. */
uint32_t ra_key_averages_shape(const struct ra_kineto *kineto, uint32_t event, unsigned by)
{
	uint32_t id;

	if ((by & RA_GROUP_BY_SHAPE) == 0) {
		return 0;
	}
	id = ra_kineto_get_shape(kineto, event);
	return ra_kineto_is_text(kineto, id, "[]") ? 0 : id;
}

uint32_t ra_key_averages_stack(const struct ra_kineto *kineto, uint32_t event, unsigned by)
{
	return (by & RA_GROUP_BY_STACK) != 0
	               ? ra_kineto_get_text(kineto, event, RA_KINETO_ARG_CALL_STACK)
	               : 0;
}

void ra_key_averages_fini(struct ra_key_averages *averages)
{
	free(averages->rows);
	*averages = (struct ra_key_averages){ 0 };
}
