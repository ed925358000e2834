/* SPDX-License-Identifier: MIT */
/* Steps through the bytes of a log: whole chunks, and the damage between them (doc/format.md
 * section 10). */
#ifndef RLOG_WALK_H
#define RLOG_WALK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "format/chunk.h"
#include "format/read/reader.h"

struct rlog_walk {
	const uint8_t *bytes; /* borrowed */
	uint64_t size;
	uint64_t pos;
	uint64_t crc_budget; /* bytes that may still be spent on damaged payloads */
	uint32_t tag;
	bool has_tag;     /* true if a header was found, so the tag is known */
	bool has_trailer; /* true if the file ends with a trailer of this log */
};

enum rlog_walk_step {
	RLOG_WALK_END,
	RLOG_WALK_CHUNK,
	RLOG_WALK_DAMAGE,
	/* A chunk of a newer version: give up. chunk->offset tells where, and chunk->type which
	 * version. */
	RLOG_WALK_NEWER,
};

void rlog_walk_init(struct rlog_walk *walk, const void *bytes, uint64_t size);

/*
 * Takes the next step.
 *
 * @chunk: filled if the step is a chunk, whose header, limits and payload CRC are good. Also filled
 * if the step is damage with a good header: then damage->rows is not 0.
 * @damage: filled if the step is damage. Two steps of damage may be adjacent.
 */
enum rlog_walk_step rlog_walk_next(struct rlog_walk *walk, struct rlog_chunk *chunk,
                                   struct rlog_damage *damage);

#endif
