/* SPDX-License-Identifier: MIT */
/* Handles the terminal on standard output: its width, colours, and a pager for long output. */
#ifndef RA_CMD_SCREEN_H
#define RA_CMD_SCREEN_H

#include <stdbool.h>
#include <stddef.h>

/* Handles --color=WHEN and --no-pager. Sets *is_taken if it was one of these. Return: 0,
 * RA_CMD_USAGE. */
int ra_cmd_screen_take(const char *word, bool *is_taken);

/* Returns the columns of the terminal, even after the pager has started; 0: standard output is no
 * terminal. */
size_t ra_cmd_screen_width(void);

/* Returns the columns of output for users: those of the terminal. For a pipe or file:
 * $RANGES_WIDTH, else 120. 0: no limit. */
size_t ra_cmd_screen_text_width(void);

/* True if output for users is coloured: on a terminal, unless NO_COLOR is set. */
bool ra_cmd_screen_has_color(void);

/* Starts the pager on a terminal: standard output and standard error go to $RANGES_PAGER, $PAGER or
 * less. Call it before the first output for users. An empty value or "cat" means no pager. */
void ra_cmd_screen_page(void);

/* Waits for the pager to end. Call it after standard output has been closed. */
void ra_cmd_screen_end(void);

#endif
