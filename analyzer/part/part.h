/* SPDX-License-Identifier: MIT */
/* Writes a part of a log, the rows of a stretch of time, as a log. */
#ifndef RA_PART_H
#define RA_PART_H

#include "analyzer/part/part-options.h"
#include "format/error.h"
#include "format/read/reader.h"

/*
 * Writes the part. Its names, definitions, clock points, losses and facts are those of the whole
 * log. Further facts tell which part it is, and what the whole log lacks.
 *
 * @reader: reads the whole log; borrowed.
 * @fd: open for writing, empty, seekable.
 * Return: 0, -RLOG_E_TOO_DENSE, or the writer's code.
 */
int ra_part_write(struct rlog_reader *reader, const struct ra_part_options *options, int fd,
                  struct ra_part_result *result, struct rlog_error *err);

#endif
