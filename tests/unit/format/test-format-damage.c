/* SPDX-License-Identifier: MIT */
/* Tests damaged logs: only the damaged chunks are lost, and no wrong data are read. */
#include <stdlib.h>
#include <string.h>

#include "format/chunk.h"
#include "format/wire.h"
#include "tests/tap.h"
#include "tests/unit/format/format-sample.h"

/* The whole sample, and where its chunks stand. */
struct original {
	struct sample_bytes log;
	struct rlog_chunk *chunks; /* owned */
	size_t chunk_count;
};

/* What a reader made of a damaged copy. */
struct finding {
	int code;        /* of open */
	const char *lie; /* what is not as it was written; NULL: nothing */
	uint64_t events;
	uint64_t missing;
	size_t chunks;
	size_t damages;
	struct rlog_damage first;
	bool closed;
};

static void make_original(struct original *original, int level)
{
	struct rlog_reader *reader = NULL;
	const struct rlog_chunk *chunks = NULL;
	struct rlog_error err;

	original->log = sample_make(level);
	if (rlog_reader_open_memory(&reader, original->log.bytes, original->log.size, &err)) {
		tap_bail("%s", err.message);
	}
	chunks = rlog_reader_borrow_chunks(reader, &original->chunk_count);
	original->chunks = malloc(original->chunk_count * sizeof(*chunks));
	if (!original->chunks) {
		tap_bail("no memory");
	}
	memcpy(original->chunks, chunks, original->chunk_count * sizeof(*chunks));
	rlog_reader_close(reader);
}

static void free_original(struct original *original)
{
	sample_free(&original->log);
	free(original->chunks);
}

static uint64_t end_of(const struct rlog_chunk *chunk)
{
	return chunk->offset + RLOG_HEADER_BYTES + chunk->stored_bytes;
}

/* Reads a copy in a heap block of exactly its size, so a sanitizer sees any read beyond its end. */
static struct finding read_copy(const uint8_t *bytes, size_t size)
{
	struct finding out = { 0 };
	struct rlog_reader *reader = NULL;
	const struct rlog_damage *damages = NULL;
	struct rlog_error err;
	uint8_t *const copy = malloc(size ? size : 1);

	if (!copy) {
		tap_bail("no memory");
	}
	memcpy(copy, bytes, size);
	out.code = rlog_reader_open_memory(&reader, copy, size, &err);
	if (out.code == 0) {
		out.lie = sample_find_lie(reader, &out.events);
		out.missing = rlog_reader_missing_rows(reader);
		(void) rlog_reader_borrow_chunks(reader, &out.chunks);
		damages = rlog_reader_borrow_damages(reader, &out.damages);
		if (out.damages) {
			out.first = damages[0];
		}
		out.closed = rlog_reader_is_closed(reader);
	}
	rlog_reader_close(reader);
	free(copy);
	return out;
}

/* A log cut at every byte: exactly the chunks fully inside are left. */
static void test_truncation(const struct original *original)
{
	const size_t stride = sample_stride();
	size_t wrong_open = 0;
	size_t lies = 0;
	size_t wrong_chunks = 0;
	size_t wrong_report = 0;
	size_t closed = 0;

	for (size_t size = 0; size < original->log.size; size += stride) {
		const struct finding got = read_copy(original->log.bytes, size);
		size_t inside = 0;
		uint64_t end = 0;

		while (inside < original->chunk_count &&
		       end_of(&original->chunks[inside]) <= size) {
			end = end_of(&original->chunks[inside++]);
		}
		if (size < RLOG_HEADER_BYTES) {
			wrong_open += got.code != (size ? -RLOG_E_NOT_A_LOG : -RLOG_E_EMPTY);
			continue;
		}
		wrong_open += got.code != 0;
		lies += got.lie != NULL;
		closed += got.closed;
		wrong_chunks += got.chunks != inside;
		wrong_report += size == end ? got.damages != 0
		                            : got.damages != 1 || got.first.offset != end ||
		                                      got.first.bytes != size - end ||
		                                      got.first.code != RLOG_E_TRUNCATED;
	}
	tap_is_uint(wrong_open, 0, "a log cut at any byte opens, if it has a header");
	tap_is_uint(lies, 0, "and what is read was written");
	tap_is_uint(wrong_chunks, 0, "and the chunks fully inside are there, no others");
	tap_is_uint(wrong_report, 0, "and the torn rest is reported with its place and size");
	tap_is_uint(closed, 0, "and it is not taken for closed");
}

/* Chunks of the original that [from, to) touches. */
static size_t count_hit(const struct original *original, uint64_t from, uint64_t to)
{
	size_t hit = 0;

	for (size_t i = 0; i < original->chunk_count; i++) {
		hit += original->chunks[i].offset < to && end_of(&original->chunks[i]) > from;
	}
	return hit;
}

