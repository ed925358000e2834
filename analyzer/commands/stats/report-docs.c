/* SPDX-License-Identifier: MIT */
/* The text of doc/metrics.md on reports and their columns. report-docs.awk makes the table. */
#include "analyzer/commands/stats/report-docs.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

struct entry {
	const char *reports; /* names of reports as ",a,b,"; "": all reports that have no definition
	                        of their own */
	const char *keys;    /* keys of columns as ",a,b," */
	const char *text;
};

static const struct entry entries[] = {
#include "analyzer/commands/stats/report-docs.inc"
};

/* True if a list such as ",a,b," has the word. */
static bool has_word(const char *list, const char *word)
{
	const size_t length = strlen(word);

	for (const char *at = strstr(list, word); at != NULL; at = strstr(at + 1, word)) {
		if (at > list && at[-1] == ',' && at[length] == ',') {
			return true;
		}
	}
	return false;
}

static const char *find_entry(const char *report, const char *key)
{
	for (size_t i = 0; i < sizeof(entries) / sizeof(entries[0]); i++) {
		const bool is_of = report[0] == '\0' ? entries[i].reports[0] == '\0'
		                                     : has_word(entries[i].reports, report);

		if (is_of && has_word(entries[i].keys, key)) {
			return entries[i].text;
		}
	}
	return NULL;
}

const char *ra_report_docs_find(const char *report, const char *key)
{
	const char *text = find_entry(report, key);

	return text != NULL ? text : find_entry("", key);
}

const char *ra_report_docs_find_finding(const char *rule)
{
	return find_entry("finding", rule);
}

const char *ra_report_docs_find_diff(const char *key)
{
	return find_entry("diff", key);
}

const char *ra_report_docs_list_diff(const char *group, size_t at, const char **keys)
{
	for (size_t i = 0; i < sizeof(entries) / sizeof(entries[0]); i++) {
		const char *reports = entries[i].reports;
		const size_t length = strlen(group);

		if (strncmp(reports, ",diff ", 6) == 0 &&
		    strncmp(reports + 6, group, length) == 0 && reports[6 + length] == ',' &&
		    at-- == 0) {
			*keys = entries[i].keys;
			return entries[i].text;
		}
	}
	return NULL;
}
