/* SPDX-License-Identifier: MIT */
/* Finding the spools that programs of this user have left, or still use. */
#ifndef RCAP_RANGES_LEFT_H
#define RCAP_RANGES_LEFT_H

#include <stddef.h>

/*
 * Prints the spools of this user on stdout, a line each: alive, dead, busy or unknown, pid,
 * program, path. Changes nothing.
 *
 * @spool_dir: RANGES_SPOOL_DIR; "": the places that are used without it.
 * Return: their number.
 */
size_t rcap_ranges_left_print(const char *spool_dir);

#endif
