/* SPDX-License-Identifier: MIT */
/* Makes rows from the events of a Perfetto trace. */
#ifndef RA_PERFETTO_READ_H
#define RA_PERFETTO_READ_H

#include "format/error.h"
#include "analyzer/rows/kineto.h"

/*
 * Makes the rows of a whole file, in the form that a trace in JSON has. Slices become events X, or
 * pairs of b and e if their track is not a thread's; counters become C, instants i, and flows s and
 * f at their slices.
 *
 * @stop: tells where and why reading ended before the end of the file; code 0: it did not. Rows
 * before that place are kept.
 * Return: the rows, to be freed by ra_kineto_destroy().
 */
struct ra_kineto *ra_perfetto_read(const void *bytes, size_t size, struct rlog_error *stop);

#endif
