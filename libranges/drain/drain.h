/* SPDX-License-Identifier: MIT */
/* The drain: moves events from a spool to its log. The program, the launcher and recovery share
 * it. */
#ifndef RCAP_DRAIN_H
#define RCAP_DRAIN_H

#include "format/write/writer.h"
#include "libranges/drain/listed.h"
#include "libranges/spool/shrink.h"
#include "libranges/spool/spool.h"

/* Events per chunk: 16384 make about 64 KiB of payload; larger chunks compress no better. */
#define RCAP_DRAIN_ROWS 16384u

struct rcap_drain_triggers;
struct rcap_open_range;

/* What a log says about itself if it holds only the last part of a capture. */
struct rcap_drain_window {
	uint64_t ticks; /* complete from here on */
	uint64_t mono_ns;
	uint64_t begin_ticks; /* start of the log: up to `ticks` some events are missing */
	uint64_t begin_ns;
	uint64_t taken_ns;
	const char *by;
	const char *why; /* "": no reason to give */
	uint32_t number; /* 0: the final log */
	bool is_cut;     /* there was something before */
};

struct rcap_drain {
	struct rcap_spool *spool; /* borrowed */
	struct rlog_writer *writer;
	struct rlog_batch batch;
	uint64_t *written_ns;  /* by stream index: time of the last write; CLOCK_MONOTONIC */
	uint64_t flush_ns;     /* how long events may wait */
	uint64_t next_sync_ns; /* when the next clock point is due */
	uint64_t sync_step_ns;
	struct rcap_arena_position arena; /* up to where the log has names and definitions */
	struct rcap_listed listed;        /* the streams that it lists */
	uint32_t freed;                   /* blocks freed in this turn */
	struct rcap_shrink shrink;
	/* While the capture is switched: what was dropped, and what a new log must begin with. */
	struct rcap_drain_cycles *cycles; /* NULL: not switched. Then the next two are NULL, too */
	void (*free_cycles)(struct rcap_drain *drain);
	void (*follow)(struct rcap_drain *drain, uint32_t index); /* called for each batch */
	/* The watcher of conditions (triggers.h); NULL: there are none. It is called when a batch
	 * begins, at each end of a range in the batch, and for the rest of the batch. */
	struct rcap_drain_triggers *triggers;
	void (*free_triggers)(struct rcap_drain *drain);
	void (*begin_batch)(struct rcap_drain *drain);
	void (*range_closed)(struct rcap_drain *drain, const struct rcap_open_range *range,
	                     uint64_t ticks);
	void (*watch)(struct rcap_drain *drain, uint32_t index);
	uint64_t until; /* ticks: later events belong to another phase */
	uint64_t limit; /* ticks: later events wait for another round */
	/* For a capture that keeps only its last part (keep.h); else NULL. */
	int (*begin_piece)(struct rcap_drain *drain, struct rlog_error *err);
	int (*turn_piece)(struct rcap_drain *drain, bool is_over, struct rlog_error *err);
	int (*finish_pieces)(struct rcap_drain *drain, const char *status, struct rlog_error *err);
	uint64_t piece_bytes;   /* size of the present piece when it was begun */
	uint32_t piece_strings; /* how many are older than the piece before it; 0 in other logs */
	const struct rcap_drain_window *window; /* of the log being written; NULL: it has none */
	bool is_dropping;                       /* the capture is not on: events are not written */
	int fd;
	void (*pause)(void); /* called between two batches, with nothing held; may be NULL */
	bool is_cramped;     /* given up: only losses and the end still fit in the log */
	/* runs in the program: shares the capture's clock, and frees blocks to the pool */
	bool is_owner;
};

/*
 * Initializes; opens nothing.
 *
 * Return: 0, -RLOG_E_NO_MEMORY. Context of all functions here: one thread; they allocate and write
 * files.
 */
int rcap_drain_init(struct rcap_drain *drain, struct rcap_spool *spool, bool is_owner);

/* Frees everything, closes the fd; the log stays as it is. Safe after a failed init. */
void rcap_drain_fini(struct rcap_drain *drain);

/*
 * Creates the log (header->output, or the next free name) and writes the capture facts. For a
 * capture that keeps only its last part, it creates a piece.
 *
 * Return: 0, or -code of system and writer; may be called again.
 */
int rcap_drain_create_log(struct rcap_drain *drain, struct rlog_error *err);

/*
 * Makes a name that a log of this process may have.
 *
 * @attempt: 0 for the first try. @snapshot: its number; 0: not a snapshot. Return: false if there
 * is none.
 */
bool rcap_drain_name(const struct rcap_spool_header *header, unsigned attempt, uint32_t snapshot,
                     char *path, size_t size);

struct rcap_drain_number {
	unsigned attempt;
	uint32_t snapshot;
};

/* As above with another pattern; this process may use all of its names. */
bool rcap_drain_name_by(const struct rcap_spool_header *header, const char *pattern,
                        const struct rcap_drain_number *number, char *path, size_t size);

/* How many names are tried. */
#define RCAP_DRAIN_ATTEMPTS 1000u

/* Begins a log in drain->fd, an empty file. */
int rcap_drain_begin_log(struct rcap_drain *drain, struct rlog_error *err);

