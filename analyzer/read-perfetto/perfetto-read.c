/* SPDX-License-Identifier: MIT */
/* Makes rows from the events of a Perfetto trace. */
#include "analyzer/read-perfetto/perfetto-read.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/text/util-string.h"
#include "analyzer/base/util.h"
#include "analyzer/producers/producers.h"
#include "analyzer/read-json/kineto-facts.h"
#include "analyzer/read-perfetto/perfetto-args.h"
#include "analyzer/read-perfetto/perfetto-packets.h"

/* Field numbers, from protos/perfetto/trace/ of Perfetto. */
enum {
	PACKET_FTRACE = 1,
	PACKET_EVENT = 11,
	PACKET_GPU_STAGE = 53,
	FTRACE_EVENT = 2,
};
enum {
	EVENT_CATEGORY_IID = 3,
	EVENT_ANNOTATION = 4,
	EVENT_TYPE = 9,
	EVENT_NAME_IID = 10,
	EVENT_TRACK = 11,
	EVENT_CATEGORY = 22,
	EVENT_NAME = 23,
	EVENT_COUNTER = 30,
	EVENT_COUNTER_DOUBLE = 44,
	EVENT_FLOW_OLD = 36,
	EVENT_FLOW_END_OLD = 42,
	EVENT_FLOW = 47,
	EVENT_FLOW_END = 48,
};
enum {
	TYPE_BEGIN = 1,
	TYPE_END = 2,
	TYPE_INSTANT = 3,
	TYPE_COUNTER = 4,
};
enum {
	STAGE_DURATION = 2,
	STAGE_CONTEXT = 5,
	STAGE_EXTRA = 6,
	STAGE_GPU = 11,
	STAGE_QUEUE_IID = 13,
	STAGE_STAGE_IID = 14,
	STAGE_NAME = 17,
	EXTRA_NAME = 1,
	EXTRA_VALUE = 2,
};

/* State of a reading. The file is read twice. The first reading finds the ends of slices, by the
 * slices' numbers. */
struct reading {
	struct ra_kineto_store store;
	struct ra_kineto_fill fill;
	struct ra_perfetto_state state;
	bool is_second;
	uint32_t slices;    /* number of slices begun so far in this reading */
	int64_t *durs_ns;   /* owned; by slice; -1: it has no end */
	int64_t *starts_ns; /* owned */
	size_t dur_capacity, start_capacity;
	struct ra_util_map flows; /* id of a flow that has begun → 0 */
	uint64_t span;            /* number of the last pair of b and e */
};

/* The fields of a TrackEvent. */
struct event {
	struct ra_perfetto_packet packet;
	uint64_t type;
	uint32_t track; /* index of the track */
	struct rlog_string name;
	struct rlog_string category;
	double value;
	bool is_integer;
	int64_t integer;
};

static struct rlog_string find_text(const struct reading *reading, uint32_t sequence,
                                    enum ra_perfetto_names kind, uint64_t number)
{
	return ra_kineto_string(reading->store.kineto,
	                        ra_perfetto_state_name(&reading->state, sequence, kind, number));
}

static struct event read_event(struct reading *reading, const struct ra_perfetto_packet *packet,
                               struct ra_protobuf message)
{
	struct event event = { .packet = *packet, .name = { "", 0, 0 }, .category = { "", 0, 0 } };
	uint64_t track = reading->state.sequences[packet->sequence].default_track;
	struct ra_protobuf_field field;

	while (ra_protobuf_next(&message, &field)) {
		switch (field.number) {
		case EVENT_TYPE:
			event.type = field.integer;
			break;
		case EVENT_TRACK:
			track = field.integer;
			break;
		case EVENT_NAME_IID:
			event.name = find_text(reading, packet->sequence, RA_PERFETTO_NAMES,
			                       field.integer);
			break;
		case EVENT_NAME:
			event.name = ra_protobuf_text(&field);
			break;
		case EVENT_CATEGORY_IID:
			event.category = find_text(reading, packet->sequence,
			                           RA_PERFETTO_CATEGORIES, field.integer);
			break;
		case EVENT_CATEGORY:
			event.category = ra_protobuf_text(&field);
			break;
		case EVENT_COUNTER:
			event.is_integer = true;
			event.integer = (int64_t) field.integer;
			break;
		case EVENT_COUNTER_DOUBLE:
			event.value = field.real;
			break;
		default:
			break;
		}
	}
	event.track = ra_perfetto_state_track(&reading->state, track);
	return event;
}

