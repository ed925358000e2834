/* SPDX-License-Identifier: MIT */
/* The drain moves events from a spool to its log. The program, the launcher and recovery use it. */
#ifndef RCAP_DRAIN_H
#define RCAP_DRAIN_H

#include "format/write/writer.h"
#include "libranges/drain/listed.h"
#include "libranges/spool/shrink.h"
#include "libranges/spool/spool.h"

/* Events per chunk. 16384 make about 64 KiB of payload; larger chunks would compress no better. */
#define RCAP_DRAIN_ROWS 16384u

struct rcap_drain_triggers;
struct rcap_open_range;

/* What a log says about itself if it holds only the last part of a capture. */
struct rcap_drain_window {
	uint64_t ticks; /* the log is complete from here on */
	uint64_t mono_ns;
	uint64_t begin_ticks; /* start of the log; between here and `ticks` some events are
	                         missing */
	uint64_t begin_ns;
	uint64_t taken_ns;
	const char *by;
	const char *why; /* "": there is no reason to report */
	uint32_t number; /* number of the snapshot; 0: the final log */
	bool is_cut;     /* the capture has an earlier part that was dropped */
};

struct rcap_drain {
	struct rcap_spool *spool; /* borrowed */
	struct rlog_writer *writer;
	struct rlog_batch batch;
	uint64_t *written_ns;  /* by stream index: time of the last write; CLOCK_MONOTONIC */
	uint64_t flush_ns;     /* longest time that events may wait for the next write */
	uint64_t next_sync_ns; /* when the next clock point is due */
	uint64_t sync_step_ns;
	struct rcap_arena_position arena; /* the log has the names and definitions up to here */
	struct rcap_listed listed;        /* the streams that the log lists */
	uint32_t freed;                   /* blocks freed in this turn */
	struct rcap_shrink shrink;
	/* For a capture that is switched on and off: what was dropped, and what a new log must
	 * begin with. */
	struct rcap_drain_cycles *cycles; /* NULL: the capture is not switched; then the next two
	                                     are NULL, too */
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
	uint64_t piece_bytes;   /* size that the present piece had when it was begun */
	uint32_t piece_strings; /* number of strings that are older than the piece before this one;
	                           0 in other logs */
	const struct rcap_drain_window *window; /* of the log being written; NULL: it has none */
	bool is_dropping;                       /* the capture is not on: events are not written */
	int fd;
	void (*pause)(void); /* called between two batches, when no resource is held; may be NULL */
	bool is_cramped;     /* the drain gave up: only losses and the end still fit in the log */
	/* the drain runs in the program: it uses the capture's clock, and frees blocks to the
	 * pool */
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

/* Makes a name from another pattern. This process may use all of that pattern's names. */
bool rcap_drain_name_by(const struct rcap_spool_header *header, const char *pattern,
                        const struct rcap_drain_number *number, char *path, size_t size);

/* At most this many names are tried. */
#define RCAP_DRAIN_ATTEMPTS 1000u

/* Begins a log in drain->fd, which is an empty file. */
int rcap_drain_begin_log(struct rcap_drain *drain, struct rlog_error *err);

/* Writes the facts about the capture. */
int rcap_drain_put_capture(struct rcap_drain *drain, struct rlog_error *err);

/* Returns the writer's settings. */
struct rlog_writer_options rcap_drain_options(const struct rcap_drain *drain);

/* Moves a file to a high descriptor, which programs do not close. Return: its descriptor. */
int rcap_drain_move_high(int fd);

/* Stores which file the log is. If the program dies halfway, the spool has no log. Return: 0, or
 * -1. */
int rcap_drain_note_log(struct rcap_spool_header *header, int fd, const char *path);

/* Closes the log's file, which stays as it is. */
void rcap_drain_leave_log(struct rcap_drain *drain);

/* Returned if no file at header->log_path is the log. Then nothing was done. */
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
 * Writes the streams that are due: those that have a full chunk, have events older than flush_ms,
 * or have ended. With `all` writes everything.
 *
 * @written: gets the number of events.
 * Return: 0, or the writer's -code. Nothing is lost then: call again later.
 */
int rcap_drain_cycle(struct rcap_drain *drain, bool all, uint64_t *written, struct rlog_error *err);

/*
 * Does the same, and handles the switches of the capture: writes or drops the events up to each
 * switch, begins the log of a cycle, and closes that log once it is whole.
 *
 * @all: writes everything that is published. A switch is handled once threads have had some ms to
 * publish earlier events, or have ended. Return: as above; what could not be done is left to the
 * next call.
 */
int rcap_drain_turn(struct rcap_drain *drain, bool all, uint64_t *written, struct rlog_error *err);

/* True if the capture should have a log now, after the switches that the drain has handled. */
bool rcap_drain_wants_log(const struct rcap_spool *spool);

/* True if there is a switch that the drain has not handled. */
bool rcap_drain_is_switching(const struct rcap_drain *drain);

/* True if the drain has nothing to do until another thread wakes it. */
bool rcap_drain_is_idle(const struct rcap_drain *drain);

/* Drops the events of a stream up to `at`. @index: of the stream. */
void rcap_drain_drop(struct rcap_drain *drain, struct rcap_stream *stream, uint32_t index,
                     struct rcap_position at);

/* Adds the counts of a stream that ends to the sums of the process. */
void rcap_drain_keep_sums(struct rcap_drain *drain, struct rcap_stream *stream);

/* Counts calls of the program that were made while the capture was off. */
uint64_t rcap_drain_outside(const struct rcap_spool *spool);

/* Writes the names and definitions that the log lacks. */
int rcap_drain_write_names(struct rcap_drain *drain, struct rlog_error *err);

/* Writes a clock point for now. Call it only where ticks are comparable: in the program, or on the
 * same boot. */
int rcap_drain_sync_clock(struct rcap_drain *drain, struct rlog_error *err);

/*
 * Gives up writing events. Events in the spool become a loss (write_error) of their streams.
 * Afterwards only rcap_drain_finish() may be called.
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
	uint64_t rows;        /* events written to any log */
	uint64_t remarks;     /* part of rows: losses, depths and data, which are not events of the
	                         program */
	uint64_t lost;        /* all causes, without events that only lost their name */
	uint64_t nameless;    /* events that only lost their name */
	uint64_t bad_records; /* part of lost: damaged records */
	uint64_t full;        /* part of lost: the buffer had no room */
};

/* END of a cycle's log, or of a log of the last part, has this many more facts. */
#define RCAP_DRAIN_END_FACTS 5

/* Fills in these facts. Return: their number. */
size_t rcap_drain_end_facts(const struct rcap_drain *drain, struct rlog_fact *facts,
                            struct rlog_string *text);

/* Adds up the events lost by all causes, in an array [RLOG_CAUSES]. Events that only lost their
 * name do not count. */
uint64_t rcap_drain_add_causes(const uint64_t *lost);

void rcap_drain_sum(const struct rcap_spool *spool, struct rcap_drain_sum *out);

/* Counts the events that the spool still holds. */
uint64_t rcap_drain_count_left(const struct rcap_spool *spool);

/* Counts events lost by all causes, also those of ended streams. Events that only lost their name
 * do not count. */
uint64_t rcap_drain_total_lost(const struct rcap_spool *spool);

#endif
