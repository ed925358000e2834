/* SPDX-License-Identifier: MIT */
/* Writes a comparison, for users and for programs. */
#include "analyzer/diff/print/diff-print.h"

#include <math.h>
#include <stdio.h>

#include "analyzer/base/text/util-string.h"
#include "analyzer/base/util.h"
#include "analyzer/diff/print/diff-beside.h"
#include "analyzer/diff/print/diff-bound.h"
#include "analyzer/diff/diff-energy.h"
#include "analyzer/diff/diff-evidence.h"
#include "analyzer/diff/diff-work.h"
#include "analyzer/diff/print/diff-short-names.h"
#include "analyzer/diff/print/diff-table.h"
#include "analyzer/diff/print/diff-unlike.h"
#include "analyzer/diff/print/diff-why.h"
#include "analyzer/diff/print/diff-words.h"
#include "analyzer/table/forms/junit.h"
#include "analyzer/table/forms/table-data.h"
#include "analyzer/table/forms/table-text.h"
#include "analyzer/table/table-wrap.h"

static void put_name(struct ra_util_text *text, const char *name, enum ra_util_text_target target)
{
	ra_util_text_put_name(text, ra_util_string(name), target);
}

/* True if there is one run on each side, and something is unsure. */
static bool has_unsure_pair(const struct ra_diff *diff)
{
	bool has = false;

	for (size_t i = 0; i < diff->count; i++) {
		has = has || diff->rows[i].verdict == RA_DIFF_UNSURE;
	}
	return has && diff->sides[0]->run_count == 1 && diff->sides[1]->run_count == 1;
}

/* Appends the table of parts and the causes. Return: false if there are no causes. */
static bool put_parts(struct ra_util_text *text, const struct ra_diff *diff,
                      const struct ra_diff_print *options, const struct ra_table *table)
{
	const bool is_markdown = options->form == RA_DIFF_PRINT_MARKDOWN;

	ra_util_text_format(text, "\n%sWhere the time of %s went\n\n", is_markdown ? "## " : "",
	                    diff->has_steps ? "a step" : "an input");
	if (is_markdown) {
		ra_table_text_put_markdown(text, table);
		ra_diff_bound_put(text, diff, "\n");
	} else {
		const size_t start = text->length;

		ra_table_text_put(text, table, options->width);
		ra_diff_bound_put(text, diff, "");
		ra_table_wrap_from(text, start, options->width);
	}
	return ra_diff_why_put(text, diff, options);
}

/* Says that ranges share a row here, or that kernels do not although they do so in reports. In
 * reports on one side, kernels with the same short name share a row. */
static void put_of_names(struct ra_util_text *text, const struct ra_table *table)
{
	const size_t what = ra_table_find_column(table->columns, table->column_count, "what");
	const size_t name = ra_table_find_column(table->columns, table->column_count, "name");
	size_t count = 0;
	bool is_shared = false;

	for (size_t row = 0; row < table->row_count; row++) {
		const struct ra_table_cell *cells = &table->cells[row * table->column_count];

		count += ra_util_string_is(cells[what].u.text, "kernel");
		is_shared = is_shared || (ra_util_string_is(cells[what].u.text, "range") &&
		                          ra_util_string_has(cells[name].u.text, "# × "));
	}
	if (is_shared) {
		ra_util_text_format(text,
		                    "ranges that differ only by a number and moved alike share "
		                    "a row, with # in its place (--width 0 shows each)\n");
	}
	if (count > 1) {
		ra_util_text_format(text, "kernels are told apart by whole names (--width 0), in "
		                          "report kernels by short ones\n");
	}
}

