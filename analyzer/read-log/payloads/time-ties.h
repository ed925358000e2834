/* SPDX-License-Identifier: MIT */
/* Reads what the program reported about clocks that we can't read: the times that two of them
 * showed at the same moment. */
#ifndef RA_TIME_TIES_H
#define RA_TIME_TIES_H

#include <stdbool.h>
#include <stdint.h>

#include "analyzer/model/model.h"

/* At one moment time domain `from` showed from_time, and `to` showed to_time. */
struct ra_time_tie {
	uint32_t domain; /* domain of NVTX */
	uint64_t from;
	uint64_t to;
	int64_t from_time;
	int64_t to_time;
};

struct ra_time_ties {
	struct ra_time_tie *ties; /* owned; each tie in both directions; ordered by domain, from,
	                             to, from_time */
	size_t count;
	size_t capacity;
};

/* True for functions that report such moments. */
bool ra_time_ties_is_wanted(uint64_t function);

/* Collects the ties. All calls must be in the model. */
void ra_time_ties_init(struct ra_time_ties *ties, const struct ra_model *model);
void ra_time_ties_fini(struct ra_time_ties *ties);

/*
 * Finds the first tie that leads from a time domain to the next other one, in order of their
 * numbers.
 *
 * @at: a tie, 0 at the start; gets where the search goes on.
 * Return: its index, ties->count if there is none. Time: O(n) in the ties skipped.
 */
size_t ra_time_ties_next(const struct ra_time_ties *ties, uint32_t domain, uint64_t from,
                         size_t *at);

/*
 * Converts a time to the other time domain, by the group of ties that begins at `first`: between
 * two ties it interpolates linearly, else it takes the difference of the nearest tie.
 */
int64_t ra_time_ties_convert(const struct ra_time_ties *ties, size_t first, int64_t time);

#endif
