/* SPDX-License-Identifier: MIT */
/* Messages: names of files and words of the command line may hold what a terminal would act on. */
#ifndef CMD_MESSAGES_H
#define CMD_MESSAGES_H

/* From now on all that is printed to stderr is made harmless first: controls but the end of a line
 * and the return to its start come out as \xNN. Context: main, before anything is printed. */
void ra_cmd_messages_begin(void);

/* Prints a name to stdout, made harmless likewise. */
void ra_cmd_messages_put_name(const char *name);

#endif
