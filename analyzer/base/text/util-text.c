/* SPDX-License-Identifier: MIT */
/* Escapes text that came out of a traced program, so that it is harmless where it is written. */
#include "analyzer/base/text/util-text.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/base/text/util-code.h"
#include "analyzer/base/text/util-json.h"
#include "analyzer/base/text/util-digits.h"
#include "analyzer/base/util.h"
#include "format/error.h"

#define DRAIN_BYTES 65536

void ra_util_text_free(struct ra_util_text *text)
{
	free(text->bytes);
	memset(text, 0, sizeof(*text));
}

void ra_util_text_clear(struct ra_util_text *text)
{
	text->length = 0;
}

/* Makes room for more bytes and returns where they begin. */
static char *reserve(struct ra_util_text *text, size_t more)
{
	if (more > text->capacity - text->length) {
		ra_util_grow(&text->bytes, &text->capacity, text->length + more, 1);
	}
	return text->bytes + text->length;
}

void ra_util_text_put(struct ra_util_text *text, const char *bytes, size_t length)
{
	if (length > 0) {
		memcpy(reserve(text, length), bytes, length);
		text->length += length;
	}
}

void ra_util_text_put_char(struct ra_util_text *text, char c)
{
	*reserve(text, 1) = c;
	text->length++;
}

void ra_util_text_fill(struct ra_util_text *text, char c, size_t count)
{
	if (count > 0) {
		memset(reserve(text, count), c, count);
		text->length += count;
	}
}

void ra_util_text_format(struct ra_util_text *text, const char *format, ...)
{
	char buffer[512];
	va_list args;
	int length;

	va_start(args, format);
	length = vsnprintf(buffer, sizeof(buffer), format, args);
	va_end(args);
	if (length > 0) {
		ra_util_text_put(text, buffer,
		                 (size_t) length < sizeof(buffer) ? (size_t) length
		                                                  : sizeof(buffer) - 1);
	}
}

void ra_util_text_put_int(struct ra_util_text *text, int64_t number)
{
	char digits[RA_UTIL_DIGITS_BYTES];
	const size_t length = ra_util_digits_put_int(digits, number);

	ra_util_text_put(text, digits, length);
}

void ra_util_text_put_real(struct ra_util_text *text, double real)
{
	char digits[RA_UTIL_DIGITS_BYTES];
	const size_t length = ra_util_digits_put_real(digits, real);

	ra_util_text_put(text, digits, length);
}

/* The columns that a code point takes, if it is not a control. Coarse: it knows the large blocks of
 * East Asian scripts and of combining marks. */
static size_t count_columns(uint32_t code)
{
	static const struct ra_util_code_range wide[] = {
		{ 0x1100, 0x115F },   { 0x2E80, 0x303E },   { 0x3041, 0xA4CF },
		{ 0xAC00, 0xD7A3 },   { 0xF900, 0xFAFF },   { 0xFE30, 0xFE6F },
		{ 0xFF00, 0xFF60 },   { 0xFFE0, 0xFFE6 },   { 0x1F300, 0x1F64F },
		{ 0x1F680, 0x1F6FF }, { 0x1F900, 0x1F9FF }, { 0x20000, 0x3FFFD },
	};
	static const struct ra_util_code_range zero[] = {
		{ 0x300, 0x36F },   { 0x483, 0x489 },   { 0x591, 0x5BD },     { 0x610, 0x61A },
		{ 0x64B, 0x65F },   { 0x1AB0, 0x1AFF }, { 0x1DC0, 0x1DFF },   { 0x20D0, 0x20FF },
		{ 0xFE00, 0xFE0F }, { 0xFE20, 0xFE2F }, { 0xE0100, 0xE01EF },
	};

	if (code < 0x300) {
		return 1;
	}
	if (ra_util_code_is_in(code, zero, sizeof(zero) / sizeof(zero[0]))) {
		return 0;
	}
	return ra_util_code_is_in(code, wide, sizeof(wide) / sizeof(wide[0])) ? 2 : 1;
}

static void put_control(struct ra_util_text *text, uint32_t code)
{
	switch (code) {
	case '\n':
		ra_util_text_put(text, "\\n", 2);
		break;
	case '\t':
		ra_util_text_put(text, "\\t", 2);
		break;
	case '\r':
		ra_util_text_put(text, "\\r", 2);
		break;
	default:
		ra_util_text_format(text, code < 0x80 ? "\\x%02x" : "\\u{%04x}", code);
		break;
	}
}

