/* SPDX-License-Identifier: MIT */
/* Sums the parts of a step that are the GPU's work. */
#include "analyzer/diff/print/diff-bound.h"

#include <math.h>

#include "analyzer/diff/diff-evidence.h"

/* Up to this part a step waits for the CPU … */
#define MOST_OF_CPU 0.7

/* … and from this one for the GPU. */
#define LEAST_OF_GPU 0.85

/* Ranges took as long themselves if the logarithm of their factor is at most this. */
#define ALIKE 0.1

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

void ra_diff_bound_put(struct ra_util_text *text, const struct ra_diff *diff, const char *mark)
{
	const double before = ra_diff_bound_find(diff, 0);
	const double after = ra_diff_bound_find(diff, 1);
	const bool is_more = after > before;
	const struct ra_diff_factors *factors = &diff->drifts[RA_DIFF_COMMON_CPU].factors;

	/* Comparisons with NaN are false. */
	if (!diff->has_steps || !(fmin(before, after) <= MOST_OF_CPU) ||
	    !(fmax(before, after) >= LEAST_OF_GPU)) {
		return;
	}
	ra_util_text_format(text, "%sGPU work: %.1f%% of a step before, %.1f%% after", mark,
	                    before * 100, after * 100);
	if (factors->count >= RA_DIFF_FACTORS_FEW && fabs(factors->middle) > ALIKE) {
		ra_util_text_format(text,
		                    "; ranges themselves took %.3g times as long, %s is hidden\n",
		                    exp(factors->middle), is_more ? "more" : "less");
	} else {
		ra_util_text_format(text,
		                    ": it hides %s of Runtime and CPU Exec, which need not be %s\n",
		                    is_more ? "more" : "less", is_more ? "faster" : "slower");
	}
}
