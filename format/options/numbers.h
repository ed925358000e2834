/* SPDX-License-Identifier: MIT */
/* Replaces numbers in names by #: "layer 1" and "layer 2" are both shown as "layer #". */
#ifndef RLOG_NUMBERS_H
#define RLOG_NUMBERS_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Writes a name with each of its numbers replaced by #. Digits inside a word are no number, as in
 * conv2d. In names of operators digits at the end of a word are no number either, as in aten::log2.
 *
 * @out: room for `length` bytes; must not overlap the name. Gets no NUL.
 * @written: number of bytes in `out`.
 * Return: whether the name has numbers.
 * Context: any thread; no allocation.
 */
bool rlog_numbers_replace(const char *name, size_t length, char *out, size_t *written);

#endif
