/* SPDX-License-Identifier: MIT */
/* Opens a log, lists its chunks and damages, decodes events on demand. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "format/columns/events.h"
#include "format/read/reader-impl.h"
#include "format/wire.h"

/* The pages of a mapping larger than this are given back after reading, so that a big log does not
 * fill the memory. */
#define DROP_BYTES (32u << 20)

/* So many bytes are given back at a time. */
#define STRETCH_BYTES (8u << 20)

/* Touching a page also maps the pages around it, in blocks of this size: Linux's
 * fault_around_bytes. */
#define AROUND_BYTES (64u << 10)

void *rlog_reader_make_room(void *array, size_t count, size_t *capacity, size_t element_bytes)
{
	const size_t bigger = *capacity ? *capacity * 2 : 16;
	void *grown = NULL;

	if (count < *capacity) {
		return array;
	}
	grown = realloc(array, bigger * element_bytes);
	if (grown) {
		*capacity = bigger;
	}
	return grown;
}

static int add_chunk(struct rlog_reader_chunks *chunks, const struct rlog_chunk *chunk)
{
	void *const grown = rlog_reader_make_room(chunks->rows, chunks->count, &chunks->capacity,
	                                          sizeof(*chunks->rows));

	if (!grown) {
		return -RLOG_E_NO_MEMORY;
	}
	chunks->rows = grown;
	chunks->rows[chunks->count++] = *chunk;
	return 0;
}

int rlog_reader_add_damage(struct rlog_reader *reader, const struct rlog_damage *damage)
{
	struct rlog_damage *last = NULL;
	void *grown = NULL;

	if (reader->damage_count) {
		last = &reader->damages[reader->damage_count - 1];
	}
	if (last && last->offset + last->bytes == damage->offset) {
		last->bytes += damage->bytes;
		last->rows += damage->rows;
		last->stream = last->stream == damage->stream ? last->stream : 0;
		return 0;
	}
	grown = rlog_reader_make_room(reader->damages, reader->damage_count,
	                              &reader->damage_capacity, sizeof(*reader->damages));
	if (!grown) {
		return -RLOG_E_NO_MEMORY;
	}
	reader->damages = grown;
	reader->damages[reader->damage_count++] = *damage;
	return 0;
}

int rlog_reader_condemn(struct rlog_reader *reader, const struct rlog_chunk *chunk, int code,
                        const char *what)
{
	struct rlog_damage damage = {
		.offset = chunk->offset,
		.bytes = RLOG_HEADER_BYTES + (uint64_t) chunk->stored_bytes,
		.rows = chunk->count,
		.stream = chunk->stream,
		.code = code,
	};

	(void) snprintf(damage.what, sizeof(damage.what), "%.*s", (int) sizeof(damage.what) - 1,
	                what);
	return rlog_reader_add_damage(reader, &damage);
}

void rlog_reader_drop_pages(const struct rlog_reader *reader, uint64_t from, uint64_t to)
{
	const uint64_t first = from / AROUND_BYTES * AROUND_BYTES;
	const uint64_t around = (to + AROUND_BYTES - 1) / AROUND_BYTES * AROUND_BYTES;
	const uint64_t last = around < reader->size ? around : reader->size;

	if (reader->mapped && reader->size >= DROP_BYTES && first < last) {
		(void) madvise((char *) reader->mapped + first, last - first, MADV_DONTNEED);
	}
}

void rlog_reader_note_read(const struct rlog_reader *reader, struct rlog_reader_stretch *stretch,
                           uint64_t from, uint64_t to)
{
	if (stretch->end == 0) {
		stretch->begin = from;
	}
	stretch->begin = from < stretch->begin ? from : stretch->begin;
	stretch->end = to > stretch->end ? to : stretch->end;
	if (stretch->end - stretch->begin >= STRETCH_BYTES) {
		rlog_reader_drop_pages(reader, stretch->begin, stretch->end);
		*stretch = (struct rlog_reader_stretch){ 0, 0 };
	}
}

