/* SPDX-License-Identifier: MIT */
/* The list of the rows of a chunk that open and close outer ranges, and of the names of all other
 * rows (doc/format.md section 6, `outer`). */
#ifndef RLOG_OUTER_H
#define RLOG_OUTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "format/batch.h"
#include "format/columns/pack.h"

/* Most rows in the list of a chunk with `rows` rows. The limit keeps the list small. */
#define RLOG_OUTER_MOST(rows) (4 + (rows) / 512)
#define RLOG_OUTER_ROWS       36u
/* A chunk with more names than this has no list. */
#define RLOG_OUTER_NAMES 255u
/* Rows of a chunk that can have a list, and ranges open in it at once. */
#define RLOG_OUTER_MOST_ROWS 16384u
#define RLOG_OUTER_DEPTH     256u
#define RLOG_OUTER_SLOTS     1024u

/* A push, or a pop with the range that it closes. */
struct rlog_outer_row {
	uint64_t ticks;
	uint32_t name;
	uint32_t domain;
	bool is_pop;
};

struct rlog_outer {
	uint64_t pushes; /* of the chunk */
	uint64_t pops;
	uint32_t names[RLOG_OUTER_NAMES]; /* of all rows that are not listed; ascending */
	size_t name_count;
	struct rlog_outer_row rows[RLOG_OUTER_ROWS]; /* listed */
	size_t row_count;
	/* What is open after the chunk. This is not packed, and not read. */
	size_t kept;                            /* so many of those open before it */
	size_t opened;                          /* and the pushes of so many rows */
	uint32_t opened_rows[RLOG_OUTER_DEPTH]; /* outermost first */
};

/* The ranges of a name in a domain. */
struct rlog_outer_group {
	uint64_t key; /* both */
	size_t rows;
	size_t depth; /* of the outermost of them */
	bool is_listed;
};

/* Memory for making a list. It is too large for the stack, because a program's thread may write a
 * log. Its contents have no meaning before and after the call. */
struct rlog_outer_work {
	const struct rlog_batch *batch;
	size_t rows;
	struct rlog_outer_group groups[RLOG_OUTER_NAMES];
	size_t group_count;
	uint16_t slots[RLOG_OUTER_SLOTS];      /* 1 + index of a group; 0: free */
	uint8_t stack[RLOG_OUTER_DEPTH];       /* groups of the open ranges, outermost first */
	uint32_t stack_rows[RLOG_OUTER_DEPTH]; /* their pushes, if these are in the batch */
	size_t depth;
	size_t lowest; /* depth so far */
	size_t pushes; /* rows that were taken */
	size_t marks;
	uint8_t of_row[RLOG_OUTER_MOST_ROWS]; /* its group; UINT8_MAX: a mark */
};

/*
 * Makes the list of a batch's first `rows` rows.
 *
 * Return: false if there is no list, for one of these reasons: it is not known which ranges are
 * open before the rows; a pop closes nothing or not the innermost range; a row is neither push, pop
 * nor mark; there are too many names, rows, or open ranges.
 */
bool rlog_outer_find(struct rlog_outer *outer, struct rlog_outer_work *work,
                     const struct rlog_batch *batch, size_t rows);

/* Packs key and value. @ticks: of row 0. */
void rlog_outer_pack(struct rlog_pack *pack, const struct rlog_outer *outer, uint64_t ticks);

/*
 * Reads the list from the begin of a payload.
 *
 * @bytes: how many of the payload are there; RLOG_OUTER_BYTES always suffice.
 * @ticks: of row 0.
 * Return: 0, -RLOG_E_MSGPACK, -RLOG_E_SCHEMA.
 */
#define RLOG_OUTER_BYTES 4096u
int rlog_outer_read(struct rlog_outer *outer, const void *payload, size_t bytes, uint64_t ticks);

#endif
