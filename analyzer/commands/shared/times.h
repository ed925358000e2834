/* SPDX-License-Identifier: MIT */
/* Reads times in values of options. */
#ifndef RA_CMD_TIMES_H
#define RA_CMD_TIMES_H

#include <stdint.h>

/* Reads a time such as "121ms" or "0.5s", as printed in tables. Without a unit it is in ns. Return:
 * 0, RA_CMD_USAGE with a line on stderr. */
int ra_cmd_times_take(const char *option, const char *word, int64_t *time_ns);

#endif
