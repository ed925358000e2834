/* SPDX-License-Identifier: MIT */
/* The exact median of values that pass by several times and are not kept. */
#ifndef RA_MIDDLE_H
#define RA_MIDDLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Cells of a block; their size grows with the value, 64 to each power of two. */
#define RA_MIDDLE_FINE_BITS 6
#define RA_MIDDLE_BLOCKS    (65 - RA_MIDDLE_FINE_BITS)

/* Values that are watched: so few, because the counts are to stay in a cache. */
#define RA_MIDDLE_WATCHED 2048

/*
 * The first pass keeps the values while they are few, then counts them in cells, 2 to 6 KB of them.
 * The next passes look only into the cell that holds the middle; two are enough for nearly all.
 *
 * With is_watched the first pass is mostly enough: many values are kept, then those near their
 * middle counted each by itself; 32 KB for the one, 8 for the other.
 *
 * Zero is an empty one; set is_watched then, or leave it.
 */
struct ra_middle {
	uint64_t watch_low;   /* what is watched … */
	uint64_t watch_count; /* … is so many values from there on, 0: nothing */
	uint32_t *watch;      /* owned: times that each of them came, which are not in blocks */
	uint64_t watch_below; /* values that lie before */
	uint64_t count;
	uint64_t **blocks; /* owned: of the first pass, NULL where no value fell */
	int64_t *few;      /* owned: all values so far, until there are blocks */
	size_t few_capacity;
	bool is_watched;
	bool has_spilled; /* a count got too large; part of it is in blocks */
	bool is_done;
	/* Of the next passes: the middle is the value of this rank among those from low to high. */
	uint64_t low;
	uint64_t high;
	uint64_t rank;
	uint64_t inside;
	uint64_t above;  /* the least value behind high */
	uint64_t *cells; /* owned */
	int64_t *kept;   /* owned: where so few are inside that they are sorted */
	size_t kept_count;
	unsigned shift; /* of values to cells */
	int64_t lower;  /* what came out */
	int64_t upper;
};

void ra_middle_fini(struct ra_middle *middle);

/* A value of the first pass that is not watched. */
void ra_middle_add_other(struct ra_middle *middle, uint64_t value);

/*
 * A pass is over. Return: true if another one is needed, by ra_middle_narrow(), of the same values
 * in any order.
 */
bool ra_middle_settle(struct ra_middle *middle);

/* A value of a further pass. */
void ra_middle_narrow(struct ra_middle *middle, uint64_t value);

/* The mean of the two middle values, rounded down; 0 if there was none. All passes are over. */
static inline int64_t ra_middle_value(const struct ra_middle *middle)
{
	return middle->lower + (middle->upper - middle->lower) / 2;
}

/* A value that is watched came 2^32 times. */
void ra_middle_spill(struct ra_middle *middle, uint64_t value);

/* The cell of a value: its block, times 1 << RA_MIDDLE_FINE_BITS, and the place in that. */
static inline uint64_t ra_middle_find_cell(uint64_t value)
{
	/* Bits below the fine ones, plus 1; also 1 for values that have fine bits only. */
	const unsigned scale =
		64u - RA_MIDDLE_FINE_BITS -
		(unsigned) __builtin_clzll(value | UINT64_C(1) << RA_MIDDLE_FINE_BITS);

	return ((uint64_t) (scale - 1) << RA_MIDDLE_FINE_BITS) + (value >> (scale - 1));
}

/* A value of the first pass, at most INT64_MAX. */
static inline void ra_middle_add(struct ra_middle *middle, uint64_t value)
{
	if (__builtin_expect(value - middle->watch_low < middle->watch_count, 1)) {
		middle->count++;
		if (__builtin_expect(++middle->watch[value - middle->watch_low] == 0, 0)) {
			ra_middle_spill(middle, value);
		}
		return;
	}
	ra_middle_add_other(middle, value);
}

#endif
