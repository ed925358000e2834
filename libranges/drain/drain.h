/* SPDX-License-Identifier: MIT */
/* The drain moves events from a spool to its log. The program, the launcher and recovery use it. */
#ifndef RCAP_DRAIN_H
#define RCAP_DRAIN_H

#include "format/write/writer.h"
#include "libranges/drain/listed.h"
#include "libranges/spool/shrink.h"
#include "libranges/spool/spool.h"

/* Events per chunk. 16384 events make about 64 KiB of payload. Larger chunks would not compress
 * better. */
#define RCAP_DRAIN_ROWS 16384u

struct rcap_drain_triggers;
struct rcap_open_range;

/* The facts that a log with only the last part of a capture has about itself. */
struct rcap_drain_window {
	uint64_t ticks; /* from here on the log is complete */
	uint64_t mono_ns;
	uint64_t begin_ticks; /* start of the log; some events between here and `ticks` are
	                       * missing */
	uint64_t begin_ns;
	uint64_t taken_ns;
	const char *by;
	const char *why; /* "" if there is no reason to report */
	uint32_t number; /* number of the snapshot; 0 for the final log */
	bool is_cut;     /* true if an earlier part of the capture was dropped */
};

struct rcap_drain {
	struct rcap_spool *spool; /* borrowed */
	struct rlog_writer *writer;
	struct rlog_batch batch;
	uint64_t *written_ns;  /* time of the last write, CLOCK_MONOTONIC; indexed by stream */
	uint64_t flush_ns;     /* longest time that events wait for the next write */
	uint64_t next_sync_ns; /* time of the next clock point */
	uint64_t sync_step_ns;
	struct rcap_arena_position arena; /* names and definitions up to here are in the log */
	struct rcap_listed listed;        /* the streams that the log lists */
	uint32_t freed;                   /* number of blocks freed in this turn */
	struct rcap_shrink shrink;
	/* For a capture that is switched on and off: what was dropped, and what a new log must
	 * begin with. */
	struct rcap_drain_cycles *cycles; /* NULL if the capture is not switched; the next two
	                                   * members are then NULL, too */
	void (*free_cycles)(struct rcap_drain *drain);
	void (*follow)(struct rcap_drain *drain, uint32_t index); /* called for each batch */
	/* The watcher of conditions (triggers.h); NULL if there are none. The drain calls it when a
	 * batch begins, for each range that ends in the batch, and for the batch as a whole. */
	struct rcap_drain_triggers *triggers;
	void (*free_triggers)(struct rcap_drain *drain);
	void (*begin_batch)(struct rcap_drain *drain);
	void (*range_closed)(struct rcap_drain *drain, const struct rcap_open_range *range,
	                     uint64_t ticks);
	void (*watch)(struct rcap_drain *drain, uint32_t index);
	uint64_t until; /* in ticks: later events belong to another phase */
	uint64_t limit; /* in ticks: later events wait for another round */
	/* For a capture that keeps only its last part (keep.h); NULL for other captures. */
	int (*begin_piece)(struct rcap_drain *drain, struct rlog_error *err);
	int (*turn_piece)(struct rcap_drain *drain, bool is_over, struct rlog_error *err);
	int (*finish_pieces)(struct rcap_drain *drain, const char *status, struct rlog_error *err);
	uint64_t piece_bytes;   /* size that the present piece had after it was begun */
	uint32_t piece_strings; /* number of strings that are older than the previous piece; 0 if
	                         * there are no pieces */
	const struct rcap_drain_window *window; /* what the log being written says about itself;
	                                         * NULL for a complete log */
	bool is_dropping;                       /* the capture is off: events are dropped */
	int fd;
	void (*pause)(void); /* called between two batches, when the drain holds no lock or memory;
	                      * may be NULL */
	bool is_cramped;     /* the drain has given up: only losses and the end still fit in the
	                      * log */
	/* True if the drain runs in the program. Then it uses the capture's clock, and returns free
	 * blocks to the pool. */
	bool is_owner;
};

/*
 * Initializes the struct. Opens nothing.
 *
 * Return: 0, -RLOG_E_NO_MEMORY. Context of all functions here: one thread; they allocate and write
 * files.
 */
int rcap_drain_init(struct rcap_drain *drain, struct rcap_spool *spool, bool is_owner);

/* Frees everything and closes the fd. The log stays as it is. Safe after a failed init. */
void rcap_drain_fini(struct rcap_drain *drain);

/*
 * Creates the log (header->output, or the next free name) and writes the facts about the capture.
 * If the capture keeps only its last part, creates a piece.
 *
 * Return: 0, or -code of the system or the writer. It may then be called again.
 */
int rcap_drain_create_log(struct rcap_drain *drain, struct rlog_error *err);

/*
 * Makes a name that a log of this process may have.
 *
 * @attempt: 0 for the first try. @snapshot: number of the snapshot; 0: not a snapshot. Return:
 * false if there is no such name.
 */
bool rcap_drain_name(const struct rcap_spool_header *header, unsigned attempt, uint32_t snapshot,
                     char *path, size_t size);

struct rcap_drain_number {
	unsigned attempt;
	uint32_t snapshot;
};

/* Makes a name from another pattern. This process may use any name of that pattern. */
bool rcap_drain_name_by(const struct rcap_spool_header *header, const char *pattern,
                        const struct rcap_drain_number *number, char *path, size_t size);

/* At most this many names are tried. */
#define RCAP_DRAIN_ATTEMPTS 1000u

/* Begins a log in drain->fd, which must be an empty file. */
int rcap_drain_begin_log(struct rcap_drain *drain, struct rlog_error *err);

