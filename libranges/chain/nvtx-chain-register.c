/* SPDX-License-Identifier: MIT */
/* Wrappers of registrations by extensions, for a chained tool. A description may contain ids of
 * other registrations. */
#include <string.h>

#include "libranges/chain/nvtx-chain-ext-wrap.h"
#include "libranges/chain/nvtx-chain-scratch.h"
#include "libranges/chain/nvtx-chain-translate.h"

/* For one registration at most this many semantics are copied, each of at most this many bytes. */
#define SEMANTICS      16u
#define SEMANTIC_BYTES 80u

/* Copies of what the program's description points to. */
struct copies {
	struct rcap_chain_scratch entries;
	_Alignas(8) unsigned char semantics[SEMANTICS][SEMANTIC_BYTES];
	unsigned int semantic_count;
};

static uint64_t their_id(enum rcap_chain_kind kind, uint64_t id)
{
	return rcap_nvtx_chain_payload_id(kind, id);
}

/* Replaces the id in copied semantics by the tool's id. Return: true if the two ids differ. */
static bool patch_semantics(unsigned char *node)
{
	struct rcap_nvtx_semantics head;
	uint64_t id;
	uint64_t theirs;

	memcpy(&head, node, sizeof(head));
	if ((head.semantic_id != RCAP_NVTX_SEMANTIC_SCOPE &&
	     head.semantic_id != RCAP_NVTX_SEMANTIC_TIME) ||
	    head.struct_size < sizeof(struct rcap_nvtx_semantics_scope)) {
		return false;
	}
	/* Both structs have the id at the same offset. */
	memcpy(&id, node + offsetof(struct rcap_nvtx_semantics_scope, scope_id), sizeof(id));
	theirs = their_id(head.semantic_id == RCAP_NVTX_SEMANTIC_SCOPE ? RCAP_CHAIN_SCOPE
	                                                               : RCAP_CHAIN_TIME_DOMAIN,
	                  id);
	memcpy(node + offsetof(struct rcap_nvtx_semantics_scope, scope_id), &theirs,
	       sizeof(theirs));
	return theirs != id;
}

/* Returns the list, or a copy of it with the tool's ids. If the list has more than SEMANTICS nodes,
 * the copy continues with the program's list. */
static const struct rcap_nvtx_semantics *translate_semantics(const struct rcap_nvtx_semantics *list,
                                                             struct copies *copies)
{
	/* cppcheck-suppress ctuuninitvar ; both callers set it */
	const unsigned int first = copies->semantic_count;
	const struct rcap_nvtx_semantics *next = list;
	struct rcap_nvtx_semantics head;
	bool is_changed = false;

	while (next && copies->semantic_count < SEMANTICS) {
		unsigned char *node = copies->semantics[copies->semantic_count];

		if (rcap_peek_bytes(&head, next, sizeof(head)) != sizeof(head) ||
		    head.struct_size < sizeof(head) || head.struct_size > SEMANTIC_BYTES ||
		    rcap_peek_bytes(node, next, head.struct_size) != head.struct_size) {
			break;
		}
		is_changed |= patch_semantics(node);
		if (copies->semantic_count > first) {
			const void *const address = node;

			memcpy(node - SEMANTIC_BYTES + offsetof(struct rcap_nvtx_semantics, next),
			       &address, sizeof(address));
		}
		copies->semantic_count++;
		next = head.next;
	}
	if (!is_changed) {
		copies->semantic_count = first;
		return list;
	}
	return (const struct rcap_nvtx_semantics *) (const void *) copies->semantics[first];
}

/* Returns the schema, or a copy with the tool's ids. An invalid schema is passed to the tool
 * unchanged. */
static const void *translate_schema(const struct rcap_nvtx_schema_attributes *attributes,
                                    struct rcap_nvtx_schema_attributes *copy, struct copies *copies)
{
	const uint64_t needed = RCAP_NVTX_SCHEMA_FIELD_ENTRIES | RCAP_NVTX_SCHEMA_FIELD_NUM_ENTRIES;
	struct rcap_nvtx_schema_entry *entries;
	bool is_changed = false;

	if (rcap_peek_bytes(copy, attributes, sizeof(*copy)) != sizeof(*copy) ||
	    (copy->field_mask & needed) != needed ||
	    copy->num_entries > RCAP_CHAIN_SCRATCH_MAX / sizeof(*entries)) {
		return attributes;
	}
	entries = rcap_nvtx_chain_scratch_copy(&copies->entries, copy->entries,
	                                       copy->num_entries * sizeof(*entries));
	for (size_t i = 0; entries && i < copy->num_entries; i++) {
		const uint64_t type = their_id(RCAP_CHAIN_SCHEMA, entries[i].type);
		const struct rcap_nvtx_semantics *semantics =
			translate_semantics(entries[i].semantics, copies);

		is_changed |= type != entries[i].type || semantics != entries[i].semantics;
		entries[i].type = type;
		entries[i].semantics = semantics;
	}
	if (!is_changed) {
		return attributes;
	}
	copy->entries = entries;
	return copy;
}

