/* SPDX-License-Identifier: MIT */
/* Writes packets of Perfetto's protobuf, compressed in blocks of 128 KiB. */
#include "analyzer/pftrace/pftrace-packets.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/order/search.h"
#include "analyzer/base/util.h"
#include "format/codec.h"

/* Field numbers by message, from protos/perfetto/trace/ of Perfetto. */
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

/* All packets belong to the same sequence. */
#define SEQUENCE 1u

/* This many bytes of packets are compressed together. */
#define BLOCK_BYTES (128u << 10)

/* ---- packets ---- */

/*
 * Compression levels: of blocks that are mostly other packets, and of blocks that are mostly plain
 * ones. At level 1, plain packets get 6 % larger than at levels 4 to 6, in less than half of the
 * time. Events with arguments would get 10 % larger.
 */
static const int levels[RA_PFTRACE_PACKETS_LEVELS] = { 5, 1 };

static struct rlog_codec_deflater *choose_deflater(struct ra_pftrace_packets *packets)
{
	const int level = packets->plain_bytes > packets->bytes.used / 2;

	if (packets->deflaters[level] == NULL &&
	    rlog_codec_create_deflater(&packets->deflaters[level], levels[level]) != 0) {
		ra_alloc_end();
	}
	return packets->deflaters[level];
}

/* Writes the packets collected so far as one compressed packet. */
static void flush(struct ra_pftrace_packets *packets)
{
	struct ra_protobuf_bytes frame = { 0 };
	const size_t room = packets->bytes.used + packets->bytes.used / 8 + 4096;
	size_t packed;

	if (packets->bytes.used == 0) {
		return;
	}
	ra_util_grow(&packets->packed.bytes, &packets->packed.capacity, room, 1);
	packed = rlog_codec_deflate(choose_deflater(packets), packets->bytes.bytes,
	                            packets->bytes.used, packets->packed.bytes, room);
	if (packed == 0) {
		ra_alloc_end();
	}
	const size_t opened = ra_protobuf_write_open(&frame, TRACE_PACKET);

	ra_protobuf_write_text(&frame, PACKET_COMPRESSED, packets->packed.bytes, packed);
	ra_protobuf_write_close(&frame, opened);
	ra_outbuf_put(packets->out, (const char *) frame.bytes, frame.used);
	ra_outbuf_flush(packets->out); /* writes the buffer out, because its memory would otherwise
	                                  stay in use */
	ra_protobuf_bytes_fini(&frame);
	packets->bytes.used = 0;
	packets->plain_bytes = 0;
}

/* Flushes the block if it is full. Call it before each packet. */
static inline void make_room(struct ra_pftrace_packets *packets)
{
	if (packets->bytes.used >= BLOCK_BYTES) {
		flush(packets);
	}
}

/* Begins a packet. Return: the value to pass to end_packet(). */
static size_t begin_packet(struct ra_pftrace_packets *packets)
{
	struct ra_protobuf_bytes *bytes = &packets->bytes;
	size_t opened;

	make_room(packets);
	opened = ra_protobuf_write_open(bytes, TRACE_PACKET);
	ra_protobuf_write_varint(bytes, PACKET_SEQUENCE, SEQUENCE);
	ra_protobuf_write_varint(bytes, PACKET_FLAGS,
	                         packets->has_state ? FLAG_NEEDS_STATE
	                                            : FLAG_NEEDS_STATE | FLAG_CLEARED);
	packets->has_state = true;
	return opened;
}

static void end_packet(struct ra_pftrace_packets *packets, size_t opened)
{
	ra_protobuf_write_close(&packets->bytes, opened);
}

/* ---- before the events ---- */

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

