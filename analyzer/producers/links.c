/* SPDX-License-Identifier: MIT */
/* Finds the ids that link a producer's calls to the work that they launched. */
#include "analyzer/producers/links.h"

#include <string.h>

#include "analyzer/rows/kineto-number.h"

/* Reads an id: a number, or a text that is a number. Return: false if the event has no id. */
static bool read_id(const struct ra_links *links, uint32_t event, int64_t *id)
{
	for (unsigned i = 0; i < links->key_count; i++) {
		struct ra_kineto_value value;
		struct ra_kineto_number number;

		if (!ra_kineto_get(links->kineto, event, links->keys[i], &value)) {
			continue;
		}
		if (value.type == RA_KINETO_INT) {
			*id = value.integer;
			return true;
		}
		if (value.type == RA_KINETO_STRING &&
		    ra_kineto_number_parse(value.text.bytes, value.text.length, &number) &&
		    number.scale == 0) {
			*id = number.digits;
			return true;
		}
	}
	return false;
}

static bool has_producer(const struct ra_kineto *k, const struct ra_producers_row *rows,
                         const char *producer)
{
	for (size_t t = 0; t < k->thread_count; t++) {
		if (rows[t].producer == producer) {
			return true;
		}
	}
	return false;
}

void ra_links_init(struct ra_links *links, const struct ra_kineto *kineto,
                   const struct ra_producers_row *rows)
{
	*links = (struct ra_links){ .kineto = kineto };
	for (const struct ra_producers_key *key = ra_producers_borrow_keys(); key->producer != NULL;
	     key++) {
		if (key->use == RA_PRODUCERS_LINK && links->key_count < RA_LINKS_KEYS &&
		    has_producer(kineto, rows, key->producer)) {
			links->keys[links->key_count++] = key->key;
		}
	}
	for (uint32_t i = 0; i < kineto->count && links->key_count > 0; i++) {
		int64_t id;

		if (kineto->kind[i] == RA_KINETO_OTHER && read_id(links, i, &id)) {
			links->is_shifted |= id == 0;
			links->is_numbered |= id < 0 || id >= RA_KINETO_NONE - 1;
		}
	}
}

void ra_links_fini(struct ra_links *links)
{
	ra_util_map_free(&links->numbers);
}

uint32_t ra_links_find(struct ra_links *links, uint32_t event)
{
	int64_t id;
	uint32_t number;

	if (links->key_count == 0 || !read_id(links, event, &id)) {
		return RA_KINETO_NONE;
	}
	if (!links->is_numbered) {
		return (uint32_t) id + links->is_shifted;
	}
	number = ra_util_map_find(&links->numbers, (uint64_t) id);
	if (number == RA_UTIL_MAP_NONE) {
		number = (uint32_t) links->numbers.count;
		ra_util_map_put(&links->numbers, (uint64_t) id, number);
	}
	return number + 1;
}
