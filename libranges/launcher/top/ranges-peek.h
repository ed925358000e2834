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

/* Texts of the spool, by id. */
struct rcap_ranges_peek_names {
	char **all; /* owned, each of them, too */
	size_t count;
	size_t capacity;
};

/* The text that a definition names. */
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
	struct rcap_ranges_peek_def *defs; /* owned; of domains, streams and threads' names */
	size_t def_count;
	size_t def_capacity;
	uint64_t arena; /* offset up to which it was read */
	uint8_t *piece; /* owned; one extent */
};

/*
 * Opens a spool for reading. Takes no lock, so that processes that complete logs need not wait.
 *
 * Return: false if it can't be read, is of another version, or its program is dead.
 */
bool rcap_ranges_peek_open(struct rcap_ranges_peek *peek, const char *path);

/* Reads the spool's header and names again. Return: false if the program has ended. */
bool rcap_ranges_peek_refresh(struct rcap_ranges_peek *peek);

/* Safe if it is not open. */
void rcap_ranges_peek_close(struct rcap_ranges_peek *peek);

/* Copies a block, or a table. @out: RCAP_BLOCK_BYTES, page-aligned: the check of a slot depends
 * on its place. */
bool rcap_ranges_peek_block(const struct rcap_ranges_peek *peek, uint32_t number, void *out);

/* Copies the record of a stream. Return: false if there is none. */
bool rcap_ranges_peek_stream(const struct rcap_ranges_peek *peek, uint32_t index,
                             struct rcap_stream *out);

/* Copies a stream's stack of open ranges in one consistent state. Return: false if there is
 * none, or it kept changing. */
bool rcap_ranges_peek_stack(const struct rcap_ranges_peek *peek, uint32_t index,
                            struct rcap_live_stack *out);

/* Copies the open start/end ranges likewise. @out: room for a block. */
bool rcap_ranges_peek_started(const struct rcap_ranges_peek *peek, struct rcap_live_started *out);

/* Valid until the close. "" for no name, "?" for a missing one. */
const char *rcap_ranges_peek_name(const struct rcap_ranges_peek *peek, uint32_t id);

/* Returns the id of the text that the newest definition of this kind and id names; 0: there is
 * none. */
uint32_t rcap_ranges_peek_find(const struct rcap_ranges_peek *peek, uint32_t kind, uint64_t id);

/* Name of the program's file, without folders; control characters become question marks. */
void rcap_ranges_peek_program(const struct rcap_ranges_peek *peek, char *out, size_t size);

#endif
