/* SPDX-License-Identifier: MIT */
/* Reads a Chrome trace into struct ra_kineto, event by event. */
#include "analyzer/read-json/kineto-read.h"

#include <string.h>

#include "analyzer/base/alloc.h"
#include "analyzer/producers/producers.h"
#include "analyzer/read-json/kineto-event.h"
#include "analyzer/read-json/kineto-facts.h"
#include "analyzer/read-json/kineto-json.h"
#include "analyzer/read-json/kineto-notes.h"
#include "analyzer/read-json/kineto-text.h"

#define MAX_ROWS (UINT64_C(1) << 24) /* most rows for which memory is allocated in advance */

/* ---- values as JSON text ---- */

static void put_comma(struct ra_kineto_reading *reading)
{
	if (reading->needs_comma) {
		ra_util_text_put_char(&reading->text, ',');
	}
}

static void begin_json(struct ra_kineto_reading *reading)
{
	reading->outer = reading->place;
	reading->place = RA_KINETO_PLACE_JSON;
	reading->depth = 0;
	ra_util_text_clear(&reading->text);
	reading->needs_comma = false;
}

/* Stores a top-level key and its value. If several documents have the key, the value of the first
 * is stored. */
static void store_fact(struct ra_kineto_reading *reading, uint32_t json)
{
	const struct ra_kineto *k = reading->kineto;

	for (size_t i = 0; reading->documents > 1 && i < k->fact_count; i++) {
		if (k->facts[i].key == reading->top_key) {
			return;
		}
	}
	ra_kineto_store_fact(&reading->store, reading->top_key, json);
}

/* Ends a value that is stored as text. */
static void end_json(struct ra_kineto_reading *reading)
{
	uint32_t id;

	reading->place = reading->outer;
	if (reading->text.length > UINT32_MAX) {
		ra_alloc_end();
	}
	if (reading->place == RA_KINETO_PLACE_EVENTS || reading->place == RA_KINETO_PLACE_ROOT) {
		reading->kineto->oddities.not_objects++;
		return;
	}
	if (reading->place != RA_KINETO_PLACE_TOP) {
		ra_kineto_event_keep_json(reading, reading->text.bytes, reading->text.length);
		return;
	}
	id = ra_kineto_strings_add(&reading->store.strings, reading->text.bytes,
	                           reading->text.length);
	if (ra_kineto_is_text(reading->kineto, reading->top_key, "traceEvents")) {
		/* Readers differ about two keys with the same name, so the object is counted, and
		 * the second key is not written again. */
		reading->kineto->oddities.not_objects++;
	} else if (reading->kineto->count == 0 && !reading->timeline.is_there &&
	           ra_kineto_is_text(reading->kineto, reading->top_key, RA_KINETO_TIMELINE_KEY)) {
		ra_kineto_timeline_read(&reading->timeline, &reading->store,
		                        ra_kineto_string(reading->kineto, id));
	} else {
		store_fact(reading, id);
	}
}

/* ---- the calls of the parser ---- */

static void begin_events(struct ra_kineto_reading *reading)
{
	reading->place = RA_KINETO_PLACE_EVENTS;
	reading->has_events = true;
	reading->json.opens_records = true;
}

static void begin_document(struct ra_kineto_reading *reading, bool is_object)
{
	reading->documents++;
	reading->has_events_key = false;
	reading->is_array = !is_object;
	if (reading->documents == 1) {
		reading->kineto->is_array = !is_object;
	}
	reading->place = RA_KINETO_PLACE_TOP;
	if (!is_object) {
		begin_events(reading);
	}
}

static void take_open(void *context, bool is_object)
{
	struct ra_kineto_reading *reading = context;

	switch (reading->place) {
	case RA_KINETO_PLACE_ROOT:
		begin_document(reading, is_object);
		return;
	case RA_KINETO_PLACE_TOP:
		if (!is_object &&
		    ra_kineto_is_text(reading->kineto, reading->top_key, "traceEvents")) {
			begin_events(reading);
			return;
		}
		break;
	case RA_KINETO_PLACE_EVENTS:
		if (is_object) {
			ra_kineto_event_begin(reading);
			return;
		}
		break;
	case RA_KINETO_PLACE_EVENT:
		if (is_object && reading->key == RA_KINETO_ARG_ARGS) {
			reading->place = RA_KINETO_PLACE_ARGS;
			reading->row.flags |= RA_KINETO_HAS_ARGS;
			return;
		}
		break;
	case RA_KINETO_PLACE_ARGS:
		break;
	case RA_KINETO_PLACE_JSON:
		put_comma(reading);
		break;
	case RA_KINETO_PLACE_SKIP:
		reading->depth++;
		return;
	}
	if (reading->place != RA_KINETO_PLACE_JSON) {
		begin_json(reading);
	}
	reading->depth++;
	reading->needs_comma = false;
	ra_util_text_put_char(&reading->text, is_object ? '{' : '[');
}

