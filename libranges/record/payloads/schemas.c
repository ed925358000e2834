/* SPDX-License-Identifier: MIT */
/* Lays schemas out when they are defined. */
#include "libranges/record/payloads/schemas.h"

#include <string.h>

#include "format/columns/pack.h"
#include "format/wire.h"
#include "libranges/spool/arena.h"
#include "libranges/record/names/names.h"
#include "libranges/base/peek.h"
#include "libranges/process/process.h"
#include "libranges/record/thread.h"

/* At most this many schemas wait until others are defined. Each is laid out again at most so many
 * times, and then dropped. */
#define MAX_WAITING  64u
#define MAX_ATTEMPTS 8u
/* Most elements of a table of types. Today's tables have 28. */
#define MAX_TYPES 64u
/* Most different tables. */
#define MAX_TABLES 8u

/* Schemas that wait. Used under the lock. */
static struct {
	const struct rcap_def *def;
	uint32_t attempts;
} waiting[MAX_WAITING];
static uint32_t waiting_count;

struct table {
	uint32_t count;
	struct rcap_nvtx_type_info types[MAX_TYPES];
};

/* The current table. A table never changes after it was stored here (release; readers acquire). */
static struct table tables[MAX_TABLES];
static _Atomic uint32_t table_count;
static struct table *_Atomic current_table;
static const struct table *told_table; /* the table that is in the log; used under the lock */

/* Context of find_inner(), which gets it from rlog_schema_lay_out(). */
struct search {
	uint32_t domain;
	bool is_whole;
	bool has_pointers;
};

static void use_types(struct rlog_schema_types *out)
{
	const struct table *const table =
		atomic_load_explicit(&current_table, memory_order_acquire);

	rlog_schema_default_types(out);
	for (uint32_t i = 1; table && i < table->count && i < RLOG_SCHEMA_TABLE_TYPES; i++) {
		if (table->types[i].size > 0) {
			out->size[i] = table->types[i].size;
			out->align[i] = table->types[i].align;
		}
	}
}

static const struct rcap_schema *find_schema(uint32_t domain, uint64_t id)
{
	const struct rcap_def *const def = rcap_defs_find(RLOG_DEF_PAYLOAD_SCHEMA, domain, id);

	/* Acquire pairs with the release in lay_out(), so the schema is complete. */
	return def ? atomic_load_explicit(&def->schema, memory_order_acquire) : NULL;
}

const struct rcap_schema *rcap_schemas_find(uint32_t domain, uint64_t id,
                                            struct rlog_schema_shape *shape, bool *is_known)
{
	const struct rcap_schema *schema;

	*is_known = true;
	if (id < RLOG_TYPE_FIRST_SCHEMA) {
		if (id == RLOG_TYPE_RAW || id == RLOG_TYPE_REFERENCED) {
			*shape = (struct rlog_schema_shape){ .size = 1, .align = 1 };
		} else {
			struct rlog_schema_types types;

			use_types(&types);
			*is_known = rlog_schema_shape_of(id, &types, shape) == 0;
		}
		return NULL;
	}
	schema = find_schema(domain, id);
	if (!schema) {
		*is_known = false;
		return NULL;
	}
	*shape = schema->shape;
	return schema;
}

/* An rlog_schema_find_fn. */
static int find_inner(void *context, uint64_t type, unsigned int depth,
                      struct rlog_schema_shape *shape)
{
	struct search *const search = context;
	const struct rcap_schema *const schema = find_schema(search->domain, type);

	(void) depth;
	if (!schema) {
		search->is_whole = false;
		return -1;
	}
	search->is_whole = search->is_whole && schema->is_whole;
	search->has_pointers = search->has_pointers || schema->has_pointers;
	*shape = schema->shape;
	return 0;
}

static bool has_pointers(const struct rlog_schema *layout)
{
	for (uint32_t i = 0; i < layout->count; i++) {
		if (layout->entries[i].place == RLOG_PLACE_POINTER) {
			return true;
		}
	}
	return false;
}

/* Lays out a schema. The lock is held. Return: false if the detail is not that of a schema. */
static bool lay_out_schema(const struct rcap_def *def, struct rcap_schema *schema)
{
	struct search search = { .domain = def->domain, .is_whole = true };
	struct rlog_schema_entry *entries;
	struct rlog_schema_types sizes;
	uint32_t count = 0;

	if (rlog_schema_count_entries(def->detail, def->detail_bytes, &count) != 0) {
		return false;
	}
	entries = rcap_defs_take_memory(count * sizeof(*entries));
	use_types(&sizes);
	if (!entries ||
	    rlog_schema_parse(def->detail, def->detail_bytes, entries, count, &schema->layout) !=
	            0 ||
	    rlog_schema_lay_out(&schema->layout, &sizes, find_inner, &search, 0) != 0) {
		return false;
	}
	schema->shape.size = schema->layout.size;
	schema->shape.align = schema->layout.align;
	schema->is_whole = search.is_whole;
	schema->has_pointers = search.has_pointers || has_pointers(&schema->layout);
	return true;
}

/* Finds the size of an enum. The lock is held. */
static bool lay_out_enum(const struct rcap_def *def, struct rcap_schema *schema)
{
	struct rlog_schema_enum head;
	uint32_t count = 0;

	/* Only the size is needed. There is no room for the values, but the size is read before
	 * that error. */
	if (rlog_schema_count_values(def->detail, def->detail_bytes, &count) != 0) {
		return false;
	}
	rlog_schema_parse_enum(def->detail, def->detail_bytes, NULL, 0, &head);
	schema->shape = rlog_schema_enum_shape(head.size);
	schema->is_whole = true;
	return true;
}

