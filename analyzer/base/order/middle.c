/* SPDX-License-Identifier: MIT */
/*
 * The exact median of values that are passed several times and not stored. Each pass finds a
 * smaller interval that contains the middle. After the first pass, the interval is a 64th of a
 * power of two long. Each further pass divides the interval into cells, or sorts all values inside
 * if they are few.
 */
#include "analyzer/base/order/middle.h"

#include <assert.h>
#include <stdlib.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/order/median.h"
#include "analyzer/base/order/order.h"

#define BLOCK ((size_t) 1 << RA_MIDDLE_FINE_BITS)

/* Up to this many values are stored. More are counted in blocks, which then take less memory. */
#define FEW 64

/* If at most this many values are inside the interval, they are sorted instead of counted. */
#define SORTABLE 512

#define MOST_CELL_BITS 12

/* With is_watched, the first MANY values are stored. They decide which values to watch. Once SOME
 * values have come, the array of values is made as large as the counts, because the counts later
 * use the same memory. */
#define MANY 1024
#define SOME 16

void ra_middle_fini(struct ra_middle *middle)
{
	for (size_t i = 0; middle->blocks != NULL && i < RA_MIDDLE_BLOCKS; i++) {
		free(middle->blocks[i]);
	}
	free(middle->blocks);
	free(middle->few);
	free(middle->counts);
	free(middle->carries);
	free(middle->cells);
	free(middle->kept);
	*middle = (struct ra_middle){ 0 };
}

static_assert(MANY * sizeof(int64_t) <= RA_MIDDLE_COUNTS * sizeof(uint16_t),
              "the values fit where their counts will be");

static void grow_few(struct ra_middle *middle)
{
	if (middle->is_watched && middle->few_capacity > 0) {
		middle->few_capacity = MANY;
		middle->few = ra_alloc_resize(middle->few, RA_MIDDLE_COUNTS, sizeof(uint16_t));
		return;
	}
	middle->few_capacity = middle->few_capacity > 0 ? 2 * middle->few_capacity
	                       : middle->is_watched     ? SOME
	                                                : 2;
	middle->few = ra_alloc_resize(middle->few, middle->few_capacity, sizeof(*middle->few));
}

static void add_few(struct ra_middle *middle, uint64_t value)
{
	if (middle->count == middle->few_capacity) {
		grow_few(middle);
	}
	middle->few[middle->count++] = (int64_t) value;
}

/* Counts a value in its cell. */
static void add_cell(struct ra_middle *middle, uint64_t value)
{
	const uint64_t cell = ra_middle_find_cell(value);
	uint64_t **block = &middle->blocks[cell >> RA_MIDDLE_FINE_BITS];

	if (*block == NULL) {
		*block = ra_alloc_zeros(BLOCK, sizeof(**block));
	}
	(*block)[cell & (BLOCK - 1)]++;
}

/* Starts to watch the values around the middle of the first MANY, because later values will be
 * similar. @few: gets a copy of the first values, because the counts take the memory of
 * middle->few. */
static void begin_watch(struct ra_middle *middle, int64_t few[MANY])
{
	uint32_t values[MANY];
	uint32_t high = 0;
	uint64_t low;

	memcpy(few, middle->few, MANY * sizeof(*few));
	for (size_t i = 0; i < MANY; i++) {
		values[i] = few[i] < UINT32_MAX ? (uint32_t) few[i] : UINT32_MAX;
		high = values[i] > high ? values[i] : high;
	}
	low = ra_median_select(values, MANY, 0, high).lower;
	middle->watch_low = low < RA_MIDDLE_WATCHED / 2 ? 0 : low - RA_MIDDLE_WATCHED / 2;
	middle->counts = (void *) middle->few;
	middle->few = NULL;
	memset(middle->counts, 0, RA_MIDDLE_COUNTS * sizeof(*middle->counts));
}

