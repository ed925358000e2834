/* SPDX-License-Identifier: MIT */
/* Lets a thread unpack some blocks of bytes ahead of the thread that reads them. */
#include "analyzer/read-json/kineto-ahead.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/side/pool.h"

/* A block is so large that it pays to unpack it in another thread: that takes a tenth of a ms. */
#define UNITS       4
#define BLOCK_BYTES (UNITS * RA_KINETO_AHEAD_UNIT)
#define BLOCKS      6

struct block {
	struct ra_pool_task task;
	struct ra_kineto_ahead *ahead;
	char *bytes; /* owned */
	size_t count;
	uint64_t done[UNITS]; /* by unit: bytes of the file read up to the unit's end; for the last
	                         block, up to the end of the file */
	int rc;               /* what a read after the block's bytes returns */
	struct rlog_error error;
	bool is_last;
};

struct ra_kineto_ahead {
	struct ra_pool *pool; /* owned */
	struct ra_pool_line line;
	ra_kineto_ahead_unpack *unpack;
	void *context;
	bool is_over;  /* used by tasks: nothing more comes */
	uint64_t done; /* used by tasks: bytes of the file read so far */
	struct block blocks[BLOCKS];
	size_t block; /* used by the reader: the block being read, and the place in it */
	size_t at;
	bool is_taken;
};

/* Context: a task. */
static void fill(void *context)
{
	struct block *block = context;
	struct ra_kineto_ahead *ahead = block->ahead;

	block->count = 0;
	for (size_t i = 0; i < UNITS; i++) {
		block->done[i] = ahead->done;
	}
	while (!ahead->is_over && block->count < BLOCK_BYTES) {
		const size_t unit = block->count / RA_KINETO_AHEAD_UNIT;
		size_t count = 0;

		block->rc = ahead->unpack(ahead->context, block->bytes + block->count,
		                          BLOCK_BYTES - block->count, &count, &ahead->done,
		                          &block->error);
		block->count += count;
		for (size_t i = unit; i < UNITS; i++) {
			block->done[i] = ahead->done;
		}
		ahead->is_over = block->rc != 0 || count == 0;
	}
	block->is_last = ahead->is_over;
}

struct ra_kineto_ahead *ra_kineto_ahead_create(ra_kineto_ahead_unpack *unpack, void *context)
{
	struct ra_pool *pool = ra_pool_create(1);
	struct ra_kineto_ahead *ahead;

	if (pool == NULL) {
		return NULL;
	}
	ahead = ra_alloc_zeros(1, sizeof(*ahead));
	ahead->pool = pool;
	ahead->line.is_serial = true;
	ahead->unpack = unpack;
	ahead->context = context;
	ra_pool_add_line(pool, &ahead->line);
	for (size_t i = 0; i < BLOCKS; i++) {
		struct block *block = &ahead->blocks[i];

		block->ahead = ahead;
		block->bytes = ra_alloc_bytes(BLOCK_BYTES);
		block->task.run = fill;
		block->task.context = block;
		ra_pool_put(pool, &ahead->line, &block->task);
	}
	return ahead;
}

void ra_kineto_ahead_destroy(struct ra_kineto_ahead *ahead)
{
	if (ahead == NULL) {
		return;
	}
	ra_pool_drop_line(ahead->pool, &ahead->line);
	ra_pool_destroy(ahead->pool);
	for (size_t i = 0; i < BLOCKS; i++) {
		free(ahead->blocks[i].bytes);
	}
	free(ahead);
}

int ra_kineto_ahead_read(struct ra_kineto_ahead *ahead, char *buffer, size_t size, size_t *count,
                         uint64_t *done, struct rlog_error *err)
{
	struct block *block = &ahead->blocks[ahead->block];

	if (ahead->is_taken && ahead->at == block->count && !block->is_last) {
		ra_pool_put(ahead->pool, &ahead->line, &block->task);
		ahead->block = (ahead->block + 1) % BLOCKS;
		ahead->is_taken = false;
		block = &ahead->blocks[ahead->block];
	}
	if (!ahead->is_taken) {
		ra_pool_take(ahead->pool, &block->task);
		ahead->is_taken = true;
		ahead->at = 0;
	}
	*count = block->count - ahead->at < size ? block->count - ahead->at : size;
	memcpy(buffer, block->bytes + ahead->at, *count);
	ahead->at += *count;
	*done = block->done[*count == 0 ? UNITS - 1 : (ahead->at - 1) / RA_KINETO_AHEAD_UNIT];
	if (*count == 0 && block->rc != 0 && err != NULL) {
		*err = block->error;
	}
	return *count == 0 ? block->rc : 0;
}
