/* SPDX-License-Identifier: MIT */
/* The terminal of `ranges top`: its keys, and what it shows. */
#ifndef RCAP_RANGES_TOP_SCREEN_H
#define RCAP_RANGES_TOP_SCREEN_H

#include <stdbool.h>
#include <stddef.h>

#include "libranges/launcher/top/ranges-top.h"

/*
 * Takes the terminal, until rcap_ranges_top_screen_close() or the end by a signal.
 *
 * @options: borrowed; keys change order and filter. Return: false if it is none that can be written
 * to at any place.
 */
bool rcap_ranges_top_screen_open(struct rcap_ranges_top_options *options);

/* Waits for so long, or for a key. Return: false if the user wants to end it. */
bool rcap_ranges_top_screen_wait(int ms);

/* True while what is shown stays. */
bool rcap_ranges_top_screen_is_paused(void);

/* True once for each time that a snapshot is wanted. */
bool rcap_ranges_top_screen_takes_snapshot(void);

/* Shows a line until the next key. */
void rcap_ranges_top_screen_tell(const char *line);

/* Shows a text, as much as there is room for. @text: owned by the screen from here on. */
void rcap_ranges_top_screen_show(char *text);

/* Gives the terminal back. Safe if it is not open. */
void rcap_ranges_top_screen_close(void);

#endif
