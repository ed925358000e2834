/* SPDX-License-Identifier: MIT */
/* After damage, finds where the next record of the array of records begins with a known key, or
 * where the array ends. */
#ifndef RA_JSON_RECOVER_H
#define RA_JSON_RECOVER_H

#include <stdbool.h>
#include <stddef.h>

/* The start of a record takes at most this many bytes, white space included. With fewer bytes up to
 * the end of the buffer, nobody can tell whether a record begins. */
#define RA_JSON_RECOVER_BYTES 256

struct ra_json_recover {
	/* Keys with which a record may begin, ended by a NULL. A strong key occurs nowhere but in
	 * records. */
	const char *const *strong;
	const char *const *weak;
	const char *begin; /* start of the text in the buffer */
	const char *end;
	const char *from; /* where the search begins */
	const char *odd;  /* where the damage is: the end of the array is searched from here on */
	bool is_end;      /* the buffer contains the end of the whole text */
};

/*
 * Searches a { that is followed by a known key and a colon, or the ] that ends the array. If a
 * colon stands before the {, it begins the value of a key. Then the known key must be strong: such
 * a { can be a record only if the end of the record before it is missing.
 *
 * Return: the bracket. NULL: there is none; recover->from is moved, and the text before it need not
 * be searched again.
 */
const char *ra_json_recover_find(struct ra_json_recover *recover);

/* True if a strong key follows the { at `at`. @end: end of the text in the buffer. */
bool ra_json_recover_begins(const char *const *strong, const char *at, const char *end);

#endif
