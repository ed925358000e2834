/* SPDX-License-Identifier: MIT */
/* Numbers as text, as printf writes them, for tables with millions of them. */
#ifndef RA_UTIL_DIGITS_H
#define RA_UTIL_DIGITS_H

#include <stddef.h>
#include <stdint.h>

/* Room for any text that these functions write. */
#define RA_UTIL_DIGITS_BYTES 32

/* Writes a number as "%lld" does. Return: bytes written, without a NUL. */
size_t ra_util_digits_put_int(char to[RA_UTIL_DIGITS_BYTES], int64_t number);

/* Writes a number as "%.6g" does, the last digit rounded correctly. Return: bytes written, without
 * a NUL. */
size_t ra_util_digits_put_real(char to[RA_UTIL_DIGITS_BYTES], double real);

#endif
