/* SPDX-License-Identifier: MIT */
/* Packets of Perfetto's protobuf, packed some hundred KiB at a time. */
#ifndef RA_PFTRACE_PACKETS_H
#define RA_PFTRACE_PACKETS_H

#include "analyzer/io/outbuf.h"
#include "analyzer/pftrace/pftrace-events.h"
#include "format/codec.h"

struct ra_pftrace_packets {
	const struct ra_pftrace *trace; /* borrowed, as the next */
	struct ra_outbuf *out;
	struct rlog_codec_deflater *deflater; /* owned */
	struct ra_pftrace_bytes bytes;        /* owned; not yet written */
	struct ra_pftrace_bytes packed;       /* owned */
	bool has_state;                       /* the first packet was made */
	size_t arrow;                         /* cursor in the trace's arrows */
};

void ra_pftrace_packets_init(struct ra_pftrace_packets *packets, const struct ra_pftrace *trace,
                             struct ra_outbuf *out);
/* Writes what is not yet written, and frees what is owned. */
void ra_pftrace_packets_finish(struct ra_pftrace_packets *packets);

/* What stands before the events. @row_count: of tracks that are known by now. */
void ra_pftrace_packets_put_head(struct ra_pftrace_packets *packets, uint32_t row_count);
void ra_pftrace_packets_put_track(struct ra_pftrace_packets *packets, uint32_t index);

/* @track: index of the row. The event is a slice's beginning or an instant. */
void ra_pftrace_packets_put_event(struct ra_pftrace_packets *packets, uint32_t track,
                                  const struct ra_pftrace_event *event);
void ra_pftrace_packets_put_end(struct ra_pftrace_packets *packets, uint32_t track,
                                int64_t time_ns);

/* The values of all counters. */
void ra_pftrace_packets_put_samples(struct ra_pftrace_packets *packets);

#endif
