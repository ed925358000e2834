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
	uint32_t cycles;    /* number of logs that the process made; `path` is that of the last
	                     * one */
	bool is_numbered;   /* names of logs have the cycle's number, or there are several logs */
	bool was_recovered; /* the program had not closed the log */
	bool was_ending;    /* the program was ending, and did not wait until all was written */
};

struct rcap_ranges_logs {
	struct rcap_ranges_log *logs; /* owned; the root process' log first, then by name */
	const char *domains;          /* RANGES_DOMAINS of the run, borrowed; NULL or "": all */
	const char *program;          /* name of the program, borrowed; NULL: unknown */
	/* the program was killed, or it is not known; set by the caller */
	bool was_killed;
	bool was_loaded; /* a process of the run had loaded libranges.so */
	size_t count;
	size_t capacity;
	uint64_t events;
	uint64_t lost;
	uint64_t full; /* Events lost because a buffer was full; included in `lost`. most_full,
	                * buffer_bytes, bound and grow_error are of the process that lost most of
	                * them. */
	uint64_t most_full;
	uint64_t buffer_bytes; /* size of that process' buffer */
	uint32_t bound;        /* what limited that size: enum rcap_room_bound */
	int grow_error;        /* errno if the buffer could not grow to that size, else 0 */
	uint64_t bad_records;
	uint64_t nameless; /* events in the logs that have no name */
	/* calls while captures were off or warming up, or before the kept part */
	uint64_t outside;
	uint64_t kept;                           /* number of processes that kept only the last
	                                          * part */
	struct rcap_ranges_logs_kept *kept_only; /* owned: the results of those processes; NULL if
	                                          * there are none */
	uint64_t cycles;                /* number of logs of captures that were switched on and
	                                 * off */
	uint64_t refused;               /* number of switches that were refused because they came
	                                 * too fast */
	uint64_t switched;              /* number of processes whose capture was switched */
	uint64_t steps;                 /* steps begun by the process with the most steps */
	uint64_t first_on_step;         /* number of steps before the schedule switches on; 0: there
	                                 * is no schedule */
	bool is_planned;                /* a schedule, a range or the time switched the capture */
	char plan[RCAP_SCHEDULE_BYTES]; /* text of the schedule or the range; "": there is
	                                 * neither */
	uint64_t threads;
	uint64_t size_bytes;
	char gpu_note[256]; /* why a process has no GPU data; "" if all have it or need none */
	size_t alone;       /* number of processes without a spool; these report themselves */
	size_t spools;      /* number of spools found */
	size_t alive;       /* number of spools left alone because the program lives */
	size_t busy;        /* number of spools left alone because another recovery works on them */
	size_t done;        /* number of spools that another recovery completed meanwhile */
	size_t unused;      /* number of removed spools of programs that were killed before they
	                     * recorded anything */
	size_t gone;        /* number of closed logs that are not at their path; already reported */
	uint64_t wait_ms;   /* how long to wait for another recovery; set by the caller */
	size_t failed;      /* number of spools that could not be completed and are kept; already
	                     * reported */
};

/*
 * Completes the log of one spool, removes the spool, and adds to the totals. Leaves spools of
 * living processes alone.
 *
 * @output: name of the log; NULL: the program's choice. If the log gets another name, this is
 * reported.
 * Return: 0, or -code of enum rlog_error_code (-RLOG_E_NO_MEMORY …): already reported.
 */
int rcap_ranges_logs_add_spool(struct rcap_ranges_logs *out, const char *spool, const char *output);

/*
 * Completes all spools of a directory, in the order of their names. Removes the directory if it is
 * then empty.
 *
 * @output: name of the first log; other logs get a number. NULL: the programs' choice.
 * Return: 0, or the errno value of reading the directory: not reported.
 */
int rcap_ranges_logs_add_directory(struct rcap_ranges_logs *out, const char *directory,
                                   const char *output);

/* Removes the directory of a run after its last spool, if its name is like ranges-XXXXXX. Programs
 * without a launcher share ranges-UID, which stays. */
void rcap_ranges_logs_remove_directory(const char *spool);

/* Puts the log of this process first. If the process has several logs, puts the log of its first
 * program first. */
void rcap_ranges_logs_sort(struct rcap_ranges_logs *logs, int64_t root_pid);

/* Prints the line about the logs on stderr: events, threads, losses, files. @spools: folder with
 * the spools of living processes. */
void rcap_ranges_logs_report(const struct rcap_ranges_logs *logs, const char *spools);

/* Frees what the struct owns. The struct may be all zero. */
void rcap_ranges_logs_fini(struct rcap_ranges_logs *logs);

#endif
