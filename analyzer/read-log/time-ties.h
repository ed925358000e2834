/* SPDX-License-Identifier: MIT */
/* What the program tells of clocks that nobody here can read: when two of them showed what. */
#ifndef RA_TIME_TIES_H
#define RA_TIME_TIES_H

#include <stdbool.h>
#include <stdint.h>

#include "analyzer/model/model.h"

/* At some moment time domain `from` showed from_time, and `to` to_time. */
struct ra_time_tie {
	uint32_t domain; /* NVTX's */
	uint64_t from;
	uint64_t to;
	int64_t from_time;
	int64_t to_time;
};

struct ra_time_ties {
	struct ra_time_tie
		*ties; /* owned; each in both directions; by domain, from, to, from_time */
	size_t count;
	size_t capacity;
};

/* True for functions that tell of such moments. */
bool ra_time_ties_is_wanted(uint64_t function);

/* Collects them; all calls are in the model. */
void ra_time_ties_init(struct ra_time_ties *ties, const struct ra_model *model);
void ra_time_ties_fini(struct ra_time_ties *ties);

/*
 * The first tie that leads from a time domain to the next other one, in order of their numbers.
 *
 * @at: a tie, 0 to begin with; gets where the search goes on.
 * Return: its index, ties->count if there is none. Time: O(n) in what it skips.
 */
size_t ra_time_ties_next(const struct ra_time_ties *ties, uint32_t domain, uint64_t from,
                         size_t *at);

/*
 * Takes a time to the other time domain of the group of ties that begins at `first`: between two
 * ties on the line between them, else by the difference at the nearest.
 */
int64_t ra_time_ties_convert(const struct ra_time_ties *ties, size_t first, int64_t time);

#endif
