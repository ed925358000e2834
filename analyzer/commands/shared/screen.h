/* SPDX-License-Identifier: MIT */
/* The terminal that standard output is: its width, colours, and a pager for what is long. */
#ifndef RA_CMD_SCREEN_H
#define RA_CMD_SCREEN_H

#include <stdbool.h>
#include <stddef.h>

/* Takes --color=WHEN and --no-pager. Return: 0, RA_CMD_USAGE; *is_taken: whether it is one. */
int ra_cmd_screen_take(const char *word, bool *is_taken);

/* Columns of the terminal, also once a pager is there; 0: standard output is no
 * terminal. */
size_t ra_cmd_screen_width(void);

/* Columns of what people read: the terminal's; where a pipe or file takes it $RANGES_WIDTH, else
 * 120; 0: as many as need be. */
size_t ra_cmd_screen_text_width(void);

/* True if what people read has colours: on a terminal, unless NO_COLOR is set. */
bool ra_cmd_screen_has_color(void);

/*
 * Before the first byte of what people read: on a terminal it goes to $RANGES_PAGER, $PAGER or
 * less, and so does standard error. An empty text and "cat" are no pager.
 */
void ra_cmd_screen_page(void);

/* When standard output is closed: waits for the pager. */
void ra_cmd_screen_end(void);

#endif
