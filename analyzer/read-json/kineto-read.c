/* SPDX-License-Identifier: MIT */
/* Reads a Chrome trace into struct ra_kineto, event by event. */
#include "analyzer/read-json/kineto-read.h"

#include <string.h>

#include "analyzer/base/alloc.h"
#include "analyzer/json/json-text.h"
#include "analyzer/producers/producers.h"
#include "analyzer/read-json/kineto-facts.h"
#include "analyzer/read-json/kineto-json.h"
#include "analyzer/read-json/kineto-notes.h"
#include "analyzer/read-json/kineto-text.h"
#include "analyzer/read-json/kineto-timeline.h"
#include "analyzer/rows/kineto-kinds.h"
#include "analyzer/rows/kineto-number.h"
#include "analyzer/rows/kineto-store.h"
#include "analyzer/base/util-text.h"

#define MAX_TIME_BYTES 40u /* of a time that is a text */

/* Where in the text a value stands. */
enum place {
	PLACE_ROOT,   /* before the first bracket */
	PLACE_TOP,    /* in the outermost object */
	PLACE_EVENTS, /* in the array of events */
	PLACE_EVENT,
	PLACE_ARGS,
	PLACE_JSON, /* in an array or object that is kept as text */
};

struct reading {
	struct ra_kineto *kineto;
	struct ra_kineto_store store;
	struct ra_json json;
	struct ra_kineto_input *input;
	const struct ra_kineto_read_options *options;
	struct ra_util_text text; /* of the value that is kept as text */
	enum place place;
	enum place json_place; /* where that value stands */
	size_t json_depth;
	bool needs_comma;
	bool has_events; /* a traceEvents array, or a bare one */
	bool has_events_key;
	bool is_array;      /* the document at hand is a bare array of events */
	uint32_t documents; /* begun */
	uint32_t top_key;
	uint32_t key_ids[RA_JSON_KEYS]; /* string ids by the tokenizer's number; 0: not known */
	uint32_t key;                   /* in the event or its args */
	uint32_t category, pid, tid;    /* string ids of the event before */
	struct ra_kineto_row row;
	struct ra_kineto_timeline timeline; /* owned */
	bool has_fields; /* the event has any: a file of {} a billion times is no reason to keep
	                    them */
};

/* In args or beside them: as the layouts have it. */
static uint32_t item_key(const struct reading *reading)
{
	return reading->key << 1 | (reading->place == PLACE_ARGS);
}

static void keep_item(struct reading *reading, uint32_t tag, uint64_t payload)
{
	const struct ra_kineto_item item = { item_key(reading), tag, payload, 0 };

	ra_kineto_store_item(&reading->store, &item);
}

/* Ids that fit a column are also read from there; the value itself stays among the args. */
static void note_id(struct reading *reading, const struct ra_kineto_item *item)
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

