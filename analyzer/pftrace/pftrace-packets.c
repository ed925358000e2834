/* SPDX-License-Identifier: MIT */
/* Writes packets of Perfetto's protobuf, compressed in blocks of 128 KiB. */
#include "analyzer/pftrace/pftrace-packets.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/order/search.h"
#include "analyzer/base/util.h"
#include "format/codec.h"

/* Field numbers for each message, from protos/perfetto/trace/ of Perfetto. */
enum {
	PACKET_TIME = 8,
	PACKET_EVENT = 11,
	PACKET_COMPRESSED = 50,
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

/* ---- packets ---- */

/*
 * Compression levels: for blocks that are mostly other packets, and for blocks that are mostly
 * plain packets. At level 1, plain packets get 6 % larger than at levels 4 to 6, in less than half
 * of the time. Events with arguments would get 10 % larger.
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

void ra_pftrace_packets_flush(struct ra_pftrace_packets *packets)
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
	const size_t opened = ra_protobuf_write_open(&frame, RA_PFTRACE_PACKETS_PACKET);

	ra_protobuf_write_text(&frame, PACKET_COMPRESSED, packets->packed.bytes, packed);
	ra_protobuf_write_close(&frame, opened);
	ra_outbuf_put(packets->out, (const char *) frame.bytes, frame.used);
	ra_outbuf_flush(packets->out); /* writes the buffer out, so that its memory can be reused */
	ra_protobuf_bytes_fini(&frame);
	packets->bytes.used = 0;
	packets->plain_bytes = 0;
}

/* ---- events ---- */

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

/* The key of a field that is a number, or bytes after their length. */
#define NUMBER(field) ((field) << 3)
#define BYTES(field)  ((field) << 3 | 2)

/* Room for any packet that put_plain() writes, and for bytes that it copies too far. */
#define PLAIN_BYTES ((size_t) 160)

/* An event that is longer would not be a message that readers take. */
#define MAX_EVENT_BYTES ((size_t) 1 << 28)

/* Bytes of a form that have the lengths of the packet and of the event. */
#define LENGTH_AT       1u
#define EVENT_LENGTH_AT 7u

/* Makes the first bytes of a plain packet: all up to the name, or up to the end of the event if it
 * has no name. */
static void make_form(struct ra_pftrace_packets_form *form, uint32_t track, uint32_t type,
                      uint32_t category)
{
	uint8_t *place = form->bytes;

	*form = (struct ra_pftrace_packets_form){ .track = track,
		                                  .category = category,
		                                  .type = type };
	*place++ = BYTES(RA_PFTRACE_PACKETS_PACKET);
	*place++ = 0;
	*place++ = NUMBER(RA_PFTRACE_PACKETS_SEQUENCE);
	*place++ = RA_PFTRACE_PACKETS_OWN;
	*place++ = NUMBER(RA_PFTRACE_PACKETS_FLAGS);
	*place++ = RA_PFTRACE_PACKETS_NEEDS_STATE;
	*place++ = BYTES(PACKET_EVENT);
	*place++ = 0;
	*place++ = NUMBER(EVENT_TYPE);
	*place++ = (uint8_t) type;
	*place++ = NUMBER(EVENT_TRACK);
	place = ra_protobuf_write_number(place, ra_pftrace_packets_find_uuid(track));
	if (category != 0) {
		*place++ = NUMBER(EVENT_CATEGORY_IID);
		place = ra_protobuf_write_number(place, category);
	}
	if (type == TYPE_BEGIN || type == TYPE_INSTANT) {
		*place++ = NUMBER(EVENT_NAME_IID);
	}
	form->length = (uint32_t) (place - form->bytes);
}

/* What packets are used for. Packets of one use are mostly alike, so each use has its form. */
enum use {
	USE_PLAIN,
	USE_END,
	USE_FIELDS
};

