/* SPDX-License-Identifier: MIT */
/* Writes a log: turns rows into chunks and appends them to a file, whole chunks or nothing. */
#ifndef RLOG_WRITER_H
#define RLOG_WRITER_H

#include <stdbool.h>

#include "format/batch.h"
#include "format/error.h"
#include "format/tables.h"

/*
 * Context of all functions here: a writer is used by one thread at a time. They allocate and make
 * system calls (pwrite, ftruncate), so never call them from a signal handler. Functions that return
 * int return 0 or -code, and fill err (which may be NULL). After a failed write the file is cut
 * back to its last whole chunk. The caller may then repeat the call: nothing was written and no row
 * was taken.
 */
struct rlog_writer;
struct rlog_chunk_header;

struct rlog_writer_options {
	uint32_t tag;              /* random file tag */
	int level;                 /* compression level 1…9; 0: store uncompressed */
	bool recovered;            /* true: mark chunks as recovered */
	uint64_t checkpoint_bytes; /* write a checkpoint whenever the file has grown by this; 0:
	                            * RLOG_CHECKPOINT_BYTES */
	uint64_t reserve_bytes;    /* space kept for what follows rlog_writer_spend_reserve(); 0:
	                            * none */
};

/*
 * Starts an empty log.
 *
 * @fd: open for reading and writing, borrowed until rlog_writer_destroy(). The log begins at offset
 * 0.
 */
int rlog_writer_create(struct rlog_writer **out, int fd, const struct rlog_writer_options *options,
                       struct rlog_error *err);

/*
 * Continues a log that was not closed, or was closed too early. Reads from the chunks' headers what
 * is there. Cuts off a torn tail, the END chunk and the trailer. Ignores options->tag, and uses the
 * file's own tag.
 *
 * Return: also -RLOG_E_NOT_A_LOG if the file has no whole chunk, and what rlog_reader_open()
 * returns. The file is then unchanged.
 */
int rlog_writer_resume(struct rlog_writer **out, int fd, const struct rlog_writer_options *options,
                       struct rlog_error *err);

/* Frees the writer. Closes neither the log (see rlog_writer_finish) nor the fd. NULL is allowed. */
void rlog_writer_destroy(struct rlog_writer *writer);

/*
 * Writes the CAPTURE chunk twice. The writer adds the fact `format`. Texts over 65535 bytes are
 * cut.
 *
 * Return: also -RLOG_E_FULL if the facts take more than 1 MiB.
 */
int rlog_writer_put_capture(struct rlog_writer *writer, const struct rlog_fact *facts, size_t count,
                            struct rlog_error *err);

/*
 * Writes strings with the ids first_id, first_id+1, … in as many chunks as needed. Keeps copies for
 * checkpoints. Silently skips ids below rlog_writer_next_string(), so a caller may offer strings
 * that are in the file already. Cuts strings over 65535 bytes.
 *
 * Return: also -RLOG_E_ARGUMENT for an id of 0, for a first id beyond the next one, and for ids
 * over RLOG_MAX_STRINGS.
 */
int rlog_writer_put_strings(struct rlog_writer *writer, uint32_t first_id,
                            const struct rlog_string *strings, size_t count,
                            struct rlog_error *err);

/*
 * Writes definitions with the ordinals first, first+1, … Skips ordinals that are written already.
 * Keeps copies for checkpoints.
 *
 * Return: also -RLOG_E_ARGUMENT for a first ordinal beyond the next one, and for ordinals over
 * RLOG_MAX_DEFS.
 */
int rlog_writer_put_defs(struct rlog_writer *writer, uint64_t first, const struct rlog_def *defs,
                         size_t count, struct rlog_error *err);

