/* SPDX-License-Identifier: MIT */
/* Tests that each moment of a step is given to the right item: computes it again, moment by
 * moment. */
#include <stdlib.h>
#include <string.h>

#include "analyzer/steps/step-share.h"
#include "tests/tap.h"

#define MOST_ITEMS 3000
#define LENGTH     400 /* ns; all is within */
#define STEPS      3

static const struct ra_step steps[STEPS] = {
	{ .start = 10, .end = 100 },
	{ .start = 100, .end = 220 },
	{ .start = 250, .end = 390 },
};

struct sums {
	int64_t of[MOST_ITEMS];
	int64_t in_step[STEPS];
};

static void see(void *context, uint32_t what, size_t step, int64_t from_ns, int64_t to_ns)
{
	struct sums *sums = context;

	sums->of[what] += to_ns - from_ns;
	sums->in_step[step] += to_ns - from_ns;
}

static int compare_starts(const void *left, const void *right)
{
	const struct ra_step_share_item *a = left;
	const struct ra_step_share_item *b = right;

	if (a->start_ns != b->start_ns) {
		return a->start_ns < b->start_ns ? -1 : 1;
	}
	return a->what < b->what ? -1 : 1;
}

/* Which item a moment belongs to; count: none. The items are ordered by start. */
static size_t find_owner(const struct ra_step_share_item *items, size_t count, int64_t time_ns)
{
	size_t owner = count;

	for (size_t i = 0; i < count; i++) {
		const struct ra_step_share_item *item = &items[i];

		if (item->start_ns <= time_ns && time_ns < item->end_ns &&
		    (owner == count || item->role <= items[owner].role)) {
			owner = i; /* of one role the later one */
		}
	}
	return owner;
}

static void test_random(unsigned seed, size_t count, int64_t longest)
{
	struct ra_step_share_item items[MOST_ITEMS] = { 0 };
	struct sums want = { 0 };
	struct sums got = { 0 };
	struct ra_step_share share;

	srand(seed);
	for (size_t i = 0; i < count; i++) {
		items[i].start_ns = rand() % LENGTH;
		items[i].end_ns = items[i].start_ns + rand() % longest;
		items[i].role = (uint32_t) rand() % RA_ROLE_OTHER;
		items[i].what = (uint32_t) i;
	}
	qsort(items, count, sizeof(*items), compare_starts);
	for (size_t step = 0; step < STEPS; step++) {
		for (int64_t at = (int64_t) steps[step].start; at < (int64_t) steps[step].end;
		     at++) {
			const size_t owner = find_owner(items, count, at);

			if (owner < count) {
				want.of[items[owner].what]++;
				want.in_step[step]++;
			}
		}
	}
	ra_step_share_begin(&share, steps, STEPS, see, &got);
	for (size_t i = 0; i < count; i++) {
		ra_step_share_add(&share, &items[i]);
	}
	ra_step_share_end(&share);
	tap_ok(memcmp(&want, &got, sizeof(want)) == 0, "%zu items of up to %d ns, seed %u", count,
	       (int) longest, seed);
}

int main(void)
{
	test_random(1, 0, 10);
	test_random(2, 1, 100);
	for (unsigned seed = 3; seed < 23; seed++) {
		test_random(seed, 20 + seed, 60);
	}
	/* More than are kept when they have ended. */
	test_random(23, MOST_ITEMS, 5);
	test_random(24, MOST_ITEMS, 300);
	return tap_done();
}
