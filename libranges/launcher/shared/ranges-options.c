/* SPDX-License-Identifier: MIT */
/* The options of the commands of `ranges`, a row each, and how a command parses its own. */
#include "libranges/launcher/shared/ranges-options.h"

#include "libranges/base/log.h"
#include "libranges/launcher/shared/ranges-help.h"

#define LETTER true, /* the letter of the row is a short form of the option */
#define LONG   false,

#define NOT_WITH false,
#define NEEDS    true,

#define ALL "run compare recover ctl top"

#define COUNTS "instructions cycles cache-misses branch-misses page-faults task-clock"

/* clang-format must not break the rows. */
/* clang-format off */
const struct rlog_option rcap_ranges_option_table[] = {
	/* ---- run ---- */
	{ 'o', LETTER "output", "FILE", "run", "name of the log, a pattern as in RANGES_OUTPUT",
	  NULL, NULL },
	{ 'f', LETTER "force", NULL, "run",
	  "replace an existing log (the default: take a free name)",
	  NULL, NULL },
	{ 'a', LETTER "analyze", NULL, "run",
	  "afterwards print the analyzer's summary of the first process's log",
	  NULL, NULL },
	{ '2', LONG "nvtx-v2", NULL, "run",
	  "let all programs of the run find our libnvToolsExt.so.1", NULL, NULL },
	{ 0, LONG "buffer", "SIZE", "run",
	  "the most memory for the events of a process, as RANGES_BUFFER",
	  NULL, "RANGES_BUFFER" },
	{ 0, LONG "on-full", "WHAT", "run",
	  "when the buffer is full: drop (new events) or block (the program), as RANGES_ON_FULL",
	  "drop block", "RANGES_ON_FULL" },
	{ 0, LONG "domains", "LIST", "run", "record these domains, as RANGES_DOMAINS", NULL,
	  "RANGES_DOMAINS" },
	{ 0, LONG "count", "LIST,...", "run",
	  "count events of the thread in each push/pop range, as RANGES_COUNT; up to three: "
	  "instructions, cycles, cache-misses, branch-misses, page-faults, task-clock (ns on a "
	  "CPU)", COUNTS, "RANGES_COUNT" },
	{ 0, LONG "cuda", "LIST", "run", "what to record of CUDA, as RANGES_CUDA",
	  "on off driver memory graph-nodes latency events sync unified-memory external profiler "
	  "no-flush cupti-clock inline",
	  "RANGES_CUDA" },
	{ 0, LONG "no-cuda", NULL, "run", "record nothing of CUDA: the same as --cuda off", NULL,
	  "RANGES_CUDA=off" },
	{ 0, LONG "cuda-shared", "HOW", "run",
	  "off, or auto (share CUPTI with other profilers in the program, if possible), as "
	  "RANGES_CUDA_SHARED", "off auto",
	  "RANGES_CUDA_SHARED" },
	{ 0, LONG "gpu-metrics", "LIST,...", "run",
	  "sample NVIDIA's GPUs while the capture is on, as RANGES_GPU_METRICS: power, clocks, "
	  "util, memory, temp, pcie, gpm",
	  "power clocks util memory temp pcie gpm", "RANGES_GPU_METRICS" },
	{ 0, LONG "every", "TIME", "run",
	  "the shortest time between samples of a GPU, as RANGES_GPU_EVERY (100ms)",
	  NULL, "RANGES_GPU_EVERY" },
	{ 0, LONG "no-thread", NULL, "run",
	  "no libranges thread in the program, as RANGES_THREAD=off", NULL, "RANGES_THREAD=off" },
	{ 0, LONG "schedule", "WHEN", "run",
	  "record these steps, as RANGES_SCHEDULE, such as "
	  "wait=80,warmup=3,active=1,repeat=2 (also skip=5, on=NAME@DOMAIN)",
	  NULL, "RANGES_SCHEDULE" },
	{ 0, LONG "capture-range", "NAME[@DOMAIN][:first|:each|:N]", "run",
	  "record while a range of this name is open, as RANGES_CAPTURE_RANGE",
	  NULL, "RANGES_CAPTURE_RANGE" },
	{ 0, LONG "delay", "TIME", "run",
	  "begin to record so long after the program's start, as RANGES_DELAY",
	  NULL, "RANGES_DELAY" },
	{ 0, LONG "duration", "TIME", "run", "stop recording after so long, as RANGES_DURATION",
	  NULL, "RANGES_DURATION" },
	{ 'd', LONG "on-done", "CMD", "run",
	  "run the shell command CMD for each log or snapshot when it is complete", NULL, NULL },
	{ 0, LONG "keep", "HOW", "run",
	  "keep only the last part, such as 30s (up to a sixteenth more) or 64M (up to a "
	  "sixteenth less), as RANGES_KEEP",
	  NULL, "RANGES_KEEP" },
	{ 'w', LONG "when", "WHAT", "run",
	  "with --keep: write a snapshot on this condition, as RANGES_WHEN, such as 'step > 3 * "
	  "median'; can be given several times",
	  NULL, "RANGES_WHEN" },
	{ 0, LONG "before", "TIME", "run",
	  "how much time before the condition goes into a snapshot, as RANGES_BEFORE",
	  NULL, "RANGES_BEFORE" },
	{ 0, LONG "cool-down", "TIME", "run",
	  "the shortest time between two snapshots of --when, as RANGES_COOL_DOWN",
	  NULL, "RANGES_COOL_DOWN" },
	{ 0, LONG "snapshots", "N", "run",
	  "write at most N snapshots for --when, as RANGES_SNAPSHOTS", NULL, "RANGES_SNAPSHOTS" },
	{ 0, LONG "standby", NULL, "run",
	  "start with the capture off, until \"ranges ctl start\" or a call of the program, as "
	  "RANGES_STANDBY=on",
	  NULL, "RANGES_STANDBY=on" },
	{ 'v', LETTER "verbose", NULL, "run",
	  "say more on standard error, as RANGES_LOG=info", NULL, "RANGES_LOG=info" },
	{ 'q', LETTER "quiet", NULL, "run",
	  "print only errors, as RANGES_LOG=error", NULL, "RANGES_LOG=error" },
	/* ---- compare ---- */
	{ 'n', LETTER "runs", "N", "compare",
	  "runs of each command (10, if that takes no longer than 60s)", NULL, NULL },
	{ 'u', LONG "until", "P%", "compare",
	  "go on until each range's 95 % interval is within +-P%, for at least 5 runs",
	  NULL, NULL },
	{ 't', LONG "time", "TIME", "compare",
	  "begin no run that would end after this time (60s without -n); the first run of each "
	  "command always happens",
	  NULL, NULL },
	{ 'w', LONG "warmup", "N", "compare",
	  "runs of each command before the first one that is kept (1)",
	  NULL, NULL },
	{ 'o', LETTER "output", "DIR", "compare",
	  "the folder for the logs (compare); it gets before/ and after/", NULL, NULL },
	{ 'f', LETTER "force", NULL, "compare",
	  "replace the logs in the folder (the default: take a free name)",
	  NULL, NULL },
	{ 'a', LETTER "add", NULL, "compare",
	  "add runs to those in the folder, and compare all", NULL, NULL },
	{ 'c', LONG "cpu", "LIST", "compare", "run both commands on these CPUs, like 0,2-3",
	  NULL, NULL },
	{ 'e', LONG "env", "NAME=VALUE", "compare",
	  "set this variable for both; can be given several times", NULL, NULL },
	{ 'B', LONG "before-env", "NAME=VALUE", "compare",
	  "set it for the first command; can be given several times", NULL, NULL },
	{ 'A', LONG "after-env", "NAME=VALUE", "compare", "the same for the second command",
	  NULL, NULL },
	{ 's', LONG "seed", "N", "compare",
	  "the seed for the order of the runs (the default: a random one, printed at the end)",
	  NULL, NULL },
	{ 'F', LONG "fail-on", "P%,TIME", "compare", "the limits, as for \"analyzer diff\"", NULL,
	  NULL },
	{ 'O', LONG "show-output", NULL, "compare",
	  "let the commands read and print. Without it they read nothing, and only the output of "
	  "a failed command is kept, next to the logs",
	  NULL, NULL },
	{ 'q', LETTER "quiet", NULL, "compare", "print only errors and the table", NULL, NULL },
	/* ---- recover ---- */
	{ 'o', LETTER "output", "FILE", "recover",
	  "name of the log; a begun log stays, and FILE is a complete copy of it",
	  NULL, NULL },
	{ 'a', LONG "all", NULL, "recover",
	  "complete the logs of all your dead programs that left a spool", NULL, NULL },
	{ 'y', LONG "older", "AGE", "recover",
	  "the same for spools that nothing was written to for this time, such as 90s, 30m, 12h, "
	  "7d",
	  NULL, NULL },
	{ 'd', LONG "delete", NULL, "recover",
	  "with --older: remove those spools, with the events in them", NULL, NULL },
	/* ---- ctl ---- */
	{ 'p', LONG "pid", "PID", "ctl", "the program with this process number", NULL, NULL },
	{ 'n', LONG "name", "NAME", "ctl", "the programs whose executable has this name",
	  NULL, NULL },
	{ 'a', LONG "all", NULL, "ctl", "all programs of yours that are recorded", NULL, NULL },
	{ 'o', LETTER "output", "FILE", "ctl",
	  "the snapshot's name; an existing file is replaced (the default: the log's name with "
	  ".s1, .s2, ..., as in trace.s1.bin)",
	  NULL, NULL },
	/* ---- top ---- */
	{ '1', LONG "once", NULL, "top",
	  "watch for one interval, print, and end; the default if the output is not a terminal",
	  NULL, NULL },
	{ 'j', LONG "json", NULL, "top", "the same as one line of JSON", NULL, NULL },
	{ 'i', LONG "interval", "S", "top", "seconds of one interval, for rates and shares (1)",
	  NULL, NULL },
	{ 's', LONG "sort", "KEY", "top",
	  "sort the tables by this: share (the default), calls, mean, p99, max or name",
	  "share calls mean p99 max name", NULL },
	{ 'm', LONG "filter", "TEXT", "top",
	  "show only names that contain this text", NULL, NULL },
	{ 'r', LONG "rows", "N", "top", "show at most N rows of each table, and N threads (20)",
	  NULL, NULL },
	/* ---- All ---- */
	{ 'h', LETTER "help", NULL, ALL, "help on the command", NULL, NULL },
	{ 'V', LETTER "version", NULL, ALL, "the version", NULL, NULL },
	{ 0, LONG NULL, NULL, NULL, NULL, NULL, NULL },
};
/* clang-format on */

