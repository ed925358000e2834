/* SPDX-License-Identifier: MIT */
/* Reads an event of a Chrome trace: its fields become columns, or are stored with the args. */
#include "analyzer/read-json/kineto-event.h"

#include "analyzer/base/alloc.h"
#include "analyzer/json/json-text.h"
#include "analyzer/read-json/kineto-notes.h"
#include "analyzer/read-json/kineto-text.h"
#include "analyzer/rows/kineto-kinds.h"
#include "analyzer/rows/kineto-number.h"

#define MAX_TIME_BYTES 40u /* longest text that is read as a time */

/* The key of an item in the form that layouts have, with the bit for args. */
static uint32_t item_key(const struct ra_kineto_reading *reading)
{
	return reading->key << 1 | (reading->place == RA_KINETO_PLACE_ARGS);
}

static void keep_item(struct ra_kineto_reading *reading, uint32_t tag, uint64_t payload)
{
	const struct ra_kineto_item item = { item_key(reading), tag, payload, 0 };

	ra_kineto_store_item(&reading->store, &item);
}

/* Stores an id in its column, too, if it fits. The value itself stays among the args. */
static void note_id(struct ra_kineto_reading *reading, const struct ra_kineto_item *item)
{
	const bool is_arg = (item->key & 1) != 0;
	const uint32_t key = item->key >> 1;
	const uint64_t id = item->payload >> 1;

	if (item->tag != RA_KINETO_TAG_INT || (item->payload & 1) != 0 || id >= RA_KINETO_NONE) {
		return;
	}
	if (is_arg ? key == RA_KINETO_ARG_CORRELATION : key == RA_KINETO_ARG_ID) {
		reading->row.corr = (uint32_t) id;
	} else if (is_arg && key == RA_KINETO_ARG_EXTERNAL_ID) {
		reading->row.external = (uint32_t) id;
	} else if (is_arg && key == RA_KINETO_ARG_EXTERNAL_ID_OLD &&
	           reading->row.external == RA_KINETO_NONE) {
		reading->row.external = (uint32_t) id;
	}
}

void ra_kineto_event_keep(struct ra_kineto_reading *reading, enum ra_json_type type,
                          const char *text, size_t length)
{
	struct ra_kineto_item item = { .key = item_key(reading) };

	if (type == RA_JSON_NUMBER && ra_kineto_store_take_integer(&reading->json.number, &item)) {
		note_id(reading, &item);
		ra_kineto_store_item(&reading->store, &item);
		return;
	}
	switch (type) {
	case RA_JSON_STRING:
		keep_item(reading, RA_KINETO_TAG_STRING,
		          ra_kineto_strings_add(&reading->store.strings, text, length));
		break;
	case RA_JSON_NUMBER:
		if (!ra_kineto_store_take_number(&reading->json.number, &item)) {
			ra_kineto_store_number(&reading->store, text, length, &item);
		}
		note_id(reading, &item);
		ra_kineto_store_item(&reading->store, &item);
		break;
	case RA_JSON_NULL:
	case RA_JSON_FALSE:
	case RA_JSON_TRUE:
		keep_item(reading, RA_KINETO_TAG_WORD,
		          type == RA_JSON_NULL    ? 0
		          : type == RA_JSON_FALSE ? 1
		                                  : 2);
		break;
	}
}

uint32_t ra_kineto_event_make_text(struct ra_kineto_reading *reading, uint32_t *likely,
                                   enum ra_json_type type, const char *text, size_t length)
{
	uint32_t id;

	if (type == RA_JSON_NUMBER && !ra_kineto_number_is_word(text, length)) {
		return ra_kineto_strings_add_likely(&reading->store.strings, likely, text, length);
	}
	ra_util_text_clear(&reading->text);
	ra_kineto_text_put(&reading->text, type, text, length);
	id = ra_kineto_strings_add_likely(&reading->store.strings, likely, reading->text.bytes,
	                                  reading->text.length);
	ra_util_text_clear(&reading->text);
	return id;
}

void ra_kineto_event_begin(struct ra_kineto_reading *reading)
{
	reading->place = RA_KINETO_PLACE_EVENT;
	reading->store.item_count = 0;
	reading->has_fields = false;
	reading->row = (struct ra_kineto_row){ .corr = RA_KINETO_NONE, .external = RA_KINETO_NONE };
}

/* Return: false if the text is not a time. */
static bool take_time(struct ra_kineto_reading *reading, const char *text, size_t length,
                      bool is_dur)
{
	struct ra_kineto_row *row = &reading->row;
	bool has_point = false;
	bool is_exact;
	int64_t ns;

	is_exact = ra_kineto_number_take_ns(&reading->json.number, &ns, &has_point);
	if (is_exact || ra_kineto_number_ns(text, length, &ns, &has_point, &is_exact)) {
		*(is_dur ? &row->dur_ns : &row->ts_ns) = ns;
		row->flags |= is_dur ? RA_KINETO_HAS_DUR : RA_KINETO_HAS_TS;
		if (has_point) {
			row->flags |= is_dur ? RA_KINETO_DUR_POINT : RA_KINETO_TS_POINT;
		}
		if (is_exact && (ns != 0 || *text != '-')) {
			return true;
		}
		reading->kineto->oddities.rounded_times += !is_exact;
	}
	return false;
}

