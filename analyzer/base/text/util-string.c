/* SPDX-License-Identifier: MIT */
/* Comparing and searching the strings of a log or trace. */
#include "analyzer/base/text/util-string.h"

#include <string.h>

#include "analyzer/base/order/order.h"

bool ra_util_string_is(struct rlog_string text, const char *word)
{
	const size_t length = strlen(word);

	return text.length == length && memcmp(text.bytes, word, length) == 0;
}

bool ra_util_string_has_prefix(struct rlog_string text, const char *prefix)
{
	const size_t length = strlen(prefix);

	return text.length >= length && memcmp(text.bytes, prefix, length) == 0;
}

bool ra_util_string_has_suffix(struct rlog_string text, const char *suffix)
{
	const size_t length = strlen(suffix);

	return text.length >= length &&
	       memcmp(text.bytes + text.length - length, suffix, length) == 0;
}

bool ra_util_string_has(struct rlog_string text, const char *part)
{
	return memmem(text.bytes, text.length, part, strlen(part)) != NULL;
}

static unsigned hash_pair(const char *bytes)
{
	return ((unsigned char) bytes[0] << 5 ^ (unsigned char) bytes[1]) & 0xFFF;
}

void ra_util_string_pairs_init(struct ra_util_string_pairs *pairs, struct rlog_string text)
{
	*pairs = (struct ra_util_string_pairs){ .text = text };
	for (uint32_t i = 0; i + 1 < text.length; i++) {
		const unsigned bit = hash_pair(text.bytes + i);

		pairs->bits[bit / 64] |= UINT64_C(1) << bit % 64;
	}
}

bool ra_util_string_pairs_has(const struct ra_util_string_pairs *pairs, const char *part,
                              size_t length)
{
	for (size_t i = 0; i + 1 < length; i++) {
		const unsigned bit = hash_pair(part + i);

		if ((pairs->bits[bit / 64] >> bit % 64 & 1) == 0) {
			return false;
		}
	}
	return memmem(pairs->text.bytes, pairs->text.length, part, length) != NULL;
}

int ra_util_string_compare(struct rlog_string a, struct rlog_string b)
{
	const size_t common = a.length < b.length ? a.length : b.length;
	const int order = common == 0 ? 0 : memcmp(a.bytes, b.bytes, common);

	return RA_ORDER_THEN(order, RA_ORDER(a.length, b.length));
}

int ra_util_string_compare_first(const void *left, const void *right)
{
	const struct rlog_string *a = left;
	const struct rlog_string *b = right;

	return ra_util_string_compare(*a, *b);
}

uint64_t ra_util_string_hash(const char *bytes, size_t length)
{
	uint64_t value = UINT64_C(0xCBF29CE484222325);

	for (size_t i = 0; i < length; i++) {
		value = (value ^ (unsigned char) bytes[i]) * UINT64_C(0x100000001B3);
	}
	return value;
}

/* Multiplies two 64-bit numbers and mixes both halves of the product. */
static uint64_t mix(uint64_t a, uint64_t b)
{
	__extension__ const unsigned __int128 product = (unsigned __int128) a * b;

	return (uint64_t) product ^ (uint64_t) (product >> 64);
}

uint64_t ra_util_string_hash_seeded(struct rlog_string text, uint64_t seed)
{
	const uint64_t factor = seed ^ UINT64_C(0x9E3779B97F4A7C15);
	uint64_t hash = seed;

	for (size_t i = 0; i < text.length; i += sizeof(uint64_t)) {
		const size_t left = text.length - i;
		uint64_t word = 0;

		memcpy(&word, text.bytes + i, left < sizeof(word) ? left : sizeof(word));
		hash = mix(hash ^ word, factor);
	}
	return mix(hash ^ text.length, seed ^ UINT64_C(0xBF58476D1CE4E5B9));
}
