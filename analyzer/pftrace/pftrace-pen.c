/* SPDX-License-Identifier: MIT */
/* The pen that writes Perfetto's protobuf. */
#include "analyzer/pftrace/pftrace-pen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/text/util-json.h"
#include "analyzer/io/outbuf.h"

static struct ra_pftrace_pen *get(struct ra_pen *pen)
{
	return (struct ra_pftrace_pen *) pen;
}

/* ---- texts ---- */

/* Returns the text with U+FFFD for invalid UTF-8, as in JSON. It is borrowed until the next
 * call. */
static struct rlog_string clean(struct ra_pftrace_pen *pen, struct rlog_string text)
{
	struct ra_protobuf_bytes *scratch = &pen->scratch;
	uint32_t i = 0;
	uint32_t done = 0;

	scratch->used = 0;
	while (i < text.length) {
		size_t bad = 1;
		const size_t length =
			(unsigned char) text.bytes[i] < 0x80
				? 1
				: ra_util_json_utf8_length(text.bytes + i, text.length - i, &bad);

		if (length == 0) {
			ra_protobuf_bytes_put(scratch, text.bytes + done, i - done);
			ra_protobuf_bytes_put(scratch, "\xEF\xBF\xBD", 3);
			i += (uint32_t) bad;
			done = i;
		}
		i += (uint32_t) length;
	}
	if (done == 0) {
		return text;
	}
	ra_protobuf_bytes_put(scratch, text.bytes + done, text.length - done);
	return (struct rlog_string){ (const char *) scratch->bytes, (uint32_t) scratch->used, 0 };
}

static uint32_t number_bytes(struct ra_pftrace_pen *pen, enum ra_pftrace_kind kind,
                             struct rlog_string text)
{
	struct ra_protobuf_texts *const texts[RA_PFTRACE_KINDS] = {
		&pen->trace->categories,
		&pen->trace->names,
		&pen->trace->keys,
		&pen->trace->values,
	};

	if (kind == RA_PFTRACE_NAMES && text.length == 0) {
		/* An empty name would not be visible. Perfetto shows this text for an empty name in
		 * JSON. */
		text = (struct rlog_string){ "[No name]", 9, 9 };
	}
	text = clean(pen, text);
	return ra_protobuf_texts_put(texts[kind], text.bytes, text.length);
}

/* Finds the number of a text in the file. */
static uint32_t number_text(struct ra_pftrace_pen *pen, enum ra_pftrace_kind kind,
                            const struct ra_pen_text *text)
{
	const size_t count = text->table < RA_PEN_TABLES ? pen->names->counts[text->table] : 0;
	struct rlog_string bytes = text->bytes;
	uint32_t *number;

	if (text->table == RA_PEN_WORDS) {
		struct ra_pftrace_word *word =
			&pen->words[kind][((uintptr_t) bytes.bytes >> 1) % RA_PFTRACE_WORDS];

		if (word->words != bytes.bytes) {
			word->words = bytes.bytes;
			word->number = number_bytes(pen, kind, bytes);
		}
		return word->number;
	}
	if (count == 0) {
		return number_bytes(pen, kind, bytes);
	}
	if (pen->numbers[kind][text->table] == NULL) {
		pen->numbers[kind][text->table] = ra_alloc_zeros(count + 1, sizeof(*number));
	}
	number = &pen->numbers[kind][text->table][text->id < count ? text->id : count];
	if (*number == 0) {
		if (bytes.bytes == NULL) {
			bytes = pen->names->find(pen->names->context, text->table, text->id);
		}
		*number = number_bytes(pen, kind, bytes);
	}
	return *number;
}

static uint32_t number_words(struct ra_pftrace_pen *pen, enum ra_pftrace_kind kind,
                             const char *words)
{
	if (words == NULL) {
		return 0;
	}
	const struct ra_pen_text text = ra_pen_words(words);

	return number_text(pen, kind, &text);
}

/* ---- arguments ---- */

/* Handles a number among the fields. In counters and metadata it has another meaning besides. */
static void take_number(struct ra_pftrace_pen *pen, const char *text, size_t length)
{
	if (pen->trace->args.level_count == 1 && pen->event.phase != 'X') {
		ra_pftrace_event_take_value(&pen->event, pen->trace->args.key, text, length);
	}
	ra_pftrace_args_number(&pen->trace->args, text, length);
}