void ra_middle_carry(struct ra_middle *middle, const uint16_t *count)
{
	if (middle->carries == NULL) {
		middle->carries = ra_alloc_zeros(RA_MIDDLE_COUNTS, sizeof(*middle->carries));
	}
	middle->carries[count - middle->counts]++;
}

/* Counts a value, once the blocks have been allocated. */
static void add_counted(struct ra_middle *middle, uint64_t value)
{
	if (!ra_middle_try_count(middle, value)) {
		middle->count++;
		add_cell(middle, value);
	}
}

static void begin_blocks(struct ra_middle *middle)
{
	const size_t count = (size_t) middle->count;
	int64_t many[MANY];
	int64_t *few = middle->few;

	// NOLINTNEXTLINE(bugprone-sizeof-expression): an array of pointers
	middle->blocks = ra_alloc_zeros(RA_MIDDLE_BLOCKS, sizeof(*middle->blocks));
	middle->count = 0;
	if (middle->is_watched) {
		begin_watch(middle, many);
		few = many;
	}
	for (size_t i = 0; i < count; i++) {
		const uint64_t value = (uint64_t) few[i];

		if (middle->counts != NULL && value <= UINT32_MAX) {
			++*ra_middle_find_count(middle->counts, middle->watch_low, value);
		} else {
			add_counted(middle, value);
		}
	}
	free(middle->few);
	middle->few = NULL;
	middle->few_capacity = 0;
}

void ra_middle_add_other(struct ra_middle *middle, uint64_t value)
{
	if (middle->blocks == NULL) {
		if (middle->count < (middle->is_watched ? MANY : FEW)) {
			add_few(middle, value);
			return;
		}
		begin_blocks(middle);
	}
	add_counted(middle, value);
}

static void finish(struct ra_middle *middle, uint64_t lower, uint64_t upper)
{
	const bool has_two = middle->count % 2 == 0;

	middle->lower = (int64_t) lower;
	middle->upper = (int64_t) (has_two ? upper : lower);
	middle->is_done = true;
}

static void finish_sorted(struct ra_middle *middle, int64_t *values, size_t count, uint64_t above)
{
	const size_t rank = (size_t) middle->rank;

	RA_SORT(values, count, ra_order_int64);
	finish(middle, (uint64_t) values[rank],
	       rank + 1 < count ? (uint64_t) values[rank + 1] : above);
}

/* True if both middle values are inside the interval. */
static bool holds_both(const struct ra_middle *middle)
{
	return middle->rank + (middle->count % 2 == 0) < middle->inside;
}

/* Prepares a pass over the values inside the interval. */
static void begin_pass(struct ra_middle *middle)
{
	const uint64_t span = middle->high - middle->low;
	unsigned bits = 4;

	middle->above = UINT64_MAX;
	middle->kept_count = 0;
	if (span == 0) {
		return; /* the lower middle value is known; the pass looks for the upper one, above
		           the interval */
	}
	if (middle->inside <= SORTABLE) {
		middle->kept = ra_alloc_zeros((size_t) middle->inside, sizeof(*middle->kept));
		return;
	}
	while (bits < MOST_CELL_BITS && (UINT64_C(8) << bits) < middle->inside) {
		bits++;
	}
	for (middle->shift = 0; span >> middle->shift >> bits != 0;) {
		middle->shift++;
	}
	middle->cells =
		ra_alloc_zeros((size_t) (span >> middle->shift) + 1, sizeof(*middle->cells));
}

/* Returns the first near cell that counts values above the watched ones. */
static uint64_t find_first_above(const struct ra_middle *middle)
{
	return middle->watch_low == 0 ? 1 : ra_middle_find_near_cell(middle->watch_low - 1) + 1;
}

/* Returns a count in full: the 16 bits in counts, and its overflows in carries. */
static uint64_t find_count(const struct ra_middle *middle, size_t i)
{
	const uint64_t carried = middle->carries != NULL ? middle->carries[i] << 16 : 0;

	return carried + middle->counts[i];
}

