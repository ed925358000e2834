/* SPDX-License-Identifier: MIT */
/* The writer: checks rows, splits them over chunks, takes them or refuses them. */
#include "format/write/writer-impl.h"

#include <stdlib.h>
#include <string.h>

#include "format/columns/events.h"
#include "format/wire.h"

/* A chunk of strings ends when it reaches one of these limits. So it stays well below
 * RLOG_MAX_RAW_BYTES, however long the last string is. */
#define STRINGS_CHUNK_BYTES (256u << 10)
#define STRINGS_CHUNK_ROWS  4096u
/* Bytes that a string takes besides its text: head, gap and full length. */
#define STRING_EXTRA_BYTES 15u

static uint32_t saturate(uint64_t value)
{
	return value < UINT32_MAX ? (uint32_t) value : UINT32_MAX;
}

int rlog_writer_make(struct rlog_writer **out, int fd, const struct rlog_writer_options *options,
                     struct rlog_error *err)
{
	struct rlog_writer *writer = NULL;

	*out = NULL;
	if (options->level < 0 || options->level > 9) {
		return rlog_error_set(err, RLOG_E_ARGUMENT, RLOG_NO_OFFSET,
		                      "compression level %d is not 0…9", options->level);
	}
	writer = calloc(1, sizeof(*writer));
	if (!writer || rlog_writer_emit_init(&writer->emit, fd, options->tag, options->level)) {
		rlog_writer_destroy(writer);
		return rlog_error_set(err, RLOG_E_NO_MEMORY, RLOG_NO_OFFSET,
		                      "no memory for a writer");
	}
	writer->emit.flags = options->recovered ? RLOG_FLAG_RECOVERED : 0;
	writer->emit.reserve.bytes = rlog_reserve_choose(options->reserve_bytes);
	writer->first_kept_string = 1;
	writer->next_string = 1;
	writer->checkpoint_bytes =
		options->checkpoint_bytes ? options->checkpoint_bytes : RLOG_CHECKPOINT_BYTES;
	*out = writer;
	return 0;
}

int rlog_writer_create(struct rlog_writer **out, int fd, const struct rlog_writer_options *options,
                       struct rlog_error *err)
{
	return rlog_writer_make(out, fd, options, err);
}

void rlog_writer_destroy(struct rlog_writer *writer)
{
	if (!writer) {
		return;
	}
	rlog_writer_emit_fini(&writer->emit);
	rlog_streams_fini(&writer->streams);
	rlog_keep_fini(&writer->keep);
	free(writer);
}

/* Begins each call that writes. Refuses it if the log is finished. Keeps the waiting index rows
 * below the limit of one chunk. */
static int begin(struct rlog_writer *writer, struct rlog_error *err)
{
	int code = 0;

	if (writer->finished) {
		return rlog_error_set(err, RLOG_E_ARGUMENT, RLOG_NO_OFFSET, "the log is finished");
	}
	code = rlog_writer_emit_flush_index(&writer->emit, RLOG_ENCODE_MAX_ROWS, err);
	rlog_writer_emit_settle(&writer->emit);
	return code;
}

int rlog_writer_put_capture(struct rlog_writer *writer, const struct rlog_fact *facts, size_t count,
                            struct rlog_error *err)
{
	const struct rlog_fact format = { .key = "format", .u64 = RLOG_FORMAT_VERSION };
	struct rlog_fact *const all = malloc((count + 1) * sizeof(*all));
	struct rlog_writer_emit_state before;
	struct rlog_pack pack;
	int code = 0;

