/* SPDX-License-Identifier: MIT */
/* Makes logs for the tests of the analyzer: writes them row by row and loads them from memory. */
#include "tests/unit/analyzer/analyzer-log.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tests/tap.h"

static void need(int rc, const struct rlog_error *err)
{
	if (rc != 0) {
		tap_bail("the log can't be made: %s", err->message);
	}
}

void analyzer_log_init_bare(struct analyzer_log *log)
{
	const struct rlog_writer_options options = { .tag = 0xA11CEu, .level = 1 };
	struct rlog_error err = { 0 };

	memset(log, 0, sizeof(*log));
	log->chunk_rows = 16384;
	log->fd = memfd_create("log", MFD_CLOEXEC);
	if (log->fd < 0) {
		tap_bail("no memory file");
	}
	need(rlog_writer_create(&log->writer, log->fd, &options, &err), &err);
	for (uint32_t i = 0; i <= ANALYZER_LOG_STREAMS; i++) {
		need(rlog_batch_init(&log->batches[i], 16), &err);
		log->batches[i].stream = i;
	}
}

void analyzer_log_init(struct analyzer_log *log)
{
	static const struct rlog_string clock_name = { "monotonic", 9, 9 };
	const struct rlog_fact facts[] = {
		{ .key = "clock", .type = RLOG_FACT_TEXT, .texts = &clock_name, .text_count = 1 },
		{ .key = "pid", .type = RLOG_FACT_U64, .u64 = 77 },
	};
	struct rlog_string names[ANALYZER_LOG_NAMES];
	char texts[ANALYZER_LOG_NAMES][16];
	struct rlog_error err = { 0 };

	analyzer_log_init_bare(log);
	for (uint32_t i = 0; i < ANALYZER_LOG_NAMES; i++) {
		const int length = snprintf(texts[i], sizeof(texts[i]), "name %u", i + 1);

		names[i] = (struct rlog_string){ texts[i], (uint32_t) length, (uint32_t) length };
	}
	need(rlog_writer_put_capture(log->writer, facts, 2, &err), &err);
	need(rlog_writer_put_strings(log->writer, 1, names, ANALYZER_LOG_NAMES, &err), &err);
}

void analyzer_log_init_gpu(struct analyzer_log *log)
{
	struct rlog_error err = { 0 };
	struct rlog_def defs[ANALYZER_LOG_GPU] = { 0 };

	analyzer_log_init(log);
	for (uint32_t i = 0; i < ANALYZER_LOG_GPU; i++) {
		const bool is_gpu = i + 1 == ANALYZER_LOG_GPU;

		defs[i].kind = RLOG_DEF_STREAM;
		defs[i].id = i + 1;
		defs[i].value = is_gpu ? 0 : 101 + i;
		defs[i].parent = is_gpu ? RLOG_STREAM_CLOCK_MONOTONIC : 0;
	}
	need(rlog_writer_put_defs(log->writer, 0, defs, ANALYZER_LOG_GPU, &err), &err);
}

/* Marsaglia's xorshift64; its lowest bits are its worst. */
uint64_t analyzer_log_roll(uint64_t *state, uint64_t below)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return (*state >> 11) % below;
}

void analyzer_log_fini(struct analyzer_log *log)
{
	rlog_writer_destroy(log->writer);
	for (uint32_t i = 0; i <= ANALYZER_LOG_STREAMS; i++) {
		rlog_batch_fini(&log->batches[i]);
	}
	free(log->bytes);
	(void) close(log->fd);
}

void analyzer_log_flush(struct analyzer_log *log, uint32_t stream, uint64_t missing)
{
	struct rlog_batch *batch = &log->batches[stream];
	struct rlog_error err = { 0 };

	if (batch->count > 0) {
		batch->sequence = log->sequences[stream];
		log->sequences[stream] += batch->count;
		need(rlog_writer_put_events(log->writer, batch, 0, &err), &err);
		rlog_batch_clear(batch);
		batch->stream = stream;
	}
	log->sequences[stream] += missing;
}

