/* SPDX-License-Identifier: MIT */
/*
 * Sorts rows that are nearly sorted. A run is a stretch of rows in order. Runs are put on a stack,
 * and neighbours are merged until their lengths grow towards the bottom at least like Fibonacci's
 * numbers. So most merges are of runs of similar length. A merge touches only the part where two
 * runs overlap; a binary search finds that part.
 */
#include "analyzer/base/order/run-sort.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/order/order.h"

#define LEAST     16 /* shorter runs are extended by insertion sort */
#define MOST_RUNS 96 /* Fibonacci's 96th number is above 2^64 */

#define AHEAD      8  /* number of rows to fetch early: enough to hide a cache miss */
#define LINE_BYTES 64 /* bytes of a line of the processor's cache */

/* Rows of up to this size are copied to a second array, which takes as much memory again, as in
 * qsort(). Larger rows are not: they are those of the model, which are most of the analyzer's
 * memory. */
#define COPIED_BYTES 32

struct sort {
	uint32_t *indices;
	uint32_t *scratch; /* owned; NULL until the first merge */
	size_t count;
	int (*compare)(const void *context, uint32_t left, uint32_t right);
	const void *context;
	size_t begins[MOST_RUNS + 1]; /* where each run begins, and where the last one ends */
	size_t run_count;
};

static int compare_two(const struct sort *sort, uint32_t left, uint32_t right)
{
	return sort->compare(sort->context, left, right);
}

/* Finds the end of the run that begins at `first`. A shorter run is extended to LEAST rows. */
static size_t find_run(const struct sort *sort, size_t first)
{
	uint32_t *indices = sort->indices;
	const size_t most = sort->count - first < LEAST ? sort->count : first + LEAST;
	size_t end = first + 1;

	while (end < sort->count && compare_two(sort, indices[end - 1], indices[end]) <= 0) {
		end++;
	}
	for (; end < most; end++) {
		const uint32_t index = indices[end];
		size_t place = end;

		while (place > first && compare_two(sort, indices[place - 1], index) > 0) {
			indices[place] = indices[place - 1];
			place--;
		}
		indices[place] = index;
	}
	return end;
}

/* Counts the rows from `first` on that come before `index`. A row that is equal comes before it
 * only if `index` is from the right run. */
static size_t count_before(const struct sort *sort, size_t first, size_t end, uint32_t index,
                           int is_right)
{
	size_t low = first;
	size_t high = end;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (compare_two(sort, sort->indices[middle], index) < is_right) {
			low = middle + 1;
		} else {
			high = middle;
		}
	}
	return low - first;
}

/* Merges the run number `run` with the one after it. */
static void merge(struct sort *sort, size_t run)
{
	uint32_t *indices = sort->indices;
	const size_t middle = sort->begins[run + 1];
	const size_t end = sort->begins[run + 2];
	size_t to = sort->begins[run];
	size_t right = middle;
	size_t left_count;
	size_t right_end;

	to += count_before(sort, to, middle, indices[middle], 1);
	right_end = middle + count_before(sort, middle, end, indices[middle - 1], 0);
	left_count = middle - to;
	if (left_count > 0) {
		if (sort->scratch == NULL) {
			sort->scratch = ra_alloc_bytes(sort->count * sizeof(*sort->scratch));
		}
		memcpy(sort->scratch, indices + to, left_count * sizeof(*indices));
	}
	for (size_t left = 0; left < left_count; to++) {
		const size_t is_left = right == right_end ||
		                       compare_two(sort, sort->scratch[left], indices[right]) <= 0;

		indices[to] = is_left != 0 ? sort->scratch[left] : indices[right];
		left += is_left;
		right += 1 - is_left;
	}
	sort->run_count--;
	memmove(&sort->begins[run + 1], &sort->begins[run + 2],
	        (sort->run_count - run) * sizeof(sort->begins[0]));
}

static size_t measure(const struct sort *sort, size_t run)
{
	return sort->begins[run + 1] - sort->begins[run];
}

/* Merges runs until the lengths on the stack follow the rule above; if is_last, until one run is
 * left. */
static void collapse(struct sort *sort, int is_last)
{
	while (sort->run_count > 1) {
		const size_t n = sort->run_count;
		const size_t last = measure(sort, n - 1);
		const size_t before = measure(sort, n - 2);
		const size_t third = n > 2 ? measure(sort, n - 3) : SIZE_MAX;
		const size_t fourth = n > 3 ? measure(sort, n - 4) : SIZE_MAX;

		if (!is_last && before > last && third > before + last && fourth > third + before) {
			break;
		}
		merge(sort, third < last ? n - 3 : n - 2);
	}
}

// NOLINTNEXTLINE(readability-non-const-parameter): they are moved about, through the struct
void ra_run_sort_indices(uint32_t *indices, size_t count,
                         int (*compare)(const void *context, uint32_t left, uint32_t right),
                         const void *context)
{
	struct sort sort = {
		.indices = indices, .count = count, .compare = compare, .context = context
	};

	for (size_t at = 0; at < count;) {
		at = find_run(&sort, at);
		sort.begins[++sort.run_count] = at;
		collapse(&sort, at == count);
	}
	free(sort.scratch);
}

