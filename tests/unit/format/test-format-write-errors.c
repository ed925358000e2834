/* SPDX-License-Identifier: MIT */
/* Tests failures of write(): the file always has whole chunks, and repeating the failed call makes
 * the same log. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/uio.h>
#include <unistd.h>

#include "format/wire.h"
#include "tests/tap.h"
#include "tests/unit/format/format-sample.h"

/* What calls of pwrite() do; the library's calls end here and not in libc. */
static struct {
	long good;      /* so many do their work, then one fails; -1: all do */
	int error;      /* with this */
	bool partly;    /* and the one before it writes half of what it is told */
	bool for_ever;  /* and all that follow fail too */
	bool bytewise;  /* all write one byte */
	long interrupt; /* so many do their work between two that are interrupted; 0: none are */
	long calls;
} fault;

static ssize_t write_at(int fd, const void *bytes, size_t count, off_t offset)
{
	struct iovec part = { .iov_len = count };

	/* struct iovec has no const, though nothing is written. */
	memcpy(&part.iov_base, &bytes, sizeof(bytes));
	return pwritev(fd, &part, 1, offset);
}

/* Defined in the program, so it stands before libc's. */
ssize_t pwrite(int fd, const void *buf, size_t n, off_t offset)
{
	fault.calls++;
	if (fault.interrupt && fault.calls % (fault.interrupt + 1) == 0) {
		errno = EINTR;
		return -1;
	}
	if (fault.good == 0) {
		if (fault.partly) {
			fault.partly = false;
			return write_at(fd, buf, n / 2 + 1, offset);
		}
		fault.good = fault.for_ever ? 0 : -1;
		errno = fault.error;
		return -1;
	}
	fault.good -= fault.good > 0;
	return write_at(fd, buf, fault.bytewise ? 1 : n, offset);
}

static void reset_fault(void)
{
	memset(&fault, 0, sizeof(fault));
	fault.good = -1;
}

/* True if the file is what the writer says, and has nothing but whole chunks. */
static bool is_whole(const struct rlog_writer *writer, int fd)
{
	struct sample_bytes log = sample_read_file(fd);
	struct rlog_reader *reader = NULL;
	struct rlog_error err;
	size_t damages = 0;
	bool whole = log.size == rlog_writer_size_bytes(writer);

	if (whole && log.size && !rlog_reader_open_memory(&reader, log.bytes, log.size, &err)) {
		(void) rlog_reader_borrow_damages(reader, &damages);
		whole = damages == 0;
	}
	rlog_reader_close(reader);
	sample_free(&log);
	return whole;
}

/* Writes the sample; each call that fails is made again. Return: what is wrong, NULL if nothing is.
 */
static const char *write_with_retries(int fd, int error, struct sample_bytes *out, long *failures)
{
	struct rlog_writer *const writer = sample_create(fd, 1);
	const uint32_t steps = SAMPLE_STEPS(SAMPLE_ROUNDS);
	const char *wrong = NULL;
	struct rlog_error err;

	for (uint32_t step = 0; step <= steps && !wrong; step++) {
		const uint64_t before = rlog_writer_size_bytes(writer);
		int code = step < steps ? sample_step(writer, step, &err)
		                        : rlog_writer_finish(writer, "clean", 6, &err);

		if (code) {
			++*failures;
			wrong = code != -RLOG_E_SYSTEM || err.sys_errno != error ? "another error"
			                                                         : NULL;
			wrong = rlog_writer_size_bytes(writer) < before ? "the log got shorter"
			                                                : wrong;
			wrong = is_whole(writer, fd) ? wrong : "a torn chunk is left";
			step--;
		}
	}
	*out = sample_read_file(fd);
	rlog_writer_destroy(writer);
	return wrong;
}

static void test_once(int error, const char *name, bool partly)
{
	struct sample_bytes wanted = sample_make(1);
	size_t different = 0;
	size_t bad = 0;
	long good = 0;

	for (bool reached = true; reached; good += (long) sample_stride()) {
		const int fd = sample_open_memory();
		struct sample_bytes got = { 0 };
		const char *wrong = NULL;
		long failures = 0;

		reset_fault();
		fault.good = good;
		fault.error = error;
		fault.partly = partly;
		wrong = write_with_retries(fd, error, &got, &failures);
		reached = failures > 0;
		if (wrong && bad++ < 5) {
			tap_diag("write %ld: %s", good, wrong);
		}
		different +=
			got.size != wanted.size || memcmp(got.bytes, wanted.bytes, got.size) != 0;
		sample_free(&got);
		(void) close(fd);
	}
	reset_fault();
	tap_is_uint(bad, 0, "one write of %ld fails with %s%s: whole chunks are left", good, name,
	            partly ? " half way" : "");
	tap_is_uint(different, 0, "and the repeated call makes the same log");
	sample_free(&wanted);
}

