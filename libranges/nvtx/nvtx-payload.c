/* SPDX-License-Identifier: MIT */
/* Events with payloads. */
#include "libranges/nvtx/nvtx-calls.h"

#include "format/wire.h"
#include "libranges/base/clock.h"
#include "libranges/record/names/handles.h"
#include "libranges/nvtx/nvtx-ext.h"
#include "libranges/record/payloads/payload.h"
#include "libranges/record/record.h"

#define FUNCTION(slot) RCAP_NVTX_EXT_FUNCTION(RCAP_NVTX_EXT_PAYLOAD, RCAP_NVTX_SLOT_##slot)

void rcap_nvtx_payload_mark(const void *domain, const struct rcap_nvtx_payload_data *data,
                            size_t count)
{
	struct rcap_event event = { .op = RLOG_OP_MARK };
	struct rcap_thread *thread = rcap_nvtx_ext_begin(domain, &event.domain);

	if (thread) {
		rcap_payload_pack(thread, data, count, &event);
		rcap_record_event(thread, &event);
		rcap_thread_leave(thread);
	}
}

int rcap_nvtx_payload_push(const void *domain, const struct rcap_nvtx_payload_data *data,
                           size_t count)
{
	struct rcap_event event = { 0 };
	struct rcap_thread *thread = rcap_nvtx_ext_begin(domain, &event.domain);
	int depth;

	if (!thread) {
		return RCAP_NVTX_NO_TRACKING;
	}
	rcap_payload_pack(thread, data, count, &event);
	depth = rcap_record_push(thread, &event);
	rcap_thread_leave(thread);
	return depth;
}

int rcap_nvtx_payload_pop(const void *domain, const struct rcap_nvtx_payload_data *data,
                          size_t count)
{
	struct rcap_event event = { 0 };
	struct rcap_thread *thread = rcap_nvtx_ext_begin(domain, &event.domain);
	uint64_t ticks;
	int depth;

	if (!thread) {
		return RCAP_NVTX_NO_TRACKING;
	}
	ticks = rcap_clock_now();
	rcap_payload_pack(thread, data, count, &event);
	depth = rcap_record_pop(thread, &event, ticks);
	rcap_thread_leave(thread);
	return depth;
}

uint64_t rcap_nvtx_payload_start(const void *domain, const struct rcap_nvtx_payload_data *data,
                                 size_t count)
{
	struct rcap_event event = { 0 };
	struct rcap_thread *thread = rcap_nvtx_ext_begin(domain, &event.domain);
	uint64_t id;

	if (!thread) {
		return 0;
	}
	rcap_payload_pack(thread, data, count, &event);
	id = rcap_record_start(thread, &event);
	rcap_thread_leave(thread);
	return id;
}

void rcap_nvtx_payload_end(const void *domain, uint64_t id,
                           const struct rcap_nvtx_payload_data *data, size_t count)
{
	struct rcap_event event = { .op = RLOG_OP_END, .id = id };
	struct rcap_thread *thread = rcap_nvtx_ext_begin(domain, &event.domain);
	uint64_t ticks;

	/* Like the call without payload: an id other than 0 belongs to a recorded range. */
	if (event.domain >= RCAP_DOMAIN_OFF && id != 0) {
		event.domain = 0;
		data = NULL;
		count = 0;
		thread = rcap_thread_enter();
	}
	if (thread) {
		ticks = rcap_clock_now();
		rcap_payload_pack(thread, data, count, &event);
		rcap_record_at(thread, &event, ticks);
		rcap_thread_leave(thread);
	}
}

uint8_t rcap_nvtx_payload_is_enabled(const void *domain)
{
	uint32_t id;
	struct rcap_thread *thread = rcap_nvtx_ext_begin(domain, &id);
	struct rlog_pack args;

	if (id >= RCAP_DOMAIN_OFF) {
		return 0;
	}
	if (thread) {
		args = rcap_args_begin(thread, 1);
		rlog_pack_uint(&args, 1);
		rcap_args_record(thread, FUNCTION(DOMAIN_IS_ENABLED), id, 0, &args);
		rcap_thread_leave(thread);
	}
	return 1;
}

void rcap_nvtx_payload_submit(const void *domain, const struct rcap_nvtx_payload_data *data,
                              size_t count)
{
	struct rcap_event event = { .op = RLOG_OP_CALL, .id = FUNCTION(EVENT_SUBMIT) };
	struct rcap_thread *thread = rcap_nvtx_ext_begin(domain, &event.domain);

	if (thread) {
		rcap_payload_pack(thread, data, count, &event);
		rcap_record_event(thread, &event);
		rcap_thread_leave(thread);
	}
}

/* Each event gets bytes in proportion to its size, so that large events leave room for small
 * ones. */
void rcap_nvtx_payload_submit_batch(const void *domain, const struct rcap_nvtx_event_batch *batch)
{
	uint32_t id;
	struct rcap_thread *thread = rcap_nvtx_ext_begin(domain, &id);
	const size_t half = rcap_payload_limit() / 2;
	struct rcap_nvtx_event_batch copy;
	struct rlog_pack args;

	if (!thread) {
		return;
	}
	rcap_nvtx_ext_read(&copy, batch, sizeof(copy));
	args = rcap_args_begin(thread, 8);
	rlog_pack_uint(&args, copy.event_schema_id);
	rlog_pack_uint(&args, copy.size);
	rcap_payload_add_bytes(&args, copy.events, copy.size, half);
	rlog_pack_uint(&args, copy.flex_data_size);
	rlog_pack_uint(&args, copy.flex_data_offset);
	rcap_payload_add_bytes(&args, copy.flex_data, copy.flex_data_size, half);
	rlog_pack_uint(&args, copy.scope);
	rlog_pack_uint(&args, copy.flags);
	rcap_args_record(thread, FUNCTION(EVENT_BATCH_SUBMIT), id, 0, &args);
	rcap_thread_leave(thread);
}
