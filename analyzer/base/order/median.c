/* SPDX-License-Identifier: MIT */
/*
 * The exact median of many integers. A histogram over the range shows which cell contains the
 * middle; only the values in that cell go on to the next, finer histogram. 32 bits need three
 * rounds at most.
 */
#include "analyzer/base/order/median.h"

#include <string.h>

#define MAX_CELL_BITS 11
#define SORTABLE      32
#define LOG_COUNT     4096 /* with fewer values, logarithmic cells cost more than they save */

/* The values that are left, and the ranks of the two middle values among them. */
struct search {
	uint32_t *values;
	size_t count;
	size_t lower; /* rank of the lower middle value among the values left */
	size_t upper; /* lower or lower + 1 */
	uint32_t low;
	uint32_t high;
	uint32_t next; /* smallest value known to be above all values left */
};

static void sort_few(uint32_t *values, size_t count)
{
	for (size_t i = 1; i < count; i++) {
		const uint32_t value = values[i];
		size_t place = i;

		while (place > 0 && values[place - 1] > value) {
			values[place] = values[place - 1];
			place--;
		}
		values[place] = value;
	}
}

/* Chooses how many low bits to drop, so that the number of cells over the range fits the number of
 * values. */
static unsigned choose_shift(const struct search *s)
{
	unsigned bits = 4;
	unsigned shift = 0;

	while (bits < MAX_CELL_BITS && ((size_t) 1 << bits) < s->count / 4) {
		bits++;
	}
	while ((s->high - s->low) >> shift >> bits != 0) {
		shift++;
	}
	return shift;
}

/* Keeps the values from s->low to s->high and notes the smallest value above. */
static void keep_cell(struct search *s)
{
	const uint32_t low = s->low;
	const uint32_t size = s->high - s->low;
	uint32_t next = s->next;
	size_t kept = 0;

	for (size_t i = 0; i < s->count; i++) {
		const uint32_t value = s->values[i];
		const uint32_t above = value > s->high ? value : UINT32_MAX;

		/* Without a branch, because the processor could not predict whether a value is
		 * kept. */
		s->values[kept] = value;
		kept += value - low <= size;
		next = above < next ? above : next;
	}
	s->next = next;
	s->count = kept;
}

/* Finds the cell of the lower middle value. Changes s->lower and s->upper to ranks within that
 * cell. */
static size_t find_middle(struct search *s, const uint32_t *cells)
{
	size_t below = 0;
	size_t cell = 0;

	while (below + cells[cell] <= s->lower) {
		below += cells[cell++];
	}
	s->lower -= below;
	s->upper -= below;
	return cell;
}

/* Runs one round with cells of equal size. */
static void narrow(struct search *s)
{
	uint32_t cells[1 << MAX_CELL_BITS];
	const unsigned shift = choose_shift(s);
	const size_t used = ((s->high - s->low) >> shift) + (size_t) 1;
	size_t cell;
	uint32_t last;

	memset(cells, 0, used * sizeof(cells[0]));
	for (size_t i = 0; i < s->count; i++) {
		cells[(s->values[i] - s->low) >> shift]++;
	}
	cell = find_middle(s, cells);
	s->low += (uint32_t) (cell << shift);
	last = s->low + ((UINT32_C(1) << shift) - 1);
	s->high = last < s->low || last > s->high ? s->high : last;
	keep_cell(s);
}

/*
 * Logarithmic cells: their size grows with the value, 64 cells for each power of two. Durations
 * spread over many such cells. So a first round with them often leaves a few percent of the values,
 * where cells of equal size would leave most.
 */
#define FINE_BITS 6

static uint32_t find_log_cell(uint32_t value)
{
	/* 1 + the number of bits below the FINE_BITS. It is 1 also for a value that has no bits
	 * above the FINE_BITS. */
	const unsigned scale =
		32u - FINE_BITS - (unsigned) __builtin_clz(value | (1u << FINE_BITS));

	return ((scale - 1) << FINE_BITS) + (value >> (scale - 1));
}

static void narrow_by_log(struct search *s)
{
	uint32_t cells[(33 - FINE_BITS) << FINE_BITS] = { 0 };
	uint32_t low;
	uint32_t cell;
	unsigned bits;

	for (size_t i = 0; i < s->count; i++) {
		cells[find_log_cell(s->values[i])]++;
	}
	cell = (uint32_t) find_middle(s, cells);
	bits = cell >> FINE_BITS;
	low = cell & ((1u << FINE_BITS) - 1);
	if (bits == 0) {
		s->low = low;
		s->high = low;
	} else {
		s->low = (low | 1u << FINE_BITS) << (bits - 1);
		s->high = s->low + ((UINT32_C(1) << (bits - 1)) - 1);
	}
	keep_cell(s);
}

// NOLINTNEXTLINE(readability-non-const-parameter): they are moved about, through the struct
struct ra_median ra_median_select(uint32_t *values, size_t count, uint32_t low, uint32_t high)
{
	struct ra_median median = { 0, 0 };
	struct search s = {
		.values = values,
		.count = count,
		.lower = count == 0 ? 0 : (count - 1) / 2,
		.upper = count / 2,
		.low = low,
		.high = high,
		.next = UINT32_MAX,
	};

	if (count == 0) {
		return median;
	}
	if (s.count > LOG_COUNT && s.low < s.high) {
		narrow_by_log(&s);
	}
	while (s.count > SORTABLE && s.low < s.high) {
		narrow(&s);
	}
	if (s.count <= SORTABLE) {
		sort_few(s.values, s.count);
		median.lower = s.values[s.lower];
		median.upper = s.upper < s.count ? s.values[s.upper] : s.next;
	} else {
		median.lower = s.low;
		median.upper = s.upper < s.count ? s.low : s.next;
	}
	return median;
}
