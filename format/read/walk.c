/* SPDX-License-Identifier: MIT */
/* The walk over a log, whole or damaged. */
#include "format/read/walk.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "format/codec.h"
#include "format/wire.h"

/* What is at an offset where a header may begin. */
enum standing {
	STANDING_NONE,    /* no header: wrong marker or CRC, or too close to the end */
	STANDING_OURS,    /* header of this log: our tag (or the first tag found), within all
	                   * limits */
	STANDING_FOREIGN, /* header with another tag */
	STANDING_NEWER,
	STANDING_FAULTY, /* header of this log that breaks a limit */
};

void rlog_walk_init(struct rlog_walk *walk, const void *bytes, uint64_t size)
{
	*walk = (struct rlog_walk){
		.bytes = bytes,
		.size = size,
		/* Limits the bytes that are spent on checking damaged payloads. Chunks that do not
		 * overlap need at most the file's size. Only a forged file needs more. */
		.crc_budget = size + RLOG_MAX_RAW_BYTES,
	};
}

static enum standing judge(const struct rlog_walk *walk, uint64_t pos,
                           struct rlog_chunk_header *header)
{
	if (walk->size - pos < RLOG_HEADER_BYTES ||
	    !rlog_chunk_read_header(header, walk->bytes + pos)) {
		return STANDING_NONE;
	}
	if (walk->has_tag && header->tag != walk->tag) {
		return STANDING_FOREIGN;
	}
	if (header->version > RLOG_FORMAT_VERSION) {
		return STANDING_NEWER;
	}
	return rlog_chunk_find_fault(header) ? STANDING_FAULTY : STANDING_OURS;
}

/* True if the file ends with the trailer that starts at pos. */
static bool is_trailer(const struct rlog_walk *walk, uint64_t pos)
{
	struct rlog_chunk_trailer trailer;

	return walk->size - pos == RLOG_TRAILER_BYTES &&
	       rlog_chunk_read_trailer(&trailer, walk->bytes + pos) &&
	       (!walk->has_tag || trailer.tag == walk->tag);
}

/* Returns where the search for chunks ends: at the trailer, or else at the end of the file. Damage
 * then does not include the trailer. */
static uint64_t end_of_chunks(const struct rlog_walk *walk, uint64_t from)
{
	if (walk->size - from >= RLOG_TRAILER_BYTES &&
	    is_trailer(walk, walk->size - RLOG_TRAILER_BYTES)) {
		return walk->size - RLOG_TRAILER_BYTES;
	}
	return walk->size;
}

/* Returns the next offset from `start` on where a chunk of this log may begin; else the end of the
 * file, or its trailer. */
static uint64_t scan(const struct rlog_walk *walk, uint64_t start)
{
	struct rlog_chunk_header header;
	uint64_t from = start;

	while (from < walk->size) {
		const uint8_t *const hit = memmem(walk->bytes + from, walk->size - from,
		                                  RLOG_MARKER, RLOG_MARKER_BYTES);

		if (!hit) {
			break;
		}
		from = (uint64_t) (hit - walk->bytes);
		switch (judge(walk, from, &header)) {
		case STANDING_OURS:
		case STANDING_NEWER:
			return from;
		default:
			from++;
		}
	}
	return end_of_chunks(walk, start);
}

/* Fills *damage for the bytes from walk->pos to `end`, and moves walk->pos to `end`. */
__attribute__((format(printf, 5, 6))) static enum rlog_walk_step report(struct rlog_walk *walk,
                                                                        uint64_t end,
                                                                        struct rlog_damage *damage,
                                                                        int code,
                                                                        const char *format, ...)
{
	va_list args;

	*damage = (struct rlog_damage){
		.offset = walk->pos,
		.bytes = end - walk->pos,
		.code = code,
	};
	va_start(args, format);
	(void) vsnprintf(damage->what, sizeof(damage->what), format, args);
	va_end(args);
	walk->pos = end;
	return RLOG_WALK_DAMAGE;
}

