/* SPDX-License-Identifier: MIT */
/* What doc/metrics.md says of reports, of their columns, and of findings, for `analyzer stats
 * --help REPORT` and `analyzer help WORD`. */
#ifndef RA_REPORT_DOCS_H
#define RA_REPORT_DOCS_H

#include <stddef.h>

/* The definition of a column of a report by its key. Return: NULL if there is none. */
const char *ra_report_docs_find(const char *report, const char *key);

/* When a rule of `advice` holds. Return: NULL if there is no such rule. */
const char *ra_report_docs_find_finding(const char *rule);

/* What "diff" prints: a key of its tables; NULL if it has none of that name. */
const char *ra_report_docs_find_diff(const char *key);

/*
 * The words that columns of "diff" have, one after the other.
 *
 * @group: the key of the column. @at: how many to skip. @keys: gets ",a,b,".
 * Return: the definition; NULL behind the last.
 */
const char *ra_report_docs_list_diff(const char *group, size_t at, const char **keys);

#endif