/* ---- the first reading ---- */

static void note_begin(struct reading *reading, const struct event *event)
{
	struct ra_perfetto_track *track = &reading->state.tracks[event->track];
	size_t count = reading->slices;

	if (reading->slices == UINT32_MAX) {
		ra_alloc_end();
	}
	RA_UTIL_APPEND(track->open, track->open_count, track->open_capacity, reading->slices);
	RA_UTIL_APPEND(reading->durs_ns, count, reading->dur_capacity, -1);
	count = reading->slices;
	RA_UTIL_APPEND(reading->starts_ns, count, reading->start_capacity, event->packet.time_ns);
	reading->slices++;
}

static void note_end(struct reading *reading, const struct event *event)
{
	struct ra_perfetto_track *track = &reading->state.tracks[event->track];

	if (track->open_count > 0) {
		const uint32_t slice = track->open[--track->open_count];
		int64_t dur_ns = 0;

		if (!__builtin_sub_overflow(event->packet.time_ns, reading->starts_ns[slice],
		                            &dur_ns) &&
		    dur_ns >= 0) {
			reading->durs_ns[slice] = dur_ns;
		}
	}
}

/* ---- rows ---- */

static void put_field(struct reading *reading, enum ra_kineto_key key, uint32_t tag,
                      uint64_t payload)
{
	const struct ra_kineto_item item = { .key = (uint32_t) key << 1,
		                             .tag = tag,
		                             .payload = payload };

	ra_kineto_store_item(&reading->store, &item);
}

static void put_id(struct reading *reading, uint64_t id)
{
	char text[24];
	struct ra_kineto_item item = { 0 };
	const int length = snprintf(text, sizeof(text), "%" PRIu64, id);

	ra_kineto_store_number(&reading->store, text, (size_t) length, &item);
	item.key = RA_KINETO_ARG_ID << 1;
	ra_kineto_store_item(&reading->store, &item);
	if (id < RA_KINETO_NONE) {
		reading->fill.row.corr = (uint32_t) id;
	}
}

static void begin_row(struct reading *reading, const struct event *event, char phase)
{
	const struct ra_perfetto_track *track = &reading->state.tracks[event->track];
	struct ra_kineto_fill *fill = &reading->fill;

	ra_kineto_fill_place(fill, track->pid, track->is_async ? track->pid : track->tid);
	ra_kineto_fill_begin(fill, phase, event->name);
	if (event->category.length > 0) {
		fill->row.flags |= RA_KINETO_HAS_CAT;
		fill->row.category = ra_kineto_strings_add(
			&reading->store.strings, event->category.bytes, event->category.length);
	}
	ra_kineto_fill_time(fill, event->packet.time_ns, INT64_MAX);
	if (event->packet.time_ns % 1000 != 0) {
		/* the flag that its time as JSON text would set */
		fill->row.flags |= RA_KINETO_TS_POINT;
	}
}

static void put_args(struct reading *reading, const struct event *event, struct ra_protobuf message)
{
	struct ra_protobuf_field field;

	while (ra_protobuf_next(&message, &field)) {
		if (field.number == EVENT_ANNOTATION && field.wire == RA_PROTOBUF_BYTES) {
			ra_perfetto_args_put(&reading->state, event->packet.sequence,
			                     &reading->fill, ra_protobuf_enter(&field));
		}
	}
}

