/* SPDX-License-Identifier: MIT */
/*
 * A program that bench/verdict measures: items of text are parsed, sorted, compressed, multiplied
 * and written, each of these in a range. The items differ in size, but are the same in every run.
 * PERCENT plants more work in one RANGE: it handles this many more elements (0 to 50 %).
 *
 * usage: verdict-work [ITEMS [RANGE PERCENT]]
 *        verdict-work hog SECONDS     (no ranges: takes a core, and the caches, for so long)
 *
 * The defaults are 150 items and nothing planted. Exit: 0, 1 no memory or no file, 2 usage.
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <ranges/nvtx.h>

enum {
	NUMBERS = 1 << 16, /* size of the pool from which all items are taken */
	TEXT_BYTES = 8,    /* bytes of a number: seven digits and a space */
	SORTED = 13000,    /* numbers in a usual item … */
	SORTS = 2,         /* … which are sorted this many times: about 1 ms */
	/* smallest item, in per cent of a usual one; the largest is larger by as much */
	LEAST_PERCENT = 40,
	SIDE = 64, /* rows of the matrices */
	HASHES = 1 << 12,
};

/* The number of elements that each stage handles, as a part of those that are sorted. */
enum {
	PARSED_PARTS = 2,
	COMPRESSED_BYTES = 6,
	ROWS_PARTS = 140,
	WRITTEN_PARTS = 8,
};

static char *text; /* texts of NUMBERS numbers, twice, so that a slice may go beyond the end */
static uint32_t *numbers; /* the values of these numbers */
static uint32_t *sorted;
static uint32_t *spare; /* room for sorting */
static double matrices[3][SIDE][SIDE];
static FILE *output;

static const char *planted = "";
static double planted_share;
/* results are stored here, so that the compiler does not leave out the work */
static volatile uint64_t sink;