/* Counts the printable ASCII bytes at the start. Most names have no other bytes. */
static size_t count_ascii(const char *bytes, size_t length)
{
	const uint64_t ones = UINT64_C(0x0101010101010101);
	size_t count = 0;

	/* Eight bytes at once: a high bit is set where a byte is not ASCII, is below ' ', or is
	 * DEL. */
	for (; length - count >= sizeof(ones); count += sizeof(ones)) {
		uint64_t eight;

		memcpy(&eight, bytes + count, sizeof(eight));
		if (((eight | (eight - ' ' * ones) | (eight + ones)) & 0x80 * ones) != 0) {
			break;
		}
	}
	while (count < length && bytes[count] >= ' ' && bytes[count] < 0x7F) {
		count++;
	}
	return count;
}

/* Appends a name without anything that a terminal would act on. `special`: characters that get a \
 * before them. */
static void put_plain(struct ra_util_text *text, struct rlog_string name, const char *special)
{
	size_t i = *special == '\0' ? count_ascii(name.bytes, name.length) : 0;

	ra_util_text_put(text, name.bytes, i);
	while (i < name.length) {
		size_t bad = 0;
		const size_t length =
			ra_util_json_utf8_length(name.bytes + i, name.length - i, &bad);
		uint32_t code;

		if (length == 0) {
			while (bad-- > 0) {
				ra_util_text_format(text, "\\x%02x",
				                    (unsigned) (unsigned char) name.bytes[i++]);
			}
			continue;
		}
		code = ra_util_code_read(name.bytes + i, length);
		if (ra_util_code_is_control(code)) {
			put_control(text, code);
		} else {
			if (length == 1 && code != 0 && strchr(special, (int) code) != NULL) {
				ra_util_text_put_char(text, '\\');
			}
			ra_util_text_put(text, name.bytes + i, length);
		}
		i += length;
	}
}

/* True if spreadsheets would take the text for a formula. */
static bool begins_formula(const char *bytes, size_t length)
{
	return length > 0 && bytes[0] != '\0' && strchr("=+-@", bytes[0]) != NULL;
}

/* Writes as for a terminal, with a ' before texts that spreadsheets would take for a formula. */
static void put_tsv(struct ra_util_text *text, struct rlog_string name)
{
	if (begins_formula(name.bytes, name.length)) {
		ra_util_text_put_char(text, '\'');
	}
	put_plain(text, name, "");
}

/* Writes as RFC 4180 says, with the same ' before texts that spreadsheets would take for a
 * formula. */
static void put_csv(struct ra_util_text *text, struct rlog_string name)
{
	struct ra_util_text cell = { 0 };
	bool is_formula;

	put_plain(&cell, name, "");
	is_formula = begins_formula(cell.bytes, cell.length);
	if (!is_formula && (cell.length == 0 || (memchr(cell.bytes, '"', cell.length) == NULL &&
	                                         memchr(cell.bytes, ',', cell.length) == NULL))) {
		ra_util_text_put(text, cell.bytes, cell.length);
		ra_util_text_free(&cell);
		return;
	}
	ra_util_text_put(text, "\"'", is_formula ? 2 : 1);
	for (size_t i = 0; i < cell.length; i++) {
		if (cell.bytes[i] == '"') {
			ra_util_text_put_char(text, '"');
		}
		ra_util_text_put_char(text, cell.bytes[i]);
	}
	ra_util_text_put_char(text, '"');
	ra_util_text_free(&cell);
}

static void put_json(struct ra_util_text *text, struct rlog_string name)
{
	char *place = reserve(text, (size_t) name.length * RA_UTIL_JSON_GROWTH + 1);
	const char *end = ra_util_json_escape(place, name.bytes, name.length);

	text->length += (size_t) (end - place);
}

void ra_util_text_put_name(struct ra_util_text *text, struct rlog_string name,
                           enum ra_util_text_target target)
{
	switch (target) {
	case RA_TEXT_CSV:
		put_csv(text, name);
		break;
	case RA_TEXT_JSON:
		put_json(text, name);
		break;
	case RA_TEXT_MARKDOWN:
		put_plain(text, name, "|`*_<[\\");
		break;
	case RA_TEXT_TSV:
		put_tsv(text, name);
		break;
	case RA_TEXT_TERMINAL:
		put_plain(text, name, "");
		break;
	}
}

void ra_util_text_style(struct ra_util_text *text, enum ra_util_text_style style)
{
	static const char *const codes[] = {
		[RA_STYLE_NONE] = "\033[0m",  [RA_STYLE_TITLE] = "\033[1m",
		[RA_STYLE_GOOD] = "\033[32m", [RA_STYLE_WARNING] = "\033[33m",
		[RA_STYLE_BAR] = "\033[36m",
	};

	if (text->has_styles) {
		ra_util_text_put(text, codes[style], strlen(codes[style]));
	}
}