/*
 * Writes the batch as one chunk, or as several if the payload would exceed 1 MiB. Up to 16384 rows
 * with the usual attributes always fit in one.
 *
 * @batch: at least one row. `sequence` must be rlog_writer_next_event(). A higher one leaves a gap,
 * which readers report as missing rows. Of `flags`, LAST and RECOVERED are used; FIRST and UNSORTED
 * are computed here.
 * @lost_so_far: number of events of this stream that were dropped before the end of the batch, for
 * all causes.
 * Return: also -RLOG_E_ARGUMENT for a batch that is empty, is of stream 0, or has events that are
 * in the file already.
 */
int rlog_writer_put_events(struct rlog_writer *writer, const struct rlog_batch *batch,
                           uint64_t lost_so_far, struct rlog_error *err);

int rlog_writer_put_clock(struct rlog_writer *writer, const struct rlog_clock_point *points,
                          size_t count, struct rlog_error *err);

/*
 * Writes a chunk whose payload is packed already: EVENTS or CLOCK from another log, or a private
 * type. EVENTS become the next events of their stream, and CLOCK points the next clock points,
 * whatever sequence the header has.
 *
 * @header: the caller sets type, flags, stream, count, lost, times, raw and stored bytes; the rest
 * is filled in.
 * Return: also -RLOG_E_ARGUMENT for other types, EVENTS of stream 0, and payloads that are too
 * large.
 */
int rlog_writer_put_packed(struct rlog_writer *writer, const struct rlog_chunk_header *header,
                           const void *payload, struct rlog_error *err);

int rlog_writer_put_losses(struct rlog_writer *writer, const struct rlog_loss *losses, size_t count,
                           struct rlog_error *err);

/*
 * Writes a checkpoint (tables again, INDEX) if the file has grown by options->checkpoint_bytes
 * since the last one.
 */
int rlog_writer_checkpoint(struct rlog_writer *writer, struct rlog_error *err);

/*
 * Sets how often each oddity occurred, for END. A later call replaces the earlier numbers.
 *
 * @counts: RLOG_ODDITIES numbers; [0] is unused.
 */
void rlog_writer_set_oddities(struct rlog_writer *writer, const uint64_t *counts);

/* Adds keys to END. @facts: at most RLOG_WRITER_END_FACTS; borrowed until the log is finished. */
#define RLOG_WRITER_END_FACTS 10
void rlog_writer_set_end_facts(struct rlog_writer *writer, const struct rlog_fact *facts,
                               size_t count);

/* Lets chunks use the reserved space from now on. Only losses and the end of the log may follow. */
void rlog_writer_spend_reserve(struct rlog_writer *writer);

/*
 * Closes the log: writes the tables again if due, INDEX, END and the trailer. No rows may follow.
 *
 * @status: "clean" or "recovered".
 * @lost: total number of lost events.
 */
int rlog_writer_finish(struct rlog_writer *writer, const char *status, uint64_t lost,
                       struct rlog_error *err);

/*
 * Returns the last batch's list of outer ranges, which also tells what is open after the batch.
 * NULL if the batch has no list, or is in several chunks. The list is valid until the next call
 * that writes.
 */
const struct rlog_outer *rlog_writer_borrow_outer(const struct rlog_writer *writer);

/* Returns the first string id that is not in the file yet. */
uint32_t rlog_writer_next_string(const struct rlog_writer *writer);

/* Returns the first definition ordinal that is not in the file yet. */
uint64_t rlog_writer_next_def(const struct rlog_writer *writer);

/* Returns the ordinal of the next event of a stream: 0 if the file has no event of the stream. */
uint64_t rlog_writer_next_event(const struct rlog_writer *writer, uint32_t stream);

/* Returns the number of clock points in the file. */
uint64_t rlog_writer_clock_points(const struct rlog_writer *writer);

/* Returns the size of the file in bytes. */
uint64_t rlog_writer_size_bytes(const struct rlog_writer *writer);

/* Returns the number of events in the file, of all streams. */
uint64_t rlog_writer_events(const struct rlog_writer *writer);

#endif
