/* SPDX-License-Identifier: MIT */
/* Ordered stretches of time in doubles: intersection and difference. */
#ifndef RA_STRETCHES_H
#define RA_STRETCHES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Bounds are doubles, so that the same code serves two uses: figures in µs that must equal another
 * tool's, rounding included, and our own in ns. Whole numbers below 2^53 are exact.
 */
struct ra_stretch {
	double start;
	double end;
	double value; /* set only where a function says so; else 0 */
};

/* Zero-initialise. */
struct ra_stretches {
	struct ra_stretch *rows; /* owned */
	size_t count;
	size_t capacity;
};

void ra_stretches_fini(struct ra_stretches *list);

/* Appends a stretch. */
void ra_stretches_add(struct ra_stretches *list, double start, double end, double value);

/* Adds a stretch, with value 0, to a list that comes ordered by start and will be merged. If the
 * new stretch overlaps or touches the last one, both are joined. */
void ra_stretches_join(struct ra_stretches *list, double start, double end);

/* Merges a list: sorts it by start, and joins stretches that overlap or touch. A stretch that ends
 * before its start is removed. */
void ra_stretches_merge(struct ra_stretches *list);

/* Appends to `out` the intersection of both lists, with the values of `a`. Both must be merged, or
 * at least ordered and disjoint. */
void ra_stretches_intersect(struct ra_stretches *out, const struct ra_stretches *a,
                            const struct ra_stretches *b);

/* Gives the stretches of the intersection of `a` and `b` one by one. @i, @k: where in a and in b to
 * begin; each call advances them. Return: false if there is none left. */
bool ra_stretches_find_common(const struct ra_stretches *a, const struct ra_stretches *b, size_t *i,
                              size_t *k, struct ra_stretch *common);

/* Subtracts `holes` from `left` and empties `holes`. Both must be ordered and disjoint. Memory: the
 * array of the longer list grows by one place for each stretch of the shorter list. */
void ra_stretches_take(struct ra_stretches *left, struct ra_stretches *holes);

/* The sum of the lengths, added in order. */
double ra_stretches_sum(const struct ra_stretches *list);

/* State for the pieces between neighbouring starts and ends, one after the other. */
struct ra_stretches_sums {
	const struct ra_stretch *rows; /* borrowed */
	size_t count;
	uint32_t *begins; /* owned; their order by start. NULL: the rows are in this order */
	uint32_t *ends;   /* owned; their order by end */
	size_t begin;     /* the next start, and the next end */
	size_t end;
	double value; /* sum of the values of the stretches that are open now */
	double time;  /* all pieces before this time have been given */
};

void ra_stretches_sums_init(struct ra_stretches_sums *sums, const struct ra_stretches *in);
void ra_stretches_sums_fini(struct ra_stretches_sums *sums);

/*
 * Gives the next piece, and the sum of the values of the stretches open in it, capped at 1. Pieces
 * in which no stretch is open are left out. The sum is updated at each start and end, so it may
 * contain a rounding error.
 *
 * Return: false if there is none left.
 */
bool ra_stretches_sums_next(struct ra_stretches_sums *sums, struct ra_stretch *piece);

#endif
