/* SPDX-License-Identifier: MIT */
/* Logs that promise more events than their bytes can hold (doc/format.md, section 10). */
#ifndef RA_DENSITY_H
#define RA_DENSITY_H

#include <stdbool.h>

#include "format/read/reader.h"

/*
 * Call it before memory is spent on events. If memory is limited otherwise (--max-memory, ulimit
 * -d), every log passes.
 *
 * Return: 0, -RLOG_E_TOO_DENSE.
 */
int ra_density_check(const struct rlog_reader *reader, struct rlog_error *err);

/*
 * Limits the memory of a hostile log. Call it before a model is made of events. If a log has so
 * many events for its size that the model could take more than 64 MiB and 2 KiB for each byte of
 * the file, this limits the process to that much more memory than it has now (RLIMIT_DATA). If
 * memory is limited otherwise, nothing changes.
 */
void ra_density_bound(const struct rlog_reader *reader);

/* Limits the memory for a file of `size` bytes whose events may take more memory than their number
 * tells. */
void ra_density_bound_size(uint64_t size);

/* Lifts that limit. Call it before any file is read. */
void ra_density_lift(void);

/* True while ra_density_bound() limits memory. */
bool ra_density_is_bound(void);

/* The message for a file whose events do not fit into memory. */
const char *ra_density_tell_end(void);

#endif
