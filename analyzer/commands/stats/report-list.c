/* SPDX-License-Identifier: MIT */
/* The list of all reports. */
#include "analyzer/commands/stats/report-list.h"

#include <string.h>

#include "analyzer/compat/hta/reports.h"
#include "analyzer/compat/tb/report-tb.h"
#include "analyzer/compat/torch/reports.h"
#include "analyzer/reports/reports.h"

#define ROW(name) &(name),

/* The reports in the order in which lists show them. The first report of a mode is its default. */
/* clang-format off */
static const struct ra_report *const reports[] = {
	RA_REPORTS(ROW)
	RA_REPORTS_HTA(ROW)
	RA_REPORTS_TB(ROW)
	RA_REPORTS_TORCH(ROW)
	&ra_report_footer, /* the last: it belongs to all modes, and is the default of none */
	NULL,
};
/* clang-format on */

const struct ra_report *const *ra_report_list_borrow(void)
{
	return reports;
}

/* True if a word is a report's name. Users and other tools may write _ instead of -. */
static bool is_name(const char *name, const char *word, size_t length)
{
	for (size_t i = 0; i < length; i++) {
		const bool is_dash =
			(name[i] == '-' || name[i] == '_') && (word[i] == '-' || word[i] == '_');

		if (name[i] == '\0' || (name[i] != word[i] && !is_dash)) {
			return false;
		}
	}
	return strlen(name) == length;
}

const struct ra_report *ra_report_list_find(const char *name, size_t length, enum ra_compat compat)
{
	for (size_t i = 0; reports[i] != NULL; i++) {
		if (ra_report_is_for(reports[i], compat) &&
		    is_name(reports[i]->name, name, length)) {
			return reports[i];
		}
	}
	return NULL;
}

const struct ra_report *ra_report_list_find_usual(enum ra_compat compat)
{
	for (size_t i = 0; reports[i] != NULL; i++) {
		if (ra_report_is_for(reports[i], compat)) {
			return reports[i];
		}
	}
	return NULL;
}
