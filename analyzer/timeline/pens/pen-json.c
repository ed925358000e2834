/* SPDX-License-Identifier: MIT */
/* The pen that writes JSON: Chrome's trace event format, as Perfetto's importer reads it. */
#include "analyzer/timeline/pens/pen-json.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/util.h"
#include "analyzer/io/jsonw.h"

/* Bytes of an event without its name and arguments. */
#define EVENT_BYTES 320u

/* Number of slots for arguments that can be written again. A new entry replaces the one in its
 * slot. */
#define KEPT_BITS 10
#define KEPT      (1u << KEPT_BITS)

static struct ra_pen_json *get(struct ra_pen *pen)
{
	return (struct ra_pen_json *) pen;
}

/* ---- texts ---- */

static void begin(struct ra_pen *pen, const struct ra_pen_names *names)
{
	struct ra_pen_json *json = get(pen);

	ra_pen_json_names_free(json->names);
	for (int table = 0; table < RA_PEN_TABLES; table++) {
		if (names->counts[table] > 0 && !names->is_once) {
			ra_pen_json_names_fill(&json->names[table], names,
			                       (enum ra_pen_table) table);
		}
	}
	for (size_t i = 0; i < KEPT; i++) {
		json->kept[i].number = 0;
	}
}

/* Finds the escaped form of a text in a table. Return: false if the table does not have it. */
static inline bool find_escaped(const struct ra_pen_json *json, const struct ra_pen_text *text,
                                struct rlog_string *escaped)
{
	const struct ra_pen_json_names *table;
	size_t i;

	if (text->table >= RA_PEN_TABLES || json->names[text->table].count == 0) {
		*escaped = text->bytes;
		return text->table == RA_PEN_WORDS;
	}
	table = &json->names[text->table];
	i = text->id < table->count ? text->id : table->count;
	escaped->bytes = table->bytes + table->ends[i];
	escaped->length = (uint32_t) (table->ends[i + 1] - table->ends[i]);
	return true;
}

/* Writes a text without its quotes. */
static void put_text(const struct ra_pen_json *json, const struct ra_pen_text *text)
{
	struct rlog_string escaped;

	if (find_escaped(json, text, &escaped)) {
		ra_outbuf_put(json->out, escaped.bytes, escaped.length);
	} else {
		ra_jsonw_put_escaped(json->out, escaped.bytes, escaped.length);
	}
}

void ra_pen_json_put_quoted(const struct ra_pen_json *json, const struct ra_pen_text *text)
{
	ra_outbuf_put(json->out, "\"", 1);
	put_text(json, text);
	ra_outbuf_put(json->out, "\"", 1);
}

/* ---- arguments ---- */

static void put_separator(struct ra_pen_json *json)
{
	if (!json->has_args) {
		ra_outbuf_put(json->out, &",\"args\":{"[!json->needs_comma], 8 + json->needs_comma);
		json->has_args = true;
	} else if (!json->is_first) {
		*ra_outbuf_reserve(json->out, 1) = ',';
		json->out->used++;
	}
	json->is_first = false;
}

static void put_number(struct ra_outbuf *out, const struct ra_pen_value *value)
{
	if (value->type == RA_PEN_UINT) {
		ra_outbuf_put_decimal(out, value->bits);
	} else if (value->type == RA_PEN_INT) {
		ra_outbuf_put_signed(out, value->integer);
	} else {
		ra_outbuf_printf(out, isfinite(value->real) ? "%.*g" : "\"%.*g\"", value->digits,
		                 value->real);
	}
}

static void put_value(struct ra_pen_json *json, const struct ra_pen_value *value)
{
	switch (value->type) {
	case RA_PEN_INT:
	case RA_PEN_UINT:
	case RA_PEN_REAL:
		put_number(json->out, value);
		break;
	case RA_PEN_BOOL:
		ra_outbuf_text(json->out, value->integer != 0 ? "true" : "false");
		break;
	case RA_PEN_NULL:
		ra_outbuf_put(json->out, "null", 4);
		break;
	case RA_PEN_TEXT:
		ra_pen_json_put_quoted(json, &value->text);
		break;
	case RA_PEN_JSON:
		ra_outbuf_put(json->out, value->text.bytes.bytes, value->text.bytes.length);
		break;
	case RA_PEN_OBJECT:
	case RA_PEN_LIST:
		ra_outbuf_put(json->out, value->type == RA_PEN_LIST ? "[" : "{", 1);
		json->is_first = true;
		break;
	case RA_PEN_END_OBJECT:
	case RA_PEN_END_LIST:
		ra_outbuf_put(json->out, value->type == RA_PEN_END_LIST ? "]" : "}", 1);
		json->is_first = false;
		break;
	}
}

