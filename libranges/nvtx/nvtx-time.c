/* SPDX-License-Identifier: MIT */
/* Time domains: one call in the log for each call of the program. */
#include "libranges/nvtx/nvtx-calls.h"

#include <string.h>

#include "format/wire.h"
#include "libranges/base/clock.h"
#include "libranges/nvtx/nvtx-ext.h"
#include "libranges/process/oddity.h"
#include "libranges/record/payloads/payload.h"
#include "libranges/base/peek.h"

#define FUNCTION(slot) RCAP_NVTX_EXT_FUNCTION(RCAP_NVTX_EXT_PAYLOAD, RCAP_NVTX_SLOT_##slot)

/* So many points are read at a time, on the stack. */
#define AT_ONCE 16u

/* Starts the capture if needed, because the start chooses the clock. A program may call this before
 * its first event. */
int64_t rcap_nvtx_time_get(void)
{
	_Atomic uint32_t *const alive = rcap_process_alive;
	struct rcap_thread *thread;

	if (!alive || atomic_load_explicit(alive, memory_order_acquire) != RCAP_ALIVE_YES) {
		thread = rcap_thread_enter_to_define();
		if (!thread) {
			return 0;
		}
		rcap_thread_leave(thread);
	}
	return (int64_t) rcap_clock_now();
}

uint64_t rcap_nvtx_time_register_domain(const void *domain,
                                        const struct rcap_nvtx_time_domain_attributes *attributes)
{
	struct rcap_def wanted = { .kind = RLOG_DEF_TIME_DOMAIN };
	struct rcap_thread *thread = rcap_nvtx_ext_begin_definition(domain, &wanted.domain);
	struct rcap_nvtx_time_domain_attributes copy;
	struct rlog_pack pack;
	uint64_t id = 0;

	if (!thread) {
		return 0;
	}
	if (rcap_nvtx_ext_read(&copy, attributes, sizeof(copy))) {
		pack = rcap_nvtx_ext_begin_detail(thread, 5);
		rlog_pack_uint(&pack, copy.scope_id);
		rlog_pack_uint(&pack, copy.timestamp_type_id);
		rlog_pack_uint(&pack, copy.timer_flags);
		rlog_pack_int(&pack, copy.timer_resolution);
		rlog_pack_uint(&pack, copy.timer_start);
	} else {
		pack = rcap_nvtx_ext_begin_detail(thread, 0);
	}
	wanted.id = copy.time_domain_id;
	rcap_nvtx_ext_register(thread, &wanted, &pack, FUNCTION(TIME_DOMAIN_REGISTER), false, &id);
	rcap_thread_leave(thread);
	return id;
}

static void record_source(const void *domain, uint64_t time_domain, uint64_t flags,
                          uint32_t function)
{
	uint32_t id;
	struct rcap_thread *thread = rcap_nvtx_ext_begin(domain, &id);
	struct rlog_pack args;

	if (!thread) {
		return;
	}
	args = rcap_args_begin(thread, 2);
	rlog_pack_uint(&args, time_domain);
	rlog_pack_uint(&args, flags);
	rcap_args_record(thread, function, id, 0, &args);
	rcap_thread_leave(thread);
}

void rcap_nvtx_time_set_source(const void *domain, uint64_t time_domain, uint64_t flags,
                               int64_t (*source)(void))
{
	(void) source;
	record_source(domain, time_domain, flags, FUNCTION(TIMER_SOURCE));
}

void rcap_nvtx_time_set_source_with_data(const void *domain, uint64_t time_domain, uint64_t flags,
                                         int64_t (*source)(void *data), void *data)
{
	(void) source;
	(void) data;
	record_source(domain, time_domain, flags, FUNCTION(TIMER_SOURCE_WITH_DATA));
}

void rcap_nvtx_time_sync_point(const void *domain, uint64_t time_domain_1, uint64_t time_domain_2,
                               int64_t time_1, int64_t time_2)
{
	uint32_t id;
	struct rcap_thread *thread = rcap_nvtx_ext_begin(domain, &id);
	struct rlog_pack args;

	if (!thread) {
		return;
	}
	args = rcap_args_begin(thread, 4);
	rlog_pack_uint(&args, time_domain_1);
	rlog_pack_uint(&args, time_domain_2);
	rlog_pack_int(&args, time_1);
	rlog_pack_int(&args, time_2);
	rcap_args_record(thread, FUNCTION(TIME_SYNC_POINT), id, 0, &args);
	rcap_thread_leave(thread);
}

/* Packs as many points as can be read and as RANGES_PAYLOAD_MAX allows. */
static void add_points(struct rlog_pack *pack, const struct rcap_nvtx_sync_point *points,
                       size_t count)
{
	const size_t limit = rcap_payload_limit() / sizeof(*points);
	const size_t opened = rlog_pack_open_array(pack);
	struct rcap_nvtx_sync_point some[AT_ONCE];
	size_t at = 0;

	if (count > limit) {
		rcap_oddity_count(RLOG_ODDITY_CUT_PAYLOAD);
		count = limit;
	}
	while (at < count && !pack->full) {
		const size_t now = count - at < AT_ONCE ? count - at : AT_ONCE;
		const size_t got =
			rcap_peek_bytes(some, points, now * sizeof(*some)) / sizeof(*some);

		for (size_t i = 0; i < got; i++) {
			rlog_pack_array(pack, 2);
			rlog_pack_int(pack, some[i].src);
			rlog_pack_int(pack, some[i].dst);
		}
		at += got;
		if (got < now) {
			rcap_oddity_count(RLOG_ODDITY_BAD_POINTER);
			break;
		}
		points += now; /* not earlier, because nothing may be added to a null pointer */
	}
	rlog_pack_close_array(pack, opened, (uint16_t) at);
}

void rcap_nvtx_time_sync_table(const void *domain, uint64_t from, uint64_t to,
                               const struct rcap_nvtx_sync_point *points, size_t count)
{
	uint32_t id;
	struct rcap_thread *thread = rcap_nvtx_ext_begin(domain, &id);
	struct rlog_pack args;

	if (!thread) {
		return;
	}
	args = rcap_args_begin(thread, 3);
	rlog_pack_uint(&args, from);
	rlog_pack_uint(&args, to);
	add_points(&args, points, count);
	rcap_args_record(thread, FUNCTION(TIME_SYNC_POINT_TABLE), id, 0, &args);
	rcap_thread_leave(thread);
}

void rcap_nvtx_time_convert(const void *domain, uint64_t from, uint64_t to, double slope,
                            int64_t from_time, int64_t to_time)
{
	uint32_t id;
	struct rcap_thread *thread = rcap_nvtx_ext_begin(domain, &id);
	struct rlog_pack args;
	uint64_t bits;

	if (!thread) {
		return;
	}
	memcpy(&bits, &slope, sizeof(bits));
	args = rcap_args_begin(thread, 5);
	rlog_pack_uint(&args, from);
	rlog_pack_uint(&args, to);
	rlog_pack_real(&args, bits);
	rlog_pack_int(&args, from_time);
	rlog_pack_int(&args, to_time);
	rcap_args_record(thread, FUNCTION(TIMESTAMP_CONVERSION_FACTOR), id, 0, &args);
	rcap_thread_leave(thread);
}