static void take_text(struct ra_pftrace_pen *pen, const struct ra_pen_text *text)
{
	if (pen->event.phase == 'M' && pen->trace->args.level_count == 1) {
		const struct rlog_string said = clean(pen, text->bytes);

		pen->event.said =
			ra_protobuf_texts_put(&pen->trace->texts, said.bytes, said.length);
	}
	ra_pftrace_args_text(&pen->trace->args, number_text(pen, RA_PFTRACE_VALUES, text));
}

static void take_real(struct ra_pftrace_pen *pen, const struct ra_pen_value *value)
{
	char text[64];
	const uint32_t length =
		(uint32_t) snprintf(text, sizeof(text), "%.*g", value->digits, value->real);

	if (text[length - 1] >= '0' && text[length - 1] <= '9') {
		take_number(pen, text, length);
	} else { /* infinity or NaN */
		const struct ra_pen_text word =
			ra_pen_bytes((struct rlog_string){ text, length, length });

		take_text(pen, &word);
	}
}

static void take_json(struct ra_pftrace_pen *pen, struct rlog_string json)
{
	if (json.length > 0 && (json.bytes[0] == '[' || json.bytes[0] == '{')) {
		ra_pftrace_args_json(&pen->trace->args, json);
	} else {
		take_number(pen, json.bytes, json.length);
	}
}

/* @text: room for RA_DECIMAL_BYTES. */
static size_t format_integer(char *text, const struct ra_pen_value *value)
{
	return (size_t) ((value->type == RA_PEN_UINT ? ra_outbuf_decimal(text, value->bits)
	                                             : ra_outbuf_signed(text, value->integer)) -
	                 text);
}

static void take_integer(struct ra_pftrace_pen *pen, const struct ra_pen_value *value)
{
	struct ra_pftrace_args *args = &pen->trace->args;

	if (args->level_count == 1 && pen->event.phase != 'X') {
		ra_pftrace_event_take_real(&pen->event, args->key,
		                           value->type == RA_PEN_UINT ? (double) value->bits
		                                                      : (double) value->integer);
	}
	if (value->type == RA_PEN_UINT) {
		ra_pftrace_args_uint(args, value->bits);
	} else {
		ra_pftrace_args_int(args, value->integer);
	}
}

/* True if only the texts of the current event's arguments are wanted, because a later pass draws
 * the event again and writes them. */
static bool is_dry(const struct ra_pftrace_pen *pen)
{
	const struct ra_pftrace *trace = pen->trace;

	return trace->pass == RA_PFTRACE_LEARN &&
	       (pen->event.can_redraw ||
	        (trace->take != NULL && !trace->writes && pen->event.phase == 'X'));
}

static void argument(struct ra_pen *pen, const struct ra_pen_text *key,
                     const struct ra_pen_value *value)
{
	struct ra_pftrace_pen *own = get(pen);
	struct ra_pftrace_args *args = &own->trace->args;

	args->is_dry = is_dry(own);
	if (key != NULL) {
		args->key = number_text(own, RA_PFTRACE_KEYS, key);
	}
	switch (value->type) {
	case RA_PEN_INT:
	case RA_PEN_UINT:
		take_integer(own, value);
		break;
	case RA_PEN_REAL:
		take_real(own, value);
		break;
	case RA_PEN_BOOL: /* Perfetto reads true and false in JSON as numbers */
		ra_pftrace_args_int(args, value->integer != 0);
		break;
	case RA_PEN_NULL:
		ra_pftrace_args_null(args);
		break;
	case RA_PEN_TEXT:
		take_text(own, &value->text);
		break;
	case RA_PEN_JSON:
		take_json(own, value->text.bytes);
		break;
	case RA_PEN_OBJECT:
	case RA_PEN_LIST:
		ra_pftrace_args_open(args, value->type == RA_PEN_LIST);
		break;
	case RA_PEN_END_OBJECT:
	case RA_PEN_END_LIST:
		ra_pftrace_args_close(args);
		break;
	}
}

static bool again(struct ra_pen *pen, uint64_t number)
{
	struct ra_pftrace_pen *own = get(pen);
	struct ra_protobuf_bytes *args = &own->trace->args.bytes;

	own->keeping = &own->kept[(number * UINT64_C(0x9E3779B97F4A7C15) >> 32) % RA_PFTRACE_KEPT];
	own->keeping_from = args->used;
	if (own->keeping->number == number && own->keeping->is_dry == is_dry(own)) {
		ra_protobuf_bytes_put(args, own->keeping->bytes.bytes, own->keeping->bytes.used);
		return true;
	}
	own->keeping->number = number;
	own->keeping->is_dry = is_dry(own);
	return false;
}

