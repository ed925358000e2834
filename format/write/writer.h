/* SPDX-License-Identifier: MIT */
/* Writes a log: turns rows into chunks and appends them to a file, whole chunks or nothing. */
#ifndef RLOG_WRITER_H
#define RLOG_WRITER_H

#include <stdbool.h>

#include "format/batch.h"
#include "format/error.h"
#include "format/tables.h"

/*
 * Context of all functions here: one thread at a time per writer. They allocate and make system
 * calls (pwrite, ftruncate), so never call them from a signal handler. Every function returns 0 or
 * -code and fills err (may be NULL). After a failed write the file is cut back to its last whole
 * chunk. The same call may be repeated then: nothing was written and no row was taken.
 */
struct rlog_writer;
struct rlog_chunk_header;

struct rlog_writer_options {
	uint32_t tag;              /* random file tag */
	int level;                 /* 0: store; 1…9: compression level */
	bool recovered;            /* mark chunks as recovered */
	uint64_t checkpoint_bytes; /* file growth between checkpoints; 0: RLOG_CHECKPOINT_BYTES */
	uint64_t reserve_bytes;    /* room kept for rlog_writer_spend_reserve(); 0: none */
};

/*
 * Starts an empty log.
 *
 * @fd: open for reading and writing, borrowed until destroy; the log begins at offset 0.
 */
int rlog_writer_create(struct rlog_writer **out, int fd, const struct rlog_writer_options *options,
                       struct rlog_error *err);

/*
 * Continues a log that was not closed, or closed too early: cuts off a torn tail, END chunk and
 * trailer, and reads from the chunks' headers what is there. options->tag is ignored (the file's
 * own is used).
 *
 * Return: also -RLOG_E_NOT_A_LOG if the file has no whole chunk, and what rlog_reader_open()
 * returns; then the file is unchanged.
 */
int rlog_writer_resume(struct rlog_writer **out, int fd, const struct rlog_writer_options *options,
                       struct rlog_error *err);

/* Frees the writer; does not close the log (see rlog_writer_finish) nor the fd. NULL is allowed. */
void rlog_writer_destroy(struct rlog_writer *writer);

/*
 * Writes the CAPTURE chunk twice. The writer adds `format`; texts over 65535 bytes are cut.
 *
 * Return: also -RLOG_E_FULL if the facts take more than 1 MiB.
 */
int rlog_writer_put_capture(struct rlog_writer *writer, const struct rlog_fact *facts, size_t count,
                            struct rlog_error *err);

/*
 * Writes strings first_id, first_id+1, … (over several chunks if needed). Keeps a copy for
 * checkpoints. Ids below rlog_writer_next_string() are skipped silently, so a caller may offer what
 * is there already. Strings over 65535 bytes are cut.
 *
 * Return: also -RLOG_E_ARGUMENT for an id of 0, ids beyond the next one, or over RLOG_MAX_STRINGS.
 */
int rlog_writer_put_strings(struct rlog_writer *writer, uint32_t first_id,
                            const struct rlog_string *strings, size_t count,
                            struct rlog_error *err);

/*
 * Writes definitions with ordinals first, first+1, …; skips ordinals already written. Keeps a copy.
 *
 * Return: also -RLOG_E_ARGUMENT for ordinals beyond the next one, or over RLOG_MAX_DEFS.
 */
int rlog_writer_put_defs(struct rlog_writer *writer, uint64_t first, const struct rlog_def *defs,
                         size_t count, struct rlog_error *err);

/*
 * Writes the batch as one chunk, or as several if the payload would exceed 1 MiB (up to 16384 rows
 * with the usual attributes never do).
 *
 * @batch: at least one row. `sequence` must be rlog_writer_next_event(); a higher one leaves a gap,
 * which readers report as missing rows. Of `flags` LAST and RECOVERED are used; FIRST and UNSORTED
 * are found out here.
 * @lost_so_far: events of this stream that were dropped before the end of the batch, all causes.
 * Return: also -RLOG_E_ARGUMENT for a batch that is empty, of stream 0, or has events that are
 * there already.
 */
int rlog_writer_put_events(struct rlog_writer *writer, const struct rlog_batch *batch,
                           uint64_t lost_so_far, struct rlog_error *err);

int rlog_writer_put_clock(struct rlog_writer *writer, const struct rlog_clock_point *points,
                          size_t count, struct rlog_error *err);

/*
 * Writes a chunk with a payload that is packed already: EVENTS or CLOCK from another log, or a
 * private type. EVENTS are taken for the next ones of their stream, and CLOCK points for the next
 * ones, whatever the header says.
 *
 * @header: type, flags, stream, count, lost, times, raw and stored bytes; the rest is filled in.
 * Return: also -RLOG_E_ARGUMENT for other types, EVENTS of stream 0, and payloads that are too
 * large.
 */
int rlog_writer_put_packed(struct rlog_writer *writer, const struct rlog_chunk_header *header,
                           const void *payload, struct rlog_error *err);

int rlog_writer_put_losses(struct rlog_writer *writer, const struct rlog_loss *losses, size_t count,
                           struct rlog_error *err);

/*
 * Writes a checkpoint (tables again, INDEX) if the file has grown by options->checkpoint_bytes
 * since the last.
 */
int rlog_writer_checkpoint(struct rlog_writer *writer, struct rlog_error *err);

/*
 * Sets how often each oddity occurred, for END; a later call replaces earlier numbers.
 *
 * @counts: RLOG_ODDITIES of them, [0] is unused.
 */
void rlog_writer_set_oddities(struct rlog_writer *writer, const uint64_t *counts);

/* Adds keys to END. @facts: borrowed until the log is finished; RLOG_WRITER_END_FACTS at most. */
#define RLOG_WRITER_END_FACTS 10
void rlog_writer_set_end_facts(struct rlog_writer *writer, const struct rlog_fact *facts,
                               size_t count);

/* Lets chunks use the reserved space from now on: only losses and the end may follow. */
void rlog_writer_spend_reserve(struct rlog_writer *writer);

/*
 * Closes the log: tables again if due, INDEX, END, trailer. No rows may follow.
 *
 * @status: "clean" or "recovered".
 * @lost: total of lost events.
 */
int rlog_writer_finish(struct rlog_writer *writer, const char *status, uint64_t lost,
                       struct rlog_error *err);

/*
 * Returns the list of outer ranges of the last batch, which also says what is open after it. NULL:
 * it has none, or is in several chunks. It is valid until the next call that writes.
 */
const struct rlog_outer *rlog_writer_borrow_outer(const struct rlog_writer *writer);

/* First string id that is not in the file yet. */
uint32_t rlog_writer_next_string(const struct rlog_writer *writer);

/* First definition ordinal that is not in the file yet. */
uint64_t rlog_writer_next_def(const struct rlog_writer *writer);

/* Ordinal of the next event of a stream: 0 for a stream that has none in the file. */
uint64_t rlog_writer_next_event(const struct rlog_writer *writer, uint32_t stream);

/* Clock points in the file so far. */
uint64_t rlog_writer_clock_points(const struct rlog_writer *writer);

/* Bytes of the file so far. */
uint64_t rlog_writer_size_bytes(const struct rlog_writer *writer);

/* Events in the file so far, all streams. */
uint64_t rlog_writer_events(const struct rlog_writer *writer);

#endif