uint64_t rcap_nvtx_chain_schemas_register_schema(
	const void *domain, const struct rcap_nvtx_schema_attributes *attributes)
{
	rcap_nvtx_SCHEMA_REGISTER_fn *ours = RCAP_CHAIN_EXT_OURS(PAYLOAD, SCHEMA_REGISTER);
	rcap_nvtx_SCHEMA_REGISTER_fn *theirs = RCAP_CHAIN_EXT_THEIRS(PAYLOAD, SCHEMA_REGISTER);
	struct rcap_nvtx_schema_attributes copy;
	struct copies copies;
	RCAP_CHAIN_KEEP_ERRNO;
	uint64_t id = ours ? ours(domain, attributes) : 0;

	if (theirs) {
		copies.entries.mapped = NULL;
		copies.semantic_count = 0;
		id = rcap_nvtx_chain_payload_made(
			RCAP_CHAIN_SCHEMA, id,
			theirs(rcap_nvtx_chain_translate_domain(domain),
		               translate_schema(attributes, &copy, &copies)));
		rcap_nvtx_chain_scratch_give(&copies.entries);
	}
	return id;
}

uint64_t rcap_nvtx_chain_schemas_register_enum(const void *domain,
                                               const struct rcap_nvtx_enum_attributes *attributes)
{
	rcap_nvtx_ENUM_REGISTER_fn *ours = RCAP_CHAIN_EXT_OURS(PAYLOAD, ENUM_REGISTER);
	rcap_nvtx_ENUM_REGISTER_fn *theirs = RCAP_CHAIN_EXT_THEIRS(PAYLOAD, ENUM_REGISTER);
	RCAP_CHAIN_KEEP_ERRNO;
	const uint64_t id = ours ? ours(domain, attributes) : 0;

	if (!theirs) {
		return id;
	}
	return rcap_nvtx_chain_payload_made(
		RCAP_CHAIN_SCHEMA, id,
		theirs(rcap_nvtx_chain_translate_domain(domain), attributes));
}

uint64_t rcap_nvtx_chain_schemas_register_scope(const void *domain,
                                                const struct rcap_nvtx_scope_attributes *attributes)
{
	rcap_nvtx_SCOPE_REGISTER_fn *ours = RCAP_CHAIN_EXT_OURS(PAYLOAD, SCOPE_REGISTER);
	rcap_nvtx_SCOPE_REGISTER_fn *theirs = RCAP_CHAIN_EXT_THEIRS(PAYLOAD, SCOPE_REGISTER);
	struct rcap_nvtx_scope_attributes copy;
	const void *their_attributes = attributes;
	RCAP_CHAIN_KEEP_ERRNO;
	const uint64_t id = ours ? ours(domain, attributes) : 0;

	if (!theirs) {
		return id;
	}
	if (rcap_peek_bytes(&copy, attributes, sizeof(copy)) == sizeof(copy) &&
	    copy.struct_size == sizeof(copy)) {
		copy.parent_scope = their_id(RCAP_CHAIN_SCOPE, copy.parent_scope);
		their_attributes = &copy;
	}
	return rcap_nvtx_chain_payload_made(
		RCAP_CHAIN_SCOPE, id,
		theirs(rcap_nvtx_chain_translate_domain(domain), their_attributes));
}

uint64_t rcap_nvtx_chain_counters_register(const void *domain,
                                           const struct rcap_nvtx_counter_attributes *attributes)
{
	rcap_nvtx_COUNTER_REGISTER_fn *ours = RCAP_CHAIN_EXT_OURS(COUNTERS, COUNTER_REGISTER);
	rcap_nvtx_COUNTER_REGISTER_fn *theirs = RCAP_CHAIN_EXT_THEIRS(COUNTERS, COUNTER_REGISTER);
	struct rcap_nvtx_counter_attributes copy;
	const void *their_attributes = attributes;
	struct copies copies;
	RCAP_CHAIN_KEEP_ERRNO;
	const uint64_t id = ours ? ours(domain, attributes) : 0;

	if (!theirs) {
		return id;
	}
	if (rcap_peek_bytes(&copy, attributes, sizeof(copy)) == sizeof(copy) &&
	    copy.struct_size == sizeof(copy)) {
		copies.semantic_count = 0;
		copy.schema_id = their_id(RCAP_CHAIN_SCHEMA, copy.schema_id);
		copy.scope_id = their_id(RCAP_CHAIN_SCOPE, copy.scope_id);
		copy.semantics = translate_semantics(copy.semantics, &copies);
		their_attributes = &copy;
	}
	return rcap_nvtx_chain_payload_made(
		RCAP_CHAIN_COUNTER, id,
		theirs(rcap_nvtx_chain_translate_domain(domain), their_attributes));
}