/* Returns the id of a row in the file. 0 would mean none. */
static uint64_t find_uuid(uint32_t track)
{
	return (uint64_t) track + 1;
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

void ra_pftrace_packets_put_track(struct ra_pftrace_packets *packets, uint32_t index)
{
	const struct ra_pftrace_track *track = &packets->trace->tracks[index];
	struct ra_protobuf_bytes *bytes = &packets->bytes;
	const size_t packet = begin_packet(packets);
	const size_t opened = ra_protobuf_write_open(bytes, PACKET_TRACK);
	size_t counter;

	ra_protobuf_write_varint(bytes, TRACK_UUID, find_uuid(index));
	if (track->kind != RA_PFTRACE_PROCESS) {
		ra_protobuf_write_varint(bytes, TRACK_PARENT, find_uuid(track->parent));
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

/* ---- events ---- */

static size_t begin_event(struct ra_pftrace_packets *packets, uint32_t track, uint64_t type,
                          size_t *packet)
{
	struct ra_protobuf_bytes *bytes = &packets->bytes;
	size_t opened;

	*packet = begin_packet(packets);
	opened = ra_protobuf_write_open(bytes, PACKET_EVENT);
	ra_protobuf_write_varint(bytes, EVENT_TYPE, type);
	ra_protobuf_write_varint(bytes, EVENT_TRACK, find_uuid(track));
	return opened;
}

/* Writes the time after the event, as put_plain() does, so that the compression finds longer
 * matches. */
static void end_event(struct ra_pftrace_packets *packets, size_t opened, size_t packet,
                      int64_t time_ns)
{
	ra_protobuf_write_close(&packets->bytes, opened);
	ra_protobuf_write_varint(&packets->bytes, PACKET_TIME, (uint64_t) time_ns);
	end_packet(packets, packet);
}

static void write_arrow(struct ra_protobuf_bytes *fields, uint64_t id, bool is_end)
{
	ra_protobuf_write_fixed64(fields, is_end ? EVENT_FLOW_END : EVENT_FLOW, id);
}

/* An id of a start stands for several arrows, one for each end. They get ids of their own by means
 * of the number of ends after theirs, in bits that the ids of starts leave free. */
#define ENDS_SHIFT 34

void ra_pftrace_packets_write_arrow(struct ra_protobuf_bytes *fields, uint64_t id, uint32_t ends,
                                    bool is_end)
{
	for (uint32_t i = is_end ? ends : 0; i < ends + is_end; i++) {
		write_arrow(fields, id + ((uint64_t) i << ENDS_SHIFT), is_end);
	}
}

/* Writes the arrows of an event. Arrows are sorted by their events' numbers, and most events come
 * in that order, too. */
static void put_arrows(struct ra_pftrace_packets *packets, uint32_t event)
{
	const struct ra_pftrace *trace = packets->trace;
	size_t i = packets->arrow;

	if (i == trace->arrow_count || trace->arrows[i].event != event) {
		struct ra_search at = ra_search_in(0, trace->arrow_count);

		while (ra_search_next(&at)) {
			ra_search_tell(&at, trace->arrows[at.middle].event < event);
		}
		i = at.low;
	}
	for (; i < trace->arrow_count && trace->arrows[i].event == event; i++) {
		write_arrow(&packets->fields, trace->arrows[i].id, trace->arrows[i].is_end);
	}
	packets->arrow = i;
}

/* The key of a field whose value is a number, or bytes with their length first. */
#define NUMBER(field) ((field) << 3)
#define BYTES(field)  ((field) << 3 | 2)

/* Room for any packet that put_plain() writes, and for what it copies besides. */
#define PLAIN_BYTES ((size_t) 160)

/* An event that is longer would not be a message that readers take. */
#define MAX_EVENT_BYTES ((size_t) 1 << 28)

/* Bytes of a form that have the lengths of the packet and of the event. */
#define LENGTH_AT       1u
#define EVENT_LENGTH_AT 7u

/* Makes the first bytes of a plain packet: up to a name, or the end of the event. */
static void make_form(struct ra_pftrace_packets_form *form, uint32_t track, uint32_t type,
                      uint32_t category)
{
	uint8_t *place = form->bytes;

	*form = (struct ra_pftrace_packets_form){ .track = track,
		                                  .category = category,
		                                  .type = type };
	*place++ = BYTES(TRACE_PACKET);
	*place++ = 0;
	*place++ = NUMBER(PACKET_SEQUENCE);
	*place++ = SEQUENCE;
	*place++ = NUMBER(PACKET_FLAGS);
	*place++ = FLAG_NEEDS_STATE;
	*place++ = BYTES(PACKET_EVENT);
	*place++ = 0;
	*place++ = NUMBER(EVENT_TYPE);
	*place++ = (uint8_t) type;
	*place++ = NUMBER(EVENT_TRACK);
	place = ra_protobuf_write_number(place, find_uuid(track));
	if (category != 0) {
		*place++ = NUMBER(EVENT_CATEGORY_IID);
		place = ra_protobuf_write_number(place, category);
	}
	if (type != TYPE_END) {
		*place++ = NUMBER(EVENT_NAME_IID);
	}
	form->length = (uint32_t) (place - form->bytes);
}

static inline const struct ra_pftrace_packets_form *choose_form(struct ra_pftrace_packets *packets,
                                                                bool is_end, uint32_t track,
                                                                uint32_t type, uint32_t category)
{
	struct ra_pftrace_packets_form *form = &packets->forms[is_end];

	if (form->length == 0 || form->track != track || form->category != category ||
	    form->type != type) {
		make_form(form, track, type, category);
	}
	return form;
}

/* Writes a time as ra_protobuf_write_number() does. Most times differ from the one before only in
 * the low bytes. */
static inline uint8_t *put_time(struct ra_pftrace_packets *packets, uint8_t *place, uint64_t time)
{
	struct ra_pftrace_packets_high *high = &packets->high;

	if (time >> 7 * RA_PFTRACE_PACKETS_LOW_BYTES == 0) {
		return ra_protobuf_write_number(place, time);
	}
	if (time >> 7 * RA_PFTRACE_PACKETS_LOW_BYTES != high->high) {
		uint8_t bytes[RA_PROTOBUF_NUMBER_BYTES] = { 0 };

		high->high = time >> 7 * RA_PFTRACE_PACKETS_LOW_BYTES;
		high->count = (uint32_t) (ra_protobuf_write_number(bytes, high->high) - bytes);
		memcpy(&high->bytes, bytes, sizeof(high->bytes));
	}
	place[0] = (uint8_t) (time | 0x80);
	place[1] = (uint8_t) (time >> 7 | 0x80);
	place[2] = (uint8_t) (time >> 14 | 0x80);
	memcpy(place + RA_PFTRACE_PACKETS_LOW_BYTES, &high->bytes, sizeof(high->bytes));
	return place + RA_PFTRACE_PACKETS_LOW_BYTES + high->count;
}

static inline uint8_t *put_bytes(uint8_t *place, const void *bytes, size_t count)
{
	memcpy(place, bytes, count);
	return place + count;
}

/*
 * Writes the packet of an event without arguments and arrows in one piece; most events are like
 * that. The fields that differ between packets, name and time, come last. So the compression finds
 * one match for all bytes before them, which saves a sixth of the bytes and of the time. @event:
 * NULL: the packet ends a slice.
 */
static inline void put_plain(struct ra_pftrace_packets *packets, uint32_t track, int64_t time_ns,
                             const struct ra_pftrace_event *event)
{
	struct ra_protobuf_bytes *bytes = &packets->bytes;
	const uint32_t type = event == NULL       ? TYPE_END
	                      : event->is_instant ? TYPE_INSTANT
	                                          : TYPE_BEGIN;
	const struct ra_pftrace_packets_form *form = choose_form(
		packets, event == NULL, track, type, event == NULL ? 0 : event->category);
	uint8_t *packet;
	uint8_t *place;

	make_room(packets);
	packet = ra_protobuf_bytes_reserve(bytes, PLAIN_BYTES);
	memcpy(packet, form->bytes, sizeof(form->bytes));
	place = packet + form->length;
	if (event != NULL) {
		place = ra_protobuf_write_number(place, event->name);
	}
	packet[EVENT_LENGTH_AT] = (uint8_t) (place - packet - EVENT_LENGTH_AT - 1);
	*place++ = NUMBER(PACKET_TIME);
	place = put_time(packets, place, (uint64_t) time_ns);
	packet[LENGTH_AT] = (uint8_t) (place - packet - LENGTH_AT - 1);
	packets->plain_bytes += (size_t) (place - packet);
	bytes->used = (size_t) (place - bytes->bytes);
}

/*
 * Writes the packet of an event with arguments or other fields. Their bytes are known, so all
 * lengths are, and nothing is moved. The fields come after the name, and the time last, as in
 * put_plain().
 */
static void put_with(struct ra_pftrace_packets *packets, uint32_t track,
                     const struct ra_pftrace_event *event, const uint8_t *fields, size_t count)
{
	const struct ra_pftrace_packets_form *form =
		choose_form(packets, false, track, event->is_instant ? TYPE_INSTANT : TYPE_BEGIN,
	                    event->category);
	uint8_t time[PLAIN_BYTES];
	uint8_t name[RA_PROTOBUF_NUMBER_BYTES];
	uint8_t length[RA_PROTOBUF_NUMBER_BYTES];
	const size_t time_bytes =
		(size_t) (put_time(packets, time, (uint64_t) event->start_ns) - time);
	const size_t name_bytes = (size_t) (ra_protobuf_write_number(name, event->name) - name);
	const size_t event_bytes = form->length - EVENT_LENGTH_AT - 1 + name_bytes + count;
	const size_t length_bytes =
		(size_t) (ra_protobuf_write_number(length, event_bytes) - length);
	uint8_t *place;

	if (event_bytes >= MAX_EVENT_BYTES) {
		ra_alloc_end();
	}
	make_room(packets);
	place = ra_protobuf_bytes_reserve(&packets->bytes, PLAIN_BYTES + count);
	*place++ = form->bytes[0];
	place = ra_protobuf_write_number(place, EVENT_LENGTH_AT - LENGTH_AT - 1 + length_bytes +
	                                                event_bytes + 1 + time_bytes);
	place = put_bytes(place, form->bytes + LENGTH_AT + 1, EVENT_LENGTH_AT - LENGTH_AT - 1);
	place = put_bytes(place, length, length_bytes);
	place = put_bytes(place, form->bytes + EVENT_LENGTH_AT + 1,
	                  form->length - EVENT_LENGTH_AT - 1);
	place = put_bytes(place, name, name_bytes);
	place = put_bytes(place, fields, count);
	*place++ = NUMBER(PACKET_TIME);
	place = put_bytes(place, time, time_bytes);
	packets->bytes.used = (size_t) (place - packets->bytes.bytes);
}

void ra_pftrace_packets_put_event(struct ra_pftrace_packets *packets, uint32_t track,
                                  const struct ra_pftrace_event *event, const uint8_t *args)
{
	struct ra_protobuf_bytes *fields = &packets->fields;

	if (packets->trace->arrow_count > 0) {
		fields->used = 0;
		put_arrows(packets, event->number);
		if (fields->used > 0) {
			ra_protobuf_bytes_put(fields, args, event->args_bytes);
			put_with(packets, track, event, fields->bytes, fields->used);
			return;
		}
	}
	if (event->args_bytes > 0) {
		put_with(packets, track, event, args, event->args_bytes);
	} else {
		put_plain(packets, track, event->start_ns, event);
	}
}

void ra_pftrace_packets_put_end(struct ra_pftrace_packets *packets, uint32_t track, int64_t time_ns)
{
	put_plain(packets, track, time_ns, NULL);
}

void ra_pftrace_packets_put_samples(struct ra_pftrace_packets *packets)
{
	struct ra_pftrace_samples_reading reading =
		ra_pftrace_samples_read(&packets->trace->samples);

	while (ra_pftrace_samples_next(&reading)) {
		const struct ra_pftrace_sample *sample = &reading.sample;
		size_t packet;
		const size_t opened = begin_event(packets, sample->track, TYPE_COUNTER, &packet);

		if (ra_pftrace_samples_is_whole(sample->value)) {
			ra_protobuf_write_varint(&packets->bytes, EVENT_COUNTER,
			                         (uint64_t) sample->value);
		} else {
			ra_protobuf_write_double(&packets->bytes, EVENT_COUNTER_DOUBLE,
			                         sample->value);
		}
		end_event(packets, opened, packet, sample->time_ns);
	}
}

void ra_pftrace_packets_put_head(struct ra_pftrace_packets *packets, uint32_t row_count)
{
	const struct ra_pftrace *trace = packets->trace;

	put_clocks(packets);
	put_texts(packets, &trace->categories, INTERNED_CATEGORY);
	put_texts(packets, &trace->names, INTERNED_NAME);
	put_texts(packets, &trace->keys, INTERNED_KEY);
	put_texts(packets, &trace->values, INTERNED_VALUE);
	for (uint32_t i = 0; i < row_count; i++) {
		ra_pftrace_packets_put_track(packets, i);
	}
	flush(packets); /* ends the block: events begin one of their own, because they may be
	                   written before this */
}

void ra_pftrace_packets_init(struct ra_pftrace_packets *packets, const struct ra_pftrace *trace,
                             struct ra_outbuf *out)
{
	*packets = (struct ra_pftrace_packets){ .trace = trace, .out = out };
}

void ra_pftrace_packets_fini(struct ra_pftrace_packets *packets)
{
	for (int i = 0; i < RA_PFTRACE_PACKETS_LEVELS; i++) {
		rlog_codec_destroy_deflater(packets->deflaters[i]);
	}
	ra_protobuf_bytes_fini(&packets->bytes);
	ra_protobuf_bytes_fini(&packets->packed);
	ra_protobuf_bytes_fini(&packets->fields);
}

void ra_pftrace_packets_finish(struct ra_pftrace_packets *packets)
{
	flush(packets);
	ra_pftrace_packets_fini(packets);
}
