/* SPDX-License-Identifier: MIT */
/* The events of one EVENTS chunk in memory: parallel columns, shared by writer and reader. */
#ifndef RLOG_BATCH_H
#define RLOG_BATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Attributes that few events have. A column of (row, value) pairs, in the order of rows, has
 * each. */
enum rlog_attr {
	RLOG_ATTR_CATEGORY,
	RLOG_ATTR_COLOR,
	RLOG_ATTR_PTYPE,
	RLOG_ATTR_PAYLOAD, /* the 64 bits of NVTX's union; a float is converted to double */
	RLOG_ATTR_LOST,
	RLOG_ATTR_CAUSE,
	RLOG_ATTR_SPAN,
	RLOG_ATTR_DEPTH,
	RLOG_ATTR_MIN_DEPTH,
	RLOG_ATTR_DUR,
	RLOG_ATTR_DEVICE,
	RLOG_ATTR_CONTEXT,
	RLOG_ATTR_QUEUE,
	RLOG_ATTR_CORR,
	RLOG_ATTR_SHAPE,
	RLOG_ATTR_BYTES,
	RLOG_ATTR_ADDR,
	RLOG_ATTR_KIND,
	RLOG_ATTR_SRC,
	RLOG_ATTR_DST,
	RLOG_ATTR_GRAPH,
	RLOG_ATTR_NODE,
	RLOG_ATTR_TID,
	RLOG_ATTR_RESULT,
	RLOG_ATTR_QUEUED,
	RLOG_ATTR_SUBMITTED,
	RLOG_ATTR_SYNC,
	RLOG_ATTR_POOL,
	RLOG_ATTR_RESERVED,
	RLOG_ATTR_USED,
	RLOG_ATTR_COUNT1,
	RLOG_ATTR_COUNT2,
	RLOG_ATTR_COUNT3,
	RLOG_ATTRS,
};

struct rlog_attr_column {
	uint32_t *row;   /* owned; ascending */
	uint64_t *value; /* owned; an int64 payload is stored as two's complement */
	size_t count;
	size_t capacity;
};

/* The `data` of rows: (row, bytes) pairs in the order of rows. The bytes of all rows are in one
 * block. */
struct rlog_data_column {
	uint32_t *row;  /* owned; ascending */
	uint32_t *from; /* owned; count + 1 offsets into `bytes`: row i has from[i] … from[i + 1] -
	                 * 1 */
	uint8_t *bytes; /* owned; offsets of the rows in `bytes`, from 0; from[count] is the end */
	size_t count;
	size_t capacity;      /* elements of `row`; `from` has one more */
	size_t byte_capacity; /* of `bytes`; from[count] of them are in use */
};

/* A chunk lists the ranges of its thread that are open before its first row: at most this many. */
#define RLOG_BATCH_OPEN 64u

struct rlog_open_range {
	uint64_t ticks; /* time of the push */
	uint32_t name;
	uint32_t domain;
};

struct rlog_codec_inflater;

/* Rows 0 … count-1. All arrays are owned by the batch and have room for `capacity` rows. */
struct rlog_batch {
	uint32_t stream;
	uint32_t flags;    /* the chunk's flags: enum rlog_flag */
	uint64_t sequence; /* ordinal of row 0 in its stream */
	size_t count;
	size_t capacity;
	uint64_t *ticks;  /* absolute times, not differences */
	uint8_t *op;      /* enum rlog_op, or an unknown number */
	uint32_t *name;   /* string id */
	uint32_t *domain; /* domain id */
	uint64_t *id;     /* range id of start/end, else 0 */
	/* Rows 0 … zero_domains-1 are known to have domain 0, and rows 0 … zero_ids-1 to have id 0,
	 * also if these are more than `count`. Decoding a chunk without such a column sets the
	 * zeros. The next such chunk then finds them. */
	size_t zero_domains;
	size_t zero_ids;
	struct rlog_attr_column attr[RLOG_ATTRS];
	struct rlog_data_column data;
	struct rlog_open_range open[RLOG_BATCH_OPEN]; /* outermost first */
	size_t open_count;
	bool has_open; /* true if it is known which push/pop ranges are open before row 0 */
	/* Memory for decoding. The batch owns it, so that it is allocated only once per batch. NULL
	 * until the first decode. */
	struct rlog_codec_inflater *inflater;
	uint8_t *scratch;
};

/*
 * Makes an empty batch in the caller's memory.
 *
 * @capacity: rows to make room for.
 * Return: 0, -RLOG_E_NO_MEMORY (the batch is then safe to fini).
 */
int rlog_batch_init(struct rlog_batch *batch, size_t capacity);

/* Frees what the batch owns; the struct may be zero. */
void rlog_batch_fini(struct rlog_batch *batch);

/* Removes all rows; keeps the memory. */
void rlog_batch_clear(struct rlog_batch *batch);

/*
 * Makes room for at least `rows` rows; keeps the contents.
 *
 * Return: 0, -RLOG_E_NO_MEMORY (the batch is unchanged).
 */
int rlog_batch_reserve(struct rlog_batch *batch, size_t rows);

/* Makes room for `rows` pairs of one attribute. The column may be all zero. Return: 0,
 * -RLOG_E_NO_MEMORY (the column is unchanged). */
int rlog_batch_reserve_column(struct rlog_attr_column *column, size_t rows);

/*
 * Adds an attribute to a row. Call this in ascending order of rows for each attribute. A value of 0
 * means no attribute: the writer leaves it out.
 *
 * Return: 0, -RLOG_E_NO_MEMORY.
 */
int rlog_batch_add_attr(struct rlog_batch *batch, enum rlog_attr attr, uint32_t row,
                        uint64_t value);

/*
 * Adds bytes to the data of a row. Call this in ascending order of rows. A second call for the same
 * row appends its bytes.
 *
 * Return: 0, -RLOG_E_NO_MEMORY (nothing was added).
 */
int rlog_batch_add_data(struct rlog_batch *batch, uint32_t row, const void *bytes, size_t count);

/* True for loss, depth and more: ops that the capture itself writes between the program's
 * events. */
bool rlog_batch_is_remark(uint8_t op);

/* Counts the program's events among `rows` rows from `first` on. */
size_t rlog_batch_count_events(const struct rlog_batch *batch, size_t first, size_t rows);

/* True if any of these rows is neither a push, a pop, a mark nor a remark. The meaning of other
 * rows may depend on rows elsewhere in the log. */
bool rlog_batch_has_others(const struct rlog_batch *batch, size_t first, size_t rows);

/* Sets the id of a row. */
static inline void rlog_batch_set_id(struct rlog_batch *batch, size_t row, uint64_t id)
{
	batch->id[row] = id;
	if (id != 0 && row < batch->zero_ids) {
		batch->zero_ids = row;
	}
}

/* Appends a row without attributes. The caller has checked count < capacity. */
static inline void rlog_batch_append(struct rlog_batch *batch, uint64_t ticks, uint8_t op,
                                     uint32_t name, uint32_t domain, uint64_t id)
{
	const size_t row = batch->count++;

	batch->ticks[row] = ticks;
	batch->op[row] = op;
	batch->name[row] = name;
	batch->domain[row] = domain;
	rlog_batch_set_id(batch, row, id);
}

#endif