/* How many rows are lost with this chunk: those that no other chunk holds as well. */
static uint64_t rows_of_event_chunk(const struct original *original, size_t at)
{
	for (size_t i = 0; i < original->chunk_count; i++) {
		const struct rlog_chunk *const chunk = &original->chunks[i];

		if (chunk->offset <= at && at < end_of(chunk)) {
			return chunk->type == RLOG_CHUNK_EVENTS ? chunk->count : 0;
		}
	}
	return 0;
}

/* Every byte changed in three ways: one chunk lost at most, and its events counted. */
static void test_flips(struct original *original, size_t step)
{
	static const uint8_t masks[] = { 0x01, 0x80, 0xFF };
	const size_t stride = step * sample_stride();
	uint8_t *const bytes = original->log.bytes;
	size_t unread = 0;
	size_t lies = 0;
	size_t too_many = 0;
	size_t unnoticed = 0;
	size_t miscounted = 0;

	for (size_t i = 0; i < 3 * original->log.size; i += stride) {
		const size_t at = i / 3;
		const uint64_t rows = rows_of_event_chunk(original, at);
		struct finding got;

		bytes[at] ^= masks[i % 3];
		got = read_copy(bytes, original->log.size);
		bytes[at] ^= masks[i % 3];
		unread += got.code != 0;
		lies += got.lie != NULL;
		too_many += got.chunks + 1 < original->chunk_count;
		unnoticed += got.damages != 1 || got.first.offset > at ||
		             got.first.offset + got.first.bytes <= at;
		miscounted += got.events != SAMPLE_EVENTS - rows || (rows && got.missing < rows);
	}
	tap_is_uint(unread, 0, "a log with any byte changed opens");
	tap_is_uint(lies, 0, "and what is read was written");
	tap_is_uint(too_many, 0, "and at most one chunk is lost");
	tap_is_uint(unnoticed, 0, "and one stretch is reported, the one with the changed byte");
	tap_is_uint(miscounted, 0, "and the events lost are counted");
}

/* One stretch overwritten. */
static void test_zeroed(const struct original *original)
{
	const size_t size = original->log.size;
	const size_t stride = 61 * sample_stride();
	uint8_t *const copy = malloc(size);
	size_t wrong = 0;
	size_t lies = 0;

	if (!copy) {
		tap_bail("no memory");
	}
	for (size_t at = 0; at < size; at += stride) {
		for (size_t bytes = 1; bytes <= 4096; bytes *= 8) {
			const size_t end = at + bytes < size ? at + bytes : size;
			struct finding got;

			memcpy(copy, original->log.bytes, size);
			memset(copy + at, 0, end - at);
			got = read_copy(copy, size);
			lies += got.code || got.lie;
			/* A chunk whose bytes were 0 anyway is not lost. */
			wrong += got.chunks + count_hit(original, at, end) < original->chunk_count;
		}
	}
	tap_is_uint(lies, 0, "with a stretch zeroed, what is read was written");
	tap_is_uint(wrong, 0, "and no chunk outside of it is lost");
	free(copy);
}

/* Bytes put in or taken out. */
static void test_moved(const struct original *original)
{
	const size_t size = original->log.size;
	const size_t stride = 13 * sample_stride();
	uint8_t *const copy = malloc(size + 65536);
	uint64_t state = 3;
	size_t wrong = 0;
	size_t lies = 0;

	if (!copy) {
		tap_bail("no memory");
	}
	for (size_t at = 0; at < size; at += stride) {
		const size_t bytes = 1 + sample_random(&state) % (at % 2 ? 65536 : 100);
		const size_t cut = at + bytes < size ? bytes : size - at;
		struct finding got;

		memcpy(copy, original->log.bytes, at);
		for (size_t i = 0; i < bytes; i++) {
			copy[at + i] = (uint8_t) sample_random(&state);
		}
		memcpy(copy + at + bytes, original->log.bytes + at, size - at);
		got = read_copy(copy, size + bytes);
		lies += got.code || got.lie;
		wrong += got.chunks + 1 < original->chunk_count;

		memcpy(copy + at, original->log.bytes + at + cut, size - at - cut);
		got = read_copy(copy, size - cut);
		lies += got.lie != NULL;
		/* One chunk more may be missing: if the cut is exactly the next chunk, the file
		 * looks whole without it. */
		wrong += got.code == 0 &&
		         got.chunks + count_hit(original, at, at + cut) + 1 < original->chunk_count;
	}
	tap_is_uint(lies, 0, "with bytes put in or taken out, what is read was written");
	tap_is_uint(wrong, 0, "and only the chunks there are lost");
	free(copy);
}

/* Appends a chunk of the original. Return: the new size. */
static size_t append_chunk(const struct original *original, size_t chunk, uint8_t *to, size_t size)
{
	const struct rlog_chunk *const from = &original->chunks[chunk];

	memcpy(to + size, original->log.bytes + from->offset,
	       RLOG_HEADER_BYTES + from->stored_bytes);
	return size + RLOG_HEADER_BYTES + from->stored_bytes;
}