/* Writes an argument on a fast path: most arguments are short, with an integer or an escaped text.
 * Return: false if this argument needs the slow path. */
static bool put_short(struct ra_pen_json *json, const struct ra_pen_text *key,
                      const struct ra_pen_value *value)
{
	struct rlog_string text = { "", 0, 0 };
	char *place;

	if (key == NULL || key->table != RA_PEN_WORDS || key->bytes.length > EVENT_BYTES ||
	    (value->type > RA_PEN_UINT &&
	     (value->type != RA_PEN_TEXT || !find_escaped(json, &value->text, &text) ||
	      text.length > RA_OUTBUF_RESERVE_BYTES - 2 * EVENT_BYTES))) {
		return false;
	}
	put_separator(json);
	place = ra_outbuf_reserve(json->out, text.length + 2 * EVENT_BYTES);
	*place++ = '"';
	place = ra_outbuf_copy(place, key->bytes.bytes, key->bytes.length);
	*place++ = '"';
	*place++ = ':';
	if (value->type == RA_PEN_UINT) {
		place = ra_outbuf_decimal(place, value->bits);
	} else if (value->type == RA_PEN_INT) {
		place = ra_outbuf_signed(place, value->integer);
	} else {
		*place++ = '"';
		place = ra_outbuf_copy(place, text.bytes, text.length);
		*place++ = '"';
	}
	ra_outbuf_commit(json->out, place);
	return true;
}

static void argument(struct ra_pen *pen, const struct ra_pen_text *key,
                     const struct ra_pen_value *value)
{
	struct ra_pen_json *json = get(pen);

	if (put_short(json, key, value)) {
		return;
	}
	if (value->type != RA_PEN_END_OBJECT && value->type != RA_PEN_END_LIST) {
		put_separator(json);
	}
	if (key != NULL) {
		ra_pen_json_put_quoted(json, key);
		ra_outbuf_put(json->out, ":", 1);
	}
	put_value(json, value);
}

static void field(struct ra_pen *pen, const struct ra_pen_text *key,
                  const struct ra_pen_value *value)
{
	struct ra_pen_json *json = get(pen);

	ra_outbuf_put(json->out, ",", json->needs_comma);
	json->needs_comma = true;
	ra_pen_json_put_quoted(json, key);
	ra_outbuf_put(json->out, ":", 1);
	put_value(json, value);
}

/* Writes arguments that are too long for the buffer directly to the file. Such arguments can't be
 * written again. */
static void spill(void *context, const char *bytes, size_t count)
{
	ra_outbuf_put(context, bytes, count);
}

static bool again(struct ra_pen *pen, uint64_t number)
{
	struct ra_pen_json *json = get(pen);
	struct ra_pen_json_kept *kept =
		&json->kept[number * UINT64_C(0x9E3779B97F4A7C15) >> (64 - KEPT_BITS)];

	put_separator(json);
	if (kept->number == number) {
		ra_outbuf_put(json->out, kept->bytes, kept->length);
		return true;
	}
	if (json->scratch.bytes == NULL) {
		ra_outbuf_init(&json->scratch, -1, false);
		json->scratch.take = spill;
		json->scratch.context = json->file;
	}
	kept->number = number;
	json->scratch.flushed_bytes = 0;
	json->keeping = kept;
	json->out = &json->scratch;
	json->is_first = true;
	return false;
}

static void keep(struct ra_pen *pen)
{
	struct ra_pen_json *json = get(pen);
	struct ra_pen_json_kept *kept = json->keeping;

	if (json->scratch.flushed_bytes > 0) {
		kept->number = 0;
	}
	kept->length = json->scratch.used;
	ra_util_grow(&kept->bytes, &kept->capacity, kept->length, 1);
	memcpy(kept->bytes, json->scratch.bytes, kept->length);
	json->out = json->file;
	json->scratch.used = 0;
	ra_outbuf_put(json->out, kept->bytes, kept->length);
}

