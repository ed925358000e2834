/* SPDX-License-Identifier: MIT */
/* Limits the size of an answer (--brief[=BYTES]), for readers who pay for each byte. */
#ifndef RA_CMD_BRIEF_H
#define RA_CMD_BRIEF_H

#include <stddef.h>

/* Reads the value of --brief; NULL: the default of 4000 bytes. Return: 0, RA_CMD_USAGE. */
int ra_cmd_brief_take(const char *value, size_t *bytes);

#endif
