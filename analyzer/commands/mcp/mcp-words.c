/* SPDX-License-Identifier: MIT */
/* Rewrites answers of commands so that they name arguments of tools in place of options. */
#include "analyzer/commands/mcp/mcp-words.h"

#include <stdbool.h>
#include <string.h>

/* The phrases. At each place the first one that matches is used. A space in a phrase also matches a
 * line break with indentation. */
static const struct {
	const char *from;
	const char *to;
} phrases[] = {
	/* errors */
	{ "; see analyzer --help", "" },
	{ "; see analyzer why --help", "" },
	{ "; see analyzer stats --help", "" },
	{ "; see analyzer search --help", "" },
	{ "; see analyzer diff --help", "" },
	{ "; see analyzer check --help", "" },
	{ "; `analyzer stats --list` names all", "; list names all" },
	{ "; `analyzer stats --list` names the reports", "; list names the reports" },
	{ "analyzer: --report: summaries have only", "report: for several files there are only" },
	{ "analyzer: --report:", "report:" },
	{ "analyzer: --steps works neither with summaries nor with several files of this report",
	  "step: works neither with summaries nor with several files of this report" },
	{ "steps cannot be chosen from a summary: `analyzer summarize --steps` chooses them",
	  "steps cannot be chosen from a summary" },
	{ "analyzer: --steps", "step" },
	{ "analyzer: --step:", "step:" },
	{ "analyzer: --sort:", "sort:" },
	{ "analyzer: --limit:", "limit:" },
	{ "analyzer: --width:", "width:" },
	{ "analyzer: --brief:", "bytes:" },
	{ "analyzer: --attribute:", "attribute:" },
	{ "analyzer: --from:", "from:" },
	{ "analyzer: --to must be later than --from", "to must be later than from" },
	{ "analyzer: --to:", "to:" },
	{ "analyzer: --unit:", "unit:" },
	{ "analyzer: --thread:", "thread:" },
	{ "analyzer: --name:", "name:" },
	{ "analyzer: --rule:", "rules:" },
	{ "; --by rank runs it for each; these read several files:",
	  "; these read several files:" },
	{ "; `analyzer stats -r trace FILE` tells what it holds, `analyzer dump --slices FILE` its "
	  "ranges",
	  "; report trace tells what it holds" },
	{ "; --max-memory=SIZE allows for more", "" },
	/* steps */
	{ "--step-range NAME makes ranges of that name steps",
	  "step_range makes ranges of that name steps" },
	{ "(--step-range NAME", "(step_range" },
	{ "(--step-range)", "(step_range)" },
	{ "are taken as steps: --step-range)", "are taken as steps: step_range)" },
	{ "look at the steps after it (--steps)", "look at the steps after it (step)" },
	{ "left out: --step ", "left out: step " },
	{ "times the median: --step ", "times the median: step " },
	{ "without the first: --steps ", "without the first: step " },
	{ "(in which parts: analyzer why --steps ", "(in which parts: why, step " },
	/* size */
	{ "(--width 0 shows all)", "(full_names shows all)" },
	{ "--width 0 shows them whole", "full_names shows them whole" },
	{ "told apart by whole names (--width 0)", "told apart by whole names (full_names)" },
	{ "left out for --brief:", "left out for bytes:" },
	{ "the peak and the end; without --brief all", "the peak and the end" },
	{ "): --brief=8000 or -f json", "): bytes 8000 tells more" },
	{ "): -f json", "): not told" },
	/* no argument does this */
	{ "; --names raw shows them", "; a command line shows them with --names raw" },
	{ "arguments; --names raw shows it",
	  "arguments; a command line shows it with --names raw" },
	{ "only the launches: --graph-capture FILE adds",
	  "only the launches: on a command line --graph-capture FILE adds" },
	{ "--attribute origin gives", "attribute origin gives" },
	{ "--attribute process gives", "attribute process gives" },
	{ "--python makes them ranges, too", "python makes them ranges, too" },
	{ "searched (--python searches them)", "searched (python searches them)" },
	{ "and read it with --python", "and read it with python" },
	{ "(with --python)", "(with python)" },
	{ "(--set op=TEXT, --set op-kernels=N)", "(settings that only a command line has)" },
	{ "(--set op=TEXT)", "(of all ranges)" },
	/* other commands */
	{ "more: stats -r", "more: report" },
	{ "more: analyzer stats -r", "more: report" },
	{ "what to do: analyzer stats -r", "what to do: report" },
	{ "`stats -r advice` found", "report advice found" },
	{ "`analyzer search` shows others", "search shows others" },
	{ "`analyzer why` says", "why says" },
	{ "given as several files, analyzer stats RANK0 RANK1 ... -r stragglers",
	  "given as file rank*.json.gz or their folder" },
	{ "`analyzer stats FILE -r ranks` says", "report ranks says" },
	{ "moved otherwise: help verdict", "moved otherwise: explain verdict" },
	{ "`analyzer help REPORT.", "`explain REPORT." },
	{ "`analyzer help REPORT` explains one", "explain tells more of one" },
	{ "CSV, JSON and --sort;", "CSV, JSON and sort;" },
	{ "rows, also those that --limit cuts", "rows, also those that limit cuts" },
	/* list */
	{ "analyzer why FILE --step 7", "why, step 7" },
	{ "analyzer why FILE", "why" },
	{ "analyzer why rank*.json.gz", "why, file rank*.json.gz" },
	{ "analyzer stats FILE -r", "report" },
	{ "analyzer diff BEFORE AFTER", "diff" },
};

/* Matches a phrase. Return: the length of the match; 0: it does not match. @has_break: set if there
 * is a line break in the match. */
static size_t match(const char *phrase, const char *at, const char *end, bool *has_break)
{
	const char *from = at;

	*has_break = false;
	for (; *phrase != '\0'; phrase++) {
		if (at == end) {
			return 0;
		}
		if (*phrase == ' ' && *at == '\n') {
			*has_break = true;
			at++;
			while (at < end && *at == ' ') {
				at++;
			}
		} else if (*phrase == *at) {
			at++;
		} else {
			return 0;
		}
	}
	return (size_t) (at - from);
}

/* Finds the phrase at a place. Return: the length of its match; 0: there is none. */
static size_t find(const char *at, const char *end, size_t *phrase, bool *has_break)
{
	for (size_t i = 0; i < sizeof(phrases) / sizeof(phrases[0]); i++) {
		const size_t length = match(phrases[i].from, at, end, has_break);

		if (length > 0) {
			*phrase = i;
			return length;
		}
	}
	return 0;
}

void ra_mcp_words_replace(struct ra_util_text *text)
{
	struct ra_util_text to = { 0 };
	const char *end = text->bytes + text->length;
	const char *at = text->bytes;

	while (at < end) {
		size_t phrase;
		bool has_break;
		const size_t length = find(at, end, &phrase, &has_break);

		if (length == 0) {
			ra_util_text_put_char(&to, *at++);
			continue;
		}
		/* If a phrase was wrapped, its replacement begins the next line. */
		to.length -= has_break && to.length > 0 && to.bytes[to.length - 1] == ' ';
		ra_util_text_format(&to, has_break ? "\n  %s" : "%s", phrases[phrase].to);
		at += length;
	}
	ra_util_text_free(text);
	*text = to;
}
