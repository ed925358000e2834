/* SPDX-License-Identifier: MIT */
/* Columns of attributes few events have: sparse where that is shorter, payloads of any NVTX type.
 */
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

/* The attributes of a run of rows. */
struct rlog_attr_run {
	const struct rlog_batch *batch;
	size_t from;
	size_t rows;
};

/* Key of the column: "category". */
const char *rlog_attr_name(enum rlog_attr attr);

/* The shortest form that holds the run. */
enum rlog_attr_form rlog_attr_choose(const struct rlog_attr_run *run, enum rlog_attr attr);

/* Writes key and column in the form given; nothing if that is absent. */
void rlog_attr_pack(struct rlog_pack *pack, const struct rlog_attr_run *run, enum rlog_attr attr,
                    enum rlog_attr_form form);

/*
 * Reads a column of any form, for rows 0 … rows-1. Values of 0 are left out.
 *
 * @column: caller's; what it owns grows as needed.
 * @with_reals: floats are allowed, and become the bits of a double; negative numbers are allowed.
 * Return: 0, -RLOG_E_MSGPACK, -RLOG_E_SCHEMA, -RLOG_E_NO_MEMORY.
 */
int rlog_attr_read(struct rlog_cursor *cursor, struct rlog_attr_column *column, size_t rows,
                   bool with_reals);

#endif
