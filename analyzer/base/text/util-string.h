/* SPDX-License-Identifier: MIT */
/* What a string of a log or trace is, begins and ends with, has within. */
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

/* Which pairs of bytes that follow each other a text has: what lacks one of a word's lacks the
 * word. */
struct ra_util_string_pairs {
	struct rlog_string text;
	uint64_t bits[64]; /* by 12 bits made of a pair */
};

/* For a text in which many words are looked for. Borrows its bytes. */
void ra_util_string_pairs_init(struct ra_util_string_pairs *pairs, struct rlog_string text);

/* As ra_util_string_has(). */
bool ra_util_string_pairs_has(const struct ra_util_string_pairs *pairs, const char *part,
                              size_t length);

/* By bytes; what another begins with comes before it. Return: as memcmp(). */
int ra_util_string_compare(struct rlog_string a, struct rlog_string b);

/* The same for RA_SORT() of structs that begin with a string. */
int ra_util_string_compare_first(const void *left, const void *right);

/* FNV-1a. */
uint64_t ra_util_string_hash(const char *bytes, size_t length);

/*
 * Eight bytes at a time, for texts that a hostile file may have: with a seed that nobody outside
 * knows, such as an address, nobody can make texts that meet. Of several texts each but the first
 * takes the hash of those before it as its seed.
 */
uint64_t ra_util_string_hash_seeded(struct rlog_string text, uint64_t seed);

#endif
