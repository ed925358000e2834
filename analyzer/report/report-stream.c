/* SPDX-License-Identifier: MIT */
/* Tells which reports can be made from a log without holding its ranges in memory, and makes the
 * sink that gets the ranges. */
#include "analyzer/report/report-stream.h"

/* Finds what these reports need, or'ed. Return: false if a report or a setting needs the ranges in
 * memory: steps are ranges, and to merge numbers, the domains of ranges must be known. */
static bool find_needs(const struct ra_report *const *reports, size_t count,
                       const struct ra_settings *settings, const struct ra_labels_options *names,
                       unsigned *needs)
{
	*needs = 0;
	for (size_t i = 0; i < count; i++) {
		if (reports[i]->needs == RA_REPORT_NEEDS_ALL) {
			return false;
		}
		*needs |= reports[i]->needs;
	}
	return settings->steps == NULL && settings->step_range == NULL && !names->merges_numbers;
}

struct ra_range_stream *ra_report_stream_create(const struct ra_report *const *reports,
                                                size_t count, const struct ra_query *query,
                                                const struct ra_settings *settings,
                                                const struct ra_labels_options *names)
{
	struct ra_range_stream *stream;
	unsigned needs;
	unsigned parts = 0;

	if (!find_needs(reports, count, settings, names, &needs) ||
	    ((needs & RA_REPORT_NEEDS_SUMS) != 0 && query->group_by != RA_GROUP_BY_NAME &&
	     query->group_by != RA_GROUP_BY_DOMAIN)) {
		return NULL;
	}
	parts |= (needs & RA_REPORT_NEEDS_SUMS) != 0 ? 1u << RA_RANGE_STREAM_NAMES : 0;
	parts |= (needs & RA_REPORT_NEEDS_DOMAIN_SUMS) != 0 ? 1u << RA_RANGE_STREAM_DOMAINS : 0;
	stream = ra_range_stream_create(names, parts, (enum ra_group_by) query->group_by);
	if ((needs & RA_REPORT_NEEDS_SAMPLES) != 0) {
		ra_range_stream_keep_samples(stream);
	}
	return stream;
}

bool ra_report_stream_can_walk(const struct ra_report *const *reports, size_t count,
                               const struct ra_query *query, const struct ra_settings *settings,
                               const struct ra_labels_options *names)
{
	unsigned needs;

	return find_needs(reports, count, settings, names, &needs) &&
	       (query->group_by & ~(unsigned) (RA_GROUP_BY_PATH | RA_GROUP_BY_NAME)) == 0;
}
