/* SPDX-License-Identifier: MIT */
/* The column `data`: bytes that few rows have (doc/format.md section 4). */
#ifndef RLOG_DATA_H
#define RLOG_DATA_H

#include <stdbool.h>
#include <stddef.h>

#include "format/columns/attr.h"
#include "format/batch.h"
#include "format/columns/cursor.h"
#include "format/columns/pack.h"

/* True if any row of the run has data. */
bool rlog_data_is_present(const struct rlog_attr_run *run);

/* Writes key and column; the column is always sparse. */
void rlog_data_pack(struct rlog_pack *pack, const struct rlog_attr_run *run);

/*
 * Reads the column for rows 0 … rows-1. The batch must not have data yet.
 *
 * Return: 0, -RLOG_E_MSGPACK, -RLOG_E_SCHEMA, -RLOG_E_NO_MEMORY.
 */
int rlog_data_read(struct rlog_cursor *cursor, struct rlog_batch *batch, size_t rows);

#endif
