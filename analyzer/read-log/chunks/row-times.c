/* SPDX-License-Identifier: MIT */
/* Converts the times of a batch's rows. */
#include "analyzer/read-log/chunks/row-times.h"

#include <stdbool.h>
#include <stdlib.h>
#ifdef __x86_64__
#include <immintrin.h>
#endif

#include "analyzer/base/util.h"

void ra_row_times_fini(struct ra_row_times *times)
{
	free(times->ns);
	*times = (struct ra_row_times){ 0 };
}

/* Times are converted in blocks of this many, two or four at once. */
#define BLOCK 64

/* With fewer times, it does not pay to prepare a stretch. */
#define LEAST_ROWS 256

/*
 * A stretch of ticks in which times can be computed fast: ns + floor(d * fraction), where d is the
 * ticks since its begin. The fraction has 64 bits, like that of a segment (clock.h). `start` adds
 * the part of a ns that is left at the begin, also rounded up. So the sum is too high by less than
 * (d + 1) * 2^-64. This is less than 1 / denominator as long as d has only bits of the mask.
 */
struct stretch {
	uint64_t ticks;
	int64_t ns;
	uint64_t whole; /* this and the next four are less than 2^32 */
	uint64_t high;
	uint64_t low;
	uint64_t start_high;
	uint64_t start_low;
	/* d may have these bits; then d is exact, before the segment's end, and less than 2^32 */
	uint64_t mask;
};

/* Prepares a stretch that begins d ticks after the segment's begin. Return: false: that is not
 * possible. */
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

/* Converts a block. Return: false if some times are outside the stretch; then all results are
 * wrong. */
typedef bool convert_block(int64_t *ns, const struct stretch *stretch, const uint64_t *ticks);

#ifdef __x86_64__
__attribute__((target("avx2"))) static bool convert_avx2(int64_t *ns, const struct stretch *stretch,
                                                         const uint64_t *ticks)
{
	const __m256i from = _mm256_set1_epi64x((long long) stretch->ticks);
	const __m256i base = _mm256_set1_epi64x((long long) stretch->ns);
	const __m256i whole = _mm256_set1_epi64x((long long) stretch->whole);
	const __m256i high = _mm256_set1_epi64x((long long) stretch->high);
	const __m256i low = _mm256_set1_epi64x((long long) stretch->low);
	const __m256i start_high = _mm256_set1_epi64x((long long) stretch->start_high);
	const __m256i start_low = _mm256_set1_epi64x((long long) stretch->start_low);
	const uint64_t beyond = ~stretch->mask;
	const __m256i outside = _mm256_set1_epi64x((long long) beyond);
	__m256i all = _mm256_setzero_si256();

	for (size_t i = 0; i < BLOCK; i += 4) {
		const __m256i now = _mm256_loadu_si256((const void *) (ticks + i));
		const __m256i d = _mm256_sub_epi64(now, from);
		const __m256i right = _mm256_add_epi64(_mm256_mul_epu32(d, low), start_low);
		const __m256i left = _mm256_add_epi64(_mm256_mul_epu32(d, high), start_high);
		const __m256i part =
			_mm256_srli_epi64(_mm256_add_epi64(left, _mm256_srli_epi64(right, 32)), 32);
		const __m256i all_ns = _mm256_add_epi64(_mm256_mul_epu32(d, whole), part);

		all = _mm256_or_si256(all, d);
		_mm256_storeu_si256((void *) (ns + i), _mm256_add_epi64(base, all_ns));
	}
	return _mm256_testz_si256(all, outside) != 0;
}

static bool convert_sse2(int64_t *ns, const struct stretch *stretch, const uint64_t *ticks)
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

#endif

static bool convert_plain(int64_t *ns, const struct stretch *stretch, const uint64_t *ticks)
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

/* The function for a block with this index, among those that this machine can run, the fastest
 * first; NULL: there are no more. */
static convert_block *find_way(unsigned index)
{
	static convert_block *const ways[] = {
#ifdef __x86_64__
		convert_avx2,
		convert_sse2,
#endif
		convert_plain,
	};

#ifdef __x86_64__
	index += __builtin_cpu_supports("avx2") ? 0 : 1;
#endif
	return index < sizeof(ways) / sizeof(ways[0]) ? ways[index] : NULL;
}

/* Converts times from the first one on, as long as they are in a stretch. Return: the number of
 * times converted. */
static size_t convert_blocks(convert_block *convert, int64_t *ns,
                             const struct ra_clock_segment *near, const uint64_t *ticks,
                             size_t count)
{
	struct stretch stretch;
	size_t begun = SIZE_MAX; /* where the stretch begins */
	size_t done = 0;

	/* A stretch ends at a power of two, so several may be needed up to the segment's end. */
	while (count >= LEAST_ROWS && done + BLOCK <= count) {
		if (begun != SIZE_MAX && convert(ns + done, &stretch, ticks + done)) {
			done += BLOCK;
			continue;
		}
		if (begun == done || ticks[done] - near->ticks >= near->reach ||
		    !begin_stretch(&stretch, near, ticks[done] - near->ticks)) {
			break;
		}
		begun = done;
	}
	return done;
}

bool ra_row_times_convert_by(unsigned way, int64_t *ns, const struct ra_row_times_source *source,
                             const uint64_t *ticks, size_t count)
{
	const struct ra_clock *clock = source->clock;
	size_t *segment = source->segment;
	convert_block *convert = find_way(way);

	for (size_t i = 0; i < count && convert != NULL;) {
		/* A copy in registers, because most rows are near the same clock point. */
		struct ra_clock_segment near = clock->segments[*segment];
		size_t slow;

		near.mono_ns -= source->zero_ns;
		i += convert_blocks(convert, ns + i, &near, ticks + i, count - i);
		slow = count - i < LEAST_ROWS ? count : i + LEAST_ROWS;
		for (; i < slow && ticks[i] - near.ticks < near.reach; i++) {
			ns[i] = ra_clock_convert_near(&near, ticks[i] - near.ticks);
		}
		if (i < slow) {
			ns[i] = ra_clock_convert(clock, ticks[i], segment) - source->zero_ns;
			i++;
		}
	}
	return convert != NULL;
}

/* The pointer to the segment is in the struct. */
void ra_row_times_convert_some(int64_t *ns, const struct ra_clock *clock, int64_t zero_ns,
                               const uint64_t *ticks, size_t count,
                               size_t *segment) /* NOLINT(readability-non-const-parameter) */
{
	const struct ra_row_times_source source = { clock, zero_ns, segment };

	(void) ra_row_times_convert_by(0, ns, &source, ticks, count);
}

void ra_row_times_convert(struct ra_row_times *times, const struct ra_clock *clock, int64_t zero_ns,
                          const struct rlog_batch *batch, size_t first, size_t *segment)
{
	ra_util_grow(&times->ns, &times->capacity, batch->count, sizeof(*times->ns));
	ra_row_times_convert_some(times->ns + first, clock, zero_ns, batch->ticks + first,
	                          batch->count - first, segment);
}
