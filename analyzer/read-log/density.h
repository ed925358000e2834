/* SPDX-License-Identifier: MIT */
/* Logs that promise more events than their bytes can hold (doc/format.md, section 10). */
#ifndef RA_DENSITY_H
#define RA_DENSITY_H

#include <stdbool.h>

#include "format/read/reader.h"

/*
 * Asked before memory is spent on events. Where memory has a limit of its own (--max-memory,
 * ulimit -d) every log passes.
 *
 * Return: 0, -RLOG_E_TOO_DENSE.
 */
int ra_density_check(const struct rlog_reader *reader, struct rlog_error *err);

/*
 * Called before events become a model. If a log holds so many events for its size that the model
 * could take more than 64 MiB and 2 KiB for each byte of the file, limits the memory of the process
 * to that (RLIMIT_DATA), on top of what it has already. Where memory has a limit of its own nothing
 * changes.
 */
void ra_density_bound(const struct rlog_reader *reader);

/* The same for a file of so many bytes whose events ask for more than their number. */
void ra_density_bound_size(uint64_t size);

/* Ends that: called before a file of any kind is read. */
void ra_density_lift(void);

/* Whether memory is limited by ra_density_bound() now. */
bool ra_density_is_bound(void);

/* What is said of a file for whose events there is not enough memory. */
const char *ra_density_tell_end(void);

#endif