/* Writes the facts about the capture. */
int rcap_drain_put_capture(struct rcap_drain *drain, struct rlog_error *err);

/* Returns the writer's settings. */
struct rlog_writer_options rcap_drain_options(const struct rcap_drain *drain);

/* Moves a file to a high descriptor, because programs do not close those. Return: the new
 * descriptor. */
int rcap_drain_move_high(int fd);

/* Stores in the spool which file the log is. If the program dies in between, the spool has no log.
 * Return: 0, or -1. */
int rcap_drain_note_log(struct rcap_spool_header *header, int fd, const char *path);

/* Closes the log's file without a change to it. */
void rcap_drain_leave_log(struct rcap_drain *drain);

/* Result of rcap_drain_resume_log(): there is no file at header->log_path, or it is not the log.
 * Nothing was changed. */
#define RCAP_DRAIN_NO_LOG 1

/*
 * Opens the log at header->log_path to continue it.
 *
 * Return: 0, RCAP_DRAIN_NO_LOG, or -code, as rlog_writer_resume().
 */
int rcap_drain_resume_log(struct rcap_drain *drain, struct rlog_error *err);

/* Continues a copy of the log under the name of header->output. The log itself stays as it is.
 * Return: as rcap_drain_resume_log(). */
int rcap_drain_copy_log(struct rcap_drain *drain, struct rlog_error *err);

/*
 * Writes the streams that are due: those that can fill a chunk, have events older than flush_ms, or
 * have ended. With `all` writes everything.
 *
 * @written: gets the number of events.
 * Return: 0, or the writer's -code. Nothing is lost then, and it may be called again.
 */
int rcap_drain_cycle(struct rcap_drain *drain, bool all, uint64_t *written, struct rlog_error *err);

/*
 * Does the same as rcap_drain_cycle(), and handles the switches of the capture: writes or drops the
 * events up to each switch, begins the log of a cycle, and closes that log once it is complete.
 *
 * @all: writes everything that is published. A switch is handled some ms after it happened, so that
 * threads can publish earlier events, or when the threads have ended. Return: as
 * rcap_drain_cycle(). What could not be done is left to the next call.
 */
int rcap_drain_turn(struct rcap_drain *drain, bool all, uint64_t *written, struct rlog_error *err);

/* True if the capture should have a log now, considering the switches that the drain has
 * handled. */
bool rcap_drain_wants_log(const struct rcap_spool *spool);

/* True if there is a switch that the drain has not handled. */
bool rcap_drain_is_switching(const struct rcap_drain *drain);

/* True if the drain has nothing to do until another thread wakes it. */
bool rcap_drain_is_idle(const struct rcap_drain *drain);

/* Drops the events of a stream up to `at`. @index: index of the stream. */
void rcap_drain_drop(struct rcap_drain *drain, struct rcap_stream *stream, uint32_t index,
                     struct rcap_position at);

/* Adds the counts of a stream that has ended to the sums of the process. */
void rcap_drain_keep_sums(struct rcap_drain *drain, struct rcap_stream *stream);

/* Returns how many calls the program has made while the capture was off. */
uint64_t rcap_drain_outside(const struct rcap_spool *spool);

/* Writes the names and definitions that the log lacks. */
int rcap_drain_write_names(struct rcap_drain *drain, struct rlog_error *err);

/* Writes a clock point with the present time. Call it only where ticks are comparable: in the
 * program, or in the same boot of the machine. */
int rcap_drain_sync_clock(struct rcap_drain *drain, struct rlog_error *err);

/*
 * Gives up writing events. The events in the spool are counted as lost (write_error) in their
 * streams. Afterwards only rcap_drain_finish() may be called.
 *
 * @drain: NULL or without a writer if there is no log.
 */
void rcap_drain_give_up(struct rcap_drain *drain, struct rcap_spool *spool);

/* True if the log is still at its path. */
bool rcap_drain_finds_log(const struct rcap_spool_header *header);

/* Writes names, definitions and losses, and closes the log. @status: see rlog_writer_finish(). */
int rcap_drain_finish(struct rcap_drain *drain, const char *status, struct rlog_error *err);

/* Passes the counts of calls that made no sense to the writer, for END. */
void rcap_drain_tell_oddities(struct rcap_drain *drain);

/* Sums over all streams of a spool, including streams that have ended. */
struct rcap_drain_sum {
	uint64_t rows;        /* events written to any log */
	uint64_t remarks;     /* rows of losses, depths and data, which are not events of the
	                       * program; included in `rows` */
	uint64_t lost;        /* for all causes, without events that lost only their name */
	uint64_t nameless;    /* events that lost only their name */
	uint64_t bad_records; /* damaged records; included in `lost` */
	uint64_t full;        /* events for which the buffer had no room; included in `lost` */
};

/* END has this many more facts in a cycle's log, and in a log with only the last part. */
#define RCAP_DRAIN_END_FACTS 5

/* Fills in those facts. Return: their number. */
size_t rcap_drain_end_facts(const struct rcap_drain *drain, struct rlog_fact *facts,
                            struct rlog_string *text);

/* Returns the sum of lost events over all causes. @lost: an array [RLOG_CAUSES]. Events that lost
 * only their name are not counted. */
uint64_t rcap_drain_add_causes(const uint64_t *lost);

void rcap_drain_sum(const struct rcap_spool *spool, struct rcap_drain_sum *out);

/* Returns the number of events that are still in the spool. */
uint64_t rcap_drain_count_left(const struct rcap_spool *spool);

/* Returns the number of events lost by all causes, in all streams, including ended ones. Events
 * that lost only their name are not counted. */
uint64_t rcap_drain_total_lost(const struct rcap_spool *spool);

#endif