/* Writes what a log says about the capture. */
int rcap_drain_put_capture(struct rcap_drain *drain, struct rlog_error *err);

/* The writer's settings. */
struct rlog_writer_options rcap_drain_options(const struct rcap_drain *drain);

/* Moves a file to a number that programs do not close. */
int rcap_drain_move_high(int fd);

/* Stores which file the log is. A death halfway leaves a spool without a log.
 * Return: 0, or -1. */
int rcap_drain_note_log(struct rcap_spool_header *header, int fd, const char *path);

/* Closes the log's file, which stays as it is. */
void rcap_drain_leave_log(struct rcap_drain *drain);

/* The file at header->log_path does not exist, or is not the log; nothing was done. */
#define RCAP_DRAIN_NO_LOG 1

/*
 * Opens the log at header->log_path to continue it.
 *
 * Return: 0, RCAP_DRAIN_NO_LOG, or -code, as rlog_writer_resume().
 */
int rcap_drain_resume_log(struct rcap_drain *drain, struct rlog_error *err);

/* As rcap_drain_resume_log(), but continues a copy of the log under the name of header->output;
 * the log stays as it is. */
int rcap_drain_copy_log(struct rcap_drain *drain, struct rlog_error *err);

/*
 * Writes what is due: streams that have a full chunk, have events older than flush_ms, or have
 * ended; with `all` everything.
 *
 * @written: gets the number of events.
 * Return: 0, or the writer's -code: nothing is lost, call again later.
 */
int rcap_drain_cycle(struct rcap_drain *drain, bool all, uint64_t *written, struct rlog_error *err);

/*
 * As above, and passes the switches of the capture: writes or drops the events up to each, begins
 * the log of a cycle, and closes it once it is whole.
 *
 * @all: everything that is published. A switch is passed when threads have had some ms to publish
 * what comes before it, or have ended. Return: as above; what could not be done is left to the next
 * call.
 */
int rcap_drain_turn(struct rcap_drain *drain, bool all, uint64_t *written, struct rlog_error *err);

/* True if the capture should have a log now, by the switches that the drain has passed. */
bool rcap_drain_wants_log(const struct rcap_spool *spool);

/* True if there is a switch that the drain has not passed. */
bool rcap_drain_is_switching(const struct rcap_drain *drain);

/* True if the drain has nothing to do until somebody wakes it. */
bool rcap_drain_is_idle(const struct rcap_drain *drain);

/* Drops the events of a stream up to `at`. @index: of the stream. */
void rcap_drain_drop(struct rcap_drain *drain, struct rcap_stream *stream, uint32_t index,
                     struct rcap_position at);

/* Adds the counts of a stream that ends to the sums of the process. */
void rcap_drain_keep_sums(struct rcap_drain *drain, struct rcap_stream *stream);

/* Calls of the program that were not to be recorded. */
uint64_t rcap_drain_outside(const struct rcap_spool *spool);

/* Writes the names and definitions that the log lacks. */
int rcap_drain_write_names(struct rcap_drain *drain, struct rlog_error *err);

/* Writes a clock point for now. Only where ticks are comparable: in the program, or on the same
 * boot. */
int rcap_drain_sync_clock(struct rcap_drain *drain, struct rlog_error *err);

/*
 * Gives up writing events: those in the spool become a loss (write_error) of their streams, and
 * only rcap_drain_finish() is left to call.
 *
 * @drain: NULL or without a writer: there is no log.
 */
void rcap_drain_give_up(struct rcap_drain *drain, struct rcap_spool *spool);

/* True if the log is still at its path. */
bool rcap_drain_finds_log(const struct rcap_spool_header *header);

/* Writes names, definitions, losses and closes the log. @status: see rlog_writer_finish(). */
int rcap_drain_finish(struct rcap_drain *drain, const char *status, struct rlog_error *err);

/* Makes END report the counts of calls that made no sense. */
void rcap_drain_tell_oddities(struct rcap_drain *drain);

/* Sums over all streams of a spool, those that have ended included. */
struct rcap_drain_sum {
	uint64_t rows;     /* written, to any log */
	uint64_t remarks;  /* of these, those that the program did not make: losses, depths, data */
	uint64_t lost;     /* all causes, but lost names alone */
	uint64_t nameless; /* events that only lost their name */
	uint64_t bad_records; /* part of lost: damaged records */
	uint64_t full;        /* part of lost: the buffer had no room */
};

/* Facts in END that only the log of a cycle, or of the last part, has. */
#define RCAP_DRAIN_END_FACTS 5

/* Fills in these facts. Return: how many. */
size_t rcap_drain_end_facts(const struct rcap_drain *drain, struct rlog_fact *facts,
                            struct rlog_string *text);

/* Events lost by all causes in an array [RLOG_CAUSES]. Events that only lack their name do not
 * count. */
uint64_t rcap_drain_add_causes(const uint64_t *lost);

void rcap_drain_sum(const struct rcap_spool *spool, struct rcap_drain_sum *out);

/* Events that the spool still holds. */
uint64_t rcap_drain_count_left(const struct rcap_spool *spool);

/* Events lost by all causes, those of ended streams included; without lost names alone. */
uint64_t rcap_drain_total_lost(const struct rcap_spool *spool);

#endif
