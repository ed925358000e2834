/* SPDX-License-Identifier: MIT */
/* The terminal of `ranges top`: its keys and its display. */
#ifndef RCAP_RANGES_TOP_SCREEN_H
#define RCAP_RANGES_TOP_SCREEN_H

#include <stdbool.h>
#include <stddef.h>

#include "libranges/launcher/top/ranges-top.h"

/*
 * Takes over the terminal, until rcap_ranges_top_screen_close() or a signal that ends us.
 *
 * @options: borrowed; keys change its order and filter. Return: false if there is no terminal that
 * can move the cursor.
 */
bool rcap_ranges_top_screen_open(struct rcap_ranges_top_options *options);

/* Waits for that time, or until a key is pressed. Return: false if the user quits. */
bool rcap_ranges_top_screen_wait(int ms);

/* True while the display is frozen. */
bool rcap_ranges_top_screen_is_paused(void);

/* True once for each time that the user asked for a snapshot. */
bool rcap_ranges_top_screen_takes_snapshot(void);

/* Shows a line until the next key is pressed. */
void rcap_ranges_top_screen_tell(const char *line);

/* Shows as much of a text as fits. @text: the screen takes it over and frees it. */
void rcap_ranges_top_screen_show(char *text);

/* Releases the terminal. Safe if it is not open. */
void rcap_ranges_top_screen_close(void);

#endif
