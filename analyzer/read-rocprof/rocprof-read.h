/* SPDX-License-Identifier: MIT */
/* Goes through the JSON of rocprofv3 and finds its tables and records. */
#ifndef RA_ROCPROF_READ_H
#define RA_ROCPROF_READ_H

#include "analyzer/model/input.h"
#include "analyzer/read-json/kineto-input.h"
#include "analyzer/rows/kineto.h"

/* True if the first bytes of a file are those of rocprofv3's JSON. */
bool ra_rocprof_read_probe(const void *bytes, size_t size);

/*
 * Makes the rows of a whole file. @stop: tells where and why reading ended before the end of the
 * file; code 0: it did not. Rows before that place are kept.
 *
 * Return: the rows, to be freed by ra_kineto_destroy().
 */
struct ra_kineto *ra_rocprof_read(struct ra_kineto_input *input,
                                  const struct ra_input_options *options, struct rlog_error *stop);

#endif