/* A scalar that has no column, of an event or of its args. */
static void keep_scalar(struct reading *reading, enum ra_json_type type, const char *text,
                        size_t length)
{
	struct ra_kineto_item item = { .key = item_key(reading) };

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

/* ---- values as JSON text ---- */

static void put_comma(struct reading *reading)
{
	if (reading->needs_comma) {
		ra_util_text_put_char(&reading->text, ',');
	}
}

/* A text of its own: "5" with its quotes. @likely: as ra_kineto_strings_add_likely() has it.
 * Return: its string id. */
static uint32_t make_text(struct reading *reading, uint32_t *likely, enum ra_json_type type,
                          const char *text, size_t length)
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

static void begin_json(struct reading *reading)
{
	reading->json_place = reading->place;
	reading->place = PLACE_JSON;
	reading->json_depth = 0;
	ra_util_text_clear(&reading->text);
	reading->needs_comma = false;
}

/* Of several documents the first has the say. */
static void store_fact(struct reading *reading, uint32_t json)
{
	const struct ra_kineto *k = reading->kineto;

	for (size_t i = 0; reading->documents > 1 && i < k->fact_count; i++) {
		if (k->facts[i].key == reading->top_key) {
			return;
		}
	}
	ra_kineto_store_fact(&reading->store, reading->top_key, json);
}

/* The value that was kept as text is complete. */
static void end_json(struct reading *reading)
{
	uint32_t id;

	reading->place = reading->json_place;
	if (reading->text.length > UINT32_MAX) {
		ra_alloc_end();
	}
	if (reading->place == PLACE_EVENTS || reading->place == PLACE_ROOT) {
		reading->kineto->oddities.not_objects++;
		return;
	}
	id = ra_kineto_strings_add(&reading->store.strings, reading->text.bytes,
	                           reading->text.length);
	if (reading->place != PLACE_TOP) {
		keep_item(reading, RA_KINETO_TAG_JSON, id);
	} else if (ra_kineto_is_text(reading->kineto, reading->top_key, "traceEvents")) {
		/* Two keys of a name mean another thing to each reader: it is not written again. */
		reading->kineto->oddities.not_objects++;
	} else if (reading->kineto->count == 0 && !reading->timeline.is_there &&
	           ra_kineto_is_text(reading->kineto, reading->top_key, RA_KINETO_TIMELINE_KEY)) {
		ra_kineto_timeline_read(&reading->timeline, &reading->store,
		                        ra_kineto_string(reading->kineto, id));
	} else {
		store_fact(reading, id);
	}
}

/* ---- events ---- */

static void begin_event(struct reading *reading)
{
	reading->place = PLACE_EVENT;
	reading->store.item_count = 0;
	reading->has_fields = false;
	reading->row = (struct ra_kineto_row){ .corr = RA_KINETO_NONE, .external = RA_KINETO_NONE };
}

/* Return: false if the text is no time. */
static bool take_time(struct reading *reading, const char *text, size_t length, bool is_dur)
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

/* "1726026120000123.456", as Ascend's profiler writes times. Return: false: it is no number. */
static bool take_time_text(struct reading *reading, const char *text, size_t length)
{
	char number[MAX_TIME_BYTES + 2];
	const bool is_short = length > 0 && length <= MAX_TIME_BYTES;
	const size_t count = is_short ? ra_json_text_mend_number(number, text, length) : 0;

	if (count == 0) {
		return false;
	}
	reading->json.number.is_usual = false; /* it is of another value */
	reading->kineto->oddities.text_times++;
	ra_kineto_notes_put(reading->options, reading->json.record_offset, "the time is a text");
	return take_time(reading, number, count, reading->key == RA_KINETO_ARG_DUR);
}

/* The fields that have columns, if their type is the usual one. */
static void take_field(struct reading *reading, enum ra_json_type type, const char *text,
                       size_t length)
{
	struct ra_kineto_row *row = &reading->row;
	/* A word is written as a string, and is the same when that is read. */
	const bool is_string = type == RA_JSON_STRING ||
	                       (type == RA_JSON_NUMBER && ra_kineto_number_is_word(text, length));

	switch (reading->key) {
	case RA_KINETO_ARG_PH:
		if (is_string && length == 1 && *text != '\0') {
			row->phase = (uint8_t) *text;
			return;
		}
		break;
	case RA_KINETO_ARG_NAME:
		if (is_string) {
			row->flags |= RA_KINETO_HAS_NAME;
			row->name = ra_kineto_strings_add(&reading->store.strings, text, length);
			return;
		}
		break;
	case RA_KINETO_ARG_CAT:
		if (is_string) {
			row->flags |= RA_KINETO_HAS_CAT;
			row->category = ra_kineto_strings_add_likely(
				&reading->store.strings, &reading->category, text, length);
			return;
		}
		break;
	case RA_KINETO_ARG_PID:
		row->pid = make_text(reading, &reading->pid, type, text, length);
		return;
	case RA_KINETO_ARG_TID:
		row->tid = make_text(reading, &reading->tid, type, text, length);
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
		break; /* what was rounded, or is no time, is kept so that it is not lost */
	default:
		if (ra_kineto_timeline_take_field(&reading->timeline,
		                                  ra_kineto_string(reading->kineto, reading->key),
		                                  text, length)) {
			return;
		}
		break;
	}
	keep_scalar(reading, type, text, length);
}

static bool is_quoted(const struct ra_kineto *k, uint32_t id)
{
	return k->strings[id].length > 0 && k->strings[id].bytes[0] == '"';
}

static void end_event(struct reading *reading)
{
	struct ra_kineto *k = reading->kineto;
	const struct ra_kineto_row *row = &reading->row;

	reading->place = PLACE_EVENTS;
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

/* ---- the calls of the parser ---- */

static void begin_events(struct reading *reading)
{
	reading->place = PLACE_EVENTS;
	reading->has_events = true;
	reading->json.opens_records = true;
}

static void begin_document(struct reading *reading, bool is_object)
{
	reading->documents++;
	reading->has_events_key = false;
	reading->is_array = !is_object;
	if (reading->documents == 1) {
		reading->kineto->is_array = !is_object;
	}
	reading->place = PLACE_TOP;
	if (!is_object) {
		begin_events(reading);
	}
}

static void take_open(void *context, bool is_object)
{
	struct reading *reading = context;

	switch (reading->place) {
	case PLACE_ROOT:
		begin_document(reading, is_object);
		return;
	case PLACE_TOP:
		if (!is_object &&
		    ra_kineto_is_text(reading->kineto, reading->top_key, "traceEvents")) {
			begin_events(reading);
			return;
		}
		break;
	case PLACE_EVENTS:
		if (is_object) {
			begin_event(reading);
			return;
		}
		break;
	case PLACE_EVENT:
		if (is_object && reading->key == RA_KINETO_ARG_ARGS) {
			reading->place = PLACE_ARGS;
			reading->row.flags |= RA_KINETO_HAS_ARGS;
			return;
		}
		break;
	case PLACE_ARGS:
		break;
	case PLACE_JSON:
		put_comma(reading);
		break;
	}
	if (reading->place != PLACE_JSON) {
		begin_json(reading);
	}
	reading->json_depth++;
	reading->needs_comma = false;
	ra_util_text_put_char(&reading->text, is_object ? '{' : '[');
}

/* The stack of brackets in a value that is text is told from the text: it ends as it began. */
static void close_json(struct reading *reading, bool is_object)
{
	ra_util_text_put_char(&reading->text, is_object ? '}' : ']');
	reading->needs_comma = true;
	if (--reading->json_depth == 0) {
		end_json(reading);
	}
}

static void take_close(void *context, bool is_object)
{
	struct reading *reading = context;

	switch (reading->place) {
	case PLACE_ROOT:
	case PLACE_TOP:
		reading->place = PLACE_ROOT;
		break;
	case PLACE_EVENTS:
		reading->place = reading->is_array ? PLACE_ROOT : PLACE_TOP;
		break;
	case PLACE_EVENT:
		end_event(reading);
		break;
	case PLACE_ARGS:
		reading->place = PLACE_EVENT;
		break;
	case PLACE_JSON:
		close_json(reading, is_object);
		break;
	}
}

/* A damaged event is given up. */
static void take_drop(void *context)
{
	struct reading *reading = context;

	reading->place = PLACE_EVENTS;
	reading->has_events = true;
	ra_util_text_clear(&reading->text);
}

static uint32_t find_key(struct reading *reading, const char *text, size_t length, unsigned number)
{
	uint32_t id = reading->key_ids[number];

	if (id == 0 || number == 0) {
		id = ra_kineto_strings_add(&reading->store.strings, text, length);
		if (id > UINT32_MAX >> 1) {
			ra_alloc_end();
		}
		reading->key_ids[number] = id;
	}
	return id;
}

static void take_key(void *context, const char *text, size_t length, unsigned number)
{
	struct reading *reading = context;
	uint32_t id;

	if (reading->place == PLACE_JSON) {
		put_comma(reading);
		ra_kineto_text_put(&reading->text, RA_JSON_STRING, text, length);
		ra_util_text_put_char(&reading->text, ':');
		reading->needs_comma = false;
		return;
	}
	id = find_key(reading, text, length, number);
	reading->has_fields = true;
	if (reading->place == PLACE_TOP && ra_kineto_is_text(reading->kineto, id, "traceEvents")) {
		reading->kineto->oddities.repeated_events += reading->has_events_key;
		reading->has_events_key = true;
	}
	*(reading->place == PLACE_TOP ? &reading->top_key : &reading->key) = id;
}

/* A scalar beside the events. */
static void take_fact(struct reading *reading, enum ra_json_type type, const char *text,
                      size_t length)
{
	char base[RA_KINETO_TIMELINE_BASE_BYTES];

	if (reading->timeline.shift_ns != 0 &&
	    ra_kineto_is_text(reading->kineto, reading->top_key, "baseTimeNanoseconds")) {
		length = ra_kineto_timeline_find_base(&reading->timeline, text, length, base);
		text = base;
		if (length == 0) {
			return;
		}
	}
	store_fact(reading, make_text(reading, &(uint32_t){ 0 }, type, text, length));
}

static void take_value(void *context, enum ra_json_type type, const char *text, size_t length)
{
	struct reading *reading = context;

	switch (reading->place) {
	case PLACE_ROOT:
		break;
	case PLACE_TOP:
		if (ra_kineto_is_text(reading->kineto, reading->top_key, "traceEvents")) {
			reading->kineto->oddities.not_objects++;
		} else {
			take_fact(reading, type, text, length);
		}
		break;
	case PLACE_EVENTS:
		reading->kineto->oddities.not_objects++;
		break;
	case PLACE_EVENT:
		take_field(reading, type, text, length);
		break;
	case PLACE_ARGS:
		keep_scalar(reading, type, text, length);
		break;
	case PLACE_JSON:
		put_comma(reading);
		ra_kineto_text_put(&reading->text, type, text, length);
		reading->needs_comma = true;
		break;
	}
}

static void show_progress(void *context)
{
	struct reading *reading = context;

	if (reading->options != NULL && reading->options->progress != NULL) {
		reading->options->progress(reading->options->progress_context,
		                           ra_kineto_input_done(reading->input),
		                           ra_kineto_input_size(reading->input));
	}
}

static void note_text(void *context, enum ra_json_oddity oddity, uint64_t offset)
{
	ra_kineto_notes_put_text(((struct reading *) context)->options, offset, oddity);
}

static void read_text(struct reading *reading, struct rlog_error *stop)
{
	static const struct ra_json_handler handler = {
		.open = take_open,
		.close = take_close,
		.key = take_key,
		.value = take_value,
		.drop = take_drop,
	};
	static const char *const strong_keys[] = { "ph", "ts", "cat", "pid", "tid", "dur", NULL };
	static const char *const weak_keys[] = { "name", "args", "id", "s", "bp", NULL };
	struct ra_kineto *k = reading->kineto;

	ra_kineto_store_init(&reading->store, k, ra_producers_find_kind);
	reading->json.handler = &handler;
	reading->json.context = reading;
	reading->json.progress = show_progress;
	reading->json.note = note_text;
	reading->json.strong_keys = strong_keys;
	reading->json.weak_keys = weak_keys;
	ra_kineto_json_read(&reading->json, reading->input);
	*stop = reading->json.stop;
	k->goes_on = ra_kineto_notes_stop(stop, &reading->json, reading->input);
	k->json_bytes = reading->json.bytes;
	k->file_bytes = ra_kineto_input_done(reading->input);
	ra_kineto_notes_count(&k->oddities, &reading->json);
	k->oddities.unknown_phases = k->kind_count[RA_KINETO_UNKNOWN];
	ra_kineto_store_trim(&reading->store);
	ra_kineto_facts_read(k, &reading->store);
}

/* A bare array may hold anything, for instance PyTorch's memory timeline: events make it a trace.
 */
static bool is_trace(const struct reading *reading)
{
	const struct ra_kineto *k = reading->kineto;

	return reading->has_events && (!k->is_array || k->kind_count[RA_KINETO_UNKNOWN] < k->count);
}

int ra_kineto_read(struct ra_kineto **out, struct ra_kineto_input *input,
                   const struct ra_kineto_read_options *options, struct rlog_error *stop,
                   struct rlog_error *err)
{
	struct reading reading = { .input = input, .options = options };

	reading.kineto = ra_alloc_zeros(1, sizeof(*reading.kineto));
	read_text(&reading, stop);
	ra_kineto_store_fini(&reading.store);
	ra_kineto_timeline_fini(&reading.timeline);
	ra_util_text_free(&reading.text);
	if (!is_trace(&reading)) {
		ra_kineto_destroy(reading.kineto);
		return ra_kineto_notes_refuse(reading.input, reading.has_events, stop, err);
	}
	*out = reading.kineto;
	return 0;
}