/* Appends the table of energy. Appends nothing if either side has no figures of energy. */
static void put_energy(struct ra_util_text *text, const struct ra_diff *diff,
                       const struct ra_diff_print *options)
{
	const bool is_markdown = options->form == RA_DIFF_PRINT_MARKDOWN;
	struct ra_table table;

	ra_diff_energy_fill(&table, diff, options->limits.percent);
	if (table.row_count > 0 && options->limit > 0) {
		ra_table_cut(&table, options->limit);
	}
	if (table.row_count > 0) {
		ra_util_text_format(text, "\n%sEnergy of GPUs, J per %s\n\n",
		                    is_markdown ? "## " : "", diff->has_steps ? "step" : "input");
		if (is_markdown) {
			ra_table_text_put_markdown(text, &table);
		} else {
			if (options->width > 0) {
				ra_diff_short_names_put(&table);
			}
			ra_table_text_put(text, &table, options->width);
		}
	}
	ra_table_fini(&table);
}

/* Says whether the sides did the same work. If they did, says so only if their machines differ. */
static void put_work(struct ra_util_text *text, const struct ra_diff *diff, bool is_unlike,
                     bool is_markdown)
{
	const struct ra_diff_work work = ra_diff_work_find(diff);
	const char *mark = is_markdown ? "* " : "";

	if (work.is_same && is_unlike) {
		ra_util_text_format(text,
		                    "%sthe same work: %zu of %zu operators have as many calls per "
		                    "step; input sizes not compared\n",
		                    mark, work.equal, work.names);
	} else if (work.is_other) {
		ra_util_text_format(text,
		                    "%snot the same work: only %zu of %zu operators have as many "
		                    "calls per step\n",
		                    mark, work.equal, work.names);
	}
}

/* Describes the sides, and how their machines and their work differ. */
static void put_sides(struct ra_util_text *text, const struct ra_diff *diff,
                      const struct ra_diff_print *options, enum ra_util_text_target target)
{
	const bool is_markdown = target == RA_TEXT_MARKDOWN;
	const size_t start = text->length;
	bool is_unlike;

	if (is_markdown) {
		ra_util_text_format(text, "* ");
	}
	is_unlike =
		ra_diff_unlike_put(text, diff, (const char *const[2]){ "before", "after" }, target);
	if (!is_unlike) {
		text->length = start;
	}
	ra_util_text_format(text, "%sbefore: ", is_markdown ? "* " : "");
	put_name(text, options->names[0], target);
	ra_util_text_format(text, ", ");
	ra_diff_words_put_units(text, diff, 0);
	ra_util_text_format(text, "\n%safter:  ", is_markdown ? "* " : "");
	put_name(text, options->names[1], target);
	ra_util_text_format(text, ", ");
	ra_diff_words_put_units(text, diff, 1);
	ra_util_text_put_char(text, '\n');
	if (diff->by == RA_COUNT_NONE) {
		put_work(text, diff, is_unlike, is_markdown);
	}
}

/* Appends the lines below the tables. If there is room for only one row, leaves out most of these
 * lines. */
static void put_notes(struct ra_util_text *text, const struct ra_diff *diff,
                      const struct ra_diff_print *options, const struct ra_table *rows)
{
	const bool is_wide = options->form != RA_DIFF_PRINT_MARKDOWN && options->width > 0;

	ra_util_text_format(
		text, "\n%zu of %zu rows differ%s; ", ra_diff_count_changed(diff), diff->count,
		ra_diff_count_changed(diff) > 0 && !ra_diff_has_sure(diff) ? ", none of them surely"
									   : "");
	ra_diff_words_put_limits(text, diff, &options->limits);
	ra_util_text_put_char(text, '\n');
	if (rows->row_count > 1 && !options->is_brief) {
		ra_util_text_format(text,
		                    "rows: first what is %s, %s, new or gone, then the rest; "
		                    "of both the largest total change; ranges include what runs in "
		                    "them\n",
		                    ra_diff_words_of_verdict(diff, RA_DIFF_SLOWER),
		                    ra_diff_words_of_verdict(diff, RA_DIFF_FASTER));
	}
	if (diff->by == RA_COUNT_NONE) {
		if (!options->without_why) {
			ra_diff_beside_put(text, diff);
		}
		if (options->limit != 1) {
			ra_diff_beside_put_unsure(text, diff);
		}
	}
	if (ra_diff_words_put_drift(text, diff,
	                            options->is_brief && ra_diff_bound_has_hosts(diff)
	                                    ? RA_DIFF_COMMON_GPU
	                                    : RA_DIFF_COMMON_CPU,
	                            "the second side")) {
		ra_util_text_put_char(text, '\n');
	}
	if (options->limit != 1 && ra_diff_words_put_totals(text, diff)) {
		ra_util_text_put_char(text, '\n');
	}
	if (is_wide && !options->is_brief) {
		put_of_names(text, rows);
	}
	ra_diff_words_put_lacks(text, diff, (const char *const[2]){ "before: ", "after: " });
	if (!options->without_why && has_unsure_pair(diff)) {
		ra_util_text_format(
			text, "one run on either side does not tell how runs vary: of several, in "
			      "folders, less is unsure\n");
	}
}

