/* SPDX-License-Identifier: MIT */
/* Numbers of JSON as decimal text: exact, without floating point. */
#include "analyzer/kineto-number.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_DIGITS   18
#define MAX_EXPONENT 400

/* A text cut into its parts. */
struct parts {
	const char *whole;
	size_t whole_count;
	const char *part;
	size_t part_count;
	int exponent;
	bool is_negative;
	bool has_exponent;
	bool has_point;
};

static size_t count_digits(const char *text, const char *end)
{
	const char *at = text;

	while (at < end && *at >= '0' && *at <= '9') {
		at++;
	}
	return (size_t) (at - text);
}

/* Return: the end of the exponent, NULL if there is none behind the e. */
static const char *read_exponent(struct parts *parts, const char *at, const char *end)
{
	bool is_negative = false;
	size_t count;

	parts->has_exponent = true;
	if (at < end && (*at == '+' || *at == '-')) {
		is_negative = *at++ == '-';
	}
	count = count_digits(at, end);
	if (count == 0) {
		return NULL;
	}
	for (size_t i = 0; i < count; i++) {
		if (parts->exponent < MAX_EXPONENT) {
			parts->exponent = parts->exponent * 10 + (at[i] - '0');
		}
	}
	parts->exponent = is_negative ? -parts->exponent : parts->exponent;
	return at + count;
}

static bool cut_text(const char *text, size_t length, struct parts *parts)
{
	const char *const end = text + length;
	const char *at = text;

	memset(parts, 0, sizeof(*parts));
	if (at < end && *at == '-') {
		parts->is_negative = true;
		at++;
	}
	parts->whole = at;
	parts->whole_count = count_digits(at, end);
	at += parts->whole_count;
	if (parts->whole_count == 0) {
		return false;
	}
	if (at < end && *at == '.') {
		parts->has_point = true;
		parts->part = ++at;
		parts->part_count = count_digits(at, end);
		at += parts->part_count;
		if (parts->part_count == 0) {
			return false;
		}
	}
	if (at < end && (*at == 'e' || *at == 'E')) {
		at = read_exponent(parts, at + 1, end);
	}
	return at == end;
}

static int64_t add_digits(int64_t sum, const char *digits, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		sum = sum * 10 + (digits[i] - '0');
	}
	return sum;
}

bool ra_kineto_number_parse(const char *text, size_t length, struct ra_kineto_number *number)
{
	struct parts parts;
	int64_t digits;

	*number = (struct ra_kineto_number){ 0 };
	if (!cut_text(text, length, &parts)) {
		return false;
	}
	number->has_point = parts.has_point || parts.has_exponent;
	if (parts.whole_count + parts.part_count > MAX_DIGITS || parts.has_exponent) {
		return false;
	}
	digits = add_digits(0, parts.whole, parts.whole_count);
	digits = add_digits(digits, parts.part, parts.part_count);
	number->digits = parts.is_negative ? -digits : digits;
	number->scale = (uint32_t) parts.part_count;
	number->is_plain = !(parts.is_negative && digits == 0) &&
	                   (parts.whole_count == 1 || parts.whole[0] != '0');
	return true;
}

/* The digit of 10^-place of the number, the point moved by its exponent and by three for ns. */
static int digit_at(const struct parts *parts, long place)
{
	const long index = (long) parts->whole_count + place + parts->exponent + 2;

	if (index < 0) {
		return 0;
	}
	if ((size_t) index < parts->whole_count) {
		return parts->whole[index] - '0';
	}
	if ((size_t) index - parts->whole_count < parts->part_count) {
		return parts->part[(size_t) index - parts->whole_count] - '0';
	}
	return 0;
}

bool ra_kineto_number_is_word(const char *text, size_t length)
{
	/* Numbers of JSON end with a digit, and no word does. */
	return length > 0 && (text[length - 1] < '0' || text[length - 1] > '9');
}

bool ra_kineto_number_ns(const char *text, size_t length, int64_t *ns, bool *has_point,
                         bool *is_exact)
{
	struct parts parts;
	int64_t sum = 0;
	long first;
	long rest;

	*ns = 0;
	*is_exact = true;
	if (!cut_text(text, length, &parts)) {
		return false;
	}
	*has_point = parts.has_point || parts.has_exponent;
	if (!parts.has_exponent && parts.whole_count <= 16 && parts.part_count <= 3) {
		static const uint64_t powers[] = { 1000, 100, 10, 1 };
		const uint64_t whole = (uint64_t) add_digits(0, parts.whole, parts.whole_count);
		const uint64_t part = (uint64_t) add_digits(0, parts.part, parts.part_count);
		const uint64_t all = whole * 1000 + part * powers[parts.part_count];

		if (all >= (uint64_t) INT64_MAX / 4) {
			return false;
		}
		*ns = parts.is_negative ? -(int64_t) all : (int64_t) all;
		return true;
	}
	/* Places count from 0 for the units of ns; negative ones are tens, hundreds … */
	first = -((long) parts.whole_count + parts.exponent + 2);
	rest = (long) parts.part_count - parts.exponent - 3;
	for (long place = first; place <= 0; place++) {
		if (sum > INT64_MAX / 20) {
			return false;
		}
		sum = sum * 10 + digit_at(&parts, place);
	}
	sum += digit_at(&parts, 1) >= 5;
	for (long place = 1; place <= rest && *is_exact; place++) {
		*is_exact = digit_at(&parts, place) == 0;
	}
	*ns = parts.is_negative ? -sum : sum;
	return sum < INT64_MAX / 4;
}

size_t ra_kineto_number_print(char *text, int64_t digits, uint32_t scale)
{
	char plain[24];
	const bool is_negative = digits < 0;
	const uint64_t magnitude = is_negative ? 0 - (uint64_t) digits : (uint64_t) digits;
	const int width = scale < MAX_DIGITS ? (int) scale + 1 : MAX_DIGITS + 1;
	const int count = snprintf(plain, sizeof(plain), "%0*" PRIu64, width, magnitude);
	const int whole = count - (int) (scale < MAX_DIGITS ? scale : MAX_DIGITS);

	if (scale == 0) {
		return (size_t) snprintf(text, 44, "%s%s", is_negative ? "-" : "", plain);
	}
	return (size_t) snprintf(text, 44, "%s%.*s.%s", is_negative ? "-" : "", whole, plain,
	                         plain + whole);
}
