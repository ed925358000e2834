/* SPDX-License-Identifier: MIT */
/* Finds the end of a string, 16 or 32 bytes at a time. */
#include "analyzer/json/json-scan.h"

#include <stddef.h>
#include <stdint.h>

#if defined(__x86_64__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

/* A scan's loads stay within the text and the bytes required after it, because each load begins at
 * or before the NUL. */

static const char *scan_plain(const char *at, bool *has_high)
{
	unsigned char all = 0;

	while (*at != '"' && *at != '\\' && (unsigned char) *at >= 0x20) {
		all |= (unsigned char) *at;
		at++;
	}
	*has_high |= all >= 0x80;
	return at;
}

#if defined(__x86_64__)

static const char *scan_sse2(const char *at, bool *has_high)
{
	const __m128i quote = _mm_set1_epi8('"');
	const __m128i escape = _mm_set1_epi8('\\');
	const __m128i control = _mm_set1_epi8(0x1F);
	unsigned high = 0;

	for (;; at += 16) {
		const __m128i x = _mm_loadu_si128((const __m128i *) (const void *) at);
		const __m128i is_control = _mm_cmpeq_epi8(_mm_min_epu8(x, control), x);
		const __m128i is_mark =
			_mm_or_si128(_mm_cmpeq_epi8(x, quote), _mm_cmpeq_epi8(x, escape));
		const unsigned stops =
			(unsigned) _mm_movemask_epi8(_mm_or_si128(is_mark, is_control));
		const unsigned highs = (unsigned) _mm_movemask_epi8(x);

		if (stops != 0) {
			*has_high |= (high | (highs & ((stops & -stops) - 1))) != 0;
			return at + __builtin_ctz(stops);
		}
		high |= highs;
	}
}

__attribute__((target("avx2"))) static const char *scan_avx2(const char *at, bool *has_high)
{
	const __m256i quote = _mm256_set1_epi8('"');
	const __m256i escape = _mm256_set1_epi8('\\');
	const __m256i control = _mm256_set1_epi8(0x1F);
	unsigned high = 0;

	for (;; at += 32) {
		const __m256i x = _mm256_loadu_si256((const __m256i *) (const void *) at);
		const __m256i is_control = _mm256_cmpeq_epi8(_mm256_min_epu8(x, control), x);
		const __m256i is_mark =
			_mm256_or_si256(_mm256_cmpeq_epi8(x, quote), _mm256_cmpeq_epi8(x, escape));
		const unsigned stops =
			(unsigned) _mm256_movemask_epi8(_mm256_or_si256(is_mark, is_control));
		const unsigned highs = (unsigned) _mm256_movemask_epi8(x);

		if (stops != 0) {
			*has_high |= (high | (highs & ((stops & -stops) - 1))) != 0;
			return at + __builtin_ctz(stops);
		}
		high |= highs;
	}
}

#elif defined(__aarch64__)

/* Makes a mask with four bits for each of 16 bytes, each of which is 0 or 0xFF. */
static uint64_t make_mask(uint8x16_t bytes)
{
	return vget_lane_u64(vreinterpret_u64_u8(vshrn_n_u16(vreinterpretq_u16_u8(bytes), 4)), 0);
}

static const char *scan_neon(const char *at, bool *has_high)
{
	uint64_t high = 0;

	for (;; at += 16) {
		const uint8x16_t x = vld1q_u8((const uint8_t *) at);
		const uint8x16_t is_mark =
			vorrq_u8(vceqq_u8(x, vdupq_n_u8('"')), vceqq_u8(x, vdupq_n_u8('\\')));
		const uint64_t stops = make_mask(vorrq_u8(is_mark, vcltq_u8(x, vdupq_n_u8(0x20))));
		const uint64_t highs = make_mask(vcgeq_u8(x, vdupq_n_u8(0x80)));

		if (stops != 0) {
			*has_high |= (high | (highs & ((stops & -stops) - 1))) != 0;
			return at + __builtin_ctzll(stops) / 4;
		}
		high |= highs;
	}
}

#endif

ra_json_scan *ra_json_scan_get(unsigned index, const char **name)
{
	static const struct {
		const char *name;
		ra_json_scan *scan;
	} ways[] = {
#if defined(__x86_64__)
		{ "AVX2", scan_avx2 },
		{ "SSE2", scan_sse2 },
#elif defined(__aarch64__)
		{ "NEON", scan_neon },
#endif
		{ "plain C", scan_plain },
	};

#if defined(__x86_64__)
	index += __builtin_cpu_supports("avx2") ? 0 : 1;
#endif
	if (index >= sizeof(ways) / sizeof(ways[0])) {
		return NULL;
	}
	if (name != NULL) {
		*name = ways[index].name;
	}
	return ways[index].scan;
}
