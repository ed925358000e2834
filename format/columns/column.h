/* SPDX-License-Identifier: MIT */
/* Packs and reads integer columns: dense, constant or absent. These are the hot loops of writing
 * and reading (doc/format.md section 4). */
#ifndef RLOG_COLUMN_H
#define RLOG_COLUMN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "format/columns/cursor.h"
#include "format/columns/pack.h"

/* n unsigned integers of 1, 4 or 8 bytes each. */
struct rlog_column {
	const char *key;
	const void *values; /* borrowed */
	size_t width;
};

enum rlog_column_form {
	RLOG_COLUMN_ABSENT, /* all 0 */
	RLOG_COLUMN_CONSTANT,
	RLOG_COLUMN_DENSE,
};

/* Returns the shortest form for n values. n ≥ 1. */
enum rlog_column_form rlog_column_choose(const struct rlog_column *column, size_t n);

/* Writes key and column in the given form; writes nothing for RLOG_COLUMN_ABSENT. */
void rlog_column_pack(struct rlog_pack *pack, const struct rlog_column *column, size_t n,
                      enum rlog_column_form form);

/* Writes n integers without key and array head. */
void rlog_column_pack_values(struct rlog_pack *pack, const uint64_t *values, size_t n);

/*
 * Writes key and column of the n differences between ticks, as a dense column. The first difference
 * is 0.
 *
 * Return: all ticks and all differences or-ed, if the pack is not full. If this is below 2^63, no
 * time is before the previous one.
 */
uint64_t rlog_column_pack_deltas(struct rlog_pack *pack, const char *key, const uint64_t *ticks,
                                 size_t n);

/*
 * These read a constant or dense column of n values.
 *
 * Return: 0, -RLOG_E_MSGPACK, -RLOG_E_SCHEMA (wrong kind, length or range).
 */
int rlog_column_read_u8(struct rlog_cursor *cursor, size_t n, uint8_t *out);
int rlog_column_read_u32(struct rlog_cursor *cursor, size_t n, uint32_t *out);
int rlog_column_read_u64(struct rlog_cursor *cursor, size_t n, uint64_t *out);

/*
 * Reads differences and adds them up: out[i] = base + the differences up to i, modulo 2^64.
 * @unsorted: set to true if a time is before the previous one (for row 0: before base), else
 * unchanged.
 */
int rlog_column_read_deltas(struct rlog_cursor *cursor, size_t n, uint64_t base, uint64_t *out,
                            bool *unsorted);

#endif
