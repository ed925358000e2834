/* SPDX-License-Identifier: MIT */
/* Holds what packets of a Perfetto trace define for later packets: names, tracks, clocks. */
#include "analyzer/read-perfetto/perfetto-state.h"

#include <stdlib.h>

#include "analyzer/base/util.h"

/* Field numbers, from protos/perfetto/trace/ of Perfetto. */
enum {
	PACKET_CLOCKS = 6,
	PACKET_TIME = 8,
	PACKET_SEQUENCE = 10,
	PACKET_INTERNED = 12,
	PACKET_FLAGS = 13,
	PACKET_CLEARED = 41, /* older versions set this instead of FLAG_CLEARED */
	PACKET_CLOCK = 58,
	PACKET_DEFAULTS = 59,
	PACKET_TRACK = 60,
};
enum {
	FLAG_CLEARED = 1,
};
enum {
	DEFAULTS_EVENT = 11,
	DEFAULTS_CLOCK = 58,
	EVENT_TRACK = 11,
};
enum {
	CLOCKS_CLOCK = 1,
	CLOCK_ID = 1,
	CLOCK_TIME = 2,
	CLOCK_INCREMENTAL = 3,
	CLOCK_MULTIPLIER = 4,
	CLOCK_REAL = 1, /* from here on, ids of clocks */
	CLOCK_BOOT = 6,
};
enum {
	ENTRY_IID = 1,
	ENTRY_TEXT = 2,
};
enum {
	TRACK_UUID = 1,
	TRACK_NAME = 2,
	TRACK_PROCESS = 3,
	TRACK_THREAD = 4,
	TRACK_PARENT = 5,
	TRACK_COUNTER = 8,
	TRACK_STATIC_NAME = 10,
	TRACK_ATRACE_NAME = 13,
	PROCESS_PID = 1,
	PROCESS_SORT_INDEX = 3,
	PROCESS_NAME = 6,
	PROCESS_LABEL = 8,
	THREAD_PID = 1,
	THREAD_TID = 2,
	THREAD_SORT_INDEX = 3,
	THREAD_NAME = 5,
	COUNTER_UNIT_NAME = 6,
};

/* By kind of names: the field number of their list in InternedData. */
static const uint32_t fields_of_kinds[RA_PERFETTO_KINDS] = { 1, 2, 3, 29, 24 };

void ra_perfetto_state_init(struct ra_perfetto_state *state, struct ra_kineto_store *store)
{
	*state = (struct ra_perfetto_state){ .store = store };
	ra_perfetto_state_rewind(state);
}

void ra_perfetto_state_rewind(struct ra_perfetto_state *state)
{
	state->sequence_count = 0;
	state->generations = 0;
	ra_util_map_free(&state->sequence_of);
	ra_util_map_free(&state->names);
	state->sequence_of = (struct ra_util_map){ 0 };
	state->names = (struct ra_util_map){ 0 };
	for (size_t i = 0; i < RA_PERFETTO_CLOCKS / 2; i++) {
		state->clocks[i] = (struct ra_perfetto_clock){ .multiplier = 1 };
	}
	state->clocks[CLOCK_BOOT].is_known = true;
}

void ra_perfetto_state_fini(struct ra_perfetto_state *state)
{
	for (size_t i = 0; i < state->track_count; i++) {
		free(state->tracks[i].open);
	}
	free(state->tracks);
	free(state->sequences);
	ra_util_map_free(&state->sequence_of);
	ra_util_map_free(&state->names);
	ra_util_map_free(&state->track_of);
}

static uint32_t add_text(struct ra_perfetto_state *state, const struct ra_protobuf_field *field)
{
	const struct rlog_string text = ra_protobuf_text(field);

	return ra_kineto_strings_add(&state->store->strings, text.bytes, text.length);
}

/* ---- names ---- */

/* Makes the key of a name. Return: false for numbers of more than 40 bits, which no writer uses. */
static bool make_key(uint32_t generation, enum ra_perfetto_names kind, uint64_t number,
                     uint64_t *key)
{
	*key = ((uint64_t) generation * RA_PERFETTO_KINDS + (uint64_t) kind) << 40 | number;
	return number >> 40 == 0 && generation < 1u << 20;
}

