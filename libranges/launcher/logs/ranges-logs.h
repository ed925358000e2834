/* SPDX-License-Identifier: MIT */
/* After the end of a program: completes the logs of the spools it left, and says what came of it.
 */
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
	uint32_t cycles;    /* logs that the process has made; `path` is the last */
	bool is_numbered;   /* their names have the numbers of cycles, or there are many */
	bool was_recovered; /* the program had not closed it */
	bool was_ending;    /* by its program's end, which does not wait for all */
};

struct rcap_ranges_logs {
	struct rcap_ranges_log *logs; /* owned; root first, then by name */
	const char *domains;          /* RANGES_DOMAINS of the run, borrowed; NULL or "": all */
	const char *program;          /* its name, borrowed; NULL: not known */
	bool was_killed;              /* it, or nobody knows: set by the caller */
	bool was_loaded;              /* libranges.so was, by a process of the run */
	size_t count;
	size_t capacity;
	uint64_t events;
	uint64_t lost;
	uint64_t bad_records;
	uint64_t nameless; /* events in them without their name */
	uint64_t outside;  /* calls while captures were off or warming up, or too old */
	uint64_t kept;     /* processes of which the last part was kept */
	struct rcap_ranges_logs_kept *kept_only; /* owned: what came of them; NULL: nothing */
	uint64_t cycles;                /* logs of captures that were switched on and off */
	uint64_t refused;               /* switches that came too fast */
	uint64_t switched;              /* processes that had such a capture */
	uint64_t steps;                 /* the most that one of them began */
	uint64_t first_on_step;         /* steps until the schedule is on; 0: there is none */
	bool is_planned;                /* a schedule decides, or a range, or the time */
	char plan[RCAP_SCHEDULE_BYTES]; /* the schedule, or the range; "": neither */
	uint64_t threads;
	uint64_t size_bytes;
	char gpu_note[256]; /* why a process has no GPU data, "" if all have or need none */
	size_t alone;       /* processes that had no spool and report for themselves */
	size_t spools;      /* seen */
	size_t alive;       /* left alone: the owner still runs */
	size_t busy;        /* left alone: another recovery is at it */
	size_t done;        /* completed by another recovery in the meantime */
	size_t unused;    /* of programs that were killed before they recorded anything; removed */
	size_t gone;      /* closed, but the file is not where it was: said */
	uint64_t wait_ms; /* for another recovery. Set by the caller */
	size_t failed;    /* could not be completed, and that has been said; the spool is kept */
};

/*
 * Completes the log of one spool file and removes the spool; adds to the totals. Spools of living
 * processes are left.
 *
 * @output: name of the log, NULL: the one the program wanted. What is not as it was wanted is said.
 * Return: 0, or -code of enum rlog_error_code (-RLOG_E_NO_MEMORY …): said already.
 */
int rcap_ranges_logs_add_spool(struct rcap_ranges_logs *out, const char *spool, const char *output);

/*
 * All spools of a directory, in order of their names; removes the directory if nothing is left in
 * it.
 *
 * @output: for the first log, the others get a number; NULL: as the programs wanted.
 * Return: 0, or the errno value that made the directory unreadable: not said.
 */
int rcap_ranges_logs_add_directory(struct rcap_ranges_logs *out, const char *directory,
                                   const char *output);

/* Removes the directory of a run after its last spool: ranges-XXXXXX, not ranges-UID, which
 * programs without a launcher share. */
void rcap_ranges_logs_remove_directory(const char *spool);

/* Brings the log of this process to the front; of several, that of its first program. */
void rcap_ranges_logs_sort(struct rcap_ranges_logs *logs, int64_t root_pid);

/* One line on stderr: events, threads, losses, files. @spools: where the spools of living processes
 * are. */
void rcap_ranges_logs_report(const struct rcap_ranges_logs *logs, const char *spools);

/* Frees what the struct owns; it may be zero. */
void rcap_ranges_logs_fini(struct rcap_ranges_logs *logs);

#endif