static void keep(struct ra_pen *pen)
{
	struct ra_pftrace_pen *own = get(pen);
	const struct ra_protobuf_bytes *args = &own->trace->args.bytes;

	own->keeping->bytes.used = 0;
	ra_protobuf_bytes_put(&own->keeping->bytes, ra_protobuf_bytes_at(args, own->keeping_from),
	                      args->used - own->keeping_from);
}

/* ---- events ---- */

static struct ra_pftrace_fields *begin_event(struct ra_pftrace_pen *pen, char phase, uint32_t pid,
                                             uint32_t tid)
{
	pen->event = (struct ra_pftrace_fields){
		.phase = phase,
		.pid = pid,
		.tid = tid,
		.args = pen->trace->args.bytes.used,
		.dur_ns = RA_PFTRACE_NEVER,
	};
	pen->trace->args.is_dry = false;
	ra_pftrace_args_begin(&pen->trace->args, false);
	return &pen->event;
}

static void end(struct ra_pen *pen)
{
	ra_pftrace_event_add(get(pen)->trace, &get(pen)->event);
}

static struct ra_pftrace_fields *begin_named(struct ra_pftrace_pen *pen, char phase,
                                             const struct ra_pen_event *event)
{
	struct ra_pftrace_fields *fields = begin_event(pen, phase, event->pid, event->tid);

	fields->category = number_words(pen, RA_PFTRACE_CATEGORIES, event->category);
	fields->name = number_text(pen, RA_PFTRACE_NAMES, &event->name);
	fields->start_ns = event->start_ns;
	return fields;
}

static void end_begun(struct ra_pen *pen, const struct ra_pen_event *event)
{
	if (event->args <= RA_PEN_EMPTY_ARGS) {
		end(pen);
	}
}

/* Finds the number of a name. Most names have come before. */
static inline uint32_t number_name(struct ra_pftrace_pen *pen, const struct ra_pen_text *name)
{
	if (name->table < RA_PEN_TABLES && name->id < pen->names->counts[name->table] &&
	    pen->numbers[RA_PFTRACE_NAMES][name->table] != NULL) {
		const uint32_t number = pen->numbers[RA_PFTRACE_NAMES][name->table][name->id];

		if (number != 0) {
			return number;
		}
	}
	return number_text(pen, RA_PFTRACE_NAMES, name);
}

/* Finds the number of a category. Most slices have the category of the slice before. */
static inline uint32_t number_category(struct ra_pftrace_pen *pen, const char *category)
{
	if (pen->category.words != category) {
		pen->category.words = category;
		pen->category.number = number_words(pen, RA_PFTRACE_CATEGORIES, category);
	}
	return pen->category.number;
}

/* Draws a slice. Most slices have no arguments, so this writes them without collecting fields. */
static void slice(struct ra_pen *pen, const struct ra_pen_event *event)
{
	struct ra_pftrace_pen *own = get(pen);

	if (event->args <= RA_PEN_EMPTY_ARGS) {
		struct ra_pftrace_event plain = {
			.start_ns = event->start_ns,
			.dur_ns = event->dur_ns,
			.args = own->trace->args.bytes.used,
			.track = ra_pftrace_thread(own->trace, event->pid, event->tid),
			.name = number_name(own, &event->name),
			.category = number_category(own, event->category),
		};

		ra_pftrace_add_event(own->trace, &plain);
		return;
	}
	begin_named(own, 'X', event)->dur_ns = event->dur_ns;
}

static void span(struct ra_pen *pen, const struct ra_pen_event *event)
{
	begin_named(get(pen), RA_PFTRACE_SPAN, event)->dur_ns = event->dur_ns;
	end_begun(pen, event);
}

static void instant(struct ra_pen *pen, const struct ra_pen_event *event)
{
	begin_named(get(pen), 'i', event);
	end_begun(pen, event);
}

static void counter(struct ra_pen *pen, const struct ra_pen_event *event)
{
	begin_named(get(pen), 'C', event);
	end_begun(pen, event);
}