static void take_name(struct ra_perfetto_state *state, uint32_t sequence,
                      enum ra_perfetto_names kind, struct ra_protobuf entry)
{
	struct ra_protobuf_field field;
	uint64_t number = 0;
	uint32_t text = 0;
	uint64_t key;

	while (ra_protobuf_next(&entry, &field)) {
		if (field.number == ENTRY_IID) {
			number = field.integer;
		} else if (field.number == ENTRY_TEXT) {
			text = add_text(state, &field);
		}
	}
	if (make_key(state->sequences[sequence].generation, kind, number, &key)) {
		ra_util_map_put(&state->names, key, text);
	}
}

static void take_names(struct ra_perfetto_state *state, uint32_t sequence,
                       struct ra_protobuf interned)
{
	struct ra_protobuf_field list;

	while (ra_protobuf_next(&interned, &list)) {
		for (int kind = 0; kind < RA_PERFETTO_KINDS; kind++) {
			if (fields_of_kinds[kind] == list.number) {
				take_name(state, sequence, (enum ra_perfetto_names) kind,
				          ra_protobuf_enter(&list));
			}
		}
	}
}

uint32_t ra_perfetto_state_name(const struct ra_perfetto_state *state, uint32_t sequence,
                                enum ra_perfetto_names kind, uint64_t number)
{
	uint32_t text = RA_UTIL_MAP_NONE;
	uint64_t key;

	if (make_key(state->sequences[sequence].generation, kind, number, &key)) {
		text = ra_util_map_find(&state->names, key);
	}
	return text == RA_UTIL_MAP_NONE ? 0 : text;
}

/* ---- tracks ---- */

uint32_t ra_perfetto_state_track(struct ra_perfetto_state *state, uint64_t uuid)
{
	uint32_t index = ra_util_map_find(&state->track_of, uuid);

	if (index == RA_UTIL_MAP_NONE) {
		const struct ra_perfetto_track track = { .uuid = uuid };

		index = (uint32_t) state->track_count;
		RA_UTIL_APPEND(state->tracks, state->track_count, state->track_capacity, track);
		ra_util_map_put(&state->track_of, uuid, index);
	}
	return index;
}

static void take_process(struct ra_perfetto_state *state, struct ra_perfetto_track *track,
                         struct ra_protobuf process)
{
	struct ra_protobuf_field field;

	track->has_process = true;
	while (ra_protobuf_next(&process, &field)) {
		switch (field.number) {
		case PROCESS_PID:
			track->pid = (int32_t) field.integer;
			break;
		case PROCESS_NAME:
			track->name = add_text(state, &field);
			break;
		case PROCESS_LABEL:
			track->label = add_text(state, &field);
			break;
		case PROCESS_SORT_INDEX:
			track->sort_index = (int32_t) field.integer;
			track->has_sort_index = true;
			break;
		default:
			break;
		}
	}
}

static void take_thread(struct ra_perfetto_state *state, struct ra_perfetto_track *track,
                        struct ra_protobuf thread)
{
	struct ra_protobuf_field field;

	track->has_thread = true;
	while (ra_protobuf_next(&thread, &field)) {
		switch (field.number) {
		case THREAD_PID:
			track->pid = (int32_t) field.integer;
			break;
		case THREAD_TID:
			track->tid = (int64_t) field.integer;
			break;
		case THREAD_NAME:
			track->name = add_text(state, &field);
			break;
		case THREAD_SORT_INDEX:
			track->sort_index = (int64_t) field.integer;
			track->has_sort_index = true;
			break;
		default:
			break;
		}
	}
}

static void take_counter(struct ra_perfetto_state *state, struct ra_perfetto_track *track,
                         struct ra_protobuf counter)
{
	struct ra_protobuf_field field;

	while (ra_protobuf_next(&counter, &field)) {
		if (field.number == COUNTER_UNIT_NAME) {
			track->unit = add_text(state, &field);
		}
	}
}

