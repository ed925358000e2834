/* SPDX-License-Identifier: MIT */
/* JSON text as a stream of calls, read over what is known to be wrong in the files people have. */
#include "analyzer/json/json-token.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/util.h"
#include "analyzer/json/json-keys.h"
#include "analyzer/json/json-recover.h"
#include "analyzer/json/json-scan.h"
#include "analyzer/json/json-text.h"

/*
 * The text is read in blocks. What is in the buffer ends with a NUL, which is part of no token: a
 * token that meets it there is read again from its beginning when there is more.
 */

#define BLOCK_BYTES (UINT64_C(1) << 16)
#define MAX_DEPTH   (1u << 20)
#define MAX_TEXT    (UINT64_C(64) << 20)
#define LONG_RECORD (UINT64_C(4) << 20)
#define NOWHERE     SIZE_MAX
#define PENDING     8u /* a text has five kinds of them at most, a comma one */

/* Records are read a second time from within if they are damaged; so much text of that kind is as
 * much work as the whole file. */
#define MAX_REREAD (UINT64_C(1) << 20)

enum state {
	FIRST_VALUE, /* of an array, or its end */
	VALUE,
	FIRST_KEY, /* of an object, or its end */
	AFTER,     /* a value */
};

enum outcome {
	NEEDS_MORE, /* text */
	IS_ODD,
	IS_TOO_DEEP,
};

/* An oddity within what is being read: if more text is needed, it is met again. */
struct pending {
	enum ra_json_oddity oddity;
	uint64_t count;
	uint64_t offset;
};

struct reading {
	struct ra_json *json;
	ra_json_scan *scan;
	enum state state;
	enum outcome outcome;
	unsigned key;    /* the one before, or that of the object which begins */
	uint16_t *stack; /* owned: of the containers open, key << 1, and 1 for an object */
	size_t depth;
	size_t stack_capacity;
	size_t record_depth; /* of the array that holds the records; 0: none is open */
	bool has_root;       /* something was there */
	bool is_lost;        /* on the way to the next record */
	bool had_record;     /* was lost in the middle of one */
	bool at_end;         /* nothing follows what is in the buffer */
	char *buffer;        /* owned */
	size_t size;
	char *end;           /* of the text in it */
	uint64_t end_offset; /* of `end` in the text */
	size_t from;         /* of what is not yet parsed, in buffer */
	size_t record;       /* the beginning of the record that is open, or NOWHERE */
	uint64_t reread;     /* bytes of records that were */
	uint64_t lost_from;  /* offset */
	uint64_t odd_offset;
	const char *odd; /* where the text is damaged */
	const char *why;
	char *decoded; /* owned */
	size_t decoded_size;
	struct pending pending[PENDING];
	unsigned pending_count;
	struct ra_json_keys keys;
};

struct span {
	const char *text;
	size_t length;
};

static uint64_t find_offset(const struct reading *r, const char *at)
{
	return r->end_offset - (uint64_t) (r->end - at);
}

static void note(struct reading *r, enum ra_json_oddity oddity, uint64_t count, const char *at)
{
	if (count > 0 && r->pending_count < PENDING) {
		r->pending[r->pending_count++] =
			(struct pending){ oddity, count, find_offset(r, at) };
	}
}

static void count_pending(struct reading *r)
{
	struct ra_json *json = r->json;

	for (unsigned i = 0; i < r->pending_count; i++) {
		json->odd[r->pending[i].oddity] += r->pending[i].count;
		if (json->note != NULL) {
			json->note(json->context, r->pending[i].oddity, r->pending[i].offset);
		}
	}
	r->pending_count = 0;
}

static const char *end_odd(struct reading *r, const char *at, const char *why)
{
	r->outcome = IS_ODD;
	r->odd = at;
	r->why = why;
	return NULL;
}

static const char *end_more(struct reading *r)
{
	r->outcome = NEEDS_MORE;
	return NULL;
}

