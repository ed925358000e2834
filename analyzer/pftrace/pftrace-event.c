/* SPDX-License-Identifier: MIT */
/* Collects the fields of one event, then adds the event. */
#include "analyzer/pftrace/pftrace-event.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
	const char *key;
	enum ra_pftrace_field field;
} fields_by_key[] = {
	{ "ph", RA_PFTRACE_PHASE }, { "pid", RA_PFTRACE_PID }, { "tid", RA_PFTRACE_TID },
	{ "ts", RA_PFTRACE_TS },    { "dur", RA_PFTRACE_DUR }, { "id", RA_PFTRACE_ID },
	{ "id2", RA_PFTRACE_ID },   { "s", RA_PFTRACE_SCOPE }, { "args", RA_PFTRACE_ARGS },
};

enum ra_pftrace_field ra_pftrace_event_find_field(const char *key, size_t length)
{
	for (size_t i = 0; i < sizeof(fields_by_key) / sizeof(fields_by_key[0]); i++) {
		if (strlen(fields_by_key[i].key) == length &&
		    memcmp(fields_by_key[i].key, key, length) == 0) {
			return fields_by_key[i].field;
		}
	}
	return RA_PFTRACE_NO_FIELD;
}

/* Reads µs with up to three decimals as ns. A number without a point is multiplied by 1000. */
static int64_t parse_micros(const char *text, size_t length)
{
	const bool is_negative = length > 0 && text[0] == '-';
	size_t i = is_negative ? 1 : 0;
	int64_t value = 0;
	int decimals = -1; /* -1: before the point */

	for (; i < length && decimals < 3; i++) {
		if (text[i] == '.') {
			decimals = 0;
			continue;
		}
		/* Limits the value so that the factors below can't overflow. Times since 1970 have
		 * 16 digits before the point. */
		if (text[i] < '0' || text[i] > '9' ||
		    value > (decimals < 0 ? INT64_MAX / 10000 : INT64_MAX / 10 - 1)) {
			break;
		}
		value = value * 10 + (text[i] - '0');
		decimals += decimals >= 0;
	}
	for (int j = decimals < 0 ? 0 : decimals; j < 3; j++) {
		value *= 10;
	}
	return is_negative ? -value : value;
}

static void take_id(struct ra_pftrace *trace, struct ra_pftrace_fields *fields, const char *text,
                    size_t length)
{
	uint32_t number = 0;

	fields->is_id_own = length > 0 && length <= 9 && (length == 1 || text[0] != '0');
	for (size_t i = 0; i < length && fields->is_id_own; i++) {
		fields->is_id_own = text[i] >= '0' && text[i] <= '9';
		number = number * 10 + (uint32_t) (text[i] - '0');
	}
	fields->id =
		fields->is_id_own ? number : ra_protobuf_texts_put(&trace->texts, text, length);
}

void ra_pftrace_event_take_number(struct ra_pftrace *trace, struct ra_pftrace_fields *fields,
                                  enum ra_pftrace_field field, const char *text, size_t length)
{
	switch (field) {
	case RA_PFTRACE_PID:
		fields->pid = (uint32_t) (parse_micros(text, length) / 1000);
		break;
	case RA_PFTRACE_TID:
		fields->tid = (uint32_t) (parse_micros(text, length) / 1000);
		break;
	case RA_PFTRACE_TS:
		fields->start_ns = parse_micros(text, length);
		break;
	case RA_PFTRACE_DUR:
		fields->dur_ns = parse_micros(text, length);
		break;
	case RA_PFTRACE_ID:
		take_id(trace, fields, text, length);
		break;
	default:
		break;
	}
}

