/* SPDX-License-Identifier: MIT */
/* What reports there are, and what each of them holds: analyzer stats --list, --help REPORT. */
#ifndef RA_REPORT_HELP_H
#define RA_REPORT_HELP_H

#include <stdbool.h>
#include <stddef.h>

#include "analyzer/report/compat.h"
#include "analyzer/table/table.h"

/* The reports of a mode on stdout, a line each: name, what it shows, whether it reads several
 * files. Ours stand under the questions that they answer, each with a command. @is_brief: without
 * what each shows, in less than half of the bytes. */
void ra_report_help_print_list(enum ra_compat compat, bool is_brief);

/* One report on stdout: what it shows, and its columns with their keys, units and definitions.
 * Return: false if there is none of this name. */
bool ra_report_help_print(const char *name);

/* The name of a report, ours or nsys', that is most like these `length` bytes. Return: NULL if none
 * is. */
const char *ra_report_help_guess(const char *name, size_t length, enum ra_compat compat);

/* True of the names that the report "advice" has for what it finds. */
bool ra_report_help_is_finding(const char *name, size_t length);

/* The unit of a column in CSV and JSON. */
const char *ra_report_help_unit(const struct ra_table_column *column);

/* Prints a definition, indented, broken at blanks. */
void ra_report_help_print_wrapped(const char *text);

#endif
