/* SPDX-License-Identifier: MIT */
/* Carries records from CUPTI to the log. */
#include "libranges/cupti/records/cupti-flow.h"

#include <errno.h>
#include <pthread.h>

#include "format/batch.h"
#include "format/wire.h"
#include "libranges/base/clock.h"
#include "libranges/cupti/records/cupti-buffers.h"
#include "libranges/cupti/records/cupti-graphs.h"
#include "libranges/cupti/records/cupti-maps.h"
#include "libranges/cupti/records/cupti-nodes.h"
#include "libranges/cupti/records/cupti-records.h"
#include "libranges/cupti/records/cupti-tally.h"
#include "libranges/cupti/load/cupti-way.h"
#include "libranges/cupti/records/cupti-window.h"
#include "libranges/record/record.h"
#include "libranges/record/names/names.h"
#include "libranges/record/thread.h"
#include "libranges/process/process.h"

/* A buffer's events wait this long for room in the spool. Events that find no room are lost. */
#define ROOM_WAIT_NS UINT64_C(1000000000)

static struct {
	uint32_t generation; /* the process' generation at the start; a fork child has another
	                      * one */
	struct rcap_thread *gpu;
	bool has_tids;
	bool is_monotonic;
	_Atomic bool is_over; /* true if the worker has ended */
	/* held while a buffer is converted, because only one thread may write the stream */
	pthread_mutex_t convert_lock;
} flow = { .convert_lock = PTHREAD_MUTEX_INITIALIZER };

void rcap_cupti_flow_begin(void)
{
	flow.generation = rcap_process.generation;
}

bool rcap_cupti_flow_is_here(void)
{
	return atomic_load_explicit(rcap_process_alive, memory_order_acquire) == RCAP_ALIVE_YES &&
	       flow.generation == rcap_process.generation;
}

bool rcap_cupti_flow_open(bool is_monotonic, bool has_tids)
{
	static const char name[] = "GPU";
	bool lost = false;

	flow.has_tids = has_tids;
	flow.is_monotonic = is_monotonic;
	rcap_cupti_records_open(is_monotonic);
	flow.gpu = rcap_thread_make(rcap_names_intern(name, sizeof(name) - 1, 0, NULL, &lost),
	                            is_monotonic ? RLOG_STREAM_CLOCK_MONOTONIC
	                                         : RLOG_STREAM_CLOCK_REALTIME);
	if (flow.gpu) {
		rcap_cupti_window_open(is_monotonic);
	}
	return flow.gpu != NULL;
}

void rcap_cupti_flow_requested(uint8_t **buffer, size_t *bytes, size_t *max_records)
{
	/* In a fork child nothing is recorded, but CUPTI must get a buffer. */
	*buffer = rcap_cupti_flow_is_here() ? rcap_cupti_buffers_take()
	                                    : rcap_cupti_buffers_take_emergency();
	*bytes = rcap_cupti_buffers_find(*buffer)->bytes;
	*max_records = 0;
}

static void count_dropped(uint64_t count)
{
	/* Relaxed: a statistic. */
	atomic_fetch_add_explicit(&flow.gpu->stream->lost[RLOG_CAUSE_GPU_DROPPED], count,
	                          memory_order_relaxed);
}

/* Returns the present time by the clock of CUPTI's records. */
static uint64_t now_ns(void)
{
	return flow.is_monotonic ? rcap_clock_mono_ns() : rcap_clock_real_ns();
}

void rcap_cupti_flow_mapped(const void *call, bool is_unmap)
{
	if (!rcap_cupti_maps_keep(call, is_unmap, now_ns())) {
		count_dropped(1);
	}
}

void rcap_cupti_flow_told(uint32_t cbid, const void *resource)
{
	/* Leaves out nodes that are made while the capture is off, because it is unknown in which
	 * range they are made. */
	if (!rcap_process_is_off() && !rcap_cupti_nodes_keep(cbid, resource, now_ns())) {
		count_dropped(1);
	}
}

static void write_maps(uint64_t wait_until_ns)
{
	static const uint32_t device_memory = 3; /* CUPTI's number of this kind */
	struct rcap_cupti_map map;

	while (rcap_cupti_maps_take(&map)) {
		struct rcap_timed event = { .ticks = map.time, .op = RLOG_OP_MEMORY };

		rcap_record_add(&event, RLOG_ATTR_KIND, map.is_unmap ? 2 : 1);
		rcap_record_add(&event, RLOG_ATTR_BYTES, map.bytes);
		rcap_record_add(&event, RLOG_ATTR_ADDR, map.address);
		rcap_record_add(&event, RLOG_ATTR_CONTEXT,
		                map.context < RCAP_CUPTI_ON_HOST ? map.context : 0);
		rcap_record_add(&event, RLOG_ATTR_CORR, map.correlation);
		rcap_record_add(&event, RLOG_ATTR_SRC, device_memory);
		rcap_record_add(&event, RLOG_ATTR_DST, RLOG_MEMORY_MAPPED);
		rcap_cupti_records_put(flow.gpu, &event, wait_until_ns);
	}
}

