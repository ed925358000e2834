/* SPDX-License-Identifier: MIT */
/* Columns of attributes that few events have: sparse if that is shorter, payloads of any NVTX
 * type. */
#ifndef RLOG_ATTR_H
#define RLOG_ATTR_H

#include <stdbool.h>
#include <stddef.h>

#include "format/batch.h"
#include "format/columns/cursor.h"
#include "format/columns/pack.h"

enum rlog_attr_form {
	RLOG_ATTR_ABSENT,
	RLOG_ATTR_CONSTANT,
	RLOG_ATTR_DENSE,
	RLOG_ATTR_SPARSE,
};

/* The attributes in a run of rows. */
struct rlog_attr_run {
	const struct rlog_batch *batch;
	size_t from;
	size_t rows;
};

/* Key of the column: "category". */
const char *rlog_attr_name(enum rlog_attr attr);

/* The shortest form for the run. */
enum rlog_attr_form rlog_attr_choose(const struct rlog_attr_run *run, enum rlog_attr attr);

/* Writes key and column in the given form; nothing if that is absent. */
void rlog_attr_pack(struct rlog_pack *pack, const struct rlog_attr_run *run, enum rlog_attr attr,
                    enum rlog_attr_form form);

/*
 * Reads a column of any form, for rows 0 … rows-1. Leaves out values of 0.
 *
 * @column: the caller's; what it owns grows as needed.
 * @with_reals: allows floats, which become the bits of a double, and negative numbers.
 * Return: 0, -RLOG_E_MSGPACK, -RLOG_E_SCHEMA, -RLOG_E_NO_MEMORY.
 */
int rlog_attr_read(struct rlog_cursor *cursor, struct rlog_attr_column *column, size_t rows,
                   bool with_reals);

#endif
