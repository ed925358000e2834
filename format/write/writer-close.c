/* SPDX-License-Identifier: MIT */
/* Writes checkpoints and the end of a log: tables again, index, END, trailer. */
#include "format/write/writer-impl.h"

#include <string.h>

#include "format/oddity.h"
#include "format/wire.h"

/* The tables are repeated at the end only if there is more new data than this: 1/64 of the data
 * between two checkpoints. */
#define FINISH_REPEAT_DIVISOR 64
/* Number of keys that each END has. */
#define END_FACTS 6
_Static_assert(RLOG_CHECKPOINT_BYTES / FINISH_REPEAT_DIVISOR == 1u << 20,
               "doc/format.md says 1 MiB");

/* Repeats all strings and definitions, and writes the index. */
static int write_tables(struct rlog_writer *writer, struct rlog_error *err)
{
	int code = rlog_writer_write_strings(writer, 0, writer->keep.string_count, RLOG_FLAG_REPEAT,
	                                     err);

	if (!code) {
		code = rlog_writer_write_defs(writer, 0, writer->keep.def_count, RLOG_FLAG_REPEAT,
		                              err);
	}
	return code;
}

int rlog_writer_checkpoint(struct rlog_writer *writer, struct rlog_error *err)
{
	struct rlog_writer_emit *const emit = &writer->emit;
	const struct rlog_writer_emit_state before = emit->at;
	int code = 0;

	if (writer->finished) {
		return rlog_error_set(err, RLOG_E_ARGUMENT, RLOG_NO_OFFSET, "the log is finished");
	}
	if (emit->at.size_bytes - emit->at.checkpoint_at < writer->checkpoint_bytes) {
		return 0;
	}
	code = write_tables(writer, err);
	code = code ? code : rlog_writer_emit_flush_index(emit, 1, err);
	if (code) {
		rlog_writer_emit_roll_back(emit, &before);
		return code;
	}
	emit->at.tables_at = emit->at.size_bytes;
	emit->at.checkpoint_at = emit->at.size_bytes;
	rlog_writer_emit_settle(emit);
	return 0;
}

void rlog_writer_set_oddities(struct rlog_writer *writer, const uint64_t *counts)
{
	memcpy(writer->oddities, counts, sizeof(writer->oddities));
}

void rlog_writer_set_end_facts(struct rlog_writer *writer, const struct rlog_fact *facts,
                               size_t count)
{
	writer->end_facts = facts;
	writer->end_fact_count = count < RLOG_WRITER_END_FACTS ? count : RLOG_WRITER_END_FACTS;
}

static int write_end(struct rlog_writer *writer, const char *status, uint64_t lost,
                     struct rlog_error *err)
{
	const struct rlog_string text = { .bytes = status, .length = (uint32_t) strlen(status) };
	struct rlog_fact facts[END_FACTS + RLOG_ODDITIES + RLOG_WRITER_END_FACTS] = {
		{ .key = "status", .type = RLOG_FACT_TEXT, .texts = &text, .text_count = 1 },
		{ .key = "events", .u64 = writer->events },
		{ .key = "lost", .u64 = lost },
		{ .key = "strings", .u64 = writer->next_string - 1 },
		{ .key = "defs", .u64 = writer->next_def },
		{ .key = "streams", .u64 = writer->streams.count },
	};
	struct rlog_chunk_header header = { .type = RLOG_CHUNK_END, .count = 1 };
	struct rlog_pack pack;
	size_t count = END_FACTS;

	for (uint32_t i = 1; i < RLOG_ODDITIES; i++) {
		if (writer->oddities[i] > 0) {
			facts[count].key = rlog_oddity_key(i);
			facts[count++].u64 = writer->oddities[i];
		}
	}
	for (size_t i = 0; i < writer->end_fact_count; i++) {
		facts[count++] = writer->end_facts[i];
	}
	rlog_writer_emit_start(&writer->emit, &pack);
	if (rlog_encode_facts(&pack, facts, count)) {
		return rlog_error_set(err, RLOG_E_FULL, RLOG_NO_OFFSET,
		                      "END takes more than 1 MiB");
	}
	return rlog_writer_emit_end(&writer->emit, &pack, &header, err);
}

int rlog_writer_finish(struct rlog_writer *writer, const char *status, uint64_t lost,
                       struct rlog_error *err)
{
	struct rlog_writer_emit *const emit = &writer->emit;
	const struct rlog_writer_emit_state before = emit->at;
	int code = 0;

	if (writer->finished) {
		return rlog_error_set(err, RLOG_E_ARGUMENT, RLOG_NO_OFFSET, "the log is finished");
	}
	emit->reserve.bytes = 0; /* the chunks that close the log may use the reserve */
	if (!writer->is_cramped && emit->at.size_bytes - emit->at.tables_at >
	                                   writer->checkpoint_bytes / FINISH_REPEAT_DIVISOR) {
		code = write_tables(writer, err);
	}
	code = code ? code : rlog_writer_emit_flush_index(emit, 1, err);
	code = code ? code : write_end(writer, status, lost, err);
	if (code) {
		rlog_writer_emit_roll_back(emit, &before);
		return code;
	}
	writer->finished = true;
	rlog_writer_emit_trim(emit);
	return 0;
}