	if (!all) {
		return rlog_error_set(err, RLOG_E_NO_MEMORY, RLOG_NO_OFFSET, "no memory for facts");
	}
	all[0] = format;
	if (count) {
		memcpy(all + 1, facts, count * sizeof(*all));
	}
	code = begin(writer, err);
	before = writer->emit.at;
	for (int copy = 0; copy < 2 && !code; copy++) {
		struct rlog_chunk_header header = {
			.type = RLOG_CHUNK_CAPTURE,
			.count = 1,
			.flags = copy ? RLOG_FLAG_REPEAT : 0,
		};

		rlog_writer_emit_start(&writer->emit, &pack);
		if (rlog_encode_facts(&pack, all, count + 1)) {
			code = rlog_error_set(err, RLOG_E_FULL, RLOG_NO_OFFSET,
			                      "the capture's facts take more than 1 MiB");
		} else {
			code = rlog_writer_emit_chunk(&writer->emit, &pack, &header, err);
		}
	}
	if (code) {
		rlog_writer_emit_roll_back(&writer->emit, &before);
	}
	free(all);
	return code;
}

/* Returns how many kept strings fit in one chunk, beginning with number `from`; at least one. */
static size_t count_strings(const struct rlog_keep *keep, size_t from, size_t most)
{
	size_t bytes = 0;
	size_t count = 0;

	while (count < most && count < STRINGS_CHUNK_ROWS && bytes < STRINGS_CHUNK_BYTES) {
		bytes += keep->strings[from + count].length + STRING_EXTRA_BYTES;
		count++;
	}
	return count;
}

int rlog_writer_write_strings(struct rlog_writer *writer, size_t from, size_t count, uint16_t flags,
                              struct rlog_error *err)
{
	struct rlog_string *strings = NULL;
	int code = 0;

	if (count == 0) {
		return 0;
	}
	strings = malloc(STRINGS_CHUNK_ROWS * sizeof(*strings));
	if (!strings) {
		return rlog_error_set(err, RLOG_E_NO_MEMORY, RLOG_NO_OFFSET,
		                      "no memory for strings");
	}
	while (count && !code) {
		const size_t rows = count_strings(&writer->keep, from, count);
		struct rlog_chunk_header header = {
			.type = RLOG_CHUNK_STRINGS,
			.flags = flags,
			.sequence = writer->first_kept_string + from,
			.count = (uint32_t) rows,
		};
		struct rlog_pack pack;

		for (size_t i = 0; i < rows; i++) {
			strings[i] = rlog_keep_string_at(&writer->keep, from + i);
		}
		rlog_writer_emit_start(&writer->emit, &pack);
		code = rlog_encode_strings(&pack, strings, rows);
		code = code ? rlog_error_set(err, -code, RLOG_NO_OFFSET, "strings over 1 MiB")
		            : rlog_writer_emit_chunk(&writer->emit, &pack, &header, err);
		from += rows;
		count -= rows;
	}
	free(strings);
	return code;
}

int rlog_writer_put_strings(struct rlog_writer *writer, uint32_t first_id,
                            const struct rlog_string *strings, size_t count, struct rlog_error *err)
{
	const size_t kept = writer->keep.string_count;
	const uint64_t end = (uint64_t) first_id + count;
	struct rlog_writer_emit_state before;
	int code = begin(writer, err);

	if (code || end <= writer->next_string) {
		return code;
	}
	if (first_id == 0 || first_id > writer->next_string ||
	    end > (uint64_t) RLOG_MAX_STRINGS + 1) {
		return rlog_error_set(err, RLOG_E_ARGUMENT, RLOG_NO_OFFSET,
		                      "strings %u…: the next id is %u", first_id,
		                      writer->next_string);
	}
	before = writer->emit.at;
	for (size_t i = writer->next_string - first_id; i < count && !code; i++) {
		const struct rlog_string string = rlog_encode_cut(&strings[i]);

		code = rlog_keep_add_strings(&writer->keep, &string, 1);
	}
	if (code) {
		rlog_error_set(err, -code, RLOG_NO_OFFSET, "no memory for strings");
	} else {
		code = rlog_writer_write_strings(writer, kept, writer->keep.string_count - kept, 0,
		                                 err);
	}
	if (code) {
		rlog_keep_cut_strings(&writer->keep, kept);
		rlog_writer_emit_roll_back(&writer->emit, &before);
		return code;
	}
	writer->next_string = (uint32_t) end;
	return 0;
}

int rlog_writer_write_defs(struct rlog_writer *writer, size_t from, size_t count, uint16_t flags,
                           struct rlog_error *err)
{
	int code = 0;