static inline const struct ra_pftrace_packets_form *choose_form(struct ra_pftrace_packets *packets,
                                                                enum use use, uint32_t track,
                                                                uint32_t type, uint32_t category)
{
	struct ra_pftrace_packets_form *form = &packets->forms[use];

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

struct span {
	const uint8_t *bytes;
	size_t count;
};

static inline uint8_t *put_bytes(uint8_t *place, const void *bytes, size_t count)
{
	memcpy(place, bytes, count);
	return place + count;
}

/*
 * Writes the packet of an event without arguments and arrows in one piece; most events are like
 * that. Name and time, the fields that differ between packets, come last. So the compression finds
 * one match for all bytes before these, which saves a sixth of the bytes and of the time. @event:
 * NULL: the packet ends a slice.
 */
static inline void put_plain(struct ra_pftrace_packets *packets, uint32_t track, int64_t time_ns,
                             const struct ra_pftrace_event *event)
{
	struct ra_protobuf_bytes *bytes = &packets->bytes;
	const uint32_t type = event == NULL       ? TYPE_END
	                      : event->is_instant ? TYPE_INSTANT
	                                          : TYPE_BEGIN;
	const struct ra_pftrace_packets_form *form =
		choose_form(packets, event == NULL ? USE_END : USE_PLAIN, track, type,
	                    event == NULL ? 0 : event->category);
	uint8_t *packet;
	uint8_t *place;

	ra_pftrace_packets_make_room(packets);
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
 * lengths are, and nothing is moved. They come after the name, and the time last, as in
 * put_plain(). @name: 0: none.
 */
static void put_with(struct ra_pftrace_packets *packets, const struct ra_pftrace_packets_form *form,
                     uint32_t name, int64_t time_ns, struct span fields)
{
	const size_t head_bytes = EVENT_LENGTH_AT - LENGTH_AT - 1;
	const size_t form_bytes = form->length - EVENT_LENGTH_AT - 1;
	uint8_t text[PLAIN_BYTES]; /* event's length, its name, the time */
	uint8_t *const name_at = text + RA_PROTOBUF_NUMBER_BYTES;
	uint8_t *const time_at = name_at + RA_PROTOBUF_NUMBER_BYTES;
	const size_t time_bytes =
		(size_t) (put_time(packets, time_at, (uint64_t) time_ns) - time_at);
	const size_t name_bytes =
		name == 0 ? 0 : (size_t) (ra_protobuf_write_number(name_at, name) - name_at);
	const size_t event_bytes = form_bytes + name_bytes + fields.count;
	const size_t length_bytes = (size_t) (ra_protobuf_write_number(text, event_bytes) - text);
	uint8_t *place;

	if (event_bytes >= MAX_EVENT_BYTES) {
		ra_alloc_end();
	}
	ra_pftrace_packets_make_room(packets);
	place = ra_protobuf_bytes_reserve(&packets->bytes, PLAIN_BYTES + fields.count);
	*place++ = form->bytes[0];
	place = ra_protobuf_write_number(place,
	                                 head_bytes + length_bytes + event_bytes + 1 + time_bytes);
	place = put_bytes(place, form->bytes + LENGTH_AT + 1, head_bytes);
	place = put_bytes(place, text, length_bytes);
	place = put_bytes(place, form->bytes + EVENT_LENGTH_AT + 1, form_bytes);
	place = put_bytes(place, name_at, name_bytes);
	place = put_bytes(place, fields.bytes, fields.count);
	*place++ = NUMBER(PACKET_TIME);
	place = put_bytes(place, time_at, time_bytes);
	packets->bytes.used = (size_t) (place - packets->bytes.bytes);
}

static void put_event_with(struct ra_pftrace_packets *packets, uint32_t track,
                           const struct ra_pftrace_event *event, struct span fields)
{
	const struct ra_pftrace_packets_form *form =
		choose_form(packets, USE_FIELDS, track,
	                    event->is_instant ? TYPE_INSTANT : TYPE_BEGIN, event->category);

	put_with(packets, form, event->name, event->start_ns, fields);
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
			put_event_with(packets, track, event,
			               (struct span){ fields->bytes, fields->used });
			return;
		}
	}
	if (event->args_bytes > 0) {
		put_event_with(packets, track, event, (struct span){ args, event->args_bytes });
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
	struct ra_protobuf_bytes *fields = &packets->fields;
	struct ra_pftrace_samples_reading reading =
		ra_pftrace_samples_read(&packets->trace->samples);

	while (ra_pftrace_samples_next(&reading)) {
		const struct ra_pftrace_sample *sample = &reading.sample;
		const struct ra_pftrace_packets_form *form =
			choose_form(packets, USE_FIELDS, sample->track, TYPE_COUNTER, 0);

		fields->used = 0;
		if (ra_pftrace_samples_is_whole(sample->value)) {
			ra_protobuf_write_varint(fields, EVENT_COUNTER, (uint64_t) sample->value);
		} else {
			ra_protobuf_write_double(fields, EVENT_COUNTER_DOUBLE, sample->value);
		}
		put_with(packets, form, 0, sample->time_ns,
		         (struct span){ fields->bytes, fields->used });
	}
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
	ra_pftrace_packets_flush(packets);
	ra_pftrace_packets_fini(packets);
}
