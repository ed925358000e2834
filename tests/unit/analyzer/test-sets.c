/* SPDX-License-Identifier: MIT */
/* Tests sets of time, in integers and in doubles: compares them with bitmaps that have a bit for
 * each instant. */
#include <string.h>

#include "analyzer/base/order/intervals.h"
#include "analyzer/base/order/stretches.h"
#include "format/error.h"
#include "tests/tap.h"
#include "tests/unit/analyzer/analyzer-log.h"

#define SPAN  64
#define TRIES 200

/* A set in each of the three forms. */
struct set {
	struct ra_intervals intervals;
	struct ra_stretches stretches;
	bool bits[SPAN];
};

static void make_set(struct set *set, uint64_t *state)
{
	const uint64_t count = analyzer_log_roll(state, 7);

	memset(set, 0, sizeof(*set));
	for (uint64_t i = 0; i < count; i++) {
		const int64_t start = (int64_t) analyzer_log_roll(state, SPAN);
		const int64_t end =
			start + (int64_t) analyzer_log_roll(state, (uint64_t) (SPAN - start));

		ra_intervals_add(&set->intervals, start, end);
		ra_stretches_add(&set->stretches, (double) start, (double) end, 0);
		memset(set->bits + start, true, (size_t) (end - start));
	}
	ra_intervals_unite(&set->intervals);
	ra_stretches_merge(&set->stretches);
}

static void free_set(struct set *set)
{
	ra_intervals_fini(&set->intervals);
	ra_stretches_fini(&set->stretches);
}

/* How many instants are in the first set and, as told, in the second one or not. */
static int64_t count_bits(const struct set *a, const struct set *b, bool in_b)
{
	int64_t count = 0;

	for (size_t i = 0; i < SPAN; i++) {
		count += a->bits[i] && b->bits[i] == in_b;
	}
	return count;
}

/* True if rows are in order and neither overlap nor touch. */
static bool is_united(const struct set *set)
{
	bool good = true;

	for (size_t i = 1; i < set->intervals.count; i++) {
		good &= set->intervals.rows[i - 1].end_ns < set->intervals.rows[i].start_ns;
	}
	for (size_t i = 1; i < set->stretches.count; i++) {
		good &= set->stretches.rows[i - 1].end < set->stretches.rows[i].start;
	}
	return good;
}

static double common_of(const struct set *a, const struct set *b)
{
	struct ra_stretches out = { 0 };
	double sum;

	ra_stretches_intersect(&out, &a->stretches, &b->stretches);
	sum = ra_stretches_sum(&out);
	ra_stretches_fini(&out);
	return sum;
}

/* Takes b's stretches. Return: the sum of what is left of a; -1 if that is not in order. */
static double rest_of(const struct set *a, struct set *b)
{
	struct ra_stretches left = { 0 };
	double sum;

	for (size_t i = 0; i < a->stretches.count; i++) {
		ra_stretches_add(&left, a->stretches.rows[i].start, a->stretches.rows[i].end, 0);
	}
	ra_stretches_take(&left, &b->stretches);
	sum = ra_stretches_sum(&left);
	for (size_t i = 1; i < left.count; i++) {
		sum = left.rows[i - 1].end > left.rows[i].start ? -1 : sum;
	}
	sum = b->stretches.count == 0 && b->stretches.rows == NULL ? sum : -1;
	ra_stretches_fini(&left);
	return sum;
}

static void test_random(void)
{
	uint64_t state = 7;
	int united = 0;
	int lengths = 0;
	int common = 0;
	int rests = 0;
	int sums = 0;

	for (int i = 0; i < TRIES; i++) {
		struct set a;
		struct set b;

		make_set(&a, &state);
		make_set(&b, &state);
		const int64_t both = count_bits(&a, &b, true);
		const int64_t only = count_bits(&a, &b, false);
		const int64_t of_b = count_bits(&b, &b, true);

		united += is_united(&a);
		lengths += ra_intervals_length(&a.intervals) == both + only &&
		           ra_stretches_sum(&a.stretches) == (double) (both + only);
		common += ra_intervals_overlap(&a.intervals, &b.intervals) == both &&
		          common_of(&a, &b) == (double) both;
		rests += rest_of(&a, &b) == (double) only;
		ra_intervals_add_all(&a.intervals, &b.intervals);
		sums += ra_intervals_length(&a.intervals) == only + of_b;
		free_set(&a);
		free_set(&b);
	}
	tap_is_int(united, TRIES, "sets are in order, and nothing in them overlaps or touches");
	tap_is_int(lengths, TRIES, "lengths count each instant once, in integers and in doubles");
	tap_is_int(common, TRIES, "what two sets have in common is in both");
	tap_is_int(rests, TRIES, "what is left is in the first and not in the second");
	tap_is_int(sums, TRIES, "a set and another one hold what either has");
}