/* Closes a bracket in a value that is stored as text. No stack of brackets is needed, because the
 * tokenizer hands over only closing brackets that match. */
static void close_json(struct ra_kineto_reading *reading, bool is_object)
{
	ra_util_text_put_char(&reading->text, is_object ? '}' : ']');
	reading->needs_comma = true;
	if (--reading->depth == 0) {
		end_json(reading);
	}
}

static void take_close(void *context, bool is_object)
{
	struct ra_kineto_reading *reading = context;

	switch (reading->place) {
	case RA_KINETO_PLACE_ROOT:
	case RA_KINETO_PLACE_TOP:
		reading->place = RA_KINETO_PLACE_ROOT;
		break;
	case RA_KINETO_PLACE_EVENTS:
		reading->place = reading->is_array ? RA_KINETO_PLACE_ROOT : RA_KINETO_PLACE_TOP;
		break;
	case RA_KINETO_PLACE_EVENT:
		ra_kineto_event_end(reading);
		break;
	case RA_KINETO_PLACE_ARGS:
		reading->place = RA_KINETO_PLACE_EVENT;
		break;
	case RA_KINETO_PLACE_JSON:
		close_json(reading, is_object);
		break;
	case RA_KINETO_PLACE_SKIP:
		if (--reading->depth == 0) {
			reading->place = reading->outer;
		}
		break;
	}
}

/* Gives up a damaged event. */
static void take_drop(void *context)
{
	struct ra_kineto_reading *reading = context;

	reading->place = RA_KINETO_PLACE_EVENTS;
	reading->has_events = true;
	ra_util_text_clear(&reading->text);
}

static uint32_t find_key(struct ra_kineto_reading *reading, const char *text, size_t length,
                         unsigned number)
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

/* True if the value is not needed. All args of counters are needed, and metadata are kept because
 * they are few. */
static bool is_skipped(const struct ra_kineto_reading *reading)
{
	const uint8_t phase = reading->row.phase;

	return reading->key >= RA_KINETO_KEY_COUNT && reading->options != NULL &&
	       reading->options->few_args && (phase == 'X' || phase == 's' || phase == 'f') &&
	       !reading->timeline.is_there;
}

/* Takes a key in an event or its args. */
static inline void take_event_key(struct ra_kineto_reading *reading, uint32_t key)
{
	reading->key = key;
	reading->has_fields = true;
	if (is_skipped(reading)) {
		reading->outer = reading->place;
		reading->place = RA_KINETO_PLACE_SKIP;
		reading->depth = 0;
	}
}

/* Not inlined into take_key(), which is called for each key and would then have to save
 * registers. */
static void __attribute__((noinline))
take_other_key(struct ra_kineto_reading *reading, const char *text, size_t length, unsigned number)
{
	switch (reading->place) {
	case RA_KINETO_PLACE_SKIP:
		break;
	case RA_KINETO_PLACE_JSON:
		put_comma(reading);
		ra_kineto_text_put(&reading->text, RA_JSON_STRING, text, length);
		ra_util_text_put_char(&reading->text, ':');
		reading->needs_comma = false;
		break;
	case RA_KINETO_PLACE_TOP:
		reading->top_key = find_key(reading, text, length, number);
		if (ra_kineto_is_text(reading->kineto, reading->top_key, "traceEvents")) {
			reading->kineto->oddities.repeated_events += reading->has_events_key;
			reading->has_events_key = true;
		}
		break;
	default:
		take_event_key(reading, find_key(reading, text, length, number));
		break;
	}
}

static void take_key(void *context, const char *text, size_t length, unsigned number)
{
	struct ra_kineto_reading *reading = context;
	const uint32_t known = number != 0 ? reading->key_ids[number] : 0;

	if (known != 0 &&
	    (reading->place == RA_KINETO_PLACE_EVENT || reading->place == RA_KINETO_PLACE_ARGS)) {
		take_event_key(reading, known);
	} else {
		take_other_key(reading, text, length, number);
	}
}

