/* SPDX-License-Identifier: MIT */
/* Encodes all payloads but events, from rows to msgpack (doc/format.md section 5). */
#ifndef RLOG_ENCODE_H
#define RLOG_ENCODE_H

#include <stddef.h>
#include <stdint.h>

#include "format/columns/pack.h"
#include "format/tables.h"

/* One row of an INDEX chunk. */
struct rlog_index_row {
	uint64_t offset;
	uint64_t sequence;
	uint64_t first_ticks;
	uint64_t last_ticks;
	uint32_t type;
	uint32_t flags;
	uint32_t stream;
	uint32_t count;
	uint32_t stored_bytes;
	uint32_t raw_bytes;
};

/* So many rows always fit in one chunk, for all of these tables except strings: a row has 10
 * columns of at most 9 bytes each. */
#define RLOG_ENCODE_MAX_ROWS 8192u

/* Returns a text as the log stores it: cut between characters if it is longer than
 * RLOG_MAX_STRING_BYTES. Sets full_length. */
struct rlog_string rlog_encode_cut(const struct rlog_string *text);

/* These write 1 … RLOG_ENCODE_MAX_ROWS rows. They return 0 or -RLOG_E_FULL. */
int rlog_encode_facts(struct rlog_pack *pack, const struct rlog_fact *facts, size_t count);
int rlog_encode_defs(struct rlog_pack *pack, const struct rlog_def *defs, size_t count);
int rlog_encode_clock(struct rlog_pack *pack, const struct rlog_clock_point *points, size_t count);
int rlog_encode_losses(struct rlog_pack *pack, const struct rlog_loss *losses, size_t count);

/* @prev: offset of the previous INDEX; UINT64_MAX for the first one. */
int rlog_encode_index(struct rlog_pack *pack, const struct rlog_index_row *index, size_t count,
                      uint64_t prev);

/* Writes strings, all of which must fit. @strings: none longer than RLOG_MAX_STRING_BYTES. */
int rlog_encode_strings(struct rlog_pack *pack, const struct rlog_string *strings, size_t count);

#endif
