/* SPDX-License-Identifier: MIT */
/* After damage, finds where the next record of the array of records begins with a known key, or
 * where the array ends. */
#include "analyzer/json/json-recover.h"

#include <string.h>

/* All keys that are searched for are shorter than this. */
#define KEY_BYTES 64

static size_t count_bytes(const char *at, const char *end)
{
	return end - at < KEY_BYTES ? (size_t) (end - at) : KEY_BYTES;
}

static const char *skip_space(const char *at, const char *end)
{
	while (at < end && (*at == ' ' || *at == '\t' || *at == '\n' || *at == '\r')) {
		at++;
	}
	return at;
}

/* The last character before `at` that is not white space; NUL if there is none. */
static char find_before(const struct ra_json_recover *recover, const char *at)
{
	while (at > recover->begin) {
		at--;
		if (*at != ' ' && *at != '\t' && *at != '\n' && *at != '\r') {
			return *at;
		}
	}
	return '\0';
}

static bool is_among(const char *const *keys, const char *key, size_t length)
{
	for (; *keys != NULL; keys++) {
		if (strlen(*keys) == length && memcmp(*keys, key, length) == 0) {
			return true;
		}
	}
	return false;
}

static bool begins_record(const struct ra_json_recover *recover, const char *at)
{
	const char *key = skip_space(at + 1, recover->end);
	const char *quote;
	const char *colon;

	if (key == recover->end || *key != '"') {
		return false;
	}
	key++;
	quote = memchr(key, '"', count_bytes(key, recover->end));
	if (quote == NULL) {
		return false;
	}
	colon = skip_space(quote + 1, recover->end);
	if (colon == recover->end || *colon != ':') {
		return false;
	}
	return is_among(recover->strong, key, (size_t) (quote - key)) ||
	       (is_among(recover->weak, key, (size_t) (quote - key)) &&
	        find_before(recover, at) != ':');
}

bool ra_json_recover_begins(const char *const *strong, const char *at, const char *end)
{
	static const char *const none[] = { NULL };
	const struct ra_json_recover recover = {
		.strong = strong,
		.weak = none,
		.begin = at,
		.end = end,
	};

	return begins_record(&recover, at);
}

/* True if the bracket at `at` ends the array of records. After that bracket comes the end of the
 * object around the array, another key of that object, or the end of the text. */
static bool ends_array(const struct ra_json_recover *recover, const char *at)
{
	const char *next = skip_space(at + 1, recover->end);

	if (at < recover->odd || find_before(recover, at) != '}') {
		return false;
	}
	if (next < recover->end && *next == ',') {
		next = skip_space(next + 1, recover->end);
		return next < recover->end && *next == '"';
	}
	return next == recover->end || *next == '}';
}

const char *ra_json_recover_find(struct ra_json_recover *recover)
{
	const char *at;

	for (at = recover->from; at < recover->end; at++) {
		if (*at != '{' && *at != ']') {
			continue;
		}
		if (!recover->is_end && recover->end - at < RA_JSON_RECOVER_BYTES) {
			break;
		}
		if (*at == '{' ? begins_record(recover, at) : ends_array(recover, at)) {
			return at;
		}
	}
	recover->from = at;
	return NULL;
}
