/* SPDX-License-Identifier: MIT */
/* The text of doc/metrics.md about reports, their columns, and findings, for `analyzer stats --help
 * REPORT` and `analyzer help WORD`. */
#ifndef RA_REPORT_DOCS_H
#define RA_REPORT_DOCS_H

#include <stddef.h>

/* Finds the definition of a report's column by the column's key. Return: NULL if there is none. */
const char *ra_report_docs_find(const char *report, const char *key);

/* Finds the condition of a rule of `advice`. Return: NULL if there is no such rule. */
const char *ra_report_docs_find_finding(const char *rule);

/* Finds the definition of a key in the tables of "diff". Return: NULL if there is no such key. */
const char *ra_report_docs_find_diff(const char *key);

/*
 * Lists the words that a column of "diff" can contain, one definition per call. @group: the key of
 * the column. @at: how many definitions to skip. @keys: gets the words as ",a,b,". Return: their
 * definition; NULL after the last one.
 */
const char *ra_report_docs_list_diff(const char *group, size_t at, const char **keys);

#endif