void ra_pftrace_event_take_text(struct ra_pftrace *trace, struct ra_pftrace_fields *fields,
                                enum ra_pftrace_field field, const char *text, size_t length)
{
	switch (field) {
	case RA_PFTRACE_PHASE:
		fields->phase = length == 1 ? text[0] : '\0';
		break;
	case RA_PFTRACE_PID:
	case RA_PFTRACE_TID:
		fields->has_word = true;
		break;
	case RA_PFTRACE_SCOPE:
		fields->scope = length == 1 ? text[0] : '\0';
		break;
	case RA_PFTRACE_ID:
		take_id(trace, fields, text, length);
		break;
	default:
		break;
	}
}

void ra_pftrace_event_take_real(struct ra_pftrace_fields *fields, uint32_t key, double value)
{
	if (fields->series_count < RA_PFTRACE_SERIES) {
		fields->series[fields->series_count] = key;
		fields->values[fields->series_count++] = value;
	}
}

void ra_pftrace_event_take_value(struct ra_pftrace_fields *fields, uint32_t key, const char *text,
                                 size_t length)
{
	char copy[64];

	if (length < sizeof(copy)) {
		memcpy(copy, text, length);
		copy[length] = '\0';
		ra_pftrace_event_take_real(fields, key, strtod(copy, NULL));
	}
}

/* ---- adding the event ---- */

/* Gives a number to a key that consists of several numbers. @kind: a character that keeps keys of
 * different meaning apart. */
static uint32_t find_key(struct ra_protobuf_texts *texts, char kind, uint32_t first,
                         uint32_t second, uint32_t third)
{
	const uint32_t key[] = { (uint32_t) kind, first, second, third };

	return ra_protobuf_texts_put(texts, key, sizeof(key));
}

static void add_slice(struct ra_pftrace *trace, const struct ra_pftrace_fields *fields)
{
	struct ra_pftrace_event event = {
		.start_ns = fields->start_ns,
		.dur_ns = fields->dur_ns,
		.args = fields->args,
		.args_bytes = (uint32_t) (trace->args.bytes.used - fields->args),
		.name = fields->name,
		.category = fields->category,
		.is_instant = fields->phase == 'i' || fields->phase == 'I',
		.can_redraw = fields->can_redraw,
	};

	switch (fields->phase) {
	case RA_PFTRACE_SPAN:
		event.track = ra_pftrace_group(trace, fields->pid, fields->name);
		break;
	case 'b':
		event.track = ra_pftrace_group(trace, fields->pid, fields->name);
		event.dur_ns = RA_PFTRACE_NEVER;
		event.can_redraw = false;
		ra_pftrace_begin(trace,
		                 find_key(&trace->spans, fields->is_id_own ? 'n' : 'b', fields->pid,
		                          fields->category, fields->id),
		                 &event);
		return;
	case 'B':
		event.track = ra_pftrace_thread(trace, fields->pid, fields->tid);
		event.dur_ns = RA_PFTRACE_NEVER;
		event.can_redraw = false;
		ra_pftrace_begin(trace, find_key(&trace->spans, 'B', fields->pid, fields->tid, 0),
		                 &event);
		return;
	case 'i':
	case 'I':
		event.dur_ns = 0;
		event.track = fields->scope == 'p' || fields->scope == 'g'
		                      ? ra_pftrace_process(trace, fields->pid)
		                      : ra_pftrace_thread(trace, fields->pid, fields->tid);
		break;
	default:
		event.track = ra_pftrace_thread(trace, fields->pid, fields->tid);
		break;
	}
	ra_pftrace_add_event(trace, &event);
}

/* Adds the samples of a counter event. A counter's name consists of the event's name and the
 * series' name, as in Perfetto's import of JSON. */