static int refuse_version(const struct rlog_chunk *chunk, struct rlog_error *err)
{
	return rlog_error_set(err, RLOG_E_VERSION, chunk->offset,
	                      "format version %u, this program reads up to %d", chunk->type,
	                      RLOG_FORMAT_VERSION);
}

static int refuse_garbage(const struct rlog_reader *reader, struct rlog_error *err)
{
	const uint8_t *const bytes = reader->bytes;

	if (reader->size < RLOG_MARKER_BYTES ||
	    (reader->size < RLOG_HEADER_BYTES &&
	     memcmp(bytes, RLOG_MARKER, RLOG_MARKER_BYTES) == 0)) {
		return rlog_error_set(err, RLOG_E_NOT_A_LOG, 0,
		                      "expected a chunk header of %d bytes, the file has %ju",
		                      RLOG_HEADER_BYTES, (uintmax_t) reader->size);
	}
	if (memcmp(bytes, RLOG_MARKER, RLOG_MARKER_BYTES) == 0) {
		return rlog_error_set(err, RLOG_E_NOT_A_LOG, 0,
		                      "starts like a log, but no chunk header matches its CRC");
	}
	return rlog_error_set(err, RLOG_E_NOT_A_LOG, 0,
	                      "expected a log (C1 F7 72 6C), found %02X %02X %02X %02X", bytes[0],
	                      bytes[1], bytes[2], bytes[3]);
}

/* Adds the result of one step of the walk to the reader. */
static int take_step(struct rlog_reader *reader, enum rlog_walk_step step,
                     const struct rlog_chunk *chunk, const struct rlog_damage *damage)
{
	int code = 0;

	if (step == RLOG_WALK_CHUNK) {
		return add_chunk(&reader->chunks, chunk);
	}
	if (damage->rows) {
		code = add_chunk(&reader->torn, chunk);
	}
	return code ? code : rlog_reader_add_damage(reader, damage);
}

/* Walks through the file and lists its chunks and damages. */
static int walk_file(struct rlog_reader *reader, struct rlog_error *err)
{
	struct rlog_walk walk;
	struct rlog_reader_stretch stretch = { 0, 0 };
	uint64_t before = 0;

	rlog_walk_init(&walk, reader->bytes, reader->size);
	for (;;) {
		struct rlog_chunk chunk = { 0 };
		struct rlog_damage damage = { 0 };
		const enum rlog_walk_step step = rlog_walk_next(&walk, &chunk, &damage);

		if (step == RLOG_WALK_END) {
			break;
		}
		if (step == RLOG_WALK_NEWER) {
			return refuse_version(&chunk, err);
		}
		if (take_step(reader, step, &chunk, &damage)) {
			return -RLOG_E_NO_MEMORY;
		}
		rlog_reader_note_read(reader, &stretch, before, walk.pos);
		before = walk.pos;
	}
	rlog_reader_drop_pages(reader, stretch.begin, stretch.end);
	if (!walk.has_tag) {
		return refuse_garbage(reader, err);
	}
	reader->tag = walk.tag;
	reader->has_trailer = walk.has_trailer;
	return 0;
}

static uint64_t end_total(const struct rlog_reader *reader, const char *key)
{
	for (size_t i = 0; i < reader->end.count; i++) {
		const struct rlog_fact *const fact = &reader->end.facts[i];

		if (fact->type == RLOG_FACT_U64 && strcmp(fact->key, key) == 0) {
			return fact->u64;
		}
	}
	return 0;
}

/* Returns how many of `total` rows are missing if `known` rows are there. */
static uint64_t shortfall(uint64_t total, uint64_t known)
{
	return total > known ? total - known : 0;
}

