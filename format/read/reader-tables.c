/* SPDX-License-Identifier: MIT */
/* Loads all of a log but events: facts, strings, definitions, clock points, losses. */
#include <stdlib.h>
#include <string.h>

#include "format/read/reader-impl.h"
#include "format/wire.h"

/* When there are so many losses, only the last one of each stream and cause is kept. */
#define LOSSES_AT_ONCE 65536u

/* A row of a LOSS chunk and its ordinal. */
struct loss_row {
	struct rlog_loss loss;
	uint64_t ordinal;
};

/* What loading needs besides the reader. */
struct loading {
	struct rlog_reader *reader;
	struct rlog_codec_inflater *inflater; /* owned; created for the first payload that is
	                                       * deflated */
	bool *is_def_known;                   /* owned; indexed by ordinal */
	size_t clock_capacity;
	struct loss_row *losses; /* owned */
	size_t loss_count;
	size_t loss_capacity;
	size_t loss_limit; /* call reduce_losses() when there are so many */
	uint64_t rows;     /* rows of tables decoded so far */
	uint64_t raw_bytes;
	uint64_t stored_bytes; /* bytes of chunks, with headers */
	struct rlog_error err;
};

/* Refuses tables whose headers state more rows than their bytes can hold, before memory is
 * allocated for them. */
static int check_density(struct loading *loading, const struct rlog_chunk *chunk)
{
	loading->rows += chunk->count;
	loading->raw_bytes += chunk->raw_bytes;
	loading->stored_bytes += RLOG_HEADER_BYTES + (uint64_t) chunk->stored_bytes;
	if (loading->rows > RLOG_FREE_ROWS + RLOG_TABLE_PER_BYTE * loading->stored_bytes ||
	    loading->raw_bytes > RLOG_FREE_RAW_BYTES + RLOG_RAW_PER_BYTE * loading->stored_bytes) {
		loading->rows -= chunk->count;
		loading->raw_bytes -= chunk->raw_bytes;
		return rlog_error_set(&loading->err, RLOG_E_SCHEMA, chunk->offset,
		                      "%u rows in %u bytes: no table packs so well", chunk->count,
		                      chunk->stored_bytes);
	}
	return 0;
}

/*
 * Gets the payload of a chunk, inflated if it is deflated.
 *
 * @keep: true if the payload must live as long as the reader; else the caller frees *owned.
 */
static int open_payload(struct loading *loading, const struct rlog_chunk *chunk,
                        struct rlog_decode_source *source, void **owned)
{
	const uint8_t *const stored = loading->reader->bytes + chunk->offset + RLOG_HEADER_BYTES;
	void *raw = NULL;

	*owned = NULL;
	source->bytes = stored;
	source->size = chunk->stored_bytes;
	source->rows = chunk->count;
	if (chunk->flags & RLOG_FLAG_STORED) {
		return 0;
	}
	if (check_density(loading, chunk)) {
		return -RLOG_E_SCHEMA;
	}
	raw = malloc((size_t) chunk->raw_bytes + 1);
	if (!raw || (!loading->inflater && rlog_codec_create_inflater(&loading->inflater))) {
		free(raw);
		return -RLOG_E_NO_MEMORY;
	}
	if (rlog_codec_inflate(loading->inflater, stored, chunk->stored_bytes, raw,
	                       chunk->raw_bytes)) {
		free(raw);
		return rlog_error_set(&loading->err, RLOG_E_INFLATE, chunk->offset,
		                      "payload is not a zlib stream of %u bytes", chunk->raw_bytes);
	}
	source->bytes = raw;
	source->size = chunk->raw_bytes;
	*owned = raw;
	return 0;
}

/* Makes room for the next keep_payload(). */
static int reserve_payload(struct loading *loading)
{
	struct rlog_reader *const reader = loading->reader;
	void *const grown =
		rlog_reader_make_room(reader->payloads, reader->payload_count,
	                              &reader->payload_capacity, sizeof(*reader->payloads));

	if (!grown) {
		return -RLOG_E_NO_MEMORY;
	}
	reader->payloads = grown;
	return 0;
}

static void keep_payload(struct rlog_reader *reader, void *payload)
{
	if (payload) {
		reader->payloads[reader->payload_count++] = payload;
	}
}

static int load_facts(struct loading *loading, const struct rlog_chunk *chunk,
                      struct rlog_decode_facts *out)
{
	struct rlog_decode_source source;
	void *owned = NULL;
	int code = 0;

	if (out->facts) {
		return 0; /* this chunk is a repeat */
	}
	code = reserve_payload(loading);
	code = code ? code : open_payload(loading, chunk, &source, &owned);
	code = code ? code : rlog_decode_facts(&source, out, &loading->err);
	if (code) {
		free(owned);
		return code;
	}
	keep_payload(loading->reader, owned);
	return 0;
}

