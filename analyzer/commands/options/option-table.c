/* SPDX-License-Identifier: MIT */
/* The options of all commands, one row for each. */
#include "analyzer/commands/options/options.h"

#include <stddef.h>

#include "analyzer/timeline/pens/outs.inc"

#define LETTER true, /* the option also has the form -x */
#define LONG   false,

/* Commands that summarise inputs don't repeat what `analyzer stats` explains. */
#define SUMS "*batch *check *diff *summarize"

#define FORMS "table csv tsv json jsonl sql md"

/* Each row is kept together. */
/* clang-format off */
const struct rlog_option ra_cmd_option_table[] = {
	/* ---- What is asked for ---- */
	{ 'r', LETTER "report", "NAME,...", "stats",
	  "the reports to print (the default: ranges); all: every report without a row for each "
	  "event. --list names the reports, --help NAME explains the columns of one. Names of "
	  "`nsys stats` work, too: cuda_gpu_kern_sum is kernels",
	  NULL, NULL },
	{ 'L', LONG "list", NULL, "stats",
	  "list all reports, what each shows, and * if it reads several files; with --compat the "
	  "reports of that tool",
	  NULL, NULL },
	{ 'N', LONG "name", "TEXT", "search",
	  "only those whose name has this text in it, in any case; a name as tables print it "
	  "works, too: ... and * stand for any text, # for digits",
	  NULL, NULL },
	{ 'H', LONG "thread", "TEXT", "search",
	  "only those whose thread (name and number) or stream (GPU 0 stream 7) has this text in "
	  "it", NULL,
	  NULL },
	{ 'H', LONG "thread", "TEXT", "slice",
	  "only threads whose name and number have this text in them, in any case",
	  NULL, NULL },
	{ '<', LONG "from", "TIME", "search",
	  "only what ends after this time since the start of the recording, as tables print it: "
	  "121ms, 0.5s, 183104.5us",
	  NULL, NULL },
	{ '>', LONG "to", "TIME", "search", "only what begins before this time", NULL, NULL },
	{ '<', LONG "from", "TIME", "slice",
	  "only events from this time since the start of the recording on, as tables print it: "
	  "121ms, 0.5s, 183104.5us",
	  NULL, NULL },
	{ '>', LONG "to", "TIME", "slice", "only events before this time", NULL, NULL },
	{ 'K', LONG "rule", "RULE", "check",
	  "check this rule instead of a file of rules; can be given several times", NULL,
	  NULL },
	{ 'e', LONG "each", NULL, "check", "check each FILE by itself, not all together",
	  NULL, NULL },
	{ 'F', LONG "fail-on", "P%,TIME", "diff",
	  "exit with 1 if something is slower by more than both limits, and beyond noise; 5%,10us "
	  "are the limits of verdicts if this is not given",
	  NULL, NULL },
	{ 'x', LONG "baseline", "FILE", "diff",
	  "another run to compare with, as A; can be given several times: slower then means "
	  "slower than in each",
	  NULL, NULL },
	{ 'D', LONG "no-drift", NULL, "diff",
	  "keep the change that all rows share, as on a machine that got slower", NULL, NULL },
	{ 'B', LONG "by", "COUNT", "diff",
	  "compare a count of ranges (ranges run --count), not their time: instructions (which "
	  "hardly vary), cycles, cache-misses, branch-misses, page-faults, task-clock; the limit "
	  "is 1% if --fail-on is not given",
	  "instructions cycles cache-misses branch-misses page-faults task-clock", NULL },
	{ 'c', LONG "compat", "TOOL", "stats",
	  "figures as another tool computes them, with its faults: tb, hta, torch, torch-old "
	  "(1.13 to 2.4); none: our own (the default)",
	  "none tb hta torch torch-old", NULL },
	{ 'c', LONG "compat", "TOOL", "diff",
	  "what another tool prints for two traces of PyTorch: hta, the counts and durations of "
	  "its TraceDiff; tb, the diff view of the TensorBoard plugin; none: our own (the default)",
	  "none hta tb", NULL },
	{ 'y', LONG "by-time", NULL, "dump", "events of all threads by time, not thread by thread",
	  NULL, NULL },
	{ 'z', LONG "slices", NULL, "dump",
	  "print ranges instead, as Perfetto draws them on threads: a table of pid, tid, depth, "
	  "start_ns, dur_ns and name, separated by tabs",
	  NULL, NULL },
	/* ---- What is written ---- */
	{ 'o', LETTER "output", "OUT", "analyze",
	  "write to OUT instead of printing the summary; - is standard output. The suffix says "
	  "what to write (see below); .gz after it packs. OUT appears only when it is complete",
	  NULL, NULL },
	{ 'o', LETTER "output", "OUT", "slice",
	  "the new log; - is standard output; .gz at its end packs it", NULL, NULL },
	{ 'o', LETTER "output", "OUT", "summarize merge", "the summary; - is standard output", NULL,
	  NULL },
	{ 'o', LETTER "output", "OUT", "batch",
	  "the folder for summary.sum, report.txt, report.csv, report.json, report.html, and "
	  "parts/ with a summary for each input; files that only an earlier batch wrote are "
	  "removed",
	  NULL, NULL },
	{ 'o', LETTER "output", "FILE", "diff",
	  "write to FILE; .html, .json, .md, .txt or .xml (JUnit) says the form", NULL, NULL },
	{ 'o', LETTER "output", "PREFIX", "stats",
	  "write a file for each report: PREFIX_REPORT.csv and so on", NULL, NULL },
	{ 't', LETTER "to", "FORMAT", "analyze",
	  "what to write if OUT's suffix does not say it: " RA_OUTS_TEXT, RA_OUTS_WORDS, NULL },
	{ 'f', LETTER "format", "FORM", "stats",
	  "table (the default), csv, tsv, json, jsonl (a line for each row), md, sql (for "
	  "sqlite3), torch (its text layout of key_averages), openmetrics (all figures, for "
	  "Prometheus)",
	  FORMS " torch openmetrics", NULL },
	{ 'f', LETTER "format", "FORM", "diff",
	  "text (the default), json, md, junit, html: a page for a browser",
	  "text json md junit html", NULL },
	{ 'f', LETTER "format", "FORM", "check", "text (the default), json, junit",
	  "text json junit", NULL },
	{ 'f', LETTER "format", "FORM", "info",
	  "text (the default), or json: an object per FILE, a line each", "text json", NULL },
	{ 'f', LETTER "format", "FORM", "search",
	  "table (the default); csv, tsv, json, jsonl, sql, md: only the table of single things",
	  FORMS, NULL },
	{ 'f', LETTER "format", "FORM", "sql",
	  "table (the default), csv, tsv, json, jsonl, md or sql", FORMS, NULL },
	{ 'f', LETTER "format", "FORM", "why", "table (the default), json", "table json", NULL },
	{ 'J', LONG "json", NULL, "stats info", "the same as --format json", NULL, NULL },
	{ 'W', LONG "without-log", NULL, "analyze",
	  "do not put the log itself into the JSON", NULL, NULL },
	{ 'd', LONG "shard", "I/N", "batch",
	  "read only the I-th of N shards of the inputs (1/N to N/N); `analyzer merge` merges "
	  "their summaries",
	  NULL, NULL },
	{ 'u', LONG "resume", NULL, "batch",
	  "skip inputs that OUT/parts has already, so that a killed batch goes on; inputs are "
	  "known by their content",
	  NULL, NULL },
	{ 'E', LONG "emit", "FORM,...", "batch",
	  "for each input also write OUT/traces/RUN/NAME with this suffix: json.gz, html, sqlite, "
	  "… as for `analyzer FILE -o`; table, csv, tsv, jsonl, md, sql: the reports of its "
	  "summary",
	  NULL, NULL },
	{ 'm', LONG "timeline", "WHICH", "batch",
	  "also write OUT/ranks.json.gz, one timeline for Perfetto of some inputs with aligned "
	  "clocks: slowest:3,median:1,fastest:1 by their mean step, or all",
	  NULL, NULL },
	{ 'Z', LONG "archive", NULL, "batch",
	  "write the timeline as OUT/ranks.tar: a JSON file for each input, and a manifest by "
	  "which Perfetto shows them on one axis",
	  NULL, NULL },
	{ 'i', LONG "align", "RANGE", "batch",
	  "align clocks by this range, which no rank leaves before all have entered it (the "
	  "default: collectives, else MPI_Barrier)",
	  NULL, NULL },
	/* ---- How inputs are read ---- */
	{ 'g', LETTER "group-by", "KEY,...", "stats",
	  "what makes a row, besides domain and kind. ranges: name (the default), shape (name and "
	  "sizes of inputs), path, domain, category, payload; key_averages: shape, stack; "
	  "operators: also dtype; categories: dtype",
	  "name shape path domain category payload stack dtype", NULL },
	{ 'n', LETTER "names", "FORM", "stats " SUMS,
	  "normal (the default): leave out the arguments in names that PyTorch, XLA and others "
	  "make for each call; raw: names as they are",
	  "normal raw", NULL },
	{ 'n', LETTER "names", "FORM", "analyze",
	  "normal: leave out the arguments in names that PyTorch, XLA and others make for each "
	  "call; raw: names as they are. The default is raw for SQLite files and for Perfetto "
	  "(except PyTorch's operators, whose arguments Perfetto shows apart), normal for all else",
	  "normal raw", NULL },
	{ 'R', LONG "rename", "RULE", "stats analyze " SUMS,
	  "rename ranges by s/REGEX/REPLACEMENT/ or a FILE of such rules, a line each; can be "
	  "given several times",
	  NULL, NULL },
	{ 'k', LONG "kernel-name", "FORM", "stats",
	  "full: as C++ writes it (the default outside of tables); short: without parameters and "
	  "template arguments (the default of tables unless --width is 0), but with those of "
	  "CUTLASS, cuBLASLt and Composable Kernel, which tell kernels apart; base: also without "
	  "namespaces; mangled: as the compiler made it",
	  "full short base mangled", NULL },
	{ 'A', LONG "attribute", "RULE,...", "stats analyze why " SUMS,
	  "also give GPU work to ranges by these rules: sequence (work of a backward pass to the "
	  "operator of the forward pass), process (work without a range to the only thread with "
	  "ranges open), backward-rows (as sequence, in rows of its own: backward of X), origin "
	  "(work of CUDA graphs to the range that made the node, not to the one that launched it); "
	  "own: only to ranges of the launching thread, without the rule helper, the default for "
	  "threads that another one waits for, as PyTorch's backward pass",
	  "sequence process backward-rows origin own", NULL },
	{ 'G', LONG "graph-capture", "FILE|FOLDER", "stats analyze why " SUMS,
	  "for a trace in JSON: the trace, or folder of traces, that recorded the capture of its "
	  "CUDA graphs; their work then belongs to the ranges open at the capture, below the "
	  "launching range",
	  NULL, NULL },
	{ 'P', LONG "python", NULL, "stats analyze search " SUMS,
	  "for PyTorch's traces: show Python functions as ranges, too", NULL, NULL },
	{ 'T', LONG "step-range", "NAME[@DOMAIN]", "stats analyze why " SUMS,
	  "ranges of this name are the steps; * stands for any text, # for the step's number (the "
	  "default: PyTorch's steps, else ranges named step, iteration and the like)",
	  NULL, NULL },
	{ 'Q', LONG "step", "N[-M]", "why",
	  "only these steps; for one step, what differs from the others",
	  NULL, NULL },
	{ 'Q', LONG "steps", "N[-M]", "why", NULL, NULL, NULL },
	{ 'Q', LONG "steps", "N[-M]", "stats " SUMS, "only these steps; N-: from N on", NULL,
	  NULL },
	{ 'Q', LONG "steps", "N[-M]", "analyze",
	  "write only what belongs to these steps, as in `analyzer stats`", NULL, NULL },
	{ 'O', LONG "set", "KEY=VALUE", "stats", "set a parameter of reports: see analyzer(1)",
	  "idle-delay= last-step= memory= kernels= kernel-share= stragglers= op= op-kernels= "
	  "annotation= instance= instances= launch-edges= data-load= short-cutoff= "
	  "delay-cutoff= memory-points=",
	  NULL },
	{ 'B', LONG "by", "rank", "stats",
	  "make rows for each rank, in ranges, kernels, memcpy, api and every report that does "
	  "not cover ranks anyway; --limit counts per rank unless --sort orders all",
	  "rank", NULL },
	{ 'X', LONG "time", "S", "sql", "end a statement after so many seconds (60)", NULL,
	  NULL },
	/* ---- How much is shown ---- */
	{ 'a', LETTER "all", NULL, "analyze",
	  "show every range and thread in the summary, not only the first 20 (in a pipe: those "
	  "that weigh most)",
	  NULL, NULL },
	{ 'a', LETTER "all", NULL, "dump", "print the table of strings, too", NULL, NULL },
	{ 's', LETTER "sort", "COLUMN", "stats",
	  "sort by this column: its name in csv (the unit may be left out) or its title; +COLUMN: "
	  "smallest first, -COLUMN: largest first", NULL, NULL },
	{ 's', LETTER "sort", "ORDER", "search", "dur (the longest first, the default), start",
	  "dur start", NULL },
	{ 'l', LETTER "limit", "N", "stats sql", "only the first N rows; 0: all (the default)",
	  NULL, NULL },
	{ 'l', LETTER "limit", "N", "search", "print at most N rows of each table (20); 0: all",
	  NULL, NULL },
	{ 'l', LETTER "limit", "N", "diff",
	  "only the N largest changes (30); 0: all; json and junit have all", NULL,
	  NULL },
	{ 'w', LETTER "width", "N", "analyze search sql why diff",
	  "fit text into N columns; 0: any width (the default: the terminal's width, in a pipe "
	  "120)",
	  NULL, NULL },
	{ 'w', LETTER "width", "N", "stats",
	  "fit tables into N columns; below 160 some columns are left out, and a line names them; "
	  "0: any width, with names in full (the default: the terminal's width, in a pipe 120)",
	  NULL, NULL },
	{ 'b', LONG "brief", "[=BYTES]", "stats analyze search why diff",
	  "fit the answer into so many bytes (4000): each table keeps the rows that weigh most "
	  "and a sum of the rest; losses and doubts stay",
	  NULL, NULL },
	{ 'b', LONG "brief", "[=BYTES]", "check",
	  "fit the text into so many bytes (4000), broken rules first", NULL, NULL },
	{ 'b', LONG "brief", "[=BYTES]", "info",
	  "fit each FILE into so many bytes (4000): rows that weigh most, lines cut; losses and "
	  "damage stay",
	  NULL, NULL },
	{ 'U', LONG "unit", "UNIT", "search",
	  "print times to the ns in this unit: ns, us, ms, s", "ns us ms s", NULL },
	{ 'q', LETTER "quiet", NULL, "verify", "print nothing; only the exit status tells",
	  NULL, NULL },
	/* ---- How it is done ---- */
	{ 'j', LETTER "jobs", "N", "stats analyze batch check diff summarize why",
	  "processors to use (the default: all): processes for several inputs, threads for one",
	  NULL, NULL },
	{ 'S', LONG "strict", NULL, "stats analyze search why info dump",
	  "exit with 4 if events are missing: lost, damaged, or the log was not closed", NULL,
	  NULL },
	{ 'S', LONG "strict", NULL, "check",
	  "count rules as broken if they are unsure, or hold for an input that lacks events",
	  NULL, NULL },
	{ 0, LONG NULL, NULL, NULL, NULL, NULL, NULL },
};
/* clang-format on */

/* Options of `analyzer stats` that only fill a setting. */
/* clang-format off */
const struct ra_cmd_option_setting ra_cmd_option_settings[] = {
	{ 'T', "step-range", offsetof(struct ra_settings, step_range), RA_SETTING_TEXT },
	{ 0, NULL, 0, RA_SETTING_TEXT },
};
/* clang-format on */
