/* SPDX-License-Identifier: MIT */
/* Finds where, after damage, the next record of an array begins well, or the array ends. */
#ifndef RA_JSON_RECOVER_H
#define RA_JSON_RECOVER_H

#include <stdbool.h>
#include <stddef.h>

/* The most bytes, white space included, that the start of a record takes. With fewer bytes up to
 * the end of the buffer it can't be told whether one begins. */
#define RA_JSON_RECOVER_BYTES 256

struct ra_json_recover {
	/* Keys that a record may begin with, ended by a NULL. `strong` ones occur nowhere else. */
	const char *const *strong;
	const char *const *weak;
	const char *begin; /* start of the text in the buffer */
	const char *end;
	const char *from; /* where the search begins */
	const char *odd;  /* where the damage is: the array does not end before it */
	bool is_end;      /* the buffer has the end of the whole text */
};

/*
 * Searches a bracket that a known key and a colon follow. If the bracket begins a value (a colon
 * stands before it), the key must be strong: the record around it may have been begun and not
 * ended. Or it searches the bracket that ends the array.
 *
 * Return: the bracket, { or ]. NULL: there is none; recover->from is moved, and the text before it
 * need not be searched again.
 */
const char *ra_json_recover_find(struct ra_json_recover *recover);

/* True if a strong key follows the bracket at `at`, a {. @end: end of the text in the buffer. */
bool ra_json_recover_begins(const char *const *strong, const char *at, const char *end);

#endif
