/* SPDX-License-Identifier: MIT */
/* The options of all commands, a row each. */
#include "analyzer/commands/options/options.h"

#include "analyzer/timeline/pens/outs.inc"

#define LETTER true, /* -x is equivalent */
#define LONG   false,

/* Commands that summarise inputs don't repeat what `analyzer stats` explains. */
#define SUMS "*batch *check *diff *summarize"

#define FORMS "table csv tsv json jsonl sql md"

/* Each row belongs together. */
/* clang-format off */
const struct rlog_option ra_cmd_option_table[] = {
	/* ---- What is asked for ---- */
	{ 'r', LETTER "report", "NAME,...", "stats",
	  "what to show: --list names the reports, --help NAME tells the columns of one. "
	  "Without it ranges; all: all but those with a row for each event. Names of `nsys "
	  "stats` are taken, too: cuda_gpu_kern_sum is kernels",
	  NULL, NULL },
	{ 'L', LONG "list", NULL, "stats",
	  "the names of all reports, what each shows, and * if it reads several files; with "
	  "--compat those of that tool",
	  NULL, NULL },
	{ 'N', LONG "name", "TEXT", "search",
	  "whose name has this text in it, in any case of letters; a name as tables print it "
	  "finds its whole: ... any text, as *, # digits",
	  NULL, NULL },
	{ 'H', LONG "thread", "TEXT", "search",
	  "whose thread (its name and number) or stream (GPU 0 stream 7) has this text in it", NULL,
	  NULL },
	{ 'H', LONG "thread", "TEXT", "slice",
	  "only threads whose name and number have this text in them, in any case of letters",
	  NULL, NULL },
	{ '<', LONG "from", "TIME", "search",
	  "what ends after that time since the begin of the recording, as tables have it: "
	  "121ms, 0.5s, 183104.5us",
	  NULL, NULL },
	{ '>', LONG "to", "TIME", "search", "what begins before that time", NULL, NULL },
	{ '<', LONG "from", "TIME", "slice",
	  "events from that time since the begin of the recording on, as tables have it: 121ms, "
	  "0.5s, 183104.5us",
	  NULL, NULL },
	{ '>', LONG "to", "TIME", "slice", "events before that time", NULL, NULL },
	{ 'K', LONG "rule", "RULE", "check",
	  "hold them against this rule, and no file of rules; can be given several times", NULL,
	  NULL },
	{ 'e', LONG "each", NULL, "check", "hold each FILE against the rules, not all together",
	  NULL, NULL },
	{ 'F', LONG "fail-on", "P%,TIME", "diff",
	  "exit with 1 if something is slower by more than both, and beyond noise: 5%,10us "
	  "(which the verdicts go by if this is not given)",
	  NULL, NULL },
	{ 'x', LONG "baseline", "FILE", "diff",
	  "another run as good as A, can be given several times: slower is what is slower than in "
	  "each of them",
	  NULL, NULL },
	{ 'D', LONG "no-drift", NULL, "diff",
	  "leave in what all rows share, as on a machine that got slower", NULL, NULL },
	{ 'B', LONG "by", "COUNT", "diff",
	  "compare what ranges counted (ranges run --count), not how long they took: "
	  "instructions, which hardly vary, cycles, cache-misses, branch-misses, page-faults, "
	  "task-clock; the limit is 1% if --fail-on is not given",
	  "instructions cycles cache-misses branch-misses page-faults task-clock", NULL },
	{ 'c', LONG "compat", "TOOL", "stats",
	  "figures as another tool gives them, its faults included: tb, hta, torch, torch-old "
	  "(1.13 to 2.4); none: our own (the default)",
	  "none tb hta torch torch-old", NULL },
	{ 'c', LONG "compat", "TOOL", "diff",
	  "what another tool gives of two traces of PyTorch: hta, the counts and durations of "
	  "its TraceDiff; tb, the diff view of the TensorBoard plugin; none: our own (the "
	  "default)",
	  "none hta tb", NULL },
	{ 'y', LONG "by-time", NULL, "dump", "events of all threads by time, not thread by thread",
	  NULL, NULL },
	{ 'z', LONG "slices", NULL, "dump",
	  "instead: the ranges as Perfetto draws them on threads, as a table of pid, tid, "
	  "depth, start_ns, dur_ns and name, separated by tabs",
	  NULL, NULL },
	/* ---- What is written ---- */
	{ 'o', LETTER "output", "OUT", "analyze",
	  "write there instead of the summary; - is standard output. Its suffix says what, as "
	  "below; .gz after it packs. OUT appears when it is complete, or not at all",
	  NULL, NULL },
	{ 'o', LETTER "output", "OUT", "slice",
	  "the log that is written; - is standard output; .gz at its end packs it", NULL, NULL },
	{ 'o', LETTER "output", "OUT", "summarize merge", "the summary; - is standard output", NULL,
	  NULL },
	{ 'o', LETTER "output", "OUT", "batch",
	  "the folder: summary.sum, report.txt, report.csv, report.json, report.html, and "
	  "parts/, a summary for each input; what an earlier batch wrote there and this one "
	  "does not is removed",
	  NULL, NULL },
	{ 'o', LETTER "output", "FILE", "diff",
	  "write that: .html, .json, .md, .txt, .xml (JUnit) say the form", NULL, NULL },
	{ 'o', LETTER "output", "PREFIX", "stats",
	  "a file for each report, PREFIX_REPORT.csv and so on", NULL, NULL },
	{ 't', LETTER "to", "FORMAT", "analyze",
	  "what to write when OUT's suffix does not say it: " RA_OUTS_TEXT, RA_OUTS_WORDS, NULL },
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
	  "table (the default); of single things only: csv, tsv, json, jsonl, sql, md",
	  FORMS, NULL },
	{ 'f', LETTER "format", "FORM", "sql",
	  "table (the default), csv, tsv, json, jsonl, md or sql", FORMS, NULL },
	{ 'f', LETTER "format", "FORM", "why", "table (the default), json", "table json", NULL },
	{ 'J', LONG "json", NULL, "stats info", "the same as --format json", NULL, NULL },
	{ 'W', LONG "without-log", NULL, "analyze",
	  "leave out of JSON the log it is made of", NULL, NULL },
	{ 'd', LONG "shard", "I/N", "batch",
	  "of N shards of the inputs the I-th, from 1/N to N/N; `analyzer merge` puts their "
	  "summaries together",
	  NULL, NULL },
	{ 'u', LONG "resume", NULL, "batch",
	  "leave out what OUT/parts has: inputs are known by their content, so a batch that was "
	  "killed goes on",
	  NULL, NULL },
	{ 'E', LONG "emit", "FORM,...", "batch",
	  "also of each input: OUT/traces/RUN/NAME with this suffix: json.gz, html, sqlite, … "
	  "as for `analyzer FILE -o`; table, csv, tsv, jsonl, md, sql: the reports of its "
	  "summary",
	  NULL, NULL },
	{ 'm', LONG "timeline", "WHICH", "batch",
	  "also OUT/ranks.json.gz, one timeline for Perfetto of some inputs: "
	  "slowest:3,median:1,fastest:1 by their mean step, or all; clocks are put in line",
	  NULL, NULL },
	{ 'Z', LONG "archive", NULL, "batch",
	  "the timeline is OUT/ranks.tar: a file of JSON for each input, and the manifest by which "
	  "Perfetto puts them on one axis",
	  NULL, NULL },
	{ 'i', LONG "align", "RANGE", "batch",
	  "put clocks in line by this range, which no rank leaves before all have come (without "
	  "it: by collectives, else MPI_Barrier)",
	  NULL, NULL },
	/* ---- How inputs are read ---- */
	{ 'g', LETTER "group-by", "KEY,...", "stats",
	  "ranges: what makes a row, beside domain and kind: name (the default), shape (name "
	  "and sizes of inputs), path, domain, category, payload; key_averages: shape, stack; "
	  "operators: dtype, too; categories: dtype",
	  "name shape path domain category payload stack dtype", NULL },
	{ 'n', LETTER "names", "FORM", "stats " SUMS,
	  "normal (the default): names that PyTorch, XLA and others make for each call without "
	  "its arguments; raw: as they are",
	  "normal raw", NULL },
	{ 'n', LETTER "names", "FORM", "analyze",
	  "normal: names that PyTorch, XLA and others make for each call without its arguments; "
	  "raw: as they are. Timelines for Perfetto (but for operators of PyTorch, whose "
	  "arguments are arguments there) and SQLite files are raw, all else is normal unless "
	  "told otherwise",
	  "normal raw", NULL },
	{ 'R', LONG "rename", "RULE", "stats analyze " SUMS,
	  "put other names for ranges, by s/REGEX/REPLACEMENT/ or a FILE of such rules, a line "
	  "each; can be given several times",
	  NULL, NULL },
	{ 'k', LONG "kernel-name", "FORM", "stats",
	  "full: as C++ writes it (the default, but of tables and the summary unless --width is "
	  "0); short: without parameters and template arguments (the default of these; those of "
	  "CUTLASS, cuBLASLt and Composable Kernel, which name kernels there, stay); base: without "
	  "namespaces, too; mangled: as the compiler made it",
	  "full short base mangled", NULL },
	{ 'A', LONG "attribute", "RULE,...", "stats analyze why " SUMS,
	  "also give GPU work to ranges by these rules: sequence (of a backward pass to the "
	  "operator that made it), process (the only thread with ranges open), backward-rows "
	  "(sequence, in rows of its own: backward of X), origin (of CUDA graphs to the range "
	  "in which the node was made, not launched)",
	  "sequence process backward-rows origin", NULL },
	{ 'G', LONG "graph-capture", "FILE|FOLDER", "stats analyze why " SUMS,
	  "of a trace in JSON: the trace, or a folder of such, in which its CUDA graphs were "
	  "captured: what they run belongs to the ranges that were open there, below the "
	  "launching one",
	  NULL, NULL },
	{ 'P', LONG "python", NULL, "stats analyze search " SUMS,
	  "of PyTorch's traces: Python functions are ranges, too", NULL, NULL },
	{ 'T', LONG "step-range", "NAME[@DOMAIN]", "stats analyze why " SUMS,
	  "ranges of this name are the steps: * any text, # a number, the step's (without it "
	  "those of PyTorch, else those named step, iteration and the like)",
	  NULL, NULL },
	{ 'Q', LONG "step", "N[-M]", "why",
	  "of these steps only, and of one what it has more than the others",
	  NULL, NULL },
	{ 'Q', LONG "steps", "N[-M]", "why", NULL, NULL, NULL },
	{ 'Q', LONG "steps", "N[-M]", "stats " SUMS, "of these steps only; N-: from N on", NULL,
	  NULL },
	{ 'Q', LONG "steps", "N[-M]", "analyze",
	  "OUT has what belongs to these steps only, as in `analyzer stats`", NULL, NULL },
	{ 'O', LONG "set", "KEY=VALUE", "stats", "what reports take as given: see analyzer(1)",
	  "idle-delay= last-step= memory= kernels= kernel-share= stragglers= op= op-kernels= "
	  "annotation= instance= instances= launch-edges= data-load= short-cutoff= "
	  "delay-cutoff= memory-points=",
	  NULL },
	{ 'B', LONG "by", "rank", "stats",
	  "rows for each rank: of ranges, kernels, memcpy, api and every report that is not "
	  "over ranks by itself; --limit is for each unless --sort orders all",
	  "rank", NULL },
	{ 'X', LONG "time", "S", "sql", "a statement that takes more seconds is ended (60)", NULL,
	  NULL },
	/* ---- How much is shown ---- */
	{ 'a', LETTER "all", NULL, "analyze",
	  "every range and thread in the summary, not only the first 20, or in a pipe those that "
	  "weigh most",
	  NULL, NULL },
	{ 'a', LETTER "all", NULL, "dump", "the table of strings as well", NULL, NULL },
	{ 's', LETTER "sort", "COLUMN", "stats",
	  "a column's name as in --format csv, whose unit may be left out, or its title; "
	  "+COLUMN: smallest first, -COLUMN: largest first", NULL, NULL },
	{ 's', LETTER "sort", "ORDER", "search", "dur (the longest first, the default), start",
	  "dur start", NULL },
	{ 'l', LETTER "limit", "N", "stats sql", "the first N rows; 0: all (the default)", NULL,
	  NULL },
	{ 'l', LETTER "limit", "N", "search", "so many rows at most (20 of each table); 0: all",
	  NULL, NULL },
	{ 'l', LETTER "limit", "N", "diff",
	  "the first N rows, the largest changes (30; 0: all); json and junit have all", NULL,
	  NULL },
	{ 'w', LETTER "width", "N", "analyze search sql why diff",
	  "fit text into N columns; 0: do not (the default is the terminal's width, in a pipe 120)",
	  NULL, NULL },
	{ 'w', LETTER "width", "N", "stats",
	  "fit tables into N columns; at 160 all but launch-calls are complete, below that some "
	  "columns are left out, as a line says; 0: do not, with names in full (the default is "
	  "the terminal's width, in a pipe 120)",
	  NULL, NULL },
	{ 'b', LONG "brief", "[=BYTES]", "stats analyze search why diff",
	  "fit it into so many bytes (4000): of each table the rows that weigh most, of the "
	  "rest its sum; what is lost or doubtful stays",
	  NULL, NULL },
	{ 'b', LONG "brief", "[=BYTES]", "check",
	  "the text in so many bytes (4000): what is broken first", NULL, NULL },
	{ 'b', LONG "brief", "[=BYTES]", "info",
	  "of each FILE so many bytes (4000): rows that weigh most, lines cut; what is lost and "
	  "damaged stays",
	  NULL, NULL },
	{ 'U', LONG "unit", "UNIT", "search",
	  "tables have times to the ns in this unit: ns, us, ms, s", "ns us ms s", NULL },
	{ 'q', LETTER "quiet", NULL, "verify", "print nothing, only exit", NULL, NULL },
	/* ---- How it is done ---- */
	{ 'j', LETTER "jobs", "N", "stats analyze batch check diff summarize why",
	  "processors to use, of several inputs by processes, of one by threads (the default: "
	  "all)",
	  NULL, NULL },
	{ 'S', LONG "strict", NULL, "stats analyze search why info dump",
	  "exit with 4 if events are missing: lost, damaged, or the log was not closed", NULL,
	  NULL },
	{ 'S', LONG "strict", NULL, "check",
	  "treat rules as broken that are unsure, or hold for an input that lacks events", NULL, NULL },
	{ 0, LONG NULL, NULL, NULL, NULL, NULL, NULL },
};
/* clang-format on */