static uint64_t larger(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* Counts missing rows. END's totals also show rows that are missing after the last remaining chunk
 * of their kind. */
static int count_missing(struct rlog_reader *reader)
{
	const uint64_t strings = larger(end_total(reader, "strings"), reader->string_count - 1);
	const uint64_t defs = larger(end_total(reader, "defs"), reader->def_end);
	uint64_t known = 0;
	uint64_t events = 0;
	uint64_t others = 0;
	const int code = rlog_reader_order_count_missing(reader, &events, &others);

	for (size_t i = 0; i < reader->chunks.count; i++) {
		known += reader->chunks.rows[i].type == RLOG_CHUNK_EVENTS
		                 ? reader->chunks.rows[i].count
		                 : 0;
	}
	events = larger(events, shortfall(end_total(reader, "events"), known));
	reader->missing_rows = events + others + shortfall(strings, reader->strings_known) +
	                       shortfall(defs, reader->def_count);
	return code;
}

/* Makes a finished reader of the log's bytes. */
static int load(struct rlog_reader *reader, struct rlog_error *err)
{
	int code = 0;

	if (reader->size == 0) {
		return rlog_error_set(err, RLOG_E_EMPTY, 0, "the file is empty");
	}
	code = walk_file(reader, err);
	if (code && code != -RLOG_E_NO_MEMORY) {
		return code;
	}
	code = code ? code : rlog_reader_order_chunks(reader);
	code = code ? code : rlog_reader_tables_load(reader);
	code = code ? code : count_missing(reader);
	if (code) {
		return rlog_error_set(err, RLOG_E_NO_MEMORY, RLOG_NO_OFFSET,
		                      "no memory to list the chunks");
	}
	rlog_reader_order_damages(reader);
	return 0;
}

/* Reads a pipe to its end, after `used` bytes that were read before. */
static int read_all(struct rlog_reader *reader, int fd, size_t used, struct rlog_error *err)
{
	size_t capacity = used;

	for (;;) {
		ssize_t step = 0;

		if (used == capacity) {
			const size_t bigger = capacity ? capacity * 2 : 1u << 20;
			void *const grown = realloc(reader->copied, bigger);

			if (!grown) {
				return rlog_error_set(err, RLOG_E_NO_MEMORY, used, "no memory");
			}
			reader->copied = grown;
			capacity = bigger;
		}
		step = read(fd, (char *) reader->copied + used, capacity - used);
		if (step < 0 && errno != EINTR) {
			return rlog_error_set(err, RLOG_E_SYSTEM, used, "cannot read");
		}
		if (step == 0) {
			break;
		}
		used += step > 0 ? (size_t) step : 0;
	}
	reader->bytes = reader->copied;
	reader->size = used;
	return 0;
}

/* Maps an open file, or reads it if it can't be mapped. */
static int map_file(struct rlog_reader *reader, int fd, struct rlog_error *err)
{
	struct stat status;

	if (fstat(fd, &status) != 0) {
		return rlog_error_set(err, RLOG_E_SYSTEM, RLOG_NO_OFFSET, "cannot stat");
	}
	if (!S_ISREG(status.st_mode) && !S_ISFIFO(status.st_mode)) {
		return rlog_error_set(err, RLOG_E_NOT_A_FILE, RLOG_NO_OFFSET,
		                      "neither a regular file nor a pipe");
	}
	if (S_ISREG(status.st_mode) && status.st_size > 0) {
		void *const mapped =
			mmap(NULL, (size_t) status.st_size, PROT_READ, MAP_PRIVATE, fd, 0);

		if (mapped != MAP_FAILED) {
			reader->mapped = mapped;
			reader->bytes = mapped;
			reader->size = (uint64_t) status.st_size;
			return 0;
		}
	}
	return read_all(reader, fd, 0, err);
}

int rlog_reader_open(struct rlog_reader **out, const char *path, struct rlog_error *err)
{
	struct rlog_reader *const reader = calloc(1, sizeof(*reader));
	int fd = -1;
	int code = 0;

	*out = NULL;
	if (!reader) {
		return rlog_error_set(err, RLOG_E_NO_MEMORY, RLOG_NO_OFFSET,
		                      "no memory for a reader");
	}
	fd = open(path, O_RDONLY | O_CLOEXEC);
	code = fd < 0 ? rlog_error_set(err, RLOG_E_SYSTEM, RLOG_NO_OFFSET, "cannot open")
	              : map_file(reader, fd, err);
	code = code ? code : load(reader, err);
	if (fd >= 0) {
		(void) close(fd);
	}
	if (code) {
		rlog_reader_close(reader);
		return code;
	}
	*out = reader;
	return 0;
}

int rlog_reader_open_pipe(struct rlog_reader **out, int fd, const void *head, size_t size,
                          struct rlog_error *err)
{
	struct rlog_reader *const reader = calloc(1, sizeof(*reader));
	int code = 0;

	*out = NULL;
	if (reader && size > 0) {
		reader->copied = malloc(size);
	}
	if (!reader || (size > 0 && !reader->copied)) {
		free(reader);
		return rlog_error_set(err, RLOG_E_NO_MEMORY, RLOG_NO_OFFSET,
		                      "no memory for a reader");
	}
	if (size > 0) {
		memcpy(reader->copied, head, size);
	}
	code = read_all(reader, fd, size, err);
	code = code ? code : load(reader, err);
	if (code) {
		rlog_reader_close(reader);
		return code;
	}
	*out = reader;
	return 0;
}

int rlog_reader_open_memory(struct rlog_reader **out, const void *bytes, size_t size,
                            struct rlog_error *err)
{
	struct rlog_reader *const reader = calloc(1, sizeof(*reader));
	int code = 0;

	*out = NULL;
	if (!reader) {
		return rlog_error_set(err, RLOG_E_NO_MEMORY, RLOG_NO_OFFSET,
		                      "no memory for a reader");
	}
	reader->bytes = bytes;
	reader->size = size;
	code = load(reader, err);
	if (code) {
		rlog_reader_close(reader);
		return code;
	}
	*out = reader;
	return 0;
}

void rlog_reader_close(struct rlog_reader *reader)
{
	if (!reader) {
		return;
	}
	free(reader->chunks.rows);
	free(reader->torn.rows);
	free(reader->damages);
	rlog_decode_free_facts(&reader->capture);
	rlog_decode_free_facts(&reader->end);
	for (size_t i = 0; i < reader->payload_count; i++) {
		free(reader->payloads[i]);
	}
	free(reader->payloads);
	free(reader->strings);
	free(reader->defs);
	free(reader->clock);
	free(reader->losses);
	free(reader->copied);
	if (reader->mapped) {
		(void) munmap(reader->mapped, reader->size);
	}
	free(reader);
}

/* Inflates a payload into the batch's memory. Return: the payload; NULL on failure, with *code
 * set. */
static const uint8_t *inflate_payload(const uint8_t *stored, const struct rlog_chunk *chunk,
                                      struct rlog_batch *batch, int *code)
{
	*code = 0;
	if (!batch->inflater) {
		*code = rlog_codec_create_inflater(&batch->inflater);
	}
	if (!*code && !batch->scratch) {
		batch->scratch = malloc(RLOG_MAX_RAW_BYTES);
		*code = batch->scratch ? 0 : -RLOG_E_NO_MEMORY;
	}
	if (!*code) {
		*code = rlog_codec_inflate(batch->inflater, stored, chunk->stored_bytes,
		                           batch->scratch, chunk->raw_bytes);
	}
	return *code ? NULL : batch->scratch;
}

int rlog_reader_decode_kept(const struct rlog_reader *reader, const struct rlog_chunk *chunk,
                            struct rlog_batch *batch, struct rlog_error *err)
{
	const uint64_t payload_off = chunk->offset + RLOG_HEADER_BYTES;
	const uint8_t *payload = reader->bytes + payload_off;
	int code = 0;

	if (chunk->type != RLOG_CHUNK_EVENTS) {
		return rlog_error_set(err, RLOG_E_ARGUMENT, chunk->offset, "not a chunk of events");
	}
	rlog_batch_clear(batch);
	batch->stream = chunk->stream;
	batch->flags = chunk->flags;
	batch->sequence = chunk->sequence;
	if (!(chunk->flags & RLOG_FLAG_STORED)) {
		payload = inflate_payload(payload, chunk, batch, &code);
	}
	if (code) {
		return rlog_error_set(err, -code, chunk->offset,
		                      code == -RLOG_E_NO_MEMORY
		                              ? "no memory to inflate %u bytes"
		                              : "payload is not a zlib stream of %u bytes",
		                      chunk->raw_bytes);
	}
	code = rlog_events_read(batch, payload, chunk->raw_bytes, chunk->count, err);
	if (code && err) {
		err->offset = chunk->offset;
	}
	return code;
}

int rlog_reader_decode_events(const struct rlog_reader *reader, const struct rlog_chunk *chunk,
                              struct rlog_batch *batch, struct rlog_error *err)
{
	const int code = rlog_reader_decode_kept(reader, chunk, batch, err);

	if (chunk->type == RLOG_CHUNK_EVENTS) {
		rlog_reader_drop_pages(reader, chunk->offset,
		                       chunk->offset + RLOG_HEADER_BYTES + chunk->stored_bytes);
	}
	return code;
}

/* Returns the reader of an empty file for NULL. */
static const struct rlog_reader *or_empty(const struct rlog_reader *reader)
{
	static const struct rlog_reader empty;

	return reader != NULL ? reader : &empty;
}

const struct rlog_chunk *rlog_reader_borrow_chunks(const struct rlog_reader *reader, size_t *count)
{
	*count = or_empty(reader)->chunks.count;
	return or_empty(reader)->chunks.rows;
}

const struct rlog_damage *rlog_reader_borrow_damages(const struct rlog_reader *reader,
                                                     size_t *count)
{
	*count = or_empty(reader)->damage_count;
	return or_empty(reader)->damages;
}

const struct rlog_fact *rlog_reader_borrow_capture(const struct rlog_reader *reader, size_t *count)
{
	*count = or_empty(reader)->capture.count;
	return or_empty(reader)->capture.facts;
}

const struct rlog_fact *rlog_reader_borrow_end(const struct rlog_reader *reader, size_t *count)
{
	*count = or_empty(reader)->end.count;
	return or_empty(reader)->end.facts;
}

const struct rlog_string *rlog_reader_borrow_strings(const struct rlog_reader *reader,
                                                     size_t *count)
{
	*count = or_empty(reader)->string_count;
	return or_empty(reader)->strings;
}

const struct rlog_def *rlog_reader_borrow_defs(const struct rlog_reader *reader, size_t *count)
{
	*count = or_empty(reader)->def_count;
	return or_empty(reader)->defs;
}

const struct rlog_clock_point *rlog_reader_borrow_clock(const struct rlog_reader *reader,
                                                        size_t *count)
{
	*count = or_empty(reader)->clock_count;
	return or_empty(reader)->clock;
}

const struct rlog_loss *rlog_reader_borrow_losses(const struct rlog_reader *reader, size_t *count)
{
	*count = or_empty(reader)->loss_count;
	return or_empty(reader)->losses;
}

const struct rlog_fact *rlog_reader_find_capture(const struct rlog_reader *reader, const char *key)
{
	for (size_t i = 0; i < or_empty(reader)->capture.count; i++) {
		if (strcmp(or_empty(reader)->capture.facts[i].key, key) == 0) {
			return &or_empty(reader)->capture.facts[i];
		}
	}
	return NULL;
}

uint64_t rlog_reader_size_bytes(const struct rlog_reader *reader)
{
	return or_empty(reader)->size;
}

const uint8_t *rlog_reader_borrow_bytes(const struct rlog_reader *reader)
{
	return or_empty(reader)->bytes;
}

bool rlog_reader_is_closed(const struct rlog_reader *reader)
{
	return or_empty(reader)->has_trailer && or_empty(reader)->end.count;
}

uint64_t rlog_reader_missing_rows(const struct rlog_reader *reader)
{
	return or_empty(reader)->missing_rows;
}
