/* SPDX-License-Identifier: MIT */
/* Finds variables in the program's environment that change all figures. */
#ifndef RA_ENVIRONMENT_H
#define RA_ENVIRONMENT_H

#include <stdbool.h>

#include "format/read/reader.h"

/* What a variable changes. */
struct ra_environment_effect {
	const char *key;  /* short name */
	const char *text; /* a sentence, without a full stop */
};

#define RA_ENVIRONMENT_EFFECTS 12

/*
 * Finds the effects of the variables in a log.
 *
 * @reader: NULL: there is no log.
 * @effects: has room for RA_ENVIRONMENT_EFFECTS.
 * Return: the number of effects.
 */
size_t ra_environment_find(const struct rlog_reader *reader,
                           const struct ra_environment_effect **effects);

/* True if each launch waited until its work was done. */
bool ra_environment_is_blocking(const struct rlog_reader *reader);

#endif
