/* SPDX-License-Identifier: MIT */
/* The exact median of values that are passed several times and not stored. */
#ifndef RA_MIDDLE_H
#define RA_MIDDLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* A block has 1 << RA_MIDDLE_FINE_BITS cells. Their size grows with the value: 64 cells to each
 * power of two. */
#define RA_MIDDLE_FINE_BITS 6
#define RA_MIDDLE_BLOCKS    (65 - RA_MIDDLE_FINE_BITS)

/* This many values are watched. They are few, because their counts should stay in a cache. */
#define RA_MIDDLE_WATCHED 2048

/* With is_watched, values up to UINT32_MAX are counted in "near" cells, apart from the blocks.
 * There are 64 near cells for each power of two of value + 1. */
#define RA_MIDDLE_CELLS (32 * 64 + 1)

/* The number of counts with is_watched: one for each watched value, then one for each near cell,
 * and one more. A value above the watched ones is counted one cell higher. So a cell that has
 * values on both sides of the watched ones has a separate count for each side. */
#define RA_MIDDLE_COUNTS (RA_MIDDLE_WATCHED + RA_MIDDLE_CELLS + 1)

/*
 * The first pass stores the values while they are few, then counts them in cells, which take 2 to 6
 * KB in all. The further passes look only at the cell that contains the middle; two further passes
 * are nearly always enough.
 *
 * With is_watched the first pass alone is mostly enough. It stores 1024 values (8 KB). Later values
 * near the middle of these are watched: each of them has a count of its own. All others are counted
 * in cells (8 KB together with the watched counts).
 *
 * Zero-initialise, then set is_watched or leave it.
 */
struct ra_middle {
	uint64_t watch_low; /* the lowest watched value */
	uint16_t *counts;   /* owned: RA_MIDDLE_COUNTS counts; NULL unless values are watched */
	uint64_t *carries;  /* owned: for each of counts, how often it passed UINT16_MAX; NULL: none
	                       did */
	uint64_t count;     /* all values but those in counts; after the first pass, all values */
	uint64_t **blocks;  /* owned: counts of values that are not in counts; NULL where no value
	                       fell */
	int64_t *few;       /* owned: all values so far, until there are blocks */
	size_t few_capacity; /* 0 once there are blocks */
	bool is_watched;
	bool is_done;
	/* For the further passes. The middle is the value with this rank among those from low to
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

/* Adds a value in the first pass, if it is not counted in middle->counts. */
void ra_middle_add_other(struct ra_middle *middle, uint64_t value);

/*
 * Ends a pass. Return: true if another pass is needed. Then the caller passes the same values, in
 * any order, to ra_middle_narrow().
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

/* Counts an overflow: one of the counts has wrapped to 0. */
void ra_middle_carry(struct ra_middle *middle, const uint16_t *count);

/* The index of a value's cell: its block << RA_MIDDLE_FINE_BITS, plus the place in the block. */
static inline uint64_t ra_middle_find_cell(uint64_t value)
{
	/* 1 + the number of bits below the fine bits. It is 1 also for a value that has no bits
	 * above the fine bits. */
	const unsigned scale =
		64u - RA_MIDDLE_FINE_BITS -
		(unsigned) __builtin_clzll(value | UINT64_C(1) << RA_MIDDLE_FINE_BITS);

	return ((uint64_t) (scale - 1) << RA_MIDDLE_FINE_BITS) + (value >> (scale - 1));
}

/* Returns the near cell of a value. For watched middles. */
static inline uint64_t ra_middle_find_near_cell(uint64_t value)
{
	/* The exponent of a double and the first 6 bits of its fraction. */
	const double exact = (double) (int64_t) (value + 1);
	uint64_t bits;

	memcpy(&bits, &exact, sizeof(bits));
	return (bits >> 46) - (UINT64_C(1023) << RA_MIDDLE_FINE_BITS);
}

/* Returns the count to increase for a value, at most UINT32_MAX. If the count wraps to 0, call
 * ra_middle_carry(). Does not branch, because it can't be predicted whether a value is watched. */
static inline uint16_t *ra_middle_find_count(uint16_t *counts, uint64_t watch_low, uint64_t value)
{
	const uint64_t place = value - watch_low;
	uint64_t cell =
		RA_MIDDLE_WATCHED + ra_middle_find_near_cell(value) + 1 - (value < watch_low);

	/* Makes the compiler compute the cell in both cases, so that it chooses without a
	 * branch. */
	__asm__("" : "+r"(cell));
	return &counts[place < RA_MIDDLE_WATCHED ? place : cell];
}

/* Counts a value in middle->counts. Return: false if it has no place there; then the caller must
 * add it by ra_middle_add_other(). */
static inline bool ra_middle_try_count(struct ra_middle *middle, uint64_t value)
{
	uint16_t *count;

	if (__builtin_expect(middle->counts == NULL || value > UINT32_MAX, 0)) {
		return false;
	}
	count = ra_middle_find_count(middle->counts, middle->watch_low, value);
	if (__builtin_expect(++*count == 0, 0)) {
		ra_middle_carry(middle, count);
	}
	return true;
}

/* Stores a value in middle->few, if there is room. Return: whether it did. */
static inline bool ra_middle_try_store(struct ra_middle *middle, uint64_t value)
{
	if (middle->count >= middle->few_capacity) {
		return false;
	}
	middle->few[middle->count++] = (int64_t) value;
	return true;
}

/* Adds a value, at most INT64_MAX, in the first pass. */
static inline void ra_middle_add(struct ra_middle *middle, uint64_t value)
{
	if (!ra_middle_try_count(middle, value)) {
		ra_middle_add_other(middle, value);
	}
}

#endif
