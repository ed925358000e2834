/* SPDX-License-Identifier: MIT */
/* analyzer why FILE: writes the paragraph that an expert would say first. */
#include "analyzer/commands/why/why-text.h"

#include <math.h>
#include <string.h>

#include "analyzer/advice/advice.h"
#include "analyzer/base/text/util-string.h"
#include "analyzer/commands/why/why-findings.h"
#include "analyzer/commands/why/why-outlier.h"
#include "analyzer/diff/print/diff-words.h"
#include "analyzer/footer/footer.h"
#include "analyzer/names/op-kinds.h"
#include "analyzer/reports/reports.h"

#define MOST_PARTS  3
#define LEAST_PART  0.05 /* part of the whole; less is not mentioned */
#define ENOUGH      0.25 /* part of a difference: if two figures differ by more, both are printed */
#define LEAST_STEPS 5    /* with fewer, a median says little */
#define LEAST_CALLS 3    /* at least this many calls, to compare the slowest with the others */

static double path_share(const struct ra_why *why, size_t row)
{
	const struct ra_table_cell *cell = ra_why_cell(&why->path, row, "share");

	return cell->u.share.whole > 0 ? (double) cell->u.share.part / (double) cell->u.share.whole
	                               : 0;
}

/* Says which ranges are taken as steps, if the analyzer chose them by their names. */
static void put_guess(struct ra_util_text *text, const struct ra_why *why)
{
	const char *guess = why->steps->steps.guess;

	if (guess != NULL) {
		ra_util_text_format(text, " (ranges %s are taken as steps: --step-range)", guess);
	}
}

static void put_step(struct ra_util_text *text, const struct ra_steps *steps, size_t step,
                     int64_t length_ns)
{
	ra_util_text_put_name(text, steps->times.steps[step].name, RA_TEXT_TERMINAL);
	ra_util_text_format(text, ", of ");
	ra_util_text_put_time(text, length_ns);
}

/* Names the step with the longest range, if it is not `slowest`. */
static void put_slow_range(struct ra_util_text *text, const struct ra_steps *steps, size_t slowest)
{
	const size_t slow = ra_cmd_others_find_slow(steps, slowest);

	if (slow != slowest) {
		ra_util_text_format(text, " (");
		ra_cmd_others_put_slow(text, steps->times.steps[slow].name,
		                       steps->hosts[slow].end_ns - steps->hosts[slow].start_ns);
		ra_util_text_put_char(text, ')');
	}
}

/* Appends " (4.3 times the median: --step 37 says why)", if the slowest step is much slower. */
static void put_far(struct ra_util_text *text, const struct ra_steps *steps, size_t slowest)
{
	const int64_t median_ns = ra_cmd_others_median(steps);

	if (steps->times.step_count >= LEAST_STEPS &&
	    ra_steps_length(steps, slowest) > median_ns / 2 * 3) {
		ra_util_text_format(text, " (%.1f times the median: --step ",
		                    (double) ra_steps_length(steps, slowest) / (double) median_ns);
		ra_util_text_put_name(text, steps->times.steps[slowest].name, RA_TEXT_TERMINAL);
		ra_util_text_format(text, " says why)");
	}
}

/* Names the slowest of several steps. The first step is compared by its range, because its total
 * includes the host's lead. If it has the largest total, as in overview, both steps are named. */
static void put_slowest(struct ra_util_text *text, const struct ra_steps *steps)
{
	size_t slowest = ra_steps_longest(steps);

	if (ra_report_steps_is_first_longest(steps) && slowest == 0) {
		const struct ra_step *first = &steps->times.steps[0];

		ra_util_text_format(text, ", the slowest, ");
		put_step(text, steps, 0, llround(first->end - first->start));
		ra_util_text_format(text, " (compared by its range, ");
		ra_util_text_put_time(text, ra_steps_length(steps, 0));
		ra_util_text_format(text, ", as it is the first)");
		return;
	}
	if (ra_report_steps_is_first_longest(steps)) {
		const struct ra_step *first = &steps->times.steps[0];

		slowest = 1;
		for (size_t i = 2; i < steps->times.step_count; i++) {
			slowest = ra_steps_length(steps, i) > ra_steps_length(steps, slowest)
			                  ? i
			                  : slowest;
		}
		ra_util_text_format(text, "; the first, ");
		put_step(text, steps, 0, llround(first->end - first->start));
		ra_util_text_format(text, " (its range: ");
		ra_util_text_put_time(text, ra_steps_length(steps, 0));
		ra_util_text_format(text,
		                    "), fills the GPU's queue; the slowest of the others is ");
	} else {
		ra_util_text_format(text, ", the slowest, ");
	}
	put_step(text, steps, slowest, ra_steps_length(steps, slowest));
	put_far(text, steps, slowest);
	put_slow_range(text, steps, slowest);
}

