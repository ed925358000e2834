/* SPDX-License-Identifier: MIT */
/* Sums of ranges and kernels by name, for `ranges top`. */
#include <stdlib.h>
#include <string.h>

#include "libranges/launcher/top/ranges-sight.h"

/* The table has at most this many names, so that it stays fast. Calls with other names are not
 * counted. */
#define MOST_SUMS 4096u

struct rcap_ranges_sum *rcap_ranges_sight_sum(struct rcap_ranges_sight *sight, uint32_t name,
                                              uint32_t domain, bool is_kernel)
{
	uint32_t at = (name * 2654435761u ^ domain * 40503u ^ is_kernel) % RCAP_RANGES_SIGHT_PLACES;

	if (!sight->sums) {
		sight->sums = calloc(RCAP_RANGES_SIGHT_PLACES, sizeof(struct rcap_ranges_sum *));
	}
	if (!sight->sums) {
		return NULL;
	}
	for (; sight->sums[at]; at = (at + 1) % RCAP_RANGES_SIGHT_PLACES) {
		struct rcap_ranges_sum *const sum = sight->sums[at];

		if (sum->name == name && sum->domain == domain && sum->is_kernel == is_kernel) {
			return sum;
		}
	}
	if (sight->sum_count == MOST_SUMS) {
		return NULL;
	}
	sight->sums[at] = calloc(1, sizeof(*sight->sums[at]));
	if (sight->sums[at]) {
		sight->sums[at]->name = name;
		sight->sums[at]->domain = domain;
		sight->sums[at]->is_kernel = is_kernel;
		sight->sum_count++;
	}
	return sight->sums[at];
}

/* Returns the bin of a duration. Bins are eighths of powers of two. */
static unsigned find_bin(double ns)
{
	uint64_t number = ns < 1 ? 1 : ns > 1e18 ? (uint64_t) 1e18 : (uint64_t) ns;
	unsigned power = 0;

	while (number >= 16) {
		number /= 2;
		power++;
	}
	return number < 8 ? (unsigned) number : 8 * power + (unsigned) number;
}

/* Returns the longest duration of a bin. */
static double bin_ns(unsigned bin)
{
	const unsigned power = bin < 16 ? 0 : bin / 8 - 1;
	const unsigned number = bin - 8 * power;

	return (number + 1.0) * (double) (UINT64_C(1) << power);
}

void rcap_ranges_sight_add(struct rcap_ranges_sight *sight, uint32_t name, uint32_t domain,
                           bool is_kernel, double ns)
{
	struct rcap_ranges_sum *sum = rcap_ranges_sight_sum(sight, name, domain, is_kernel);

	if (!sum) {
		return;
	}
	sum->calls++;
	sum->recent++;
	sum->total_ns += ns;
	sum->max_ns = ns > sum->max_ns ? ns : sum->max_ns;
	sum->bins[find_bin(ns)]++;
}

double rcap_ranges_sight_gpu_ns(const struct rcap_ranges_sight *sight)
{
	const double ns = sight->kernel_until - sight->kernel_from;

	return ns > 1 ? ns : 1;
}

double rcap_ranges_sight_p99(const struct rcap_ranges_sum *sum)
{
	uint64_t left = sum->calls / 100;

	for (unsigned bin = RCAP_RANGES_SIGHT_BINS; bin-- > 0;) {
		if (sum->bins[bin] > left) {
			return bin_ns(bin) < sum->max_ns ? bin_ns(bin) : sum->max_ns;
		}
		left -= sum->bins[bin];
	}
	return 0;
}

const char *rcap_ranges_sight_name(const struct rcap_ranges_sight *sight,
                                   const struct rcap_ranges_sum *sum)
{
	return sum->pattern ? sum->pattern : rcap_ranges_peek_name(&sight->peek, sum->name);
}

/* a global, because qsort() passes no context */
static struct {
	const struct rcap_ranges_sight *sight;
	enum rcap_ranges_order order;
} sorting;

static double find_key(const struct rcap_ranges_sum *sum)
{
	switch (sorting.order) {
	case RCAP_RANGES_BY_CALLS:
		return (double) sum->recent;
	case RCAP_RANGES_BY_MEAN:
		return sum->calls > 0 ? sum->total_ns / (double) sum->calls : 0;
	case RCAP_RANGES_BY_P99:
		return rcap_ranges_sight_p99(sum);
	case RCAP_RANGES_BY_MAX:
		return sum->max_ns;
	case RCAP_RANGES_BY_NAME:
		return 0;
	default:
		return sum->recent_ns;
	}
}

static int compare_sums(const void *a, const void *b)
{
	const struct rcap_ranges_sum *x = *(const struct rcap_ranges_sum *const *) a;
	const struct rcap_ranges_sum *y = *(const struct rcap_ranges_sum *const *) b;
	const double x_key = find_key(x);
	const double y_key = find_key(y);
	int order;

	if (x_key > y_key || x_key < y_key) {
		return x_key > y_key ? -1 : 1;
	}
	order = strcmp(rcap_ranges_sight_name(sorting.sight, x),
	               rcap_ranges_sight_name(sorting.sight, y));
	return order != 0 ? order : (x->domain > y->domain) - (x->domain < y->domain);
}

/* True if a sum is to be shown, judging by its name and its time. */
static bool is_chosen(const struct rcap_ranges_sight *sight, const struct rcap_ranges_sum *sum,
                      const struct rcap_ranges_choice *choice)
{
	return sum->is_kernel == choice->kernels && (sum->recent > 0 || sum->recent_ns > 0) &&
	       strstr(rcap_ranges_sight_name(sight, sum), choice->filter);
}

size_t rcap_ranges_sight_rank(const struct rcap_ranges_sight *sight,
                              const struct rcap_ranges_choice *choice,
                              const struct rcap_ranges_sum **out, size_t size)
{
	size_t count = 0;

	for (uint32_t i = 0; sight->sums && i < RCAP_RANGES_SIGHT_PLACES && count < size; i++) {
		const struct rcap_ranges_sum *const sum = sight->sums[i];

		if (sum && is_chosen(sight, sum, choice) &&
		    (!choice->folds || !sum->folded || !is_chosen(sight, sum->folded, choice))) {
			out[count++] = sum;
		}
	}
	for (size_t i = 0; choice->folds && i < sight->folded_count && count < size; i++) {
		if (is_chosen(sight, sight->folded[i], choice)) {
			out[count++] = sight->folded[i];
		}
	}
	sorting.sight = sight;
	sorting.order = choice->order;
	qsort(out, count, sizeof(const struct rcap_ranges_sum *), compare_sums);
	return count;
}

void rcap_ranges_sight_begin(struct rcap_ranges_sight *sight)
{
	for (uint32_t i = 0; sight->sums && i < RCAP_RANGES_SIGHT_PLACES; i++) {
		if (sight->sums[i]) {
			sight->sums[i]->recent = 0;
			sight->sums[i]->recent_ns = 0;
		}
	}
	sight->before_ns = sight->now_ns;
	sight->kernel_ns = 0;
	sight->kernel_from = sight->kernel_until;
	sight->kernels = 0;
	sight->steps_before = sight->steps;
	sight->seen_before = sight->seen;
}

/* Frees the sums. */
void rcap_ranges_sight_free_sums(struct rcap_ranges_sight *sight)
{
	for (uint32_t i = 0; sight->sums && i < RCAP_RANGES_SIGHT_PLACES; i++) {
		free(sight->sums[i]);
	}
	free(sight->sums);
	sight->sums = NULL;
}
