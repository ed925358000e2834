/* SPDX-License-Identifier: MIT */
/* Writes the packets before the events: clocks, texts, rows. */
#ifndef RA_PFTRACE_HEAD_H
#define RA_PFTRACE_HEAD_H

#include "analyzer/pftrace/pftrace-packets.h"

/* Writes all of them, in blocks of their own. @row_count: tracks known so far. */
void ra_pftrace_head_put(struct ra_pftrace_packets *packets, uint32_t row_count);

/* Writes a row that was added later. */
void ra_pftrace_head_put_track(struct ra_pftrace_packets *packets, uint32_t index);

#endif