/* Says with which median single steps are compared, if that leaves out the first step, whose lead
 * is part of the mean. */
static void put_median(struct ra_util_text *text, const struct ra_steps *steps)
{
	if (steps->times.step_count > 2 && ra_steps_is_filling(steps, 0)) {
		ra_util_text_format(text, " (");
		ra_util_text_put_time(text, ra_cmd_others_median(steps));
		ra_util_text_format(text, " in the median without the first)");
	}
}

/* Appends "step 9 takes 182ms, the median of the other 4 174ms: DataLoader +7ms", or the length of
 * steps. */
static void put_length(struct ra_util_text *text, const struct ra_why *why)
{
	const struct ra_steps *steps = &why->steps->steps;
	const size_t count = steps->times.step_count;

	if (why->has_others) {
		const double own_ns = why->others.own_ns[RA_ROLE_TOTAL];
		const double mean_ns = why->others.median_ns[RA_ROLE_TOTAL];

		const size_t start = text->length;

		ra_cmd_others_put(text, &why->others);
		text->bytes[start] = 'S'; /* the text begins the paragraph */
		if (mean_ns > 0) {
			ra_util_text_format(text, " (%+.1f%% in all",
			                    100 * (own_ns - mean_ns) / mean_ns);
			/* If the range is shorter than the step, that only means that the CPU was
			 * done early. */
			if ((double) why->others.range_ns >= mean_ns) {
				ra_util_text_format(
					text, ", %+.1f%% by its range",
					100 * ((double) why->others.range_ns - mean_ns) / mean_ns);
			}
			ra_util_text_put_char(text, ')');
		}
	} else if (steps->is_whole) {
		ra_util_text_put_time(text, llround(why->steps->mean.role[RA_ROLE_TOTAL]));
		ra_util_text_format(text, " were recorded, in which no range is a step");
	} else {
		ra_util_text_format(text, count == 1 ? "One step, " : "%zu steps of ", count);
		if (count == 1) {
			ra_util_text_put_name(text, steps->times.steps[0].name, RA_TEXT_TERMINAL);
			ra_util_text_format(text, ", took ");
		}
		ra_util_text_put_time(text, llround(why->steps->mean.role[RA_ROLE_TOTAL]));
		if (count > 1) {
			ra_util_text_format(text, " on average");
			put_median(text, steps);
			put_slowest(text, steps);
		}
	}
	put_guess(text, why);
	ra_util_text_format(text, ". ");
	if (why->has_others) {
		ra_cmd_others_put_hidden(text, &why->others);
	}
	if (why->warmup.count > 0) {
		ra_why_warmup_put(text, &why->warmup);
	}
}

/* Says from when to when the GPU was used, for a program without steps. Such a program may do much
 * before it uses its GPU; then the share of busy time says little. */
static void put_begin(struct ra_util_text *text, const struct ra_why *why)
{
	const struct ra_gpu *gpu = &why->input->model->gpu;
	const struct ra_step *whole = why->steps->steps.times.steps;
	const double busy = ra_why_cell(&why->gpus, 0, "any_utilization")->u.real;
	double first = whole->end;
	double rest_ns;

	for (size_t i = 0; i < gpu->op_count; i++) {
		const double start = (double) gpu->ops[i].start_ns;

		first = start < first ? start : first;
	}
	rest_ns = whole->end - first;
	if (first - whole->start > rest_ns && rest_ns > 0) {
		ra_util_text_format(text, "Its first operation begins after ");
		ra_util_text_put_time(text, llround(first - whole->start));
		ra_util_text_format(text, "; of the ");
		ra_util_text_put_time(text, llround(rest_ns));
		ra_util_text_format(text, " from then on it is busy for ");
		ra_why_put_share(text, busy * (whole->end - whole->start) / rest_ns);
		ra_util_text_format(text, ". ");
	}
}

/* Appends "The GPU is busy for 56.6% of that." If there are several GPUs, gives the least and the
 * most. */
