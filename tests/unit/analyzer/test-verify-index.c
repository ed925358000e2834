/* SPDX-License-Identifier: MIT */
/* Tests that each chunk of a log has its row in an INDEX chunk, even if an INDEX gets full during a
 * call of the writer. */
#include <inttypes.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "analyzer/inspect/verify.h"
#include "format/columns/encode.h"
#include "format/write/writer.h"
#include "tests/tap.h"

static void tell(void *context, uint64_t offset, const char *message)
{
	(void) context;
	tap_diag("%" PRIu64 ": %s", offset, message);
}

/* A log of so many chunks, and two more by one call. */
static void *write_log(size_t chunks, size_t *size)
{
	const struct rlog_writer_options options = { .tag = 7, .level = 1 };
	const struct rlog_clock_point point = { .ticks = 1, .mono_ns = 1 };
	const int fd = memfd_create("log", 0);
	struct rlog_writer *writer = NULL;
	struct rlog_error err = { .message = "no memory" };
	int code = fd < 0 ? -1 : rlog_writer_create(&writer, fd, &options, &err);
	void *bytes;

	for (size_t i = 0; i < chunks && code == 0; i++) {
		code = rlog_writer_put_clock(writer, &point, 1, &err);
	}
	code = code != 0 ? code : rlog_writer_put_capture(writer, NULL, 0, &err);
	code = code != 0 ? code : rlog_writer_put_clock(writer, &point, 1, &err);
	code = code != 0 ? code : rlog_writer_finish(writer, "clean", 0, &err);
	if (code != 0) {
		tap_bail("cannot write a log: %s", err.message);
	}
	rlog_writer_destroy(writer);
	*size = (size_t) lseek(fd, 0, SEEK_END);
	bytes = malloc(*size);
	if (bytes == NULL || pread(fd, bytes, *size, 0) != (ssize_t) *size) {
		tap_bail("cannot read the log");
	}
	close(fd);
	return bytes;
}

static void test_index(size_t chunks)
{
	struct ra_verify verify = { .finding = tell };
	struct rlog_reader *reader = NULL;
	struct rlog_error err;
	size_t size = 0;
	void *const bytes = write_log(chunks, &size);

	if (rlog_reader_open_memory(&reader, bytes, size, &err) != 0) {
		tap_bail("cannot read the log: %s", err.message);
	}
	verify.reader = reader;
	tap_is_int(ra_verify_index(&verify), 0, "%zu chunks, then two at once: checked", chunks);
	tap_is_uint(verify.findings, 0, "each has its row, and each row its chunk");
	rlog_reader_close(reader);
	free(bytes);
}

int main(void)
{
	test_index(10);
	test_index(RLOG_ENCODE_MAX_ROWS - 2);
	test_index(RLOG_ENCODE_MAX_ROWS - 1);
	return tap_done();
}