static struct rlog_batch *add_row(struct analyzer_log *log, uint32_t stream, size_t *row)
{
	struct rlog_batch *batch = &log->batches[stream];

	if (batch->count >= log->chunk_rows) {
		analyzer_log_flush(log, stream, 0);
	}
	if (rlog_batch_reserve(batch, batch->count + 1) != 0) {
		tap_bail("no memory");
	}
	*row = batch->count;
	return batch;
}

struct rlog_batch *analyzer_log_add(struct analyzer_log *log, uint32_t stream, enum rlog_op op,
                                    uint64_t ticks, uint32_t name, uint32_t domain)
{
	size_t row;
	struct rlog_batch *batch = add_row(log, stream, &row);

	rlog_batch_append(batch, ticks, (uint8_t) op, name, domain, 0);
	return batch;
}

struct rlog_batch *analyzer_log_add_id(struct analyzer_log *log, uint32_t stream, enum rlog_op op,
                                       uint64_t ticks, uint32_t name, uint64_t id)
{
	size_t row;
	struct rlog_batch *batch = add_row(log, stream, &row);

	rlog_batch_append(batch, ticks, (uint8_t) op, name, 0, id);
	return batch;
}

void analyzer_log_set(struct analyzer_log *log, uint32_t stream, enum rlog_attr attr,
                      uint64_t value)
{
	struct rlog_batch *batch = &log->batches[stream];

	if (rlog_batch_add_attr(batch, attr, (uint32_t) batch->count - 1, value) != 0) {
		tap_bail("no memory");
	}
}

void analyzer_log_lose(struct analyzer_log *log, uint32_t stream, uint64_t ticks, uint64_t span,
                       uint64_t lost)
{
	(void) analyzer_log_add(log, stream, RLOG_OP_LOSS, ticks, 0, 0);
	analyzer_log_set(log, stream, RLOG_ATTR_LOST, lost);
	analyzer_log_set(log, stream, RLOG_ATTR_CAUSE, RLOG_CAUSE_RING_FULL);
	analyzer_log_set(log, stream, RLOG_ATTR_SPAN, span);
}

void analyzer_log_set_depth(struct analyzer_log *log, uint32_t stream, uint64_t ticks,
                            uint32_t domain, uint64_t depth, uint64_t min_depth)
{
	(void) analyzer_log_add(log, stream, RLOG_OP_DEPTH, ticks, 0, domain);
	analyzer_log_set(log, stream, RLOG_ATTR_DEPTH, depth);
	analyzer_log_set(log, stream, RLOG_ATTR_MIN_DEPTH, min_depth);
}

static void finish(struct analyzer_log *log)
{
	struct rlog_error err = { 0 };

	for (uint32_t i = 1; i <= ANALYZER_LOG_STREAMS; i++) {
		analyzer_log_flush(log, i, 0);
	}
	need(rlog_writer_finish(log->writer, "clean", 0, &err), &err);
	log->size = (size_t) rlog_writer_size_bytes(log->writer);
	log->bytes = malloc(log->size);
	if (log->bytes == NULL || pread(log->fd, log->bytes, log->size, 0) != (ssize_t) log->size) {
		tap_bail("the log can't be read back");
	}
}

struct rlog_reader *analyzer_log_open(struct analyzer_log *log)
{
	struct rlog_reader *reader = NULL;
	struct rlog_error err = { 0 };

	finish(log);
	need(rlog_reader_open_memory(&reader, log->bytes, log->size, &err), &err);
	return reader;
}

struct ra_model *analyzer_log_load(struct analyzer_log *log)
{
	struct ra_model *model = NULL;
	struct rlog_error err = { 0 };

	finish(log);
	need(ra_load_memory(&model, log->bytes, log->size, NULL, &err), &err);
	return model;
}