static void put_busy(struct ra_util_text *text, const struct ra_why *why)
{
	size_t least = 0;
	size_t most = 0;

	for (size_t i = 1; i < why->gpus.row_count; i++) {
		const double busy = ra_why_cell(&why->gpus, i, "any_utilization")->u.real;

		least = busy < ra_why_cell(&why->gpus, least, "any_utilization")->u.real ? i
		                                                                         : least;
		most = busy > ra_why_cell(&why->gpus, most, "any_utilization")->u.real ? i : most;
	}
	if (why->gpus.row_count == 0) {
		ra_util_text_format(text, "No GPU work is recorded. ");
		return;
	}
	ra_util_text_format(
		text, why->gpus.row_count == 1 ? "The GPU is busy for " : "%zu GPUs are busy for ",
		why->gpus.row_count);
	ra_util_text_format(text, why->may_lack_graphs ? "at least " : "");
	ra_why_put_share(text, ra_why_cell(&why->gpus, least, "any_utilization")->u.real);
	if (why->gpus.row_count > 1) {
		ra_util_text_format(text, " (GPU %lld) to ",
		                    (long long) ra_why_cell(&why->gpus, least, "device")->u.number);
		ra_why_put_share(text, ra_why_cell(&why->gpus, most, "any_utilization")->u.real);
		ra_util_text_format(text, " (GPU %lld)",
		                    (long long) ra_why_cell(&why->gpus, most, "device")->u.number);
	}
	ra_util_text_format(text, why->steps->steps.times.step_count > 1
	                                  ? " of the window (from the first step to the end of the "
	                                    "last). "
	                          : why->has_others ? " of the step. "
	                                            : " of that. ");
	if (why->gpus.row_count == 1 && why->steps->steps.is_whole) {
		put_begin(text, why);
	}
}

/* Finds the longest part that was not mentioned yet; RA_ROLES: no such part takes at least
 * least_ns. */
static size_t find_part(const struct ra_why *why, const bool *is_told, double least_ns)
{
	const double *role_ns = why->steps->mean.role;
	size_t most = RA_ROLES;

	for (size_t role = 0; role < RA_ROLE_TOTAL; role++) {
		if (!is_told[role] && role_ns[role] >= least_ns && role_ns[role] > 0 &&
		    (most == RA_ROLES || role_ns[role] > role_ns[most])) {
			most = role;
		}
	}
	return most;
}

/* Returns words for the time that is 100 % for the parts. */
static const char *find_whole(const struct ra_why *why)
{
	return why->steps->steps.is_whole                ? "the time"
	       : why->steps->steps.times.step_count == 1 ? "the step"
	                                                 : "the steps' time";
}

/* Explains a part whose name alone does not say what it is. */
static const char *find_meaning(size_t role)
{
	switch (role) {
	case RA_ROLE_RUNTIME:
		return " (CUDA calls without GPU work)";
	case RA_ROLE_DATALOADER:
		return " (reads input without GPU work)";
	case RA_ROLE_CPU_EXEC:
		return " (ranges without GPU work or call)";
	case RA_ROLE_OTHER:
		return " (no range, call or GPU work)";
	default:
		return "";
	}
}

/* Appends "55.5% of the steps' time is Kernel, 33.4% DataLoader, 7.7% CPU Exec." */
static void put_parts(struct ra_util_text *text, const struct ra_why *why)
{
	const double whole_ns = why->steps->mean.role[RA_ROLE_TOTAL];
	bool is_told[RA_ROLES] = { false };
	size_t told = 0;

	for (; told < MOST_PARTS; told++) {
		const size_t role = find_part(why, is_told, told == 0 ? 0 : LEAST_PART * whole_ns);

		if (role == RA_ROLES) {
			break;
		}
		is_told[role] = true;
		ra_util_text_format(text, told == 0 ? "" : ", ");
		ra_why_put_share(text, why->steps->mean.role[role] / whole_ns);
		if (told == 0) {
			ra_util_text_format(text, " of %s is", find_whole(why));
		}
		ra_util_text_format(text, " %s%s", ra_diff_words_role(role), find_meaning(role));
	}
	ra_util_text_format(text, told > 0 ? ". " : "");
}

static bool has_loader(const struct ra_why *why)
{
	const struct ra_model *model = why->input->model;
	bool has = false;

	for (size_t i = 0; i < model->name_count && !has; i++) {
		has = ra_op_kinds_is_loader(ra_model_string(model, (uint32_t) i));
	}
	return has;
}

/* Says that the data loader costs little, if there is one, because users easily miss its rows in
 * `overview`. */
