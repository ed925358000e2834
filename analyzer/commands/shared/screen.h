/* SPDX-License-Identifier: MIT */
/* The terminal on standard output: its width, colours, and a pager for long output. */
#ifndef RA_CMD_SCREEN_H
#define RA_CMD_SCREEN_H

#include <stdbool.h>
#include <stddef.h>

/* Handles --color=WHEN and --no-pager. Return: 0, RA_CMD_USAGE; *is_taken: it was one of these. */
int ra_cmd_screen_take(const char *word, bool *is_taken);

/* Columns of the terminal, also after the pager is started; 0: standard output is no terminal. */
size_t ra_cmd_screen_width(void);

/* Columns for output to people: the terminal's; for a pipe or file $RANGES_WIDTH, else 120; 0:
 * no limit. */
size_t ra_cmd_screen_text_width(void);

/* True if output to people is coloured: on a terminal, unless NO_COLOR is set. */
bool ra_cmd_screen_has_color(void);

/* Call before the first byte for people: on a terminal, standard output and standard error go to
 * $RANGES_PAGER, $PAGER or less. An empty value or "cat" means no pager. */
void ra_cmd_screen_page(void);

/* Call after standard output is closed: waits for the pager. */
void ra_cmd_screen_end(void);

#endif
