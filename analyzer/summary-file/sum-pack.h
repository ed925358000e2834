/* SPDX-License-Identifier: MIT */
/* Writes and reads a part as msgpack (doc/format.md, section 15). */
#ifndef RA_SUM_PACK_H
#define RA_SUM_PACK_H

#include "analyzer/summary-file/sum.h"
#include "format/error.h"

/* Packs everything except the origin. @bytes: the caller frees them. */
void ra_sum_pack(const struct ra_sum_part *part, uint8_t **bytes, size_t *count);

/*
 * Fills a part, which must be zero except for its origin. Checks every index in it.
 *
 * Return: 0, -RLOG_E_MSGPACK or -RLOG_E_SCHEMA; call ra_sum_fini() in any case.
 */
int ra_sum_pack_read(struct ra_sum_part *part, const uint8_t *bytes, size_t count);

#endif