static void put_loader(struct ra_util_text *text, const struct ra_why *why)
{
	const double whole_ns = why->steps->mean.role[RA_ROLE_TOTAL];
	const double loader_ns = why->steps->mean.role[RA_ROLE_DATALOADER];

	if (whole_ns > 0 && loader_ns < LEAST_PART * whole_ns && has_loader(why)) {
		ra_util_text_format(text, "The data loader is no bottleneck: ");
		ra_util_text_put_time(text, llround(loader_ns));
		ra_util_text_format(text, " of ");
		ra_util_text_put_time(text, llround(whole_ns));
		ra_util_text_format(text, why->steps->steps.is_whole ? " (" : " a step (");
		ra_why_put_share(text, loader_ns / whole_ns);
		ra_util_text_format(text, "). ");
	}
}

/* Appends a row of the critical path in words. */
static void put_thing(struct ra_util_text *text, const struct ra_why *why, size_t row)
{
	static const char *const words[][2] = {
		{ "range", "" },
		{ "wait", "waiting in " },
		{ "delay", "the GPU's delay " },
	};
	const struct rlog_string kind = ra_why_cell(&why->path, row, "kind")->u.text;

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (ra_util_string_is(kind, words[i][0])) {
			ra_util_text_format(text, "%s", words[i][1]);
			ra_why_put_cell(text, &why->path, row, "name");
			return;
		}
	}
	if (!ra_util_string_is(kind, "nothing")) {
		ra_util_text_format(text, "%.*s ", (int) kind.length, kind.bytes);
	}
	ra_why_put_cell(text, &why->path, row, "name");
}

/* Appends "Of the critical path (…) 62.7% is backward, 20.1% forward." */
static void put_path(struct ra_util_text *text, const struct ra_why *why, size_t most)
{
	size_t told = 0;

	for (size_t row = 0; row < why->path.row_count && told < most; row++) {
		if (told > 0 && path_share(why, row) < LEAST_PART) {
			break;
		}
		ra_util_text_format(
			text, told == 0 ? "Of the critical path (the chain that sets the length) "
					: ", ");
		ra_why_put_share(text, path_share(why, row));
		ra_util_text_format(text, told == 0 ? " is " : " ");
		put_thing(text, why, row);
		if (ra_op_kinds_is_loader(ra_why_cell(&why->path, row, "name")->u.text)) {
			ra_util_text_format(text, " itself (without the ranges in it)");
		}
		told++;
	}
	ra_util_text_format(text, told > 0 ? ". " : "");
}

/* Finds the row of the critical path with the largest difference that was not mentioned yet. The
 * difference must have the same sign as the step's difference. Return: row_count if there is
 * none. */
static size_t find_more(const struct ra_why *why, const size_t *told, size_t count)
{
	const bool is_longer =
		why->others.own_ns[RA_ROLE_TOTAL] >= why->others.median_ns[RA_ROLE_TOTAL];
	size_t most = why->path.row_count;
	int64_t most_ns = llround(LEAST_PART * fabs(why->others.own_ns[RA_ROLE_TOTAL] -
	                                            why->others.median_ns[RA_ROLE_TOTAL]));

	for (size_t row = 0; row < why->path.row_count; row++) {
		const int64_t more_ns = ra_why_cell(&why->path, row, "more")->u.number;
		const int64_t size_ns = is_longer ? more_ns : -more_ns;
		bool is_told = false;

		for (size_t i = 0; i < count; i++) {
			is_told |= told[i] == row;
		}
		if (!is_told && size_ns > most_ns) {
			most = row;
			most_ns = size_ns;
		}
	}
	return most;
}

/* Appends " +6.5ms". */
static void put_change(struct ra_util_text *text, int64_t more_ns)
{
	ra_util_text_format(text, more_ns < 0 ? " -" : " +");
	ra_util_text_put_time(text, more_ns < 0 ? -more_ns : more_ns);
}

/* Says how the durations of a row's ranges differ, if that is another figure. The critical path
 * contains only the time that nothing else hides. */
static void put_own_change(struct ra_util_text *text, const struct ra_why *why, size_t row,
                           int64_t more_ns)
{
	int64_t own_ns;

	if (!ra_util_string_is(ra_why_cell(&why->path, row, "kind")->u.text, "range")) {
		return;
	}
	own_ns = ra_why_range_more(why, ra_why_cell(&why->path, row, "name")->u.text);
	if (fabs((double) (own_ns - more_ns)) > ENOUGH * fabs((double) more_ns)) {
		ra_util_text_format(text, " (its ranges took");
		put_change(text, own_ns);
		ra_util_text_put_char(text, ')');
	}
}