/* Sets whose intervals come in order, some of them empty, joined as they come or all at the end. */
static void test_joined(void)
{
	uint64_t state = 7;
	int same = 0;

	for (int i = 0; i < TRIES; i++) {
		struct ra_intervals joined = { 0 };
		struct ra_intervals added = { 0 };
		int64_t start_ns = 0;

		for (uint64_t left = analyzer_log_roll(&state, 9); left-- > 0;) {
			const int64_t end_ns =
				start_ns + (int64_t) analyzer_log_roll(&state, 9) - 2;

			ra_intervals_join(&joined, start_ns, end_ns);
			ra_intervals_add(&added, start_ns, end_ns);
			start_ns += (int64_t) analyzer_log_roll(&state, 5);
		}
		ra_intervals_unite(&added);
		same += joined.count == added.count &&
		        (added.count == 0 ||
		         memcmp(joined.rows, added.rows, added.count * sizeof(*added.rows)) == 0);
		ra_intervals_fini(&joined);
		ra_intervals_fini(&added);
	}
	tap_is_int(same, TRIES, "intervals in order are joined as they come");
}

static void test_edges(void)
{
	struct ra_intervals set = { 0 };
	struct ra_stretches in = { 0 };

	ra_intervals_add(&set, 5, 5);
	ra_intervals_add(&set, 9, 3);
	tap_ok(set.count == 0, "what is empty, or ends before it begins, is left out");
	ra_intervals_add(&set, 10, 20);
	ra_intervals_add(&set, 0, 10);
	tap_ok(set.count == 2, "two that touch are added");
	ra_intervals_unite(&set);
	tap_ok(set.count == 1 && set.rows[0].start_ns == 0 && set.rows[0].end_ns == 20,
	       "... and become one");
	ra_intervals_fini(&set);
	ra_stretches_join(&in, 0, 4);
	ra_stretches_join(&in, 3, 6);
	ra_stretches_join(&in, 8, 9);
	tap_ok(in.count == 2 && in.rows[0].end == 6, "stretches in order are joined as they come");
	ra_stretches_fini(&in);
}

/* Two stretches, one in the other, in either order. */
static void test_sums(bool is_ordered)
{
	struct ra_stretches in = { 0 };
	struct ra_stretches out = { 0 };
	struct ra_stretches_sums sums;
	struct ra_stretch piece;

	ra_stretches_add(&in, is_ordered ? 0 : 4, is_ordered ? 10 : 6, is_ordered ? 0.75 : 0.5);
	ra_stretches_add(&in, is_ordered ? 4 : 0, is_ordered ? 6 : 10, is_ordered ? 0.5 : 0.75);
	ra_stretches_sums_init(&sums, &in);
	while (ra_stretches_sums_next(&sums, &piece)) {
		ra_stretches_add(&out, piece.start, piece.end, piece.value);
	}
	ra_stretches_sums_fini(&sums);
	tap_ok(out.count == 3 && out.rows[0].value == 0.75 && out.rows[1].value == 1 &&
	               out.rows[1].start == 4 && out.rows[1].end == 6 && out.rows[2].value == 0.75,
	       "values of stretches %s are summed piece by piece, and stop at 1",
	       is_ordered ? "in order" : "in disorder");
	ra_stretches_fini(&in);
	ra_stretches_fini(&out);
}

int main(void)
{
	test_random();
	test_joined();
	test_edges();
	test_sums(true);
	test_sums(false);
	return tap_done();
}
