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

/* This many rows of these tables always fit in one chunk: 10 columns of at most 9 bytes each, plus
 * keys. */
#define RLOG_ENCODE_MAX_ROWS 8192u

/* Returns the text in its stored form: cut to RLOG_MAX_STRING_BYTES, between characters;
 * full_length is set. */
struct rlog_string rlog_encode_cut(const struct rlog_string *text);

/* All return 0 or -RLOG_E_FULL. Rows: 1 … RLOG_ENCODE_MAX_ROWS. */
int rlog_encode_facts(struct rlog_pack *pack, const struct rlog_fact *facts, size_t count);
int rlog_encode_defs(struct rlog_pack *pack, const struct rlog_def *defs, size_t count);
int rlog_encode_clock(struct rlog_pack *pack, const struct rlog_clock_point *points, size_t count);
int rlog_encode_losses(struct rlog_pack *pack, const struct rlog_loss *losses, size_t count);

/* @prev: offset of the previous INDEX, UINT64_MAX for the first. */
int rlog_encode_index(struct rlog_pack *pack, const struct rlog_index_row *index, size_t count,
                      uint64_t prev);

/* @strings: none longer than RLOG_MAX_STRING_BYTES; as many as fit. */
int rlog_encode_strings(struct rlog_pack *pack, const struct rlog_string *strings, size_t count);

#endif
