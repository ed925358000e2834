/* SPDX-License-Identifier: MIT */
/* Counters: definitions, and one record for each sample. */
#include "libranges/nvtx/nvtx-calls.h"

#include <string.h>

#include "format/wire.h"
#include "libranges/nvtx/nvtx-ext.h"
#include "libranges/process/oddity.h"
#include "libranges/record/payloads/payload.h"
#include "libranges/base/peek.h"
#include "libranges/record/record.h"

#define FUNCTION(slot) RCAP_NVTX_EXT_FUNCTION(RCAP_NVTX_EXT_COUNTERS, RCAP_NVTX_SLOT_##slot)

/* A struct of a later version is longer. A struct that is longer than this is garbage. */
#define MAX_STRUCT_BYTES 1024u
/* So many times are read together, on the stack. */
#define AT_ONCE 32u

uint64_t rcap_nvtx_counters_register(const void *domain,
                                     const struct rcap_nvtx_counter_attributes *attributes)
{
	struct rcap_def wanted = { .kind = RLOG_DEF_COUNTER };
	struct rcap_thread *thread = rcap_nvtx_ext_begin_definition(domain, &wanted.domain);
	char name[RCAP_NVTX_EXT_TEXT_BYTES];
	struct rcap_nvtx_counter_attributes copy;
	struct rlog_pack pack;
	uint64_t id = 0;

	if (!thread) {
		return 0;
	}
	rcap_nvtx_ext_read(&copy, attributes, sizeof(copy));
	if (copy.struct_size < sizeof(copy) || copy.struct_size > MAX_STRUCT_BYTES) {
		pack = rcap_nvtx_ext_begin_detail(thread, 0);
	} else {
		pack = rcap_nvtx_ext_begin_detail(thread, 4);
		rlog_pack_uint(&pack, copy.schema_id);
		rcap_nvtx_ext_add_text(&pack, copy.description);
		rlog_pack_uint(&pack, copy.scope_id);
		rcap_nvtx_ext_add_semantics(&pack, copy.semantics);
		wanted.name = rcap_nvtx_ext_read_text(copy.name, name, &wanted.name_bytes);
		wanted.id = copy.counter_id;
		wanted.schema_id = copy.schema_id;
	}
	/* Two counters with equal definitions may still be different. */
	rcap_nvtx_ext_register(thread, &wanted, &pack, FUNCTION(COUNTER_REGISTER), false, &id);
	rcap_thread_leave(thread);
	return id;
}

static void record_number(const void *domain, uint64_t counter, uint32_t type, uint64_t bits)
{
	struct rcap_event event = {
		.op = RLOG_OP_SAMPLE, .id = counter, .payload_type = type, .payload = bits
	};
	struct rcap_thread *thread = rcap_nvtx_ext_begin(domain, &event.domain);

	if (thread) {
		rcap_record_event(thread, &event);
		rcap_thread_leave(thread);
	}
}

void rcap_nvtx_counters_sample_i64(const void *domain, uint64_t counter, int64_t value)
{
	record_number(domain, counter, RLOG_PAYLOAD_I64, (uint64_t) value);
}

void rcap_nvtx_counters_sample_f64(const void *domain, uint64_t counter, double value)
{
	uint64_t bits;

	memcpy(&bits, &value, sizeof(bits));
	record_number(domain, counter, RLOG_PAYLOAD_DOUBLE, bits);
}

void rcap_nvtx_counters_sample(const void *domain, uint64_t counter, const void *values,
                               size_t bytes)
{
	struct rcap_event event = { .op = RLOG_OP_SAMPLE, .id = counter };
	struct rcap_thread *thread = rcap_nvtx_ext_begin(domain, &event.domain);
	const struct rcap_def *def;
	struct rcap_nvtx_payload_data data = { .size = bytes, .payload = values };

	if (!thread) {
		return;
	}
	def = rcap_defs_find(RLOG_DEF_COUNTER, event.domain, counter);
	if (def) {
		data.schema_id = def->schema_id;
	}
	rcap_payload_pack_one(thread, &data, &event);
	rcap_record_event(thread, &event);
	rcap_thread_leave(thread);
}

void rcap_nvtx_counters_sample_none(const void *domain, uint64_t counter, uint8_t reason)
{
	struct rcap_event event = { .op = RLOG_OP_NO_SAMPLE,
		                    .id = counter,
		                    .payload_type = RLOG_PAYLOAD_U32,
		                    .payload = reason };
	struct rcap_thread *thread = rcap_nvtx_ext_begin(domain, &event.domain);

	if (thread) {
		rcap_record_event(thread, &event);
		rcap_thread_leave(thread);
	}
}

static void add_times(struct rlog_pack *pack, const int64_t *times, size_t count)
{
	const size_t opened = rlog_pack_open_array(pack);
	int64_t some[AT_ONCE];
	size_t at = 0;

	while (at < count && !pack->full) {
		const size_t now = count - at < AT_ONCE ? count - at : AT_ONCE;
		const size_t got =
			rcap_peek_bytes(some, times + at, now * sizeof(*some)) / sizeof(*some);

		for (size_t i = 0; i < got; i++) {
			rlog_pack_int(pack, some[i]);
		}
		at += got;
		if (got < now) {
			rcap_oddity_count(RLOG_ODDITY_BAD_POINTER);
			break;
		}
	}
	rlog_pack_close_array(pack, opened, (uint16_t) at);
}

/* The values may take at most half of an event's bytes. The other half is for their times. */
void rcap_nvtx_counters_submit_batch(const void *domain,
                                     const struct rcap_nvtx_counter_batch *batch)
{
	uint32_t id;
	struct rcap_thread *thread = rcap_nvtx_ext_begin(domain, &id);
	const size_t half = rcap_payload_limit() / 2;
	struct rcap_nvtx_counter_batch copy;
	struct rlog_pack args;
	size_t times;

	if (!thread) {
		return;
	}
	rcap_nvtx_ext_read(&copy, batch, sizeof(copy));
	times = copy.timestamps ? copy.timestamps_size / sizeof(*copy.timestamps) : 0;
	if (times > half / sizeof(*copy.timestamps)) {
		times = half / sizeof(*copy.timestamps);
		rcap_oddity_count(RLOG_ODDITY_CUT_PAYLOAD);
	}
	args = rcap_args_begin(thread, 5);
	rlog_pack_uint(&args, copy.counter_id);
	rlog_pack_uint(&args, copy.flags);
	rlog_pack_uint(&args, copy.counters_size);
	rcap_payload_add_bytes(&args, copy.counters, copy.counters_size, half);
	add_times(&args, copy.timestamps, times);
	rcap_args_record(thread, FUNCTION(COUNTER_BATCH_SUBMIT), id, 0, &args);
	rcap_thread_leave(thread);
}