static uint64_t sum_counts(const struct ra_middle *middle, size_t from, size_t to)
{
	uint64_t sum = 0;
	size_t at = from;

	for (; to - at >= 4; at += 4) {
		const uint64_t even = UINT64_C(0x0000FFFF0000FFFF);
		uint64_t four;

		memcpy(&four, middle->counts + at, sizeof(four));
		four = (four & even) + (four >> 16 & even); /* two sums, each of two counts */
		sum += (four & UINT32_MAX) + (four >> 32);
	}
	for (; at < to; at++) {
		sum += middle->counts[at];
	}
	for (size_t i = from; middle->carries != NULL && i < to; i++) {
		sum += middle->carries[i] << 16;
	}
	return sum;
}

/* Finds the middle in the watched counts. Return: false if they do not contain both middle
 * values. */
static bool find_watched(struct ra_middle *middle)
{
	const uint64_t lower_rank = (middle->count - 1) / 2;
	const uint64_t upper_rank = middle->count / 2;
	uint64_t below =
		sum_counts(middle, RA_MIDDLE_WATCHED, RA_MIDDLE_WATCHED + find_first_above(middle));
	uint64_t lower = UINT64_MAX;

	if (below > lower_rank) {
		return false;
	}
	for (size_t i = 0; i < RA_MIDDLE_WATCHED; i++) {
		below += find_count(middle, i);
		if (lower == UINT64_MAX && below > lower_rank) {
			lower = middle->watch_low + i;
		}
		if (below > upper_rank) {
			finish(middle, lower, middle->watch_low + i);
			return true;
		}
	}
	return false;
}

/* Returns where the values of a near cell begin. */
static uint64_t find_near_low(uint64_t cell)
{
	const uint64_t power = cell >> RA_MIDDLE_FINE_BITS;
	const uint64_t value = BLOCK + (cell & (BLOCK - 1));

	/* Cells of values below 64 contain one value or none. */
	return (power < RA_MIDDLE_FINE_BITS ? value >> (RA_MIDDLE_FINE_BITS - power)
	                                    : value << (power - RA_MIDDLE_FINE_BITS)) -
	       1;
}

static uint64_t find_near_high(uint64_t cell)
{
	const uint64_t next = find_near_low(cell + 1);

	if (cell < RA_MIDDLE_FINE_BITS * BLOCK) {
		return find_near_low(cell);
	}
	return next > UINT32_MAX ? UINT32_MAX : next - 1; /* larger values are in blocks */
}

/* Adds the watched counts to those of the cells, and finds the cell that holds the middle. Return:
 * false if the middle is above these cells; then middle->rank is the rank among the values above
 * them. */
static bool find_near_cell(struct ra_middle *middle)
{
	uint64_t cells[RA_MIDDLE_CELLS + 1];

	for (uint64_t i = 0; i <= RA_MIDDLE_CELLS; i++) {
		cells[i] = find_count(middle, RA_MIDDLE_WATCHED + i);
	}
	/* Values above the watched ones were counted one cell too high: move their counts to their
	 * own cells. */
	for (uint64_t i = find_first_above(middle); i <= RA_MIDDLE_CELLS; i++) {
		cells[i - 1] += cells[i];
		cells[i] = 0;
	}
	for (uint64_t i = 0; i < RA_MIDDLE_WATCHED; i++) {
		if (find_count(middle, i) > 0) {
			cells[ra_middle_find_near_cell(middle->watch_low + i)] +=
				find_count(middle, i);
		}
	}
	for (uint64_t cell = 0; cell < RA_MIDDLE_CELLS; cell++) {
		if (middle->rank < cells[cell]) {
			middle->inside = cells[cell];
			middle->low = find_near_low(cell);
			middle->high = find_near_high(cell);
			return true;
		}
		middle->rank -= cells[cell];
	}
	return false;
}

/* Finds the middle in the watched counts if it is there, else finds its cell. Return: false if the
 * middle is in the blocks. */