	while (count && !code) {
		const size_t rows = count < RLOG_ENCODE_MAX_ROWS ? count : RLOG_ENCODE_MAX_ROWS;
		struct rlog_chunk_header header = {
			.type = RLOG_CHUNK_DEFS,
			.flags = flags,
			.sequence = writer->first_kept_def + from,
			.count = (uint32_t) rows,
		};
		struct rlog_pack pack;

		rlog_writer_emit_start(&writer->emit, &pack);
		code = rlog_encode_defs(&pack, writer->keep.defs + from, rows);
		code = code ? rlog_error_set(err, -code, RLOG_NO_OFFSET, "definitions over 1 MiB")
		            : rlog_writer_emit_chunk(&writer->emit, &pack, &header, err);
		from += rows;
		count -= rows;
	}
	return code;
}

int rlog_writer_put_defs(struct rlog_writer *writer, uint64_t first, const struct rlog_def *defs,
                         size_t count, struct rlog_error *err)
{
	const size_t kept = writer->keep.def_count;
	const uint64_t end = first + count;
	struct rlog_writer_emit_state before;
	int code = begin(writer, err);

	if (code || end <= writer->next_def) {
		return code;
	}
	if (first > writer->next_def || end > RLOG_MAX_DEFS) {
		return rlog_error_set(err, RLOG_E_ARGUMENT, RLOG_NO_OFFSET,
		                      "definitions %ju…: the next one is %ju", (uintmax_t) first,
		                      (uintmax_t) writer->next_def);
	}
	before = writer->emit.at;
	code = rlog_keep_add_defs(&writer->keep, defs + (writer->next_def - first),
	                          (size_t) (end - writer->next_def));
	if (code) {
		return rlog_error_set(err, -code, RLOG_NO_OFFSET, "no memory for definitions");
	}
	code = rlog_writer_write_defs(writer, kept, writer->keep.def_count - kept, 0, err);
	if (code) {
		rlog_keep_cut_defs(&writer->keep, kept);
		rlog_writer_emit_roll_back(&writer->emit, &before);
		return code;
	}
	writer->next_def = end;
	return 0;
}

/* A run of rows of a batch. */
struct run {
	const struct rlog_batch *batch;
	size_t from;
	size_t rows;
	uint32_t lost;
};

/* Writes one EVENTS chunk with the run's rows. Return: also -RLOG_E_FULL, with err unchanged. */
static int write_run(struct rlog_writer *writer, const struct run *run, struct rlog_error *err)
{
	const struct rlog_batch *const batch = run->batch;
	const bool is_first = run->from == 0 && !rlog_streams_has(&writer->streams, batch->stream);
	const bool is_last =
		run->from + run->rows == batch->count && (batch->flags & RLOG_FLAG_LAST);
	struct rlog_chunk_header header = {
		.type = RLOG_CHUNK_EVENTS,
		.stream = batch->stream,
		.sequence = batch->sequence + run->from,
		.count = (uint32_t) run->rows,
		.lost = run->lost,
	};
	struct rlog_events_times times;
	struct rlog_outer *const outer = &writer->outer;
	const bool has_outer = run->from == 0 && batch->has_open &&
	                       rlog_outer_find(outer, &writer->outer_work, batch, run->rows);
	struct rlog_pack pack;

	writer->has_outer = has_outer && run->rows == batch->count;
	rlog_writer_emit_start(&writer->emit, &pack);
	if (rlog_events_pack(&pack, batch, run->from, run->rows, has_outer ? outer : NULL,
	                     &times)) {
		return -RLOG_E_FULL;
	}
	header.first_ticks = times.first_ticks;
	header.last_ticks = times.last_ticks;
	header.flags |= is_first ? RLOG_FLAG_FIRST : 0;
	header.flags |= is_last ? RLOG_FLAG_LAST : 0;
	header.flags |= times.unsorted ? RLOG_FLAG_UNSORTED : 0;
	header.flags |= batch->flags & RLOG_FLAG_RECOVERED;
	header.flags |= has_outer ? RLOG_FLAG_OUTER : 0;
	/* If there is a list of outer ranges, all rows are pushes, pops and marks. */
	if (!has_outer && rlog_batch_count_events(batch, run->from, run->rows) < run->rows) {
		header.flags |= RLOG_FLAG_REMARKS;
	}
	if (run->from == 0 && batch->has_open) {
		header.flags |= RLOG_FLAG_OPEN;
		if (!has_outer && rlog_batch_has_others(batch, 0, run->rows)) {
			header.flags |= RLOG_FLAG_OTHERS;
		}
	}
	return rlog_writer_emit_chunk(&writer->emit, &pack, &header, err);
}

