/* SPDX-License-Identifier: MIT */
/* Reads structs of attributes: the name, payload and other attributes of an event. */
#ifndef RCAP_NVTX_ATTRIBUTES_H
#define RCAP_NVTX_ATTRIBUTES_H

#include <stddef.h>
#include <wchar.h>

#include "format/wire.h"
#include "libranges/abi/nvtx-abi.h"
#include "libranges/base/memory.h"
#include "libranges/record/names/handles.h"
#include "libranges/record/record.h"

#define RCAP_NVTX_HAS_FIELD(attributes, field) \
	((attributes)->size >=                 \
	 offsetof(struct rcap_nvtx_attributes, field) + sizeof((attributes)->field))

/* Returns the 64 bits of an event's payload, as the log has them. */
static inline uint64_t rcap_nvtx_attributes_bits(const struct rcap_nvtx_attributes *attributes)
{
	union {
		double number;
		uint64_t bits;
	} wide;

	switch (attributes->payload_type) {
	case RLOG_PAYLOAD_U32:
		return attributes->payload.u32;
	case RLOG_PAYLOAD_I32:
		return (uint64_t) (int64_t) attributes->payload.i32;
	case RLOG_PAYLOAD_FLOAT:
		wide.number = attributes->payload.f32;
		return wide.bits;
	default:
		return attributes->payload.u64;
	}
}

/*
 * Reads the name and the extras of an attribute struct. Members beyond the struct's size are taken
 * as not given. Payloads belong to the domain in `extras`.
 *
 * Return: id of the name. Context: between enter and leave of the thread.
 */
uint32_t rcap_nvtx_attributes_read(struct rcap_thread *thread,
                                   const struct rcap_nvtx_attributes *attributes,
                                   struct rcap_event *extras);

/* Returns the text of the name if it is narrow or registered, else NULL. The text may be
 * unreadable. Context: any. */
static inline const char *rcap_nvtx_attributes_text(const struct rcap_nvtx_attributes *attributes)
{
	const struct rcap_handle *handle;

	if (!rcap_memory_can_be(attributes) || !RCAP_NVTX_HAS_FIELD(attributes, message)) {
		return NULL;
	}
	if (attributes->message_type == RCAP_NVTX_MESSAGE_ASCII) {
		return attributes->message;
	}
	if (attributes->message_type != RCAP_NVTX_MESSAGE_REGISTERED) {
		return NULL;
	}
	handle = rcap_handles_check(attributes->message, RCAP_HANDLE_STRING);
	return handle ? handle->text : NULL;
}

/* Returns the string id of a wide text. Context: between enter and leave. */
uint32_t rcap_nvtx_attributes_name_wide(struct rcap_thread *thread, const wchar_t *text);

#endif
