/* SPDX-License-Identifier: MIT */
/* The page of a summary: what `-o report.html` says of several files, without their events. */
#ifndef RA_PAGE_OF_H
#define RA_PAGE_OF_H

#include "analyzer/io/outbuf.h"
#include "analyzer/summary-file/sum-set.h"

/*
 * Writes the page. What the file system refuses is kept in the buffer.
 *
 * @title: what it is of. Return: 0, -RLOG_E_NO_MEMORY.
 */
int ra_page_of_sums_write(const struct ra_sum_set *set, const char *title, struct ra_outbuf *out);

#endif