/* Fills `indices` with the numbers of all rows, ordered by group, then by number. */
static void group_indices(uint32_t *indices, const char *rows, size_t count, size_t row_bytes,
                          const struct ra_run_sort_groups *groups)
{
	size_t *begins = ra_alloc_zeros(groups->count + 1, sizeof(*begins));

	for (size_t i = 0; i < count; i++) {
		begins[groups->find(rows + i * row_bytes) + 1]++;
	}
	for (size_t i = 1; i < groups->count; i++) {
		begins[i] += begins[i - 1];
	}
	for (size_t i = 0; i < count; i++) {
		indices[begins[groups->find(rows + i * row_bytes)]++] = (uint32_t) i;
	}
	free(begins);
}

/* Makes the processor fetch a row that will soon be moved. */
static void fetch_row(const char *row, size_t row_bytes)
{
	for (size_t at = 0; at < row_bytes; at += LINE_BYTES) {
		__builtin_prefetch(row + at);
	}
}

/* Moves each row to its place in the order of the indices, along the cycles of the permutation.
 * Afterwards indices[i] is i. The rows of a cycle are anywhere in memory, so each row is fetched
 * AHEAD moves before it is moved. @room: space for one row. */
static void move_rows(char *rows, size_t count, size_t row_bytes, uint32_t *indices, char *room)
{
	for (size_t first = 0; first < count; first++) {
		size_t to = first;
		size_t ahead = first;

		if (indices[first] == first) {
			continue;
		}
		for (size_t i = 0; i < AHEAD; i++) {
			ahead = indices[ahead];
		}
		memcpy(room, rows + first * row_bytes, row_bytes);
		while (indices[to] != first) {
			const size_t from = indices[to];

			ahead = indices[ahead];
			fetch_row(rows + ahead * row_bytes, row_bytes);
			memcpy(rows + to * row_bytes, rows + from * row_bytes, row_bytes);
			indices[to] = (uint32_t) to;
			to = from;
		}
		memcpy(rows + to * row_bytes, room, row_bytes);
		indices[to] = (uint32_t) to;
	}
}

/* Puts rows in the order of the indices by copying them to a second array. The reads follow the
 * runs and the writes are contiguous, so the processor prefetches, which it can't do in
 * move_rows(). */
static void copy_rows(char *rows, size_t count, size_t row_bytes, const uint32_t *indices)
{
	char *ordered = ra_alloc_bytes(count * row_bytes);

	for (size_t i = 0; i < count; i++) {
		memcpy(ordered + i * row_bytes, rows + indices[i] * row_bytes, row_bytes);
	}
	memcpy(rows, ordered, count * row_bytes);
	free(ordered);
}

/* The context for comparing rows by their indices. */
struct indexed {
	const char *rows;
	size_t row_bytes;
	int (*compare)(const void *left, const void *right);
};

static int compare_indexed(const void *context, uint32_t left, uint32_t right)
{
	const struct indexed *by = context;

	return by->compare(by->rows + left * by->row_bytes, by->rows + right * by->row_bytes);
}

static bool is_sorted(const struct indexed *by, size_t count)
{
	const char *row = by->rows;

	for (size_t i = 1; i < count; i++, row += by->row_bytes) {
		if (by->compare(row, row + by->row_bytes) > 0) {
			return false;
		}
	}
	return true;
}

static void sort_by_index(const struct indexed *by, char *rows, size_t count,
                          const struct ra_run_sort_groups *groups)
{
	uint32_t *indices = ra_alloc_bytes(count * sizeof(*indices));
	char *room = ra_alloc_bytes(by->row_bytes);

	for (size_t i = 0; i < count; i++) {
		indices[i] = (uint32_t) i;
	}
	if (groups != NULL) {
		group_indices(indices, rows, count, by->row_bytes, groups);
	}
	ra_run_sort_indices(indices, count, compare_indexed, by);
	if (by->row_bytes <= COPIED_BYTES) {
		copy_rows(rows, count, by->row_bytes, indices);
	} else {
		move_rows(rows, count, by->row_bytes, indices, room);
	}
	free(indices);
	free(room);
}

void ra_run_sort_rows(void *rows, size_t count, size_t row_bytes,
                      int (*compare)(const void *left, const void *right),
                      const struct ra_run_sort_groups *groups)
{
	const struct indexed by = { rows, row_bytes, compare };

	if (is_sorted(&by, count)) {
		return;
	}
	/* Groups that are more than the rows are mostly empty, and an array of them costs more than
	 * it saves. */
	if (groups != NULL && groups->count > count) {
		groups = NULL;
	}
	if (count > UINT32_MAX) {
		ra_order_sort(rows, count, row_bytes, compare);
	} else {
		sort_by_index(&by, rows, count, groups);
	}
}
