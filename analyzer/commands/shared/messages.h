/* SPDX-License-Identifier: MIT */
/* Writes messages on stderr. Names of files and words of the command line may contain characters
 * that a terminal acts on. */
#ifndef CMD_MESSAGES_H
#define CMD_MESSAGES_H

#include "analyzer/base/text/util-text.h"

/*
 * Makes everything harmless that is printed to stderr from now on. Control characters become \xNN,
 * except a newline at the end of a write and a carriage return at the start of a write. On a
 * terminal, lines are folded. Context: main, before anything is printed.
 */
void ra_cmd_messages_begin(void);

/* Prints several lines to stderr. */
void ra_cmd_messages_put_lines(const struct ra_util_text *lines);

/* Prints a name to stdout, with control characters as \xNN. */
void ra_cmd_messages_put_name(const char *name);

#endif
