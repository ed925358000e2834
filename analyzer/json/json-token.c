/* SPDX-License-Identifier: MIT */
/* Tokenizes JSON, and tolerates faults that are known from people's files. */
#include "analyzer/json/json-token.h"

#include <string.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/util.h"
#include "analyzer/json/json-array.h"
#include "analyzer/json/json-recover.h"
#include "analyzer/json/json-text.h"

#define MAX_DEPTH (1u << 20)

struct span {
	const char *text;
	size_t length;
};

static void note(struct ra_json_reading *r, enum ra_json_oddity oddity, uint64_t count,
                 const char *at)
{
	if (count > 0 && r->pending_count < RA_JSON_PENDING) {
		r->pending[r->pending_count++] =
			(struct ra_json_pending){ oddity, count, ra_json_reading_offset(r, at) };
	}
}

static void count_pending(struct ra_json_reading *r)
{
	struct ra_json *json = r->json;

	for (unsigned i = 0; i < r->pending_count; i++) {
		json->odd[r->pending[i].oddity] += r->pending[i].count;
		r->record_odd[r->pending[i].oddity] += r->pending[i].count;
		if (json->note != NULL && r->pending[i].offset >= r->noted) {
			json->note(json->context, r->pending[i].oddity, r->pending[i].offset);
		}
	}
	r->has_odd |= r->pending_count > 0;
	r->pending_count = 0;
}

static const char *end_odd(struct ra_json_reading *r, const char *at, const char *why)
{
	r->outcome = RA_JSON_IS_ODD;
	r->odd = at;
	r->why = why;
	return NULL;
}

static const char *end_more(struct ra_json_reading *r)
{
	r->outcome = RA_JSON_NEEDS_MORE;
	return NULL;
}

/* ---- strings and words ---- */

/* Decodes the escapes of a string, and notes the oddities in it. */
static void clean_string(struct ra_json_reading *r, struct span *span, bool has_escape,
                         bool has_control)
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

/* @at: the place after the opening quote. Return: the place after the closing quote. */
static inline const char *read_string(struct ra_json_reading *r, const char *at, struct span *span)
{
	bool has_escape = false;
	bool has_control = false;
	const char *stop;

	r->has_high = false;
	stop = r->scan(at, &r->has_high);
	while (*stop != '"') {
		if (r->end - stop < 2) {
			return end_more(r);
		}
		has_escape |= *stop == '\\';
		has_control |= *stop != '\\';
		stop = r->scan(stop + (*stop == '\\' ? 2 : 1), &r->has_high);
	}
	*span = (struct span){ at, (size_t) (stop - at) };
	if (r->has_high || has_escape || has_control) {
		clean_string(r, span, has_escape, has_control);
	}
	return stop + 1;
}

/* True for a character that ends a word or a number. */
static inline bool is_end_of_word(char c)
{
	return c == ',' || c == '}' || c == ']' || ra_json_reading_is_space(c) || c == '\0' ||
	       c == ':' || c == '"' || c == '{' || c == '[';
}

static void hand_over(struct ra_json_reading *r, enum ra_json_type type, const char *text,
                      size_t length)
{
	r->handler.value(r->context, type, text, length);
	r->state = RA_JSON_AT_COMMA;
}

/* Reads a word, or a number that is not in the usual form. */
static const char *read_word(struct ra_json_reading *r, const char *at)
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

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__

/* The number that eight digits make. Each byte is 0 to 9, the lowest byte is the first digit. Joins
 * digits to pairs, then pairs to fours. */
static inline uint64_t join_digits(uint64_t bytes)
{
	const uint64_t every_fourth = 0x000000FF000000FF;

	bytes = bytes * 10 + (bytes >> 8);
	return ((bytes & every_fourth) * (100 + (UINT64_C(1000000) << 32)) +
	        (bytes >> 16 & every_fourth) * (1 + (UINT64_C(10000) << 32))) >>
	       32;
}

/* Reads digits. Does so eight at a time, because times have sixteen digits and more. Reads up to 7
 * bytes past the last digit. */
