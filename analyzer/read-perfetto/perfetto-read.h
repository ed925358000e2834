/* SPDX-License-Identifier: MIT */
/* Makes rows of the events in a Perfetto trace. */
#ifndef RA_PERFETTO_READ_H
#define RA_PERFETTO_READ_H

#include "format/error.h"
#include "analyzer/rows/kineto.h"

/*
 * Makes rows of a whole file, as a trace in JSON would have them. Slices become X, or b and e if
 * their track is not a thread's; counters C, instants i, flows s and f at their slices.
 *
 * @stop: where and why reading ended, if before the end; rows before that are kept.
 * Return: for ra_kineto_destroy().
 */
struct ra_kineto *ra_perfetto_read(const void *bytes, size_t size, struct rlog_error *stop);

#endif
