/* SPDX-License-Identifier: MIT */
/* Completes the log of a process that has died, from its spool. */
#ifndef RCAP_RECOVER_H
#define RCAP_RECOVER_H

#include <stdbool.h>
#include <stdint.h>

#include "format/error.h"
#include "libranges/settings/schedule.h"
#include "libranges/spool/kept.h"

struct rcap_recover_options {
	const char *output; /* pattern of the log's name; NULL: the program's pattern */
	int64_t wait_ms;    /* how long to wait while another recovery works */
};

/* At most this many snapshots of a process are reported by name. */
#define RCAP_RECOVER_TOLD 5u

/* Results of a capture that kept only its last part. */
struct rcap_recover_kept {
	uint32_t snapshots; /* number of snapshots written */
	uint32_t skipped;   /* number of snapshots that triggers asked for, but that were not
	                     * written */
	uint32_t told;      /* number of elements of `logs`: the last snapshots, in order */
	struct rcap_kept_log logs[RCAP_RECOVER_TOLD];
	char when[RCAP_KEPT_WHEN_BYTES]; /* text of RANGES_WHEN */
	/* For each condition: how many steps, ranges or values came, and how often the condition
	 * was met. */
	uint64_t seen[RCAP_TRIGGERS];
	uint64_t met[RCAP_TRIGGERS];
	uint64_t unnamed[RCAP_TRIGGERS]; /* number of ranges without a name that may match the
	                                  * condition */
};

struct rcap_recover_result {
	int64_t pid;
	bool was_ending; /* the program was ending in order, but had not written everything */
	bool was_closed; /* the program had closed its log, and recorded nothing after that */
	/* The log is not at `begun` any more: deleted, moved, or replaced by another file. */
	bool is_elsewhere;
	uint64_t events; /* events of the program in the log */
	uint64_t lost;   /* events lost by all causes, including `missing` */
	/* Events lost because the buffer was full; included in `lost`. The next members are the
	 * buffer's greatest size, an enum rcap_room_bound that says what limited this size, and the
	 * errno value of a failure to grow; 0 if it did not fail. */
	uint64_t full;
	uint64_t buffer_bytes;
	uint32_t bound;
	int grow_error;
	/* Events in a log that is elsewhere, or cut off from this log, or in pieces that were
	 * missing. */
	uint64_t missing;
	uint64_t left; /* events left in the spool, if the log could not be written */
	uint64_t bad_records;
	uint64_t nameless; /* events in the log without a name, because there were too many names */
	/* Calls while the capture was off or warming up, or before the kept part. */
	uint64_t outside;
	bool is_kept; /* the capture kept only its last part */
	struct rcap_recover_kept kept;
	uint64_t steps;                 /* steps begun by the program */
	uint64_t first_on_step;         /* number of steps before the schedule switches on; 0 if
	                                 * there is no schedule */
	uint32_t refused;               /* number of switches refused because the drain was too far
	                                 * behind */
	uint32_t cycles;                /* number of logs of cycles; `path` is the last of them */
	bool is_switched;               /* the capture was not on from start to end */
	bool is_planned;                /* a schedule, a range or the time switched the capture */
	bool is_numbered;               /* names of logs have the cycle's number, or there are
	                                 * several logs */
	char plan[RCAP_SCHEDULE_BYTES]; /* text of the schedule or the range; "": there is
	                                 * neither */
	uint32_t threads;
	uint64_t size_bytes; /* size of the log */
	char program[256];   /* file name of the program, or the end of its name */
	bool is_unsure;      /* the program is in another pid namespace and has no locks, so it may
	                      * live */
	char begun[4096];    /* path at which the log was begun, if that is not `path`; else "" */
	char path[4096];     /* path of the log; "": there is none */
	char note[256];      /* why the program had trouble writing its log; "" if it had none */
	/* Why GPU data is missing, completely or from some time on; "" if it is not missing, or was
	 * not asked for. */
	char gpu_note[256];
};

/* Reasons why nothing was done. */
enum rcap_recover_refusal {
	RCAP_RECOVER_ALIVE = 1, /* the program lives */
	RCAP_RECOVER_BUSY,      /* another recovery worked for longer than wait_ms */
	RCAP_RECOVER_GONE,      /* another recovery has just completed the log */
	RCAP_RECOVER_UNUSED,    /* nothing was recorded; the spool is removed */
};

/*
 * Completes the log of a spool: writes the data that only the spool has, closes the log, and
 * removes the spool. Fills the result, also for a log that was closed in order. Continues the file
 * that the program had begun, if that is still at its path. Otherwise begins another file under a
 * free name. With options->output it copies the log and completes the copy.
 *
 * Return: 0; otherwise the spool is still there: enum rcap_recover_refusal, or -code (of the spool,
 * of system calls, of the writer).
 * Context: not in the traced process; one thread. It may be called again after an error, or after
 * this process died at any point: nothing is written twice.
 */
int rcap_recover_spool(const char *spool_path, const struct rcap_recover_options *options,
                       struct rcap_recover_result *out, struct rlog_error *err);

/*
 * Fills the result from the present state of the spool. Changes nothing.
 *
 * Return, context: as rcap_recover_spool().
 */
int rcap_recover_look(const char *spool_path, struct rcap_recover_result *out,
                      struct rlog_error *err);

#endif
