/* SPDX-License-Identifier: MIT */
/* HTA's figures per stream: why it was idle, how much was queued, and copy bandwidth. */
#ifndef RA_HTA_STREAMS_H
#define RA_HTA_STREAMS_H

#include "analyzer/base/order/describe.h"
#include "analyzer/compat/hta/hta.h"

enum ra_hta_idle {
	RA_HTA_IDLE_HOST,   /* the operation was launched after the one before had ended */
	RA_HTA_IDLE_KERNEL, /* else the gap was below the delay */
	RA_HTA_IDLE_OTHER,
	RA_HTA_IDLES,
};

extern const char *const ra_hta_streams_idle_names[RA_HTA_IDLES];

struct ra_hta_stream {
	int64_t stream;
	struct ra_describe idle[RA_HTA_IDLES];
	bool has[RA_HTA_IDLES]; /* HTA has a row; this includes the first operation, which has no
	                           gap */
	double idle_us;         /* sum of all gaps */
	struct ra_describe queue;
};

struct ra_hta_streams {
	struct ra_hta_stream *rows; /* owned */
	size_t count;
	size_t capacity;
};

void ra_hta_streams_fini(struct ra_hta_streams *streams);

/* Idle causes of a rank's streams, in the order of their first operations. */
void ra_hta_streams_idle(struct ra_hta_streams *streams, const struct ra_hta_rank *rank,
                         double delay_us);

/* Queue lengths of a rank's streams, ordered by number; likewise. */
void ra_hta_streams_queue(struct ra_hta_streams *streams, const struct ra_hta_rank *rank);

/* How much was queued on a stream after a call, or the operation that it launched, had begun. */
struct ra_hta_change {
	uint32_t at; /* index in the rank's order of linked rows */
	double length;
};

struct ra_hta_changes {
	struct ra_hta_change *changes; /* owned; in order of time */
	size_t count;
	bool is_even; /* there are as many launches as operations; otherwise HTA gives up */
};

void ra_hta_streams_changes(struct ra_hta_changes *out, const struct ra_hta_rank *rank);

/* Bandwidth of one kind of copy over time. */
struct ra_hta_bandwidth {
	struct rlog_string name; /* first: sorted by it; borrowed: "Memcpy DtoH" */
	struct ra_describe gb_s;
};

struct ra_hta_bandwidths {
	struct ra_hta_bandwidth *rows; /* owned; ordered by name */
	size_t count;
};

void ra_hta_streams_bandwidth(struct ra_hta_bandwidths *out, const struct ra_hta_rank *rank);

#endif
