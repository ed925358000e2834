/* SPDX-License-Identifier: MIT */
/* Behind damage: where the next record of an array begins well, or the array ends. */
#ifndef RA_JSON_RECOVER_H
#define RA_JSON_RECOVER_H

#include <stdbool.h>
#include <stddef.h>

/* Bytes that a beginning may take, with white space: at the end of what was read fewer tell
 * nothing. */
#define RA_JSON_RECOVER_BYTES 256

struct ra_json_recover {
	/* Keys that a record may begin with, up to a NULL. `strong` ones stand in nothing else. */
	const char *const *strong;
	const char *const *weak;
	const char *begin; /* of what was read */
	const char *end;
	const char *from; /* to look from */
	const char *odd;  /* the array is not taken to end before it */
	bool is_end;      /* of the whole text */
};

/*
 * Looks for a bracket behind which a known key and a colon stand. Before that of a value (a colon
 * before it) the key must be a strong one: a record that was begun and not ended may stand there.
 * Or for the bracket that ends the array.
 *
 * Return: at the bracket, { or ]; NULL: there is none, and what stands before recover->from, which
 * is moved, need not be looked at again.
 */
const char *ra_json_recover_find(struct ra_json_recover *recover);

/* Whether a strong key stands behind a bracket, {. @end: of what was read. */
bool ra_json_recover_begins(const char *const *strong, const char *at, const char *end);

#endif