static bool are_strings_known(const struct rlog_reader *reader, const struct rlog_chunk *chunk)
{
	for (uint32_t i = 0; i < chunk->count; i++) {
		if (!reader->strings[chunk->sequence + i].bytes) {
			return false;
		}
	}
	return true;
}

/* Puts decoded strings into the table, but only at ids that have no string yet. */
static void take_strings(struct rlog_reader *reader, const struct rlog_chunk *chunk,
                         const struct rlog_string *rows)
{
	for (uint32_t i = 0; i < chunk->count; i++) {
		struct rlog_string *const string = &reader->strings[chunk->sequence + i];

		if (!string->bytes) {
			*string = rows[i];
			reader->strings_known++;
		}
	}
}

static int load_strings(struct loading *loading, const struct rlog_chunk *chunk)
{
	struct rlog_reader *const reader = loading->reader;
	struct rlog_decode_source source;
	struct rlog_string *rows = NULL;
	void *owned = NULL;
	size_t cost = 0; /* bytes that the chunk's strings take in memory */
	int code = 0;

	if (chunk->sequence + chunk->count > reader->string_count || chunk->sequence == 0) {
		return rlog_error_set(&loading->err, RLOG_E_SCHEMA, chunk->offset,
		                      "more than %u strings, or than the file can hold",
		                      RLOG_MAX_STRINGS);
	}
	if (are_strings_known(reader, chunk)) {
		return 0;
	}
	cost = chunk->raw_bytes + chunk->count * sizeof(*rows);
	if (cost > RLOG_MAX_NAME_BYTES - reader->name_bytes) {
		return rlog_error_set(&loading->err, RLOG_E_SCHEMA, chunk->offset,
		                      "strings take more than 256 MiB");
	}
	rows = calloc((size_t) chunk->count + 1, sizeof(*rows));
	if (!rows) {
		return -RLOG_E_NO_MEMORY;
	}
	code = reserve_payload(loading);
	code = code ? code : open_payload(loading, chunk, &source, &owned);
	code = code ? code : rlog_decode_strings(&source, rows, &loading->err);
	if (!code) {
		take_strings(reader, chunk, rows);
		keep_payload(reader, owned);
		reader->name_bytes += cost;
		owned = NULL;
	}
	free(owned);
	free(rows);
	return code;
}

static int load_defs(struct loading *loading, const struct rlog_chunk *chunk)
{
	struct rlog_reader *const reader = loading->reader;
	struct rlog_decode_source source;
	struct rlog_def *rows = NULL;
	bool is_news = false;
	void *owned = NULL;
	int code = 0;

	if (chunk->sequence + chunk->count > reader->def_end) {
		return rlog_error_set(&loading->err, RLOG_E_SCHEMA, chunk->offset,
		                      "more than %u definitions, or than the file can hold",
		                      RLOG_MAX_DEFS);
	}
	for (uint32_t i = 0; i < chunk->count && !is_news; i++) {
		is_news = !loading->is_def_known[chunk->sequence + i];
	}
	if (!is_news) {
		return 0;
	}
	rows = calloc((size_t) chunk->count + 1, sizeof(*rows));
	if (!rows) {
		return -RLOG_E_NO_MEMORY;
	}
	code = open_payload(loading, chunk, &source, &owned);
	code = code ? code : rlog_decode_defs(&source, rows, &loading->err);
	for (uint32_t i = 0; i < chunk->count && !code; i++) {
		const uint64_t ordinal = chunk->sequence + i;

		if (!loading->is_def_known[ordinal]) {
			loading->is_def_known[ordinal] = true;
			reader->defs[ordinal] = rows[i];
		}
	}
	free(owned);
	free(rows);
	return code;
}

static int load_clock(struct loading *loading, const struct rlog_chunk *chunk)
{
	struct rlog_reader *const reader = loading->reader;
	const size_t rows = reader->clock_count + chunk->count;
	struct rlog_decode_source source;
	void *owned = NULL;
	int code = 0;

	if (rows > RLOG_MAX_CLOCK_POINTS) {
		return rlog_error_set(&loading->err, RLOG_E_SCHEMA, chunk->offset,
		                      "more than %u clock points", RLOG_MAX_CLOCK_POINTS);
	}
	if (rows >= loading->clock_capacity) {
		const size_t capacity = 2 * rows + 64;
		void *const grown = realloc(reader->clock, capacity * sizeof(*reader->clock));

		if (!grown) {
			return -RLOG_E_NO_MEMORY;
		}
		reader->clock = grown;
		loading->clock_capacity = capacity;
	}
	code = open_payload(loading, chunk, &source, &owned);
	if (!code) {
		memset(reader->clock + reader->clock_count, 0,
		       chunk->count * sizeof(*reader->clock));
		code = rlog_decode_clock(&source, reader->clock + reader->clock_count,
		                         &loading->err);
	}
	reader->clock_count = code ? reader->clock_count : rows;
	free(owned);
	return code;
}