static bool settle_watch(struct ra_middle *middle)
{
	const bool is_found = find_watched(middle) || find_near_cell(middle);

	free(middle->counts);
	free(middle->carries);
	middle->counts = NULL;
	middle->carries = NULL;
	return is_found;
}

/* Adds the watched counts to middle->count. */
static void count_watched(struct ra_middle *middle)
{
	if (middle->counts != NULL) {
		middle->count += sum_counts(middle, 0, RA_MIDDLE_COUNTS);
	}
}

/* Ends the first pass: finds the cell that holds the middle. */
static void settle_blocks(struct ra_middle *middle)
{
	size_t block = 0;
	size_t cell = 0;
	uint64_t inside;

	for (;; cell = (cell + 1) % BLOCK, block += cell == 0) {
		inside = middle->blocks[block] == NULL ? 0 : middle->blocks[block][cell];
		if (middle->rank < inside) {
			break;
		}
		middle->rank -= inside;
	}
	middle->inside = inside;
	middle->low = block == 0 ? cell : (BLOCK + cell) << (block - 1);
	middle->high = middle->low + (block == 0 ? 0 : (UINT64_C(1) << (block - 1)) - 1);
}

/* Ends the first pass, if not all values were stored. */
static void settle_counted(struct ra_middle *middle)
{
	middle->rank = (middle->count - 1) / 2;
	if (middle->counts == NULL || !settle_watch(middle)) {
		settle_blocks(middle);
	}
	for (size_t i = 0; i < RA_MIDDLE_BLOCKS; i++) {
		free(middle->blocks[i]);
		middle->blocks[i] = NULL;
	}
	if (!middle->is_done && middle->low == middle->high && holds_both(middle)) {
		finish(middle, middle->low, middle->low);
	}
}

/* Ends a further pass: finds the cell that holds the middle. */
static void settle_cells(struct ra_middle *middle)
{
	const uint64_t cells = ((middle->high - middle->low) >> middle->shift) + 1;
	const uint64_t end = middle->high;
	uint64_t cell = 0;
	uint64_t last;

	while (middle->rank >= middle->cells[cell]) {
		middle->rank -= middle->cells[cell++];
	}
	middle->inside = middle->cells[cell];
	middle->low += cell << middle->shift;
	last = middle->low + ((UINT64_C(1) << middle->shift) - 1);
	middle->high = last < end ? last : end;
	if (middle->shift == 0) {
		uint64_t upper = middle->low;

		if (!holds_both(middle)) {
			for (cell++; cell < cells && middle->cells[cell] == 0;) {
				cell++;
			}
			upper = cell < cells ? end - (cells - 1 - cell) : middle->above;
		}
		finish(middle, middle->low, upper);
	}
	free(middle->cells);
	middle->cells = NULL;
}

bool ra_middle_settle(struct ra_middle *middle)
{
	count_watched(middle);
	if (middle->is_done || middle->count == 0) {
		return false;
	}
	if (middle->blocks == NULL) {
		middle->rank = (middle->count - 1) / 2;
		finish_sorted(middle, middle->few, (size_t) middle->count, 0);
	} else if (middle->cells != NULL) {
		settle_cells(middle);
	} else if (middle->kept != NULL) {
		finish_sorted(middle, middle->kept, middle->kept_count, middle->above);
	} else if (middle->inside > 0) {
		finish(middle, middle->low, middle->above);
	} else {
		settle_counted(middle);
	}
	if (!middle->is_done) {
		begin_pass(middle);
	}
	return !middle->is_done;
}

void ra_middle_narrow(struct ra_middle *middle, uint64_t value)
{
	if (middle->is_done) {
		return;
	}
	if (value - middle->low > middle->high - middle->low) {
		if (value > middle->high && value < middle->above) {
			middle->above = value;
		}
	} else if (middle->cells != NULL) {
		middle->cells[(value - middle->low) >> middle->shift]++;
	} else if (middle->kept != NULL && middle->kept_count < middle->inside) {
		middle->kept[middle->kept_count++] = (int64_t) value;
	}
}
