/* SPDX-License-Identifier: MIT */
/* The text of doc/metrics.md about reports, their columns, and findings, for `analyzer stats --help
 * REPORT` and `analyzer help WORD`. */
#ifndef RA_REPORT_DOCS_H
#define RA_REPORT_DOCS_H

#include <stddef.h>

/* The definition of a report's column by its key. Return: NULL if there is none. */
const char *ra_report_docs_find(const char *report, const char *key);

/* The condition of a rule of `advice`. Return: NULL if there is no such rule. */
const char *ra_report_docs_find_finding(const char *rule);

/* The definition of a key of "diff"'s tables; NULL if there is no such key. */
const char *ra_report_docs_find_diff(const char *key);

/*
 * Lists the words that a column of "diff" can have, one by one. @group: the key of the column. @at:
 * how many to skip. @keys: gets ",a,b,". Return: the definition; NULL after the last.
 */
const char *ra_report_docs_list_diff(const char *group, size_t at, const char **keys);

#endif