static inline const char *read_digits(const char *at, uint64_t *digits)
{
	static const uint64_t powers[] = { 1,      10,      100,      1000,     10000,
		                           100000, 1000000, 10000000, 100000000 };
	const uint64_t high_bits = 0x8080808080808080;
	unsigned count;

	do {
		uint64_t bytes;
		uint64_t others;

		memcpy(&bytes, at, sizeof(bytes));
		bytes ^= 0x3030303030303030; /* the character '0' in each byte */
		/* Sets the high bit of each byte from 10 up. Its carry only reaches bytes after the
		 * first such byte. */
		others = ((bytes + 0x7676767676767676) | bytes) & high_bits;
		count = others != 0 ? (unsigned) __builtin_ctzll(others) / 8 : 8;
		if (count == 0) {
			break;
		}
		*digits = *digits * powers[count] + join_digits(bytes << (64 - 8 * count));
		at += count;
	} while (count == 8);
	return at;
}

#else

static inline const char *read_digits(const char *at, uint64_t *digits)
{
	uint64_t sum = *digits;
	unsigned digit;

	while ((digit = (unsigned) (*at - '0')) < 10) {
		sum = sum * 10 + digit;
		at++;
	}
	*digits = sum;
	return at;
}

#endif

/* True for a character that may follow a number in the usual form. False for the NUL at the
 * buffer's end. */
static inline bool ends_number(char c)
{
	static const bool ends[256] = { [','] = true,  ['}'] = true,  [']'] = true, [' '] = true,
		                        ['\n'] = true, ['\r'] = true, ['\t'] = true };

	return ends[(unsigned char) c];
}

static inline const char *read_number(struct ra_json_reading *r, const char *at)
{
	struct ra_json_number *number = &r->json->number;
	const char *const first = at + (*at == '-');
	uint64_t digits = 0;
	const char *stop = read_digits(first, &digits);
	bool is_usual = stop > first && (*first != '0' || stop == first + 1);

	number->whole_count = (uint32_t) (stop - first);
	number->part_count = 0;
	if (*stop == '.') {
		const char *part = stop + 1;

		stop = read_digits(part, &digits);
		is_usual &= stop > part;
		number->part_count = (uint32_t) (stop - part);
	}
	if (!is_usual || !ends_number(*stop)) {
		number->is_usual = false;
		return read_word(r, at);
	}
	number->digits = digits;
	number->is_usual = true;
	number->is_negative = first > at;
	hand_over(r, RA_JSON_NUMBER, at, (size_t) (stop - at));
	return stop;
}

/* ---- containers ---- */

static void begin_record(struct ra_json_reading *r, const char *at)
{
	r->record = (size_t) (at - r->buffer);
	if (r->has_odd) {
		memset(r->record_odd, 0, sizeof(r->record_odd));
		r->has_odd = false;
	}
}

/* Decides whether a record ends at the bracket of an object within it. Used when too much text was
 * read again already. Return: true if the record is given up because the object begins another
 * record, or if more text is needed to decide; r->outcome tells which of the two. */
static bool ends_record(struct ra_json_reading *r, const char *at)
{
	if (r->end - at < RA_JSON_RECOVER_BYTES && !r->at_end) {
		(void) end_more(r);
		return true;
	}
	if (ra_json_recover_begins(r->json->strong_keys, at, r->end)) {
		(void) end_odd(r, at, "this does not end where the next begins");
		return true;
	}
	return false;
}

