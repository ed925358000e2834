/* SPDX-License-Identifier: MIT */
/* Lists the domains that a capture did not record. */
#ifndef RA_DOMAINS_OFF_H
#define RA_DOMAINS_OFF_H

#include "format/read/reader.h"

/*
 * Iterates over the names of the domains that were not recorded, in the order of the log.
 *
 * @at: 0 at the start.
 * Return: a borrowed name; NULL after the last.
 */
const struct rlog_string *ra_domains_off_next(const struct rlog_reader *reader, size_t *at);

#endif
