/* SPDX-License-Identifier: MIT */
/* Prints help on reports: their list, and their columns: analyzer stats --list, --help REPORT. */
#ifndef RA_REPORT_HELP_H
#define RA_REPORT_HELP_H

#include <stdbool.h>
#include <stddef.h>

#include "analyzer/report/compat.h"
#include "analyzer/table/table.h"

/*
 * Prints the reports of a mode on stdout, one per line: its name, what it shows, and whether it
 * reads several files. Our own reports are listed under the questions that they answer, each with a
 * command. @is_brief: leaves out what each report shows, which saves more than half of the bytes.
 */
void ra_report_help_print_list(enum ra_compat compat, bool is_brief);

/* Prints help on one report on stdout: what it shows, and its columns with keys, units and
 * definitions. Return: false if there is no such report. */
bool ra_report_help_print(const char *name);

/* Finds the name of a report, ours or nsys', that is most similar to these `length` bytes. Return:
 * NULL if none is similar. */
const char *ra_report_help_guess(const char *name, size_t length, enum ra_compat compat);

/* True of names of findings of the report "advice". */
bool ra_report_help_is_finding(const char *name, size_t length);

/* Returns the unit of a column in CSV and JSON. */
const char *ra_report_help_unit(const struct ra_table_column *column);

/* Prints a definition, indented and broken at spaces. */
void ra_report_help_print_wrapped(const char *text);

#endif