/* ---- events ---- */

void ra_pen_json_put_begin(struct ra_pen_json *json, bool is_added)
{
	ra_outbuf_put(json->out, ",", json->has_event);
	ra_outbuf_put(json->out, "\n{", 2);
	json->has_event = true;
	if (is_added) {
		/* Marks the event as added, so that nobody who reads the file again takes it for an
		 * event of the trace. */
		ra_outbuf_text(json->out, "\"added\":1,");
	}
}

static void end(struct ra_pen *pen);

/* Begins the arguments of an event, after its own fields. */
static void begin_args(struct ra_pen_json *json, enum ra_pen_args args)
{
	json->needs_comma = true;
	json->has_args = false;
	json->is_first = true;
	json->args = args;
	if (args <= RA_PEN_EMPTY_ARGS) {
		end(&json->pen);
	}
}

static void make_row(struct ra_pen_json *json, uint32_t pid, uint32_t tid)
{
	json->row_pid = pid;
	json->row_tid = tid;
	json->stamp_stretch = 0;
	json->row_length =
		(size_t) snprintf(json->row, sizeof(json->row),
	                          "\",\"pid\":%" PRIu32 ",\"tid\":%" PRIu32 ",\"ts\":", pid, tid);
}

static inline void find_row(struct ra_pen_json *json, uint32_t pid, uint32_t tid)
{
	if (json->row_tid != tid || json->row_pid != pid) {
		make_row(json, pid, tid);
	}
}

static void make_head(struct ra_pen_json_head *head, const char *phase, const char *category)
{
	head->category = category;
	head->length =
		(size_t) snprintf(head->text, sizeof(head->text),
	                          ",\n{\"ph\":%s,\"cat\":\"%s\",\"name\":\"", phase, category);
	assert(head->length < RA_PEN_JSON_HEAD_BYTES); /* categories are constants of this program,
	                                                  so they fit */
}

/* Copies the escaped form of a name. The processor can't predict the length of the next name. So a
 * short name in a table is copied with a fixed length, together with the bytes after it, and
 * without a branch. */
static inline char *copy_name(char *place, const struct ra_pen_text *text, struct rlog_string name)
{
	if (text->table < RA_PEN_TABLES && name.length <= RA_PEN_JSON_SPARE_BYTES) {
		memcpy(place, name.bytes, RA_PEN_JSON_SPARE_BYTES);
		return place + name.length;
	}
	return ra_outbuf_copy(place, name.bytes, name.length);
}

/* Makes the text that all events of a row share in a stretch of time: the row, then the leading
 * digits of the time. */
static void make_stamp(struct ra_pen_json *json, int64_t stretch)
{
	json->stamp_stretch = stretch;
	memcpy(json->stamp, json->row, json->row_length);
	json->stamp_length =
		(size_t) (ra_outbuf_decimal(json->stamp + json->row_length, (uint64_t) stretch) -
	                  json->stamp);
}

/* Writes the row and the time. A row's events come in order of time, so the leading digits seldom
 * change from one event to the next. */
static inline char *put_row_and_time(struct ra_pen_json *json, char *place, int64_t time_ns)
{
	if (time_ns < RA_OUTBUF_STRETCH_NS) {
		memcpy(place, json->row, sizeof(json->row));
		return ra_outbuf_micros(place + json->row_length, time_ns);
	}
	const int64_t stretch = time_ns / RA_OUTBUF_STRETCH_NS;

	if (json->stamp_stretch != stretch) {
		make_stamp(json, stretch);
	}
	memcpy(place, json->stamp, sizeof(json->stamp));
	return ra_outbuf_micros_within(place + json->stamp_length,
	                               (uint32_t) (time_ns - stretch * RA_OUTBUF_STRETCH_NS));
}

/* Writes an event up to its time. Return: the place after it, with room for half of
 * EVENT_BYTES. Head and row are copied with the bytes after them, which is faster than finding
 * their lengths. */
