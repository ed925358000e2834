/* SPDX-License-Identifier: MIT */
/* Variables of the program's environment that change all figures. */
#ifndef RA_ENVIRONMENT_H
#define RA_ENVIRONMENT_H

#include <stdbool.h>

#include "format/read/reader.h"

/* What a variable does. */
struct ra_environment_effect {
	const char *key;  /* short */
	const char *text; /* a sentence, without a full stop */
};

#define RA_ENVIRONMENT_EFFECTS 12

/*
 * Those that a log's variables had.
 *
 * @reader: NULL: none.
 * @effects: room for RA_ENVIRONMENT_EFFECTS.
 * Return: their number.
 */
size_t ra_environment_find(const struct rlog_reader *reader,
                           const struct ra_environment_effect **effects);

/* True if each launch waited for its work. */
bool ra_environment_is_blocking(const struct rlog_reader *reader);

#endif
