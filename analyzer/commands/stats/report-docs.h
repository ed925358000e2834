/* SPDX-License-Identifier: MIT */
/* What doc/metrics.md says of reports, of their columns, and of findings, for `analyzer stats
 * --help REPORT` and `analyzer help WORD`. */
#ifndef RA_REPORT_DOCS_H
#define RA_REPORT_DOCS_H

/* The definition of a column of a report by its key. Return: NULL if there is none. */
const char *ra_report_docs_find(const char *report, const char *key);

/* When a rule of `advice` holds. Return: NULL if there is no such rule. */
const char *ra_report_docs_find_finding(const char *rule);

#endif
