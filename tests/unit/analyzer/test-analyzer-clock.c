/* SPDX-License-Identifier: MIT */
/* Tests the conversion of clocks: compares it with its definition, computed with 128-bit
 * integers. */
#include "analyzer/clock/clock.h"

#include "analyzer/read-log/chunks/row-times.h"
#include "tests/tap.h"

static uint64_t state = 88172645463325252u;

static uint64_t roll(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state;
}

/* floor((t - a) * dm / dt) + m of the segment that holds t, by the book. */
static int64_t convert_naively(const struct rlog_clock_point *points, size_t count, uint64_t ticks)
{
	size_t i = 0;
	__int128 product;
	__int128 ns;
	uint64_t dt;

	while (i + 2 < count && points[i + 1].ticks <= ticks) {
		i++;
	}
	dt = points[i + 1].ticks - points[i].ticks;
	product = ((__int128) ticks - points[i].ticks) *
	          (__int128) (points[i + 1].mono_ns - points[i].mono_ns);
	ns = product / dt;
	if (product < 0 && ns * dt != product) {
		ns--;
	}
	return (int64_t) (ns + points[i].mono_ns);
}

/* Points of a clock with a rate that drifts. Return: their number. */
static size_t make_points(struct rlog_clock_point *points, uint64_t rate)
{
	const size_t count = 2 + roll() % 8;
	uint64_t ticks = roll() % 1000000000000u + rate * 1000;
	uint64_t mono_ns = roll() % 1000000000000u + 1000000000u * UINT64_C(1000);

	for (size_t i = 0; i < count; i++) {
		const uint64_t step_ns = 1000000 + roll() % (roll() % 2 ? 5000000000u : 3000000u);

		points[i] = (struct rlog_clock_point){ .ticks = ticks, .mono_ns = mono_ns };
		mono_ns += step_ns;
		ticks += (uint64_t) ((unsigned __int128) step_ns * rate / 1000000000u) + 1 +
		         roll() % 100;
	}
	return count;
}

static bool agrees(uint64_t rate)
{
	struct rlog_clock_point points[10] = { { 0 } };
	struct ra_clock_source source = { .points = points, .ticks_per_s = rate };
	struct ra_clock clock;
	size_t segment = 0;
	bool same = true;

	source.count = make_points(points, rate);
	ra_clock_init(&clock, &source);
	for (int i = 0; i < 2000 && same; i++) {
		const struct rlog_clock_point *p = &points[roll() % source.count];
		uint64_t ticks = p->ticks + roll() % (2 * rate) - rate / 2;

		if (i % 4 == 0) {
			ticks = p->ticks + roll() % 3 - 1; /* the edges */
		}
		same = ra_clock_convert(&clock, ticks, &segment) ==
		       convert_naively(points, source.count, ticks);
		if (!same) {
			tap_diag("rate %llu, ticks %llu", (unsigned long long) rate,
			         (unsigned long long) ticks);
		}
	}
	ra_clock_fini(&clock);
	return same;
}

static void test_exactness(void)
{
	static const uint64_t rates[] = { 19200000,    24000000,    25000000,
		                          100000000,   1000000000,  2596000000,
		                          2600000000u, 3700000000u, 5000000000u };

	for (size_t r = 0; r < sizeof(rates) / sizeof(rates[0]); r++) {
		bool same = true;

		for (int i = 0; i < 100 && same; i++) {
			same = agrees(rates[r]);
		}
		tap_ok(same, "200000 times of a clock of %llu Hz are exact to the ns",
		       (unsigned long long) rates[r]);
	}
}

/* Times of rows, many together, against those that are converted one by one: near each other, or
 * far, over several points, some of them going back. */