/* Reports that there is no header at walk->pos. In the most harmless case the bytes are a part of
 * the trailer, whose end was cut off. */
static enum rlog_walk_step report_garbage(struct rlog_walk *walk, struct rlog_damage *damage)
{
	const uint64_t end = scan(walk, walk->pos + 1);
	const uint8_t *const bytes = walk->bytes + walk->pos;

	if (end == walk->size && end - walk->pos < RLOG_HEADER_BYTES) {
		return report(walk, end, damage, RLOG_E_TRUNCATED,
		              "%ju bytes at the end: no whole chunk header, no trailer",
		              (uintmax_t) (end - walk->pos));
	}
	if (memcmp(bytes, RLOG_MARKER, RLOG_MARKER_BYTES) == 0) {
		return report(walk, end, damage, RLOG_E_HEADER,
		              "chunk header does not match its CRC");
	}
	return report(walk, end, damage, RLOG_E_HEADER,
	              "expected a chunk (C1 F7 72 6C), found %02X %02X %02X %02X", bytes[0],
	              bytes[1], bytes[2], bytes[3]);
}

/* Checks the payload of the chunk at `pos`. The whole chunk must be inside the file. */
static bool is_payload_good(const struct rlog_walk *walk, uint64_t pos,
                            const struct rlog_chunk_header *header)
{
	return rlog_codec_crc(walk->bytes + pos + RLOG_HEADER_BYTES, header->stored_bytes) ==
	       header->payload_crc;
}

static uint64_t end_of(const struct rlog_walk *walk, const struct rlog_chunk_header *header)
{
	return walk->pos + RLOG_HEADER_BYTES + header->stored_bytes;
}

/* True if something valid begins at `pos`: a header, the trailer, or the end of the file. */
static bool is_boundary(const struct rlog_walk *walk, uint64_t pos)
{
	struct rlog_chunk_header header;

	return pos == walk->size || is_trailer(walk, pos) ||
	       judge(walk, pos, &header) != STANDING_NONE;
}

/* Fills *chunk from a header. */
static void fill_chunk(struct rlog_chunk *chunk, uint64_t offset,
                       const struct rlog_chunk_header *header)
{
	*chunk = (struct rlog_chunk){
		.offset = offset,
		.sequence = header->sequence,
		.first_ticks = header->first_ticks,
		.last_ticks = header->last_ticks,
		.stream = header->stream,
		.stored_bytes = header->stored_bytes,
		.raw_bytes = header->raw_bytes,
		.count = header->count,
		.lost = header->lost,
		.flags = header->flags,
		.type = header->type,
	};
}

/* Takes bytes from the budget for payloads that may be damaged. Return: false if the budget is too
 * small. */
static bool spend(struct rlog_walk *walk, uint64_t bytes)
{
	if (bytes > walk->crc_budget) {
		walk->crc_budget = 0;
		return false;
	}
	walk->crc_budget -= bytes;
	return true;
}

/* Reports a chunk of another log. Skips it if it is whole, else goes to the next chunk of this
 * log. */
static enum rlog_walk_step report_foreign(struct rlog_walk *walk,
                                          const struct rlog_chunk_header *header,
                                          struct rlog_damage *damage)
{
	const uint64_t end = end_of(walk, header);

	if (end <= walk->size && spend(walk, header->stored_bytes) &&
	    is_payload_good(walk, walk->pos, header)) {
		walk->crc_budget += header->stored_bytes; /* the payload was good, so the bytes are
		                                           * given back */
		return report(walk, end, damage, RLOG_E_HEADER,
		              "foreign chunk: tag %08x, this log has %08x", header->tag, walk->tag);
	}
	return report(walk, scan(walk, walk->pos + 1), damage, RLOG_E_HEADER,
	              "foreign chunk, damaged: tag %08x, this log has %08x", header->tag,
	              walk->tag);
}