static void put_flow(struct reading *reading, const struct event *event, uint64_t id, bool is_end)
{
	struct event half = *event;
	const bool has_begun = ra_util_map_find(&reading->flows, id) != RA_UTIL_MAP_NONE;

	half.name = ra_util_string("flow");
	half.category = half.name;
	begin_row(reading, &half, is_end ? 'f' : has_begun ? 't' : 's');
	put_id(reading, id);
	if (is_end) {
		put_field(reading, RA_KINETO_ARG_BP, RA_KINETO_TAG_STRING,
		          ra_kineto_strings_add(&reading->store.strings, "e", 1));
	}
	ra_kineto_fill_end(&reading->fill);
	if (!has_begun) {
		ra_util_map_put(&reading->flows, id, 0);
	}
}

static void put_flows(struct reading *reading, const struct event *event,
                      struct ra_protobuf message)
{
	struct ra_protobuf_field field;

	while (ra_protobuf_next(&message, &field)) {
		if (field.number == EVENT_FLOW || field.number == EVENT_FLOW_OLD) {
			put_flow(reading, event, field.integer, false);
		} else if (field.number == EVENT_FLOW_END || field.number == EVENT_FLOW_END_OLD) {
			put_flow(reading, event, field.integer, true);
		}
	}
}

/* Writes both ends of a slice whose track is not a thread's. */
static void put_span(struct reading *reading, const struct event *event, int64_t dur_ns,
                     struct ra_protobuf message)
{
	struct event end = *event;

	begin_row(reading, event, 'b');
	put_id(reading, ++reading->span);
	put_args(reading, event, message);
	ra_kineto_fill_end(&reading->fill);
	if (dur_ns >= 0) {
		end.packet.time_ns = ra_util_add_time(event->packet.time_ns, dur_ns);
		begin_row(reading, &end, 'e');
		put_id(reading, reading->span);
		ra_kineto_fill_end(&reading->fill);
	}
}

static void put_slice(struct reading *reading, const struct event *event,
                      struct ra_protobuf message)
{
	const int64_t dur_ns = reading->durs_ns[reading->slices++];

	if (reading->state.tracks[event->track].is_async) {
		put_span(reading, event, dur_ns, message);
	} else {
		begin_row(reading, event, dur_ns < 0 ? 'B' : 'X');
		if (dur_ns >= 0) {
			ra_kineto_fill_time(&reading->fill, event->packet.time_ns, dur_ns);
		}
		put_args(reading, event, message);
		ra_kineto_fill_end(&reading->fill);
	}
	put_flows(reading, event, message);
}

static void put_instant(struct reading *reading, const struct event *event,
                        struct ra_protobuf message)
{
	const bool is_async = reading->state.tracks[event->track].is_async;

	begin_row(reading, event, 'i');
	put_field(reading, RA_KINETO_ARG_SCOPE, RA_KINETO_TAG_STRING,
	          ra_kineto_strings_add(&reading->store.strings, is_async ? "p" : "t", 1));
	put_args(reading, event, message);
	ra_kineto_fill_end(&reading->fill);
	put_flows(reading, event, message);
}

/* Writes a value of a counter in the form that our own traces have: the track's name is the
 * counter's name, a blank, and its unit. */
static void put_counter(struct reading *reading, const struct event *event)
{
	const struct ra_perfetto_track *track = &reading->state.tracks[event->track];
	const struct rlog_string unit = ra_kineto_string(reading->store.kineto, track->unit);
	struct event named = *event;
	const uint32_t key = unit.length > 0
	                             ? track->unit
	                             : ra_kineto_strings_add(&reading->store.strings, "value", 5);

	named.name = ra_kineto_string(reading->store.kineto, track->name);
	named.category = ra_util_string("counter");
	if (unit.length > 0 && named.name.length > unit.length + 1 &&
	    memcmp(named.name.bytes + named.name.length - unit.length, unit.bytes, unit.length) ==
	            0) {
		named.name.length -= unit.length + 1;
	}
	begin_row(reading, &named, 'C');
	if (event->is_integer) {
		ra_kineto_fill_int(&reading->fill, key, event->integer);
	} else {
		ra_kineto_fill_real(&reading->fill, key, event->value);
	}
	ra_kineto_fill_end(&reading->fill);
}

