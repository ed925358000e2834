/* SPDX-License-Identifier: MIT */
/* Reads what the program reported about clocks that we can't read: the times that two clocks showed
 * at the same moment (a tie). */
#ifndef RA_TIME_TIES_H
#define RA_TIME_TIES_H

#include <stdbool.h>
#include <stdint.h>

#include "analyzer/model/model.h"

/* A tie: at one moment, time domain `from` showed from_time, and `to` showed to_time. */
struct ra_time_tie {
	uint32_t domain; /* NVTX's domain */
	uint64_t from;
	uint64_t to;
	int64_t from_time;
	int64_t to_time;
};

struct ra_time_ties {
	/* owned; each tie is stored in both directions; ordered by domain, from, to, from_time */
	struct ra_time_tie *ties;
	size_t count;
	size_t capacity;
};

/* True for functions that report ties. */
bool ra_time_ties_is_wanted(uint64_t function);

/* Collects the ties. All calls must be in the model already. */
void ra_time_ties_init(struct ra_time_ties *ties, const struct ra_model *model);
void ra_time_ties_fini(struct ra_time_ties *ties);

/*
 * Finds the first tie from a time domain to the next other time domain, in order of the domains'
 * numbers.
 *
 * @at: index at which to search, 0 at the start; gets the index for the next search.
 * Return: the index of the tie; ties->count: there is none. Time: O(n) for n skipped ties.
 */
size_t ra_time_ties_next(const struct ra_time_ties *ties, uint32_t domain, uint64_t from,
                         size_t *at);

/*
 * Converts a time to the other time domain, by the group of ties that begins at `first`. Between
 * two ties, interpolates linearly. Before the first and after the last, uses the difference of the
 * nearest tie.
 */
int64_t ra_time_ties_convert(const struct ra_time_ties *ties, size_t first, int64_t time);

#endif
