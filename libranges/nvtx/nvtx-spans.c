/* SPDX-License-Identifier: MIT */
/* Handles NVTX's ranges with an id: they start on one thread and end on any. */
#include "libranges/nvtx/nvtx-calls.h"

#include "format/wire.h"
#include "libranges/nvtx/nvtx-attributes.h"
#include "libranges/record/names/handles.h"
#include "libranges/record/record.h"
#include "libranges/record/steer.h"
#include "libranges/record/watched.h"
#include "libranges/record/thread.h"

/* Starts a range. @is_watched: from rcap_steer_opens(). */
static uint64_t start(struct rcap_thread *thread, struct rcap_event *event, bool is_watched)
{
	const uint64_t id = rcap_record_start(thread, event);

	if (is_watched) {
		/* Relaxed: only a thread that got this id can end the range, and passing the id to
		 * that thread orders the two. */
		atomic_store_explicit(&rcap_steer_started, id, memory_order_relaxed);
	}
	rcap_thread_leave(thread);
	return id;
}

uint64_t rcap_nvtx_core_domain_range_start_ex(const void *domain,
                                              const struct rcap_nvtx_attributes *attributes)
{
	struct rcap_event event = { .domain = rcap_handles_find_domain(domain) };
	struct rcap_thread *thread;
	bool is_watched;

	if (event.domain >= RCAP_DOMAIN_OFF || rcap_thread_is_quiet()) {
		return 0;
	}
	if (rcap_process_is_off() && rcap_steer_skips(rcap_nvtx_attributes_text(attributes))) {
		return 0;
	}
	is_watched = rcap_watched_is_on() &&
	             rcap_steer_opens(rcap_nvtx_attributes_text(attributes), event.domain);
	thread = rcap_thread_enter();
	if (!thread) {
		return 0;
	}
	event.name = rcap_nvtx_attributes_read(thread, attributes, &event);
	return start(thread, &event, is_watched);
}

uint64_t rcap_nvtx_core_range_start_ex(const struct rcap_nvtx_attributes *attributes)
{
	return rcap_nvtx_core_domain_range_start_ex(NULL, attributes);
}

uint64_t rcap_nvtx_core_range_start_a(const char *text)
{
	const bool is_watched = rcap_watched_is_on() && rcap_steer_opens(text, 0);
	struct rcap_thread *thread = rcap_thread_enter();
	struct rcap_event event = { 0 };

	if (!thread) {
		return 0;
	}
	event.name = rcap_thread_name(thread, text);
	return start(thread, &event, is_watched);
}

uint64_t rcap_nvtx_core_range_start_w(const wchar_t *text)
{
	struct rcap_thread *thread = rcap_thread_enter();
	struct rcap_event event = { 0 };

	if (!thread) {
		return 0;
	}
	event.name = rcap_nvtx_attributes_name_wide(thread, text);
	return start(thread, &event, false);
}

/*
 * The id alone tells which range ends. An id other than 0 belongs to a recorded range, even if the
 * program passes another domain than at the start.
 */
void rcap_nvtx_core_domain_range_end(const void *pointer, uint64_t id)
{
	struct rcap_event event = { .op = RLOG_OP_END,
		                    .domain = rcap_handles_find_domain(pointer),
		                    .id = id };
	struct rcap_thread *thread;

	if (event.domain >= RCAP_DOMAIN_OFF) {
		if (id == 0) {
			return;
		}
		event.domain = 0;
	}
	if (id == 0 && rcap_thread_is_off()) {
		return;
	}
	thread = rcap_thread_enter();
	if (thread) {
		rcap_record_closing(thread, &event);
		rcap_thread_leave(thread);
	}
	if (id != 0 && atomic_load_explicit(&rcap_steer_started, memory_order_relaxed) == id) {
		atomic_store_explicit(&rcap_steer_started, 0, memory_order_relaxed);
		rcap_steer_closed();
	}
}

void rcap_nvtx_core_range_end(uint64_t id)
{
	rcap_nvtx_core_domain_range_end(NULL, id);
}
