/* SPDX-License-Identifier: MIT */
/* Logs for the tests of the analyzer, written row by row and loaded from memory. */
#ifndef ANALYZER_LOG_H
#define ANALYZER_LOG_H

#include "analyzer/load/load.h"
#include "format/read/reader.h"
#include "format/wire.h"
#include "format/write/writer.h"

#define ANALYZER_LOG_STREAMS 4u  /* streams 1 … 4 */
#define ANALYZER_LOG_NAMES   20u /* strings 1 … 20: "name 1" … */

/* Failures of what a test only needs end the program: tap_bail(). */
struct analyzer_log {
	int fd;
	struct rlog_writer *writer;
	struct rlog_batch batches[ANALYZER_LOG_STREAMS + 1]; /* by stream */
	uint64_t sequences[ANALYZER_LOG_STREAMS + 1];
	size_t chunk_rows; /* a chunk is written when a stream has this many rows */
	char *bytes;       /* owned, once it is finished */
	size_t size;
};

/* Begins a log whose ticks are ns (clock "monotonic"), with names. */
void analyzer_log_init(struct analyzer_log *log);

/* Begins one without any tables, for tests that write their own. */
void analyzer_log_init_bare(struct analyzer_log *log);

/* Begins one with threads 101 … 103, as streams 1 … 3, and a GPU's records. */
#define ANALYZER_LOG_GPU 4 /* their stream */
void analyzer_log_init_gpu(struct analyzer_log *log);
void analyzer_log_fini(struct analyzer_log *log);

/* Appends a row. Return: the batch, for attributes of the row. */
struct rlog_batch *analyzer_log_add(struct analyzer_log *log, uint32_t stream, enum rlog_op op,
                                    uint64_t ticks, uint32_t name, uint32_t domain);

/* The same for start and end. */
struct rlog_batch *analyzer_log_add_id(struct analyzer_log *log, uint32_t stream, enum rlog_op op,
                                       uint64_t ticks, uint32_t name, uint64_t id);

/* An attribute of the newest row of a stream. */
void analyzer_log_set(struct analyzer_log *log, uint32_t stream, enum rlog_attr attr,
                      uint64_t value);

/* Loss and depth rows. */
void analyzer_log_lose(struct analyzer_log *log, uint32_t stream, uint64_t ticks, uint64_t span,
                       uint64_t lost);
void analyzer_log_set_depth(struct analyzer_log *log, uint32_t stream, uint64_t ticks,
                            uint32_t domain, uint64_t depth, uint64_t min_depth);

/* Writes the rows of a stream as a chunk; `missing` rows behind them will be missing. */
void analyzer_log_flush(struct analyzer_log *log, uint32_t stream, uint64_t missing);

/* A random number below `below`, the same everywhere for the same state, which must not be 0. */
uint64_t analyzer_log_roll(uint64_t *state, uint64_t below);

/* Closes the log and reads it back: for tests of what stands before the model. */
struct rlog_reader *analyzer_log_open(struct analyzer_log *log);

/* Closes the log, reads it back and loads it. The log must outlive the model. */
struct ra_model *analyzer_log_load(struct analyzer_log *log);

#endif