/* True if there is a whole chunk of this log at `pos`. */
static bool is_whole_chunk(struct rlog_walk *walk, uint64_t pos)
{
	struct rlog_chunk_header header;

	return judge(walk, pos, &header) == STANDING_OURS &&
	       walk->size - pos - RLOG_HEADER_BYTES >= header.stored_bytes &&
	       spend(walk, header.stored_bytes) && is_payload_good(walk, pos, &header);
}

/*
 * Reports a payload that does not match its CRC. If bytes were removed from the file, whole chunks
 * may lie inside this payload; then the walk goes on there. Otherwise it goes on at the end that
 * the header states.
 */
static enum rlog_walk_step report_payload(struct rlog_walk *walk,
                                          const struct rlog_chunk_header *header,
                                          struct rlog_damage *damage)
{
	const uint64_t stated = end_of(walk, header);
	uint64_t end = stated;

	/* When the budget is used up, the walk does not search for chunks inside damaged payloads.
	 * So its time stays linear. */
	if (spend(walk, header->stored_bytes)) {
		end = scan(walk, walk->pos + RLOG_HEADER_BYTES);
		if (is_boundary(walk, stated) && (end > stated || !is_whole_chunk(walk, end))) {
			end = stated;
		}
	}
	return report(walk, end, damage, RLOG_E_PAYLOAD_CRC,
	              "payload of %u bytes does not match its CRC", header->stored_bytes);
}

/* Takes the chunk whose header is at walk->pos. */
static enum rlog_walk_step take_chunk(struct rlog_walk *walk,
                                      const struct rlog_chunk_header *header,
                                      struct rlog_damage *damage)
{
	const uint64_t end = end_of(walk, header);

	if (end > walk->size) {
		return report(walk, scan(walk, walk->pos + RLOG_HEADER_BYTES), damage,
		              RLOG_E_TRUNCATED, "chunk of %u bytes, but the file ends after %ju",
		              RLOG_HEADER_BYTES + header->stored_bytes,
		              (uintmax_t) (walk->size - walk->pos));
	}
	if (!is_payload_good(walk, walk->pos, header)) {
		return report_payload(walk, header, damage);
	}
	if (header->flags & RLOG_FLAGS_REFUSED) {
		return report(walk, end, damage, RLOG_E_HEADER,
		              "flags 0x%04x: a bit this program does not understand",
		              header->flags);
	}
	walk->pos = end;
	return RLOG_WALK_CHUNK;
}

enum rlog_walk_step rlog_walk_next(struct rlog_walk *walk, struct rlog_chunk *chunk,
                                   struct rlog_damage *damage)
{
	struct rlog_chunk_header header;
	enum standing standing = STANDING_NONE;
	enum rlog_walk_step step = RLOG_WALK_END;

	if (walk->pos == walk->size) {
		return RLOG_WALK_END;
	}
	if (is_trailer(walk, walk->pos)) {
		walk->has_trailer = true;
		walk->pos = walk->size;
		return RLOG_WALK_END;
	}
	standing = judge(walk, walk->pos, &header);
	if (!walk->has_tag && (standing == STANDING_OURS || standing == STANDING_NEWER)) {
		walk->has_tag = true;
		walk->tag = header.tag;
	}
	switch (standing) {
	case STANDING_OURS:
		fill_chunk(chunk, walk->pos, &header);
		step = take_chunk(walk, &header, damage);
		damage->rows = header.count;
		damage->stream = header.stream;
		return step;
	case STANDING_FOREIGN:
		return report_foreign(walk, &header, damage);
	case STANDING_NEWER:
		*chunk = (struct rlog_chunk){ .offset = walk->pos, .type = header.version };
		return RLOG_WALK_NEWER;
	case STANDING_FAULTY:
		return report(walk, scan(walk, walk->pos + 1), damage, RLOG_E_HEADER,
		              "chunk header: %s", rlog_chunk_find_fault(&header));
	default:
		return report_garbage(walk, damage);
	}
}
