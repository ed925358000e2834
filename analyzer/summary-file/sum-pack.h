/* SPDX-License-Identifier: MIT */
/* A part as msgpack (doc/format.md, section 15). */
#ifndef RA_SUM_PACK_H
#define RA_SUM_PACK_H

#include "analyzer/summary-file/sum.h"
#include "format/error.h"

/* Everything but the origin. @bytes: to be freed. */
void ra_sum_pack(const struct ra_sum_part *part, uint8_t **bytes, size_t *count);

/*
 * Fills a part, which is zero but for its origin; every index in it is checked.
 *
 * Return: 0, -RLOG_E_MSGPACK, -RLOG_E_SCHEMA; fini in any case.
 */
int ra_sum_pack_read(struct ra_sum_part *part, const uint8_t *bytes, size_t count);

#endif
