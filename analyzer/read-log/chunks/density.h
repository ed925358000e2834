/* SPDX-License-Identifier: MIT */
/* Detects logs that claim more events than their bytes can hold (doc/format.md, section 10). */
#ifndef RA_DENSITY_H
#define RA_DENSITY_H

#include <stdbool.h>

#include "format/read/reader.h"

/*
 * Checks a log before memory is spent on its events. If the user has limited memory (--max-memory,
 * ulimit -d), every log passes.
 *
 * Return: 0, -RLOG_E_TOO_DENSE.
 */
int ra_density_check(const struct rlog_reader *reader, struct rlog_error *err);

/*
 * Limits the memory of a hostile log. Call it before a model is made of events. If a log has so
 * many events for its size that the model could take more than 64 MiB and 2 KiB for each byte of
 * the file, this limits the process to that much more memory than it has now (RLIMIT_DATA). If the
 * user has limited memory, nothing changes.
 */
void ra_density_bound(const struct rlog_reader *reader);

/* Sets this limit for a file of `size` bytes whose events may take more memory than their number
 * tells. */
void ra_density_bound_size(uint64_t size);

/* Removes the limit. Call it before any file is read. */
void ra_density_lift(void);

/* True while ra_density_bound() limits memory. */
bool ra_density_is_bound(void);

/* The message for a file whose events do not fit into memory. */
const char *ra_density_tell_end(void);

#endif
