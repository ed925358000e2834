/* SPDX-License-Identifier: MIT */
/* The table of all RANGES_* environment variables, and their values for this process. */
#ifndef RCAP_CONFIG_H
#define RCAP_CONFIG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "libranges/settings/counts.h"
#include "libranges/settings/cupti-kinds.h"
#include "libranges/settings/filter.h"
#include "libranges/settings/gpu-metrics.h"
#include "libranges/settings/keep-text.h"
#include "libranges/settings/schedule.h"
#include "libranges/settings/trigger.h"

#define RCAP_CONFIG_PATH_BYTES 4096
/* A file that a process makes in the launcher's directory when it has loaded libranges.so. */
#define RCAP_CONFIG_LOADED_MARK ".loaded"
/* Bytes for lines about refused values. Lines that do not fit are left out. */
#define RCAP_CONFIG_REFUSED_BYTES 512

enum rcap_threads {
	RCAP_THREADS_ON,  /* a thread of ours writes the log */
	RCAP_THREADS_OFF, /* the launcher writes the log, or the program when it exits */
};

enum rcap_on_full {
	RCAP_ON_FULL_DROP,  /* newest events are dropped and counted */
	RCAP_ON_FULL_BLOCK, /* the program waits for the drain */
};

/*
 * The values of all variables. Sizes are in bytes. Paths are "" if not set. The struct has 18 KiB,
 * so keep it in static memory, not on the program's stacks.
 */
struct rcap_config {
	char output[RCAP_CONFIG_PATH_BYTES];      /* a pattern: see output.h */
	char spool_dir[RCAP_CONFIG_PATH_BYTES];   /* "": the place is chosen automatically */
	char nvtx_chain[RCAP_CONFIG_PATH_BYTES];  /* "": no second tool */
	char run_dir[RCAP_CONFIG_PATH_BYTES];     /* the launcher's private directory; "": there is
	                                           * no launcher */
	char cupti_path[RCAP_CONFIG_PATH_BYTES];  /* "": CUPTI is searched */
	char domains[RCAP_FILTER_BYTES];          /* domains to record: see filter.h; "": all */
	char cuda[RCAP_CUPTI_KINDS_BYTES];        /* see cupti-kinds.h */
	char count[RCAP_COUNTS_BYTES];            /* see counts.h; "": nothing */
	char gpu_metrics[RCAP_GPU_METRICS_BYTES]; /* see gpu-metrics.h; "": nothing */
	char schedule[RCAP_SCHEDULE_BYTES];       /* see schedule.h; "": none */
	char capture_range[RCAP_SCHEDULE_BYTES];  /* see schedule.h; "": none */
	char when[RCAP_TRIGGER_BYTES];            /* see trigger.h; "": nothing */
	char keep[RCAP_KEEP_TEXT_BYTES];          /* how much is kept: see keep-text.h; "":
	                                           * everything */
	/* A line for each refused value, each ended by a NUL. An empty line ends the list. */
	char refused[RCAP_CONFIG_REFUSED_BYTES];
	uint64_t buffer_bytes;
	uint64_t cuda_buffer_bytes;
	uint64_t graph_nodes; /* operations of CUDA graphs per second; see cupti-graphs.h */
	uint64_t level;
	uint64_t string_max_bytes;
	uint64_t names_max;
	uint64_t names_bytes;
	uint64_t payload_max;
	uint64_t flush_ms;
	uint64_t exit_ms;
	uint64_t wait_ms;      /* how long the launcher waits for processes that are about to end */
	uint64_t delay_ns;     /* how long the capture is off after its start */
	uint64_t duration_ns;  /* how long the capture is then on; 0: without end */
	uint64_t before_ns;    /* how much time a trigger's snapshot has before the trigger; 0: all
	                        * that is kept */
	uint64_t cool_down_ns; /* least time between two snapshots that triggers cause */
	uint64_t snapshots;    /* most snapshots that triggers cause */
	uint64_t gpu_every_ns; /* time between two GPU samples */
	uint64_t root_pid;     /* pid of the launcher's child; 0: there is no launcher */
	uint64_t checked;      /* 1: the launcher has reported all problems already */
	unsigned on_full;      /* enum rcap_on_full */
	unsigned threads;      /* enum rcap_threads */
	unsigned standby;      /* 1: the capture is off until a program or user starts it */
	unsigned cuda_shared;  /* 1: share CUPTI with other profilers where possible */
	unsigned clock;        /* enum rcap_clock_mode */
	unsigned log_level;    /* enum rcap_log_level */
};

