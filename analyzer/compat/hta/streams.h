/* SPDX-License-Identifier: MIT */
/* Computes HTA's figures of streams: why they were idle, how much was queued, and the bandwidth of
 * copies. */
#ifndef RA_HTA_STREAMS_H
#define RA_HTA_STREAMS_H

#include "analyzer/base/order/describe.h"
#include "analyzer/compat/hta/hta.h"

enum ra_hta_idle {
	RA_HTA_IDLE_HOST,   /* the operation was launched after the operation before it had ended */
	RA_HTA_IDLE_KERNEL, /* else, if the gap was shorter than the delay */
	RA_HTA_IDLE_OTHER,
	RA_HTA_IDLES,
};

extern const char *const ra_hta_streams_idle_names[RA_HTA_IDLES];

struct ra_hta_stream {
	int64_t stream;
	struct ra_describe idle[RA_HTA_IDLES];
	bool has[RA_HTA_IDLES]; /* HTA has a row for this cause. It counts the first operation,
	                           which has no gap */
	double idle_us;         /* sum of all gaps */
	struct ra_describe queue;
};

struct ra_hta_streams {
	struct ra_hta_stream *rows; /* owned */
	size_t count;
	size_t capacity;
};

void ra_hta_streams_fini(struct ra_hta_streams *streams);

/* Finds the causes of idle time of a rank's streams, in the order of their first operations. */
void ra_hta_streams_idle(struct ra_hta_streams *streams, const struct ra_hta_rank *rank,
                         double delay_us);

/* Finds the queue lengths of a rank's streams, ordered by number. */
void ra_hta_streams_queue(struct ra_hta_streams *streams, const struct ra_hta_rank *rank);

/* The length of a stream's queue after a call, or the operation that it launched, had begun. */
struct ra_hta_change {
	uint32_t at; /* index in the rank's order of linked rows */
	double length;
};

struct ra_hta_changes {
	struct ra_hta_change *changes; /* owned; in order of time */
	size_t count;
	bool is_even; /* there are as many launches as operations; else HTA stops */
};

void ra_hta_streams_changes(struct ra_hta_changes *out, const struct ra_hta_rank *rank);

/* The bandwidth of one kind of copy over time. */
struct ra_hta_bandwidth {
	struct rlog_string name; /* borrowed: "Memcpy DtoH"; the first member, because rows are
	                            sorted by it */
	struct ra_describe gb_s;
};

struct ra_hta_bandwidths {
	struct ra_hta_bandwidth *rows; /* owned; ordered by name */
	size_t count;
};

void ra_hta_streams_bandwidth(struct ra_hta_bandwidths *out, const struct ra_hta_rank *rank);

#endif