static inline bool is_space(char c)
{
	return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

static inline const char *skip_space(const char *at)
{
	while (is_space(*at)) {
		at++;
	}
	return at;
}

/* ---- texts and words ---- */

/* What is neither plain nor in ASCII. */
static void clean_string(struct reading *r, struct span *span, bool has_escape, bool has_control)
{
	struct ra_json_text_odd odd = { 0 };
	const char *const at = span->text;

	if (has_escape) {
		ra_util_grow(&r->decoded, &r->decoded_size, span->length + 1, 1);
		span->length = ra_json_text_decode(r->decoded, at, span->length, &odd);
		span->text = r->decoded;
		note(r, RA_JSON_ODD_SURROGATE, odd.surrogates, at);
		note(r, RA_JSON_ODD_ESCAPE, odd.escapes, at);
	}
	note(r, RA_JSON_ODD_CONTROL, has_control, at);
	if (!ra_json_text_is_utf8(span->text, span->length)) {
		note(r, RA_JSON_ODD_UTF8, 1, at);
	}
}

/* From behind the opening quote. Return: behind the closing one. */
static inline const char *read_string(struct reading *r, const char *at, struct span *span)
{
	bool has_high = false;
	bool has_escape = false;
	bool has_control = false;
	const char *stop = r->scan(at, &has_high);

	while (*stop != '"') {
		if (r->end - stop < 2) {
			return end_more(r);
		}
		has_escape |= *stop == '\\';
		has_control |= *stop != '\\';
		stop = r->scan(stop + (*stop == '\\' ? 2 : 1), &has_high);
	}
	*span = (struct span){ at, (size_t) (stop - at) };
	if (has_high || has_escape || has_control) {
		clean_string(r, span, has_escape, has_control);
	}
	return stop + 1;
}

/* Ends a word or a number. */
static inline bool is_end_of_word(char c)
{
	return c == ',' || c == '}' || c == ']' || is_space(c) || c == '\0' || c == ':' ||
	       c == '"' || c == '{' || c == '[';
}

static void hand_over(struct reading *r, enum ra_json_type type, const char *text, size_t length)
{
	r->json->handler->value(r->json->context, type, text, length);
	r->state = AFTER;
}

/* A word, or a number that is not written in the usual way. */
static const char *read_word(struct reading *r, const char *at)
{
	static const char *const words[] = { "null", "false", "true" };
	const char *stop = at;
	size_t length;

	while (!is_end_of_word(*stop)) {
		stop++;
	}
	if (stop == r->end && !r->at_end) {
		return end_more(r);
	}
	length = (size_t) (stop - at);
	for (unsigned i = 0; i < 3; i++) {
		if (strlen(words[i]) == length && memcmp(words[i], at, length) == 0) {
			hand_over(r, (enum ra_json_type) i, "", 0);
			return stop;
		}
	}
	if (ra_json_text_is_number(at, length)) {
		hand_over(r, RA_JSON_NUMBER, at, length);
		return stop;
	}
	if (ra_json_text_is_word(at, length)) {
		note(r, RA_JSON_ODD_WORD, 1, at);
		hand_over(r, RA_JSON_NUMBER, at, length);
		return stop;
	}
	ra_util_grow(&r->decoded, &r->decoded_size, length + 2, 1);
	length = ra_json_text_mend_number(r->decoded, at, length);
	if (length == 0) {
		return end_odd(r, at, "a value was expected");
	}
	note(r, RA_JSON_ODD_NUMBER, 1, at);
	hand_over(r, RA_JSON_NUMBER, r->decoded, length);
	return stop;
}

static inline const char *skip_digits(const char *at)
{
	while ((unsigned) (*at - '0') < 10) {
		at++;
	}
	return at;
}

static inline const char *read_number(struct reading *r, const char *at)
{
	const char *const first = at + (*at == '-');
	const char *stop = skip_digits(first);
	bool is_usual = stop > first && (*first != '0' || stop == first + 1);

	if (*stop == '.') {
		const char *part = stop + 1;

		stop = skip_digits(part);
		is_usual &= stop > part;
	}
	if (!is_usual || stop == r->end ||
	    (*stop != ',' && *stop != '}' && *stop != ']' && !is_space(*stop))) {
		return read_word(r, at);
	}
	hand_over(r, RA_JSON_NUMBER, at, (size_t) (stop - at));
	return stop;
}

/* ---- containers ---- */

static const char *open_container(struct reading *r, const char *at)
{
	const bool is_object = *at == '{';

	if (r->depth >= MAX_DEPTH) {
		r->outcome = IS_TOO_DEEP;
		r->odd = at;
		return NULL;
	}
	if (r->depth == 0 && r->has_root) {
		note(r, RA_JSON_ODD_DOCUMENT, 1, at);
	}
	if (r->depth == r->record_depth && r->depth > 0) {
		const char *next = skip_space(at + 1);

		if (!is_object && next == r->end) {
			return end_more(r);
		}
		if (!is_object && *next == '{') {
			/* It would take all records behind it. */
			return end_odd(r, at, "a record was expected");
		}
		r->record = (size_t) (at - r->buffer);
		r->json->record_offset = find_offset(r, at);
	}
	RA_UTIL_APPEND(r->stack, r->depth, r->stack_capacity, (uint16_t) (r->key << 1 | is_object));
	r->has_root = true;
	r->state = is_object ? FIRST_KEY : FIRST_VALUE;
	r->json->handler->open(r->json->context, is_object);
	if (r->json->opens_records) {
		r->json->opens_records = false;
		r->record_depth = r->depth;
	}
	return at + 1;
}

static inline bool is_in_object(const struct reading *r)
{
	return (r->stack[r->depth - 1] & 1) != 0;
}

static const char *close_container(struct reading *r, const char *at)
{
	r->depth--;
	if (r->depth <= r->record_depth) {
		r->record = NOWHERE;
		if (r->depth < r->record_depth) {
			r->record_depth = 0;
		}
	}
	r->key = r->stack[r->depth] >> 1;
	r->state = AFTER;
	r->json->handler->close(r->json->context, *at == '}');
	return at + 1;
}

static const char *read_value(struct reading *r, const char *at)
{
	struct span span;

	switch (*at) {
	case '"':
		at = read_string(r, at + 1, &span);
		if (at != NULL) {
			hand_over(r, RA_JSON_STRING, span.text, span.length);
		}
		return at;
	case '{':
	case '[':
		return open_container(r, at);
	case ']':
		if (r->state == FIRST_VALUE) {
			return close_container(r, at);
		}
		break;
	default:
		break;
	}
	return read_number(r, at);
}

/* ---- keys ---- */

/* @at: of the key's quote. @from: behind the value before, or the bracket. */
static const char *read_key(struct reading *r, const char *from, const char *at)
{
	const unsigned place = r->state == FIRST_KEY ? RA_JSON_KEYS + r->key : r->key;
	struct span span;

	at = read_string(r, at + 1, &span);
	if (at == NULL) {
		return NULL;
	}
	at = skip_space(at);
	if (*at != ':') {
		return at == r->end ? end_more(r) : end_odd(r, at, "a colon was expected");
	}
	at = skip_space(at + 1);
	if (at == r->end) {
		return end_more(r);
	}
	r->key = ra_json_keys_find(&r->keys, span.text, span.length);
	if (span.text != r->decoded) {
		ra_json_keys_learn(&r->keys, place, from, (size_t) (at - from), r->key);
	}
	r->json->handler->key(r->json->context, span.text, span.length, r->key);
	r->state = VALUE;
	return at;
}

/* The key that is guessed to stand here. Return: at its value; NULL: another stands here. */
static inline const char *take_guess(struct reading *r, unsigned place, const char *at)
{
	const struct ra_json_guess *guess = ra_json_keys_guess(&r->keys, place, at);
	const struct ra_json_key *key;

	if (guess == NULL || guess->length == 0) {
		return NULL;
	}
	key = &r->keys.keys[guess->key];
	r->key = guess->key;
	r->state = VALUE;
	r->json->handler->key(r->json->context, key->text, key->length, guess->key);
	return at + guess->length;
}

/* Behind the opening bracket. */
static const char *read_first_key(struct reading *r, const char *at)
{
	const char *next = take_guess(r, RA_JSON_KEYS + r->key, at);

	if (next != NULL) {
		return next;
	}
	next = skip_space(at);
	if (*next == '}') {
		return close_container(r, next);
	}
	if (*next == '"') {
		return read_key(r, at, next);
	}
	return next == r->end ? end_more(r) : end_odd(r, next, "a key was expected");
}

/* Behind a comma that stands behind a value. */
static const char *read_next(struct reading *r, const char *from, const char *comma)
{
	const bool is_object = is_in_object(r);
	const char *at = skip_space(comma + 1);

	if (at == r->end) {
		return end_more(r);
	}
	if (*at == ',') {
		note(r, RA_JSON_ODD_COMMA, 1, at);
		return at; /* as if it were the first */
	}
	if (*at == (is_object ? '}' : ']')) {
		note(r, RA_JSON_ODD_COMMA, 1, comma);
		return close_container(r, at);
	}
	if (!is_object) {
		r->state = VALUE;
		return at;
	}
	if (*at == '"') {
		return read_key(r, from, at);
	}
	return at == r->end ? end_more(r) : end_odd(r, at, "a key was expected");
}

/* Behind a value: a comma that is missing is as good as there where nothing else can be meant. */
static const char *read_after(struct reading *r, const char *from)
{
	const char *at;

	if (r->depth > 0 && *from == ',' && is_in_object(r)) {
		at = take_guess(r, r->key, from);
		if (at != NULL) {
			return at;
		}
	}
	at = skip_space(from);
	if (at == r->end) {
		return end_more(r);
	}
	if (r->depth == 0) {
		return *at == '{' || *at == '[' ? open_container(r, at)
		                                : end_odd(r, at, "text behind the end");
	}
	if (*at == ',') {
		return read_next(r, from, at);
	}
	if (*at == (is_in_object(r) ? '}' : ']')) {
		return close_container(r, at);
	}
	if (*at == (is_in_object(r) ? '"' : '{')) {
		note(r, RA_JSON_ODD_COMMA, 1, at);
		if (*at == '{') {
			return open_container(r, at);
		}
		return read_key(r, from, at);
	}
	return end_odd(r, at, "a comma was expected");
}

/* Parses up to the end of what is in the buffer, or up to damage. */
static void parse(struct reading *r)
{
	const char *at = r->buffer + r->from;
	const char *next = at;

	while (next != NULL) {
		at = next;
		switch (r->state) {
		case FIRST_VALUE:
		case VALUE:
			next = skip_space(at);
			next = next == r->end ? end_more(r) : read_value(r, next);
			break;
		case FIRST_KEY:
			next = read_first_key(r, at);
			break;
		default:
			next = read_after(r, at);
			break;
		}
		if (next != NULL && r->pending_count > 0) {
			count_pending(r);
		}
	}
	r->pending_count = 0;
	r->from = (size_t) (at - r->buffer);
}

/* ---- damage ---- */

static void stop(struct reading *r, int code, uint64_t offset, const char *why)
{
	rlog_error_set(&r->json->stop, code, offset, "%s", why);
}

/* Return: false if the reading ends here. */
static bool begin_loss(struct reading *r)
{
	const char *from = r->odd;

	r->odd_offset = find_offset(r, r->odd);
	if (r->outcome == IS_TOO_DEEP) {
		stop(r, RLOG_E_SCHEMA, r->odd_offset,
		     "arrays and objects are nested over a million deep");
		return false;
	}
	if (r->json->handler->drop == NULL || !r->has_root) {
		stop(r, RLOG_E_SCHEMA, r->odd_offset, r->why);
		return false;
	}
	r->is_lost = true;
	r->had_record = r->record_depth > 0 && r->depth > r->record_depth;
	if (r->record != NOWHERE) {
		from = r->buffer + r->record;
	}
	r->lost_from = find_offset(r, from);
	r->from = (size_t) (from - r->buffer) + (r->record != NOWHERE);
	r->reread += (uint64_t) (r->odd - from);
	if (r->reread > MAX_REREAD + 2 * r->end_offset) {
		r->from = (size_t) (r->odd - r->buffer);
	}
	r->record = NOWHERE;
	return true;
}

static void count_loss(struct reading *r, uint64_t end)
{
	struct ra_json *json = r->json;

	json->odd[RA_JSON_ODD_DAMAGE]++;
	if (json->note != NULL) {
		json->note(json->context, RA_JSON_ODD_DAMAGE, r->odd_offset);
	}
	json->lost_bytes += end - r->lost_from;
	json->lost_records += r->had_record;
	if (json->lost_why[0] == '\0') {
		json->lost_offset = r->odd_offset;
		(void) snprintf(json->lost_why, sizeof(json->lost_why), "%s", r->why);
	}
}

/* The array of the records is open, whatever was. */
static void restore_depth(struct reading *r)
{
	if (r->record_depth == 0) {
		r->depth = 0;
		RA_UTIL_APPEND(r->stack, r->depth, r->stack_capacity, 1);
		RA_UTIL_APPEND(r->stack, r->depth, r->stack_capacity, 0);
		r->record_depth = 2;
	}
	r->depth = r->record_depth;
	r->key = r->stack[r->depth - 1] >> 1;
}

/* From a record, or the end of their array, on. */
static void go_on(struct reading *r, const char *at)
{
	count_loss(r, find_offset(r, at));
	restore_depth(r);
	r->json->handler->drop(r->json->context);
	r->state = *at == ']' ? AFTER : VALUE;
	r->from = (size_t) (at - r->buffer);
	r->is_lost = false;
}

/* Return: true if the parsing goes on, false if more text is needed. */
static bool find_record(struct reading *r)
{
	const uint64_t begin_offset = find_offset(r, r->buffer);
	struct ra_json_recover recover = {
		.strong = r->json->strong_keys,
		.weak = r->json->weak_keys,
		.begin = r->buffer,
		.end = r->end,
		.from = r->buffer + r->from,
		.odd = r->odd_offset > begin_offset ? r->buffer + (r->odd_offset - begin_offset)
		                                    : r->buffer,
		.is_end = r->at_end,
	};
	const char *at;

	if (r->record_depth == 0) {
		recover.odd = r->end; /* there is no array that could end */
	}
	at = ra_json_recover_find(&recover);
	if (at == NULL) {
		r->from = (size_t) (recover.from - r->buffer);
		return false;
	}
	go_on(r, at);
	return true;
}

/* A bracket that is missing makes a record take those behind it. Return: true if this one did. */
static bool leave_record(struct reading *r)
{
	static const char *const none[] = { NULL };
	struct ra_json_recover recover = {
		.strong = r->json->strong_keys,
		.weak = none,
		.begin = r->buffer,
		.end = r->end,
		.from = r->buffer + r->record + 1,
		.odd = r->end,
		.is_end = true,
	};
	const char *at = ra_json_recover_find(&recover);

	if (at == NULL) {
		r->record = NOWHERE;
		return false;
	}
	r->odd = r->buffer + r->record;
	r->why = "this does not end where the next begins";
	(void) begin_loss(r);
	go_on(r, at);
	return true;
}

/* ---- blocks ---- */

/* What must stay: the record that is open, and white space and all behind the value before. */
static size_t find_kept(struct reading *r)
{
	size_t kept = r->from;

	if (r->is_lost) {
		return kept > RA_JSON_RECOVER_BYTES ? kept - RA_JSON_RECOVER_BYTES : 0;
	}
	return r->record != NOWHERE && r->record < kept ? r->record : kept;
}

/* Reads on behind what is kept, as much as that is. Return: 0, a code with json->stop. */
static int refill(struct reading *r)
{
	const size_t kept = find_kept(r);
	const size_t have = r->end != NULL ? (size_t) (r->end - r->buffer) - kept : 0;
	const size_t block = have > BLOCK_BYTES ? have : BLOCK_BYTES;
	size_t count = 0;
	int rc = 0;

	if (kept > 0) {
		memmove(r->buffer, r->buffer + kept, have);
		r->from -= kept;
		r->record -= r->record != NOWHERE ? kept : 0;
	}
	ra_util_grow(&r->buffer, &r->size, have + block + RA_JSON_SCAN_PAD, 1);
	while (rc == 0 && count < block) {
		size_t got = 0;

		rc = r->json->read(r->json->source, r->buffer + have + count, block - count, &got,
		                   &r->json->stop);
		if (rc != 0 || got == 0) {
			break;
		}
		count += got;
	}
	r->end = r->buffer + have + count;
	memset(r->end, 0, RA_JSON_SCAN_PAD);
	r->end_offset += count;
	r->at_end = count == 0;
	if (count > 0) {
		r->json->stop.code = 0; /* it comes again with the next block */
	}
	return count > 0 ? 0 : rc;
}

/* The text ends. A bare array needs no bracket at its end: Chrome's format says so. */
static void finish(struct reading *r)
{
	const char *rest = skip_space(r->buffer + r->from);
	const bool has_rest = *skip_space(rest + (*rest == ',')) != '\0';
	const bool is_open_array = r->depth == 1 && !is_in_object(r) && !has_rest;

	if (r->is_lost) {
		count_loss(r, r->end_offset);
		stop(r, RLOG_E_SCHEMA, r->odd_offset, r->why);
	} else if (!r->has_root) {
		stop(r, RLOG_E_SCHEMA, r->end_offset, "no JSON text");
	} else if (!is_open_array && (r->depth > 0 || has_rest)) {
		stop(r, RLOG_E_TRUNCATED, r->end_offset, "the text ends in the middle");
	}
}

/* The record that is open is longer than any should be, or the text ends in it. */
static bool is_long(const struct reading *r)
{
	return r->record != NOWHERE && r->json->handler->drop != NULL &&
	       (r->at_end || (uint64_t) (r->end - r->buffer) - r->record > LONG_RECORD);
}

/* Parses what is in the buffer. Return: false if the reading ends. */
static bool parse_block(struct reading *r)
{
	for (;;) {
		if (r->is_lost && !find_record(r)) {
			return true;
		}
		parse(r);
		if (r->outcome == NEEDS_MORE) {
			if (!is_long(r) || !leave_record(r)) {
				break;
			}
		} else if (!begin_loss(r)) {
			return false;
		}
	}
	if ((uint64_t) (r->end - r->buffer) - r->from > MAX_TEXT) {
		stop(r, RLOG_E_SCHEMA, find_offset(r, r->buffer + r->from),
		     "a text is longer than 64 MiB: the rest is not read");
		return false;
	}
	return true;
}

static void read_all(struct reading *r)
{
	bool is_first = true;

	for (;;) {
		if (refill(r) != 0) {
			return; /* the stop is set */
		}
		if (is_first && r->end - r->buffer >= 3 &&
		    memcmp(r->buffer, "\xEF\xBB\xBF", 3) == 0) {
			r->from = 3;
		}
		is_first = false;
		if (!parse_block(r)) {
			return;
		}
		if (r->at_end) {
			finish(r);
			return;
		}
		if (r->json->progress != NULL) {
			r->json->progress(r->json->context);
		}
	}
}

void ra_json_token_read(struct ra_json *json)
{
	struct reading *r = ra_alloc_zeros(1, sizeof(*r));

	r->json = json;
	r->scan = ra_json_scan_get(0, NULL);
	r->state = VALUE;
	r->record = NOWHERE;
	ra_json_keys_init(&r->keys);
	read_all(r);
	json->bytes = r->end_offset;
	ra_json_keys_fini(&r->keys);
	free(r->stack);
	free(r->buffer);
	free(r->decoded);
	free(r);
}
