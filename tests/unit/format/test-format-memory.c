/* SPDX-License-Identifier: MIT */
/* Tests that, when memory runs out, a call reports it and changes nothing. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "format/wire.h"
#include "tests/tap.h"
#include "tests/unit/format/format-sample.h"

#if SAMPLE_SANITIZED || !defined(__GLIBC__)

int main(void)
{
	tap_skip_all("malloc belongs to the sanitizer, or libc is not glibc");
}

#else

/* So many allocations work, then one fails; -1: all work. */
static long good = -1;
static bool reached;

static bool may_allocate(void)
{
	if (good == 0) {
		good = -1;
		reached = true;
		return false;
	}
	good -= good > 0;
	return true;
}

/* glibc's own, under the names it keeps for such cases. Defined in the program, ours stand before
 * them. */
/* NOLINTBEGIN(readability-identifier-naming) */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t nmemb, size_t size);
void *__libc_realloc(void *ptr, size_t size);
/* NOLINTEND(readability-identifier-naming) */

void *malloc(size_t size)
{
	return may_allocate() ? __libc_malloc(size) : NULL;
}

void *calloc(size_t nmemb, size_t size)
{
	return may_allocate() ? __libc_calloc(nmemb, size) : NULL;
}

void *realloc(void *ptr, size_t size)
{
	return may_allocate() ? __libc_realloc(ptr, size) : NULL;
}

/* All of format/ once, each call again when it fails. Return: failures that are not NO_MEMORY. */
static size_t write_once(int fd, long fail_at)
{
	const struct rlog_writer_options options = {
		.tag = SAMPLE_TAG,
		.level = 1,
		.checkpoint_bytes = 4096,
	};
	const uint32_t steps = SAMPLE_STEPS(SAMPLE_ROUNDS);
	struct rlog_writer *writer = NULL;
	struct rlog_error err;
	size_t wrong = 0;

	good = fail_at;
	while (!writer) {
		const int code = rlog_writer_create(&writer, fd, &options, &err);

		wrong += code && (code != -RLOG_E_NO_MEMORY || writer);
	}
	for (uint32_t step = 0; step <= steps; step++) {
		const int code = step < steps ? sample_step(writer, step, &err)
		                              : rlog_writer_finish(writer, "clean", 6, &err);

		wrong += code && code != -RLOG_E_NO_MEMORY;
		step -= code != 0;
	}
	good = -1;
	rlog_writer_destroy(writer);
	return wrong;
}

static void test_writer(void)
{
	struct sample_bytes wanted = sample_make(1);
	size_t wrong = 0;
	long at = 0;

	for (reached = true; reached; at++) {
		const int fd = sample_open_memory();
		struct sample_bytes got;

		reached = false;
		wrong += write_once(fd, at);
		got = sample_read_file(fd);
		wrong += got.size != wanted.size || memcmp(got.bytes, wanted.bytes, got.size) != 0;
		sample_free(&got);
		(void) close(fd);
	}
	tap_is_uint(wrong, 0,
	            "each of %ld allocations of the writer may fail, and the log is the same",
	            at - 1);
	sample_free(&wanted);
}

/* Opens, decodes all events, closes. Return: 0 or the code of the call that failed. */
static int read_once(const struct sample_bytes *log, uint64_t *events)
{
	struct rlog_batch batch = { 0 };
	struct rlog_reader *reader = NULL;
	const struct rlog_chunk *chunks = NULL;
	struct rlog_error err;
	size_t count = 0;
	int code = rlog_reader_open_memory(&reader, log->bytes, log->size, &err);

	code = code ? code : rlog_batch_init(&batch, 1);
	*events = 0;
	chunks = code ? NULL : rlog_reader_borrow_chunks(reader, &count);
	for (size_t i = 0; i < count && !code; i++) {
		if (chunks[i].type == RLOG_CHUNK_EVENTS) {
			code = rlog_reader_decode_events(reader, &chunks[i], &batch, &err);
			*events += batch.count;
		}
	}
	rlog_batch_fini(&batch);
	rlog_reader_close(reader);
	return code;
}

static void test_reader(void)
{
	struct sample_bytes log = sample_make(1);
	size_t wrong = 0;
	long at = 0;

	for (reached = true; reached; at++) {
		uint64_t events = 0;
		int code = 0;

		reached = false;
		good = at;
		code = read_once(&log, &events);
		good = -1;
		wrong += reached ? code != -RLOG_E_NO_MEMORY : code || events != SAMPLE_EVENTS;
	}
	tap_is_uint(wrong, 0, "each of %ld allocations of the reader may fail, and is reported",
	            at - 1);
	sample_free(&log);
}

static void test_resume(void)
{
	struct sample_bytes log = sample_make(1);
	const int fd = sample_open_memory();
	const struct rlog_writer_options options = { .level = 1 };
	size_t wrong = 0;
	long at = 0;

	for (reached = true; reached; at++) {
		struct rlog_writer *writer = NULL;
		struct sample_bytes after;
		struct rlog_error err;
		int code = 0;

		if (pwrite(fd, log.bytes, log.size, 0) != (ssize_t) log.size) {
			tap_bail("cannot fill a file");
		}
		reached = false;
		good = at;
		code = rlog_writer_resume(&writer, fd, &options, &err);
		good = -1;
		after = sample_read_file(fd);
		wrong += reached ? code != -RLOG_E_NO_MEMORY || after.size != log.size : code != 0;
		rlog_writer_destroy(writer);
		sample_free(&after);
	}
	tap_is_uint(wrong, 0, "each of %ld allocations of a resume may fail, and the file is kept",
	            at - 1);
	sample_free(&log);
	(void) close(fd);
}

int main(void)
{
	test_writer();
	test_reader();
	test_resume();
	return tap_done();
}

#endif