enum rcap_config_kind {
	RCAP_KIND_TEXT,
	RCAP_KIND_PATH,
	RCAP_KIND_DOMAINS,  /* a text that rcap_filter_is_valid() accepts */
	RCAP_KIND_CUDA,     /* a text that rcap_cupti_kinds_parse() accepts */
	RCAP_KIND_COUNT,    /* a text that rcap_counts_parse() accepts */
	RCAP_KIND_METRICS,  /* a text that rcap_gpu_metrics_parse() accepts */
	RCAP_KIND_SCHEDULE, /* a text that rcap_schedule_parse() accepts */
	RCAP_KIND_RANGE,    /* a text that rcap_schedule_parse_range() accepts */
	RCAP_KIND_KEEP,     /* a text that rcap_keep_text_parse() accepts */
	RCAP_KIND_WHEN,     /* a text that rcap_trigger_parse() accepts */
	RCAP_KIND_TIME,     /* a number with optional unit ms, s, m, h; stored as ns */
	RCAP_KIND_BYTES,    /* a number with optional unit K, M, G (1024, 1024², 1024³) */
	RCAP_KIND_NUMBER,
	RCAP_KIND_CHOICE,
};

/* A variable. If the program has AT_SECURE (setuid and the like), the variables are ignored. */
struct rcap_variable {
	const char *name;
	const char *default_text; /* default value, parsed like a user's value; "" for none */
	/* one sentence without a full stop; more may follow after "; " */
	const char *help;
	const char *const *choices; /* the words of a choice, in the order of the enum's values;
	                             * ends with NULL */
	uint64_t min;
	uint64_t max;
	size_t offset; /* offset of the member in struct rcap_config */
	size_t size;   /* size of the member; 0: there is none, because only the launcher reads the
	                * variable */
	enum rcap_config_kind kind;
	bool internal; /* the launcher sets it for the library, so it is not in the help */
};

/* Called with each problem. @line: has no newline. */
typedef void rcap_config_report_fn(void *context, const char *line);

/* The table, in the order of the documentation. A constant. */
const struct rcap_variable *rcap_config_borrow_table(size_t *count);

/*
 * Fills `out` from the defaults and the environment.
 *
 * @report: called for each problem; may be NULL. If a value is beyond its limits, the default is
 * used. An unknown RANGES_* is ignored. Not called if the launcher has reported the problems
 * already (RANGES_CHECKED=1).
 * Return: number of problems. Context: any thread; no allocation, no locale; reads environ, so not
 * at the same time as setenv.
 */
int rcap_config_load(struct rcap_config *out, rcap_config_report_fn *report, void *context);

/*
 * Checks a value as rcap_config_load() does.
 *
 * @why: gets one line if the value is refused.
 * @size: of why.
 */
bool rcap_config_is_valid(const char *name, const char *value, char *why, size_t size);

/*
 * Writes "NAME=value" with the value that is used, for the log's settings and for --help.
 *
 * Return: length of the text; 0 for a variable without a member.
 */
size_t rcap_config_format(const struct rcap_config *config, const struct rcap_variable *variable,
                          char *out, size_t size);

/* Parses a time like 10s, 0.5s, 500ms, 5m, 1h to ns. Without a unit it is in seconds. Return: false
 * if the text is not a time. */
bool rcap_config_parse_time(const char *text, uint64_t *value);

/* Writes the limits of a variable as text, like "0..9", "drop|block", "1M..1024G"; "" if there are
 * none. */
size_t rcap_config_format_limits(const struct rcap_variable *variable, char *out, size_t size);

/* Returns how long events may wait before they are written, in ns. The time is short if little is
 * kept, because waiting events are missing from a snapshot, and from the log of a killed
 * program. */
uint64_t rcap_config_flush_ns(const struct rcap_config *config);

/* A rcap_config_report_fn that prints a warning by rcap_log_line(). The context is not used. */
void rcap_config_log_problem(void *context, const char *line);

#endif