static void put_people(struct ra_util_text *text, const struct ra_diff *diff,
                       const struct ra_diff_print *options, struct ra_table tables[2])
{
	const bool is_markdown = options->form == RA_DIFF_PRINT_MARKDOWN;
	const enum ra_util_text_target target = is_markdown ? RA_TEXT_MARKDOWN : RA_TEXT_TERMINAL;
	const char *unit = diff->has_steps ? "step" : "input";
	const size_t width = is_markdown ? 0 : options->width;
	size_t start = text->length;
	bool has_causes = false;

	put_sides(text, diff, options, target);
	ra_table_wrap_from(text, start, width);
	if (diff->by == RA_COUNT_NONE) {
		has_causes = put_parts(text, diff, options, &tables[0]);
	}
	ra_util_text_format(text, "\n%sWhat changed, %s%sper %s%s\n\n", is_markdown ? "## " : "",
	                    diff->by == RA_COUNT_NONE ? "" : ra_diff_words_by(diff),
	                    diff->by == RA_COUNT_NONE ? "" : " ", unit,
	                    !has_causes ? ""
	                    : options->is_brief
	                            ? "; all time of all calls"
	                            : "; rows: all time of all calls, causes: exposed time");
	if (tables[1].row_count == 0) {
		ra_util_text_format(text, "nothing\n");
	} else if (is_markdown) {
		ra_table_text_put_markdown(text, &tables[1]);
	} else {
		ra_table_text_put(text, &tables[1], options->width);
	}
	put_energy(text, diff, options);
	start = text->length;
	put_notes(text, diff, options, &tables[1]);
	ra_table_wrap_from(text, start, width);
}

/* Appends the factors by which names changed, and the end of the object. */
static void put_factors(struct ra_util_text *text, const struct ra_diff_factors *factors)
{
	if (factors->count >= RA_DIFF_FACTORS_FEW) {
		ra_util_text_format(text, ",\"names\":%zu,\"are_alike\":%s", factors->count,
		                    factors->are_alike ? "true" : "false");
		ra_util_text_format(text,
		                    ",\"low_factor\":%.6g,\"middle_factor\":%.6g,"
		                    "\"high_factor\":%.6g",
		                    exp(factors->low), exp(factors->middle), exp(factors->high));
	}
	ra_util_text_put_char(text, '}');
}

/* Appends the difference that all rows of a machine share, for machines for which it is known. */
static void put_shared(struct ra_util_text *text, const struct ra_diff *diff)
{
	const char *between = "\n";

	ra_util_text_format(text, "\"shared\":[");
	for (size_t i = RA_DIFF_COMMON_CPU; i <= RA_DIFF_COMMON_GPU; i++) {
		const struct ra_diff_common *common = &diff->drifts[i];
		const struct ra_diff_evidence *evidence = &common->evidence;

		if (common->share == RA_DIFF_SHARE_NONE) {
			continue;
		}
		ra_util_text_format(text, "%s{\"of\":\"%s\",\"share\":\"%s\",\"verdict\":\"%s\",",
		                    between, ra_diff_words_machine(i),
		                    ra_diff_words_share(common->share),
		                    ra_diff_words_of_verdict(diff, common->verdict));
		ra_util_text_format(text, "\"estimate_part\":%.6g,\"low_part\":%.6g,",
		                    expm1(evidence->change), expm1(evidence->low));
		ra_util_text_format(text, "\"high_part\":%.6g,\"chance\":%.6g,",
		                    expm1(evidence->high), evidence->chance);
		ra_util_text_format(text, "\"runs_before\":%zu,\"runs_after\":%zu",
		                    evidence->runs[0], evidence->runs[1]);
		put_factors(text, &common->factors);
		between = ",\n";
	}
	ra_util_text_format(text, "],\n");
}

