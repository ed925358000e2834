/* SPDX-License-Identifier: MIT */
/* Events of a trace of Perfetto, to rows. */
#ifndef RA_PERFETTO_READ_H
#define RA_PERFETTO_READ_H

#include "format/error.h"
#include "analyzer/rows/kineto.h"

/*
 * Makes rows of a whole file, as of a trace in JSON: slices are X, those of tracks that are no
 * thread's b and e; counters C, instants i, flows s and f at their slices.
 *
 * @stop: where and why the reading ended, if before the end; what came before is there.
 * Return: for ra_kineto_destroy().
 */
struct ra_kineto *ra_perfetto_read(const void *bytes, size_t size, struct rlog_error *stop);

#endif
