/* SPDX-License-Identifier: MIT */
/* The reports that a batch writes for a summary. */
#ifndef RA_CMD_BATCH_REPORTS_H
#define RA_CMD_BATCH_REPORTS_H

#include "analyzer/summary-file/report/sum-report.h"

/* Writes all reports in one form. Return: 0, or an errno. */
int ra_cmd_batch_reports_put(const struct ra_sum_set *set, const char *path,
                             const struct ra_table_form *form);

/* The names of the files that ra_cmd_batch_reports_write() writes; ends with NULL. */
extern const char *const ra_cmd_batch_reports_names[];

/* Writes report.txt and its like into a folder. Return: 0, RA_CMD_UNWRITTEN with a line on stderr.
 */
int ra_cmd_batch_reports_write(const struct ra_sum_file *file, const char *output);

#endif
