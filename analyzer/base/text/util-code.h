/* SPDX-License-Identifier: MIT */
/* Code points of UTF-8, and which of them are controls. */
#ifndef RA_UTIL_CODE_H
#define RA_UTIL_CODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Decodes a well-formed sequence (see ra_util_json_utf8_length). */
uint32_t ra_util_code_read(const char *bytes, size_t length);

/* Ranges of code points, ascending. */
struct ra_util_code_range {
	uint32_t first;
	uint32_t last;
};

bool ra_util_code_is_in(uint32_t code, const struct ra_util_code_range *ranges, size_t count);

/* True for a code point that moves the cursor, changes the direction of writing, or hides text:
 * Unicode's C0, C1, Cf, Zl, Zp. */
bool ra_util_code_is_control(uint32_t code);

#endif