static void flow(struct ra_pen *pen, const struct ra_pen_event *event)
{
	struct ra_pftrace_pen *own = get(pen);
	struct ra_pftrace_fields *fields;
	char id[RA_DECIMAL_BYTES];
	size_t length;

	if (own->trace->take_arrow != NULL) {
		const struct ra_pftrace_tie tie = {
			.time_ns = event->start_ns,
			.id = event->id,
			.track = ra_pftrace_thread(own->trace, event->pid, event->tid),
			.ends = event->ends,
			.is_end = event->is_end,
		};

		own->trace->take_arrow(own->trace->context, &tie);
		return;
	}
	fields = begin_event(own, event->is_end ? 'f' : 's', event->pid, event->tid);
	fields->category = number_words(own, RA_PFTRACE_CATEGORIES, event->category);
	fields->name = number_words(own, RA_PFTRACE_NAMES, event->category);
	fields->start_ns = event->start_ns;
	length = (size_t) (ra_outbuf_decimal(id, event->id) - id);
	ra_pftrace_event_take_text(own->trace, fields, RA_PFTRACE_ID, id, length);
	end_begun(pen, event);
}

/* ---- redrawn events ---- */

/* Handles a pid or tid. In a trace it may be any JSON value. */
static void take_place(struct ra_pftrace_pen *pen, enum ra_pftrace_field field,
                       struct rlog_string json)
{
	uint32_t number = 0;
	uint32_t i = 0;

	for (; i < json.length && i < 9 && json.bytes[i] >= '0' && json.bytes[i] <= '9'; i++) {
		number = number * 10 + (uint32_t) (json.bytes[i] - '0');
	}
	if (i > 0 && i == json.length) { /* nearly all are numbers */
		*(field == RA_PFTRACE_PID ? &pen->event.pid : &pen->event.tid) = number;
	} else if (json.length > 0 && json.bytes[0] == '"') {
		ra_pftrace_event_take_text(pen->trace, &pen->event, field, "", 0);
	} else if (json.length > 0 && json.bytes[0] != '{' && json.bytes[0] != '[') {
		ra_pftrace_event_take_number(pen->trace, &pen->event, field, json.bytes,
		                             json.length);
	}
}

static void take_times(struct ra_pftrace_fields *fields, const struct ra_pen_copy *event)
{
	if (event->has_ts) {
		fields->start_ns = event->ts_ns;
	}
	if (event->has_dur) {
		fields->dur_ns = event->dur_ns > 0 ? event->dur_ns : 0; /* as in the model */
	}
}

/* Finds the times of an event that will be drawn again, in the same way as take_times() and the
 * code after it. */
static void look_at(void *context, struct ra_pftrace_event *event)
{
	struct ra_pftrace_pen *own = context;
	const struct ra_pen_copy found = own->names->look(own->names->context, event->number);
	struct ra_pftrace_fields fields = { .dur_ns = RA_PFTRACE_NEVER };

	take_times(&fields, &found);
	event->is_instant = found.phase == 'i' || found.phase == 'I';
	event->start_ns = fields.start_ns;
	event->dur_ns = event->is_instant ? 0 : fields.dur_ns;
}

static void redraw(void *context, uint32_t number)
{
	struct ra_pftrace_pen *own = context;

	own->names->redraw(own->names->context, number);
}

static void copy(struct ra_pen *pen, const struct ra_pen_copy *event)
{
	struct ra_pftrace_pen *own = get(pen);
	struct ra_pftrace_fields *fields =
		begin_event(own, (unsigned char) event->phase < 0x80 ? event->phase : '\0', 0, 0);

	if (event->category != NULL) {
		fields->category = number_text(own, RA_PFTRACE_CATEGORIES, event->category);
	}
	if (event->name != NULL) {
		fields->name = number_text(own, RA_PFTRACE_NAMES, event->name);
	} else if (fields->phase != '\0' && strchr("XBbiI", fields->phase) != NULL) {
		fields->name = ra_protobuf_texts_put(&own->trace->names, "", 0);
	}
	take_place(own, RA_PFTRACE_PID, event->pid);
	take_place(own, RA_PFTRACE_TID, event->tid);
	take_times(fields, event);
	fields->can_redraw = !event->is_added;
	own->trace->drawn = event->number;
}

static void take_id(void *context, const char *text, size_t length)
{
	struct ra_pftrace_pen *pen = context;

	ra_pftrace_event_take_text(pen->trace, &pen->event, RA_PFTRACE_ID, text, length);
}

