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

/* A chunk with `rows` rows lists at most so many of them. The limit keeps the list small. */
#define RLOG_OUTER_MOST(rows) (4 + (rows) / 512)
#define RLOG_OUTER_ROWS       36u
/* A chunk with more names than this has no list. */
#define RLOG_OUTER_NAMES 255u
/* A chunk with more rows, or with more ranges open at once, has no list. */
#define RLOG_OUTER_MOST_ROWS 16384u
#define RLOG_OUTER_DEPTH     256u
#define RLOG_OUTER_SLOTS     1024u

/* A listed row: a push, or a pop with the name of the range that it closes. */
struct rlog_outer_row {
	uint64_t ticks;
	uint32_t name;
	uint32_t domain;
	bool is_pop;
};

struct rlog_outer {
	uint64_t pushes; /* pushes of the whole chunk */
	uint64_t pops;
	uint32_t names[RLOG_OUTER_NAMES]; /* names of the rows that are not listed; ascending */
	size_t name_count;
	struct rlog_outer_row rows[RLOG_OUTER_ROWS]; /* the listed rows */
	size_t row_count;
	/* Which ranges are open after the chunk. Neither packed nor read. */
	size_t kept;                            /* number of ranges open before the chunk that are
	                                         * still open */
	size_t opened;                          /* number of ranges that the chunk opened and did
	                                         * not close */
	uint32_t opened_rows[RLOG_OUTER_DEPTH]; /* the rows of their pushes, outermost first */
};

/* All ranges with one name and domain. */
struct rlog_outer_group {
	uint64_t key; /* name and domain in one */
	size_t rows;
	size_t depth; /* depth of the outermost of these ranges */
	bool is_listed;
};

/* Memory for making a list. It is too large for the stack, because any thread of the program may
 * write a log. Its contents have no meaning before and after the call. */
struct rlog_outer_work {
	const struct rlog_batch *batch;
	size_t rows;
	struct rlog_outer_group groups[RLOG_OUTER_NAMES];
	size_t group_count;
	uint16_t slots[RLOG_OUTER_SLOTS];      /* 1 + index of a group; 0: free */
	uint8_t stack[RLOG_OUTER_DEPTH];       /* groups of the open ranges, outermost first */
	uint32_t stack_rows[RLOG_OUTER_DEPTH]; /* rows of their pushes, for pushes in the batch */
	size_t depth;
	size_t lowest; /* the least depth so far */
	size_t pushes; /* pushes so far */
	size_t marks;
	uint8_t of_row[RLOG_OUTER_MOST_ROWS]; /* group of each row; UINT8_MAX: a mark */
};

/*
 * Makes the list of a batch's first `rows` rows.
 *
 * Return: false if there is no list. The reasons are: it is not known which ranges are open before
 * the rows; a pop closes nothing, or not the innermost range; a row is neither push, pop nor mark;
 * there are too many names, rows, or open ranges.
 */
bool rlog_outer_find(struct rlog_outer *outer, struct rlog_outer_work *work,
                     const struct rlog_batch *batch, size_t rows);

/* Packs key and list. @ticks: of row 0. */
void rlog_outer_pack(struct rlog_pack *pack, const struct rlog_outer *outer, uint64_t ticks);

/*
 * Reads the list from the first bytes of a payload.
 *
 * @bytes: number of bytes in `payload`; RLOG_OUTER_BYTES are always enough.
 * @ticks: of row 0.
 * Return: 0, -RLOG_E_MSGPACK, -RLOG_E_SCHEMA.
 */
#define RLOG_OUTER_BYTES 4096u
int rlog_outer_read(struct rlog_outer *outer, const void *payload, size_t bytes, uint64_t ticks);

#endif