/* Appends a member on whether the work was the same, if the sides have steps and enough
 * operators. */
static void put_json_work(struct ra_util_text *text, const struct ra_diff *diff)
{
	const struct ra_diff_work work = ra_diff_work_find(diff);

	if (work.names > 0 && diff->by == RA_COUNT_NONE) {
		ra_util_text_format(text,
		                    "\"work\":{\"names\":%zu,\"equal\":%zu,\"is\":", work.names,
		                    work.equal);
		ra_util_text_format(text, "%s},\n",
		                    work.is_same    ? "\"same\""
		                    : work.is_other ? "\"other\""
		                                    : "null");
	}
}

/* Appends the time that the host needs by itself, if it is known for both sides. */
static void put_json_hosts(struct ra_util_text *text, const struct ra_diff *diff)
{
	const struct ra_host_alone before = ra_diff_bound_find_host(diff, 0);
	const struct ra_host_alone after = ra_diff_bound_find_host(diff, 1);

	if (before.range_ns > 0 && after.range_ns > 0) {
		ra_util_text_format(text,
		                    "\"host_alone\":{\"before_ns\":%lld,\"after_ns\":%lld,"
		                    "\"before_waits_ns\":%lld,\"after_waits_ns\":%lld},\n",
		                    (long long) (before.range_ns - before.waits_ns),
		                    (long long) (after.range_ns - after.waits_ns),
		                    (long long) before.waits_ns, (long long) after.waits_ns);
	}
}

static void put_json(struct ra_util_text *text, const struct ra_diff *diff,
                     const struct ra_diff_print *options, const struct ra_table tables[2])
{
	static const char *const keys[2] = { "before", "after" };
	struct ra_table energy;

	ra_util_text_put_char(text, '{');
	for (size_t side = 0; side < 2; side++) {
		ra_util_text_format(text, "\"%s\":{\"input\":\"", keys[side]);
		put_name(text, options->names[side], RA_TEXT_JSON);
		ra_util_text_format(text, "\",\"inputs\":%zu,\"incomplete\":%zu,\"units\":%llu},\n",
		                    diff->sets[side]->source_count, diff->incomplete[side],
		                    (unsigned long long) diff->units[side]);
	}
	ra_diff_unlike_put_json(text, diff);
	put_json_work(text, diff);
	if (diff->by == RA_COUNT_NONE && !isnan(ra_diff_bound_find(diff, 0))) {
		ra_util_text_format(text, "\"gpu_work\":{\"before\":%.6g,\"after\":%.6g},\n",
		                    ra_diff_bound_find(diff, 0), ra_diff_bound_find(diff, 1));
		put_json_hosts(text, diff);
	}
	ra_util_text_format(text,
	                    "\"unit\":\"%s\",\"slower\":%zu,\"changed\":%zu,\n\"limits\":"
	                    "{\"percent\":%g,\"time_ns\":%lld},\n",
	                    diff->has_steps ? "step" : "input", ra_diff_count_slower(diff),
	                    ra_diff_count_changed(diff), options->limits.percent,
	                    (long long) options->limits.time_ns);
	if (diff->by != RA_COUNT_NONE) {
		ra_util_text_format(text, "\"by\":\"%s\",\n", ra_diff_words_by(diff));
	}
	put_shared(text, diff);
	ra_diff_energy_fill(&energy, diff, options->limits.percent);
	if (energy.row_count > 0) {
		ra_util_text_format(text, "\"energy\":");
		ra_table_data_put_json(text, &energy);
		ra_util_text_format(text, ",\n");
	}
	ra_table_fini(&energy);
	if (diff->by == RA_COUNT_NONE) {
		ra_diff_why_put_json(text, diff);
	}
	ra_util_text_format(text, "\"parts\":");
	ra_table_data_put_json(text, &tables[0]);
	ra_util_text_format(text, ",\n\"rows\":");
	ra_table_data_put_json(text, &tables[1]);
	ra_util_text_format(text, "}\n");
}

