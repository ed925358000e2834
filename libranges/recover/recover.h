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
	const char *output; /* pattern of the log's name; NULL: the program's */
	int64_t wait_ms;    /* how long to wait for another recovery */
};

/* At most this many snapshots of a process are listed by name. */
#define RCAP_RECOVER_TOLD 5u

/* Results of a capture that kept only its last part. */
struct rcap_recover_kept {
	uint32_t snapshots; /* written */
	uint32_t skipped;   /* asked for by triggers, but not written */
	uint32_t told;      /* entries in logs: the last ones, in order */
	struct rcap_kept_log logs[RCAP_RECOVER_TOLD];
	char when[RCAP_KEPT_WHEN_BYTES]; /* RANGES_WHEN */
	/* For each of its conditions: how many steps, ranges or values came, and how often it
	 * was met. */
	uint64_t seen[RCAP_TRIGGERS];
	uint64_t met[RCAP_TRIGGERS];
	uint64_t unnamed[RCAP_TRIGGERS]; /* ranges that may match but have no name */
};

struct rcap_recover_result {
	int64_t pid;
	bool was_ending; /* it was ending in order, but had not written everything */
	bool was_closed; /* the program had closed its log, and recorded nothing after that */
	/* the log is not at `begun` any more: deleted, moved, or another file has that name */
	bool is_elsewhere;
	uint64_t events; /* of the program, in the log */
	uint64_t lost;   /* all causes, `missing` included */
	/* Part of lost: the buffer was full. The next fields are the buffer's greatest size, an
	 * enum rcap_room_bound that says what set this size, and the errno value of a failure to
	 * grow; 0: there was none. */
	uint64_t full;
	uint64_t buffer_bytes;
	uint32_t bound;
	int grow_error;
	/* Events in a log that is elsewhere, or cut off from this one, or in pieces that were
	 * gone. */
	uint64_t missing;
	uint64_t left; /* in the spool, if the log could not be written */
	uint64_t bad_records;
	uint64_t nameless; /* events in the log that have no name, because there were too many */
	/* calls while the capture was off or warming up, or before the kept part */
	uint64_t outside;
	bool is_kept; /* it kept only the last part */
	struct rcap_recover_kept kept;
	uint64_t steps;                 /* begun by the program */
	uint64_t first_on_step;         /* steps until its schedule switches on; 0: no schedule */
	uint32_t refused;               /* switches refused because the drain was too far behind */
	uint32_t cycles;                /* logs by cycles: `path` is the last of them */
	bool is_switched;               /* the capture was not simply on from start to end */
	bool is_planned;                /* switched by a schedule, a range or the time */
	bool is_numbered;               /* log names have the cycle's number, or there are many */
	char plan[RCAP_SCHEDULE_BYTES]; /* the schedule, or the range; "": neither */
	uint32_t threads;
	uint64_t size_bytes; /* of the log */
	char program[256];   /* name of its file, or the end of that */
	bool is_unsure;      /* it is in another pid namespace, and has no locks: it may live */
	char begun[4096];    /* where the log was begun, if that is not `path`; "" */
	char path[4096];     /* of the log; "": there is none */
	char note[256];      /* why the program had trouble writing its log; "": it had none */
	/* why GPU data is missing, wholly or from some time on; "": it is not missing, or was not
	 * asked for */
	char gpu_note[256];
};

/* Reasons for doing nothing. */
enum rcap_recover_refusal {
	RCAP_RECOVER_ALIVE = 1, /* the program lives */
	RCAP_RECOVER_BUSY,      /* another recovery worked for longer than wait_ms */
	RCAP_RECOVER_GONE,      /* another recovery has just completed it */
	RCAP_RECOVER_UNUSED,    /* nothing was recorded; the spool is removed */
};

/*
 * Completes the log of a spool: writes the data that only the spool has, closes the log, and
 * removes the spool. Fills the result, also for a log that was closed in order. Continues the file
 * that the program had begun, if that is still at its path; otherwise begins another one under a
 * free name. With options->output it copies the log and completes the copy.
 *
 * Return: 0, an enum rcap_recover_refusal, or -code (of the spool, of system calls, of the writer):
 * the spool is still there. Context: not in the traced process; one thread. Calling it again is
 * safe, after an error or after this process died at any point: nothing is written twice.
 */
int rcap_recover_spool(const char *spool_path, const struct rcap_recover_options *options,
                       struct rcap_recover_result *out, struct rlog_error *err);

/*
 * Fills the result from the spool as it is now, and changes nothing.
 *
 * Return and context: as above.
 */
int rcap_recover_look(const char *spool_path, struct rcap_recover_result *out,
                      struct rlog_error *err);

#endif