/* Handles a scalar outside the events. */
static void take_fact(struct ra_kineto_reading *reading, enum ra_json_type type, const char *text,
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
	store_fact(reading,
	           ra_kineto_event_make_text(reading, &(uint32_t){ 0 }, type, text, length));
}

/* Not inlined into take_value(), for the same reason as take_other_key(). */
static void __attribute__((noinline))
take_other_value(struct ra_kineto_reading *reading, enum ra_json_type type, const char *text,
                 size_t length)
{
	switch (reading->place) {
	case RA_KINETO_PLACE_ROOT:
		break;
	case RA_KINETO_PLACE_TOP:
		if (ra_kineto_is_text(reading->kineto, reading->top_key, "traceEvents")) {
			reading->kineto->oddities.not_objects++;
		} else {
			take_fact(reading, type, text, length);
		}
		break;
	case RA_KINETO_PLACE_EVENTS:
		reading->kineto->oddities.not_objects++;
		break;
	case RA_KINETO_PLACE_JSON:
		put_comma(reading);
		ra_kineto_text_put(&reading->text, type, text, length);
		reading->needs_comma = true;
		break;
	case RA_KINETO_PLACE_SKIP:
		if (reading->depth == 0) {
			reading->place = reading->outer;
		}
		break;
	default:
		break;
	}
}

static void take_value(void *context, enum ra_json_type type, const char *text, size_t length)
{
	struct ra_kineto_reading *reading = context;

	if (reading->place == RA_KINETO_PLACE_EVENT) {
		ra_kineto_event_take(reading, type, text, length);
	} else if (reading->place == RA_KINETO_PLACE_ARGS) {
		ra_kineto_event_keep(reading, type, text, length);
	} else {
		take_other_value(reading, type, text, length);
	}
}

/* Handles an array in an event. */
static void take_array(void *context, const char *text, size_t length)
{
	struct ra_kineto_reading *reading = context;

	switch (reading->place) {
	case RA_KINETO_PLACE_JSON:
		put_comma(reading);
		ra_util_text_put(&reading->text, text, length);
		reading->needs_comma = true;
		break;
	case RA_KINETO_PLACE_SKIP:
		if (reading->depth == 0) {
			reading->place = reading->outer;
		}
		break;
	default:
		ra_kineto_event_keep_json(reading, text, length);
		break;
	}
}

/* Estimates the number of rows from the part read so far, so that columns need not grow, which
 * would copy them. */
static void expect_rows(struct ra_kineto_reading *reading, uint64_t done, uint64_t size)
{
	const size_t count = reading->kineto->count;

	if (done > 0 && done < size && size / done < MAX_ROWS / (count + 1)) {
		reading->store.expected_rows = count + (size_t) (count * (size - done) / done);
	}
}

static void show_progress(void *context)
{
	struct ra_kineto_reading *reading = context;

	expect_rows(reading, ra_kineto_input_done(reading->input),
	            ra_kineto_input_size(reading->input));

	if (reading->options != NULL && reading->options->progress != NULL) {
		reading->options->progress(reading->options->progress_context,
		                           ra_kineto_input_done(reading->input),
		                           ra_kineto_input_size(reading->input));
	}
}

static void note_text(void *context, enum ra_json_oddity oddity, uint64_t offset)
{
	ra_kineto_notes_put_text(((struct ra_kineto_reading *) context)->options, offset, oddity);
}

static void read_text(struct ra_kineto_reading *reading, struct rlog_error *stop)
{
	static const struct ra_json_handler handler = {
		.open = take_open,
		.close = take_close,
		.key = take_key,
		.value = take_value,
		.array = take_array,
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
	ra_kineto_notes_count_short(k);
	ra_kineto_store_trim(&reading->store);
	ra_kineto_facts_read(k, &reading->store);
	if (reading->options != NULL && reading->options->extend != NULL) {
		reading->options->extend(reading->options->extend_context, &reading->store);
	}
}

/* True if the text was a trace. A bare array may contain anything, such as PyTorch's memory
 * timeline. It is a trace only if it has events. */
static bool is_trace(const struct ra_kineto_reading *reading)
{
	const struct ra_kineto *k = reading->kineto;

	return reading->has_events && (!k->is_array || k->kind_count[RA_KINETO_UNKNOWN] < k->count);
}

int ra_kineto_read(struct ra_kineto **out, struct ra_kineto_input *input,
                   const struct ra_kineto_read_options *options, struct rlog_error *stop,
                   struct rlog_error *err)
{
	struct ra_kineto_reading reading = { .input = input, .options = options };

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