/* Appends a row, or a part of a step. */
struct judged {
	struct rlog_string name;
	const int64_t *time_ns;
	enum ra_diff_verdict verdict;
	const struct ra_diff_evidence *evidence;
};

static void put_case(struct ra_util_text *text, const struct ra_diff *diff, const char *what,
                     const struct judged *row)
{
	const struct ra_diff_evidence *evidence = row->evidence;
	struct ra_util_text failure = { 0 };

	if (row->verdict == RA_DIFF_SLOWER) {
		ra_util_text_format(&failure, "%s: ", ra_diff_words_of_verdict(diff, row->verdict));
		ra_diff_words_put_amount(&failure, diff, row->time_ns[0]);
		ra_util_text_format(&failure, " before, ");
		ra_diff_words_put_amount(&failure, diff, row->time_ns[1]);
		ra_util_text_format(&failure, " after");
	}
	if (row->verdict == RA_DIFF_SLOWER && evidence->has) {
		ra_util_text_format(&failure,
		                    "; estimated %+.1f %%, 95 %%: ", expm1(evidence->change) * 100);
		ra_diff_words_put_interval(&failure, evidence);
		ra_util_text_format(&failure, ", by %s of %zu and %zu runs",
		                    ra_diff_words_method(evidence->method), evidence->runs[0],
		                    evidence->runs[1]);
	}
	if (ra_diff_words_is_opposed(
		    &(struct ra_diff_words_of){ diff, row->time_ns, row->verdict, evidence })) {
		ra_util_text_format(&failure, "; the total moved the other way");
	}
	if (row->verdict == RA_DIFF_SLOWER && ra_diff_is_partial(diff)) {
		ra_util_text_format(&failure, "; an input is incomplete");
	}
	ra_junit_put(text, what, row->name,
	             (struct rlog_string){ failure.bytes, (uint32_t) failure.length, 0 });
	ra_util_text_free(&failure);
}

/*
 * Writes a test case for the change that all rows share. The case fails if the program surely is
 * slower throughout. It is skipped if the cause may be the program or the machine. @text: NULL:
 * only counts the cases. Return: how many cases.
 */
static size_t put_shared_cases(struct ra_util_text *text, const struct ra_diff *diff,
                               const char *suffix, const char *side)
{
	size_t count = 0;
	char what[64];

	snprintf(what, sizeof(what), "shared%s", suffix);
	for (size_t i = RA_DIFF_COMMON_CPU; i <= RA_DIFF_COMMON_GPU; i++) {
		const struct ra_diff_common *common = &diff->drifts[i];
		const struct rlog_string name = ra_util_string(ra_diff_words_machine(i));
		struct ra_util_text words = { 0 };
		struct rlog_string said;

		if (common->share == RA_DIFF_SHARE_NONE) {
			continue;
		}
		count++;
		if (text == NULL) {
			continue;
		}
		ra_diff_words_put_common(&words, diff, i, side);
		said = (struct rlog_string){ words.bytes, (uint32_t) words.length, 0 };
		if (common->verdict == RA_DIFF_SLOWER) {
			ra_junit_put(text, what, name, said);
		} else if (common->share == RA_DIFF_SHARE_OPEN ||
		           common->share == RA_DIFF_SHARE_UNLIKE) {
			ra_junit_put_skipped(text, what, name, said);
		} else {
			ra_junit_put_passed(text, what, name, said);
		}
		ra_util_text_free(&words);
	}
	return count;
}

