/* SPDX-License-Identifier: MIT */
/* A user's rules for names: s/REGEX/REPLACEMENT/ with POSIX extended regular expressions. */
#ifndef RA_RENAME_H
#define RA_RENAME_H

#include <stdbool.h>

#include "analyzer/base/text/util-text.h"
#include "format/error.h"

/* The most replacements by one rule in one name; the rest of the name stays as it is. */
#define RA_RENAME_REPLACEMENTS 1000

struct ra_rename;

/* Return: an empty list of rules. */
struct ra_rename *ra_rename_create(void);

/* NULL is allowed. */
void ra_rename_destroy(struct ra_rename *rename);

/*
 * Appends a rule: s, a delimiter (any character but a letter, digit, blank or backslash), an
 * expression, the delimiter, a replacement, the delimiter, flags. In the replacement, \1 … \9 are
 * the groups of the expression, & and \0 the whole match. \& and \\ stand for & and \, and so does
 * a \ before the delimiter. Flags: g replaces every match instead of the first, i ignores case.
 *
 * Return: 0, -RLOG_E_ARGUMENT (err says what is wrong, without quoting the rule).
 */
int ra_rename_add(struct ra_rename *rename, const char *rule, struct rlog_error *err);

/*
 * Appends the rules of a file, one per line. Empty lines and lines that begin with # are skipped.
 *
 * Return: as ra_rename_add(), or -RLOG_E_SYSTEM. If a line is wrong, the message begins with its
 * number.
 */
int ra_rename_add_file(struct ra_rename *rename, const char *path, struct rlog_error *err);

/*
 * Applies all rules in order, each to the result of those before. If a name contains a zero byte,
 * only the part before it counts.
 *
 * @text: gets the new name if there is one.
 * Return: true if a rule matched.
 */
bool ra_rename_apply(const struct ra_rename *rename, struct rlog_string name,
                     struct ra_util_text *text);

#endif
