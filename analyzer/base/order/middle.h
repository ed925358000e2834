/* SPDX-License-Identifier: MIT */
/* The exact median of values that are passed several times and not stored. */
#ifndef RA_MIDDLE_H
#define RA_MIDDLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A block has 1 << RA_MIDDLE_FINE_BITS cells. Their size grows with the value: 64 cells to each
 * power of two. */
#define RA_MIDDLE_FINE_BITS 6
#define RA_MIDDLE_BLOCKS    (65 - RA_MIDDLE_FINE_BITS)

/* How many values are watched. Few, because their counts should stay in a cache. */
#define RA_MIDDLE_WATCHED 2048

/* So many values are collected, then counted together. */
#define RA_MIDDLE_LATER 128

/*
 * The first pass stores the values while they are few, then counts them in cells of 2 to 6 KB in
 * all. The further passes look only at the cell that holds the middle; two are nearly always
 * enough.
 *
 * With is_watched the first pass is mostly enough. It stores 4096 values (32 KB), then counts each
 * value near their middle by itself (8 KB, and half a KB of values that wait).
 *
 * Zero-initialise, then set is_watched or leave it.
 */
struct ra_middle {
	uint64_t watch_low;   /* the lowest watched value */
	uint64_t watch_count; /* how many values from there on are watched; 0: none */
	uint32_t *watch; /* owned: how often each of them came; these are not counted in blocks */
	uint64_t watch_below; /* number of values below watch_low */
	uint64_t watch_added; /* values since the watched counts were last moved to blocks */
	uint32_t *later; /* owned: values that wait to be counted; NULL unless some are watched */
	size_t later_count;
	uint64_t count;    /* all values but those that wait */
	uint64_t **blocks; /* owned: counts of the first pass; NULL where no value fell */
	int64_t *few;      /* owned: all values so far, until there are blocks */
	size_t few_capacity;
	bool is_watched;
	bool has_spilled; /* watched counts were moved to blocks, before one could overflow */
	bool is_done;
	/* For the further passes: the middle is the value of this rank among those from low to
	 * high. */
	uint64_t low;
	uint64_t high;
	uint64_t rank;
	uint64_t inside;
	uint64_t above;  /* the smallest value above high */
	uint64_t *cells; /* owned */
	int64_t *kept;   /* owned: the values inside, if they are few enough to be sorted */
	size_t kept_count;
	unsigned shift; /* a value's cell is (value - low) >> shift */
	int64_t lower;  /* the result: both middle values */
	int64_t upper;
};

void ra_middle_fini(struct ra_middle *middle);

/* Adds a value that can't wait, in the first pass. */
void ra_middle_add_other(struct ra_middle *middle, uint64_t value);

/*
 * Ends a pass. Return: true if another one is needed, of the same values in any order, by
 * ra_middle_narrow().
 */
bool ra_middle_settle(struct ra_middle *middle);

/* Adds a value in a further pass. */
void ra_middle_narrow(struct ra_middle *middle, uint64_t value);

/* The mean of the two middle values, rounded down; 0 without values. Call it after the last
 * pass. */
static inline int64_t ra_middle_value(const struct ra_middle *middle)
{
	return middle->lower + (middle->upper - middle->lower) / 2;
}

/* Counts the values that wait. */
void ra_middle_count_later(struct ra_middle *middle);

/* The index of a value's cell: its block << RA_MIDDLE_FINE_BITS, plus the place in the block. */
static inline uint64_t ra_middle_find_cell(uint64_t value)
{
	/* The number of bits below the fine ones, plus 1. It is 1, too, for values that have fine
	 * bits only. */
	const unsigned scale =
		64u - RA_MIDDLE_FINE_BITS -
		(unsigned) __builtin_clzll(value | UINT64_C(1) << RA_MIDDLE_FINE_BITS);

	return ((uint64_t) (scale - 1) << RA_MIDDLE_FINE_BITS) + (value >> (scale - 1));
}

/* Adds a value, at most INT64_MAX, in the first pass. */
static inline void ra_middle_add(struct ra_middle *middle, uint64_t value)
{
	if (__builtin_expect(middle->later != NULL && value <= UINT32_MAX, 1)) {
		middle->later[middle->later_count++] = (uint32_t) value;
		if (middle->later_count == RA_MIDDLE_LATER) {
			ra_middle_count_later(middle);
		}
		return;
	}
	ra_middle_add_other(middle, value);
}

#endif