static size_t count_shared_slower(const struct ra_diff *diff)
{
	size_t count = 0;

	for (size_t i = 0; i < RA_DIFF_MACHINES; i++) {
		count += diff->drifts[i].verdict == RA_DIFF_SLOWER;
	}
	return count;
}

/* Writes the test cases of a comparison. @suffix: appended to the names of kinds of rows, if there
 * are several comparisons. */
static void put_cases(struct ra_util_text *text, const struct ra_diff *diff, const char *suffix)
{
	char what[64];

	for (size_t role = 0; role < RA_ROLES && diff->by == RA_COUNT_NONE; role++) {
		snprintf(what, sizeof(what), "step%s", suffix);
		put_case(text, diff, what,
		         &(struct judged){ ra_util_string(ra_diff_words_role(role)),
		                           diff->roles[role].mean_ns, diff->roles[role].verdict,
		                           &diff->roles[role].evidence });
	}
	for (size_t i = 0; i < diff->count; i++) {
		const struct ra_diff_row *row = &diff->rows[i];

		if (row->stats[0] != NULL && row->stats[1] != NULL) {
			snprintf(what, sizeof(what), "%s%s", ra_diff_words_kind(row), suffix);
			put_case(text, diff, what,
			         &(struct judged){ row->name, row->total_ns, row->verdict,
			                           &row->evidence });
		}
	}
}

void ra_diff_print_cases(struct ra_util_text *text, const struct ra_diff *diffs, size_t count)
{
	size_t cases = count > 0 && diffs->by == RA_COUNT_NONE ? count * RA_ROLES : 0;
	size_t slower = 0;

	for (size_t i = 0; i < count; i++) {
		slower += ra_diff_count_slower(&diffs[i]) + count_shared_slower(&diffs[i]);
		cases += put_shared_cases(NULL, &diffs[i], "", "");
		for (size_t r = 0; r < diffs[i].count; r++) {
			cases += diffs[i].rows[r].stats[0] != NULL &&
			         diffs[i].rows[r].stats[1] != NULL;
		}
	}
	ra_junit_begin(text, "analyzer diff", cases, slower);
	for (size_t i = 0; i < count; i++) {
		char suffix[8] = "";
		char side[16] = "the second side";

		if (count > 1) {
			snprintf(suffix, sizeof(suffix), ", %c", (char) ('B' + i));
			snprintf(side, sizeof(side), "%c", (char) ('B' + i));
		}
		put_shared_cases(text, &diffs[i], suffix, side);
		put_cases(text, &diffs[i], suffix);
	}
	ra_junit_end(text);
}

void ra_diff_print(struct ra_util_text *text, const struct ra_diff *diff,
                   const struct ra_diff_print *options)
{
	const bool is_json = options->form == RA_DIFF_PRINT_JSON;
	const bool is_folded = options->form == RA_DIFF_PRINT_TEXT && options->width > 0;
	struct ra_table tables[2];

	if (options->form == RA_DIFF_PRINT_JUNIT) {
		ra_diff_print_cases(text, diff, 1);
		return;
	}
	ra_diff_table_fill(tables, diff,
	                   is_json     ? RA_DIFF_TABLE_FOR_MACHINES
	                   : is_folded ? RA_DIFF_TABLE_FOLDED
	                               : RA_DIFF_TABLE_FOR_PEOPLE);
	if (options->form == RA_DIFF_PRINT_JSON) {
		put_json(text, diff, options, tables);
	} else {
		if (options->limit > 0) {
			ra_table_cut(&tables[1], options->limit);
		}
		if (is_folded) {
			ra_diff_short_names_put(&tables[1]);
		}
		if (options->is_brief) {
			ra_diff_table_hide_details(&tables[1]);
		}
		put_people(text, diff, options, tables);
	}
	ra_table_fini(&tables[0]);
	ra_table_fini(&tables[1]);
}