static void take_event(struct reading *reading, const struct ra_perfetto_packet *packet,
                       struct ra_protobuf message)
{
	const struct event event = read_event(reading, packet, message);

	if (event.type == TYPE_BEGIN && !reading->is_second) {
		note_begin(reading, &event);
	} else if (event.type == TYPE_END && !reading->is_second) {
		note_end(reading, &event);
	} else if (!reading->is_second) {
		return;
	} else if (event.type == TYPE_BEGIN) {
		put_slice(reading, &event, message);
	} else if (event.type == TYPE_INSTANT) {
		put_instant(reading, &event, message);
	} else if (event.type == TYPE_COUNTER) {
		put_counter(reading, &event);
	}
}

/* ---- work of GPUs ---- */

static bool has_word(struct rlog_string text, const char *word)
{
	return memmem(text.bytes, text.length, word, strlen(word)) != NULL;
}

static const char *find_category(struct rlog_string stage)
{
	if (has_word(stage, "emcpy") || has_word(stage, "opy")) {
		return "gpu_memcpy";
	}
	return has_word(stage, "emset") ? "gpu_memset" : "kernel";
}

static void put_extra(struct reading *reading, struct ra_protobuf extra)
{
	struct rlog_string name = { "", 0, 0 };
	struct rlog_string value = { "", 0, 0 };
	struct ra_protobuf_field field;

	while (ra_protobuf_next(&extra, &field)) {
		if (field.number == EXTRA_NAME) {
			name = ra_protobuf_text(&field);
		} else if (field.number == EXTRA_VALUE) {
			value = ra_protobuf_text(&field);
		}
	}
	ra_kineto_fill_text(&reading->fill,
	                    ra_kineto_strings_add(&reading->store.strings, name.bytes, name.length),
	                    value);
}

static void take_stage(struct reading *reading, const struct ra_perfetto_packet *packet,
                       struct ra_protobuf message)
{
	struct ra_protobuf extras = message;
	struct rlog_string stage = { "", 0, 0 };
	struct rlog_string name = { "", 0, 0 };
	struct ra_protobuf_field field;
	int64_t duration_ns = 0;
	int64_t device = 0;
	int64_t queue = 0;
	int64_t context = 0;

	while (ra_protobuf_next(&message, &field)) {
		switch (field.number) {
		case STAGE_DURATION:
			duration_ns = (int64_t) field.integer;
			break;
		case STAGE_CONTEXT:
			context = (int64_t) field.integer;
			break;
		case STAGE_GPU:
			device = (int32_t) field.integer;
			break;
		case STAGE_QUEUE_IID:
			queue = (int64_t) field.integer;
			break;
		case STAGE_STAGE_IID:
			stage = find_text(reading, packet->sequence, RA_PERFETTO_STAGES,
			                  field.integer);
			break;
		case STAGE_NAME:
			name = ra_protobuf_text(&field);
			break;
		default:
			break;
		}
	}
	ra_kineto_fill_place(&reading->fill, device, queue);
	ra_kineto_fill_begin(&reading->fill, 'X', name.length > 0 ? name : stage);
	ra_kineto_fill_category(&reading->fill, find_category(stage));
	ra_kineto_fill_time(&reading->fill, packet->time_ns, duration_ns);
	ra_kineto_fill_int(&reading->fill, RA_KINETO_ARG_DEVICE, device);
	ra_kineto_fill_int(&reading->fill, RA_KINETO_ARG_CONTEXT, context);
	ra_kineto_fill_int(&reading->fill, RA_KINETO_ARG_STREAM, queue);
	while (ra_protobuf_next(&extras, &field)) {
		if (field.number == STAGE_EXTRA && field.wire == RA_PROTOBUF_BYTES) {
			put_extra(reading, ra_protobuf_enter(&field));
		}
	}
	ra_kineto_fill_end(&reading->fill);
}

/* ---- the whole ---- */