/* Only pairs of options. If a variable can set one of the two, ranges-deciders.c refuses the
 * pair. */
/* clang-format off */
const struct rlog_option_pair rcap_ranges_option_pairs[] = {
	{ "compare", "force", NOT_WITH "add", NULL, NULL },
	{ "recover", "delete", NEEDS "older", NULL, NULL },
	{ "ctl", "pid name", NOT_WITH "all", NULL, NULL },
	{ "ctl", "pid", NOT_WITH "name", NULL, NULL },
	{ NULL, NULL, NEEDS NULL, NULL, NULL },
};
/* clang-format on */

/* Takes an option that all commands have, or lets the command take it. Return: 0, or an exit
 * code. */
static int take_row(const struct rcap_ranges_command *self, const struct rlog_option *row,
                    rcap_ranges_take_fn *take, void *context)
{
	char why[80];

	if (row->value != NULL && optarg[0] == '\0' && row->id != 'm') {
		rcap_log_format(why, sizeof(why), "option '--%s' needs a value", row->name);
		return rcap_ranges_help_refuse(self, why, "");
	}
	return take(self, row, context);
}

bool rcap_ranges_options_read(const struct rcap_ranges_command *self, int argc, char **argv,
                              rcap_ranges_take_fn *take, void *context, int *code)
{
	struct rlog_options options = { .table = rcap_ranges_option_table,
		                        .pairs = rcap_ranges_option_pairs,
		                        .program = "ranges",
		                        .command = self->name,
		                        .ends_at_operand = self->runs_another };
	const struct rlog_option *row;

	*code = 0;
	while (*code == 0 && (row = rlog_options_next(&options, argc, argv)) != NULL) {
		if (row->id == 'h') {
			rcap_ranges_help_print(self);
			return false;
		}
		if (row->id == 'V') {
			*code = rcap_ranges_help_version();
			return false;
		}
		*code = take_row(self, row, take, context);
	}
	if (options.why[0] != '\0') {
		*code = rcap_ranges_help_refuse(self, options.why, "");
	}
	return *code == 0;
}