static const char *open_container(struct ra_json_reading *r, const char *at)
{
	const bool is_object = *at == '{';

	if (r->depth >= MAX_DEPTH) {
		r->outcome = RA_JSON_IS_TOO_DEEP;
		r->odd = at;
		return NULL;
	}
	if (r->depth == 0 && r->has_root) {
		note(r, RA_JSON_ODD_DOCUMENT, 1, at);
	}
	if (r->depth == r->record_depth && r->depth > 0) {
		const char *next = ra_json_reading_skip_space(at + 1);

		if (!is_object && next == r->end) {
			return end_more(r);
		}
		if (!is_object && *next == '{') {
			/* If this counted as a record, it would contain all records after it. */
			return end_odd(r, at, "a record was expected");
		}
		begin_record(r, at);
		r->json->record_offset = ra_json_reading_offset(r, at);
	} else if (is_object && r->record != RA_JSON_NOWHERE && ra_json_reading_is_spent(r) &&
	           ends_record(r, at)) {
		return NULL;
	}
	RA_UTIL_APPEND(r->stack, r->depth, r->stack_capacity, (uint16_t) (r->key << 1 | is_object));
	r->has_root = true;
	r->state = is_object ? RA_JSON_AT_FIRST_KEY : RA_JSON_AT_FIRST_VALUE;
	r->handler.open(r->context, is_object);
	if (r->json->opens_records) {
		r->json->opens_records = false;
		r->record_depth = r->depth;
	}
	return at + 1;
}

static const char *close_container(struct ra_json_reading *r, const char *at)
{
	r->depth--;
	if (r->depth <= r->record_depth) {
		r->record = RA_JSON_NOWHERE;
		if (r->depth < r->record_depth) {
			r->record_depth = 0;
		}
	}
	r->key = r->stack[r->depth] >> 1;
	r->state = RA_JSON_AT_COMMA;
	r->handler.close(r->context, *at == '}');
	return at + 1;
}

static inline const char *read_text(struct ra_json_reading *r, const char *at)
{
	struct span span;

	at = read_string(r, at + 1, &span);
	if (at != NULL) {
		hand_over(r, RA_JSON_STRING, span.text, span.length);
	}
	return at;
}

/* Reads an array in an object of a record as one text. Return: NULL if it is not plain. */
static const char *take_array(struct ra_json_reading *r, const char *at)
{
	size_t length;
	const char *next;

	if (r->handler.array == NULL || r->record_depth == 0 || r->depth <= r->record_depth ||
	    !ra_json_reading_is_in_object(r)) {
		return NULL;
	}
	next = ra_json_array_read(r, at, &length);
	if (next != NULL) {
		r->handler.array(r->context, r->decoded, length);
		r->state = RA_JSON_AT_COMMA;
	}
	return next;
}

/* @at: the place of the value, of a blank before it, or of the end of the text. */
static const char *read_value(struct ra_json_reading *r, const char *at)
{
	const char *next;

	at = ra_json_reading_skip_space(at);
	if (at == r->end) {
		return end_more(r);
	}
	if (r->depth == r->record_depth && r->depth > 0) {
		/* Marks any value here as a record: if the value is damaged, a record may begin
		 * inside it. */
		begin_record(r, at);
	}
	switch (*at) {
	case '"':
		return read_text(r, at);
	case '[':
		next = take_array(r, at);
		return next != NULL ? next : open_container(r, at);
	case '{':
		return open_container(r, at);
	case ']':
		if (r->state == RA_JSON_AT_FIRST_VALUE) {
			return close_container(r, at);
		}
		break;
	default:
		break;
	}
	return read_number(r, at);
}

/* ---- keys ---- */

/* @at: the key's opening quote. @from: the place after the value before the key, or after the
 * bracket. */
static const char *read_key(struct ra_json_reading *r, const char *from, const char *at)
{
	const unsigned place = r->state == RA_JSON_AT_FIRST_KEY ? RA_JSON_KEYS + r->key : r->key;
	struct span span;

	at = read_string(r, at + 1, &span);
	if (at == NULL) {
		return NULL;
	}
	at = ra_json_reading_skip_space(at);
	if (*at != ':') {
		return at == r->end ? end_more(r) : end_odd(r, at, "a colon was expected");
	}
	at = ra_json_reading_skip_space(at + 1);
	if (at == r->end) {
		return end_more(r);
	}
	r->key = ra_json_keys_find(&r->keys, span.text, span.length);
	if (span.text != r->decoded) {
		ra_json_keys_learn(&r->keys, place, from, (size_t) (at - from), r->key);
	}
	r->handler.key(r->context, span.text, span.length, r->key);
	r->state = RA_JSON_AT_VALUE;
	return at;
}

/* Takes the key that is predicted here. Return: the place of its value; NULL: the prediction
 * fails. */
