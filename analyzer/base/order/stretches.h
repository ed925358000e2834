/* SPDX-License-Identifier: MIT */
/* Ordered stretches of time in doubles: what they have in common, and what is left. */
#ifndef RA_STRETCHES_H
#define RA_STRETCHES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Bounds are doubles so that one code serves figures in µs that must equal another tool's, rounding
 * included, and our own in ns: whole numbers below 2^53 are exact.
 */
struct ra_stretch {
	double start;
	double end;
	double value; /* only where a function says so; else 0 */
};

/* Zero-initialise. */
struct ra_stretches {
	struct ra_stretch *rows; /* owned */
	size_t count;
	size_t capacity;
};

void ra_stretches_fini(struct ra_stretches *list);

/* Appends. */
void ra_stretches_add(struct ra_stretches *list, double start, double end, double value);

/* The same for stretches that come in order of their starts and will be merged: one that would be
 * joined with the last is. Values are 0. */
void ra_stretches_join(struct ra_stretches *list, double start, double end);

/* Sorts by start and joins what overlaps or touches; a stretch that ends before its start counts
 * as nothing. */
void ra_stretches_merge(struct ra_stretches *list);

/* Appends to `out` what both have in common; values are those of `a`. Both are merged, or at least
 * ordered and disjoint. */
void ra_stretches_intersect(struct ra_stretches *out, const struct ra_stretches *a,
                            const struct ra_stretches *b);

/* One stretch after the other of what ra_stretches_intersect() would append. @i, @k: where in a and
 * in b to begin; moved on. Return: false if there is none left. */
bool ra_stretches_find_common(const struct ra_stretches *a, const struct ra_stretches *b, size_t *i,
                              size_t *k, struct ra_stretch *common);

/* Takes from `left` what is in `holes`, which is empty then; both ordered and disjoint. Memory: a
 * place more for each stretch of the shorter list. */
void ra_stretches_take(struct ra_stretches *left, struct ra_stretches *holes);

/* The sum of lengths, added in order. */
double ra_stretches_sum(const struct ra_stretches *list);

/* The pieces between two ends of stretches, one after the other. */
struct ra_stretches_sums {
	const struct ra_stretch *rows; /* borrowed */
	size_t count;
	uint32_t *begins; /* owned; their order, NULL: as they lie */
	uint32_t *ends;   /* owned */
	size_t begin;     /* the next of each */
	size_t end;
	double value; /* of what is open */
	double time;  /* up to here */
};

void ra_stretches_sums_init(struct ra_stretches_sums *sums, const struct ra_stretches *in);
void ra_stretches_sums_fini(struct ra_stretches_sums *sums);

/*
 * The next piece with the sum of the values of those open then, stopped at 1; pieces with nothing
 * open are left out. The sum is carried along, so in doubles it may keep a residue where nothing is
 * open.
 *
 * Return: false if there is none left.
 */
bool ra_stretches_sums_next(struct ra_stretches_sums *sums, struct ra_stretch *piece);

#endif