static void count_ftrace(struct reading *reading, struct ra_protobuf bundle)
{
	struct ra_protobuf_field field;

	while (ra_protobuf_next(&bundle, &field)) {
		reading->store.kineto->oddities.unused_ftrace += field.number == FTRACE_EVENT;
	}
}

static void take_packet(void *context, struct ra_protobuf packet)
{
	struct reading *reading = context;
	struct ra_perfetto_packet facts;
	struct ra_protobuf_field field;

	ra_perfetto_state_take(&reading->state, packet, &facts);
	while (ra_protobuf_next(&packet, &field)) {
		if (field.wire != RA_PROTOBUF_BYTES) {
			continue;
		}
		if (field.number == PACKET_EVENT && facts.has_time) {
			take_event(reading, &facts, ra_protobuf_enter(&field));
		} else if (field.number == PACKET_GPU_STAGE && facts.has_time &&
		           reading->is_second) {
			take_stage(reading, &facts, ra_protobuf_enter(&field));
		} else if (field.number == PACKET_FTRACE && reading->is_second) {
			count_ftrace(reading, ra_protobuf_enter(&field));
		}
	}
}

static void put_track(struct reading *reading, const struct ra_perfetto_track *track)
{
	const struct ra_kineto *k = reading->store.kineto;
	struct ra_kineto_fill *fill = &reading->fill;
	const char *index = track->has_thread ? "thread_sort_index" : "process_sort_index";

	ra_kineto_fill_place(fill, track->pid, track->has_thread ? track->tid : 0);
	ra_kineto_fill_name(fill, track->has_thread ? "thread_name" : "process_name",
	                    ra_kineto_string(k, track->name));
	if (track->label != 0) {
		ra_kineto_fill_begin(fill, 'M', ra_util_string("process_labels"));
		ra_kineto_fill_text(fill, RA_KINETO_ARG_LABELS, ra_kineto_string(k, track->label));
		ra_kineto_fill_end(fill);
	}
	if (track->has_sort_index) {
		ra_kineto_fill_begin(fill, 'M', ra_util_string(index));
		ra_kineto_fill_int(fill, RA_KINETO_ARG_SORT_INDEX, track->sort_index);
		ra_kineto_fill_end(fill);
	}
}

static void put_facts(struct reading *reading)
{
	struct ra_kineto_store *store = &reading->store;
	char number[24];
	const int length = snprintf(number, sizeof(number), "%" PRId64, reading->state.base_ns);

	if (reading->state.base_ns > 0) {
		ra_kineto_store_fact(
			store, ra_kineto_strings_add(&store->strings, "baseTimeNanoseconds", 19),
			ra_kineto_strings_add(&store->strings, number, (size_t) length));
	}
	ra_kineto_facts_read(store->kineto, store);
}

struct ra_kineto *ra_perfetto_read(const void *bytes, size_t size, struct rlog_error *stop)
{
	struct reading reading = { 0 };
	struct ra_kineto *kineto = ra_alloc_zeros(1, sizeof(*kineto));

	ra_kineto_store_init(&reading.store, kineto, ra_producers_find_kind);
	reading.fill.store = &reading.store;
	ra_perfetto_state_init(&reading.state, &reading.store);
	ra_perfetto_packets_walk(bytes, size, take_packet, &reading, stop);
	ra_perfetto_state_place(&reading.state);
	for (size_t i = 0; i < reading.state.track_count; i++) {
		if (reading.state.tracks[i].has_process || reading.state.tracks[i].has_thread) {
			put_track(&reading, &reading.state.tracks[i]);
		}
	}
	ra_perfetto_state_rewind(&reading.state);
	reading.is_second = true;
	reading.slices = 0;
	ra_perfetto_packets_walk(bytes, size, take_packet, &reading, stop);
	ra_kineto_store_trim(&reading.store);
	put_facts(&reading);
	ra_kineto_store_fini(&reading.store);
	ra_perfetto_state_fini(&reading.state);
	ra_util_map_free(&reading.flows);
	free(reading.durs_ns);
	free(reading.starts_ns);
	return kineto;
}
