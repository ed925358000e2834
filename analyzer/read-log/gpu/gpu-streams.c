/* SPDX-License-Identifier: MIT */
/* Finds which streams of a log have GPU events, and by which clock. */
#include "analyzer/read-log/gpu/gpu-streams.h"

#include <stdlib.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/order/order.h"
#include "format/wire.h"

static int compare_streams(const void *left, const void *right)
{
	const struct ra_gpu_stream *a = left;
	const struct ra_gpu_stream *b = right;

	return RA_ORDER_UP(a, b, stream);
}

void ra_gpu_streams_init(struct ra_gpu_streams *streams, const struct rlog_reader *reader)
{
	size_t count = 0;
	const struct rlog_def *defs = rlog_reader_borrow_defs(reader, &count);

	*streams = (struct ra_gpu_streams){ .streams = ra_alloc_zeros(count + 1,
		                                                      sizeof(*streams->streams)) };
	for (size_t i = 0; i < count; i++) {
		if (defs[i].kind == RLOG_DEF_STREAM && defs[i].id != 0 &&
		    defs[i].id <= UINT32_MAX && defs[i].parent != RLOG_STREAM_CLOCK_CAPTURE &&
		    defs[i].parent <= RLOG_STREAM_CLOCK_REALTIME) {
			streams->streams[streams->count++] =
				(struct ra_gpu_stream){ (uint32_t) defs[i].id,
				                        (uint32_t) defs[i].parent };
		}
	}
	RA_SORT(streams->streams, streams->count, compare_streams);
}

void ra_gpu_streams_fini(struct ra_gpu_streams *streams)
{
	free(streams->streams);
	*streams = (struct ra_gpu_streams){ 0 };
}

const struct ra_gpu_stream *ra_gpu_streams_find(const struct ra_gpu_streams *streams,
                                                uint32_t stream)
{
	const struct ra_gpu_stream wanted = { .stream = stream };

	return RA_FIND(&wanted, streams->streams, streams->count, compare_streams);
}
