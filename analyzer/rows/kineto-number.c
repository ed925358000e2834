/* SPDX-License-Identifier: MIT */
/* Reads and writes JSON numbers as decimal numbers: exact, without floating point. */
#include "analyzer/rows/kineto-number.h"

#include <string.h>

#include "analyzer/io/outbuf.h"

#define MAX_DIGITS   18
#define MAX_EXPONENT 400

/* The parts of a number's text. */
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

/* Return: the end of the exponent; NULL: it has no digits. */
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

/* A number in the usual form, which nearly all numbers have: digits, perhaps with a minus before
 * them and a point among them. */
struct usual {
	uint64_t digits; /* the digits without sign and point */
	uint32_t whole_count;
	uint32_t part_count;
	bool is_negative;
	bool has_zeros; /* it has leading zeros, which printing would lose */
};

/* Return: false if the number is not in this form, or has over 19 digits, which may not fit into 64
 * bits. */
static bool read_usual(const char *text, size_t length, struct usual *number)
{
	const char *const end = text + length;
	const char *const first = text + (length > 0 && *text == '-');
	const char *at = first;
	uint64_t digits = 0;

	if (length > 21) {
		return false;
	}
	for (; at < end && *at >= '0' && *at <= '9'; at++) {
		digits = digits * 10 + (uint64_t) (*at - '0');
	}
	number->is_negative = first > text;
	number->whole_count = (uint32_t) (at - first);
	number->has_zeros = number->whole_count > 1 && *first == '0';
	number->part_count = 0;
	if (at < end && *at == '.') {
		for (at++; at < end && *at >= '0' && *at <= '9'; at++) {
			digits = digits * 10 + (uint64_t) (*at - '0');
			number->part_count++;
		}
		if (number->part_count == 0) {
			return false;
		}
	}
	number->digits = digits;
	return at == end && number->whole_count > 0 &&
	       number->whole_count + number->part_count <= MAX_DIGITS + 1;
}

static bool parse_unusual(const char *text, size_t length, struct ra_kineto_number *number)
{
	struct parts parts;
	int64_t digits;

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

bool ra_kineto_number_parse(const char *text, size_t length, struct ra_kineto_number *number)
{
	struct usual usual;

	*number = (struct ra_kineto_number){ 0 };
	if (!read_usual(text, length, &usual) ||
	    usual.whole_count + usual.part_count > MAX_DIGITS) {
		return parse_unusual(text, length, number);
	}
	number->digits = usual.is_negative ? -(int64_t) usual.digits : (int64_t) usual.digits;
	number->scale = usual.part_count;
	number->has_point = usual.part_count > 0;
	number->is_plain = !usual.has_zeros && !(usual.is_negative && usual.digits == 0);
	return true;
}

/* The digit with the weight 10^-place ns, in a number of µs. For this, the point is moved by the
 * exponent and by three places. */
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
	/* All numbers of JSON end with a digit, and none of these words does. */
	return length > 0 && (text[length - 1] < '0' || text[length - 1] > '9');
}

static bool round_to_ns(const struct parts *parts, int64_t *ns, bool *is_exact)
{
	/* Place 0 is the digit of whole ns; negative places are those of tens, hundreds … */
	const long first = -((long) parts->whole_count + parts->exponent + 2);
	const long rest = (long) parts->part_count - parts->exponent - 3;
	int64_t sum = 0;

	for (long place = first; place <= 0; place++) {
		if (sum > INT64_MAX / 20) {
			return false;
		}
		sum = sum * 10 + digit_at(parts, place);
	}
	sum += digit_at(parts, 1) >= 5;
	for (long place = 1; place <= rest && *is_exact; place++) {
		*is_exact = digit_at(parts, place) == 0;
	}
	*ns = parts->is_negative ? -sum : sum;
	return sum < INT64_MAX / 4;
}

bool ra_kineto_number_ns(const char *text, size_t length, int64_t *ns, bool *has_point,
                         bool *is_exact)
{
	static const uint64_t powers[] = { 1000, 100, 10, 1 };
	struct usual usual;
	struct parts parts;

	*ns = 0;
	*is_exact = true;
	if (read_usual(text, length, &usual) && usual.whole_count <= 16 && usual.part_count <= 3) {
		const uint64_t all = usual.digits * powers[usual.part_count];

		*has_point = usual.part_count > 0;
		if (all >= (uint64_t) INT64_MAX / 4) {
			return false;
		}
		*ns = usual.is_negative ? -(int64_t) all : (int64_t) all;
		return true;
	}
	if (!cut_text(text, length, &parts)) {
		return false;
	}
	*has_point = parts.has_point || parts.has_exponent;
	return round_to_ns(&parts, ns, is_exact);
}

bool ra_kineto_number_take(const struct ra_json_number *usual, struct ra_kineto_number *number)
{
	if (!usual->is_usual || usual->whole_count + usual->part_count > MAX_DIGITS) {
		return false;
	}
	number->digits = usual->is_negative ? -(int64_t) usual->digits : (int64_t) usual->digits;
	number->scale = usual->part_count;
	number->has_point = usual->part_count > 0;
	number->is_plain = !(usual->is_negative && usual->digits == 0);
	return true;
}

bool ra_kineto_number_take_ns(const struct ra_json_number *usual, int64_t *ns, bool *has_point)
{
	static const uint64_t powers[] = { 1000, 100, 10, 1 };
	uint64_t all;

	if (!usual->is_usual || usual->whole_count > 16 || usual->part_count > 3) {
		return false;
	}
	all = usual->digits * powers[usual->part_count];
	if (all >= (uint64_t) INT64_MAX / 4) {
		return false;
	}
	*ns = usual->is_negative ? -(int64_t) all : (int64_t) all;
	*has_point = usual->part_count > 0;
	return true;
}

size_t ra_kineto_number_print(char *text, int64_t digits, uint32_t scale)
{
	char plain[RA_DECIMAL_BYTES];
	const uint64_t magnitude = digits < 0 ? 0 - (uint64_t) digits : (uint64_t) digits;
	const uint32_t count = (uint32_t) (ra_outbuf_decimal(plain, magnitude) - plain);
	const uint32_t part = scale < MAX_DIGITS ? scale : MAX_DIGITS;
	const uint32_t whole = count > part ? count - part : 0;
	char *place = text;

	if (digits < 0) {
		*place++ = '-';
	}
	if (whole == 0) {
		*place++ = '0';
	}
	place = ra_outbuf_copy(place, plain, whole);
	if (scale > 0) {
		*place++ = '.';
		for (uint32_t i = count; i < part; i++) {
			*place++ = '0';
		}
		place = ra_outbuf_copy(place, plain + whole, count - whole);
	}
	return (size_t) (place - text);
}
