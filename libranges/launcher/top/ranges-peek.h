/* SPDX-License-Identifier: MIT */
/* Reads the spool of a program that goes on writing it: copies, so that nothing is asked of it. */
#ifndef RCAP_RANGES_PEEK_H
#define RCAP_RANGES_PEEK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "libranges/settings/config.h"
#include "libranges/spool/live.h"
#include "libranges/spool/spool.h"

/* A text of the spool, with its end. */
struct rcap_ranges_peek_names {
	char **all; /* owned, each; by id */
	size_t count;
	size_t capacity;
};

/* Which text a definition names. */
struct rcap_ranges_peek_def {
	uint64_t id;
	uint32_t kind; /* enum rlog_def_kind */
	uint32_t string;
};

struct rcap_ranges_peek {
	char path[RCAP_CONFIG_PATH_BYTES];
	int fd;                           /* 0: not open */
	struct rcap_spool_header *header; /* owned; a copy, of the last refresh */
	struct rcap_ranges_peek_names names;
	struct rcap_ranges_peek_def *defs; /* owned; of domains, streams and threads' names */
	size_t def_count;
	size_t def_capacity;
	uint64_t arena; /* what was read of it */
	uint8_t *piece; /* owned; one extent */
};

/*
 * Opens a spool for reading only. No lock is taken: who completes logs is not kept waiting.
 *
 * Return: false if it can't be read, is of another version, or its program does not live.
 */
bool rcap_ranges_peek_open(struct rcap_ranges_peek *peek, const char *path);

/* Looks again. Return: false if the program has ended. */
bool rcap_ranges_peek_refresh(struct rcap_ranges_peek *peek);

/* Safe if it is not open. */
void rcap_ranges_peek_close(struct rcap_ranges_peek *peek);

/* Copies a block, or a table. @out: RCAP_BLOCK_BYTES, at the start of a page: slots are checked by
 * their place. */
bool rcap_ranges_peek_block(const struct rcap_ranges_peek *peek, uint32_t number, void *out);

/* The record of a stream. Return: false if there is none. */
bool rcap_ranges_peek_stream(const struct rcap_ranges_peek *peek, uint32_t index,
                             struct rcap_stream *out);

/* The stack of open ranges of a stream, at one moment. Return: false if there is none, or it was
 * changed all the time. */
bool rcap_ranges_peek_stack(const struct rcap_ranges_peek *peek, uint32_t index,
                            struct rcap_live_stack *out);

/* The start/end ranges that are open, likewise. @out: room for a block. */
bool rcap_ranges_peek_started(const struct rcap_ranges_peek *peek, struct rcap_live_started *out);

/* Lives until the close. "" for none, "?" for one that is not there. */
const char *rcap_ranges_peek_name(const struct rcap_ranges_peek *peek, uint32_t id);

/* The text that the last definition of this kind and id names; 0: there is none. */
uint32_t rcap_ranges_peek_find(const struct rcap_ranges_peek *peek, uint32_t kind, uint64_t id);

/* Of the program's file, without folders; control characters are question marks. */
void rcap_ranges_peek_program(const struct rcap_ranges_peek *peek, char *out, size_t size);

#endif
