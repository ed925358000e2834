/* SPDX-License-Identifier: MIT */
/* What the reading of a log shares with its repetition, and nobody else. */
#ifndef RA_LOG_LOAD_IMPL_H
#define RA_LOG_LOAD_IMPL_H

#include "analyzer/clock/clock.h"
#include "analyzer/model/input.h"
#include "analyzer/read-log/chunks.h"
#include "analyzer/read-log/decode-ahead.h"
#include "analyzer/read-log/deferred-gpu.h"
#include "analyzer/read-log/facts.h"
#include "analyzer/read-log/hierarchy.h"
#include "analyzer/read-log/log-walk.h"
#include "analyzer/read-log/slice-relay.h"
#include "analyzer/read-log/slice-window.h"

struct ra_log_load {
	struct ra_model *model; /* owned until success */
	struct ra_builder builder;
	struct ra_clock clock;
	struct ra_gpu_streams gpu_streams; /* owned */
	struct ra_spans *spans;            /* owned */
	struct ra_hierarchy *hierarchy;    /* owned */
	const struct ra_slice_sink *sink;  /* NULL: the model holds all */
	struct ra_log_walk *walk;          /* owned; likewise */
	struct ra_slice_window *window;    /* owned; of the sink or the walk */
	struct rlog_batch batch;
	struct ra_pool *pool;          /* owned; NULL: this thread does all */
	struct ra_decode_ahead *ahead; /* owned; likewise */
	struct ra_slice_relay *relay;  /* owned; likewise, or there is no sink */
	struct ra_chunks chunks;       /* of threads */
	uint64_t total_rows;
	uint64_t rows;
	struct ra_deferred_gpu gpu_events; /* owned; whose time the GPU's work must tell */
	int64_t capture_end_ns;            /* ranges that nothing closed end then */
	const struct ra_input_options *options;
};

/*
 * Takes one chunk. @expected: ordinal of the row that should come next, moved on here. Rows that
 * were there already (a chunk stored twice) are passed over.
 */
int ra_log_load_take_chunk(struct ra_log_load *load, const struct rlog_chunk *chunk,
                           uint64_t *expected);

/* Frees all but the model. */
void ra_log_load_fini(struct ra_log_load *load);

#endif