static inline char *put_start(struct ra_pen_json *json, const struct ra_pen_json_head *head,
                              const struct ra_pen_event *event)
{
	const size_t comma = !json->has_event;
	struct rlog_string name;
	char *place;

	find_row(json, event->pid, event->tid);
	json->has_event = true;
	if (find_escaped(json, &event->name, &name) &&
	    name.length <= RA_OUTBUF_RESERVE_BYTES - EVENT_BYTES) {
		place = ra_outbuf_reserve(json->out, name.length + EVENT_BYTES);
		memcpy(place, head->text + comma, RA_PEN_JSON_HEAD_BYTES);
		place = copy_name(place + head->length - comma, &event->name, name);
	} else {
		ra_outbuf_put(json->out, head->text + comma, head->length - comma);
		put_text(json, &event->name);
		place = ra_outbuf_reserve(json->out, EVENT_BYTES);
	}
	return put_row_and_time(json, place, event->start_ns);
}

static void slice(struct ra_pen *pen, const struct ra_pen_event *event)
{
	struct ra_pen_json *json = get(pen);
	char *place;

	if (json->slice.category != event->category) {
		make_head(&json->slice, "\"X\"", event->category);
	}
	place = put_start(json, &json->slice, event);
	place = ra_outbuf_copy(place, ",\"dur\":", 7);
	place = ra_outbuf_micros(place, event->dur_ns);
	if (event->args == RA_PEN_NO_ARGS) {
		*place++ = '}';
		ra_outbuf_commit(json->out, place);
		return;
	}
	ra_outbuf_commit(json->out, place);
	begin_args(json, event->args);
}

static void instant(struct ra_pen *pen, const struct ra_pen_event *event)
{
	struct ra_pen_json *json = get(pen);

	if (json->instant.category != event->category) {
		make_head(&json->instant, "\"i\",\"s\":\"t\"", event->category);
	}
	ra_outbuf_commit(json->out, put_start(json, &json->instant, event));
	begin_args(json, event->args);
}

#define COPY(place, words) ra_outbuf_copy((place), (words), sizeof(words) - 1)

/* Begins an event with a phase and a category. Return: the place after them. The whole event has
 * room for EVENT_BYTES. */
static char *put_phase_and_category(struct ra_pen_json *json, const char *phase,
                                    const char *category)
{
	char *place;

	ra_pen_json_put_begin(json, false);
	place = ra_outbuf_reserve(json->out, EVENT_BYTES);
	place = COPY(place, "\"ph\":");
	place = ra_outbuf_copy(place, phase, strlen(phase));
	place = COPY(place, ",\"cat\":\"");
	place = ra_outbuf_copy(place, category, strlen(category));
	*place++ = '"';
	return place;
}

static void put_half(struct ra_pen_json *json, const struct ra_pen_event *event, const char *phase,
                     int64_t time_ns)
{
	ra_outbuf_commit(json->out, put_phase_and_category(json, phase, event->category));
	ra_outbuf_printf(json->out, ",\"id2\":{\"local\":\"0x%" PRIx64 "\"},\"name\":\"",
	                 event->id);
	put_text(json, &event->name);
	find_row(json, event->pid, event->tid);
	ra_outbuf_put(json->out, json->row, json->row_length);
	ra_outbuf_commit(json->out,
	                 ra_outbuf_micros(ra_outbuf_reserve(json->out, RA_MICROS_BYTES), time_ns));
}

static void span(struct ra_pen *pen, const struct ra_pen_event *event)
{
	struct ra_pen_json *json = get(pen);

	put_half(json, event, "\"b\"", event->start_ns);
	json->span = *event;
	json->is_span = true;
	begin_args(json, event->args);
}

static void put_name(struct ra_pen_json *json, const struct ra_pen_text *name)
{
	ra_outbuf_put(json->out, ",\"name\":\"", 9);
	put_text(json, name);
	ra_outbuf_put(json->out, "\"", 1);
}

