/* SPDX-License-Identifier: MIT */
/* Turns narrow, wide and registered texts into one form. */
#include "libranges/nvtx/nvtx-text.h"

#include "libranges/record/names/handles.h"
#include "libranges/base/memory.h"
#include "libranges/record/names/names.h"
#include "libranges/abi/nvtx-abi.h"
#include "libranges/process/oddity.h"

bool rcap_nvtx_text_take(struct rcap_nvtx_text *text, const char *narrow, const wchar_t *wide)
{
	text->full_length = 0;
	if (wide) {
		text->bytes = text->utf8;
		text->length =
			rcap_wide_to_utf8(wide, text->utf8, sizeof(text->utf8), &text->full_length);
	} else {
		text->bytes = narrow;
		text->length = rcap_memory_measure(narrow, RCAP_NAMES_LOOK_BYTES);
	}
	if (text->length == RCAP_MEMORY_BAD) {
		rcap_oddity_count(RLOG_ODDITY_BAD_POINTER);
		return false;
	}
	return true;
}

bool rcap_nvtx_text_take_message(struct rcap_nvtx_text *text, int32_t type, const void *message)
{
	const struct rcap_handle *handle;

	switch (type) {
	case RCAP_NVTX_MESSAGE_ASCII:
		return rcap_nvtx_text_take(text, message, NULL);
	case RCAP_NVTX_MESSAGE_WIDE:
		return rcap_nvtx_text_take(text, NULL, message);
	case RCAP_NVTX_MESSAGE_REGISTERED:
		handle = rcap_handles_check(message, RCAP_HANDLE_STRING);
		if (!handle) {
			rcap_oddity_count(RLOG_ODDITY_WILD_HANDLE);
			return false;
		}
		text->bytes = handle->text;
		text->length = handle->length;
		text->full_length = handle->full_length;
		return true;
	case RCAP_NVTX_MESSAGE_NONE:
		return false;
	default:
		rcap_oddity_count(RLOG_ODDITY_BAD_MESSAGE);
		return false;
	}
}

uint32_t rcap_nvtx_text_intern(struct rcap_thread *thread, const struct rcap_nvtx_text *text)
{
	bool lost = false;
	const uint32_t id =
		rcap_names_intern(text->bytes, text->length, text->full_length, NULL, &lost);

	if (lost) {
		rcap_thread_count_lost_name(thread);
	}
	return id;
}
