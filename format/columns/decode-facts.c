/* SPDX-License-Identifier: MIT */
/* Reads the flat maps of CAPTURE and END. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "format/columns/cursor.h"
#include "format/columns/decode.h"
#include "format/wire.h"

/* Upper bounds of what a payload needs. A first pass counts them. */
struct need {
	size_t facts;
	size_t texts;
	size_t key_bytes;
};

/* State of the second pass: how many texts and bytes of keys are stored so far. */
struct filling {
	struct rlog_decode_facts *out;
	size_t texts;
	size_t key_bytes;
};

static int measure(struct rlog_cursor cursor, struct need *need)
{
	uint32_t keys = 0;

	if (rlog_cursor_read_map(&cursor, &keys)) {
		return -RLOG_E_MSGPACK;
	}
	for (uint32_t i = 0; i < keys; i++) {
		const char *key = NULL;
		uint32_t length = 0;
		uint32_t elements = 1;

		if (rlog_cursor_read_text(&cursor, &key, &length)) {
			return -RLOG_E_MSGPACK;
		}
		if (rlog_cursor_peek(&cursor) == RLOG_CURSOR_ARRAY) {
			struct rlog_cursor ahead = cursor;

			if (rlog_cursor_read_array(&ahead, &elements)) {
				return -RLOG_E_MSGPACK;
			}
		}
		need->facts++;
		need->texts += elements;
		need->key_bytes += length + (size_t) 1;
		if (rlog_cursor_skip(&cursor)) {
			return -RLOG_E_MSGPACK;
		}
	}
	return cursor.pos == cursor.end ? 0 : -RLOG_E_MSGPACK;
}

static bool take_text(struct rlog_cursor *cursor, struct filling *filling)
{
	struct rlog_string *const text = &filling->out->texts[filling->texts];

	if (rlog_cursor_peek(cursor) != RLOG_CURSOR_TEXT ||
	    rlog_cursor_read_text(cursor, &text->bytes, &text->length)) {
		return false;
	}
	text->full_length = text->length;
	filling->texts++;
	return text->length <= RLOG_MAX_STRING_BYTES;
}

static bool take_texts(struct rlog_cursor *cursor, struct filling *filling, struct rlog_fact *fact)
{
	uint32_t elements = 0;

	if (rlog_cursor_read_array(cursor, &elements)) {
		return false;
	}
	for (uint32_t i = 0; i < elements; i++) {
		if (!take_text(cursor, filling)) {
			return false;
		}
	}
	fact->text_count = elements;
	return true;
}

static void take_int(struct rlog_cursor *cursor, struct rlog_fact *fact)
{
	struct rlog_cursor_int number = { 0 };

	(void) rlog_cursor_read_int(cursor, &number); /* the first pass has checked it */
	fact->type = number.negative ? RLOG_FACT_I64 : RLOG_FACT_U64;
	fact->u64 = number.bits;
	fact->i64 = (int64_t) number.bits;
}

/* Takes the value at the cursor if its kind is known. Return: false if not. */
static bool take_value(struct rlog_cursor *cursor, struct filling *filling, struct rlog_fact *fact)
{
	bool is_true = false;

	fact->texts = filling->out->texts + filling->texts;
	switch (rlog_cursor_peek(cursor)) {
	case RLOG_CURSOR_INT:
		take_int(cursor, fact);
		return true;
	case RLOG_CURSOR_BOOL:
		(void) rlog_cursor_read_bool(cursor, &is_true);
		fact->type = RLOG_FACT_BOOL;
		fact->u64 = is_true;
		fact->i64 = is_true;
		return true;
	case RLOG_CURSOR_TEXT:
		fact->type = RLOG_FACT_TEXT;
		fact->text_count = 1;
		return take_text(cursor, filling);
	case RLOG_CURSOR_ARRAY:
		fact->type = RLOG_FACT_TEXTS;
		return take_texts(cursor, filling, fact);
	default:
		return false;
	}
}

static void take_fact(struct rlog_cursor *cursor, struct filling *filling)
{
	struct rlog_fact fact = { 0 };
	struct rlog_cursor value;
	const char *key = NULL;
	uint32_t length = 0;
	char *const copy = filling->out->keys + filling->key_bytes;

	(void) rlog_cursor_read_text(cursor, &key, &length); /* the first pass has checked it */
	memcpy(copy, key, length);
	copy[length] = '\0';
	filling->key_bytes += length + (size_t) 1;
	fact.key = copy;
	value = *cursor;
	if (take_value(&value, filling, &fact)) {
		filling->out->facts[filling->out->count++] = fact;
	}
	(void) rlog_cursor_skip(cursor);
}

int rlog_decode_facts(const struct rlog_decode_source *source, struct rlog_decode_facts *out,
                      struct rlog_error *err)
{
	struct rlog_cursor cursor = {
		.pos = source->bytes,
		.end = (const uint8_t *) source->bytes + source->size,
	};
	struct filling filling = { .out = out };
	struct need need = { 0 };
	uint32_t keys = 0;

	if (measure(cursor, &need)) {
		return rlog_error_set(err, RLOG_E_MSGPACK, RLOG_NO_OFFSET,
		                      "the payload is not a map with text keys");
	}
	/* Allocates one more of each, so that no size is 0. */
	out->facts = malloc((need.facts + 1) * sizeof(*out->facts));
	out->texts = malloc((need.texts + 1) * sizeof(*out->texts));
	out->keys = malloc(need.key_bytes + 1);
	if (!out->facts || !out->texts || !out->keys) {
		rlog_decode_free_facts(out);
		return rlog_error_set(err, RLOG_E_NO_MEMORY, RLOG_NO_OFFSET, "no memory for facts");
	}
	(void) rlog_cursor_read_map(&cursor, &keys);
	for (uint32_t i = 0; i < keys; i++) {
		take_fact(&cursor, &filling);
	}
	return 0;
}

void rlog_decode_free_facts(struct rlog_decode_facts *facts)
{
	free(facts->facts);
	free(facts->texts);
	free(facts->keys);
	*facts = (struct rlog_decode_facts){ 0 };
}
