/* SPDX-License-Identifier: MIT */
/* Comparing and searching the strings of a log or trace. */
#ifndef RA_UTIL_STRING_H
#define RA_UTIL_STRING_H

#include <stdbool.h>
#include <string.h>

#include "format/tables.h"

static inline bool ra_util_string_is_same(struct rlog_string a, struct rlog_string b)
{
	return a.length == b.length && (a.length == 0 || memcmp(a.bytes, b.bytes, a.length) == 0);
}

bool ra_util_string_is(struct rlog_string text, const char *word);
bool ra_util_string_has_prefix(struct rlog_string text, const char *prefix);
bool ra_util_string_has_suffix(struct rlog_string text, const char *suffix);
bool ra_util_string_has(struct rlog_string text, const char *part);

/* The pairs of neighbouring bytes that a text contains. If a text lacks a pair of a word's bytes,
 * it lacks the word. */
struct ra_util_string_pairs {
	struct rlog_string text;
	uint64_t bits[64]; /* a bit for each value of 12 bits computed from a pair */
};

/* Prepares a text that is searched for many words. Borrows its bytes. */
void ra_util_string_pairs_init(struct ra_util_string_pairs *pairs, struct rlog_string text);

/* True if the text contains the word, as ra_util_string_has(). */
bool ra_util_string_pairs_has(const struct ra_util_string_pairs *pairs, const char *part,
                              size_t length);

/* Compares by bytes; a prefix comes before the longer string. Return: as memcmp(). */
int ra_util_string_compare(struct rlog_string a, struct rlog_string b);

/* Compares for RA_SORT() structs whose first member is a string. */
int ra_util_string_compare_first(const void *left, const void *right);

/* Hashes by FNV-1a. */
uint64_t ra_util_string_hash(const char *bytes, size_t length);

/*
 * Hashes eight bytes at a time, for texts of hostile files. The seed must be unknown outside, such
 * as an address: then a file can't contain texts that collide. To hash several texts together, pass
 * the hash of the earlier ones as the seed of the next.
 */
uint64_t ra_util_string_hash_seeded(struct rlog_string text, uint64_t seed);

#endif
