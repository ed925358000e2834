/* SPDX-License-Identifier: MIT */
/* Halves of surrogate pairs in the escapes of JSON, which stand for no character. */
#ifndef RA_KINETO_SURROGATES_H
#define RA_KINETO_SURROGATES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What may be left of a text at most: an escape of a pair, but for its last digit. */
#define RA_KINETO_SURROGATES_REST 11

/*
 * Writes \ufffd over each half of a pair that lacks the other: programs in Python and JavaScript
 * write such for bytes that are no text. No UTF-8 has
 * them.
 *
 * @is_end: nothing follows.
 * @repaired: counts them.
 * Return: how many bytes are done with; the rest, which only what follows can tell the meaning of,
 * is to be given again with that behind it.
 */
size_t ra_kineto_surrogates_repair(char *text, size_t count, bool is_end, uint64_t *repaired);

#endif
