/* SPDX-License-Identifier: MIT */
/* The times of a batch's rows. */
#include "analyzer/read-log/chunks/row-times.h"

#include <stdbool.h>
#include <stdlib.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "analyzer/base/util.h"

void ra_row_times_fini(struct ra_row_times *times)
{
	free(times->ns);
	*times = (struct ra_row_times){ 0 };
}

/* So many times are converted together, two by two. */
#define BLOCK 64

/* The fewest times for which it pays to prepare that. */
#define LEAST_ROWS 256

/*
 * Times from some ticks on: ns + floor(d * fraction) with d = ticks since then. The fraction has 64
 * bits, as that of a segment (clock.h), and `start` adds what is left of a ns there, rounded up as
 * well. So the sum is too high by less than (d + 1) * 2^-64, which is less than 1 / denominator as
 * long as d fits the mask.
 */
struct stretch {
	uint64_t ticks;
	int64_t ns;
	uint64_t whole; /* all of these below 2^32 */
	uint64_t high;
	uint64_t low;
	uint64_t start_high;
	uint64_t start_low;
	uint64_t mask; /* of those d that are exact, before the segment's end, and below 2^32 */
};

/* Prepares a stretch that begins d ticks after the segment. Return: false if there can be none. */
static bool begin_stretch(struct stretch *stretch, const struct ra_clock_segment *near, uint64_t d)
{
	const unsigned __int128 rest = (unsigned __int128) d * near->rest % near->denominator;
	const uint64_t start = (uint64_t) ((rest << 64) / near->denominator) + 1;
	const uint64_t exact = UINT64_MAX / near->denominator;
	const uint64_t left = near->reach - d;
	const uint64_t room = left < exact ? left : exact;

	if (room < 4 || near->whole > UINT32_MAX) {
		return false;
	}
	*stretch = (struct stretch){
		.ticks = near->ticks + d,
		.ns = ra_clock_convert_near(near, d),
		.whole = near->whole,
		.high = near->fraction >> 32,
		.low = near->fraction & UINT32_MAX,
		.start_high = start >> 32,
		.start_low = start & UINT32_MAX,
		.mask = room > UINT32_MAX ? UINT32_MAX
		                          : (UINT64_C(1) << (62 - __builtin_clzll(room))) - 1,
	};
	return true;
}

/* Converts a block. Return: false if some times are outside of the stretch; then all are wrong. */
#ifdef __SSE2__
static bool convert_block(int64_t *ns, const struct stretch *stretch, const uint64_t *ticks)
{
	const __m128i from = _mm_set1_epi64x((long long) stretch->ticks);
	const __m128i base = _mm_set1_epi64x((long long) stretch->ns);
	const __m128i whole = _mm_set1_epi64x((long long) stretch->whole);
	const __m128i high = _mm_set1_epi64x((long long) stretch->high);
	const __m128i low = _mm_set1_epi64x((long long) stretch->low);
	const __m128i start_high = _mm_set1_epi64x((long long) stretch->start_high);
	const __m128i start_low = _mm_set1_epi64x((long long) stretch->start_low);
	__m128i all = _mm_setzero_si128();
	uint64_t bits[2];

	for (size_t i = 0; i < BLOCK; i += 2) {
		const __m128i d = _mm_sub_epi64(_mm_loadu_si128((const void *) (ticks + i)), from);
		const __m128i right = _mm_add_epi64(_mm_mul_epu32(d, low), start_low);
		const __m128i left = _mm_add_epi64(_mm_mul_epu32(d, high), start_high);
		const __m128i part =
			_mm_srli_epi64(_mm_add_epi64(left, _mm_srli_epi64(right, 32)), 32);
		const __m128i all_ns = _mm_add_epi64(_mm_mul_epu32(d, whole), part);

		all = _mm_or_si128(all, d);
		_mm_storeu_si128((void *) (ns + i), _mm_add_epi64(base, all_ns));
	}
	_mm_storeu_si128((void *) bits, all);
	return ((bits[0] | bits[1]) & ~stretch->mask) == 0;
}
#else
static bool convert_block(int64_t *ns, const struct stretch *stretch, const uint64_t *ticks)
{
	const struct stretch s = *stretch;
	uint64_t all = 0;

	for (size_t i = 0; i < BLOCK; i++) {
		const uint64_t d = ticks[i] - s.ticks;
		const uint64_t x = d & UINT32_MAX;
		const uint64_t right = x * s.low + s.start_low;
		const uint64_t left = x * s.high + s.start_high + (right >> 32);

		all |= d;
		ns[i] = s.ns + (int64_t) (x * s.whole + (left >> 32));
	}
	return (all & ~s.mask) == 0;
}
#endif

/* Converts the first times of many, as long as they are in a stretch. Return: how many. */
static size_t convert_blocks(int64_t *ns, const struct ra_clock_segment *near,
                             const uint64_t *ticks, size_t count)
{
	struct stretch stretch;
	size_t done = 0;

	if (count < LEAST_ROWS || ticks[0] - near->ticks >= near->reach ||
	    !begin_stretch(&stretch, near, ticks[0] - near->ticks)) {
		return 0;
	}
	while (done + BLOCK <= count && convert_block(ns + done, &stretch, ticks + done)) {
		done += BLOCK;
	}
	return done;
}

void ra_row_times_convert_some(int64_t *ns, const struct ra_clock *clock, int64_t zero_ns,
                               const uint64_t *ticks, size_t count, size_t *segment)
{
	for (size_t i = 0; i < count;) {
		/* Most rows are near the same clock point, which then stays in registers. */
		struct ra_clock_segment near = clock->segments[*segment];
		size_t slow;

		near.mono_ns -= zero_ns;
		i += convert_blocks(ns + i, &near, ticks + i, count - i);
		slow = count - i < LEAST_ROWS ? count : i + LEAST_ROWS;
		for (; i < slow && ticks[i] - near.ticks < near.reach; i++) {
			ns[i] = ra_clock_convert_near(&near, ticks[i] - near.ticks);
		}
		if (i < slow) {
			ns[i] = ra_clock_convert(clock, ticks[i], segment) - zero_ns;
			i++;
		}
	}
}

void ra_row_times_convert(struct ra_row_times *times, const struct ra_clock *clock, int64_t zero_ns,
                          const struct rlog_batch *batch, size_t first, size_t *segment)
{
	ra_util_grow(&times->ns, &times->capacity, batch->count, sizeof(*times->ns));
	ra_row_times_convert_some(times->ns + first, clock, zero_ns, batch->ticks + first,
	                          batch->count - first, segment);
}
