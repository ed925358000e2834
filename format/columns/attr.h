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

/* The run of rows whose attributes are packed. */
struct rlog_attr_run {
	const struct rlog_batch *batch;
	size_t from;
	size_t rows;
};

/* Returns the key of a column, such as category. */
const char *rlog_attr_name(enum rlog_attr attr);

/* Returns the form in which the run's column is shortest. */
enum rlog_attr_form rlog_attr_choose(const struct rlog_attr_run *run, enum rlog_attr attr);

/* Writes key and column in the given form; writes nothing for RLOG_ATTR_ABSENT. */
void rlog_attr_pack(struct rlog_pack *pack, const struct rlog_attr_run *run, enum rlog_attr attr,
                    enum rlog_attr_form form);

/*
 * Reads a column of any form for rows 0 … rows-1. Leaves out values of 0.
 *
 * @column: the caller's; its arrays grow as needed.
 * @with_reals: allows negative numbers and floats; a float is converted to the bits of a double.
 * Return: 0, -RLOG_E_MSGPACK, -RLOG_E_SCHEMA, -RLOG_E_NO_MEMORY.
 */
int rlog_attr_read(struct rlog_cursor *cursor, struct rlog_attr_column *column, size_t rows,
                   bool with_reals);

#endif
