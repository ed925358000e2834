/* SPDX-License-Identifier: MIT */
/* Registers schemas, enums and scopes. */
#include "libranges/nvtx/nvtx-calls.h"

#include <string.h>

#include "format/wire.h"
#include "libranges/nvtx/nvtx-ext.h"
#include "libranges/process/oddity.h"
#include "libranges/base/peek.h"
#include "libranges/record/payloads/schemas.h"

#define FUNCTION(slot) RCAP_NVTX_EXT_FUNCTION(RCAP_NVTX_EXT_PAYLOAD, RCAP_NVTX_SLOT_##slot)

/* So many entries are read at a time, on the stack. */
#define AT_ONCE 8u
/* A struct of a later version is longer. A struct that is longer than this is garbage. */
#define MAX_STRUCT_BYTES 1024u

#define SCHEMA_FIELDS                                                              \
	(RCAP_NVTX_SCHEMA_FIELD_NAME | RCAP_NVTX_SCHEMA_FIELD_TYPE |               \
	 RCAP_NVTX_SCHEMA_FIELD_FLAGS | RCAP_NVTX_SCHEMA_FIELD_ENTRIES |           \
	 RCAP_NVTX_SCHEMA_FIELD_NUM_ENTRIES | RCAP_NVTX_SCHEMA_FIELD_STATIC_SIZE | \
	 RCAP_NVTX_SCHEMA_FIELD_ALIGNMENT | RCAP_NVTX_SCHEMA_FIELD_SCHEMA_ID |     \
	 RCAP_NVTX_SCHEMA_FIELD_EXTENSION)
#define SCHEMA_NEEDED                                                   \
	(RCAP_NVTX_SCHEMA_FIELD_TYPE | RCAP_NVTX_SCHEMA_FIELD_ENTRIES | \
	 RCAP_NVTX_SCHEMA_FIELD_NUM_ENTRIES)
#define ENUM_FIELDS                                                     \
	(RCAP_NVTX_ENUM_FIELD_NAME | RCAP_NVTX_ENUM_FIELD_ENTRIES |     \
	 RCAP_NVTX_ENUM_FIELD_NUM_ENTRIES | RCAP_NVTX_ENUM_FIELD_SIZE | \
	 RCAP_NVTX_ENUM_FIELD_SCHEMA_ID | RCAP_NVTX_ENUM_FIELD_EXTENSION)
#define ENUM_NEEDED (RCAP_NVTX_ENUM_FIELD_ENTRIES | RCAP_NVTX_ENUM_FIELD_NUM_ENTRIES)

/* False if a mask has bits that have no meaning. Then the mask and the members that it is for were
 * never set. */
static bool is_mask(uint64_t mask, uint64_t fields, uint64_t needed)
{
	return (mask & ~fields) == 0 && (mask & needed) == needed;
}

static void add_schema_entry(struct rlog_pack *pack, const void *element)
{
	const struct rcap_nvtx_schema_entry *const entry = element;

	rlog_pack_array(pack, 7);
	rlog_pack_uint(pack, entry->flags);
	rlog_pack_uint(pack, entry->type);
	rcap_nvtx_ext_add_text(pack, entry->name);
	rcap_nvtx_ext_add_text(pack, entry->description);
	rlog_pack_uint(pack, entry->array_or_union_detail);
	rlog_pack_uint(pack, entry->offset);
	rcap_nvtx_ext_add_semantics(pack, entry->semantics);
}

static void add_enum_entry(struct rlog_pack *pack, const void *element)
{
	const struct rcap_nvtx_enum_entry *const entry = element;

	rlog_pack_array(pack, 3);
	rcap_nvtx_ext_add_text(pack, entry->name);
	rlog_pack_uint(pack, entry->value);
	rlog_pack_uint(pack, entry->is_flag != 0);
}

/*
 * Packs the program's array of entries. Marks the pack as full if the entries are too long for a
 * detail, or can't be read.
 */
static void add_entries(struct rlog_pack *pack, const void *entries, size_t count, size_t bytes,
                        void (*add)(struct rlog_pack *pack, const void *element))
{
	_Alignas(8) char some[AT_ONCE * sizeof(struct rcap_nvtx_schema_entry)];

	/* Each entry takes some bytes, so more entries do not fit. This check also prevents an
	 * overflow below. */
	if (count > RLOG_MAX_STRING_BYTES) {
		pack->full = true;
		return;
	}
	rlog_pack_array(pack, count);
	for (size_t at = 0; at < count && !pack->full; at += AT_ONCE) {
		const size_t now = count - at < AT_ONCE ? count - at : AT_ONCE;

		if (!rcap_nvtx_ext_read(some, (const char *) entries + at * bytes, now * bytes)) {
			pack->full = true;
		}
		for (size_t i = 0; i < now && !pack->full; i++) {
			add(pack, some + i * bytes);
		}
		pack->full |= pack->used > RLOG_MAX_STRING_BYTES;
	}
}

/* Defines what was packed. Its layout is needed by later payloads. */
static uint64_t finish(struct rcap_thread *thread, struct rcap_def *wanted, const char *name,
                       struct rlog_pack *pack, uint32_t function)
{
	char buffer[RCAP_NVTX_EXT_TEXT_BYTES];
	const struct rcap_def *def;
	uint64_t id = 0;

