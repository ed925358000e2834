/* SPDX-License-Identifier: MIT */
/* Lists of sizes as JSON text: [[141,512],[512,512]]. */
#include "analyzer/base/dims.h"

/* A text that is read from its start. */
struct cursor {
	const char *at;
	const char *end;
};

static double read_number(struct cursor *cursor)
{
	const bool is_negative = cursor->at < cursor->end && *cursor->at == '-';
	double number = 0;

	cursor->at += is_negative;
	while (cursor->at < cursor->end && *cursor->at >= '0' && *cursor->at <= '9') {
		number = number * 10 + (*cursor->at++ - '0');
	}
	return is_negative ? -number : number;
}

/* Skips one element of a JSON array, up to the comma or bracket after it. */
static void skip_element(struct cursor *cursor)
{
	int depth = 0;
	bool in_text = false;

	for (; cursor->at < cursor->end; cursor->at++) {
		const char c = *cursor->at;

		if (in_text) {
			in_text = c != '"';
			cursor->at += c == '\\' && cursor->at + 1 < cursor->end;
		} else if (c == '"') {
			in_text = true;
		} else if (c == '[' || c == '{') {
			depth++;
		} else if (depth == 0 && (c == ',' || c == ']')) {
			return;
		} else if (c == ']' || c == '}') {
			depth--;
		}
	}
}

bool ra_dims_find_element(struct rlog_string array, size_t index, struct rlog_string *element)
{
	struct cursor cursor;

	if (array.length < 2 || array.bytes[0] != '[' || array.bytes[1] == ']') {
		return false;
	}
	cursor = (struct cursor){ array.bytes, array.bytes + array.length };
	for (;; index--) {
		const char *from;

		cursor.at++;
		while (cursor.at < cursor.end && *cursor.at == ' ') {
			cursor.at++;
		}
		from = cursor.at;
		skip_element(&cursor);
		*element = (struct rlog_string){ from, (uint32_t) (cursor.at - from),
			                         (uint32_t) (cursor.at - from) };
		if (cursor.at == cursor.end) {
			return false; /* the array has no closing bracket */
		}
		if (index == 0 || *cursor.at == ']') {
			return index == 0;
		}
	}
}

bool ra_dims_read(struct rlog_string element, struct ra_dims *dims)
{
	struct cursor cursor = { element.bytes, element.bytes + element.length };

	*dims = (struct ra_dims){ .count = 0 };
	if (cursor.at < cursor.end && *cursor.at == '"') {
		cursor.at++;
		cursor.end--;
	}
	if (cursor.at >= cursor.end || *cursor.at++ != '[') {
		return false;
	}
	while (cursor.at < cursor.end && *cursor.at != ']') {
		if (*cursor.at == ',' || *cursor.at == ' ') {
			cursor.at++;
		} else if (dims->count == RA_DIMS_MAX ||
		           (*cursor.at != '-' && (*cursor.at < '0' || *cursor.at > '9'))) {
			return false;
		} else {
			dims->value[dims->count++] = read_number(&cursor);
		}
	}
	return cursor.at < cursor.end;
}

bool ra_dims_find(struct rlog_string array, size_t index, struct ra_dims *dims)
{
	struct rlog_string element;

	return ra_dims_find_element(array, index, &element) && ra_dims_read(element, dims);
}

double ra_dims_read_number(struct rlog_string text)
{
	struct cursor cursor = { text.bytes, text.bytes + text.length };

	cursor.at += cursor.at < cursor.end && *cursor.at == '"';
	return read_number(&cursor);
}

double ra_dims_multiply(const struct ra_dims *dims)
{
	double product = 1;

	for (size_t i = 0; i < dims->count; i++) {
		product *= dims->value[i];
	}
	return product;
}
