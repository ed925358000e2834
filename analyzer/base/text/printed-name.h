/* SPDX-License-Identifier: MIT */
/* Finds names by what tables print of them: a part, or what is left of one that was too long. */
#ifndef RA_PRINTED_NAME_H
#define RA_PRINTED_NAME_H

#include <stdbool.h>
#include <stddef.h>

/*
 * True if a name has a part, letters of ASCII in any case. A part may be as tables print it: `...`
 * stands for any text, as `*` does, `#` for itself and for digits, and a number that only tells
 * rows apart
 * ("... #2", "step # × 20") stands for nothing.
 *
 * @part: NULL: any name has it.
 */
bool ra_printed_name_is_in(const char *bytes, size_t length, const char *part);

#endif
