/* SPDX-License-Identifier: MIT */
/* Tests the items of a page's timeline: merging them one by one gives the same as merging all at
 * the end. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/page/page-pieces.h"
#include "tests/tap.h"

#define ITEMS  300000
#define MOST   24000
#define ROWS   5
#define LANES  6
#define END_NS ((int64_t) 1 << 21)

static struct ra_page_item items[ITEMS];
static struct ra_page_piece merged[ITEMS];
static size_t count;
static uint64_t dice;

static int64_t roll(int64_t sides)
{
	dice = dice * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (int64_t) ((dice >> 33) % (uint64_t) sides);
}

/* Durations and gaps of many sizes, more short ones than long ones. */
static int64_t roll_time(bool is_even)
{
	return is_even ? 900 : roll((int64_t) 1 << (2 + roll(11)));
}

/* @is_even: all are equally long. */
static void make_items(uint64_t seed, size_t wanted, bool is_even)
{
	dice = seed;
	count = 0;
	for (uint32_t row = 0; row < ROWS; row++) {
		int64_t busy_ns[LANES] = { 0 };
		int64_t now_ns = roll(1000);

		for (size_t i = 0; i < wanted / ROWS; i++) {
			uint32_t lane = (uint32_t) roll(LANES);
			struct ra_page_item *item = &items[count];

			now_ns = busy_ns[lane] > now_ns ? busy_ns[lane] : now_ns;
			*item = (struct ra_page_item){ now_ns, roll_time(is_even), (uint32_t) i,
				                       row, lane };
			busy_ns[lane] = now_ns + item->dur_ns;
			now_ns += roll_time(is_even) / LANES;
			count++;
		}
	}
}

/* Merges all items by one T. Return: the number of pieces. */
static size_t merge(int64_t least_ns)
{
	size_t last[ROWS][LANES];
	size_t made = 0;

	memset(last, 0xff, sizeof(last));
	for (size_t i = 0; i < count; i++) {
		const struct ra_page_item *item = &items[i];
		const int64_t end_ns = item->start_ns + item->dur_ns;
		size_t *at = &last[item->row][item->lane];

		if (*at != SIZE_MAX && item->dur_ns < least_ns &&
		    item->start_ns - merged[*at].end_ns < least_ns) {
			merged[*at].end_ns = end_ns;
			merged[*at].count++;
			continue;
		}
		merged[made] = (struct ra_page_piece){ item->start_ns, end_ns,    1,
			                               item->name,     item->row, item->lane };
		*at = item->dur_ns < least_ns ? made : SIZE_MAX;
		made++;
	}
	return made;
}

/* Finds the T of all items. */
static int64_t find_least(void)
{
	int64_t many_ns = 0;
	int64_t few_ns = (END_NS >> 20) + 1;

	if (count <= MOST) {
		return 0;
	}
	while (merge(few_ns) > MOST) {
		many_ns = few_ns;
		few_ns *= 2;
	}
	for (int i = 0; i < 5; i++) {
		const int64_t middle_ns = many_ns + (few_ns - many_ns) / 2;

		if (merge(middle_ns) > MOST) {
			many_ns = middle_ns;
		} else {
			few_ns = middle_ns;
		}
	}
	return few_ns;
}

static bool is_same(const struct ra_page_piece *a, const struct ra_page_piece *b)
{
	return a->start_ns == b->start_ns && a->end_ns == b->end_ns && a->count == b->count &&
	       a->name == b->name && a->row == b->row && a->lane == b->lane;
}

/* Tries the items. Return: false if something differs; *most: the most pieces at a time. */
static bool try_items(size_t *most)
{
	const int64_t least_ns = find_least();
	const size_t made = merge(least_ns);
	struct ra_page_pieces pieces;
	bool same;

	*most = 0;
	ra_page_pieces_init(&pieces, END_NS);
	for (size_t i = 0; i < count; i++) {
		ra_page_pieces_add(&pieces, &items[i]);
		*most = pieces.count > *most ? pieces.count : *most;
	}
	ra_page_pieces_finish(&pieces);
	same = pieces.count == made && pieces.least_ns == least_ns && pieces.item_count == count;
	for (size_t i = 0; i < made && same; i++) {
		same = is_same(&pieces.rows[i], &merged[i]);
	}
	if (!same) {
		tap_diag("%zu items: T %lld, %zu pieces; should be %lld, %zu", count,
		         (long long) pieces.least_ns, pieces.count, (long long) least_ns, made);
	}
	ra_page_pieces_fini(&pieces);
	return same;
}

int main(void)
{
	static const size_t sizes[] = { 5, 23995, 24005, 95995, 96005, 200000, ITEMS };
	size_t most;
	bool same = true;
	bool is_bounded = true;

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		make_items(i + 1, sizes[i], false);
		same &= try_items(&most);
		is_bounded &= most <= (size_t) 4 * MOST;
	}
	tap_ok(same, "merging items as they come gives what merging all of them gives");
	tap_ok(is_bounded, "of any number four times as many as in the end are held");
	make_items(99, ITEMS, true);
	tap_ok(try_items(&most) && most <= (size_t) 4 * MOST, "also if all are equally long");
	return tap_done();
}
