/* SPDX-License-Identifier: MIT */
/* Writes packets of Perfetto's protobuf, compressed in blocks of 128 KiB. */
#ifndef RA_PFTRACE_PACKETS_H
#define RA_PFTRACE_PACKETS_H

#include "analyzer/io/outbuf.h"
#include "analyzer/pftrace/pftrace-events.h"
#include "format/codec.h"

#define RA_PFTRACE_PACKETS_LEVELS 2

/* What all packets share: numbers of fields, from protos/perfetto/trace/ of Perfetto … */
enum {
	RA_PFTRACE_PACKETS_PACKET = 1,
	RA_PFTRACE_PACKETS_SEQUENCE = 10,
	RA_PFTRACE_PACKETS_FLAGS = 13,
};

/* … and values. All packets belong to the same sequence. */
#define RA_PFTRACE_PACKETS_OWN         1u
#define RA_PFTRACE_PACKETS_NEEDS_STATE 2u

/* This many bytes of packets are compressed together. */
#define RA_PFTRACE_PACKETS_BLOCK_BYTES (128u << 10)

/* The first bytes of plain packets of one kind, up to what differs between them. */
struct ra_pftrace_packets_form {
	uint8_t bytes[32];
	uint32_t length; /* 0: not made yet */
	uint32_t track;
	uint32_t category;
	uint32_t type;
};

/* The high bytes of the last time: those after the first RA_PFTRACE_PACKETS_LOW_BYTES. Times with
 * equal high bytes share them. */
struct ra_pftrace_packets_high {
	uint64_t high;  /* the time >> 7 * RA_PFTRACE_PACKETS_LOW_BYTES; 0: none */
	uint64_t bytes; /* the high bytes, as they are in the file … */
	uint32_t count; /* … and their number */
};

#define RA_PFTRACE_PACKETS_LOW_BYTES 3u

struct ra_pftrace_packets {
	const struct ra_pftrace *trace; /* borrowed, like `out` */
	struct ra_outbuf *out;
	struct rlog_codec_deflater *deflaters[RA_PFTRACE_PACKETS_LEVELS]; /* owned; NULL: not needed
	                                                                     yet */
	struct ra_protobuf_bytes bytes;  /* owned; packets that are not written yet */
	struct ra_protobuf_bytes packed; /* owned */
	struct ra_protobuf_bytes fields; /* owned; fields of one event besides its name */
	size_t plain_bytes;              /* bytes of plain packets in the block, approximately */
	struct ra_pftrace_packets_form forms[3]; /* by use */
	struct ra_pftrace_packets_high high;     /* of the last time */
	bool has_state;                          /* the first packet of the sequence was written */
	size_t arrow;                            /* index of the next arrow of the trace */
};

void ra_pftrace_packets_init(struct ra_pftrace_packets *packets, const struct ra_pftrace *trace,
                             struct ra_outbuf *out);
/* Writes the rest, and frees what is owned. */
void ra_pftrace_packets_finish(struct ra_pftrace_packets *packets);
/* Frees what is owned. */
void ra_pftrace_packets_fini(struct ra_pftrace_packets *packets);

/* Writes the packets collected so far as one compressed packet. */
void ra_pftrace_packets_flush(struct ra_pftrace_packets *packets);

/* Flushes the block if it is full. Call it before each packet. */
static inline void ra_pftrace_packets_make_room(struct ra_pftrace_packets *packets)
{
	if (packets->bytes.used >= RA_PFTRACE_PACKETS_BLOCK_BYTES) {
		ra_pftrace_packets_flush(packets);
	}
}

/* Returns the id of a row in the file. 0 would mean none. */
static inline uint64_t ra_pftrace_packets_find_uuid(uint32_t track)
{
	return (uint64_t) track + 1;
}

/* @track: index of the row. The event is the start of a slice, or an instant. @args: its
 * `args_bytes` of arguments and other fields. */
void ra_pftrace_packets_put_event(struct ra_pftrace_packets *packets, uint32_t track,
                                  const struct ra_pftrace_event *event, const uint8_t *args);
void ra_pftrace_packets_put_end(struct ra_pftrace_packets *packets, uint32_t track,
                                int64_t time_ns);

/* Writes the fields of an event that begins arrows, or ends one. @id: same for both; @ends: as in
 * struct ra_pen_event. */
void ra_pftrace_packets_write_arrow(struct ra_protobuf_bytes *fields, uint64_t id, uint32_t ends,
                                    bool is_end);

/* Writes the values of all counters. */
void ra_pftrace_packets_put_samples(struct ra_pftrace_packets *packets);

#endif
