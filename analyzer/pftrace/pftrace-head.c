/* SPDX-License-Identifier: MIT */
/* Writes the packets before the events: clocks, texts, rows. */
#include "analyzer/pftrace/pftrace-head.h"

/* Field numbers by message, from protos/perfetto/trace/ of Perfetto. */
enum {
	PACKET_CLOCKS = 6,
	PACKET_INTERNED = 12,
	PACKET_TRACK = 60,
};
enum {
	FLAG_CLEARED = 1
};
enum {
	CLOCKS_CLOCK = 1,
	CLOCK_ID = 1,
	CLOCK_TIME = 2,
	CLOCK_REAL = 1,
	CLOCK_BOOT = 6
};
enum {
	INTERNED_CATEGORY = 1,
	INTERNED_NAME = 2,
	INTERNED_KEY = 3,
	INTERNED_VALUE = 29
};
enum {
	INTERNED_IID = 1,
	INTERNED_TEXT = 2
};
enum {
	TRACK_UUID = 1,
	TRACK_NAME = 2,
	TRACK_PROCESS = 3,
	TRACK_THREAD = 4,
	TRACK_PARENT = 5,
	TRACK_COUNTER = 8,
};
enum {
	PROCESS_PID = 1,
	PROCESS_SORT_INDEX = 3,
	PROCESS_NAME = 6,
	PROCESS_LABEL = 8
};
enum {
	THREAD_PID = 1,
	THREAD_TID = 2,
	THREAD_SORT_INDEX = 3,
	THREAD_NAME = 5
};
enum {
	COUNTER_UNIT_NAME = 6
};

/* Begins a packet. Return: the value to pass to end_packet(). */
static size_t begin_packet(struct ra_pftrace_packets *packets)
{
	struct ra_protobuf_bytes *bytes = &packets->bytes;
	size_t opened;

	ra_pftrace_packets_make_room(packets);
	opened = ra_protobuf_write_open(bytes, RA_PFTRACE_PACKETS_PACKET);
	ra_protobuf_write_varint(bytes, RA_PFTRACE_PACKETS_SEQUENCE, RA_PFTRACE_PACKETS_OWN);
	ra_protobuf_write_varint(bytes, RA_PFTRACE_PACKETS_FLAGS,
	                         packets->has_state
	                                 ? RA_PFTRACE_PACKETS_NEEDS_STATE
	                                 : RA_PFTRACE_PACKETS_NEEDS_STATE | FLAG_CLEARED);
	packets->has_state = true;
	return opened;
}

static void end_packet(struct ra_pftrace_packets *packets, size_t opened)
{
	ra_protobuf_write_close(&packets->bytes, opened);
}

static void put_clock(struct ra_pftrace_packets *packets, uint64_t id, int64_t time_ns)
{
	const size_t opened = ra_protobuf_write_open(&packets->bytes, CLOCKS_CLOCK);

	ra_protobuf_write_varint(&packets->bytes, CLOCK_ID, id);
	ra_protobuf_write_varint(&packets->bytes, CLOCK_TIME, (uint64_t) time_ns);
	ra_protobuf_write_close(&packets->bytes, opened);
}

/* Writes which time of day is time 0. */
static void put_clocks(struct ra_pftrace_packets *packets)
{
	if (packets->trace->base_ns > 0) {
		const size_t packet = begin_packet(packets);
		const size_t opened = ra_protobuf_write_open(&packets->bytes, PACKET_CLOCKS);

		put_clock(packets, CLOCK_BOOT, 0);
		put_clock(packets, CLOCK_REAL, packets->trace->base_ns);
		ra_protobuf_write_close(&packets->bytes, opened);
		end_packet(packets, packet);
	}
}

static void put_texts(struct ra_pftrace_packets *packets, const struct ra_protobuf_texts *texts,
                      uint32_t field)
{
	struct ra_protobuf_bytes *bytes = &packets->bytes;

	for (uint32_t i = 1; i <= texts->count; i++) {
		size_t length;
		const char *text = ra_protobuf_texts_get(texts, i, &length);
		const size_t packet = begin_packet(packets);
		const size_t interned = ra_protobuf_write_open(bytes, PACKET_INTERNED);
		const size_t entry = ra_protobuf_write_open(bytes, field);

		ra_protobuf_write_varint(bytes, INTERNED_IID, i);
		ra_protobuf_write_text(bytes, INTERNED_TEXT, text, length);
		ra_protobuf_write_close(bytes, entry);
		ra_protobuf_write_close(bytes, interned);
		end_packet(packets, packet);
	}
}