static int check_batch(const struct rlog_writer *writer, const struct rlog_batch *batch,
                       struct rlog_error *err)
{
	const uint64_t next = rlog_writer_next_event(writer, batch->stream);

	if (batch->stream == 0 || batch->count == 0) {
		return rlog_error_set(err, RLOG_E_ARGUMENT, RLOG_NO_OFFSET,
		                      "a batch of %zu rows for stream %u", batch->count,
		                      batch->stream);
	}
	if (batch->sequence < next || batch->sequence > UINT64_MAX - batch->count) {
		return rlog_error_set(err, RLOG_E_ARGUMENT, RLOG_NO_OFFSET,
		                      "stream %u: a batch from event %ju, the next is %ju",
		                      batch->stream, (uintmax_t) batch->sequence, (uintmax_t) next);
	}
	return 0;
}

int rlog_writer_put_events(struct rlog_writer *writer, const struct rlog_batch *batch,
                           uint64_t lost_so_far, struct rlog_error *err)
{
	struct run run = { .batch = batch, .rows = batch->count, .lost = saturate(lost_so_far) };
	struct rlog_writer_emit_state before;
	int code = begin(writer, err);

	code = code ? code : check_batch(writer, batch, err);
	if (code) {
		return code;
	}
	if (rlog_streams_reserve(&writer->streams)) {
		return rlog_error_set(err, RLOG_E_NO_MEMORY, RLOG_NO_OFFSET,
		                      "no memory for a stream");
	}
	before = writer->emit.at;
	while (run.from < batch->count) {
		code = write_run(writer, &run, err);
		if (code == -RLOG_E_FULL && run.rows > 1) {
			run.rows /= 2;
			continue;
		}
		if (code) {
			rlog_writer_emit_roll_back(&writer->emit, &before);
			return code;
		}
		run.from += run.rows;
		if (run.rows > batch->count - run.from) {
			run.rows = batch->count - run.from;
		}
	}
	rlog_streams_set(&writer->streams, batch->stream, batch->sequence + batch->count);
	writer->events += batch->count;
	return 0;
}

int rlog_writer_put_clock(struct rlog_writer *writer, const struct rlog_clock_point *points,
                          size_t count, struct rlog_error *err)
{
	struct rlog_writer_emit_state before;
	int code = begin(writer, err);

	before = writer->emit.at;
	for (size_t from = 0; from < count && !code;) {
		const size_t left = count - from;
		const size_t rows = left < RLOG_ENCODE_MAX_ROWS ? left : RLOG_ENCODE_MAX_ROWS;
		struct rlog_chunk_header header = {
			.type = RLOG_CHUNK_CLOCK,
			.sequence = writer->emit.at.clock_rows,
			.count = (uint32_t) rows,
			.first_ticks = points[from].ticks,
			.last_ticks = points[from].ticks,
		};
		struct rlog_pack pack;

		for (size_t i = from; i < from + rows; i++) {
			const uint64_t ticks = points[i].ticks;

			header.first_ticks =
				ticks < header.first_ticks ? ticks : header.first_ticks;
			header.last_ticks = ticks > header.last_ticks ? ticks : header.last_ticks;
		}
		rlog_writer_emit_start(&writer->emit, &pack);
		(void) rlog_encode_clock(&pack, points + from, rows);
		code = rlog_writer_emit_chunk(&writer->emit, &pack, &header, err);
		writer->emit.at.clock_rows += rows;
		from += rows;
	}
	if (code) {
		rlog_writer_emit_roll_back(&writer->emit, &before);
	}
	return code;
}