/* Appends "On its critical path enumerate(DataLoader) +6.5ms, kernel sgemm +1.2ms." */
static void put_more(struct ra_util_text *text, const struct ra_why *why)
{
	size_t told[MOST_PARTS];
	size_t count = 0;

	for (; count < MOST_PARTS; count++) {
		const size_t row = find_more(why, told, count);
		int64_t more_ns;

		if (row == why->path.row_count) {
			break;
		}
		told[count] = row;
		more_ns = ra_why_cell(&why->path, row, "more")->u.number;
		ra_util_text_format(text, count == 0 ? "What differs most on its critical path is "
		                                     : ", ");
		put_thing(text, why, row);
		put_change(text, more_ns);
		put_own_change(text, why, row, more_ns);
	}
	ra_util_text_format(text, count > 0 ? ". " : "");
}

/* Finds the start of the longest call of a range. */
static int64_t find_longest(const struct ra_why *why, struct rlog_string name)
{
	const struct ra_slices *slices = &why->input->model->slices;
	int64_t longest_ns = -1;
	int64_t start_ns = 0;

	for (size_t i = 0; i < slices->count; i++) {
		const uint32_t label = ra_labels_find(why->input->labels, slices->name[i]);

		if (slices->dur_ns[i] > longest_ns &&
		    ra_util_string_compare(ra_labels_name(why->input->labels, label), name) == 0) {
			longest_ns = slices->dur_ns[i];
			start_ns = slices->start_ns[i];
		}
	}
	return start_ns;
}

/* Appends "Half of the 20 calls of backward take 20.6ms or less, the slowest 56.2ms, at 121ms." */
static void put_spread(struct ra_util_text *text, const struct ra_why *why)
{
	const struct ra_query all = { .limit = 0 };
	const struct rlog_string name = why->path.row_count > 0
	                                        ? ra_why_cell(&why->path, 0, "name")->u.text
	                                        : (struct rlog_string){ 0 };
	struct ra_table table;

	ra_report_make(&ra_report_spread, why->input, &all, &table);
	for (size_t row = 0; row < table.row_count && !why->has_others; row++) {
		const struct ra_table_cell *calls = ra_why_cell(&table, row, "calls");
		const struct ra_table_cell *median = ra_why_cell(&table, row, "median");
		const struct ra_table_cell *most = ra_why_cell(&table, row, "max");

		if (ra_util_string_compare(ra_why_cell(&table, row, "name")->u.text, name) != 0 ||
		    calls->u.number < LEAST_CALLS || !median->has_value) {
			continue;
		}
		ra_util_text_format(text, "Half of the %lld calls of ",
		                    (long long) calls->u.number);
		ra_advice_put_prose(text, name);
		ra_util_text_format(text, " take ");
		ra_util_text_put_time(text, median->u.number);
		ra_util_text_format(text, " or less, the slowest ");
		ra_util_text_put_time(text, most->u.number);
		ra_util_text_format(text, ", at ");
		ra_util_text_put_time(text, find_longest(why, name));
		ra_util_text_format(text, ". ");
		break;
	}
	ra_table_fini(&table);
}

/* Appends the doubts that may make all these statements wrong. */
static void put_doubts(struct ra_util_text *text, const struct ra_why *why)
{
	if (ra_footer_is_incomplete(why->input->model)) {
		ra_util_text_format(text, "This file lacks events (the last lines say which); they "
		                          "are not part of this answer. ");
	}
	for (size_t row = 0; row < why->path.row_count; row++) {
		if (ra_util_string_is(ra_why_cell(&why->path, row, "kind")->u.text, "nothing") &&
		    path_share(why, row) >= LEAST_PART) {
			ra_util_text_format(text, "For ");
			ra_why_put_share(text, path_share(why, row));
			ra_util_text_format(
				text, " of the critical path the program was in no range and no "
				      "call: the file does not say what it did. ");
		}
	}
}

void ra_why_put_paragraph(struct ra_util_text *text, const struct ra_why *why)
{
	put_length(text, why);
	if (why->has_others) {
		put_more(text, why);
		ra_why_outlier_put(text, why);
	}
	put_busy(text, why);
	if (why->gpus.row_count > 0 && why->has_others) {
		put_parts(text, why);
	} else if (why->gpus.row_count > 0) {
		put_parts(text, why);
		put_loader(text, why);
		put_path(text, why, why->advice.row_count > 0 ? 1 : MOST_PARTS);
	} else {
		put_path(text, why, MOST_PARTS);
		put_spread(text, why);
	}
	ra_why_put_findings(text, why);
	put_doubts(text, why);
	text->bytes[text->length - 1] = '\n'; /* replaces the last space */
}
