/* SPDX-License-Identifier: MIT */
/* Declarations for the files that read a log, once or repeatedly. */
#ifndef RA_LOG_LOAD_IMPL_H
#define RA_LOG_LOAD_IMPL_H

#include "analyzer/clock/clock.h"
#include "analyzer/model/input.h"
#include "analyzer/read-log/chunks/chunks.h"
#include "analyzer/read-log/chunks/decode-ahead.h"
#include "analyzer/read-log/chunks/read-pages.h"
#include "analyzer/read-log/payloads/deferred-gpu.h"
#include "analyzer/read-log/facts/facts.h"
#include "analyzer/read-log/hierarchy/hierarchy.h"
#include "analyzer/read-log/log-walk.h"
#include "analyzer/read-log/stream/slice-relay.h"
#include "analyzer/read-log/stream/slice-window.h"

struct ra_log_load {
	struct ra_model *model; /* owned until the load succeeds */
	struct ra_builder builder;
	struct ra_clock clock;
	struct ra_gpu_streams gpu_streams; /* owned */
	struct ra_spans *spans;            /* owned */
	struct ra_hierarchy *hierarchy;    /* owned */
	const struct ra_slice_sink *sink;  /* NULL: the model holds all slices */
	bool chooses;                      /* the sink chooses how it gets the slices */
	struct ra_log_walk *walk;          /* owned, like `sink` */
	struct ra_slice_window *window;    /* owned; the window of the sink or of the walk */
	struct rlog_batch batch;
	struct ra_pool *pool;          /* owned; NULL: the calling thread does all work */
	struct ra_decode_ahead *ahead; /* owned; NULL: the calling thread does all work */
	/* owned; NULL: the calling thread does all work, or there is no sink */
	struct ra_slice_relay *relay;
	struct ra_chunks chunks; /* chunks of threads */
	uint64_t total_rows;
	uint64_t rows;
	struct ra_read_pages pages;
	/* owned; events whose place is found by GPU operations */
	struct ra_deferred_gpu gpu_events;
	int64_t capture_end_ns; /* the time at which ranges end that were never closed */
	const struct ra_input_options *options;
	const struct ra_input_window *wanted; /* the time that the caller wants; NULL: all */
	struct ra_input_window steps_window;
};

/*
 * Gets the rows of a chunk, decoded in advance or now. The caller gives back the memory of the
 * chunk's part of the file (ra_read_pages_note()).
 *
 * @batch: set; valid until the next call for this log.
 * Return: the values of rlog_reader_decode_kept().
 */
int ra_log_load_decode(struct ra_log_load *load, const struct rlog_chunk *chunk,
                       const struct rlog_batch **batch);

/*
 * Handles one chunk. @expected: ordinal of the row that should come next; updated. Rows that were
 * handled before (a chunk stored twice) are skipped.
 */
int ra_log_load_take_chunk(struct ra_log_load *load, const struct rlog_chunk *chunk,
                           uint64_t *expected);

/* Frees everything except the model. */
void ra_log_load_fini(struct ra_log_load *load);

#endif