/* The bytes of a style sequence at the start; 0: there is none. Escaped names contain no escape
 * sequences, so every sequence is ours. */
static size_t measure_style(const char *bytes, size_t length)
{
	const char *end = length > 1 && bytes[0] == '\033' && bytes[1] == '['
	                          ? memchr(bytes, 'm', length)
	                          : NULL;

	return end == NULL ? 0 : (size_t) (end - bytes) + 1;
}

/* The length in bytes of the character at bytes, and its columns. */
static size_t measure_char(const char *bytes, size_t length, size_t *columns)
{
	size_t bad = 0;
	size_t size = measure_style(bytes, length);

	if (size > 0) {
		*columns = 0;
		return size;
	}
	size = ra_util_json_utf8_length(bytes, length, &bad);
	*columns = size == 0 ? 1 : count_columns(ra_util_code_read(bytes, size));
	return size == 0 ? 1 : size;
}

size_t ra_util_text_width(const char *bytes, size_t length)
{
	size_t i = count_ascii(bytes, length);
	size_t width = i;

	while (i < length) {
		size_t columns;

		i += measure_char(bytes + i, length - i, &columns);
		width += columns;
	}
	return width;
}

/* Returns how many bytes fit into `width` columns. *used: the columns that they take. */
static size_t fit_front(const char *bytes, size_t length, size_t width, size_t *used)
{
	size_t i = 0;

	*used = 0;
	while (i < length) {
		size_t columns;
		const size_t size = measure_char(bytes + i, length - i, &columns);

		if (*used + columns > width) {
			break;
		}
		*used += columns;
		i += size;
	}
	return i;
}

size_t ra_util_text_fit(const char *bytes, size_t length, size_t width)
{
	size_t used;

	return fit_front(bytes, length, width, &used);
}