int rlog_writer_put_packed(struct rlog_writer *writer, const struct rlog_chunk_header *header,
                           const void *payload, struct rlog_error *err)
{
	struct rlog_chunk_header own = *header;
	int code = begin(writer, err);

	if (code) {
		return code;
	}
	own.flags &= (uint16_t) ~(RLOG_FLAG_FIRST | RLOG_FLAG_REPEAT);
	if (own.type == RLOG_CHUNK_EVENTS && own.stream != 0) {
		if (rlog_streams_reserve(&writer->streams)) {
			return rlog_error_set(err, RLOG_E_NO_MEMORY, RLOG_NO_OFFSET,
			                      "no memory for a stream");
		}
		if (!rlog_streams_has(&writer->streams, own.stream)) {
			own.flags |= RLOG_FLAG_FIRST;
		}
		own.sequence = rlog_streams_get(&writer->streams, own.stream);
	} else if (own.type == RLOG_CHUNK_CLOCK) {
		own.sequence = writer->emit.at.clock_rows;
	} else if (own.type < RLOG_CHUNK_PRIVATE) {
		return rlog_error_set(err, RLOG_E_ARGUMENT, RLOG_NO_OFFSET,
		                      "a packed chunk of type %u", own.type);
	}
	code = rlog_writer_emit_ready(&writer->emit, payload, &own, err);
	if (code) {
		return code;
	}
	if (own.type == RLOG_CHUNK_EVENTS) {
		rlog_streams_set(&writer->streams, own.stream, own.sequence + own.count);
		writer->events += own.count;
	} else if (own.type == RLOG_CHUNK_CLOCK) {
		writer->emit.at.clock_rows += own.count;
	}
	return 0;
}

int rlog_writer_put_losses(struct rlog_writer *writer, const struct rlog_loss *losses, size_t count,
                           struct rlog_error *err)
{
	struct rlog_writer_emit_state before;
	int code = begin(writer, err);

	before = writer->emit.at;
	for (size_t from = 0; from < count && !code;) {
		const size_t left = count - from;
		const size_t rows = left < RLOG_ENCODE_MAX_ROWS ? left : RLOG_ENCODE_MAX_ROWS;
		struct rlog_chunk_header header = {
			.type = RLOG_CHUNK_LOSS,
			.sequence = writer->emit.at.loss_rows,
			.count = (uint32_t) rows,
		};
		struct rlog_pack pack;

		rlog_writer_emit_start(&writer->emit, &pack);
		(void) rlog_encode_losses(&pack, losses + from, rows);
		code = rlog_writer_emit_chunk(&writer->emit, &pack, &header, err);
		writer->emit.at.loss_rows += rows;
		from += rows;
	}
	if (code) {
		rlog_writer_emit_roll_back(&writer->emit, &before);
	}
	return code;
}

void rlog_writer_spend_reserve(struct rlog_writer *writer)
{
	writer->emit.reserve.bytes = 0;
	writer->is_cramped = true;
}

const struct rlog_outer *rlog_writer_borrow_outer(const struct rlog_writer *writer)
{
	return writer->has_outer ? &writer->outer : NULL;
}

uint32_t rlog_writer_next_string(const struct rlog_writer *writer)
{
	return writer->next_string;
}

uint64_t rlog_writer_next_def(const struct rlog_writer *writer)
{
	return writer->next_def;
}

uint64_t rlog_writer_next_event(const struct rlog_writer *writer, uint32_t stream)
{
	return stream ? rlog_streams_get(&writer->streams, stream) : 0;
}

uint64_t rlog_writer_clock_points(const struct rlog_writer *writer)
{
	return writer->emit.at.clock_rows;
}

uint64_t rlog_writer_size_bytes(const struct rlog_writer *writer)
{
	return writer->emit.at.size_bytes;
}

uint64_t rlog_writer_events(const struct rlog_writer *writer)
{
	return writer->events;
}