static void counter(struct ra_pen *pen, const struct ra_pen_event *event)
{
	struct ra_pen_json *json = get(pen);
	char *place = put_phase_and_category(json, "\"C\"", event->category);

	if (!event->is_name_last) {
		ra_outbuf_commit(json->out, place);
		put_name(json, &event->name);
		place = ra_outbuf_reserve(json->out, EVENT_BYTES);
	}
	place = COPY(place, ",\"pid\":");
	place = ra_outbuf_decimal(place, event->pid);
	place = COPY(place, ",\"ts\":");
	ra_outbuf_commit(json->out, ra_outbuf_micros(place, event->start_ns));
	if (event->is_name_last) {
		put_name(json, &event->name);
	}
	begin_args(json, event->args);
}

static void flow(struct ra_pen *pen, const struct ra_pen_event *event)
{
	struct ra_pen_json *json = get(pen);
	char *place = put_phase_and_category(json, event->is_end ? "\"f\",\"bp\":\"e\"" : "\"s\"",
	                                     event->category);

	place = COPY(place, ",\"name\":\"");
	place = ra_outbuf_copy(place, event->category, strlen(event->category));
	place = COPY(place, "\",\"id\":");
	place = ra_outbuf_decimal(place, event->id);
	find_row(json, event->pid, event->tid);
	place = ra_outbuf_copy(place, json->row + 1, json->row_length - 1);
	ra_outbuf_commit(json->out, ra_outbuf_micros(place, event->start_ns));
	begin_args(json, event->args);
}

static void end(struct ra_pen *pen)
{
	struct ra_pen_json *json = get(pen);

	if (json->has_args) {
		ra_outbuf_put(json->out, "}}", 2);
	} else if (json->args == RA_PEN_EMPTY_ARGS || json->args == RA_PEN_ROOM_ARGS) {
		ra_outbuf_put(json->out, ",", json->needs_comma);
		ra_outbuf_put(json->out, "\"args\":{}}", 10);
	} else {
		ra_outbuf_put(json->out, "}", 1);
	}
	if (json->is_span) {
		json->is_span = false;
		put_half(json, &json->span, "\"e\"", json->span.start_ns + json->span.dur_ns);
		ra_outbuf_put(json->out, "}", 1);
	}
}

/* ---- rows ---- */

static void put_meta(struct ra_pen_json *json, const struct ra_pen_track *track, const char *what)
{
	ra_pen_json_put_begin(json, track->is_added);
	ra_outbuf_printf(json->out,
	                 "\"ph\":\"M\",\"name\":\"%s_%s\",\"pid\":%" PRIu32 ",\"tid\":%" PRIu32,
	                 track->tid == 0 ? "process" : "thread", what, track->pid, track->tid);
	begin_args(json, RA_PEN_HAS_ARGS);
}

static void track(struct ra_pen *pen, const struct ra_pen_track *track)
{
	struct ra_pen_json *json = get(pen);

	if (track->name.bytes != NULL) {
		put_meta(json, track, "name");
		ra_pen_put_text(pen, "name", ra_pen_bytes(track->name));
		end(pen);
	}
	if (track->label != NULL) {
		put_meta(json, track, "labels");
		ra_pen_put_text(pen, "labels", ra_pen_words(track->label));
		end(pen);
	}
	if (track->has_sort_index) {
		put_meta(json, track, "sort_index");
		ra_pen_put_int(pen, "sort_index", track->sort_index);
		end(pen);
	}
}

/* Does nothing, because the file's head has the clock. */
static void put_clock(struct ra_pen *pen, int64_t base_ns)
{
	(void) pen;
	(void) base_ns;
}

/* Does nothing, because everything was written before. */
static void finish(struct ra_pen *pen)
{
	(void) pen;
}

void ra_pen_json_init(struct ra_pen_json *json, struct ra_outbuf *file)
{
	*json = (struct ra_pen_json){
		.pen = { begin, put_clock, track, slice, span, instant, counter, flow,
		         ra_pen_json_copy, field, argument, again, keep, end, finish, false },
		.out = file,
		.file = file,
	};
	json->kept = ra_alloc_zeros(KEPT, sizeof(*json->kept));
	make_row(json, 0, 0);
}

void ra_pen_json_fini(struct ra_pen_json *json)
{
	ra_pen_json_names_free(json->names);
	for (size_t i = 0; i < KEPT; i++) {
		free(json->kept[i].bytes);
	}
	free(json->kept);
	ra_outbuf_fini(&json->scratch);
	*json = (struct ra_pen_json){ 0 };
}