static size_t append_trailer(const struct original *original, uint8_t *to, size_t size)
{
	memcpy(to + size, original->log.bytes + original->log.size - RLOG_TRAILER_BYTES,
	       RLOG_TRAILER_BYTES);
	return size + RLOG_TRAILER_BYTES;
}

static void test_order(const struct original *original)
{
	uint8_t *const copy = malloc(3 * original->log.size);
	struct finding got;
	size_t size = 0;
	size_t doubles = 0;

	if (!copy) {
		tap_bail("no memory");
	}
	for (size_t i = 0; i < original->chunk_count; i++) {
		size = append_chunk(original, i, copy, size);
		if (original->chunks[i].type == RLOG_CHUNK_EVENTS) {
			size = append_chunk(original, i, copy, size);
			doubles++;
		}
	}
	size = append_trailer(original, copy, size);
	got = read_copy(copy, size);
	tap_is_text(got.lie, NULL, "with chunks doubled, what is read was written");
	tap_is_uint(got.events, SAMPLE_EVENTS, "and no event counts twice");
	tap_is_uint(got.damages, doubles, "and each double is reported");
	tap_ok(got.closed && got.missing == 0, "and nothing is missing");

	size = 0;
	for (size_t i = original->chunk_count; i > 0; i--) {
		size = append_chunk(original, i - 1, copy, size);
	}
	size = append_trailer(original, copy, size);
	got = read_copy(copy, size);
	tap_is_text(got.lie, NULL, "with chunks in reverse order, what is read was written");
	tap_is_uint(got.events, SAMPLE_EVENTS, "and all events are there");
	tap_is_uint(got.damages + got.missing, 0, "and nothing is missing or damaged");

	size = original->log.size;
	memcpy(copy, original->log.bytes, size);
	memcpy(copy + size, original->log.bytes, size);
	got = read_copy(copy, 2 * size);
	tap_ok(!got.lie && got.events == SAMPLE_EVENTS, "a log appended to itself counts once");
	tap_ok(got.damages >= 1 && got.first.offset == size - RLOG_TRAILER_BYTES,
	       "and is reported from the trailer in the middle on");
	free(copy);
}

/* The same log with another tag: every header's tag and CRC replaced. */
static void change_tag(const struct original *original, uint8_t *bytes)
{
	for (size_t i = 0; i < original->chunk_count; i++) {
		uint8_t *const at = bytes + original->chunks[i].offset;
		struct rlog_chunk_header header;

		if (!rlog_chunk_read_header(&header, at)) {
			tap_bail("a chunk of the sample has no header");
		}
		header.tag = 0x0BADCAFE;
		rlog_chunk_write_header(at, &header);
	}
}

static void test_foreign(const struct original *original)
{
	const size_t size = original->log.size;
	uint8_t *const copy = malloc(3 * size);
	size_t used = 0;
	struct finding got;

	if (!copy) {
		tap_bail("no memory");
	}
	memcpy(copy, original->log.bytes, size);
	memcpy(copy + size, original->log.bytes, size);
	change_tag(original, copy + size);
	got = read_copy(copy, 2 * size);
	tap_ok(!got.lie && got.events == SAMPLE_EVENTS && got.chunks == original->chunk_count,
	       "a foreign log behind ours is skipped");
	tap_is_uint(got.damages, 1, "and reported as one stretch");
	tap_is_uint(got.first.offset, size - RLOG_TRAILER_BYTES, "from our trailer on");

	memcpy(copy + 2 * size, copy + size, size);
	for (size_t i = 0; i < original->chunk_count; i++) {
		used = append_chunk(original, i, copy, used);
		memcpy(copy + used, copy + 2 * size + original->chunks[0].offset,
		       end_of(&original->chunks[0]));
		used += i % 8 == 3 ? end_of(&original->chunks[0]) : 0;
	}
	got = read_copy(copy, used);
	tap_ok(!got.lie && got.events == SAMPLE_EVENTS && got.chunks == original->chunk_count,
	       "foreign chunks between ours are skipped");
	tap_is_uint(got.damages, (original->chunk_count + 4) / 8, "and reported one by one");
	tap_ok(got.first.code == RLOG_E_HEADER && strstr(got.first.what, "foreign chunk"),
	       "as foreign chunks");
	free(copy);
}

int main(void)
{
	for (int level = 0; level <= 1; level++) {
		struct original original;

		make_original(&original, level);
		tap_diag("level %d: %zu chunks, %zu bytes", level, original.chunk_count,
		         original.log.size);
		test_truncation(&original);
		test_flips(&original, level ? 1 : 5);
		test_zeroed(&original);
		test_moved(&original);
		test_order(&original);
		test_foreign(&original);
		free_original(&original);
	}
	return tap_done();
}
