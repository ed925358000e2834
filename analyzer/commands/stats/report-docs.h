/* SPDX-License-Identifier: MIT */
/* What doc/metrics.md says of reports and of their columns, for `analyzer stats --help REPORT`. */
#ifndef RA_REPORT_DOCS_H
#define RA_REPORT_DOCS_H

/* The definition of a column of a report by its key. Return: NULL if there is none. */
const char *ra_report_docs_find(const char *report, const char *key);

#endif
