/* SPDX-License-Identifier: MIT */
/* Makes one sum for ranges whose names differ only by numbers, as in the analyzer's tables. */
#include <stdlib.h>
#include <string.h>

#include "format/options/numbers.h"
#include "libranges/launcher/top/ranges-sight.h"

/* A name that has numbers, and the sum of its range. */
struct numbered {
	struct rcap_ranges_sum *sum;
	char *pattern; /* owned */
};

static int compare_patterns(const void *a, const void *b)
{
	const struct numbered *x = a;
	const struct numbered *y = b;

	if (x->sum->domain != y->sum->domain) {
		return x->sum->domain > y->sum->domain ? 1 : -1;
	}
	return strcmp(x->pattern, y->pattern);
}

/* Returns a name with its numbers replaced by #; owned by the caller. NULL: the name has no
 * numbers, or there is no memory. */
static char *make_pattern(const char *name)
{
	const size_t length = strlen(name);
	char *const pattern = malloc(length + 1);
	size_t written;

	if (!pattern) {
		return NULL;
	}
	if (!rlog_numbers_replace(name, length, pattern, &written)) {
		free(pattern);
		return NULL;
	}
	pattern[written] = '\0';
	return pattern;
}

static size_t list_numbered(struct numbered *out, const struct rcap_ranges_sight *sight)
{
	size_t count = 0;

	for (uint32_t i = 0; i < RCAP_RANGES_SIGHT_PLACES; i++) {
		struct rcap_ranges_sum *const sum = sight->sums[i];

		if (!sum || sum->is_kernel) {
			continue;
		}
		out[count].sum = sum;
		out[count].pattern = make_pattern(rcap_ranges_peek_name(&sight->peek, sum->name));
		count += out[count].pattern != NULL;
	}
	qsort(out, count, sizeof(*out), compare_patterns);
	return count;
}

static void add_sum(struct rcap_ranges_sum *to, const struct rcap_ranges_sum *from)
{
	to->calls += from->calls;
	to->total_ns += from->total_ns;
	to->max_ns = from->max_ns > to->max_ns ? from->max_ns : to->max_ns;
	to->recent_ns += from->recent_ns;
	to->recent += from->recent;
	for (unsigned bin = 0; bin < RCAP_RANGES_SIGHT_BINS; bin++) {
		to->bins[bin] += from->bins[bin];
	}
}

/* Makes one sum of several. If there is no memory, they stay separate. */
static void fold(struct rcap_ranges_sight *sight, struct numbered *all, size_t count)
{
	struct rcap_ranges_sum *const folded = calloc(1, sizeof(*folded));

	if (!folded) {
		return;
	}
	folded->name = all[0].sum->name;
	folded->domain = all[0].sum->domain;
	folded->pattern = all[0].pattern;
	folded->names = (uint32_t) count;
	all[0].pattern = NULL;
	for (size_t i = 0; i < count; i++) {
		add_sum(folded, all[i].sum);
		all[i].sum->folded = folded;
	}
	sight->folded[sight->folded_count++] = folded;
}

void rcap_ranges_sight_unfold(struct rcap_ranges_sight *sight)
{
	for (uint32_t i = 0; sight->sums && i < RCAP_RANGES_SIGHT_PLACES; i++) {
		if (sight->sums[i]) {
			sight->sums[i]->folded = NULL;
		}
	}
	for (size_t i = 0; i < sight->folded_count; i++) {
		free(sight->folded[i]->pattern);
		free(sight->folded[i]);
	}
	free(sight->folded);
	sight->folded = NULL;
	sight->folded_count = 0;
}

void rcap_ranges_sight_fold(struct rcap_ranges_sight *sight)
{
	struct numbered *const all = calloc(sight->sum_count + 1, sizeof(*all));
	size_t count;
	size_t end;

	rcap_ranges_sight_unfold(sight);
	if (!all || !sight->sums) {
		free(all);
		return;
	}
	count = list_numbered(all, sight);
	sight->folded = calloc(count + 1, sizeof(struct rcap_ranges_sum *));
	for (size_t i = 0; sight->folded && i < count; i = end) {
		end = i + 1;
		while (end < count && compare_patterns(&all[i], &all[end]) == 0) {
			end++;
		}
		if (end - i > 1) {
			fold(sight, &all[i], end - i);
		}
	}
	for (size_t i = 0; i < count; i++) {
		free(all[i].pattern);
	}
	free(all);
}