static void add_samples(struct ra_pftrace *trace, const struct ra_pftrace_fields *fields)
{
	for (uint32_t i = 0; i < fields->series_count; i++) {
		struct ra_protobuf_bytes text = { 0 };
		struct ra_pftrace_sample sample = { .time_ns = fields->start_ns,
			                            .value = fields->values[i] };
		size_t length;
		const char *part = ra_protobuf_texts_get(&trace->names, fields->name, &length);
		uint32_t unit;
		uint32_t name;

		ra_protobuf_bytes_put(&text, part, length);
		part = ra_protobuf_texts_get(&trace->keys, fields->series[i], &length);
		ra_protobuf_bytes_put(&text, " ", length > 0);
		ra_protobuf_bytes_put(&text, part, length);
		unit = ra_protobuf_texts_put(&trace->texts, part, length);
		name = ra_protobuf_texts_put(&trace->texts, text.bytes, text.used);
		ra_protobuf_bytes_fini(&text);
		sample.track = ra_pftrace_counter(trace, fields->pid, name, unit);
		ra_pftrace_samples_put(&trace->samples, &sample);
	}
}

static bool is_name(const struct ra_pftrace *trace, const struct ra_pftrace_fields *fields,
                    const char *word)
{
	size_t length;
	const char *name = ra_protobuf_texts_get(&trace->names, fields->name, &length);

	return strlen(word) == length && memcmp(name, word, length) == 0;
}

static void add_metadata(struct ra_pftrace *trace, const struct ra_pftrace_fields *fields)
{
	const bool is_thread = is_name(trace, fields, "thread_name") ||
	                       is_name(trace, fields, "thread_sort_index");
	const uint32_t index = is_thread ? ra_pftrace_thread(trace, fields->pid, fields->tid)
	                                 : ra_pftrace_process(trace, fields->pid);
	struct ra_pftrace_track *track = &trace->tracks[index];

	if (is_name(trace, fields, "thread_name") || is_name(trace, fields, "process_name")) {
		track->name = fields->said;
	} else if (is_name(trace, fields, "process_labels")) {
		track->label = fields->said;
	} else if (fields->series_count > 0) {
		track->sort_index = (int64_t) fields->values[0];
		track->has_sort_index = true;
	}
}

static void add_point(struct ra_pftrace *trace, const struct ra_pftrace_fields *fields)
{
	struct ra_pftrace_point point = {
		.time_ns = fields->start_ns,
		.events = trace->drawn,
		.track = ra_pftrace_thread(trace, fields->pid, fields->tid),
		.key = find_key(&trace->flows, fields->is_id_own ? 'n' : 'f', fields->category,
		                fields->name, fields->id),
		.phase = fields->phase,
	};

	ra_pftrace_add_point(trace, &point);
}

void ra_pftrace_event_add(struct ra_pftrace *trace, const struct ra_pftrace_fields *fields)
{
	/* an event without a number for pid or tid is not drawn, and neither is a mark of a
	 * profiler */
	if (fields->has_word) {
		trace->args.bytes.used = fields->args;
		return;
	}
	if (trace->pass != RA_PFTRACE_LEARN && strchr("X*iI", fields->phase) == NULL) {
		trace->args.bytes.used = fields->args; /* drops the arguments, which an earlier pass
		                                          has already read */
		return;
	}
	switch (fields->phase) {
	case 'X':
	case 'i':
	case 'I':
	case RA_PFTRACE_SPAN:
	case 'b':
	case 'B':
		if (fields->name != 0) {
			add_slice(trace, fields);
			return;
		}
		break;
	case 'e':
		ra_pftrace_end(trace,
		               find_key(&trace->spans, fields->is_id_own ? 'n' : 'b', fields->pid,
		                        fields->category, fields->id),
		               fields->start_ns);
		break;
	case 'E':
		ra_pftrace_end(trace, find_key(&trace->spans, 'B', fields->pid, fields->tid, 0),
		               fields->start_ns);
		break;
	case 'C':
		if (fields->name != 0) {
			add_samples(trace, fields);
		}
		break;
	case 'M':
		if (fields->name != 0) {
			add_metadata(trace, fields);
		}
		break;
	case 's':
	case 't':
	case 'f':
		add_point(trace, fields);
		break;
	default:
		break;
	}
	trace->args.bytes.used = fields->args; /* drops the arguments, because only slices have
	                                          any */
}
