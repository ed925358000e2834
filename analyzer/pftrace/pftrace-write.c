/* SPDX-License-Identifier: MIT */
/* Packets of Perfetto's protobuf. */
#include "analyzer/pftrace/pftrace-write.h"

#include <stdlib.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/util.h"
#include "analyzer/pftrace/pftrace-flows.h"
#include "format/codec.h"

/* Numbers of fields, by message: protos/perfetto/trace/ of Perfetto. */
enum {
	TRACE_PACKET = 1
};
enum {
	PACKET_CLOCKS = 6,
	PACKET_TIME = 8,
	PACKET_SEQUENCE = 10,
	PACKET_EVENT = 11,
	PACKET_INTERNED = 12,
	PACKET_FLAGS = 13,
	PACKET_COMPRESSED = 50,
	PACKET_TRACK = 60,
};
enum {
	FLAG_CLEARED = 1,
	FLAG_NEEDS_STATE = 2
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
enum {
	EVENT_CATEGORY_IID = 3,
	EVENT_TYPE = 9,
	EVENT_NAME_IID = 10,
	EVENT_TRACK = 11,
	EVENT_COUNTER = 30,
	EVENT_COUNTER_DOUBLE = 44,
	EVENT_FLOW = 47,
	EVENT_FLOW_END = 48,
};
enum {
	TYPE_BEGIN = 1,
	TYPE_END = 2,
	TYPE_INSTANT = 3,
	TYPE_COUNTER = 4
};

/* One writer wrote all packets. */
#define SEQUENCE 1u

/* Packets that are packed together. */
#define BLOCK_BYTES (512u << 10)

/* Passes over a row; in each what overlaps what is there already is left for the next. */
#define MAX_LANES 256

struct writing {
	struct ra_pftrace *trace;
	struct ra_outbuf *out;
	struct rlog_codec_deflater *deflater; /* owned */
	struct ra_pftrace_bytes packets;      /* owned; not yet written */
	struct ra_pftrace_bytes packed;       /* owned */
	bool has_state;                       /* the first packet was made */
	uint32_t *stack;                      /* owned; slices that are open: indexes */
	size_t stack_count, stack_capacity;
};

/* ---- packets ---- */

/* Writes the packets so far as one that is packed. */
static void flush(struct writing *writing)
{
	struct ra_pftrace_bytes frame = { 0 };
	const size_t room = writing->packets.used + writing->packets.used / 8 + 4096;
	size_t packed;

	if (writing->packets.used == 0) {
		return;
	}
	ra_util_grow(&writing->packed.bytes, &writing->packed.capacity, room, 1);
	packed = rlog_codec_deflate(writing->deflater, writing->packets.bytes,
	                            writing->packets.used, writing->packed.bytes, room);
	if (packed == 0) {
		ra_alloc_end();
	}
	const size_t opened = ra_pftrace_proto_open(&frame, TRACE_PACKET);

	ra_pftrace_proto_text(&frame, PACKET_COMPRESSED, writing->packed.bytes, packed);
	ra_pftrace_proto_close(&frame, opened);
	ra_outbuf_put(writing->out, (const char *) frame.bytes, frame.used);
	ra_pftrace_bytes_fini(&frame);
	writing->packets.used = 0;
}

/* Begins a packet. Return: to be given to end_packet. */
static size_t begin_packet(struct writing *writing)
{
	struct ra_pftrace_bytes *packets = &writing->packets;
	size_t opened;

	if (packets->used >= BLOCK_BYTES) {
		flush(writing);
	}
	opened = ra_pftrace_proto_open(packets, TRACE_PACKET);
	ra_pftrace_proto_varint(packets, PACKET_SEQUENCE, SEQUENCE);
	ra_pftrace_proto_varint(packets, PACKET_FLAGS,
	                        writing->has_state ? FLAG_NEEDS_STATE
	                                           : FLAG_NEEDS_STATE | FLAG_CLEARED);
	writing->has_state = true;
	return opened;
}

static void end_packet(struct writing *writing, size_t opened)
{
	ra_pftrace_proto_close(&writing->packets, opened);
}

/* ---- what stands before the events ---- */

static void put_clock(struct writing *writing, uint64_t id, int64_t time_ns)
{
	const size_t opened = ra_pftrace_proto_open(&writing->packets, CLOCKS_CLOCK);

	ra_pftrace_proto_varint(&writing->packets, CLOCK_ID, id);
	ra_pftrace_proto_varint(&writing->packets, CLOCK_TIME, (uint64_t) time_ns);
	ra_pftrace_proto_close(&writing->packets, opened);
}

/* Which time of day is time 0. */
static void put_clocks(struct writing *writing)
{
	if (writing->trace->base_ns > 0) {
		const size_t packet = begin_packet(writing);
		const size_t opened = ra_pftrace_proto_open(&writing->packets, PACKET_CLOCKS);

		put_clock(writing, CLOCK_BOOT, 0);
		put_clock(writing, CLOCK_REAL, writing->trace->base_ns);
		ra_pftrace_proto_close(&writing->packets, opened);
		end_packet(writing, packet);
	}
}

static void put_texts(struct writing *writing, const struct ra_pftrace_texts *texts, uint32_t field)
{
	struct ra_pftrace_bytes *packets = &writing->packets;

	for (uint32_t i = 1; i <= texts->count; i++) {
		size_t length;
		const char *text = ra_pftrace_texts_get(texts, i, &length);
		const size_t packet = begin_packet(writing);
		const size_t interned = ra_pftrace_proto_open(packets, PACKET_INTERNED);
		const size_t entry = ra_pftrace_proto_open(packets, field);

		ra_pftrace_proto_varint(packets, INTERNED_IID, i);
		ra_pftrace_proto_text(packets, INTERNED_TEXT, text, length);
		ra_pftrace_proto_close(packets, entry);
		ra_pftrace_proto_close(packets, interned);
		end_packet(writing, packet);
	}
}

/* Numbers of rows in the file: 0 stands for none. */
static uint64_t find_uuid(uint32_t track)
{
	return (uint64_t) track + 1;
}

static void put_text(struct writing *writing, uint32_t field, uint32_t number)
{
	size_t length;

	if (number != 0) {
		const char *text = ra_pftrace_texts_get(&writing->trace->texts, number, &length);

		ra_pftrace_proto_text(&writing->packets, field, text, length);
	}
}

static void put_process(struct writing *writing, const struct ra_pftrace_track *track)
{
	struct ra_pftrace_bytes *packets = &writing->packets;
	const size_t opened = ra_pftrace_proto_open(packets, TRACK_PROCESS);

	ra_pftrace_proto_varint(packets, PROCESS_PID, track->pid);
	if (track->has_sort_index) {
		ra_pftrace_proto_varint(packets, PROCESS_SORT_INDEX, (uint64_t) track->sort_index);
	}
	put_text(writing, PROCESS_NAME, track->name);
	put_text(writing, PROCESS_LABEL, track->label);
	ra_pftrace_proto_close(packets, opened);
}

static void put_thread(struct writing *writing, const struct ra_pftrace_track *track)
{
	struct ra_pftrace_bytes *packets = &writing->packets;
	const size_t opened = ra_pftrace_proto_open(packets, TRACK_THREAD);

	ra_pftrace_proto_varint(packets, THREAD_PID, track->pid);
	ra_pftrace_proto_varint(packets, THREAD_TID, track->tid);
	if (track->has_sort_index) {
		ra_pftrace_proto_varint(packets, THREAD_SORT_INDEX, (uint64_t) track->sort_index);
	}
	put_text(writing, THREAD_NAME, track->name);
	ra_pftrace_proto_close(packets, opened);
}

static void put_track(struct writing *writing, uint32_t index)
{
	const struct ra_pftrace_track *track = &writing->trace->tracks[index];
	struct ra_pftrace_bytes *packets = &writing->packets;
	const size_t packet = begin_packet(writing);
	const size_t opened = ra_pftrace_proto_open(packets, PACKET_TRACK);
	size_t counter;

	ra_pftrace_proto_varint(packets, TRACK_UUID, find_uuid(index));
	if (track->kind != RA_PFTRACE_PROCESS) {
		ra_pftrace_proto_varint(packets, TRACK_PARENT, find_uuid(track->parent));
	}
	switch (track->kind) {
	case RA_PFTRACE_PROCESS:
		put_process(writing, track);
		break;
	case RA_PFTRACE_THREAD:
		put_thread(writing, track);
		break;
	case RA_PFTRACE_SPANS:
		put_text(writing, TRACK_NAME, track->name);
		break;
	case RA_PFTRACE_COUNTER:
		put_text(writing, TRACK_NAME, track->name);
		counter = ra_pftrace_proto_open(packets, TRACK_COUNTER);
		put_text(writing, COUNTER_UNIT_NAME, track->label);
		ra_pftrace_proto_close(packets, counter);
		break;
	}
	ra_pftrace_proto_close(packets, opened);
	end_packet(writing, packet);
}

/* ---- events ---- */

static size_t begin_event(struct writing *writing, uint32_t track, int64_t time_ns, uint64_t type,
                          size_t *packet)
{
	struct ra_pftrace_bytes *packets = &writing->packets;
	size_t opened;

	*packet = begin_packet(writing);
	ra_pftrace_proto_varint(packets, PACKET_TIME, (uint64_t) time_ns);
	opened = ra_pftrace_proto_open(packets, PACKET_EVENT);
	ra_pftrace_proto_varint(packets, EVENT_TYPE, type);
	ra_pftrace_proto_varint(packets, EVENT_TRACK, find_uuid(track));
	return opened;
}

static void end_event(struct writing *writing, size_t opened, size_t packet)
{
	ra_pftrace_proto_close(&writing->packets, opened);
	end_packet(writing, packet);
}

static void put_begin(struct writing *writing, uint32_t track, const struct ra_pftrace_event *event)
{
	const struct ra_pftrace *trace = writing->trace;
	struct ra_pftrace_bytes *packets = &writing->packets;
	size_t packet;
	const size_t opened = begin_event(writing, track, event->start_ns,
	                                  event->is_instant ? TYPE_INSTANT : TYPE_BEGIN, &packet);

	ra_pftrace_proto_varint(packets, EVENT_NAME_IID, event->name);
	if (event->category != 0) {
		ra_pftrace_proto_varint(packets, EVENT_CATEGORY_IID, event->category);
	}
	for (uint32_t i = event->arrow; i != 0; i = trace->arrows[i - 1].next) {
		const struct ra_pftrace_arrow *arrow = &trace->arrows[i - 1];

		ra_pftrace_proto_fixed64(packets, arrow->is_end ? EVENT_FLOW_END : EVENT_FLOW,
		                         arrow->id);
	}
	if (event->args_bytes > 0) {
		ra_pftrace_bytes_put(packets, trace->args.bytes.bytes + event->args,
		                     event->args_bytes);
	}
	end_event(writing, opened, packet);
}

static void put_end(struct writing *writing, uint32_t track, int64_t time_ns)
{
	size_t packet;
	const size_t opened = begin_event(writing, track, time_ns, TYPE_END, &packet);

	end_event(writing, opened, packet);
}

static int64_t find_end(const struct ra_pftrace_event *event)
{
	return event->dur_ns == RA_PFTRACE_NEVER ? INT64_MAX
	                                         : ra_util_add_time(event->start_ns, event->dur_ns);
}

/* Ends what has ended at a time, or all that ends. As in JSON, what takes no time holds what begins
 * together with it. */
static void close_slices(struct writing *writing, uint32_t track, int64_t time_ns)
{
	while (writing->stack_count > 0) {
		const struct ra_pftrace_event *top =
			&writing->trace->events[writing->stack[writing->stack_count - 1]];
		const int64_t end_ns = find_end(top);

		if (end_ns > time_ns || (top->dur_ns == 0 && top->start_ns == time_ns)) {
			return;
		}
		writing->stack_count--;
		if (top->dur_ns != RA_PFTRACE_NEVER) {
			put_end(writing, track, end_ns);
		}
	}
}

/* Writes those of a row's events that nest, and moves those that do not to the front.
 * Return: how many these are. */
static size_t put_nested(struct writing *writing, uint32_t track, uint32_t *events, size_t count)
{
	struct ra_pftrace *trace = writing->trace;
	size_t left = 0;

	writing->stack_count = 0;
	for (size_t i = 0; i < count; i++) {
		const struct ra_pftrace_event *event = &trace->events[events[i]];

		close_slices(writing, track, event->start_ns);
		if (!event->is_instant && writing->stack_count > 0 &&
		    find_end(event) >
		            find_end(&trace->events[writing->stack[writing->stack_count - 1]])) {
			events[left++] = events[i];
			continue;
		}
		put_begin(writing, track, event);
		if (event->is_instant) {
			continue;
		}
		RA_UTIL_APPEND(writing->stack, writing->stack_count, writing->stack_capacity,
		               events[i]);
	}
	close_slices(writing, track, INT64_MAX);
	return left;
}

static void put_row(struct writing *writing, const struct ra_pftrace_order *order, uint32_t track)
{
	uint32_t *events = order->events + order->rows[track];
	size_t left = order->rows[track + 1] - order->rows[track];
	uint32_t lane = track;

	for (int pass = 0; left > 0 && pass < MAX_LANES; pass++) {
		if (pass > 0) {
			lane = ra_pftrace_add_lane(writing->trace, track);
			put_track(writing, lane);
		}
		left = put_nested(writing, lane, events, left);
	}
}

static void put_samples(struct writing *writing)
{
	for (size_t i = 0; i < writing->trace->sample_count; i++) {
		const struct ra_pftrace_sample *sample = &writing->trace->samples[i];
		size_t packet;
		const size_t opened =
			begin_event(writing, sample->track, sample->time_ns, TYPE_COUNTER, &packet);

		if (sample->value >= 0 && sample->value < 9e15 &&
		    sample->value == (double) (int64_t) sample->value) {
			ra_pftrace_proto_varint(&writing->packets, EVENT_COUNTER,
			                        (uint64_t) sample->value);
		} else {
			ra_pftrace_proto_double(&writing->packets, EVENT_COUNTER_DOUBLE,
			                        sample->value);
		}
		end_event(writing, opened, packet);
	}
}

void ra_pftrace_write(struct ra_pftrace *trace, struct ra_outbuf *out)
{
	struct writing writing = { .trace = trace, .out = out };
	struct ra_pftrace_order order = { 0 };
	uint32_t track_count;

	if (rlog_codec_create_deflater(&writing.deflater, 6) != 0) {
		ra_alloc_end();
	}
	ra_pftrace_order_init(&order, trace);
	put_clocks(&writing);
	put_texts(&writing, &trace->categories, INTERNED_CATEGORY);
	put_texts(&writing, &trace->names, INTERNED_NAME);
	put_texts(&writing, &trace->keys, INTERNED_KEY);
	put_texts(&writing, &trace->values, INTERNED_VALUE);
	track_count = (uint32_t) trace->track_count;
	for (uint32_t i = 0; i < track_count; i++) {
		put_track(&writing, i);
	}
	for (uint32_t i = 0; i < track_count; i++) {
		put_row(&writing, &order, i);
	}
	put_samples(&writing);
	flush(&writing);
	ra_pftrace_order_fini(&order);
	rlog_codec_destroy_deflater(writing.deflater);
	ra_pftrace_bytes_fini(&writing.packets);
	ra_pftrace_bytes_fini(&writing.packed);
	free(writing.stack);
}
