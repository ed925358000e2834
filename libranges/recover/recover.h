/* SPDX-License-Identifier: MIT */
/* Completing the log of a process that has died, out of its spool. */
#ifndef RCAP_RECOVER_H
#define RCAP_RECOVER_H

#include <stdbool.h>
#include <stdint.h>

#include "format/error.h"
#include "libranges/settings/schedule.h"
#include "libranges/spool/kept.h"

struct rcap_recover_options {
	const char *output; /* pattern of the log's name; NULL: as the program wanted it */
	int64_t wait_ms;    /* for another recovery that is under way */
};

/* Snapshots of a process that are told of by name. */
#define RCAP_RECOVER_TOLD 5u

/* What came of a capture that kept its last part only. */
struct rcap_recover_kept {
	uint32_t snapshots; /* written */
	uint32_t skipped;   /* that triggers asked for, and were not */
	uint32_t told;      /* the last ones, in order */
	struct rcap_kept_log logs[RCAP_RECOVER_TOLD];
	char when[RCAP_KEPT_WHEN_BYTES]; /* RANGES_WHEN */
	/* Of each of its conditions: steps, ranges or values that came, and how often it was met.
	 */
	uint64_t seen[RCAP_TRIGGERS];
	uint64_t met[RCAP_TRIGGERS];
	uint64_t unnamed[RCAP_TRIGGERS]; /* ranges that may be meant, and have no name */
};

struct rcap_recover_result {
	int64_t pid;
	bool was_ending;   /* it was at its end in order, and had written not all yet */
	bool was_closed;   /* the program had closed its log and nothing came after that */
	bool is_elsewhere; /* the log that was begun is not at `begun` any more: deleted, moved, or
	                      another file has that name */
	uint64_t events;   /* of the program's, in the log */
	uint64_t lost;     /* all causes, `missing` included */
	/* In a log that is elsewhere, or cut off from this one, or in pieces that were not there.
	 */
	uint64_t missing;
	uint64_t left; /* in the spool, when the log could not be written */
	uint64_t bad_records;
	uint64_t nameless; /* events in the log without their name: there were too many */
	uint64_t outside;  /* calls while the capture was off or warming up, or too old */
	bool is_kept;      /* the last part only */
	struct rcap_recover_kept kept;
	uint64_t steps;         /* that the program began */
	uint64_t first_on_step; /* steps until its schedule is on; 0: it has none */
	uint32_t refused;       /* switches that the drain was too far behind for */
	uint32_t cycles;        /* logs: `path` is the last of them */
	bool is_switched;       /* the capture was not just on from start to end */
	bool is_planned;        /* a schedule decides, or a range, or the time */
	bool is_numbered;       /* the name of each log has its cycle's number, or there are many */
	char plan[RCAP_SCHEDULE_BYTES]; /* the schedule, or the range; "": neither */
	uint32_t threads;
	uint64_t size_bytes; /* of the log */
	char program[256];   /* name of its file, or its end */
	bool is_unsure;      /* of another pid namespace, and it knows no locks */
	char begun[4096];    /* where the log was begun, if that is not `path`; "" */
	char path[4096];     /* of the log, "" if there is none */
	char note[256];      /* trouble the program had in writing the log, "" if none */
	char gpu_note[256];  /* why there is no GPU data, or none from some time on, "" if there is
	                        or nobody asked for it */
};

/* Why nothing was done. */
enum rcap_recover_refusal {
	RCAP_RECOVER_ALIVE = 1, /* the program lives */
	RCAP_RECOVER_BUSY,      /* somebody else is at it, for longer than wait_ms */
	RCAP_RECOVER_GONE,      /* somebody else has completed it just now */
	RCAP_RECOVER_UNUSED,    /* nothing was recorded; the spool is removed */
};

/*
 * Writes to the log what the spool holds and the log does not, closes it, fills the result (also
 * for a log that was closed in order), and removes the spool.
 *
 * The log is the file that the program had begun, if that still is the file of its name. Else
 * another one is begun under a name that is free. With options->output the log is copied, and the
 * copy completed.
 *
 * Return: 0, an enum rcap_recover_refusal, or -code (of the spool, of system calls, of the writer):
 * the spool is still there. Context: not in the traced process; one thread; calling it again after
 * an error, or after a death at any point, is safe and writes nothing twice.
 */
int rcap_recover_spool(const char *spool_path, const struct rcap_recover_options *options,
                       struct rcap_recover_result *out, struct rlog_error *err);

/*
 * Fills the result with what the spool says now, and changes nothing.
 *
 * Return and context: as above.
 */
int rcap_recover_look(const char *spool_path, struct rcap_recover_result *out,
                      struct rlog_error *err);

#endif