static void take_track(struct ra_perfetto_state *state, struct ra_protobuf descriptor)
{
	struct ra_protobuf whole = descriptor;
	struct ra_perfetto_track *track;
	struct ra_protobuf_field field;
	uint64_t uuid = 0;

	while (ra_protobuf_next(&descriptor, &field)) {
		uuid = field.number == TRACK_UUID ? field.integer : uuid;
	}
	/* this may move the tracks in memory */
	const uint32_t index = ra_perfetto_state_track(state, uuid);

	track = &state->tracks[index];
	while (ra_protobuf_next(&whole, &field)) {
		switch (field.number) {
		case TRACK_PARENT:
			track->parent = field.integer;
			break;
		case TRACK_NAME:
		case TRACK_STATIC_NAME:
		case TRACK_ATRACE_NAME:
			track->name = add_text(state, &field);
			break;
		case TRACK_PROCESS:
			take_process(state, track, ra_protobuf_enter(&field));
			break;
		case TRACK_THREAD:
			take_thread(state, track, ra_protobuf_enter(&field));
			break;
		case TRACK_COUNTER:
			take_counter(state, track, ra_protobuf_enter(&field));
			break;
		default:
			break;
		}
	}
}

void ra_perfetto_state_place(struct ra_perfetto_state *state)
{
	for (size_t i = 0; i < state->track_count; i++) {
		struct ra_perfetto_track *track = &state->tracks[i];
		const struct ra_perfetto_track *in = track;

		/* There is a limit, because parents may form a cycle. */
		for (int depth = 0; depth < 64 && !in->has_thread && !in->has_process; depth++) {
			const uint32_t parent = ra_util_map_find(&state->track_of, in->parent);

			if (in->parent == 0 || parent == RA_UTIL_MAP_NONE) {
				break;
			}
			in = &state->tracks[parent];
		}
		if (in != track) {
			track->pid = in->pid;
			track->tid = in->tid;
		}
		track->is_async = !in->has_thread;
	}
}

/* ---- clocks ---- */

static struct ra_perfetto_clock *find_clock(struct ra_perfetto_state *state, uint32_t sequence,
                                            uint64_t id)
{
	const uint64_t half = RA_PERFETTO_CLOCKS / 2;
	struct ra_perfetto_clock *own = state->sequences[sequence].clocks;

	if (id >= RA_PERFETTO_CLOCKS) {
		return NULL;
	}
	return id < half ? &state->clocks[id] : &own[id - half];
}

/* One reading of a clock. */
struct reading {
	uint64_t id, time, multiplier;
	bool is_incremental;
};

static struct reading read_clock(struct ra_protobuf message)
{
	struct reading reading = { .multiplier = 1 };
	struct ra_protobuf_field field;

	while (ra_protobuf_next(&message, &field)) {
		switch (field.number) {
		case CLOCK_ID:
			reading.id = field.integer;
			break;
		case CLOCK_TIME:
			reading.time = field.integer;
			break;
		case CLOCK_INCREMENTAL:
			reading.is_incremental = field.integer != 0;
			break;
		case CLOCK_MULTIPLIER:
			reading.multiplier = field.integer == 0 ? 1 : field.integer;
			break;
		default:
			break;
		}
	}
	return reading;
}

/* Handles the readings of several clocks at the same moment. */
static void take_clocks(struct ra_perfetto_state *state, uint32_t sequence,
                        struct ra_protobuf snapshot)
{
	struct ra_protobuf whole = snapshot;
	struct ra_protobuf_field field;
	int64_t boot_ns = 0;
	bool has_boot = false;

	while (ra_protobuf_next(&snapshot, &field)) {
		const struct reading reading = read_clock(ra_protobuf_enter(&field));
		const struct ra_perfetto_clock *clock = find_clock(state, sequence, reading.id);

		if (field.number != CLOCKS_CLOCK || clock == NULL ||
		    (reading.id != CLOCK_BOOT && (has_boot || !clock->is_known))) {
			continue;
		}
		boot_ns =
			(int64_t) (reading.time * reading.multiplier + (uint64_t) clock->offset_ns);
		has_boot |= reading.id == CLOCK_BOOT;
	}
	while (ra_protobuf_next(&whole, &field)) {
		const struct reading reading = read_clock(ra_protobuf_enter(&field));
		struct ra_perfetto_clock *clock = find_clock(state, sequence, reading.id);
		const uint64_t ns = reading.time * reading.multiplier;

		if (field.number != CLOCKS_CLOCK || clock == NULL || reading.id == CLOCK_BOOT) {
			continue;
		}
		*clock = (struct ra_perfetto_clock){
			.offset_ns = (int64_t) ((uint64_t) boot_ns - ns),
			.last = reading.time,
			.multiplier = reading.multiplier,
			.is_known = true,
			.is_incremental = reading.is_incremental,
		};
		if (reading.id == CLOCK_REAL && state->base_ns == 0) {
			state->base_ns = (int64_t) (ns - (uint64_t) boot_ns);
		}
	}
}