static uint64_t next_random(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

static size_t scale(const char *stage, size_t amount)
{
	return strcmp(stage, planted) == 0 ? (size_t) lround((double) amount * (1 + planted_share))
	                                   : amount;
}

/* The number of additional elements with which sorting takes the planted share longer; its time
 * grows as n log n. 0: nothing is planted. */
static size_t find_more(size_t amount)
{
	const double goal =
		((double) scale("sort", amount) - (double) amount) * log((double) amount);
	double more = (double) amount;

	for (int i = 0; i < 20 && goal > 0; i++) {
		more = goal / log(more);
	}
	return goal > 0 ? (size_t) lround(more) : 0;
}

/*
 * Sorts by merging halves, without a branch that depends on the numbers. With glibc's qsort(), some
 * runs took 50 % longer from the third call on, and other runs with the same numbers did not.
 */
/* NOLINTNEXTLINE(misc-no-recursion): as deep as the logarithm of the count */
static void merge_sort(uint32_t *values, size_t count, uint32_t *room)
{
	const size_t middle = count / 2;
	size_t low = 0;
	size_t high = middle;
	size_t at = 0;

	if (count < 2) {
		return;
	}
	merge_sort(values, middle, room);
	merge_sort(values + middle, count - middle, room);
	while (low < middle && high < count) {
		const uint32_t a = values[low];
		const uint32_t b = values[high];
		const size_t is_low = a <= b;

		room[at++] = a <= b ? a : b;
		low += is_low;
		high += 1 - is_low;
	}
	/* The rest of the upper half is at its place already. */
	memcpy(room + at, values + low, (middle - low) * sizeof(*room));
	memcpy(values, room, (at + middle - low) * sizeof(*room));
}

static void parse(const char *from, size_t count)
{
	uint64_t sum = 0;
	char *at = (char *) from;

	nvtxRangePushA("parse");
	for (size_t i = 0; i < count; i++) {
		sum += strtoul(at, &at, 10);
	}
	sink = sum;
	nvtxRangePop();
}

static void sort_once(const uint32_t *from, size_t count)
{
	memcpy(sorted, from, count * sizeof(*from));
	merge_sort(sorted, count, spare);
}

/* The planted elements are sorted separately: if all were sorted at once, some would no longer fit
 * into a cache. */
static void sort(const uint32_t *from, size_t count)
{
	const size_t more = find_more(count);

	nvtxRangePushA("sort");
	for (int i = 0; i < SORTS; i++) {
		sort_once(from, count);
		if (more > 0) {
			sort_once(from, more);
		}
	}
	nvtxRangePop();
	sink = sorted[0];
}

/* Does the work of an LZ compressor: looks for earlier occurrences by a hash of three bytes. */
static void compress(const char *from, size_t bytes)
{
	static uint32_t last[HASHES];
	uint64_t literals = 0;
	uint64_t matched = 0;

	nvtxRangePushA("compress");
	memset(last, 0, sizeof(last));
	for (size_t at = 0; at + 3 < bytes;) {
		const uint32_t three = (uint32_t) (unsigned char) from[at] << 16 |
		                       (uint32_t) (unsigned char) from[at + 1] << 8 |
		                       (unsigned char) from[at + 2];
		const uint32_t hash = three * 2654435761u >> 20;
		const size_t before = last[hash];
		size_t length = 0;

		last[hash] = (uint32_t) at;
		while (before < at && at + length < bytes &&
		       from[before + length] == from[at + length]) {
			length++;
		}
		literals += length < 3;
		matched += length;
		at += length < 3 ? 1 : length;
	}
	sink = literals + matched;
	nvtxRangePop();
}

static void multiply(size_t rows)
{
	nvtxRangePushA("multiply");
	for (size_t row = 0; row < rows; row++) {
		const double *const left = matrices[0][row % SIDE];
		double *const out = matrices[2][row % SIDE];

		memset(out, 0, sizeof(matrices[2][0]));
		for (size_t i = 0; i < SIDE; i++) {
			for (size_t j = 0; j < SIDE; j++) {
				out[j] += left[i] * matrices[1][i][j];
			}
		}
	}
	sink = (uint64_t) matrices[2][0][0];
	nvtxRangePop();
}

static void write_out(size_t count)
{
	nvtxRangePushA("write");
	rewind(output);
	for (size_t i = 0; i < count; i++) {
		fprintf(output, "%u\n", sorted[i % SORTED]);
	}
	fflush(output);
	nvtxRangePop();
}

static void do_item(uint64_t *state)
{
	const uint64_t spread = 2 * (100 - LEAST_PERCENT) + 1;
	const size_t size = SORTED * (LEAST_PERCENT + next_random(state) % spread) / 100;
	const size_t first = next_random(state) % NUMBERS;

	parse(text + first * TEXT_BYTES, scale("parse", size * PARSED_PARTS));
	sort(numbers + first, size);
	compress(text + first * TEXT_BYTES, scale("compress", size * COMPRESSED_BYTES));
	multiply(scale("multiply", size / ROWS_PARTS));
	write_out(scale("write", size / WRITTEN_PARTS));
}

/* Return: 0, -1 without memory or a file. */
static int prepare(uint64_t *state)
{
	text = malloc((size_t) 2 * NUMBERS * TEXT_BYTES + 1);
	numbers = malloc((size_t) 2 * NUMBERS * sizeof(*numbers));
	sorted = calloc(NUMBERS, sizeof(*sorted));
	spare = calloc(NUMBERS, sizeof(*spare));
	output = tmpfile();
	if (text == NULL || numbers == NULL || sorted == NULL || spare == NULL || output == NULL) {
		return -1;
	}
	for (size_t i = 0; i < NUMBERS; i++) {
		numbers[i] = (uint32_t) (1000000 + next_random(state) % 9000000);
		numbers[NUMBERS + i] = numbers[i];
		snprintf(text + i * TEXT_BYTES, TEXT_BYTES + 1, "%u ", numbers[i]);
	}
	memcpy(text + (size_t) NUMBERS * TEXT_BYTES, text, (size_t) NUMBERS * TEXT_BYTES);
	text[(size_t) 2 * NUMBERS * TEXT_BYTES] = '\0';
	for (size_t i = 0; i < SIDE; i++) {
		for (size_t j = 0; j < SIDE; j++) {
			matrices[0][i][j] = (double) (next_random(state) % 100);
			matrices[1][i][j] = (double) (next_random(state) % 100);
		}
	}
	return 0;
}

static void take_core(unsigned seconds)
{
	const time_t end = time(NULL) + (time_t) seconds;
	uint64_t state = 1;

	while (time(NULL) < end) {
		sort(numbers + next_random(&state) % NUMBERS, SORTED);
	}
}

int main(int argc, char **argv)
{
	uint64_t state = 88172645463325252u;
	long items = 150;
	int at = 1;

	if (prepare(&state) != 0) {
		fprintf(stderr, "verdict-work: no memory, or no temporary file\n");
		return 1;
	}
	if (argc > 2 && strcmp(argv[1], "hog") == 0) {
		take_core((unsigned) strtoul(argv[2], NULL, 10));
		return 0;
	}
	if (argc % 2 == 0) {
		items = strtol(argv[at++], NULL, 10);
	}
	if (argc - at == 2) {
		planted = argv[at];
		planted_share = strtod(argv[at + 1], NULL) / 100;
		at += 2;
	}
	if (at != argc || items < 1 || !(planted_share >= 0 && planted_share <= 0.5)) {
		fprintf(stderr, "usage: verdict-work [ITEMS [RANGE PERCENT]]\n");
		return 2;
	}
	for (long i = 0; i < items; i++) {
		do_item(&state);
	}
	return 0;
}
