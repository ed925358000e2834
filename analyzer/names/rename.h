/* SPDX-License-Identifier: MIT */
/* A user's rules for names: s/REGEX/REPLACEMENT/ with POSIX extended regular expressions. */
#ifndef RA_RENAME_H
#define RA_RENAME_H

#include <stdbool.h>

#include "analyzer/base/text/util-text.h"
#include "format/error.h"

/* Replacements of one rule in one name; behind them the name stays as it is. */
#define RA_RENAME_REPLACEMENTS 1000

struct ra_rename;

/* Return: rules, none yet. */
struct ra_rename *ra_rename_create(void);

/* NULL is allowed. */
void ra_rename_destroy(struct ra_rename *rename);

/*
 * Appends a rule: s, any delimiter that is no letter, digit, blank or backslash, an expression, the
 * delimiter, a replacement, the delimiter, flags. In the replacement \1 … \9 are the groups of the
 * expression, & and \0 all of the match, \& \\ and \ before the delimiter these characters. Flags:
 * g replaces every match instead of the first, i makes no difference between large and small
 * letters.
 *
 * Return: 0, -RLOG_E_ARGUMENT (err says what is wrong, without the rule).
 */
int ra_rename_add(struct ra_rename *rename, const char *rule, struct rlog_error *err);

/*
 * Appends the rules of a file, one in a line; empty lines and those that begin with # are none.
 *
 * Return: also -RLOG_E_SYSTEM. The message begins with the line where there is one to blame.
 */
int ra_rename_add_file(struct ra_rename *rename, const char *path, struct rlog_error *err);

/*
 * Applies all rules in their order, each to what those before it made. Of a name with a zero byte
 * only what stands before it is looked at.
 *
 * @text: becomes the new name if there is one.
 * Return: true if a rule matched.
 */
bool ra_rename_apply(const struct ra_rename *rename, struct rlog_string name,
                     struct ra_util_text *text);

#endif
