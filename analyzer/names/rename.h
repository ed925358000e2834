/* SPDX-License-Identifier: MIT */
/* Applies a user's rules to names: s/REGEX/REPLACEMENT/ with POSIX extended regular expressions. */
#ifndef RA_RENAME_H
#define RA_RENAME_H

#include <stdbool.h>

#include "analyzer/base/text/util-text.h"
#include "format/error.h"

/* A rule makes at most this many replacements in one name; the rest of the name stays as it is. */
#define RA_RENAME_REPLACEMENTS 1000

struct ra_rename;

/* Return: an empty list of rules. */
struct ra_rename *ra_rename_create(void);

/* NULL is allowed. */
void ra_rename_destroy(struct ra_rename *rename);

/*
 * Appends a rule: s, a delimiter (any character but a letter, digit, blank or backslash), an
 * expression, the delimiter, a replacement, the delimiter, flags. In the replacement, \1 … \9 mean
 * the groups of the expression, & and \0 the whole match. \& and \\ mean the characters & and \; a
 * \ before the delimiter means the delimiter. Flags: g replaces every match instead of the first, i
 * ignores case.
 *
 * Return: 0, -RLOG_E_ARGUMENT (err says what is wrong, without quoting the rule).
 */
int ra_rename_add(struct ra_rename *rename, const char *rule, struct rlog_error *err);

/*
 * Appends the rules of a file, one per line. Empty lines and lines that begin with # are skipped.
 *
 * Return: the values of ra_rename_add(), or -RLOG_E_SYSTEM. If a line is wrong, the message begins
 * with its number.
 */
int ra_rename_add_file(struct ra_rename *rename, const char *path, struct rlog_error *err);

/*
 * Applies all rules in order, each to the result of the rule before. If a name contains a zero
 * byte, only the part before that byte is used.
 *
 * @text: gets the new name if a rule matched.
 * Return: true if a rule matched.
 */
bool ra_rename_apply(const struct ra_rename *rename, struct rlog_string name,
                     struct ra_util_text *text);

#endif
