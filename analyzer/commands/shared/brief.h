/* SPDX-License-Identifier: MIT */
/* --brief[=BYTES]: an answer within a budget, for who pays for each byte of it. */
#ifndef RA_CMD_BRIEF_H
#define RA_CMD_BRIEF_H

#include <stddef.h>

/* Takes the value of --brief, NULL for the usual 4000 bytes. Return: 0, RA_CMD_USAGE. */
int ra_cmd_brief_take(const char *value, size_t *bytes);

#endif
