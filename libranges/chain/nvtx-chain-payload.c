/* SPDX-License-Identifier: MIT */
/* Replaces our ids and handles in a payload by the tool's. */
#include "libranges/chain/nvtx-chain-payload.h"

#include <string.h>

#include "libranges/record/names/handles.h"
#include "libranges/chain/nvtx-chain-translate.h"
#include "libranges/base/peek.h"
#include "libranges/record/payloads/schemas.h"

/* Schemas are followed down to this many levels. A payload with more levels is not translated. */
#define MAX_DEPTH 8u
/* The first so many elements of an array are translated. */
#define MAX_ELEMENTS 256u

static uint32_t scope_of(const void *domain)
{
	const struct rcap_handle *handle = rcap_handles_check(domain, RCAP_HANDLE_DOMAIN);

	return handle ? handle->domain : 0;
}

uint64_t rcap_nvtx_chain_payload_made(enum rcap_chain_kind kind, uint64_t ours, uint64_t theirs)
{
	/* Our ids are unique in the process (defs.c). NVTX requires only that they are unique in a
	 * domain. */
	if (ours >= RCAP_NVTX_ID_DYNAMIC_START && ours != theirs) {
		rcap_nvtx_chain_map_put((struct rcap_chain_key){ kind, ours }, theirs);
	}
	return ours != 0 ? ours : theirs;
}

uint64_t rcap_nvtx_chain_payload_id(enum rcap_chain_kind kind, uint64_t id)
{
	uint64_t theirs = id;

	if (id >= RCAP_NVTX_ID_DYNAMIC_START) {
		rcap_nvtx_chain_map_get((struct rcap_chain_key){ kind, id }, &theirs);
	}
	return theirs;
}

static const struct rcap_schema *find_schema(uint32_t scope, uint64_t id)
{
	struct rlog_schema_shape shape;
	bool is_known;

	return id < RCAP_NVTX_ID_STATIC_START ? NULL
	                                      : rcap_schemas_find(scope, id, &shape, &is_known);
}

static bool is_string(const struct rlog_schema_entry *entry)
{
	return entry->type == RLOG_TYPE_REGISTERED_STRING;
}

/* The recursion ends at MAX_DEPTH levels. NOLINTBEGIN(misc-no-recursion) */
static bool has_strings(uint32_t scope, const struct rcap_schema *schema, unsigned int depth)
{
	for (uint32_t i = 0; schema && depth < MAX_DEPTH && i < schema->layout.count; i++) {
		const struct rlog_schema_entry *entry = &schema->layout.entries[i];

		if (is_string(entry) ||
		    (entry->kind == RLOG_KIND_SCHEMA &&
		     has_strings(scope, find_schema(scope, entry->type), depth + 1))) {
			return true;
		}
	}
	return false;
}

/* Replaces our handle by the tool's. A value that is not one of our handles stays: it is another
 * member of a union, or garbage. */
static void patch_handle(unsigned char *at)
{
	const void *handle;
	const void *theirs;

	memcpy(&handle, at, sizeof(handle));
	theirs = rcap_nvtx_chain_translate_handle(RCAP_CHAIN_STRING, handle);
	if (theirs) {
		memcpy(at, &theirs, sizeof(theirs));
	}
}

/* The bytes that one schema describes. */
struct part {
	unsigned char *bytes;
	size_t count;
};

/*
 * Replaces the strings in a part. Return: false if there may be a string at a place that we can't
 * find. The recursion ends at MAX_DEPTH levels.
 */
static bool patch(uint32_t scope, const struct rcap_schema *schema, struct part part,
                  unsigned int depth)
{
	for (uint32_t i = 0; i < schema->layout.count; i++) {
		const struct rlog_schema_entry *entry = &schema->layout.entries[i];
		const struct rcap_schema *inner =
			entry->kind == RLOG_KIND_SCHEMA ? find_schema(scope, entry->type) : NULL;
		const uint64_t count = entry->array == RLOG_ARRAY_NONE ? 1 : entry->detail;

		if (!is_string(entry) && !has_strings(scope, inner, depth + 1)) {
			continue;
		}
		if (entry->place != RLOG_PLACE_HERE || entry->array > RLOG_ARRAY_FIXED ||
		    count > MAX_ELEMENTS || depth >= MAX_DEPTH || entry->at > part.count ||
		    entry->element > part.count ||
		    count * entry->element > part.count - entry->at ||
		    (is_string(entry) && entry->element != sizeof(void *))) {
			return false;
		}
		for (uint64_t k = 0; k < count; k++) {
			unsigned char *at = part.bytes + entry->at + k * entry->element;

			if (is_string(entry)) {
				patch_handle(at);
			} else if (!patch(scope, inner,
			                  (struct part){ at, (size_t) entry->element },
			                  depth + 1)) {
				return false;
			}
		}
	}
	return true;
}

/* NOLINTEND(misc-no-recursion) */

/*
 * Replaces the payload by a copy with the tool's strings. If that is not possible, replaces the
 * payload by an empty one.
 *
 * @schema: NULL for a payload that consists of strings.
 */
static void patch_payload(uint32_t scope, const struct rcap_schema *schema,
                          struct rcap_nvtx_payload_data *data, struct rcap_chain_payloads *copy)
{
	const struct part part = { copy->bytes + copy->used, data->size };
	bool is_good = part.count <= sizeof(copy->bytes) - copy->used &&
	               rcap_peek_bytes(part.bytes, data->payload, part.count) == part.count;

	if (is_good && schema) {
		is_good = patch(scope, schema, part, 0);
	}
	for (size_t at = 0; is_good && !schema && at + sizeof(void *) <= part.count;
	     at += sizeof(void *)) {
		patch_handle(part.bytes + at);
	}
	data->payload = is_good ? part.bytes : NULL;
	data->size = is_good ? part.count : 0;
	if (is_good) {
		/* Each copy is aligned for the type with the largest alignment. */
		copy->used += (part.count + 15) / 16 * 16;
	}
}

const struct rcap_nvtx_payload_data *rcap_nvtx_chain_payload_translate(
	const void *domain, const struct rcap_nvtx_payload_data *data, size_t count,
	struct rcap_chain_payloads *copy)
{
	const uint32_t scope = scope_of(domain);
	bool is_changed = false;

	copy->used = 0;
	if (!data || count == 0 || count > RCAP_CHAIN_PAYLOADS ||
	    rcap_peek_bytes(copy->data, data, count * sizeof(*data)) != count * sizeof(*data)) {
		return data;
	}
	for (size_t i = 0; i < count; i++) {
		struct rcap_nvtx_payload_data *one = &copy->data[i];
		const struct rcap_schema *schema = find_schema(scope, one->schema_id);
		const uint64_t id = one->schema_id;

		if (id == RLOG_TYPE_REGISTERED_STRING || has_strings(scope, schema, 0)) {
			patch_payload(scope, schema, one, copy);
			is_changed = true;
		}
		one->schema_id = rcap_nvtx_chain_payload_id(RCAP_CHAIN_SCHEMA, id);
		is_changed |= one->schema_id != id;
	}
	return is_changed ? copy->data : data;
}
