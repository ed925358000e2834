/* SPDX-License-Identifier: MIT */
/* Tests that a log that was cut anywhere can be continued: no complete chunk is lost, and no row
 * comes twice. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "format/wire.h"
#include "tests/tap.h"
#include "tests/unit/format/format-sample.h"

/* Not compressed: a compressor is what costs most of the time of a writer for 14 KB. */
static const struct rlog_writer_options options = { .tag = 1, .checkpoint_bytes = 4096 };

static void fill_file(int fd, const uint8_t *bytes, size_t size)
{
	if (ftruncate(fd, 0) != 0 || pwrite(fd, bytes, size, 0) != (ssize_t) size) {
		tap_bail("cannot fill a file");
	}
}

/* End of the last chunk that is fully inside of `size` bytes and is not END. */
static uint64_t find_whole_end(const struct sample_bytes *log, size_t size)
{
	struct rlog_reader *reader = NULL;
	const struct rlog_chunk *chunks = NULL;
	struct rlog_error err;
	uint64_t end = 0;
	size_t count = 0;

	if (rlog_reader_open_memory(&reader, log->bytes, size, &err)) {
		return 0;
	}
	chunks = rlog_reader_borrow_chunks(reader, &count);
	for (size_t i = 0; i < count; i++) {
		if (chunks[i].type != RLOG_CHUNK_END) {
			end = chunks[i].offset + RLOG_HEADER_BYTES + chunks[i].stored_bytes;
		}
	}
	rlog_reader_close(reader);
	return end;
}

/* Offers the whole sample to a resumed writer and closes the log. Return: what is wrong, NULL if
 * nothing is. */
static const char *complete(struct rlog_writer *writer, int fd)
{
	struct rlog_reader *reader = NULL;
	struct sample_bytes log = { 0 };
	const char *lie = NULL;
	struct rlog_error err;
	uint64_t events = 0;
	size_t damages = 0;

	if (sample_write(writer, SAMPLE_ROUNDS, &err) ||
	    rlog_writer_finish(writer, "recovered", 6, &err)) {
		return "the log cannot be completed";
	}
	if (rlog_writer_events(writer) != SAMPLE_EVENTS) {
		return "the writer has not counted all events";
	}
	log = sample_read_file(fd);
	if (log.size != rlog_writer_size_bytes(writer)) {
		lie = "the file has not the size the writer says";
	} else if (rlog_reader_open_memory(&reader, log.bytes, log.size, &err)) {
		lie = "the completed log does not open";
	} else {
		lie = sample_find_lie(reader, &events);
		(void) rlog_reader_borrow_damages(reader, &damages);
		lie = lie ? lie : events != SAMPLE_EVENTS ? "events are missing or twice" : NULL;
		lie = lie ? lie : damages ? "there is damage" : NULL;
		lie = lie ? lie : rlog_reader_missing_rows(reader) ? "rows are missing" : NULL;
		lie = lie ? lie : rlog_reader_is_closed(reader) ? NULL : "it is not closed";
	}
	rlog_reader_close(reader);
	sample_free(&log);
	return lie;
}

static void test_cut(const struct sample_bytes *log)
{
	const size_t stride = sample_stride();
	const int fd = sample_open_memory();
	size_t refused = 0;
	size_t changed = 0;
	size_t wrong = 0;

	for (size_t size = 0; size <= log->size; size += stride) {
		const uint64_t end = find_whole_end(log, size);
		struct rlog_writer *writer = NULL;
		struct sample_bytes kept = { 0 };
		struct rlog_error err;
		const char *lie = NULL;
		int code = 0;

		fill_file(fd, log->bytes, size);
		code = rlog_writer_resume(&writer, fd, &options, &err);
		kept = sample_read_file(fd);
		if (end == 0) {
			refused += code == (size ? -RLOG_E_NOT_A_LOG : -RLOG_E_EMPTY) &&
			           kept.size == size;
		} else if (code) {
			lie = err.message;
		} else {
			changed += kept.size != end || memcmp(kept.bytes, log->bytes, end) != 0;
			lie = complete(writer, fd);
		}
		if (lie && wrong++ < 5) {
			tap_diag("cut at %zu: %s", size, lie);
		}
		rlog_writer_destroy(writer);
		sample_free(&kept);
	}
	tap_ok(refused > 0, "a file without a whole chunk is refused and left as it is");
	tap_is_uint(changed, 0, "all whole chunks but END stay, and nothing else");
	tap_is_uint(wrong, 0, "the log is completed with every event once");
	(void) close(fd);
}

/* Damage in the middle stays; the log goes on behind its last whole chunk. */
static void test_damaged(const struct sample_bytes *log)
{
	const size_t stride = 37 * sample_stride();
	const int fd = sample_open_memory();
	size_t wrong = 0;

	for (size_t at = 0; at < log->size; at += stride) {
		struct rlog_writer *writer = NULL;
		struct rlog_reader *reader = NULL;
		struct sample_bytes after = { 0 };
		struct rlog_error err;
		uint64_t events = 0;

		log->bytes[at] ^= 0x10;
		fill_file(fd, log->bytes, log->size - 300);
		log->bytes[at] ^= 0x10;
		if (rlog_writer_resume(&writer, fd, &options, &err) ||
		    sample_write(writer, SAMPLE_ROUNDS, &err) ||
		    rlog_writer_finish(writer, "recovered", 0, &err)) {
			tap_bail("at %zu: %s", at, err.message);
		}
		after = sample_read_file(fd);
		if (rlog_reader_open_memory(&reader, after.bytes, after.size, &err)) {
			tap_bail("at %zu: %s", at, err.message);
		}
		wrong += sample_find_lie(reader, &events) != NULL ||
		         events + SAMPLE_ROWS < SAMPLE_EVENTS || events > SAMPLE_EVENTS ||
		         !rlog_reader_is_closed(reader) ||
		         rlog_reader_missing_rows(reader) < SAMPLE_EVENTS - events;
		rlog_reader_close(reader);
		rlog_writer_destroy(writer);
		sample_free(&after);
	}
	tap_is_uint(wrong, 0, "a log with a byte changed goes on and loses one chunk at most");
	(void) close(fd);
}

static void test_numbers(const struct sample_bytes *log)
{
	const int fd = sample_open_memory();
	struct rlog_writer *writer = NULL;
	struct rlog_error err;

	fill_file(fd, log->bytes, log->size);
	if (rlog_writer_resume(&writer, fd, &options, &err)) {
		tap_bail("%s", err.message);
	}
	tap_is_uint(rlog_writer_next_string(writer), 25, "the next string is known");
	tap_is_uint(rlog_writer_next_def(writer), UINT64_C(2) * SAMPLE_ROUNDS,
	            "the next definition is known");
	tap_is_uint(rlog_writer_next_event(writer, 2), SAMPLE_STREAM_EVENTS,
	            "the next event of a stream is known");
	tap_is_uint(rlog_writer_next_event(writer, 9), 0, "a new stream begins with event 0");
	tap_is_uint(rlog_writer_events(writer), SAMPLE_EVENTS, "the events are counted");
	rlog_writer_destroy(writer);
	(void) close(fd);
}

int main(void)
{
	struct sample_bytes log = sample_make(0);

	test_numbers(&log);
	test_cut(&log);
	test_damaged(&log);
	sample_free(&log);
	return tap_done();
}
