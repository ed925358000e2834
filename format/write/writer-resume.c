/* SPDX-License-Identifier: MIT */
/* Continues a log that was cut short: reads what is there, cuts off what is torn, and goes on
 * after it. */
#include "format/write/writer-impl.h"

#include <unistd.h>

#include "format/read/resume.h"
#include "format/wire.h"

static struct rlog_chunk_header header_of(const struct rlog_chunk *chunk)
{
	return (struct rlog_chunk_header){
		.sequence = chunk->sequence,
		.first_ticks = chunk->first_ticks,
		.last_ticks = chunk->last_ticks,
		.stream = chunk->stream,
		.stored_bytes = chunk->stored_bytes,
		.raw_bytes = chunk->raw_bytes,
		.count = chunk->count,
		.lost = chunk->lost,
		.flags = chunk->flags,
		.type = chunk->type,
	};
}

static void raise_to(uint64_t *value, uint64_t least)
{
	*value = *value > least ? *value : least;
}

/* Updates the writer for one chunk, as if the writer had just written it. */
static int learn_chunk(struct rlog_writer *writer, const struct rlog_chunk *chunk)
{
	struct rlog_writer_emit *const emit = &writer->emit;
	const struct rlog_chunk_header header = header_of(chunk);
	const uint64_t end = chunk->offset + RLOG_HEADER_BYTES + chunk->stored_bytes;
	const uint64_t next = chunk->sequence + chunk->count;

	emit->at.chunks++;
	raise_to(&emit->at.size_bytes, end);
	switch (chunk->type) {
	case RLOG_CHUNK_INDEX:
		emit->at.prev_index = chunk->offset;
		raise_to(&emit->at.index_rows, next);
		emit->at.index_count = 0;
		return 0;
	case RLOG_CHUNK_CLOCK:
		raise_to(&emit->at.clock_rows, next);
		break;
	case RLOG_CHUNK_LOSS:
		raise_to(&emit->at.loss_rows, next);
		break;
	case RLOG_CHUNK_EVENTS:
		if (rlog_streams_reserve(&writer->streams)) {
			return -RLOG_E_NO_MEMORY;
		}
		writer->events += chunk->count;
		if (next > rlog_streams_get(&writer->streams, chunk->stream) ||
		    !rlog_streams_has(&writer->streams, chunk->stream)) {
			rlog_streams_set(&writer->streams, chunk->stream, next);
		}
		break;
	default:
		break;
	}
	return rlog_writer_emit_add_index(emit, chunk->offset, &header);
}

/* Does this for all whole chunks except END. INDEX chunks tell which of the chunks are indexed
 * already. */
static int learn_chunks(struct rlog_writer *writer, const struct rlog_resume *log)
{
	int code = 0;

	for (size_t i = 0; i < log->chunk_count && !code; i++) {
		if (log->chunks[i].type != RLOG_CHUNK_END) {
			code = learn_chunk(writer, &log->chunks[i]);
		}
	}
	return code;
}

/* Copies strings for later repeats. Takes only those after the last lost string, so that their ids
 * are consecutive. */
static int learn_strings(struct rlog_writer *writer, const struct rlog_resume *log)
{
	size_t first = log->string_count;

	while (first > 1 && log->strings[first - 1].bytes) {
		first--;
	}
	writer->first_kept_string = (uint32_t) first;
	writer->next_string = (uint32_t) log->string_count;
	if (first == log->string_count) {
		return 0; /* no string was stored before the program was killed */
	}
	return rlog_keep_add_strings(&writer->keep, log->strings + first,
	                             log->string_count - first);
}

/* Copies the definitions, unless some are lost: then it is not known which ordinals they have. */
static int learn_defs(struct rlog_writer *writer, const struct rlog_resume *log)
{
	writer->next_def = log->def_end;
	if (log->def_count != log->def_end) {
		writer->first_kept_def = log->def_end;
		return 0;
	}
	return rlog_keep_add_defs(&writer->keep, log->defs, log->def_count);
}

static int learn(struct rlog_writer *writer, const struct rlog_resume *log, struct rlog_error *err)
{
	int code = learn_chunks(writer, log);

	code = code ? code : learn_strings(writer, log);
	code = code ? code : learn_defs(writer, log);
	if (code) {
		return rlog_error_set(err, -code, RLOG_NO_OFFSET, "no memory to resume a log");
	}
	if (writer->emit.at.chunks == 0) {
		return rlog_error_set(err, RLOG_E_NOT_A_LOG, 0, "no whole chunk to go on after");
	}
	writer->emit.tag = log->tag;
	writer->emit.at.checkpoint_at = writer->emit.at.size_bytes;
	return 0;
}

/* Cuts off everything after the last whole chunk. */
static int cut_tail(const struct rlog_writer *writer, struct rlog_error *err)
{
	const uint64_t size = writer->emit.at.size_bytes;

	if (ftruncate(writer->emit.fd, (off_t) size) != 0) {
		return rlog_error_set(err, RLOG_E_SYSTEM, size, "cannot cut the log to %ju bytes",
		                      (uintmax_t) size);
	}
	return 0;
}

int rlog_writer_resume(struct rlog_writer **out, int fd, const struct rlog_writer_options *options,
                       struct rlog_error *err)
{
	struct rlog_resume log = { 0 };
	struct rlog_writer *writer = NULL;
	int code = rlog_resume_open(&log, fd, err);

	*out = NULL;
	code = code ? code : rlog_writer_make(&writer, fd, options, err);
	code = code ? code : learn(writer, &log, err);
	/* Everything is copied now. Closes the log before its file is cut, because it is mapped. */
	rlog_resume_close(&log);
	code = code ? code : cut_tail(writer, err);
	if (code) {
		rlog_writer_destroy(writer);
		return code;
	}
	*out = writer;
	return 0;
}
