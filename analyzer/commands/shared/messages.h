/* SPDX-License-Identifier: MIT */
/* Writes messages on stderr. Names of files and words of the command line may contain characters
 * that a terminal acts on. */
#ifndef CMD_MESSAGES_H
#define CMD_MESSAGES_H

#include "analyzer/base/text/util-text.h"

/*
 * Makes everything harmless that is printed to stderr from now on: control characters become \xNN,
 * except a newline at the end of one write, and a carriage return at its start. On a terminal,
 * lines are folded. Context: main, before anything is printed.
 */
void ra_cmd_messages_begin(void);

/* Prints several lines to stderr. */
void ra_cmd_messages_put_lines(const struct ra_util_text *lines);

/* Prints a name to stdout, made harmless in the same way. */
void ra_cmd_messages_put_name(const char *name);

#endif
