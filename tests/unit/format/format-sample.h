/* SPDX-License-Identifier: MIT */
/* Small logs for the tests of format/, and what a reader must find in them. */
#ifndef FORMAT_SAMPLE_H
#define FORMAT_SAMPLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "format/chunk.h"
#include "format/read/reader.h"
#include "format/write/writer.h"

/* True in a build with a sanitizer of memory or threads: gcc has macros for them, clang features.
 */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SAMPLE_SANITIZED 1
#elif defined(__has_feature)
#define SAMPLE_SANITIZED (__has_feature(address_sanitizer) || __has_feature(thread_sanitizer))
#else
#define SAMPLE_SANITIZED 0
#endif

/* Logs for the tests of the format. If one cannot be made, the test program ends (tap_bail()). */

#define SAMPLE_TAG 0x5EEDF00Du

struct sample_bytes {
	uint8_t *bytes; /* owned */
	size_t size;
};

/* A file in memory, empty. */
int sample_open_memory(void);

/* Everything that is in a file now. */
struct sample_bytes sample_read_file(int fd);
void sample_free(struct sample_bytes *bytes);

/* Random numbers, the same in each run. @state: not 0. */
uint64_t sample_random(uint64_t *state);

/* A writer of a new log in `fd`. */
struct rlog_writer *sample_create(int fd, int level);

/* The parts of the standard sample: all chunk types, several streams, checkpoints. */
#define SAMPLE_STREAMS 3u
#define SAMPLE_ROUNDS  4u
#define SAMPLE_ROWS    60u

/* Batch `round` of a stream, as it was or should be written. Made once, lives as long as the
 * program. */
const struct rlog_batch *sample_batch(uint32_t stream, uint32_t round);

/*
 * Writes the sample. Whatever the writer has already is skipped, as a recovering program does it.
 *
 * @rounds: how many of SAMPLE_ROUNDS.
 * Return: 0, or the first error of the writer.
 */
int sample_write(struct rlog_writer *writer, uint32_t rounds, struct rlog_error *err);

/* One call of the writer after the other; sample_write() makes steps 0 … SAMPLE_STEPS(rounds)-1. */
#define SAMPLE_ROUND_STEPS   10u
#define SAMPLE_STEPS(rounds) (2 + SAMPLE_ROUND_STEPS * (rounds))
int sample_step(struct rlog_writer *writer, uint32_t step, struct rlog_error *err);

/* The whole sample, finished. */
struct sample_bytes sample_make(int level);

/* True if the two batches hold the same rows and attributes. */
bool sample_same_batch(const struct rlog_batch *a, const struct rlog_batch *b);

/*
 * Looks at all that a reader found in a sample, whole or damaged.
 *
 * @events: set to the events that could be read.
 * Return: NULL if nothing is wrong, else what is: something that was never written.
 */
const char *sample_find_lie(const struct rlog_reader *reader, uint64_t *events);

/* Events of a whole sample. */
#define SAMPLE_STREAM_EVENTS ((uint64_t) SAMPLE_ROUNDS * SAMPLE_ROWS)
#define SAMPLE_EVENTS        (SAMPLE_STREAMS * SAMPLE_STREAM_EVENTS)

/*
 * Appends a chunk with any payload, its CRCs in order.
 *
 * @header: what the test cares about; tag, sizes and CRC are filled in where they are 0.
 */
void sample_forge(struct sample_bytes *log, struct rlog_chunk_header header, const void *payload,
                  size_t bytes);

/* Every n-th case is enough where a run is slow (sanitizers, valgrind); 1 elsewhere. */
size_t sample_stride(void);

#endif
