/* SPDX-License-Identifier: MIT */
/* Reads structs of attributes, which may hold anything. */
#include "libranges/nvtx/nvtx-attributes.h"

#include "libranges/base/memory.h"
#include "libranges/record/names/handles.h"
#include "libranges/record/names/names.h"
#include "libranges/record/payloads/payload.h"
#include "libranges/record/watched.h"
#include "libranges/record/names/wide.h"
#include "libranges/process/oddity.h"

uint32_t rcap_nvtx_attributes_name_wide(struct rcap_thread *thread, const wchar_t *text)
{
	char utf8[RCAP_WIDE_BYTES];
	size_t full_length = 0;
	bool lost = false;
	size_t length;
	uint32_t id;

	length = rcap_wide_to_utf8(text, utf8, sizeof(utf8), &full_length);
	if (length == RCAP_MEMORY_BAD) {
		rcap_oddity_count(RLOG_ODDITY_BAD_POINTER);
		return 0;
	}
	id = rcap_names_intern(utf8, length, full_length, NULL, &lost);
	if (lost) {
		rcap_thread_count_lost_name(thread);
	}
	return id;
}

static uint32_t name_registered(struct rcap_thread *thread, const void *pointer)
{
	const struct rcap_handle *handle = rcap_handles_check(pointer, RCAP_HANDLE_STRING);
	bool lost = false;
	uint32_t id;

	if (!handle) {
		rcap_oddity_count(RLOG_ODDITY_WILD_HANDLE);
		return 0;
	}
	id = rcap_handles_string(handle, &lost);
	if (__builtin_expect(lost, 0)) {
		rcap_thread_count_lost_name(thread);
	} else if (!rcap_watched_is_name(handle->text, handle->length)) {
		rcap_thread_cache_handle(thread, handle, id);
	}
	return id;
}

uint32_t rcap_nvtx_attributes_read(struct rcap_thread *thread,
                                   const struct rcap_nvtx_attributes *attributes,
                                   struct rcap_event *extras)
{
	const bool is_there = rcap_memory_can_be(attributes);

	if (!is_there || !RCAP_NVTX_HAS_FIELD(attributes, message)) {
		rcap_oddity_count(RLOG_ODDITY_BAD_ATTRIBUTES);
		if (!is_there || attributes->size < 4) {
			return 0;
		}
	}
	if (RCAP_NVTX_HAS_FIELD(attributes, category)) {
		extras->category = attributes->category;
	}
	if (RCAP_NVTX_HAS_FIELD(attributes, color) &&
	    attributes->color_type == RCAP_NVTX_COLOR_ARGB) {
		extras->color = attributes->color;
	} else if (RCAP_NVTX_HAS_FIELD(attributes, message) && attributes->color_type != 0) {
		rcap_oddity_count(RLOG_ODDITY_BAD_ATTRIBUTES);
	}
	if (RCAP_NVTX_HAS_FIELD(attributes, payload) &&
	    attributes->payload_type >= RLOG_PAYLOAD_U64 &&
	    attributes->payload_type <= RLOG_PAYLOAD_FLOAT) {
		extras->payload_type = (uint32_t) attributes->payload_type;
		extras->payload = rcap_nvtx_attributes_bits(attributes);
	} else if (RCAP_NVTX_HAS_FIELD(attributes, payload) &&
	           attributes->payload_type == RCAP_NVTX_PAYLOAD_TYPE_EXT) {
		/* NOLINTNEXTLINE(performance-no-int-to-ptr) */
		rcap_payload_pack(thread, (const void *) (uintptr_t) attributes->payload.u64,
		                  (uint32_t) attributes->reserved, extras);
	} else if (RCAP_NVTX_HAS_FIELD(attributes, payload) && attributes->payload_type != 0) {
		rcap_oddity_count(RLOG_ODDITY_BAD_PAYLOAD);
	}
	if (!RCAP_NVTX_HAS_FIELD(attributes, message)) {
		return 0;
	}
	switch (attributes->message_type) {
	case RCAP_NVTX_MESSAGE_ASCII:
		return rcap_thread_name(thread, attributes->message);
	case RCAP_NVTX_MESSAGE_WIDE:
		return rcap_nvtx_attributes_name_wide(thread, attributes->message);
	case RCAP_NVTX_MESSAGE_REGISTERED:
		return name_registered(thread, attributes->message);
	case RCAP_NVTX_MESSAGE_NONE:
		return 0;
	default:
		rcap_oddity_count(RLOG_ODDITY_BAD_MESSAGE);
		return 0;
	}
}