static void put_text(struct ra_pftrace_packets *packets, uint32_t field, uint32_t number)
{
	size_t length;

	if (number != 0) {
		const char *text = ra_protobuf_texts_get(&packets->trace->texts, number, &length);

		ra_protobuf_write_text(&packets->bytes, field, text, length);
	}
}

static void put_process(struct ra_pftrace_packets *packets, const struct ra_pftrace_track *track)
{
	struct ra_protobuf_bytes *bytes = &packets->bytes;
	const size_t opened = ra_protobuf_write_open(bytes, TRACK_PROCESS);

	ra_protobuf_write_varint(bytes, PROCESS_PID, track->pid);
	if (track->has_sort_index) {
		ra_protobuf_write_varint(bytes, PROCESS_SORT_INDEX, (uint64_t) track->sort_index);
	}
	put_text(packets, PROCESS_NAME, track->name);
	put_text(packets, PROCESS_LABEL, track->label);
	ra_protobuf_write_close(bytes, opened);
}

static void put_thread(struct ra_pftrace_packets *packets, const struct ra_pftrace_track *track)
{
	struct ra_protobuf_bytes *bytes = &packets->bytes;
	const size_t opened = ra_protobuf_write_open(bytes, TRACK_THREAD);

	ra_protobuf_write_varint(bytes, THREAD_PID, track->pid);
	ra_protobuf_write_varint(bytes, THREAD_TID, track->tid);
	if (track->has_sort_index) {
		ra_protobuf_write_varint(bytes, THREAD_SORT_INDEX, (uint64_t) track->sort_index);
	}
	put_text(packets, THREAD_NAME, track->name);
	ra_protobuf_write_close(bytes, opened);
}

void ra_pftrace_head_put_track(struct ra_pftrace_packets *packets, uint32_t index)
{
	const struct ra_pftrace_track *track = &packets->trace->tracks[index];
	struct ra_protobuf_bytes *bytes = &packets->bytes;
	const size_t packet = begin_packet(packets);
	const size_t opened = ra_protobuf_write_open(bytes, PACKET_TRACK);
	size_t counter;

	ra_protobuf_write_varint(bytes, TRACK_UUID, ra_pftrace_packets_find_uuid(index));
	if (track->kind != RA_PFTRACE_PROCESS) {
		ra_protobuf_write_varint(bytes, TRACK_PARENT,
		                         ra_pftrace_packets_find_uuid(track->parent));
	}
	switch (track->kind) {
	case RA_PFTRACE_PROCESS:
		put_process(packets, track);
		break;
	case RA_PFTRACE_THREAD:
		put_thread(packets, track);
		break;
	case RA_PFTRACE_SPANS:
		put_text(packets, TRACK_NAME, track->name);
		break;
	case RA_PFTRACE_COUNTER:
		put_text(packets, TRACK_NAME, track->name);
		counter = ra_protobuf_write_open(bytes, TRACK_COUNTER);
		put_text(packets, COUNTER_UNIT_NAME, track->label);
		ra_protobuf_write_close(bytes, counter);
		break;
	}
	ra_protobuf_write_close(bytes, opened);
	end_packet(packets, packet);
}

void ra_pftrace_head_put(struct ra_pftrace_packets *packets, uint32_t row_count)
{
	const struct ra_pftrace *trace = packets->trace;

	put_clocks(packets);
	put_texts(packets, &trace->categories, INTERNED_CATEGORY);
	put_texts(packets, &trace->names, INTERNED_NAME);
	put_texts(packets, &trace->keys, INTERNED_KEY);
	put_texts(packets, &trace->values, INTERNED_VALUE);
	for (uint32_t i = 0; i < row_count; i++) {
		ra_pftrace_head_put_track(packets, i);
	}
	ra_pftrace_packets_flush(packets); /* ends the block: events begin one of their own, because
	                   they may be written before this */
}
