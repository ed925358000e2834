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
	uint64_t crc_budget; /* bytes that may still be spent on payloads that turn out bad */
	uint32_t tag;
	bool has_tag;     /* a header was found, and with it the tag */
	bool has_trailer; /* the file ends with a trailer of this log */
};

enum rlog_walk_step {
	RLOG_WALK_END,
	RLOG_WALK_CHUNK,
	RLOG_WALK_DAMAGE,
	RLOG_WALK_NEWER, /* a chunk of a newer version: give up; chunk->offset tells where, ->type
	                    the version */
};

void rlog_walk_init(struct rlog_walk *walk, const void *bytes, uint64_t size);

/*
 * Takes the next step.
 *
 * @chunk: filled when the step is a chunk: header, limits and payload CRC are good. Filled too when
 * the step is damage whose header is good: then damage->rows is not 0.
 * @damage: filled when it is damage. Steps of damage may follow each other without a gap.
 */
enum rlog_walk_step rlog_walk_next(struct rlog_walk *walk, struct rlog_chunk *chunk,
                                   struct rlog_damage *damage);

#endif
