/* SPDX-License-Identifier: MIT */
/* The list of all reports. */
#ifndef RA_REPORT_LIST_H
#define RA_REPORT_LIST_H

#include "analyzer/report/report.h"

/* Returns all reports: an array that ends with NULL. */
const struct ra_report *const *ra_report_list_borrow(void);

/* Finds a report of a mode by its name, which has `length` bytes. Return: NULL if there is none. */
const struct ra_report *ra_report_list_find(const char *name, size_t length, enum ra_compat compat);

/* Returns the default report of a mode. Return: NULL if the mode has none. */
const struct ra_report *ra_report_list_find_usual(enum ra_compat compat);

#endif
