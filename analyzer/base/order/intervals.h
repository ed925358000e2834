/* SPDX-License-Identifier: MIT */
/* Sets of instants, as intervals [start, end) that do not overlap. */
#ifndef RA_INTERVALS_H
#define RA_INTERVALS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ra_interval {
	int64_t start_ns;
	int64_t end_ns;
};

/* Zero-initialise. */
struct ra_intervals {
	struct ra_interval *rows; /* owned */
	size_t count;
	size_t capacity;
};

void ra_intervals_fini(struct ra_intervals *set);

/* Appends an interval, in any order. Empty ones are left out. */
void ra_intervals_add(struct ra_intervals *set, int64_t start_ns, int64_t end_ns);

/* Adds an interval to a set whose intervals come ordered by start. If the new interval overlaps or
 * touches the last one, both are joined. */
void ra_intervals_join(struct ra_intervals *set, int64_t start_ns, int64_t end_ns);

/* Sorts the intervals and joins those that overlap or touch. The functions below need a united
 * set. */
void ra_intervals_unite(struct ra_intervals *set);

/* The total length in ns. */
int64_t ra_intervals_length(const struct ra_intervals *set);

/* The time in ns that is in both sets. O(a + b). */
int64_t ra_intervals_overlap(const struct ra_intervals *a, const struct ra_intervals *b);

/* The time in ns of the set that is also in [start, end); 0 if that interval is empty. O(log n +
 * result). */
int64_t ra_intervals_cover(const struct ra_intervals *set, int64_t start_ns, int64_t end_ns);

/* Splits a set by another: the time that is in both goes into `inside`, the rest into `outside`.
 * Both must be empty before. O(a log b + result). */
void ra_intervals_part(const struct ra_intervals *set, const struct ra_intervals *by,
                       struct ra_intervals *inside, struct ra_intervals *outside);

/* Adds the other set's intervals to a set, and unites the result. */
void ra_intervals_add_all(struct ra_intervals *set, const struct ra_intervals *other);

#endif
