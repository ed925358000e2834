/* SPDX-License-Identifier: MIT */
/* The events of one EVENTS chunk in memory: parallel columns, shared by writer and reader. */
#ifndef RLOG_BATCH_H
#define RLOG_BATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Attributes that few events have: stored as (row, value) pairs in the order of rows. */
enum rlog_attr {
	RLOG_ATTR_CATEGORY,
	RLOG_ATTR_COLOR,
	RLOG_ATTR_PTYPE,
	RLOG_ATTR_PAYLOAD, /* the 64 bits of the NVTX union; for double and float, a double's */
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
	uint64_t *value; /* owned; int64 payloads as two's complement */
	size_t count;
	size_t capacity;
};

/* The `data` of rows: (row, bytes) pairs in the order of rows, with all bytes in one block. */
struct rlog_data_column {
	uint32_t *row;  /* owned; ascending */
	uint32_t *from; /* owned; count + 1 offsets into bytes, from[0] = 0 */
	uint8_t *bytes; /* owned */
	size_t count;
	size_t capacity;      /* entries of row; from has one more */
	size_t byte_capacity; /* from[count] bytes are used */
};

/* Most ranges of a thread that a chunk lists as open before its first row. */
#define RLOG_BATCH_OPEN 64u

struct rlog_open_range {
	uint64_t ticks; /* when it began */
	uint32_t name;
	uint32_t domain;
};

struct rlog_codec_inflater;

/* Rows 0 … count-1. All arrays are owned by the batch and have room for `capacity` rows. */
struct rlog_batch {
	uint32_t stream;
	uint32_t flags;    /* enum rlog_flag of the chunk */
	uint64_t sequence; /* ordinal of row 0 in its stream */
	size_t count;
	size_t capacity;
	uint64_t *ticks;  /* absolute */
	uint8_t *op;      /* enum rlog_op, or an unknown number */
	uint32_t *name;   /* string id */
	uint32_t *domain; /* domain id */
	uint64_t *id;     /* range id of start/end, else 0 */
	/* Numbers of rows, from 0 on, whose domain, or id, is known to be 0, whatever `count` is. A
	 * chunk without the column sets these zeros, so the next chunk without it need not. */
	size_t zero_domains;
	size_t zero_ids;
	struct rlog_attr_column attr[RLOG_ATTRS];
	struct rlog_data_column data;
	struct rlog_open_range open[RLOG_BATCH_OPEN]; /* outermost first */
	size_t open_count;
	bool has_open; /* it is known which push/pop ranges are open before row 0 */
	/* Owned by the batch, so that decoding allocates only once per batch; NULL until the
	 * first decode. */
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

/* Forgets all rows, keeps the memory. */
void rlog_batch_clear(struct rlog_batch *batch);

/*
 * Makes room for at least `rows` rows (contents kept).
 *
 * Return: 0, -RLOG_E_NO_MEMORY (the batch is unchanged).
 */
int rlog_batch_reserve(struct rlog_batch *batch, size_t rows);

/* Makes room for the pairs of one attribute; the column may be all zero. Return: as above. */
int rlog_batch_reserve_column(struct rlog_attr_column *column, size_t rows);

/*
 * Adds an attribute to a row; per attribute rows must come in ascending order. A value of 0 means
 * no attribute: the writer leaves it out.
 *
 * Return: 0, -RLOG_E_NO_MEMORY.
 */
int rlog_batch_add_attr(struct rlog_batch *batch, enum rlog_attr attr, uint32_t row,
                        uint64_t value);

/*
 * Adds bytes to the data of a row; rows must come in ascending order. Bytes for the same row as
 * last time are appended.
 *
 * Return: 0, -RLOG_E_NO_MEMORY (nothing was added).
 */
int rlog_batch_add_data(struct rlog_batch *batch, uint32_t row, const void *bytes, size_t count);

/* True for ops that the capture itself writes, between the program's events. */
bool rlog_batch_is_remark(uint8_t op);

/* Counts the program's events among `rows` rows from `first` on. */
size_t rlog_batch_count_events(const struct rlog_batch *batch, size_t first, size_t rows);

/* True if one of these rows is something other than a push, a pop, a mark or a remark on one of
 * them. The meaning of such a row may depend on rows elsewhere in the log. */
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