static void take_field_json(struct ra_pftrace_pen *pen, enum ra_pftrace_field field,
                            struct rlog_string json)
{
	if (json.length == 0 || (json.bytes[0] != '[' && json.bytes[0] != '{')) {
		ra_pftrace_event_take_number(pen->trace, &pen->event, field, json.bytes,
		                             json.length);
	} else if (field == RA_PFTRACE_ID) {
		ra_pftrace_args_walk_texts(json, take_id, pen);
	} else if (field == RA_PFTRACE_ARGS) {
		/* The arguments are a JSON list or object, and get its brackets. */
		ra_pftrace_args_begin(&pen->trace->args, json.bytes[0] == '[');
		json.bytes++;
		json.length--;
		ra_pftrace_args_json(&pen->trace->args, json);
		ra_pftrace_args_begin(&pen->trace->args, false);
	}
}

static void field(struct ra_pen *pen, const struct ra_pen_text *key,
                  const struct ra_pen_value *value)
{
	struct ra_pftrace_pen *own = get(pen);
	const enum ra_pftrace_field field =
		ra_pftrace_event_find_field(key->bytes.bytes, key->bytes.length);
	struct rlog_string text = value->text.bytes;
	char digits[RA_DECIMAL_BYTES];

	own->event.can_redraw &=
		field != RA_PFTRACE_TS && field != RA_PFTRACE_DUR && field != RA_PFTRACE_PHASE;
	switch (value->type) {
	case RA_PEN_INT:
	case RA_PEN_UINT:
		text.bytes = digits;
		text.length = (uint32_t) format_integer(digits, value);
		ra_pftrace_event_take_number(own->trace, &own->event, field, text.bytes,
		                             text.length);
		break;
	case RA_PEN_TEXT:
		text = clean(own, text);
		ra_pftrace_event_take_text(own->trace, &own->event, field, text.bytes, text.length);
		break;
	case RA_PEN_JSON:
		take_field_json(own, field, text);
		break;
	default:
		break;
	}
}

/* Adds the same metadata events as JSON does, so that the file has the same texts. */
static void track(struct ra_pen *pen, const struct ra_pen_track *track)
{
	struct ra_pftrace_pen *own = get(pen);
	const bool is_process = track->tid == 0;

	if (track->name.bytes != NULL) {
		begin_event(own, 'M', track->pid, track->tid)->name = number_words(
			own, RA_PFTRACE_NAMES, is_process ? "process_name" : "thread_name");
		ra_pen_put_text(pen, "name", ra_pen_bytes(track->name));
		end(pen);
	}
	if (track->label != NULL) {
		begin_event(own, 'M', track->pid, track->tid)->name =
			number_words(own, RA_PFTRACE_NAMES, "process_labels");
		ra_pen_put_text(pen, "labels",
		                ra_pen_bytes((struct rlog_string){
					track->label, (uint32_t) strlen(track->label), 0 }));
		end(pen);
	}
	if (track->has_sort_index) {
		begin_event(own, 'M', track->pid, track->tid)->name =
			number_words(own, RA_PFTRACE_NAMES,
		                     is_process ? "process_sort_index" : "thread_sort_index");
		ra_pen_put_int(pen, "sort_index", track->sort_index);
		end(pen);
	}
}

static void set_clock(struct ra_pen *pen, int64_t base_ns)
{
	get(pen)->trace->base_ns = base_ns;
}

static void begin(struct ra_pen *pen, const struct ra_pen_names *names)
{
	get(pen)->names = names;
}

/* Does nothing; an output can replace it. */
static void finish(struct ra_pen *pen)
{
	(void) pen;
}

void ra_pftrace_pen_init(struct ra_pftrace_pen *pen, struct ra_pftrace *trace)
{
	*pen = (struct ra_pftrace_pen){
		.pen = { begin, set_clock, track, slice, span, instant, counter, flow, copy, field,
		         argument, again, keep, end, finish, false },
		.trace = trace,
	};
	trace->look = look_at;
	trace->redraw = redraw;
	trace->drawing = pen;
	trace->args.keys = &trace->keys;
	trace->args.values = &trace->values;
}

void ra_pftrace_pen_fini(struct ra_pftrace_pen *pen)
{
	for (int kind = 0; kind < RA_PFTRACE_KINDS; kind++) {
		for (int table = 0; table < RA_PEN_TABLES; table++) {
			free(pen->numbers[kind][table]);
		}
	}
	for (size_t i = 0; i < RA_PFTRACE_KEPT; i++) {
		ra_protobuf_bytes_fini(&pen->kept[i].bytes);
	}
	ra_protobuf_bytes_fini(&pen->scratch);
}
