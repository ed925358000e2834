/* SPDX-License-Identifier: MIT */
/* Translates handles, ids and structs for the chained tool. */
#include "libranges/chain/nvtx-chain-translate.h"

#include <stdatomic.h>
#include <string.h>

#include "libranges/base/log.h"
#include "libranges/base/memory.h"
#include "libranges/abi/nvtx-abi.h"

/* This bit marks ids that our capture did not assign. Our ids have a stream's number in the upper
 * half. */
#define FOREIGN_ID (UINT64_C(1) << 63)

/* Where a kind of struct has its message. All of these structs begin with u16 version, u16 size. */
struct layout {
	uint16_t bytes; /* size of the version that we know */
	uint16_t type_offset;
	uint16_t message_offset;
};

static const struct layout layouts[] = {
	[RCAP_CHAIN_EVENT] = { 48, 32, 40 },
	[RCAP_CHAIN_RESOURCE_ATTRIBUTES] = { 32, 16, 24 },
	[RCAP_CHAIN_SYNC_ATTRIBUTES] = { 16, 4, 8 },
	[RCAP_CHAIN_HEAP_DESC] = { 48, 36, 40 },
};

static struct rcap_chain_key handle_key(enum rcap_chain_kind kind, const void *pointer)
{
	return (struct rcap_chain_key){ .kind = kind, .ours = (uint64_t) (uintptr_t) pointer };
}

static const void *pointer_of(uint64_t value)
{
	/* Handles are the tool's pointers. NOLINTNEXTLINE(performance-no-int-to-ptr) */
	return (const void *) (uintptr_t) value;
}

static void put(struct rcap_chain_key key, uint64_t theirs)
{
	static _Atomic bool has_told;

	if (!rcap_nvtx_chain_map_put(key, theirs) &&
	    !atomic_exchange_explicit(&has_told, true, memory_order_relaxed)) {
		RCAP_LOG(RCAP_LOG_WARN, "too many handles or open ranges for the chained NVTX "
		                        "tool: it misses some");
	}
}

const void *rcap_nvtx_chain_translate_made(enum rcap_chain_kind kind, const void *ours,
                                           const void *theirs)
{
	const void *given = ours ? ours : theirs;

	/* The tool's own handle is stored as well, because unknown handles are not passed to the
	 * tool. */
	if (given) {
		put(handle_key(kind, given), (uint64_t) (uintptr_t) theirs);
	}
	return given;
}

const void *rcap_nvtx_chain_translate_handle(enum rcap_chain_kind kind, const void *pointer)
{
	uint64_t theirs = 0;

	if (pointer) {
		rcap_nvtx_chain_map_get(handle_key(kind, pointer), &theirs);
	}
	return pointer_of(theirs);
}

bool rcap_nvtx_chain_translate_destroyed(enum rcap_chain_kind kind, const void *pointer,
                                         const void **theirs)
{
	const struct rcap_chain_key key = handle_key(kind, pointer);
	uint64_t value = 0;

	*theirs = NULL;
	if (!pointer) {
		return true; /* without us, the tool would get this call, too */
	}
	if (!rcap_nvtx_chain_map_get(key, &value) || !rcap_nvtx_chain_map_release(key)) {
		return false;
	}
	/* A domain keeps its mapping, because programs use domains after they have destroyed
	 * them. */
	if (kind != RCAP_CHAIN_DOMAIN) {
		rcap_nvtx_chain_map_take(key, &value);
	}
	*theirs = pointer_of(value);
	return true;
}

uint64_t rcap_nvtx_chain_translate_started(uint64_t ours, uint64_t theirs)
{
	static _Atomic uint64_t foreign_ids;
	struct rcap_chain_key key = { .kind = RCAP_CHAIN_RANGE, .ours = ours };

	if (ours == 0) {
		key.ours = FOREIGN_ID |
		           (atomic_fetch_add_explicit(&foreign_ids, 1, memory_order_relaxed) + 1);
	}
	put(key, theirs);
	return key.ours;
}

bool rcap_nvtx_chain_translate_ended(uint64_t *id, uint64_t *theirs)
{
	const struct rcap_chain_key key = { .kind = RCAP_CHAIN_RANGE, .ours = *id };

	if ((*id & FOREIGN_ID) != 0) {
		*id = 0;
	}
	return rcap_nvtx_chain_map_take(key, theirs);
}

const void *rcap_nvtx_chain_translate_attributes(enum rcap_chain_layout layout,
                                                 const void *attributes,
                                                 struct rcap_chain_copy *copy)
{
	const struct layout at = layouts[layout];
	const unsigned char *bytes = attributes;
	const void *message;
	uint16_t size;
	int32_t type;

	if (!rcap_memory_can_be(attributes)) {
		return NULL;
	}
	memcpy(&size, bytes + 2, sizeof(size));
	if (size < at.bytes) {
		return attributes; /* the struct has no message */
	}
	memcpy(&type, bytes + at.type_offset, sizeof(type));
	if (type != RCAP_NVTX_MESSAGE_REGISTERED) {
		return attributes;
	}
	if (size > sizeof(copy->bytes)) {
		size = at.bytes; /* NVTX has no struct of this size: use only the members that we
		                  * know */
	}
	memcpy(copy->bytes, bytes, size);
	memcpy(copy->bytes + 2, &size, sizeof(size));
	memcpy(&message, bytes + at.message_offset, sizeof(message));
	message = rcap_nvtx_chain_translate_handle(RCAP_CHAIN_STRING, message);
	memcpy(copy->bytes + at.message_offset, &message, sizeof(message));
	return copy->bytes;
}

/* Returns the payloads in attributes; NULL if there are none. */
static const struct rcap_nvtx_payload_data *find_payloads(const void *attributes, size_t *count)
{
	const struct rcap_nvtx_attributes *event = attributes;

	if (!rcap_memory_can_be(event) ||
	    event->size < offsetof(struct rcap_nvtx_attributes, message_type) ||
	    event->payload_type != RCAP_NVTX_PAYLOAD_TYPE_EXT || event->reserved <= 0) {
		return NULL;
	}
	*count = (size_t) event->reserved;
	return pointer_of(event->payload.u64);
}

const void *rcap_nvtx_chain_translate_event(const void *domain, const void *attributes,
                                            struct rcap_chain_event *copy)
{
	const void *event = rcap_nvtx_chain_translate_attributes(RCAP_CHAIN_EVENT, attributes,
	                                                         &copy->attributes);
	size_t count = 0;
	const struct rcap_nvtx_payload_data *payloads = find_payloads(attributes, &count);
	const struct rcap_nvtx_payload_data *theirs;
	uint64_t address;
	uint16_t size;

	if (!payloads) {
		return event;
	}
	theirs = rcap_nvtx_chain_payload_translate(domain, payloads, count, &copy->payloads);
	if (theirs == payloads) {
		return event;
	}
	if (event == attributes) {
		size = ((const struct rcap_nvtx_attributes *) attributes)->size;
		size = size > sizeof(copy->attributes.bytes) ? layouts[RCAP_CHAIN_EVENT].bytes
		                                             : size;
		memcpy(copy->attributes.bytes, attributes, size);
		memcpy(copy->attributes.bytes + 2, &size, sizeof(size));
	}
	address = (uint64_t) (uintptr_t) theirs;
	memcpy(copy->attributes.bytes + offsetof(struct rcap_nvtx_attributes, payload), &address,
	       sizeof(address));
	return copy->attributes.bytes;
}
