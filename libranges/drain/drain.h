/* SPDX-License-Identifier: MIT */
/* The drain: moves what stands in a spool into its log. One implementation for the program, the
 * launcher and recovery. */
#ifndef RCAP_DRAIN_H
#define RCAP_DRAIN_H

#include "format/write/writer.h"
#include "libranges/drain/listed.h"
#include "libranges/spool/shrink.h"
#include "libranges/spool/spool.h"

/*
 * Events in a chunk: 16384 make about 64 KiB of payload, beyond which chunks compress no better
 * (facts: performance, section 5).
 */
#define RCAP_DRAIN_ROWS 16384u

struct rcap_drain_triggers;
struct rcap_open_range;

/* What a log says that holds the last part of a capture only. */
struct rcap_drain_window {
	uint64_t ticks; /* from here on nothing is missing */
	uint64_t mono_ns;
	uint64_t begin_ticks; /* of the log: some of what was a little earlier is there, too */
	uint64_t begin_ns;
	uint64_t taken_ns;
	const char *by;
	const char *why; /* "": nothing more is to be said */
	uint32_t number; /* 0: of the end */
	bool is_cut;     /* there was something before */
};

struct rcap_drain {
	struct rcap_spool *spool; /* borrowed */
	struct rlog_writer *writer;
	struct rlog_batch batch;
	uint64_t *written_ns;  /* by stream index: when it was last written; CLOCK_MONOTONIC */
	uint64_t flush_ns;     /* how long events may wait */
	uint64_t next_sync_ns; /* when the next clock point is due */
	uint64_t sync_step_ns;
	struct rcap_arena_position arena; /* what the log has of names and definitions */
	struct rcap_listed listed;        /* the streams that it lists */
	uint32_t freed;                   /* blocks given back in this cycle */
	struct rcap_shrink shrink;
	/* What is dropped, or to be told of when a log begins, while the capture is switched. */
	struct rcap_drain_cycles *cycles; /* NULL: it is not. The next two are as well then */
	void (*free_cycles)(struct rcap_drain *drain);
	void (*follow)(struct rcap_drain *drain, uint32_t index); /* the batch, of that stream */
	/* What looks for conditions (triggers.h); NULL: nothing. A batch is begun, a range in it
	 * ends, and what else is in it. */
	struct rcap_drain_triggers *triggers;
	void (*free_triggers)(struct rcap_drain *drain);
	void (*begin_batch)(struct rcap_drain *drain);
	void (*range_closed)(struct rcap_drain *drain, const struct rcap_open_range *range,
	                     uint64_t ticks);
	void (*watch)(struct rcap_drain *drain, uint32_t index);
	uint64_t until; /* ticks: what comes then is of another phase */
	uint64_t limit; /* ticks: what comes then is not wanted yet */
	/* Of a capture that keeps its last part only (keep.h); NULL: of no other. */
	int (*begin_piece)(struct rcap_drain *drain, struct rlog_error *err);
	int (*turn_piece)(struct rcap_drain *drain, bool is_over, struct rlog_error *err);
	int (*finish_pieces)(struct rcap_drain *drain, const char *status, struct rlog_error *err);
	uint64_t piece_bytes;   /* that the present piece began with */
	uint32_t piece_strings; /* older than the piece before that; 0 in other logs */
	const struct rcap_drain_window
		*window;  /* of the log that is written; NULL: it is no such */
	bool is_dropping; /* the capture is not on: nothing is written */
	int fd;
	void (*pause)(void); /* called between two batches, with nothing held; NULL: not */
	bool is_cramped;     /* given up: nothing but losses and the end find room in the log */
	bool is_owner; /* in the program itself: the clock is that of the capture, blocks go back to
	                  the pool */
};

/*
 * Prepares; opens nothing.
 *
 * Return: 0, -RLOG_E_NO_MEMORY. Context of all functions here: one thread; they allocate and write
 * files.
 */
int rcap_drain_init(struct rcap_drain *drain, struct rcap_spool *spool, bool is_owner);

/* Frees all, closes the fd; the log stays as it is. Safe after a failed init. */
void rcap_drain_fini(struct rcap_drain *drain);

/*
 * Makes the log (header->output, or the next name that is free) and writes the capture facts. Of a
 * capture that keeps its last part only it is a piece of that.
 *
 * Return: 0, or -code of system and writer; may be called again.
 */
int rcap_drain_create_log(struct rcap_drain *drain, struct rlog_error *err);

/*
 * A name that a log of this process may have.
 *
 * @attempt: 0 for the first try. @snapshot: number of it; 0: it is none. Return: false if there is
 * none.
 */
bool rcap_drain_name(const struct rcap_spool_header *header, unsigned attempt, uint32_t snapshot,
                     char *path, size_t size);

struct rcap_drain_number {
	unsigned attempt;
	uint32_t snapshot;
};

/* The same by another pattern, of which all names may be this process'. */
bool rcap_drain_name_by(const struct rcap_spool_header *header, const char *pattern,
                        const struct rcap_drain_number *number, char *path, size_t size);

/* Names that are tried. */
#define RCAP_DRAIN_ATTEMPTS 1000u

/* Begins a log in drain->fd, which is empty. */
int rcap_drain_begin_log(struct rcap_drain *drain, struct rlog_error *err);

