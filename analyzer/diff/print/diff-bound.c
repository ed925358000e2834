/* SPDX-License-Identifier: MIT */
/* Sums the parts of a step that are GPU work, and finds the time that the host needs by itself. */
#include "analyzer/diff/print/diff-bound.h"

#include <math.h>

#include "analyzer/base/util.h"
#include "analyzer/diff/diff-evidence.h"

/* If GPU work is at most this part of a step, the step waits for the CPU … */
#define MOST_OF_CPU 0.7

/* … and if it is at least this part, the step waits for the GPU. */
#define LEAST_OF_GPU 0.85

/* If the logarithm of the factor is at most this, the host took about as long by itself. */
#define ALIKE 0.1

/* Waits of at least this part of a step are mentioned. */
#define FEW_WAITS 0.05

double ra_diff_bound_find(const struct ra_diff *diff, size_t side)
{
	const size_t other = 1 - side;
	double gpu_ns[2] = { 0, 0 };

	for (size_t role = RA_ROLE_KERNEL; role <= RA_ROLE_COMMUNICATION; role++) {
		gpu_ns[side] += (double) diff->roles[role].mean_ns[side];
		gpu_ns[other] += (double) diff->roles[role].mean_ns[other];
	}
	return gpu_ns[side] > 0 && gpu_ns[other] > 0
	               ? gpu_ns[side] / (double) diff->roles[RA_ROLE_TOTAL].mean_ns[side]
	               : NAN;
}

struct ra_host_alone ra_diff_bound_find_host(const struct ra_diff *diff, size_t side)
{
	const struct ra_batch_series *series = &diff->sides[side]->series;
	const int64_t units = diff->units[side] > 0 ? (int64_t) diff->units[side] : 1;
	struct ra_host_alone sum = { 0, 0 };

	if (!diff->has_steps || series->count < diff->sets[side]->source_count) {
		return sum;
	}
	for (size_t i = 0; i < series->count; i++) {
		const struct ra_host_alone *host = &series->rows[i].host;

		if (host->range_ns == 0) {
			return (struct ra_host_alone){ 0, 0 };
		}
		sum.range_ns = ra_util_add_time(sum.range_ns, host->range_ns);
		sum.waits_ns = ra_util_add_time(sum.waits_ns, host->waits_ns);
	}
	return (struct ra_host_alone){ sum.range_ns / units, sum.waits_ns / units };
}

bool ra_diff_bound_is_moved(const struct ra_diff *diff)
{
	const double before = ra_diff_bound_find(diff, 0);
	const double after = ra_diff_bound_find(diff, 1);

	/* Comparisons with NaN are false, so a side without figures is not reported as moved. */
	return diff->has_steps && fmin(before, after) <= MOST_OF_CPU &&
	       fmax(before, after) >= LEAST_OF_GPU;
}

const char *ra_diff_bound_word(const struct ra_diff *diff, size_t role)
{
	const enum ra_diff_verdict verdict = diff->roles[role].verdict;

	return (role != RA_ROLE_RUNTIME && role != RA_ROLE_CPU_EXEC) ||
	                       !ra_diff_bound_is_moved(diff)
	               ? NULL
	       : verdict == RA_DIFF_FASTER ? "less exposed"
	       : verdict == RA_DIFF_SLOWER ? "more exposed"
	                                   : NULL;
}

/* Appends "0.25 times as long: faster itself". */
static void put_factor(struct ra_util_text *text, double factor)
{
	ra_util_text_format(text, "%.3g times as long: %s itself", factor,
	                    factor < 1 ? "faster" : "slower");
}

/* Returns the part of the CPU's own time that the GPU's work hides. */
static double find_hidden(const struct ra_diff *diff, size_t side, int64_t alone_ns)
{
	int64_t exposed_ns = diff->roles[RA_ROLE_TOTAL].mean_ns[side];

	for (size_t role = RA_ROLE_KERNEL; role <= RA_ROLE_COMMUNICATION; role++) {
		exposed_ns -= diff->roles[role].mean_ns[side];
	}
	return fmax(1 - (double) exposed_ns / (double) alone_ns, 0);
}