static void write_nodes(uint64_t wait_until_ns)
{
	struct rcap_cupti_node node;

	while (rcap_cupti_nodes_take(&node)) {
		struct rcap_timed event = { .ticks = node.time,
			                    .op = RLOG_OP_GRAPH_NODE,
			                    .id = node.original };

		rcap_record_add(&event, RLOG_ATTR_NODE, node.node);
		rcap_record_add(&event, RLOG_ATTR_GRAPH, node.outer);
		rcap_record_add(&event, RLOG_ATTR_KIND, node.how);
		rcap_record_add(&event, RLOG_ATTR_TID, node.tid);
		rcap_cupti_records_put(flow.gpu, &event, wait_until_ns);
	}
}

void rcap_cupti_flow_ask_dropped(void)
{
	size_t dropped = 0;

	if (rcap_cupti_way_get_dropped(&dropped) == 0 && dropped > 0) {
		count_dropped(dropped);
	}
}

/* Converts all queued buffers. With `may_stop` it stops when rcap_cupti_graphs_is_due(). The lock
 * is held. */
static void convert_locked(uint64_t wait_until_ns, bool may_stop)
{
	struct rcap_cupti_buffer *buffer;
	bool is_due = false;

	while (!(may_stop && is_due) && (buffer = rcap_cupti_buffers_next()) != NULL) {
		const uint64_t until = rcap_clock_mono_ns() + ROOM_WAIT_NS;

		rcap_cupti_records_convert(flow.gpu, buffer, flow.has_tids,
		                           until < wait_until_ns ? until : wait_until_ns);
		rcap_cupti_buffers_give(buffer);
		is_due = rcap_cupti_graphs_look();
	}
	write_maps(wait_until_ns);
	write_nodes(wait_until_ns);
}

static void convert(uint64_t wait_until_ns, bool may_stop)
{
	pthread_mutex_lock(&flow.convert_lock);
	convert_locked(wait_until_ns, may_stop);
	pthread_mutex_unlock(&flow.convert_lock);
}

void rcap_cupti_flow_convert(uint64_t wait_until_ns)
{
	convert(wait_until_ns, false);
}

void rcap_cupti_flow_convert_some(void)
{
	convert(UINT64_MAX, true);
}

void rcap_cupti_flow_settle(bool all, uint64_t wait_until_ns)
{
	pthread_mutex_lock(&flow.convert_lock);
	rcap_cupti_records_settle(flow.gpu, flow.has_tids, all, wait_until_ns);
	pthread_mutex_unlock(&flow.convert_lock);
}

void rcap_cupti_flow_advance(void)
{
	pthread_mutex_lock(&flow.convert_lock);
	rcap_cupti_window_advance(flow.gpu);
	pthread_mutex_unlock(&flow.convert_lock);
}

void rcap_cupti_flow_close(void)
{
	pthread_mutex_lock(&flow.convert_lock);
	rcap_cupti_window_close(flow.gpu);
	pthread_mutex_unlock(&flow.convert_lock);
}

void rcap_cupti_flow_cut(void)
{
	pthread_mutex_lock(&flow.convert_lock);
	rcap_cupti_records_cut();
	pthread_mutex_unlock(&flow.convert_lock);
}

void rcap_cupti_flow_completed(void *context, uint32_t stream, uint8_t *bytes, size_t size,
                               size_t valid_bytes)
{
	const int saved = errno;
	struct rcap_cupti_buffer *buffer;

	(void) context;
	(void) stream;
	(void) size;
	if (!bytes || !rcap_cupti_flow_is_here()) {
		return;
	}
	buffer = rcap_cupti_buffers_take_back(bytes);
	if (!buffer) {
		count_dropped(1); /* the buffer has at least one record */
		rcap_cupti_tally_add(RCAP_CUPTI_TALLY_FOREIGN);
		errno = saved;
		return;
	}
	if (valid_bytes > buffer->bytes) {
		count_dropped(1);
		rcap_cupti_tally_add_kind(RCAP_CUPTI_TALLY_UNREADABLE, 0);
		valid_bytes = buffer->bytes;
	}
	if (buffer->is_emergency) {
		count_dropped(rcap_cupti_records_count(bytes, valid_bytes));
		rcap_cupti_buffers_give(buffer);
	} else {
		rcap_cupti_records_keep_texts(bytes, valid_bytes);
		rcap_cupti_buffers_put(buffer, valid_bytes);
		/* If the worker has ended, nobody else empties the queue. */
		if (atomic_load_explicit(&flow.is_over, memory_order_acquire)) {
			rcap_cupti_flow_convert(0);
		}
	}
	errno = saved;
}

void rcap_cupti_flow_end(void)
{
	atomic_store_explicit(&flow.is_over, true, memory_order_release);
}

bool rcap_cupti_flow_is_over(void)
{
	return atomic_load_explicit(&flow.is_over, memory_order_acquire);
}

void rcap_cupti_flow_try_rest(void)
{
	if (pthread_mutex_trylock(&flow.convert_lock) == 0) {
		convert_locked(0, false);
		rcap_cupti_records_settle(flow.gpu, flow.has_tids, true, 0);
		rcap_cupti_window_close(flow.gpu);
		pthread_mutex_unlock(&flow.convert_lock);
	}
}