static int compare_losses(const void *left, const void *right)
{
	const struct loss_row *const a = left;
	const struct loss_row *const b = right;

	if (a->loss.stream != b->loss.stream) {
		return a->loss.stream < b->loss.stream ? -1 : 1;
	}
	if (a->loss.cause != b->loss.cause) {
		return a->loss.cause < b->loss.cause ? -1 : 1;
	}
	return a->ordinal < b->ordinal ? -1 : a->ordinal > b->ordinal;
}

/* Keeps only the last row of each stream and cause. */
static void reduce_losses(struct loading *loading)
{
	struct loss_row *const rows = loading->losses;
	size_t kept = 0;

	if (loading->loss_count == 0) {
		return;
	}
	qsort(rows, loading->loss_count, sizeof(*rows), compare_losses);
	for (size_t i = 0; i < loading->loss_count; i++) {
		if (kept && rows[kept - 1].loss.stream == rows[i].loss.stream &&
		    rows[kept - 1].loss.cause == rows[i].loss.cause) {
			kept--;
		}
		rows[kept++] = rows[i];
	}
	loading->loss_count = kept;
}

static int reserve_losses(struct loading *loading, size_t more)
{
	size_t capacity = 0;
	void *grown = NULL;

	if (loading->loss_count + more > loading->loss_limit) {
		reduce_losses(loading);
		loading->loss_limit = 2 * loading->loss_count + LOSSES_AT_ONCE;
	}
	if (loading->loss_count + more > RLOG_MAX_LOSSES) {
		return rlog_error_set(&loading->err, RLOG_E_SCHEMA, RLOG_NO_OFFSET,
		                      "more than %u losses", RLOG_MAX_LOSSES);
	}
	if (loading->loss_count + more <= loading->loss_capacity) {
		return 0;
	}
	capacity = 2 * (loading->loss_count + more);
	grown = realloc(loading->losses, capacity * sizeof(*loading->losses));
	if (!grown) {
		return -RLOG_E_NO_MEMORY;
	}
	loading->losses = grown;
	loading->loss_capacity = capacity;
	return 0;
}

static int load_losses(struct loading *loading, const struct rlog_chunk *chunk)
{
	struct rlog_decode_source source;
	struct rlog_loss *rows = NULL;
	void *owned = NULL;
	int code = reserve_losses(loading, chunk->count);

	if (code) {
		return code;
	}
	rows = calloc((size_t) chunk->count + 1, sizeof(*rows));
	if (!rows) {
		return -RLOG_E_NO_MEMORY;
	}
	code = open_payload(loading, chunk, &source, &owned);
	code = code ? code : rlog_decode_losses(&source, rows, &loading->err);
	for (uint32_t i = 0; i < chunk->count && !code; i++) {
		loading->losses[loading->loss_count++] = (struct loss_row){
			.loss = rows[i],
			.ordinal = chunk->sequence + i,
		};
	}
	free(owned);
	free(rows);
	return code;
}

static int load_chunk(struct loading *loading, const struct rlog_chunk *chunk)
{
	const bool is_known = chunk->type >= RLOG_CHUNK_CAPTURE && chunk->type <= RLOG_CHUNK_END;

	if (is_known && (chunk->stream == 0) == (chunk->type == RLOG_CHUNK_EVENTS)) {
		return rlog_error_set(&loading->err, RLOG_E_SCHEMA, chunk->offset,
		                      "a chunk of type %u in stream %u", chunk->type,
		                      chunk->stream);
	}
	switch (chunk->type) {
	case RLOG_CHUNK_CAPTURE:
		return load_facts(loading, chunk, &loading->reader->capture);
	case RLOG_CHUNK_END:
		return load_facts(loading, chunk, &loading->reader->end);
	case RLOG_CHUNK_STRINGS:
		return load_strings(loading, chunk);
	case RLOG_CHUNK_DEFS:
		return load_defs(loading, chunk);
	case RLOG_CHUNK_CLOCK:
		return load_clock(loading, chunk);
	case RLOG_CHUNK_LOSS:
		return load_losses(loading, chunk);
	case RLOG_CHUNK_INDEX: /* not needed here; programs that check a log decode it */
		return chunk->flags & RLOG_FLAG_STORED ? 0 : check_density(loading, chunk);
	default:
		return 0;
	}
}

