/* SPDX-License-Identifier: MIT */
/* Reads the spool of a running program: copies, so that the program need not cooperate. */
#ifndef RCAP_RANGES_PEEK_H
#define RCAP_RANGES_PEEK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "libranges/settings/config.h"
#include "libranges/spool/live.h"
#include "libranges/spool/spool.h"

/* Texts of the spool, indexed by id. */
struct rcap_ranges_peek_names {
	char **all; /* owned, and each text, too */
	size_t count;
	size_t capacity;
};

/* A definition, and the text that it names. */
struct rcap_ranges_peek_def {
	uint64_t id;
	uint32_t kind; /* enum rlog_def_kind */
	uint32_t string;
};

struct rcap_ranges_peek {
	char path[RCAP_CONFIG_PATH_BYTES];
	int fd;                           /* 0: not open */
	struct rcap_spool_header *header; /* owned; a copy made by the last refresh */
	struct rcap_ranges_peek_names names;
	struct rcap_ranges_peek_def *defs; /* owned; definitions of domains, streams and names of
	                                    * threads */
	size_t def_count;
	size_t def_capacity;
	uint64_t arena; /* offset up to which the arena was read */
	uint8_t *piece; /* owned; memory for one extent of the arena */
};

/*
 * Opens a spool for reading. Takes no lock, so that processes that complete logs need not wait.
 *
 * Return: false if it can't be read, is of another version, or its program is dead.
 */
bool rcap_ranges_peek_open(struct rcap_ranges_peek *peek, const char *path);

/* Reads the spool's header and names again. Return: false if the program has ended. */
bool rcap_ranges_peek_refresh(struct rcap_ranges_peek *peek);

/* Closes the spool. Safe if it is not open. */
void rcap_ranges_peek_close(struct rcap_ranges_peek *peek);

/* Copies a block, or a table. @out: RCAP_BLOCK_BYTES, aligned to a page, because the check of a
 * slot depends on its offset in the page. */
bool rcap_ranges_peek_block(const struct rcap_ranges_peek *peek, uint32_t number, void *out);

/* Copies the record of a stream. Return: false if there is no such record. */
bool rcap_ranges_peek_stream(const struct rcap_ranges_peek *peek, uint32_t index,
                             struct rcap_stream *out);

/* Copies a stream's stack of open ranges in a consistent state. Return: false if there is no stack,
 * or it changed during all tries. */
bool rcap_ranges_peek_stack(const struct rcap_ranges_peek *peek, uint32_t index,
                            struct rcap_live_stack *out);

/* Copies the open start/end ranges in the same way. @out: room for a block. */
bool rcap_ranges_peek_started(const struct rcap_ranges_peek *peek, struct rcap_live_started *out);

/* Returns a text, valid until the close: "" for no name, "?" for a missing name. */
const char *rcap_ranges_peek_name(const struct rcap_ranges_peek *peek, uint32_t id);

/* Returns the id of the text of the newest definition of this kind with this id; 0 if there is
 * none. */
uint32_t rcap_ranges_peek_find(const struct rcap_ranges_peek *peek, uint32_t kind, uint64_t id);

/* Gets the name of the program's file, without folders. Control characters become question
 * marks. */
void rcap_ranges_peek_program(const struct rcap_ranges_peek *peek, char *out, size_t size);

#endif