/* The bytes of the namespaces at the start of a name, before its last part. */
static size_t find_namespaces(const char *bytes, size_t length)
{
	static const char anonymous[] = "(anonymous namespace)::";
	const size_t size = sizeof(anonymous) - 1;
	size_t end = 0;

	for (size_t i = 0; i < length; i++) {
		const char c = bytes[i];

		if (c == ':' && i + 1 < length && bytes[i + 1] == ':') {
			end = ++i + 1;
		} else if (i == end && length - i > size &&
		           memcmp(bytes + i, anonymous, size) == 0) {
			end += size;
			i = end - 1;
		} else if ((c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') &&
		           c != '_') {
			break;
		}
	}
	return end < length ? end : 0;
}

void ra_util_text_put_fitted(struct ra_util_text *text, const char *bytes, size_t length,
                             size_t width)
{
	const size_t namespaces =
		ra_util_text_width(bytes, length) > width ? find_namespaces(bytes, length) : 0;
	const size_t full = ra_util_text_width(bytes + namespaces, length - namespaces);
	const size_t dots = width < 6 ? 0 : 3;
	size_t used;
	size_t front;
	size_t skip = 0;
	size_t skipped = 0;

	bytes += namespaces;
	length -= namespaces;
	if (full <= width) {
		ra_util_text_put(text, bytes, length);
		ra_util_text_fill(text, ' ', width - full);
		return;
	}
	front = fit_front(bytes, length, dots == 0 ? width : (width - dots + 1) / 2, &used);
	ra_util_text_put(text, bytes, front);
	if (dots != 0) {
		ra_util_text_put(text, "...", dots);
		used += dots;
		/* Keeps as much of the end as still fits. */
		while (skip < length && full - skipped > width - used) {
			size_t columns;

			skip += measure_char(bytes + skip, length - skip, &columns);
			skipped += columns;
		}
		ra_util_text_put(text, bytes + skip, length - skip);
		used += full - skipped;
	}
	ra_util_text_fill(text, ' ', width - used);
}

void ra_util_text_put_bytes(struct ra_util_text *text, int64_t bytes)
{
	static const char *const units[] = { "kB", "MB", "GB", "TB", "PB", "EB" };
	const uint64_t size = bytes < 0 ? 0 - (uint64_t) bytes : (uint64_t) bytes;
	const char *sign = bytes < 0 ? "-" : "";
	uint64_t unit = 1000;
	size_t i = 0;

	if (size < 10000) {
		ra_util_text_format(text, "%s%lluB", sign, (unsigned long long) size);
		return;
	}
	while (size / unit >= 1000) {
		unit *= 1000;
		i++;
	}
	ra_util_text_format(text, "%s%llu.%03llu%s", sign, (unsigned long long) (size / unit),
	                    (unsigned long long) (size % unit / (unit / 1000)), units[i]);
}

void ra_util_text_put_scaled(struct ra_util_text *text, double number, const char *unit)
{
	static const char prefixes[] = " kMGTPE";
	size_t i = 0;

	while (number >= 999.5 && i + 2 < sizeof(prefixes)) {
		number /= 1000;
		i++;
	}
	ra_util_text_format(text, "%.*f ", number < 9.995 ? 2 : number < 99.95 ? 1 : 0, number);
	if (i > 0) {
		ra_util_text_put_char(text, prefixes[i]);
	}
	ra_util_text_format(text, "%s", unit);
}

/* As "%llu.%0*llu", but faster, for tables with thousands of numbers. */
static void put_decimals(struct ra_util_text *text, uint64_t whole, uint64_t decimals,
                         unsigned digits)
{
	char bytes[2 * RA_UTIL_DIGITS_BYTES];
	size_t count = ra_util_digits_put_int(bytes, (int64_t) whole);

	bytes[count++] = '.';
	for (unsigned i = digits; i > 0; i--) {
		bytes[count + i - 1] = (char) ('0' + decimals % 10);
		decimals /= 10;
	}
	ra_util_text_put(text, bytes, count + digits);
}

void ra_util_text_put_time(struct ra_util_text *text, int64_t time_ns)
{
	/* Each unit, and the first value that would round to four digits before the point. */
	static const struct {
		const char *suffix;
		uint64_t unit;
		uint64_t limit;
	} units[] = {
		{ "us", 1000, 1000000 },
		{ "ms", 1000000, 999999500 },
		{ "s", 1000000000, UINT64_MAX },
	};
	const uint64_t size = time_ns < 0 ? 0 - (uint64_t) time_ns : (uint64_t) time_ns;
	uint64_t thousandths;
	size_t u = 0;

	if (time_ns < 0) {
		ra_util_text_put_char(text, '-');
	}
	if (size < 1000) {
		ra_util_text_put_int(text, (int64_t) size);
		ra_util_text_put(text, "ns", 2);
		return;
	}
	while (size >= units[u].limit) {
		u++;
	}
	thousandths = size / (units[u].unit / 1000);
	thousandths += size % (units[u].unit / 1000) * 2 >= units[u].unit / 1000 && u > 0;
	put_decimals(text, thousandths / 1000, thousandths % 1000, 3);
	ra_util_text_put(text, units[u].suffix, strlen(units[u].suffix));
}

/* part / whole * scale, rounded half up. */
static unsigned __int128 scale_ratio(int64_t part, int64_t whole, uint64_t scale)
{
	if (part <= 0 || whole <= 0) {
		return 0;
	}
	return ((unsigned __int128) (uint64_t) part * scale * 2 + (uint64_t) whole) /
	       ((unsigned __int128) (uint64_t) whole * 2);
}

void ra_util_text_put_percent(struct ra_util_text *text, int64_t part, int64_t whole)
{
	const uint64_t scaled = (uint64_t) scale_ratio(part, whole, 10000);

	put_decimals(text, scaled / 100, scaled % 100, 2);
	ra_util_text_put_char(text, '%');
}

void ra_util_text_put_ratio(struct ra_util_text *text, int64_t part, int64_t whole, unsigned digits)
{
	uint64_t scale = 1;
	unsigned __int128 scaled;

	for (unsigned i = 0; i < digits; i++) {
		scale *= 10;
	}
	scaled = scale_ratio(part, whole, scale);
	if (digits > 0) {
		put_decimals(text, (uint64_t) (scaled / scale), (uint64_t) (scaled % scale),
		             digits);
	} else {
		ra_util_text_put_int(text, (int64_t) (scaled / scale));
	}
}

void ra_util_text_put_count(struct ra_util_text *text, uint64_t count)
{
	char digits[24];
	const int length = snprintf(digits, sizeof(digits), "%llu", (unsigned long long) count);

	for (int i = 0; i < length; i++) {
		if (i > 0 && (length - i) % 3 == 0) {
			ra_util_text_put_char(text, ',');
		}
		ra_util_text_put_char(text, digits[i]);
	}
}

void ra_util_text_drain(struct ra_util_text *text)
{
	if (text->out != NULL && text->length >= DRAIN_BYTES) {
		(void) ra_util_text_write(text, text->out);
	}
}

int ra_util_text_write(struct ra_util_text *text, FILE *out)
{
	if (text->length > 0 && fwrite(text->bytes, 1, text->length, out) != text->length) {
		return -RLOG_E_SYSTEM;
	}
	text->length = 0;
	return 0;
}