static uint64_t smaller(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* Allocates the tables of strings and definitions. They are as large as the chunks' headers say,
 * but not larger than what a file of this size can hold. */
static int make_tables(struct loading *loading)
{
	struct rlog_reader *const reader = loading->reader;
	const uint64_t most = RLOG_FREE_ROWS + RLOG_TABLE_PER_BYTE * reader->size;
	const uint64_t most_strings = smaller(RLOG_MAX_STRINGS, most) + 1;
	const uint64_t most_defs = smaller(RLOG_MAX_DEFS, most);
	uint64_t strings = 1;
	uint64_t defs = 0;

	for (size_t i = 0; i < reader->chunks.count; i++) {
		const struct rlog_chunk *const chunk = &reader->chunks.rows[i];
		const uint64_t end = chunk->sequence + chunk->count;

		if (chunk->type == RLOG_CHUNK_STRINGS && end <= most_strings) {
			strings = end > strings ? end : strings;
		} else if (chunk->type == RLOG_CHUNK_DEFS && end <= most_defs) {
			defs = end > defs ? end : defs;
		}
	}
	/* The kernel zeroes a page when it is first touched, so gaps in the ids cost nothing. */
	reader->strings = calloc(strings, sizeof(*reader->strings));
	reader->defs = calloc(defs + 1, sizeof(*reader->defs));
	loading->is_def_known = calloc(defs + 1, sizeof(*loading->is_def_known));
	if (!reader->strings || !reader->defs || !loading->is_def_known) {
		return -RLOG_E_NO_MEMORY;
	}
	reader->strings[0] = (struct rlog_string){ .bytes = "" };
	reader->string_count = strings;
	reader->def_end = defs;
	return 0;
}

static int compare_clock(const void *left, const void *right)
{
	const struct rlog_clock_point *const a = left;
	const struct rlog_clock_point *const b = right;

	if (a->ticks != b->ticks) {
		return a->ticks < b->ticks ? -1 : 1;
	}
	return memcmp(a, b, sizeof(*a));
}

/* Sorts the clock points and removes repeated ones. */
static void order_clock(struct rlog_reader *reader)
{
	struct rlog_clock_point *const rows = reader->clock;
	size_t kept = 0;

	if (reader->clock_count == 0) {
		return;
	}
	qsort(rows, reader->clock_count, sizeof(*rows), compare_clock);
	for (size_t i = 0; i < reader->clock_count; i++) {
		if (kept == 0 || memcmp(&rows[kept - 1], &rows[i], sizeof(*rows)) != 0) {
			rows[kept++] = rows[i];
		}
	}
	reader->clock_count = kept;
}

/* Converts the tables to the form that callers get. */
static int finish_tables(struct loading *loading)
{
	struct rlog_reader *const reader = loading->reader;

	for (uint64_t i = 0; i < reader->def_end; i++) {
		if (loading->is_def_known[i]) {
			reader->defs[reader->def_count++] = reader->defs[i];
		}
	}
	order_clock(reader);
	reduce_losses(loading);
	reader->losses = malloc((loading->loss_count + 1) * sizeof(*reader->losses));
	if (!reader->losses) {
		return -RLOG_E_NO_MEMORY;
	}
	for (size_t i = 0; i < loading->loss_count; i++) {
		reader->losses[i] = loading->losses[i].loss;
	}
	reader->loss_count = loading->loss_count;
	return 0;
}

/* Loads all chunks. Removes chunks that can't be decoded from the list. */
static int load_chunks(struct loading *loading)
{
	struct rlog_reader *const reader = loading->reader;
	struct rlog_reader_stretch stretch = { 0, 0 };
	size_t kept = 0;

	for (size_t i = 0; i < reader->chunks.count; i++) {
		const struct rlog_chunk chunk = reader->chunks.rows[i];
		int code = load_chunk(loading, &chunk);

		if (chunk.type != RLOG_CHUNK_EVENTS) {
			rlog_reader_note_read(reader, &stretch, chunk.offset,
			                      chunk.offset + chunk.stored_bytes);
		}

		if (code == -RLOG_E_NO_MEMORY) {
			return code;
		}
		if (!code) {
			reader->chunks.rows[kept++] = chunk;
			continue;
		}
		code = rlog_reader_condemn(reader, &chunk, -code, loading->err.message);
		if (code) {
			return code;
		}
	}
	reader->chunks.count = kept;
	rlog_reader_drop_pages(reader, stretch.begin, stretch.end);
	return 0;
}

int rlog_reader_tables_load(struct rlog_reader *reader)
{
	struct loading loading = { .reader = reader, .loss_limit = LOSSES_AT_ONCE };
	int code = make_tables(&loading);

	code = code ? code : load_chunks(&loading);
	code = code ? code : finish_tables(&loading);
	rlog_codec_destroy_inflater(loading.inflater);
	free(loading.is_def_known);
	free(loading.losses);
	return code;
}
