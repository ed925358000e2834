/* SPDX-License-Identifier: MIT */
/* Numbers as text, as printf writes them, for tables with millions of them. */
#include "analyzer/base/text/util-digits.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define DIGITS 6
#define LOWEST 100000  /* the lowest number that has DIGITS digits */
#define BEYOND 1000000 /* the lowest number with one digit more */

/* Powers of ten that doubles hold exactly. */
static const double powers[] = { 1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
	                         1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
	                         1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22 };

#define LAST_POWER ((int) (sizeof(powers) / sizeof(powers[0])) - 1)

static size_t put_unsigned(char *to, uint64_t number)
{
	char digits[24];
	size_t count = 0;

	do {
		digits[count++] = (char) ('0' + number % 10);
		number /= 10;
	} while (number != 0);
	for (size_t i = 0; i < count; i++) {
		to[i] = digits[count - 1 - i];
	}
	return count;
}

size_t ra_util_digits_put_int(char to[RA_UTIL_DIGITS_BYTES], int64_t number)
{
	if (number >= 0) {
		return put_unsigned(to, (uint64_t) number);
	}
	to[0] = '-';
	return 1 + put_unsigned(to + 1, 0 - (uint64_t) number);
}

/* Computes size × 10^power, rounded once. Return: false if that needs a power of ten that no double
 * holds exactly. */
static bool scale(double size, int power, double *scaled)
{
	if (power < -LAST_POWER || power > LAST_POWER) {
		return false;
	}
	*scaled = power < 0 ? size / powers[-power] : size * powers[power];
	return true;
}

/*
 * Finds the first digits of a positive number, rounded, and the power of ten of the first digit.
 *
 * Return: false if the number is too large or small, or so near to the middle between two results
 * that an intermediate rounding could decide.
 */
static bool find_digits(double size, uint32_t *digits, int *exponent)
{
	uint64_t bits;
	double scaled;
	double rest;
	int power;

	/* A guess from the power of two, rounded down. It may be one too low or too high. */
	memcpy(&bits, &size, sizeof(bits));
	power = (int) (bits >> 52) - 1023;
	*exponent = (power * 1233 - (power < 0 ? 4095 : 0)) / 4096;
	if (!scale(size, DIGITS - 1 - *exponent, &scaled)) {
		return false;
	}
	if (scaled < LOWEST || scaled >= BEYOND) {
		*exponent += scaled < LOWEST ? -1 : 1;
		if (!scale(size, DIGITS - 1 - *exponent, &scaled) || scaled < LOWEST ||
		    scaled >= BEYOND) {
			return false;
		}
	}
	*digits = (uint32_t) scaled;
	rest = scaled - *digits; /* exact; scaled is less than 2e-10 off */
	if (fabs(rest - 0.5) < 1e-9) {
		return false;
	}
	*digits += rest > 0.5;
	if (*digits == BEYOND) {
		*digits = LOWEST;
		++*exponent;
	}
	return true;
}

/* Writes a number as "-1.5e+12". @count: number of digits, without trailing zeros. */
static size_t put_scientific(char *to, const char *digits, size_t count, int exponent)
{
	const unsigned size = exponent < 0 ? (unsigned) -exponent : (unsigned) exponent;
	size_t length = 1;

	to[0] = digits[0];
	if (count > 1) {
		to[length++] = '.';
		memcpy(to + length, digits + 1, count - 1);
		length += count - 1;
	}
	to[length++] = 'e';
	to[length++] = exponent < 0 ? '-' : '+';
	if (size < 10) {
		to[length++] = '0';
	}
	return length + put_unsigned(to + length, size);
}

/* Writes a number as "0.0015", "1500" or "1.5". */
static size_t put_plain(char *to, const char *digits, size_t count, int exponent)
{
	const size_t whole = exponent < 0 ? 0 : (size_t) exponent + 1;
	size_t length = whole;

	if (exponent < 0) {
		const size_t zeros = (size_t) -exponent - 1;

		to[0] = '0';
		to[1] = '.';
		memset(to + 2, '0', zeros);
		memcpy(to + 2 + zeros, digits, count);
		return 2 + zeros + count;
	}
	memcpy(to, digits, whole); /* trailing zeros of the whole part belong to it */
	if (count > whole) {
		to[length++] = '.';
		memcpy(to + length, digits + whole, count - whole);
		length += count - whole;
	}
	return length;
}

size_t ra_util_digits_put_real(char to[RA_UTIL_DIGITS_BYTES], double real)
{
	const size_t sign = signbit(real) != 0;
	char text[24] = { 0 };
	uint32_t digits;
	int exponent;
	size_t count = DIGITS;

	if (!isfinite(real) || real == 0 || !find_digits(fabs(real), &digits, &exponent)) {
		return (size_t) snprintf(to, RA_UTIL_DIGITS_BYTES, "%.6g", real);
	}
	to[0] = '-';
	(void) put_unsigned(text, digits);
	while (count > 1 && text[count - 1] == '0') {
		count--;
	}
	return sign + (exponent < -4 || exponent >= DIGITS
	                       ? put_scientific(to + sign, text, count, exponent)
	                       : put_plain(to + sign, text, count, exponent));
}