/* Writes what a log says of the capture. */
int rcap_drain_put_capture(struct rcap_drain *drain, struct rlog_error *err);

/* The writer's settings. */
struct rlog_writer_options rcap_drain_options(const struct rcap_drain *drain);

/* The same file under a number that programs do not close. */
int rcap_drain_move_high(int fd);

/* Remembers which file the log is. A death on the way leaves a spool whose log was not begun.
 * Return: 0, or -1. */
int rcap_drain_note_log(struct rcap_spool_header *header, int fd, const char *path);

/* Lets go of the file of the log, which stays as it is. */
void rcap_drain_leave_log(struct rcap_drain *drain);

/* Nothing was done: what stands at header->log_path, if anything, is not the log. */
#define RCAP_DRAIN_NO_LOG 1

/*
 * Opens the log that stands in header->log_path to go on with it.
 *
 * Return: 0, RCAP_DRAIN_NO_LOG, or -code, as rlog_writer_resume().
 */
int rcap_drain_resume_log(struct rcap_drain *drain, struct rlog_error *err);

/* As rcap_drain_resume_log(), with a copy of the log under the name of header->output; the log
 * stays as it is. */
int rcap_drain_copy_log(struct rcap_drain *drain, struct rlog_error *err);

/*
 * Writes what is due: streams with a full chunk, with events older than flush_ms, or ended; with
 * `all` everything.
 *
 * @written: gets the number of events.
 * Return: 0, or the writer's -code: nothing is lost, call again later.
 */
int rcap_drain_cycle(struct rcap_drain *drain, bool all, uint64_t *written, struct rlog_error *err);

/*
 * The same, and goes by the switches of the capture: events up to each are written or dropped, and
 * the log of a cycle is begun, or closed as soon as it is whole.
 *
 * @all: everything that is published. A switch is gone by when threads have had some ms to publish
 * what belongs before it, or have ended. Return: as above; what could not be done is done by the
 * next call.
 */
int rcap_drain_turn(struct rcap_drain *drain, bool all, uint64_t *written, struct rlog_error *err);

/* True if the capture is to have a log now, by the switches that the drain has gone by. */
bool rcap_drain_wants_log(const struct rcap_spool *spool);

/* True if there is a switch that it has not gone by. */
bool rcap_drain_is_switching(const struct rcap_drain *drain);

/* True if there is nothing to do for the drain until somebody wakes it. */
bool rcap_drain_is_idle(const struct rcap_drain *drain);

/* Drops the batch of a stream, up to `at`. @index: of the stream. */
void rcap_drain_drop(struct rcap_drain *drain, struct rcap_stream *stream, uint32_t index,
                     struct rcap_position at);

/* What a stream that is dropped has counted goes into the sums of the process. */
void rcap_drain_keep_sums(struct rcap_drain *drain, struct rcap_stream *stream);

/* Calls of the program's that were not to be recorded. */
uint64_t rcap_drain_outside(const struct rcap_spool *spool);

/* Writes what the log has not yet of names and definitions. */
int rcap_drain_write_names(struct rcap_drain *drain, struct rlog_error *err);

/* Writes a clock point of now. Only where ticks are comparable: in the program, or on the same
 * boot. */
int rcap_drain_sync_clock(struct rcap_drain *drain, struct rlog_error *err);

/*
 * What the spool still holds will never be written: it becomes a loss (write_error) of its streams,
 * and what remains to be done for the log is rcap_drain_finish().
 *
 * @drain: NULL or without a writer: there is no log.
 */
void rcap_drain_give_up(struct rcap_drain *drain, struct rcap_spool *spool);

/* True if the log stands under its name. */
bool rcap_drain_finds_log(const struct rcap_spool_header *header);

/* Writes names, definitions, losses and closes the log. @status: see rlog_writer_finish(). */
int rcap_drain_finish(struct rcap_drain *drain, const char *status, struct rlog_error *err);

/* Has END say how often what made no sense in the program's calls. */
void rcap_drain_tell_oddities(struct rcap_drain *drain);

/* What all streams of a spool have come to, those that have ended included. */
struct rcap_drain_sum {
	uint64_t rows;     /* written, to whatever log */
	uint64_t remarks;  /* of them, those that the program did not make: losses, depths, data */
	uint64_t lost;     /* all causes; without mere names */
	uint64_t nameless; /* those */
	uint64_t bad_records; /* of them, damaged */
};

/* Numbers of END that only the log of a cycle, or of the last part, has. */
#define RCAP_DRAIN_END_FACTS 5

/* Fills them. Return: how many. */
size_t rcap_drain_end_facts(const struct rcap_drain *drain, struct rlog_fact *facts,
                            struct rlog_string *text);

/* Events lost, all causes of one array [RLOG_CAUSES]. Those that only lack their name are none. */
uint64_t rcap_drain_add_causes(const uint64_t *lost);

void rcap_drain_sum(const struct rcap_spool *spool, struct rcap_drain_sum *out);

/* Events that the spool still holds. */
uint64_t rcap_drain_count_left(const struct rcap_spool *spool);

/* Events lost, of all causes, streams that have ended included; without mere names. */
uint64_t rcap_drain_total_lost(const struct rcap_spool *spool);

#endif
