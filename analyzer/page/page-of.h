/* SPDX-License-Identifier: MIT */
/* Writes pages of inputs that have no events: of a summary, of a comparison. */
#ifndef RA_PAGE_OF_H
#define RA_PAGE_OF_H

#include "analyzer/diff/print/diff-several.h"
#include "analyzer/diff/print/diff-table.h"
#include "analyzer/io/outbuf.h"
#include "analyzer/summary-file/report/sum-set.h"

/*
 * Writes the page of a summary. Errors of the file system are kept in the buffer.
 *
 * @title: names the runs that are summarised.
 */
void ra_page_of_sums_write(const struct ra_sum_set *set, const char *title, struct ra_outbuf *out);

/*
 * Writes the page of a comparison.
 *
 * @options: gives the name of the first side, and the limits.
 */
void ra_page_of_diff_write(const struct ra_diff_several *several,
                           const struct ra_diff_print *options, struct ra_outbuf *out);

#endif