/* Finds the time of a packet. A clock that was never compared with another clock is treated as the
 * boot clock. */
static int64_t find_time(struct ra_perfetto_state *state, uint32_t sequence, uint64_t id,
                         uint64_t time)
{
	struct ra_perfetto_clock *clock = find_clock(state, sequence, id);

	if (clock == NULL) {
		return (int64_t) time;
	}
	if (clock->is_incremental) {
		clock->last += time;
		time = clock->last;
	}
	return (int64_t) (time * (clock->multiplier == 0 ? 1 : clock->multiplier) +
	                  (uint64_t) clock->offset_ns);
}

/* ---- packets ---- */

static uint32_t find_sequence(struct ra_perfetto_state *state, uint64_t id)
{
	uint32_t index = ra_util_map_find(&state->sequence_of, id);

	if (index == RA_UTIL_MAP_NONE) {
		const struct ra_perfetto_sequence sequence = { .generation = state->generations++,
			                                       .default_clock = CLOCK_BOOT };

		index = (uint32_t) state->sequence_count;
		RA_UTIL_APPEND(state->sequences, state->sequence_count, state->sequence_capacity,
		               sequence);
		ra_util_map_put(&state->sequence_of, id, index);
	}
	return index;
}

static void take_defaults(struct ra_perfetto_sequence *sequence, struct ra_protobuf defaults)
{
	struct ra_protobuf_field field;

	sequence->default_clock = CLOCK_BOOT;
	sequence->default_track = 0;
	while (ra_protobuf_next(&defaults, &field)) {
		if (field.number == DEFAULTS_CLOCK && field.integer < RA_PERFETTO_CLOCKS) {
			sequence->default_clock = (uint32_t) field.integer;
		} else if (field.number == DEFAULTS_EVENT) {
			struct ra_protobuf event = ra_protobuf_enter(&field);

			while (ra_protobuf_next(&event, &field)) {
				sequence->default_track = field.number == EVENT_TRACK
				                                  ? field.integer
				                                  : sequence->default_track;
			}
		}
	}
}

void ra_perfetto_state_take(struct ra_perfetto_state *state, struct ra_protobuf packet,
                            struct ra_perfetto_packet *facts)
{
	struct ra_protobuf whole = packet;
	struct ra_protobuf_field field;
	uint64_t clock = 0;
	uint64_t time = 0;
	uint64_t id = 0;
	bool is_cleared = false;

	*facts = (struct ra_perfetto_packet){ 0 };
	while (ra_protobuf_next(&packet, &field)) {
		id = field.number == PACKET_SEQUENCE ? field.integer : id;
		is_cleared |=
			(field.number == PACKET_FLAGS && (field.integer & FLAG_CLEARED) != 0) ||
			(field.number == PACKET_CLEARED && field.integer != 0);
	}
	facts->sequence = find_sequence(state, id);
	if (is_cleared) {
		state->sequences[facts->sequence].generation = state->generations++;
	}
	while (ra_protobuf_next(&whole, &field)) {
		switch (field.number) {
		case PACKET_CLOCKS:
			take_clocks(state, facts->sequence, ra_protobuf_enter(&field));
			break;
		case PACKET_TIME:
			time = field.integer;
			facts->has_time = true;
			break;
		case PACKET_CLOCK:
			clock = field.integer;
			break;
		case PACKET_INTERNED:
			take_names(state, facts->sequence, ra_protobuf_enter(&field));
			break;
		case PACKET_DEFAULTS:
			take_defaults(&state->sequences[facts->sequence],
			              ra_protobuf_enter(&field));
			break;
		case PACKET_TRACK:
			take_track(state, ra_protobuf_enter(&field));
			break;
		default:
			break;
		}
	}
	if (facts->has_time) {
		clock = clock != 0 ? clock : state->sequences[facts->sequence].default_clock;
		facts->time_ns = find_time(state, facts->sequence, clock, time);
	}
}