/* Reads a time in quotes, "1726026120000123.456", as Ascend's profiler writes it. Return: false if
 * it is not a number. */
static bool take_time_text(struct ra_kineto_reading *reading, const char *text, size_t length)
{
	char number[MAX_TIME_BYTES + 2];
	const bool is_short = length > 0 && length <= MAX_TIME_BYTES;
	const size_t count = is_short ? ra_json_text_mend_number(number, text, length) : 0;

	if (count == 0) {
		return false;
	}
	reading->json.number.is_usual = false; /* the flag belongs to the value read before */
	reading->kineto->oddities.text_times++;
	ra_kineto_notes_put(reading->options, reading->json.record_offset, "the time is a text");
	return take_time(reading, number, count, reading->key == RA_KINETO_ARG_DUR);
}

/* True if a value is stored as a string. Words like NaN are, and are read back as the same
 * words. */
static bool is_string(enum ra_json_type type, const char *text, size_t length)
{
	return type == RA_JSON_STRING ||
	       (type == RA_JSON_NUMBER && ra_kineto_number_is_word(text, length));
}

/* Stores a field in its column if it has the usual type, or else as a value. */
void ra_kineto_event_take(struct ra_kineto_reading *reading, enum ra_json_type type,
                          const char *text, size_t length)
{
	struct ra_kineto_row *row = &reading->row;

	switch (reading->key) {
	case RA_KINETO_ARG_PH:
		if (is_string(type, text, length) && length == 1 && *text != '\0') {
			row->phase = (uint8_t) *text;
			return;
		}
		break;
	case RA_KINETO_ARG_NAME:
		if (is_string(type, text, length)) {
			row->flags |= RA_KINETO_HAS_NAME;
			row->name = ra_kineto_strings_add(&reading->store.strings, text, length);
			return;
		}
		break;
	case RA_KINETO_ARG_CAT:
		if (is_string(type, text, length)) {
			row->flags |= RA_KINETO_HAS_CAT;
			row->category = ra_kineto_strings_add_likely(
				&reading->store.strings, &reading->category, text, length);
			return;
		}
		break;
	case RA_KINETO_ARG_PID:
		row->pid = ra_kineto_event_make_text(reading, &reading->pid, type, text, length);
		return;
	case RA_KINETO_ARG_TID:
		row->tid = ra_kineto_event_make_text(reading, &reading->tid, type, text, length);
		return;
	case RA_KINETO_ARG_TS:
	case RA_KINETO_ARG_DUR:
		if (type == RA_JSON_NUMBER &&
		    take_time(reading, text, length, reading->key == RA_KINETO_ARG_DUR)) {
			return;
		}
		if (type == RA_JSON_STRING && take_time_text(reading, text, length)) {
			return;
		}
		break; /* rounded values, and values that are no times, are kept as well, so that
		          they are not lost */
	default:
		if (ra_kineto_timeline_take_field(&reading->timeline,
		                                  ra_kineto_string(reading->kineto, reading->key),
		                                  text, length)) {
			return;
		}
		break;
	}
	ra_kineto_event_keep(reading, type, text, length);
}

static bool is_quoted(const struct ra_kineto *k, uint32_t id)
{
	return k->strings[id].length > 0 && k->strings[id].bytes[0] == '"';
}

void ra_kineto_event_end(struct ra_kineto_reading *reading)
{
	struct ra_kineto *k = reading->kineto;
	const struct ra_kineto_row *row = &reading->row;

	reading->place = RA_KINETO_PLACE_EVENTS;
	if (!reading->has_fields) {
		k->oddities.not_objects++;
		return;
	}
	if (!ra_kineto_timeline_undo(&reading->timeline, &reading->row)) {
		return;
	}
	k->oddities.no_time += ra_kineto_kinds_lacks_time(row);
	if (row->phase == 'X') {
		k->oddities.no_duration += (row->flags & RA_KINETO_HAS_DUR) == 0;
		k->oddities.no_name += (row->flags & RA_KINETO_HAS_NAME) == 0;
		k->oddities.negative_durations += row->dur_ns < 0;
		k->oddities.pid_strings += is_quoted(k, row->pid);
		k->oddities.tid_strings += is_quoted(k, row->tid);
	}
	ra_kineto_notes_put_row(reading->options, reading->json.record_offset, row);
	ra_kineto_store_row(&reading->store, row);
}

void ra_kineto_event_keep_json(struct ra_kineto_reading *reading, const char *text, size_t length)
{
	keep_item(reading, RA_KINETO_TAG_JSON,
	          ra_kineto_strings_add(&reading->store.strings, text, length));
}
