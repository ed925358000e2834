/* SPDX-License-Identifier: MIT */
/* "Did you mean": finds the word of a list that is most like the typed one. */
#ifndef RLOG_NEAREST_H
#define RLOG_NEAREST_H

#include <stddef.h>

#define RLOG_NEAREST_BYTES 64 /* a longer word is similar to none */

struct rlog_nearest {
	const char *word; /* borrowed: the word as typed */
	size_t length;
	const char *best; /* borrowed; NULL: no similar word */
	size_t distance;  /* number of letters to insert, delete or change, and of neighbours to
	                   * swap */
};

/* Starts the search for the first `length` bytes of `word`. */
void rlog_nearest_init(struct rlog_nearest *nearest, const char *word, size_t length);

/* Offers a word of the list. Of two equally near words the first wins. */
void rlog_nearest_offer(struct rlog_nearest *nearest, const char *word);

#endif