static inline const char *take_guess(struct ra_json_reading *r, unsigned place, const char *at)
{
	const struct ra_json_guess *guess = ra_json_keys_guess(&r->keys, place, at);
	const struct ra_json_key *key;

	if (guess == NULL || guess->length == 0) {
		return NULL;
	}
	key = &r->keys.keys[guess->key];
	r->key = guess->key;
	r->state = RA_JSON_AT_VALUE;
	r->handler.key(r->context, key->text, key->length, guess->key);
	return at + guess->length;
}

/* Guesses the key after the last value. @comma: the place after that value. */
static inline const char *take_next_guess(struct ra_json_reading *r, const char *comma)
{
	return r->depth > 0 && ra_json_reading_is_in_object(r) ? take_guess(r, r->key, comma)
	                                                       : NULL;
}

/* Reads the value of a predicted key as read_value() does, but tries the most frequent types
 * first. */
static inline const char *read_guessed_value(struct ra_json_reading *r, const char *at)
{
	if ((unsigned) (*at - '0') < 10) {
		return read_number(r, at);
	}
	return *at == '"' ? read_text(r, at) : read_value(r, at);
}

/* Parses the place after the opening bracket of an object. */
static const char *read_first_key(struct ra_json_reading *r, const char *at)
{
	const char *next = take_guess(r, RA_JSON_KEYS + r->key, at);

	if (next != NULL) {
		return next;
	}
	next = ra_json_reading_skip_space(at);
	if (*next == '}') {
		return close_container(r, next);
	}
	if (*next == '"') {
		return read_key(r, at, next);
	}
	return next == r->end ? end_more(r) : end_odd(r, next, "a key was expected");
}

/* Parses the place after a comma that follows a value. */
static const char *read_next(struct ra_json_reading *r, const char *from, const char *comma)
{
	const bool is_object = ra_json_reading_is_in_object(r);
	const char *at = ra_json_reading_skip_space(comma + 1);

	if (at == r->end) {
		return end_more(r);
	}
	if (*at == ',') {
		note(r, RA_JSON_ODD_COMMA, 1, at);
		return at; /* a second comma is treated like the first */
	}
	if (*at == (is_object ? '}' : ']')) {
		note(r, RA_JSON_ODD_COMMA, 1, comma);
		return close_container(r, at);
	}
	if (!is_object) {
		r->state = RA_JSON_AT_VALUE;
		return at;
	}
	if (*at == '"') {
		return read_key(r, from, at);
	}
	return at == r->end ? end_more(r) : end_odd(r, at, "a key was expected");
}

/* Parses the place after a value. A missing comma is tolerated where nothing else can be meant. */
static const char *read_after(struct ra_json_reading *r, const char *from)
{
	const char *at = ra_json_reading_skip_space(from);

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
	if (*at == (ra_json_reading_is_in_object(r) ? '}' : ']')) {
		return close_container(r, at);
	}
	if (*at == (ra_json_reading_is_in_object(r) ? '"' : '{')) {
		note(r, RA_JSON_ODD_COMMA, 1, at);
		if (*at == '{') {
			return open_container(r, at);
		}
		return read_key(r, from, at);
	}
	return end_odd(r, at, "a comma was expected");
}

void ra_json_token_parse(struct ra_json_reading *r)
{
	const char *at = r->buffer + r->from;
	const char *next = at;

	while (next != NULL) {
		at = next;
		switch (r->state) {
		case RA_JSON_AT_FIRST_VALUE:
		case RA_JSON_AT_VALUE:
			next = read_value(r, at);
			break;
		case RA_JSON_AT_FIRST_KEY:
			next = read_first_key(r, at);
			break;
		case RA_JSON_AT_COMMA:
			next = *at == ',' ? take_next_guess(r, at) : NULL;
			if (next == NULL) {
				next = read_after(r, at);
				break;
			}
			at = next; /* the key was handed over, but its value may need more text */
			next = read_guessed_value(r, at);
			break;
		}
		if (next != NULL && r->pending_count > 0) {
			count_pending(r);
		}
	}
	r->pending_count = 0;
	r->from = (size_t) (at - r->buffer);
}