static bool agrees_in_blocks(uint64_t rate)
{
	static uint64_t ticks[4000];
	static int64_t ns[4000];
	const size_t count = 1 + roll() % 4000;
	const uint64_t gap = UINT64_C(1) << roll() % 36;
	struct rlog_clock_point points[10] = { { 0 } };
	struct ra_clock_source source = { .points = points, .ticks_per_s = rate };
	const int64_t zero_ns = (int64_t) (roll() % 1000000000000u);
	struct ra_clock clock;
	size_t segment = 0;
	size_t other = 0;
	const struct ra_row_times_source times = { &clock, zero_ns, &segment };
	bool same = true;

	source.count = make_points(points, rate);
	source.ticks_are_ns = roll() % 8 == 0;
	ra_clock_init(&clock, &source);
	ticks[0] = points[0].ticks + roll() % rate - rate / 4;
	for (size_t i = 1; i < count; i++) {
		ticks[i] = ticks[i - 1] + roll() % gap;
		ticks[i] -= roll() % 1000 == 0 ? roll() % (4 * gap) : 0;
	}
	for (unsigned way = 0; ra_row_times_convert_by(way, ns, &times, ticks, count); way++) {
		for (size_t i = 0; i < count && same; i++) {
			same = ns[i] == ra_clock_convert(&clock, ticks[i], &other) - zero_ns;
		}
		segment = 0;
		other = 0;
	}
	ra_clock_fini(&clock);
	return same;
}

static void test_blocks(void)
{
	bool same = true;

	for (int i = 0; i < 2000 && same; i++) {
		same = agrees_in_blocks(1 + roll() % 5000000000u);
	}
	tap_ok(same, "so are those that are converted many together, in each way");
}

static int64_t convert_once(const struct ra_clock_source *source, uint64_t ticks)
{
	struct ra_clock clock;
	size_t segment = 0;
	int64_t ns;

	ra_clock_init(&clock, source);
	ns = ra_clock_convert(&clock, ticks, &segment);
	ra_clock_fini(&clock);
	return ns;
}

static void test_single(void)
{
	const struct rlog_clock_point points[] = { { .ticks = 1000, .mono_ns = 5000 },
		                                   { .ticks = 1100, .mono_ns = 900000 } };
	struct ra_clock_source source = { .points = points, .count = 1, .ticks_per_s = 2000000000 };

	tap_is_int(convert_once(&source, 3000), 6000, "a single point uses the nominal rate");
	tap_is_int(convert_once(&source, 0), 4500, "also before it");
	source.count = 2;
	tap_is_int(convert_once(&source, 3000), 6000, "points less than 1 ms apart are one point");
	source.ticks_per_s = 0;
	tap_is_int(convert_once(&source, 3000), 7000, "without a rate a tick is a ns");
	source.ticks_are_ns = 1;
	tap_is_int(convert_once(&source, 123), 123, "a monotonic clock needs no conversion");
	source = (struct ra_clock_source){ .ticks_per_s = 500000000,
		                           .origin_ticks = 100,
		                           .origin_ns = 70 };
	tap_is_int(convert_once(&source, 110), 90, "without points the origin is the capture's");
}

static void test_bad_points(void)
{
	const struct rlog_clock_point points[] = {
		{ .ticks = 0, .mono_ns = 0 },
		{ .ticks = 1000000000, .mono_ns = 1000000000 },
		{ .ticks = 1000000001, .mono_ns = 1000500000 }, /* too near */
		{ .ticks = 1500000000, .mono_ns = 900000000 },  /* back in time */
		{ .ticks = 2000000000, .mono_ns = UINT64_MAX },
		{ .ticks = 2000000000, .mono_ns = 2000000000 },
	};
	const struct ra_clock_source source = { .points = points, .count = 6, .ticks_per_s = 1 };
	const struct rlog_clock_point steep[] = {
		{ .ticks = 10, .mono_ns = 0 },
		{ .ticks = 11, .mono_ns = UINT64_C(1) << 59 },
	};
	const struct ra_clock_source steep_source = { .points = steep, .count = 2 };

	tap_is_int(convert_once(&source, 1500000000), 1500000000,
	           "impossible points are passed over");
	tap_is_int(convert_once(&source, 3000000000u), 3000000000, "the last segment goes on");
	tap_is_int(convert_once(&steep_source, UINT64_MAX), INT64_C(1) << 60,
	           "times stop at 2^60 ns");
	tap_is_int(convert_once(&steep_source, 0), -(INT64_C(1) << 60), "also before zero");
}

int main(void)
{
	test_exactness();
	test_blocks();
	test_single();
	test_bad_points();
	return tap_done();
}
