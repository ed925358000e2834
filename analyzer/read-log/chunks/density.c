/* SPDX-License-Identifier: MIT */
/* Detects logs that claim more events than their bytes can hold (doc/format.md, section 10). */
#include "analyzer/read-log/chunks/density.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/side/pool.h"
#include "format/wire.h"

/*
 * Most bytes of memory that a command takes for an event, with a small margin: at most 154 bytes
 * were seen, for logs that were made to take much.
 */
#define EVENT_BYTES 160u

/* The part of the 64 MiB and 2 KiB per byte of the file that events may take. The rest is for the
 * program itself, and for the file's pages and chunks. */
#define FREE_BYTES     (UINT64_C(54) << 20)
#define BYTES_PER_BYTE 2000u

/* Sanitizers keep freed memory, and end the program when they reach a limit. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define HAS_SANITIZER true
#elif defined(__has_feature)
#define HAS_SANITIZER (__has_feature(address_sanitizer) || __has_feature(thread_sanitizer))
#else
#define HAS_SANITIZER false
#endif

/* The RLIMIT_DATA that ra_density_bound() set; 0: none. */
static rlim_t bound;

/* True if memory was limited by somebody else. */
static bool is_memory_limited(void)
{
	struct rlimit limit;

	return getrlimit(RLIMIT_DATA, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY &&
	       limit.rlim_cur != bound;
}

static uint64_t count_events(const struct rlog_reader *reader)
{
	uint64_t events = 0;
	size_t count;
	const struct rlog_chunk *chunks = rlog_reader_borrow_chunks(reader, &count);

	for (size_t i = 0; i < count; i++) {
		events += chunks[i].type == RLOG_CHUNK_EVENTS ? chunks[i].count : 0;
	}
	return events;
}

int ra_density_check(const struct rlog_reader *reader, struct rlog_error *err)
{
	const uint64_t size = rlog_reader_size_bytes(reader);
	const uint64_t events = count_events(reader);

	if (events <= RLOG_FREE_ROWS + RLOG_EVENTS_PER_BYTE * size || is_memory_limited()) {
		return 0;
	}
	return rlog_error_set(err, RLOG_E_TOO_DENSE, RLOG_NO_OFFSET,
	                      "%" PRIu64 " events in %" PRIu64 " bytes: no recording packs so "
	                      "well; --max-memory=SIZE reads it within that memory",
	                      events, size);
}

/* The number of bytes that count for RLIMIT_DATA now. Return: 0: unknown. */
static uint64_t data_bytes(void)
{
	char line[256] = "";
	char *at = line;
	uint64_t pages = 0;
	FILE *file = fopen("/proc/self/statm", "re");

	if (file == NULL) {
		return 0;
	}
	/* The size of data is the sixth number in the line. */
	if (fgets(line, sizeof(line), file) != NULL) {
		for (int i = 0; i < 6; i++) {
			pages = strtoull(at, &at, 10);
		}
	}
	fclose(file);
	return pages * (uint64_t) sysconf(_SC_PAGESIZE);
}

static void set_limit(rlim_t bytes)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_DATA, &limit) == 0 && bytes <= limit.rlim_max) {
		limit.rlim_cur = bytes;
		(void) setrlimit(RLIMIT_DATA, &limit);
	}
}

void ra_density_lift(void)
{
	if (bound != 0) {
		set_limit(RLIM_INFINITY);
		ra_alloc_set_hint(NULL);
		bound = 0;
	}
}

static uint64_t room_of(uint64_t size)
{
	return FREE_BYTES + BYTES_PER_BYTE * size;
}

void ra_density_bound(const struct rlog_reader *reader)
{
	const uint64_t size = rlog_reader_size_bytes(reader);

	if (count_events(reader) > room_of(size) / EVENT_BYTES) {
		ra_density_bound_size(size);
	}
}

void ra_density_bound_size(uint64_t size)
{
	const uint64_t used = data_bytes();

	if (ra_pool_is_task()) {
		ra_alloc_end(); /* because the limit is for the whole process, only the thread that
		                   owns the work sets it */
	}
	if (!HAS_SANITIZER && used != 0 && bound == 0 && !is_memory_limited()) {
		bound = used + room_of(size);
		set_limit(bound);
		ra_alloc_set_hint("; --max-memory=SIZE allows for more");
	}
}

const char *ra_density_tell_end(void)
{
	return bound != 0 ? "its events take more than 64 MiB and 2 KiB for each byte of the file; "
	                    "--max-memory=SIZE reads it within that memory"
	                  : "not enough memory for the events";
}

bool ra_density_is_bound(void)
{
	return bound != 0;
}
