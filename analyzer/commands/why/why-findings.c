/* SPDX-License-Identifier: MIT */
/* analyzer why FILE: writes what costs most and what to do, from the findings of the report
 * "advice". */
#include "analyzer/commands/why/why-findings.h"

#include <string.h>

#include "analyzer/advice/advice.h"
#include "analyzer/base/text/util-string.h"

#define MOST_NEXT   2
#define LEAST_STALL 0.05 /* part of the time; less is not mentioned */

/* If a finding's time is more than this many times its worst place, the worst place is not
 * mentioned. */
#define MOST_WORST 50

void ra_why_put_share(struct ra_util_text *text, double share)
{
	ra_util_text_format(text, "%.1f%%", 100 * share);
}

void ra_why_put_cell(struct ra_util_text *text, const struct ra_table *table, size_t row,
                     const char *key)
{
	const struct ra_table_cell *cell = ra_why_cell(table, row, key);

	if (cell->has_value) {
		ra_advice_put_prose(text, cell->u.text);
	}
}

/* Appends " Worst: step 5, 68.694ms at 229us." */
static void put_worst(struct ra_util_text *text, const struct ra_table *advice)
{
	const struct ra_table_cell *longest = ra_why_cell(advice, 0, "longest");

	if (!longest->has_value ||
	    longest->u.number < ra_why_cell(advice, 0, "total")->u.number / MOST_WORST) {
		return;
	}
	ra_util_text_format(text, " Worst: ");
	if (ra_why_cell(advice, 0, "step")->has_value) {
		ra_util_text_format(text, "step ");
		ra_why_put_cell(text, advice, 0, "step");
		ra_util_text_format(text, ", ");
	}
	ra_util_text_put_time(text, longest->u.number);
	ra_util_text_format(text, " at ");
	ra_util_text_put_time(text, ra_why_cell(advice, 0, "start")->u.number);
	ra_util_text_put_char(text, '.');
}

/* Says how much of the kernels' time is not useful work, unless this is the main finding, which has
 * been printed. */
static void put_stalls(struct ra_util_text *text, const struct ra_table *advice)
{
	for (size_t row = 1; row < advice->row_count; row++) {
		const struct ra_table_cell *share = ra_why_cell(advice, row, "share");

		if (ra_util_string_is(ra_why_cell(advice, row, "rule")->u.text,
		                      ra_advice_rules[RA_ADVICE_STALLS].id) &&
		    share->has_value && share->u.real >= LEAST_STALL) {
			ra_util_text_format(text, "Not all of the kernels' time is work: ");
			ra_why_put_cell(text, advice, row, "finding");
			ra_util_text_format(text, ". ");
		}
	}
}

/* Finds a cause in the evidence, which names it in fixed words: why communication is exposed, that
 * kernels are too small, or that all operators are slow. The paragraph needs it, because the advice
 * depends on it. Return: NULL if the evidence has no such words. */
static const char *find_cause(const struct ra_table *advice, size_t row)
{
	static const struct {
		const char *words;
		bool is_part; /* the words are shown, too; else only the text after them */
	} known[] = { { "not hidden: ", false },
		      { "launched them, and ", false },
		      { "all operators are slow", true } };
	const struct ra_table_cell *evidence = ra_why_cell(advice, row, "evidence");

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]) && evidence->has_value; i++) {
		const size_t length = strlen(known[i].words);
		const char *at = memmem(evidence->u.text.bytes, evidence->u.text.length,
		                        known[i].words, length);

		if (at != NULL) {
			return known[i].is_part ? at : at + length;
		}
	}
	return NULL;
}

/* Appends that cause, up to a semicolon. */
static void put_cause(struct ra_util_text *text, const struct ra_table *advice, size_t row)
{
	const struct ra_table_cell *evidence = ra_why_cell(advice, row, "evidence");
	const char *cause = find_cause(advice, row);
	const char *end;

	if (cause == NULL) {
		return;
	}
	end = evidence->u.text.bytes + evidence->u.text.length;
	for (const char *at = cause; at < end; at++) {
		end = *at == ';' ? at : end;
	}
	ra_util_text_format(text, " (");
	ra_util_text_put(text, cause, (size_t) (end - cause));
	ra_util_text_put_char(text, ')');
}

/* Appends the figures of a finding that is not the first: ", 14.7ms a step, in cudaFree". */
static void put_of_step(struct ra_util_text *text, const struct ra_why *why, size_t row)
{
	const struct ra_table_cell *total = ra_why_cell(&why->advice, row, "total");
	const struct ra_table_cell *place = ra_why_cell(&why->advice, row, "place");
	const size_t count = why->steps->steps.times.step_count;

	if (total->has_value && count > 1) {
		ra_util_text_format(text, " (");
		ra_util_text_put_time(text, total->u.number / (int64_t) count);
		ra_util_text_format(text, " a step");
		if (place->has_value && place->u.text.length > 0 &&
		    find_cause(&why->advice, row) == NULL &&
		    !ra_util_string_is(ra_why_cell(&why->advice, row, "rule")->u.text,
		                       ra_advice_rules[RA_ADVICE_STEPS].id)) {
			ra_util_text_format(text, ", worst in ");
			ra_why_put_cell(text, &why->advice, row, "place");
		}
		ra_util_text_put_char(text, ')');
	}
}

void ra_why_put_findings(struct ra_util_text *text, const struct ra_why *why)
{
	const struct ra_table *advice = &why->advice;

	if (advice->row_count == 0) {
		ra_util_text_format(text, why->gpus.row_count > 0
		                                  ? "`stats -r advice` found nothing to recommend. "
		                                  : "");
		return;
	}
	ra_why_put_cell(text, advice, 0, "finding");
	if (ra_why_cell(advice, 0, "evidence")->has_value) {
		ra_util_text_format(text, ": ");
		ra_why_put_cell(text, advice, 0, "evidence");
	}
	ra_util_text_put_char(text, '.');
	put_worst(text, advice);
	if (ra_why_cell(advice, 0, "remedy")->has_value) {
		ra_util_text_format(text, " To do: ");
		ra_why_put_cell(text, advice, 0, "remedy");
		ra_util_text_put_char(text, '.');
	}
	for (size_t row = 1; row < advice->row_count && row <= MOST_NEXT; row++) {
		const struct ra_table_cell *share = ra_why_cell(advice, row, "share");

		ra_util_text_format(text, row > 1            ? ", "
		                          : share->has_value ? " Next, of the window: "
		                                             : " Next: ");
		ra_why_put_cell(text, advice, row, "rule");
		if (share->has_value) {
			ra_util_text_put_char(text, ' ');
			ra_why_put_share(text, share->u.real);
		}
		put_of_step(text, why, row);
		put_cause(text, advice, row);
	}
	ra_util_text_format(text, advice->row_count > 1 ? ". " : " ");
	put_stalls(text, advice);
}