bool ra_diff_bound_has_hosts(const struct ra_diff *diff)
{
	return ra_diff_bound_is_moved(diff) && ra_diff_bound_find_host(diff, 0).range_ns > 0 &&
	       ra_diff_bound_find_host(diff, 1).range_ns > 0;
}

/* Return: false if it is not known on both sides. */
static bool put_host(struct ra_util_text *text, const struct ra_diff *diff)
{
	const struct ra_host_alone hosts[2] = { ra_diff_bound_find_host(diff, 0),
		                                ra_diff_bound_find_host(diff, 1) };
	const int64_t alone_ns[2] = { hosts[0].range_ns - hosts[0].waits_ns,
		                      hosts[1].range_ns - hosts[1].waits_ns };
	const double factor = (double) alone_ns[1] / (double) alone_ns[0];

	if (alone_ns[0] <= 0 || alone_ns[1] <= 0) {
		return false;
	}
	ra_util_text_format(text, "; the CPU without waits for it: ");
	ra_util_text_put_time(text, alone_ns[0]);
	ra_util_text_format(text, " before, ");
	ra_util_text_put_time(text, alone_ns[1]);
	ra_util_text_format(text, " after, ");
	if (fabs(log(factor)) > ALIKE) {
		put_factor(text, factor);
	} else {
		ra_util_text_format(text, "not %s itself", factor < 1 ? "faster" : "slower");
	}
	ra_util_text_format(text, "; %.0f%% of it hidden before, %.0f%% after\n",
	                    find_hidden(diff, 0, alone_ns[0]) * 100,
	                    find_hidden(diff, 1, alone_ns[1]) * 100);
	return true;
}

/* Writes about the ranges, if the time of the host itself is not known. Only the factor of the
 * ranges is known, which waits change, too. Summaries do not have it. */
static void put_of_ranges(struct ra_util_text *text, const struct ra_diff_factors *factors,
                          bool is_more)
{
	if (factors->count < RA_DIFF_FACTORS_FEW) {
		ra_util_text_format(text,
		                    ": %s of the CPU is hidden, not known if it is %s itself\n",
		                    is_more ? "more" : "less", is_more ? "faster" : "slower");
		return;
	}
	ra_util_text_format(text, "; ranges themselves took ");
	if (fabs(factors->middle) > ALIKE) {
		put_factor(text, exp(factors->middle));
	} else {
		ra_util_text_format(text, "about as long");
	}
	ra_util_text_format(text, ", and %s is hidden\n", is_more ? "more" : "less");
}

/* Writes how long calls waited. Calls that wait take longer, anywhere in a step where the queue was
 * full. */
static void put_waits(struct ra_util_text *text, const struct ra_diff *diff, const char *mark)
{
	bool is_told = false;
	int64_t waits_ns[2];

	for (size_t side = 0; side < 2; side++) {
		const struct ra_host_alone host = ra_diff_bound_find_host(diff, side);

		waits_ns[side] = host.waits_ns;
		is_told = is_told || (double) host.waits_ns > FEW_WAITS * (double) host.range_ns;
	}
	if (!is_told) {
		return;
	}
	ra_util_text_format(
		text,
		"%swaits for the GPU in calls within steps (full queue, synchronize, copies), "
		"also in rows of calls and ranges: ",
		mark);
	ra_util_text_put_time(text, waits_ns[0]);
	ra_util_text_format(text, " before, ");
	ra_util_text_put_time(text, waits_ns[1]);
	ra_util_text_format(text, " after\n");
}

void ra_diff_bound_put(struct ra_util_text *text, const struct ra_diff *diff, const char *mark)
{
	const double before = ra_diff_bound_find(diff, 0);
	const double after = ra_diff_bound_find(diff, 1);
	const bool is_more = after > before;

	if (!ra_diff_bound_is_moved(diff)) {
		return;
	}
	ra_util_text_format(text, "%sGPU work: %.1f%% of a step before, %.1f%% after", mark,
	                    before * 100, after * 100);
	if (!put_host(text, diff)) {
		put_of_ranges(text, &diff->drifts[RA_DIFF_COMMON_CPU].factors, is_more);
	}
	put_waits(text, diff, mark);
}
