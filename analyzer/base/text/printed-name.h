/* SPDX-License-Identifier: MIT */
/* Finds names by the text that tables print for them: a part of the name, or its shortened
 * form. */
#ifndef RA_PRINTED_NAME_H
#define RA_PRINTED_NAME_H

#include <stdbool.h>
#include <stddef.h>

/*
 * True if a name contains a part. ASCII letters match in any case. The part may be copied from a
 * table: `...` stands for any text, as `*` does; `#` stands for itself or for digits; a number that
 * only distinguishes rows ("... #2", "step # × 20") is ignored.
 *
 * @part: NULL: true for any name.
 */
bool ra_printed_name_is_in(const char *bytes, size_t length, const char *part);

#endif
