/* SPDX-License-Identifier: MIT */
/* Tests that several threads can decode one log at once, and that a big log does not fill the
 * memory. */
#include <pthread.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "format/wire.h"
#include "tests/tap.h"
#include "tests/unit/format/format-sample.h"

#define THREADS 4
#define ROWS    16384u

struct job {
	const struct rlog_reader *reader;
	size_t first;
	uint64_t events;
	uint64_t sum; /* of all times and names */
	int code;
	pthread_t thread;
};

static uint32_t name_of(uint64_t row)
{
	return (uint32_t) (row * 7 % 1000);
}

static uint64_t ticks_of(uint64_t row)
{
	return row * 300 + row % 17;
}

/* A log of `chunks` chunks, not compressed so that it is big. */
static void write_log(const char *path, int fd, uint64_t chunks)
{
	const struct rlog_writer_options options = { .tag = 5 };
	struct rlog_writer *writer = NULL;
	struct rlog_batch batch;
	struct rlog_error err;
	uint64_t row = 0;

	if (rlog_writer_create(&writer, fd, &options, &err) || rlog_batch_init(&batch, ROWS)) {
		tap_bail("no writer");
	}
	batch.stream = 1;
	for (uint64_t chunk = 0; chunk < chunks; chunk++) {
		batch.sequence = row;
		for (batch.count = 0; batch.count < ROWS; row++) {
			rlog_batch_append(&batch, ticks_of(row), RLOG_OP_MARK, name_of(row), 0, 0);
		}
		if (rlog_writer_put_events(writer, &batch, 0, &err) ||
		    rlog_writer_checkpoint(writer, &err)) {
			tap_bail("cannot write %s: %s", path, err.message);
		}
	}
	if (rlog_writer_finish(writer, "clean", 0, &err)) {
		tap_bail("cannot finish %s: %s", path, err.message);
	}
	rlog_writer_destroy(writer);
	rlog_batch_fini(&batch);
}

/* Decodes all chunks, each thread from another one on. */
static void *decode(void *data)
{
	struct job *const job = data;
	struct rlog_batch batch = { 0 };
	struct rlog_error err;
	size_t count = 0;
	const struct rlog_chunk *const chunks = rlog_reader_borrow_chunks(job->reader, &count);

	for (size_t i = 0; i < count && !job->code; i++) {
		const struct rlog_chunk *const chunk = &chunks[(job->first + i) % count];

		if (chunk->type != RLOG_CHUNK_EVENTS) {
			continue;
		}
		job->code = rlog_reader_decode_events(job->reader, chunk, &batch, &err);
		job->events += batch.count;
		for (size_t row = 0; row < batch.count; row++) {
			job->sum += batch.ticks[row] + batch.name[row];
		}
	}
	rlog_batch_fini(&batch);
	return NULL;
}

int main(void)
{
	const uint64_t chunks = sample_stride() == 1 ? 1000 : 400;
	char path[] = "/tmp/test-format-XXXXXX";
	const int fd = mkstemp(path);
	struct job jobs[THREADS] = { 0 };
	struct rlog_reader *reader = NULL;
	struct rusage usage;
	struct rlog_error err;
	uint64_t sum = 0;
	size_t wrong = 0;

	if (fd < 0) {
		tap_bail("no temporary file");
	}
	write_log(path, fd, chunks);
	for (uint64_t row = 0; row < chunks * ROWS; row++) {
		sum += ticks_of(row) + name_of(row);
	}
	if (!tap_ok(rlog_reader_open(&reader, path, &err) == 0, "a log of %ld MiB opens",
	            (long) (lseek(fd, 0, SEEK_END) >> 20))) {
		tap_bail("%s", err.message);
	}
	(void) unlink(path);
	for (size_t i = 0; i < THREADS; i++) {
		jobs[i].reader = reader;
		jobs[i].first = i * chunks / THREADS;
		if (pthread_create(&jobs[i].thread, NULL, decode, &jobs[i]) != 0) {
			tap_bail("no thread");
		}
	}
	for (size_t i = 0; i < THREADS; i++) {
		(void) pthread_join(jobs[i].thread, NULL);
		wrong += jobs[i].code || jobs[i].events != chunks * ROWS || jobs[i].sum != sum;
	}
	tap_is_uint(wrong, 0, "%d threads decode all of it at once", THREADS);
	rlog_reader_close(reader);
	(void) close(fd);
	if (sample_stride() == 1) {
		(void) getrusage(RUSAGE_SELF, &usage);
		tap_ok(usage.ru_maxrss < 96L * 1024, "all that in %ld MiB", usage.ru_maxrss / 1024);
	}
	return tap_done();
}
