/* SPDX-License-Identifier: MIT */
/* Finds which streams of a log have GPU events, and by which clock. */
#ifndef RA_GPU_STREAMS_H
#define RA_GPU_STREAMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "format/read/reader.h"

struct ra_gpu_stream {
	uint32_t stream; /* number of the stream in the log */
	uint32_t clock;  /* enum rlog_stream_clock */
};

/* The GPU streams, ordered by number. An all-zero struct is an empty list. */
struct ra_gpu_streams {
	struct ra_gpu_stream *streams; /* owned */
	size_t count;
};

/* Lists those streams whose definition names a clock of their own. */
void ra_gpu_streams_init(struct ra_gpu_streams *streams, const struct rlog_reader *reader);
void ra_gpu_streams_fini(struct ra_gpu_streams *streams);

/* The entry of a stream; NULL: the stream is a thread's. */
const struct ra_gpu_stream *ra_gpu_streams_find(const struct ra_gpu_streams *streams,
                                                uint32_t stream);

#endif
