/* SPDX-License-Identifier: MIT */
/* Appends to the arena, and walks through it. */
#include "libranges/spool/arena.h"

#include <string.h>

static size_t round_up(size_t bytes)
{
	return (bytes + 7) & ~(size_t) 7;
}

/* Returns the address of a logical offset; NULL if its extent does not exist. */
static char *locate(const struct rcap_spool *spool, uint64_t offset)
{
	const uint64_t extent = offset / RCAP_EXTENT_BYTES;
	uint32_t block;

	if (extent >= RCAP_MAX_EXTENTS) {
		return NULL;
	}
	block = spool->header->arena_extent[extent];
	if (!rcap_spool_has_block(spool, block) ||
	    !rcap_spool_has_block(spool, block + RCAP_EXTENT_BLOCKS - 1)) {
		return NULL;
	}
	return (char *) rcap_spool_block(spool, block) + offset % RCAP_EXTENT_BYTES;
}

/* Finds room for a record of `bytes` at the arena's head. Return: the record's offset; UINT64_MAX
 * if there is no room. */
static uint64_t make_room(struct rcap_spool *spool, size_t bytes)
{
	struct rcap_spool_header *header = spool->header;
	uint64_t head = atomic_load_explicit(&header->arena_head, memory_order_relaxed);
	const uint64_t left = (RCAP_EXTENT_BYTES - head % RCAP_EXTENT_BYTES) % RCAP_EXTENT_BYTES;
	uint32_t block;

	if (left >= bytes) {
		return head;
	}
	if (left > 0) {
		/* The rest of the extent may be too small even for the header of a record.
		 * rcap_arena_next() then skips it because of its size. */
		struct rcap_record *const rest = (void *) locate(spool, head);

		if (left >= sizeof(*rest) && rest != NULL) {
			rest->type = RCAP_RECORD_SKIP;
		}
		head += left;
	}
	if (head / RCAP_EXTENT_BYTES >= RCAP_MAX_EXTENTS || bytes > RCAP_EXTENT_BYTES) {
		return UINT64_MAX;
	}
	block = rcap_spool_take_extent(spool);
	if (block == RCAP_NO_BLOCK) {
		return UINT64_MAX;
	}
	header->arena_extent[head / RCAP_EXTENT_BYTES] = block;
	return head;
}

/* Appends a record and its body. Return: address of the body in the arena; NULL if there is no
 * room. */
static char *append(struct rcap_spool *spool, const struct rcap_record *record, const void *body)
{
	const size_t bytes = sizeof(*record) + round_up(record->bytes + 1u);
	const uint64_t offset = make_room(spool, bytes);
	char *at;

	if (offset == UINT64_MAX) {
		return NULL;
	}
	at = locate(spool, offset);
	if (at == NULL) {
		return NULL; /* the program has overwritten the table of extents */
	}
	memcpy(at, record, sizeof(*record));
	memcpy(at + sizeof(*record), body, record->bytes);
	at[sizeof(*record) + record->bytes] = '\0';
	/* Release pairs with the acquire in rcap_arena_next(), so the record is complete before it
	 * can be seen. */
	atomic_store_explicit(&spool->header->arena_head, offset + bytes, memory_order_release);
	return at + sizeof(*record);
}

int rcap_arena_add_string(struct rcap_spool *spool, const struct rlog_string *string,
                          const char **out)
{
	const struct rcap_record record = { .type = RCAP_RECORD_STRING,
		                            .bytes = string->length,
		                            .full_length = string->full_length };

	*out = append(spool, &record, string->bytes);
	return *out ? 0 : -RLOG_E_FULL;
}

/*
 * The newest definitions in the present spool. With them a definition that is repeated is not
 * stored again: programs name their threads and categories in every step. A fork child begins
 * without any.
 */
#define NEWEST_DEFS 1024u
static struct {
	const struct rcap_spool_header *header;
	uint32_t tag;
	uint64_t count;
	struct rlog_def defs[NEWEST_DEFS]; /* indexed by hash; kind 0: empty */
} newest;

static struct rlog_def *newest_like(const struct rcap_spool *spool, const struct rlog_def *def)
{
	const uint64_t factor = 0x9E3779B97F4A7C15u; /* 2^64 / golden ratio */
	const uint64_t hash = ((def->id * factor ^ def->parent) * factor ^ def->kind) * factor;

	if (newest.header != spool->header || newest.tag != spool->header->tag) {
		memset(&newest, 0, sizeof(newest));
		newest.header = spool->header;
		newest.tag = spool->header->tag;
	}
	return &newest.defs[(hash >> 40) % NEWEST_DEFS];
}

static bool is_same_def(const struct rlog_def *a, const struct rlog_def *b)
{
	return a->kind == b->kind && a->id == b->id && a->parent == b->parent &&
	       a->string == b->string && a->value == b->value;
}

/* Definitions may take 1/16 of the memory, because the rest is for events. */
#define DEFS_SHARE 16u
#define FEW_DEFS   4096u

/*
 * True if there is room for a definition. For streams there is no limit here, because the events of
 * a thread matter more than more names. doc/format.md, section 5, has the last limit.
 */
static bool has_room_for(const struct rcap_spool *spool, const struct rlog_def *def)
{
	const uint64_t bytes =
		newest.count * (sizeof(struct rcap_record) + sizeof(struct rcap_def_body));
	const uint64_t all = (uint64_t) spool->header->max_blocks * RCAP_BLOCK_BYTES;

	return newest.count < RLOG_MAX_DEFS &&
	       (def->kind == RLOG_DEF_STREAM || newest.count < FEW_DEFS ||
	        bytes < all / DEFS_SHARE);
}

int rcap_arena_add_def(struct rcap_spool *spool, const struct rlog_def *def)
{
	const struct rcap_def_body body = {
		.id = def->id, .parent = def->parent, .value = def->value, .string = def->string
	};
	const struct rcap_record record = { .type = RCAP_RECORD_DEF,
		                            .bytes = sizeof(body),
		                            .kind = def->kind };
	struct rlog_def *const like = newest_like(spool, def);

	if (is_same_def(like, def)) {
		return 0;
	}
	if (!has_room_for(spool, def) || !append(spool, &record, &body)) {
		atomic_fetch_add_explicit(&spool->header->oddities[RLOG_ODDITY_NO_HANDLE], 1,
		                          memory_order_relaxed);
		return -RLOG_E_FULL;
	}
	newest.count++;
	*like = *def;
	return 0;
}

const struct rcap_record *rcap_arena_next(const struct rcap_spool *spool,
                                          struct rcap_arena_position *position)
{
	const uint64_t head =
		atomic_load_explicit(&spool->header->arena_head, memory_order_acquire);
	const struct rcap_record *record;

	for (;;) {
		const uint64_t left = RCAP_EXTENT_BYTES - position->offset % RCAP_EXTENT_BYTES;

		if (position->offset >= head) {
			return NULL;
		}
		record = (const struct rcap_record *) (void *) locate(spool, position->offset);
		if (!record) {
			return NULL;
		}
		if (left >= sizeof(*record) && record->type != RCAP_RECORD_SKIP) {
			break;
		}
		position->offset += left;
	}
	if (sizeof(*record) + round_up(record->bytes + 1u) >
	    RCAP_EXTENT_BYTES - position->offset % RCAP_EXTENT_BYTES) {
		return NULL;
	}
	position->offset += sizeof(*record) + round_up(record->bytes + 1u);
	position->string += record->type == RCAP_RECORD_STRING;
	position->def += record->type == RCAP_RECORD_DEF;
	return record;
}
