/* SPDX-License-Identifier: MIT */
/* Options of a command that exclude each other: a row for each rule. Commands check the rules that
 * depend on the inputs. */
#include "analyzer/commands/options/options.h"

#define NOT_WITH false,
#define NEEDS    true,

/* Each row is kept together. */
/* clang-format off */
const struct rlog_option_pair ra_cmd_option_pairs[] = {
	{ "analyze", "steps", NEEDS "output", NULL, ": `analyzer stats` prints reports of steps" },
	{ "analyze", "to without-log", NEEDS "output", NULL, NULL },
	{ "analyze", "width brief", NOT_WITH "output", NULL,
	  ": it shapes the summary, which -o does not write" },
	{ "dump", "slices", NOT_WITH "all", NULL, NULL },
	{ "dump", "slices", NOT_WITH "by-time", NULL, NULL },
	{ "batch", "archive align", NEEDS "timeline", NULL, ", which draws the timeline" },
	{ "stats search why", "brief", NOT_WITH "format", "!table",
	  ": it is of tables for people" },
	{ "info check diff", "brief", NOT_WITH "format", "!text", ": it is of text for people" },
	{ "stats info", "brief", NOT_WITH "json", NULL, ": it is of text for people" },
	{ "stats diff", "brief", NOT_WITH "output", NULL, NULL },
	{ "stats", "brief", NOT_WITH "by", NULL, NULL },
	{ "stats", "graph-capture", NOT_WITH "compat", "!none",
	  ", whose figures are other tools'" },
	{ "diff", "baseline by fail-on brief output", NOT_WITH "compat", "!none", NULL },
	{ NULL, NULL, NEEDS NULL, NULL, NULL },
};
/* clang-format on */
