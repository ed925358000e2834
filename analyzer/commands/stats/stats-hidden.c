/* SPDX-License-Identifier: MIT */
/* Explains a step that took longer although its ranges did not: GPU work hid less of it. */
#include <math.h>

#include "analyzer/base/text/util-string.h"
#include "analyzer/commands/stats/stats-others.h"
#include "analyzer/diff/print/diff-words.h"

/* part of the growth: if ranges changed by less than this, they do not explain the growth */
#define USUAL  0.25
#define ENOUGH 0.5 /* part of the time to explain: a cause is named if it explains this much */
/* part of the step's difference: parts of the step with less are not mentioned */
#define LEAST_OF 0.25
/* part of a range's time: steps whose ranges differ by less count as equally slow */
#define LEAST_BY 0.01

size_t ra_cmd_others_find_slow(const struct ra_steps *steps, size_t slowest)
{
	const size_t longest = ra_steps_longest_range(steps);
	const struct ra_steps_host *range = &steps->hosts[longest];
	const int64_t range_ns = range->end_ns - range->start_ns;
	const int64_t own_ns = steps->hosts[slowest].end_ns - steps->hosts[slowest].start_ns;

	const int64_t usual_ns = ra_cmd_others_median(steps);
	const int64_t other_ns = own_ns > usual_ns ? own_ns : usual_ns;

	return (double) (range_ns - other_ns) > LEAST_BY * (double) range_ns ? longest : slowest;
}

void ra_cmd_others_put_slow(struct ra_util_text *text, struct rlog_string name, int64_t range_ns)
{
	ra_util_text_format(text, "a step is measured from the end of the previous step's GPU work "
	                          "to the end of its own; by its range the slowest is ");
	ra_util_text_put_name(text, name, RA_TEXT_TERMINAL);
	ra_util_text_format(text, ", of ");
	ra_util_text_put_time(text, range_ns);
}

/* Says why GPU work hides less of a part. */
static void put_reason(struct ra_util_text *text, const struct ra_cmd_others *others, size_t role,
                       double left_ns)
{
	const double less_ns =
		others->median_ranges.hidden_ns[role] - others->own_ranges.hidden_ns[role];
	const double earlier_ns = others->median_ranges.lead_ns - others->own_ranges.lead_ns;

	if (less_ns < ENOUGH * left_ns || earlier_ns <= 0) {
		ra_util_text_format(text, "less of it is hidden behind GPU work");
	} else if (others->index == 0 && others->own_ranges.lead_ns <= 0) {
		ra_util_text_format(text, "no earlier GPU work hides it, as it is the first step");
	} else {
		ra_util_text_format(text, "less of it is hidden, as the previous step's GPU work "
		                          "ended ");
		ra_util_text_put_time(text, llround(earlier_ns));
		ra_util_text_format(text, " earlier after its range (");
		ra_util_text_put_time(text, llround(others->own_ranges.lead_ns));
		ra_util_text_format(text, ", usually ");
		ra_util_text_put_time(text, llround(others->median_ranges.lead_ns));
		ra_util_text_put_char(text, ')');
	}
}

/* Writes "DataLoader shows 5.629ms more, but its ranges took 70.8ms, as usual (+0.7ms): less of it
 * is hidden, …". */
static void put_part(struct ra_util_text *text, const struct ra_cmd_others *others, size_t role)
{
	const double more_ns = others->own_ns[role] - others->median_ns[role];
	const double in_all_ns = others->own_ns[RA_ROLE_TOTAL] - others->median_ns[RA_ROLE_TOTAL];
	const double took_ns = others->own_ranges.took_ns[role];
	const double longer_ns = took_ns - others->median_ranges.took_ns[role];

	if (!ra_step_ranges_has(role) || more_ns <= 0 || more_ns < LEAST_OF * fabs(in_all_ns) ||
	    longer_ns > USUAL * more_ns) {
		return;
	}
	ra_util_text_format(text, "%s shows ", ra_diff_words_role(role));
	ra_util_text_put_time(text, llround(more_ns));
	ra_util_text_format(text, " more, but its %s took ",
	                    role == RA_ROLE_RUNTIME ? "calls" : "ranges");
	ra_util_text_put_time(text, llround(took_ns));
	ra_util_text_format(text, ", %s (%s",
	                    longer_ns < -USUAL * more_ns ? "less than usual" : "as usual",
	                    longer_ns < 0 ? "-" : "+");
	ra_util_text_put_time(text, llround(fabs(longer_ns)));
	ra_util_text_format(text, "): ");
	put_reason(text, others, role, more_ns - longer_ns);
	ra_util_text_format(text, ". ");
}

void ra_cmd_others_put_hidden(struct ra_util_text *text, const struct ra_cmd_others *others)
{
	bool is_told[RA_ROLES] = { false };

	for (size_t i = 0; i < RA_CMD_OTHERS_PARTS; i++) {
		const size_t role = ra_cmd_others_next(others, is_told);

		if (role == RA_ROLES) {
			break;
		}
		put_part(text, others, role);
	}
	if (others->slow_ns > 0) {
		const size_t start = text->length;

		ra_cmd_others_put_slow(text, ra_util_string(others->slow_name), others->slow_ns);
		text->bytes[start] = 'A'; /* the reason begins a sentence */
		ra_util_text_format(text, ". ");
	}
}
