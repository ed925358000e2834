/* SPDX-License-Identifier: MIT */
/* Messages: names of files and words of the command line may hold what a terminal would act on. */
#ifndef CMD_MESSAGES_H
#define CMD_MESSAGES_H

#include "analyzer/base/text/util-text.h"

/*
 * From now on all that is printed to stderr is made harmless first: controls come out as \n, \xNN,
 * but the end of a line at the end of what is printed at once, and the return to its start at the
 * begin. On a terminal lines are folded. Context: main, before anything is printed.
 */
void ra_cmd_messages_begin(void);

/* Prints several lines to stderr. */
void ra_cmd_messages_put_lines(const struct ra_util_text *lines);

/* Prints a name to stdout, made harmless likewise. */
void ra_cmd_messages_put_name(const char *name);

#endif