static void test_slow(void)
{
	struct sample_bytes wanted = sample_make(1);
	struct sample_bytes got = { 0 };
	const int fd = sample_open_memory();
	long failures = 0;

	reset_fault();
	fault.bytewise = true;
	fault.interrupt = 3;
	(void) write_with_retries(fd, 0, &got, &failures);
	tap_ok(failures == 0 && got.size == wanted.size &&
	               memcmp(got.bytes, wanted.bytes, got.size) == 0,
	       "writes of one byte, every fourth interrupted, make the same log");
	reset_fault();
	sample_free(&got);
	sample_free(&wanted);
	(void) close(fd);
}

/* The disk is full and stays full: every call says so, the file keeps what was whole. */
static void test_for_ever(void)
{
	size_t wrong = 0;

	for (long good = 0; good < 40; good++) {
		const int fd = sample_open_memory();
		struct rlog_writer *const writer = sample_create(fd, 1);
		struct rlog_error err;
		uint64_t before = 0;

		reset_fault();
		fault.good = good;
		fault.error = ENOSPC;
		fault.partly = true;
		fault.for_ever = true;
		wrong += sample_write(writer, SAMPLE_ROUNDS, &err) != -RLOG_E_SYSTEM;
		before = rlog_writer_size_bytes(writer);
		wrong += rlog_writer_finish(writer, "clean", 0, &err) != -RLOG_E_SYSTEM;
		wrong += before != rlog_writer_size_bytes(writer) || !is_whole(writer, fd);
		wrong += err.offset != before || err.sys_errno != ENOSPC;
		rlog_writer_destroy(writer);
		(void) close(fd);
	}
	reset_fault();
	tap_is_uint(wrong, 0, "a disk that stays full is reported, with the offset");
}

static void test_dev_full(void)
{
	const int fd = open("/dev/full", O_RDWR | O_CLOEXEC);
	struct rlog_writer *writer = NULL;
	struct rlog_error err;

	if (fd < 0) {
		tap_skip("/dev/full refuses", "there is none");
		return;
	}
	writer = sample_create(fd, 1);
	tap_ok(sample_write(writer, 1, &err) == -RLOG_E_SYSTEM && err.sys_errno == ENOSPC,
	       "/dev/full is full");
	tap_is_uint(rlog_writer_size_bytes(writer), 0, "and nothing counts as written");
	rlog_writer_destroy(writer);
	(void) close(fd);
}

/* The kernel's own limit: a write that would pass it is cut short first and fails then. */
static void test_file_limit(void)
{
	struct rlimit old;
	char path[] = "/tmp/test-format-XXXXXX";
	const int fd = mkstemp(path);
	size_t wrong = 0;

	if (fd < 0 || getrlimit(RLIMIT_FSIZE, &old) != 0) {
		tap_bail("no temporary file");
	}
	(void) unlink(path);
	(void) signal(SIGXFSZ, SIG_IGN);
	for (rlim_t limit = 100; limit < 12000; limit += 500) {
		const struct rlimit small = { .rlim_cur = limit, .rlim_max = old.rlim_max };
		struct rlog_writer *writer = NULL;
		struct rlog_error err;

		wrong += ftruncate(fd, 0) != 0;
		writer = sample_create(fd, 0);
		(void) setrlimit(RLIMIT_FSIZE, &small);
		wrong += sample_write(writer, SAMPLE_ROUNDS, &err) != -RLOG_E_SYSTEM ||
		         err.sys_errno != EFBIG;
		(void) setrlimit(RLIMIT_FSIZE, &old);
		wrong += !is_whole(writer, fd) || rlog_writer_size_bytes(writer) > limit;
		rlog_writer_destroy(writer);
	}
	tap_is_uint(wrong, 0, "a limit on the size of files leaves whole chunks");
	(void) close(fd);
}

int main(void)
{
	reset_fault();
	test_once(ENOSPC, "ENOSPC", false);
	test_once(EIO, "EIO", true);
	test_slow();
	test_for_ever();
	test_dev_full();
	test_file_limit();
	return tap_done();
}
