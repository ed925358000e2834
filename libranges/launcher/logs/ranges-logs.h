/* SPDX-License-Identifier: MIT */
/* After the end of a program: completes the logs of the spools it left, and reports them. */
#ifndef RCAP_RANGES_LOGS_H
#define RCAP_RANGES_LOGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "libranges/settings/config.h"
#include "libranges/launcher/logs/ranges-logs-kept.h"

struct rcap_ranges_log {
	char path[RCAP_CONFIG_PATH_BYTES];
	int64_t pid;
	uint64_t events;
	uint64_t lost;
	uint64_t threads;
	uint64_t size_bytes;
	uint32_t cycles;    /* number of logs that the process made; `path` is the last */
	bool is_numbered;   /* log names have the cycle's number, or there are many */
	bool was_recovered; /* the program had not closed it */
	bool was_ending;    /* its program was ending, which does not wait for all */
};

struct rcap_ranges_logs {
	struct rcap_ranges_log *logs; /* owned; root first, then by name */
	const char *domains;          /* RANGES_DOMAINS of the run, borrowed; NULL or "": all */
	const char *program;          /* name of the program, borrowed; NULL: unknown */
	/* the program was killed, or nobody knows; set by the caller */
	bool was_killed;
	bool was_loaded; /* a process of the run had loaded libranges.so */
	size_t count;
	size_t capacity;
	uint64_t events;
	uint64_t lost;
	uint64_t full; /* part of lost: a buffer was full. Of the process that lost most by that: */
	uint64_t most_full;
	uint64_t buffer_bytes; /* … what its buffer could hold … */
	uint32_t bound;        /* … what set that, enum rcap_room_bound … */
	int grow_error;        /* … and why it could not even grow so far; errno, 0: it could */
	uint64_t bad_records;
	uint64_t nameless; /* events in the logs without a name */
	/* calls while captures were off or warming up, or before the kept part */
	uint64_t outside;
	uint64_t kept;                           /* processes that kept only the last part */
	struct rcap_ranges_logs_kept *kept_only; /* owned: results of those; NULL: none */
	uint64_t cycles;                /* logs of captures that were switched on and off */
	uint64_t refused;               /* switches that came too fast */
	uint64_t switched;              /* processes that had such a capture */
	uint64_t steps;                 /* most steps begun by one of them */
	uint64_t first_on_step;         /* steps until the schedule switches on; 0: no schedule */
	bool is_planned;                /* switched by a schedule, a range or the time */
	char plan[RCAP_SCHEDULE_BYTES]; /* the schedule, or the range; "": neither */
	uint64_t threads;
	uint64_t size_bytes;
	char gpu_note[256]; /* why a process has no GPU data, "" if all have or need none */
	size_t alone;       /* processes without a spool, which report themselves */
	size_t spools;      /* found */
	size_t alive;       /* left alone: the owner still runs */
	size_t busy;        /* left alone: another recovery works on it */
	size_t done;        /* completed by another recovery meanwhile */
	size_t unused;      /* of programs killed before they recorded anything; removed */
	size_t gone;        /* closed, but the file is not at its path: reported */
	uint64_t wait_ms;   /* how long to wait for another recovery. Set by the caller */
	size_t failed;      /* could not be completed: reported; the spool is kept */
};

/*
 * Completes the log of one spool file and removes the spool; adds to the totals. Leaves spools of
 * living processes alone.
 *
 * @output: name of the log, NULL: the program's choice. Any difference is reported.
 * Return: 0, or -code of enum rlog_error_code (-RLOG_E_NO_MEMORY …): already reported.
 */
int rcap_ranges_logs_add_spool(struct rcap_ranges_logs *out, const char *spool, const char *output);

/*
 * Completes all spools of a directory, in order of their names; removes the directory if it is
 * empty then.
 *
 * @output: for the first log, others get a number; NULL: the programs' choice.
 * Return: 0, or the errno value of reading the directory: not reported.
 */
int rcap_ranges_logs_add_directory(struct rcap_ranges_logs *out, const char *directory,
                                   const char *output);

/* Removes the directory of a run after its last spool: ranges-XXXXXX, but not ranges-UID, which
 * programs without a launcher share. */
void rcap_ranges_logs_remove_directory(const char *spool);

/* Puts the log of this process first; if it has several, that of its first program. */
void rcap_ranges_logs_sort(struct rcap_ranges_logs *logs, int64_t root_pid);

/* Prints the line about the logs on stderr: events, threads, losses, files. @spools: where the
 * spools of living processes are. */
void rcap_ranges_logs_report(const struct rcap_ranges_logs *logs, const char *spools);

/* Frees what the struct owns; a zeroed struct is fine. */
void rcap_ranges_logs_fini(struct rcap_ranges_logs *logs);

#endif
