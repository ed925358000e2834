/* SPDX-License-Identifier: MIT */
/* Logs that promise more events than their bytes can hold (doc/format.md, section 10). */
#ifndef RA_DENSITY_H
#define RA_DENSITY_H

#include "format/reader.h"

/*
 * Asked before memory is spent on events. Where memory has a limit of its own (--max-memory,
 * ulimit -d) every log passes.
 *
 * Return: 0, -RLOG_E_TOO_DENSE.
 */
int ra_density_check(const struct rlog_reader *reader, struct rlog_error *err);

#endif
