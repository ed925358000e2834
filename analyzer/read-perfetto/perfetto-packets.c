/* SPDX-License-Identifier: MIT */
/* Goes through the packets of a Perfetto trace, and unpacks compressed packets. */
#include "analyzer/read-perfetto/perfetto-packets.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "analyzer/base/util.h"

/* Field numbers, from protos/perfetto/trace/trace.proto, trace_packet.proto. */
enum {
	TRACE_PACKET = 1,
	PACKET_COMPRESSED = 50,
};

/* One packet may unpack to at most this many bytes; Perfetto's own packets have a few MiB. */
#define MAX_UNPACKED_BYTES ((size_t) 1 << 30)

struct walking {
	void (*take)(void *context, struct ra_protobuf packet);
	void *context;
	struct rlog_error *stop;
	uint8_t *bytes; /* owned: unpacked bytes */
	size_t capacity;
};

static void note_damage(struct walking *walking, const struct ra_protobuf *message)
{
	if (message->damage != NULL && walking->stop->code == 0) {
		rlog_error_set(walking->stop, RLOG_E_TRUNCATED, message->offset,
		               "damaged protobuf: %s", message->damage);
	}
}

/* Unpacks a packet. Return: the number of bytes; if the packet is damaged, those before the
 * damage. */
static size_t unpack(struct walking *walking, const struct ra_protobuf_field *packed)
{
	z_stream stream = { 0 };
	size_t count = 0;
	int rc = inflateInit(&stream);

	stream.next_in = (z_const Bytef *) packed->bytes;
	stream.avail_in = (uInt) packed->length;
	while (rc == Z_OK && count < MAX_UNPACKED_BYTES) {
		ra_util_grow(&walking->bytes, &walking->capacity, count + (64u << 10), 1);
		const size_t room = walking->capacity - count;

		stream.next_out = walking->bytes + count;
		stream.avail_out = (uInt) (room < MAX_UNPACKED_BYTES ? room : MAX_UNPACKED_BYTES);
		rc = inflate(&stream, Z_NO_FLUSH);
		count = (size_t) (stream.next_out - walking->bytes);
	}
	inflateEnd(&stream);
	if (rc != Z_STREAM_END && walking->stop->code == 0) {
		rlog_error_set(walking->stop, RLOG_E_INFLATE, packed->offset, "%s",
		               rc == Z_OK ? "packets that unpack to over 1 GiB"
		                          : "damaged zlib data");
	}
	return count;
}

static const struct ra_protobuf_field *find_packed(struct ra_protobuf packet,
                                                   struct ra_protobuf_field *field)
{
	while (ra_protobuf_next(&packet, field)) {
		if (field->number == PACKET_COMPRESSED && field->wire == RA_PROTOBUF_BYTES &&
		    field->length <= UINT32_MAX) {
			return field;
		}
	}
	return NULL;
}

static bool is_packet(const struct ra_protobuf_field *field)
{
	return field->number == TRACE_PACKET && field->wire == RA_PROTOBUF_BYTES;
}

/* Handles the packets in a compressed packet. Compressed packets inside it are not unpacked. */
static void walk_packed(struct walking *walking, const struct ra_protobuf_field *packed)
{
	const size_t count = unpack(walking, packed);
	struct ra_protobuf_field field;
	struct ra_protobuf inner;

	if (count == 0) {
		return;
	}
	inner = ra_protobuf_open(walking->bytes, count, packed->offset);
	while (ra_protobuf_next(&inner, &field)) {
		if (is_packet(&field)) {
			walking->take(walking->context, ra_protobuf_enter(&field));
		}
	}
	note_damage(walking, &inner);
}

static void walk(struct walking *walking, struct ra_protobuf trace)
{
	struct ra_protobuf_field field;
	struct ra_protobuf_field packed;

	while (ra_protobuf_next(&trace, &field)) {
		if (!is_packet(&field)) {
			continue;
		}
		if (find_packed(ra_protobuf_enter(&field), &packed) != NULL) {
			walk_packed(walking, &packed);
		} else {
			walking->take(walking->context, ra_protobuf_enter(&field));
		}
	}
	note_damage(walking, &trace);
}

void ra_perfetto_packets_walk(const void *bytes, size_t size,
                              void (*take)(void *context, struct ra_protobuf packet), void *context,
                              struct rlog_error *stop)
{
	struct walking walking = { .take = take, .context = context, .stop = stop };

	walk(&walking, ra_protobuf_open(bytes, size, 0));
	free(walking.bytes);
}

/* True if the file begins like a trace. If the first packet is complete, it must have only fields
 * of packets, and must tell its writer, a time, or the system, or have compressed packets. */
bool ra_perfetto_packets_probe(const void *bytes, size_t size)
{
	static const uint8_t known[] = { 6,  8,  10, 11, 12, 13, 33, 35, 36, 41,
		                         45, 50, 53, 54, 58, 59, 60, 79, 87, 89 };
	struct ra_protobuf trace = ra_protobuf_open(bytes, size, 0);
	struct ra_protobuf_field field;
	struct ra_protobuf packet;
	bool is_known = false;

	if (!ra_protobuf_next(&trace, &field) || field.number != TRACE_PACKET ||
	    field.wire != RA_PROTOBUF_BYTES || field.length == 0) {
		return false;
	}
	packet = ra_protobuf_enter(&field);
	while (ra_protobuf_next(&packet, &field)) {
		if (field.number > 1000) {
			return false;
		}
		is_known |= field.number < 255 &&
		            memchr(known, (int) field.number, sizeof(known)) != NULL;
		if (field.is_cut) {
			break;
		}
	}
	return is_known;
}
