/* SPDX-License-Identifier: MIT */
/* Reads short and plain arrays as one text, such as shapes and types of an operator's inputs. */
#include "analyzer/json/json-array.h"

#include <string.h>

#include "analyzer/base/util.h"

#define MAX_BYTES 4096u /* longest text of such an array; a longer array is read value by value */
#define MAX_DEPTH 64u

struct copy {
	struct ra_json_reading *r;
	const char *limit;
	const char *at;
	char *out;
	unsigned depth; /* number of open brackets */
	bool is_empty;  /* the innermost one has no value yet */
};

static void put(struct copy *copy, const char *end)
{
	const size_t count = (size_t) (end - copy->at);

	memcpy(copy->out, copy->at, count);
	copy->out += count;
	copy->at = end;
}

static bool take_text(struct copy *copy)
{
	bool has_high = false;
	const char *end = copy->r->scan(copy->at + 1, &has_high);

	/* DEL is escaped in our outputs, so such a text is not plain. */
	if (*end != '"' || has_high || end >= copy->limit ||
	    memchr(copy->at, 0x7F, (size_t) (end - copy->at)) != NULL) {
		return false;
	}
	put(copy, end + 1);
	return true;
}

static const char *skip_digits(const char *at)
{
	while (*at >= '0' && *at <= '9') {
		at++;
	}
	return at;
}

/* Copies a number or word that must end at @end. */
static bool take_word(struct copy *copy, const char *end)
{
	if (end >= copy->limit || (*end != ',' && *end != ']' && !ra_json_reading_is_space(*end))) {
		return false;
	}
	put(copy, end);
	return true;
}

static bool take_number(struct copy *copy)
{
	const char *first = copy->at + (*copy->at == '-');
	const char *end = skip_digits(first);

	if (end == first || (*first == '0' && end > first + 1)) {
		return false;
	}
	if (*end == '.') {
		const char *part = end + 1;

		end = skip_digits(part);
		if (end == part) {
			return false;
		}
	}
	return take_word(copy, end);
}

/* Copies a value that is no array. */
static bool take_scalar(struct copy *copy)
{
	static const struct {
		const char *text;
		size_t length;
	} words[] = { { "true", 4 }, { "false", 5 }, { "null", 4 } };

	if (*copy->at == '"') {
		return take_text(copy);
	}
	for (unsigned i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (strncmp(copy->at, words[i].text, words[i].length) == 0) {
			return take_word(copy, copy->at + words[i].length);
		}
	}
	return take_number(copy);
}

/* Copies the opening brackets here. Return: false if there are too many. */
static bool take_opening(struct copy *copy)
{
	while (*copy->at == '[') {
		if (++copy->depth > MAX_DEPTH) {
			return false;
		}
		put(copy, copy->at + 1);
		copy->at = ra_json_reading_skip_space(copy->at);
		copy->is_empty = true;
	}
	return copy->at < copy->limit;
}

/* Copies closing brackets, up to the bracket that closes the whole array. */
static void take_closing(struct copy *copy)
{
	while (*copy->at == ']') {
		put(copy, copy->at + 1);
		if (--copy->depth == 0) {
			return;
		}
		copy->at = ra_json_reading_skip_space(copy->at);
	}
}

/* Copies a value, the brackets around it and the comma after it. Return: false if the value is not
 * plain. */
static bool take_value(struct copy *copy)
{
	copy->is_empty = false;
	if (!take_opening(copy)) {
		return false;
	}
	if (!copy->is_empty || *copy->at != ']') {
		if (!take_scalar(copy)) {
			return false;
		}
		copy->at = ra_json_reading_skip_space(copy->at);
	}
	take_closing(copy);
	if (copy->depth == 0) {
		return true;
	}
	if (*copy->at != ',') {
		return false;
	}
	put(copy, copy->at + 1);
	copy->at = ra_json_reading_skip_space(copy->at);
	return true;
}

const char *ra_json_array_read(struct ra_json_reading *r, const char *at, size_t *length)
{
	const size_t left = (size_t) (r->end - at);
	struct copy copy = { .r = r, .at = at };

	copy.limit = at + (left < MAX_BYTES ? left : MAX_BYTES);
	/* Room for the text up to the limit. A value that ends there may be followed by brackets
	 * and a comma, so these have room, too. */
	ra_util_grow(&r->decoded, &r->decoded_size, MAX_BYTES + 2 * MAX_DEPTH + 1, 1);
	copy.out = r->decoded;
	do {
		if (!take_value(&copy)) {
			return NULL;
		}
	} while (copy.depth > 0);
	*length = (size_t) (copy.out - r->decoded);
	return copy.at;
}