/* Lays out a definition. The lock is held. Return: false if it refers to something that is
 * missing. */
static bool lay_out(const struct rcap_def *def)
{
	struct rcap_schema *schema;
	bool is_good;

	if (!def->detail) {
		return true;
	}
	schema = rcap_defs_take_memory(sizeof(*schema));
	if (!schema) {
		return true;
	}
	is_good = def->kind == RLOG_DEF_PAYLOAD_ENUM ? lay_out_enum(def, schema)
	                                             : lay_out_schema(def, schema);
	if (!is_good) {
		return true;
	}
	/* The registry's pointer is const, and only this member is written later. Release pairs
	 * with find_schema(). */
	atomic_store_explicit(&((struct rcap_def *) def)->schema, schema, memory_order_release);
	return schema->is_whole;
}

/* Keeps a schema that waits for others. The lock is held. Schemas that refer to each other would
 * wait for ever, so they are dropped after some attempts. */
static void wait_for_more(const struct rcap_def *def, uint32_t attempts)
{
	if (waiting_count < MAX_WAITING && attempts < MAX_ATTEMPTS) {
		waiting[waiting_count].def = def;
		waiting[waiting_count++].attempts = attempts;
	}
}

static bool is_like(const struct rcap_schema *left, const struct rcap_schema *right)
{
	return left && right && left->shape.size == right->shape.size &&
	       left->is_whole == right->is_whole && left->has_pointers == right->has_pointers;
}

/* Lays out waiting schemas again. Repeats this as long as any succeeds, because one may wait for
 * another. The lock is held. */
static void serve_waiting(void)
{
	bool has_helped = true;

	while (has_helped) {
		const uint32_t count = waiting_count;

		has_helped = false;
		waiting_count = 0;
		for (uint32_t i = 0; i < count; i++) {
			const struct rcap_def *const def = waiting[i].def;
			const struct rcap_schema *const before =
				atomic_load_explicit(&def->schema, memory_order_relaxed);

			if (!lay_out(def)) {
				wait_for_more(def, waiting[i].attempts + 1);
			}
			has_helped |= !is_like(
				before, atomic_load_explicit(&def->schema, memory_order_relaxed));
		}
	}
}

/* Writes the table of types to the log if it has changed. Context: as rcap_defs_add(). */
static void tell_types(void)
{
	const struct table *const table =
		atomic_load_explicit(&current_table, memory_order_acquire);
	uint8_t bytes[MAX_TYPES * 6 + 16 + RLOG_PACK_SLACK];
	struct rlog_def row = { .kind = RLOG_DEF_TYPE_TABLE };
	struct rlog_pack pack;

	if (!table) {
		return;
	}
	rlog_pack_init(&pack, bytes, sizeof(bytes) - RLOG_PACK_SLACK);
	rlog_pack_array(&pack, 2 * (size_t) table->count);
	for (uint32_t i = 0; i < table->count; i++) {
		rlog_pack_uint(&pack, table->types[i].size);
		rlog_pack_uint(&pack, table->types[i].align);
	}
	row.value = rcap_names_intern_detail(pack.bytes, pack.used);
	rcap_process_lock();
	if (told_table != table) {
		told_table = table;
		rcap_arena_add_def(&rcap_process.spool, &row);
	}
	rcap_process_unlock();
}

void rcap_schemas_add(const struct rcap_def *def)
{
	tell_types();
	rcap_process_lock();
	if (!atomic_load_explicit(&def->schema, memory_order_relaxed)) {
		if (!lay_out(def)) {
			wait_for_more(def, 0);
		}
		serve_waiting();
	}
	rcap_process_unlock();
}

/* Reads a table. Return: false if it is not a table. */
static bool read_table(const void *info, struct table *table)
{
	struct rcap_nvtx_type_info head;

	if (rcap_peek_bytes(&head, info, sizeof(head)) != sizeof(head) || head.size < 2 ||
	    head.size > MAX_TYPES || head.align != sizeof(head)) {
		return false;
	}
	table->count = head.size;
	return rcap_peek_bytes(table->types, info, head.size * sizeof(head)) ==
	       head.size * sizeof(head);
}

/* Adds the elements that only `other` has. */
static void merge(struct table *table, const struct table *other)
{
	for (uint32_t i = 1; i < other->count; i++) {
		if (i >= table->count || table->types[i].size == 0) {
			table->types[i] = other->types[i];
		}
	}
	if (other->count > table->count) {
		table->count = other->count;
		table->types[0] = other->types[0];
	}
}

void rcap_schemas_take_types(const void *info)
{
	struct table *old = atomic_load_explicit(&current_table, memory_order_acquire);
	_Atomic uint32_t *const alive = rcap_process_alive;
	struct rcap_thread *thread = NULL;
	struct table merged;
	uint32_t place;

	if (!read_table(info, &merged)) {
		return;
	}
	if (old) {
		merge(&merged, old);
	}
	if (!old || memcmp(&merged, old, offsetof(struct table, types[merged.count])) != 0) {
		place = atomic_fetch_add_explicit(&table_count, 1, memory_order_relaxed);
		if (place >= MAX_TABLES) {
			return;
		}
		tables[place] = merged;
		/* Two linkage units may do this at the same time. The additions of one of them may
		 * then be missing. */
		atomic_store_explicit(&current_table, &tables[place], memory_order_release);
	}
	/* This call does not start the capture. Only the first event does. */
	if (alive && atomic_load_explicit(alive, memory_order_acquire) == RCAP_ALIVE_YES) {
		thread = rcap_thread_enter_to_define();
	}
	if (thread) {
		tell_types();
		rcap_thread_leave(thread);
	}
}

void rcap_schemas_replay(void)
{
	told_table = NULL;
	tell_types();
}