	wanted->name = rcap_nvtx_ext_read_text(name, buffer, &wanted->name_bytes);
	def = rcap_nvtx_ext_register(thread, wanted, pack, function, true, &id);
	if (def && wanted->kind != RLOG_DEF_SCOPE) {
		rcap_schemas_add(def);
	}
	rcap_thread_leave(thread);
	return id;
}

uint64_t rcap_nvtx_schemas_register_schema(const void *domain,
                                           const struct rcap_nvtx_schema_attributes *attributes)
{
	struct rcap_def wanted = { .kind = RLOG_DEF_PAYLOAD_SCHEMA };
	struct rcap_thread *thread = rcap_nvtx_ext_begin_definition(domain, &wanted.domain);
	struct rcap_nvtx_schema_attributes copy;
	struct rlog_pack pack;
	uint64_t mask;

	if (!thread) {
		return 0;
	}
	rcap_nvtx_ext_read(&copy, attributes, sizeof(copy));
	mask = copy.field_mask;
	if (!is_mask(mask, SCHEMA_FIELDS, SCHEMA_NEEDED) || copy.type < RCAP_NVTX_SCHEMA_STATIC ||
	    copy.type > RCAP_NVTX_SCHEMA_UNION_INTERNAL) {
		pack = rcap_nvtx_ext_begin_detail(thread, 0);
		return finish(thread, &wanted, NULL, &pack, FUNCTION(SCHEMA_REGISTER));
	}
	pack = rcap_nvtx_ext_begin_detail(thread, 5);
	rlog_pack_uint(&pack, copy.type);
	rlog_pack_uint(&pack, mask & RCAP_NVTX_SCHEMA_FIELD_FLAGS ? copy.flags : 0);
	rlog_pack_uint(&pack,
	               mask & RCAP_NVTX_SCHEMA_FIELD_STATIC_SIZE ? copy.payload_static_size : 0);
	rlog_pack_uint(&pack, mask & RCAP_NVTX_SCHEMA_FIELD_ALIGNMENT ? copy.pack_align : 0);
	add_entries(&pack, copy.entries, copy.num_entries, sizeof(*copy.entries), add_schema_entry);
	wanted.id = mask & RCAP_NVTX_SCHEMA_FIELD_SCHEMA_ID ? copy.schema_id : 0;
	return finish(thread, &wanted, mask & RCAP_NVTX_SCHEMA_FIELD_NAME ? copy.name : NULL, &pack,
	              FUNCTION(SCHEMA_REGISTER));
}

uint64_t rcap_nvtx_schemas_register_enum(const void *domain,
                                         const struct rcap_nvtx_enum_attributes *attributes)
{
	struct rcap_def wanted = { .kind = RLOG_DEF_PAYLOAD_ENUM };
	struct rcap_thread *thread = rcap_nvtx_ext_begin_definition(domain, &wanted.domain);
	struct rcap_nvtx_enum_attributes copy;
	struct rlog_pack pack;
	uint64_t mask;

	if (!thread) {
		return 0;
	}
	rcap_nvtx_ext_read(&copy, attributes, sizeof(copy));
	mask = copy.field_mask;
	if (!is_mask(mask, ENUM_FIELDS, ENUM_NEEDED)) {
		pack = rcap_nvtx_ext_begin_detail(thread, 0);
		return finish(thread, &wanted, NULL, &pack, FUNCTION(ENUM_REGISTER));
	}
	pack = rcap_nvtx_ext_begin_detail(thread, 2);
	rlog_pack_uint(&pack, mask & RCAP_NVTX_ENUM_FIELD_SIZE ? copy.size_of_enum : 0);
	add_entries(&pack, copy.entries, copy.num_entries, sizeof(*copy.entries), add_enum_entry);
	wanted.id = mask & RCAP_NVTX_ENUM_FIELD_SCHEMA_ID ? copy.schema_id : 0;
	return finish(thread, &wanted, mask & RCAP_NVTX_ENUM_FIELD_NAME ? copy.name : NULL, &pack,
	              FUNCTION(ENUM_REGISTER));
}

uint64_t rcap_nvtx_schemas_register_scope(const void *domain,
                                          const struct rcap_nvtx_scope_attributes *attributes)
{
	struct rcap_def wanted = { .kind = RLOG_DEF_SCOPE };
	struct rcap_thread *thread = rcap_nvtx_ext_begin_definition(domain, &wanted.domain);
	struct rcap_nvtx_scope_attributes copy;
	struct rlog_pack pack;

	if (!thread) {
		return 0;
	}
	rcap_nvtx_ext_read(&copy, attributes, sizeof(copy));
	if (copy.struct_size < sizeof(copy) || copy.struct_size > MAX_STRUCT_BYTES) {
		pack = rcap_nvtx_ext_begin_detail(thread, 0);
		return finish(thread, &wanted, NULL, &pack, FUNCTION(SCOPE_REGISTER));
	}
	pack = rcap_nvtx_ext_begin_detail(thread, 1);
	rlog_pack_uint(&pack, copy.parent_scope);
	wanted.id = copy.scope_id;
	return finish(thread, &wanted, copy.path, &pack, FUNCTION(SCOPE_REGISTER));
}
