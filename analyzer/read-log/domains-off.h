/* SPDX-License-Identifier: MIT */
/* The domains that a capture left out. */
#ifndef RA_DOMAINS_OFF_H
#define RA_DOMAINS_OFF_H

#include "format/read/reader.h"

/*
 * Walks the names of the domains that were left out, in order of the log.
 *
 * @at: 0 at the start.
 * Return: a borrowed name; NULL behind the last.
 */
const struct rlog_string *ra_domains_off_next(const struct rlog_reader *reader, size_t *at);

#endif
