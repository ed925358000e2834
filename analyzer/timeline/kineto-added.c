/* SPDX-License-Identifier: MIT */
/* What a trace in JSON lacks when it is drawn: names of rows, arrows, counters. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "analyzer/base/alloc.h"
#include "analyzer/io/jsonw.h"
#include "analyzer/figures/gpu/gpu-series.h"
#include "analyzer/figures/memory.h"
#include "analyzer/timeline/counter-names.h"
#include "analyzer/timeline/kineto-write.h"

/* ---- names ---- */

static void put_meta(struct ra_kineto_write *write, const char *what,
                     const struct ra_kineto_draw_row *row, uint32_t tid)
{
	ra_kineto_write_begin(write);
	ra_outbuf_printf(write->out,
	                 RA_KINETO_WRITE_ADDED "\"ph\":\"M\",\"name\":\"%s\",\"pid\":%" PRIu32
	                                       ",\"tid\":%" PRIu32 ",\"args\":{\"name\":\"",
	                 what, row->pid, tid);
}

/* Perfetto takes no empty names. */
static void put_part(struct ra_outbuf *out, struct rlog_string text)
{
	ra_jsonw_put_escaped(out, text.bytes, text.length);
}

/* The text of a pid or tid without the quotes around it. */
static struct rlog_string unquote(struct rlog_string text)
{
	if (text.length >= 2 && text.bytes[0] == '"') {
		text.bytes++;
		text.length -= 2;
	}
	return text;
}

static void put_process_name(struct ra_kineto_write *write, const struct ra_kineto_draw_row *row)
{
	const struct ra_kineto *k = write->kineto;
	const struct ra_kineto_thread *thread = &k->threads[write->draw.threads[row->thread].named];

	put_meta(write, "process_name", row, 0);
	if (thread->process_name != 0) {
		put_part(write->out, ra_kineto_string(k, thread->process_name));
	} else {
		if (thread->pid_number != INT64_MIN) {
			ra_outbuf_text(write->out, write->draw.threads[row->thread].is_gpu
			                                   ? "GPU "
			                                   : "process ");
		}
		put_part(write->out, unquote(ra_kineto_string(k, thread->pid)));
	}
	ra_outbuf_text(write->out, "\"}}");
}

/* "thread 17 (main)", "stream 7 overlap 1". */
static void put_row_name(struct ra_kineto_write *write, const struct ra_kineto_draw_row *row)
{
	const struct ra_kineto *k = write->kineto;
	const struct ra_kineto_thread *thread = &k->threads[write->draw.threads[row->thread].named];
	const bool is_gpu = write->draw.threads[row->thread].is_gpu;
	const bool has_number = thread->tid_number != INT64_MIN;
	const bool has_name = thread->name != 0;

	put_meta(write, "thread_name", row, row->tid);
	if (has_number && !(is_gpu && has_name)) {
		ra_outbuf_printf(write->out, "%s %" PRId64 "%s", is_gpu ? "stream" : "thread",
		                 thread->tid_number, has_name ? " (" : "");
	}
	if (has_name || !has_number) {
		put_part(write->out, has_name ? ra_kineto_string(k, thread->name)
		                              : unquote(ra_kineto_string(k, thread->tid)));
	}
	if (has_number && has_name && !is_gpu) {
		ra_outbuf_text(write->out, ")");
	}
	if (row->lane > 0) {
		ra_outbuf_printf(write->out, " overlap %" PRIu32, row->lane);
	}
	ra_outbuf_text(write->out, "\"}}");
}

static void put_sort_index(struct ra_kineto_write *write, const struct ra_kineto_draw_row *row)
{
	const int64_t number = write->kineto->threads[row->thread].tid_number;

	if (number == INT64_MIN) {
		return;
	}
	ra_kineto_write_begin(write);
	ra_outbuf_printf(write->out,
	                 RA_KINETO_WRITE_ADDED
	                 "\"ph\":\"M\",\"name\":\"thread_sort_index\",\"pid\":%" PRIu32
	                 ",\"tid\":%" PRIu32 ",\"args\":{\"sort_index\":%" PRId64 "}}",
	                 row->pid, row->tid, number);
}

/* Names of what is no number went to the row of the process. */
void ra_kineto_added_names(struct ra_kineto_write *write)
{
	const struct ra_kineto_draw *draw = &write->draw;
	struct ra_util_map named = { 0 };

	for (size_t i = 0; i < draw->row_count; i++) {
		const struct ra_kineto_draw_row *row = &draw->rows[i];
		const struct ra_kineto_thread *thread =
			&write->kineto->threads[draw->threads[row->thread].named];
		const bool is_same = row->lane == 0 &&
		                     ra_kineto_draw_find_was(draw, row, RA_KINETO_DRAW_SLICES) ==
		                             RA_KINETO_NONE &&
		                     thread->tid_number == row->tid &&
		                     thread->pid_number == row->pid;

		if ((!is_same || thread->process_name == 0) &&
		    ra_util_map_find(&named, row->pid) == RA_UTIL_MAP_NONE) {
			ra_util_map_put(&named, row->pid, 0);
			put_process_name(write, row);
		}
		if (!is_same || thread->name == 0 || row->tid == row->pid) {
			put_row_name(write, row);
		}
		if (!is_same) {
			put_sort_index(write, row);
		}
	}
	ra_util_map_free(&named);
}

/* ---- arrows ---- */

static void put_half(struct ra_kineto_write *write, const char *head, uint32_t event,
                     const char *rest, uint64_t id)
{
	ra_kineto_write_begin(write);
	ra_outbuf_text(write->out, head);
	ra_kineto_write_place(write, event);
	ra_outbuf_printf(write->out, ",%s\"id\":%" PRIu64 "}", rest, id);
}

/* The correlation, by which TraceLens finds an arrow; another number for a call that has one which
 * another call has. */
static uint64_t find_id(const struct ra_model *m, struct ra_util_map *ids, uint32_t call)
{
	const uint32_t corr = m->gpu.apis[call].corr;
	const uint32_t first = ra_util_map_find(ids, corr);

	if (first == RA_UTIL_MAP_NONE) {
		ra_util_map_put(ids, corr, call);
		return corr;
	}
	return first == call ? corr : (UINT64_C(1) << 32) + call;
}

void ra_kineto_added_arrows(struct ra_kineto_write *write)
{
	static const char start[] =
		RA_KINETO_WRITE_ADDED "\"ph\":\"s\",\"cat\":\"ac2g\",\"name\":\"ac2g\",";
	static const char end[] =
		RA_KINETO_WRITE_ADDED "\"ph\":\"f\",\"cat\":\"ac2g\",\"name\":\"ac2g\",";
	const struct ra_model *m = write->model;
	const struct ra_kineto *k = write->kineto;
	uint8_t *has_start = ra_alloc_zeros(m->gpu.api_count + 1, 1);
	struct ra_util_map ids = { 0 };

	for (size_t i = 0; i < m->gpu.op_count; i++) {
		const struct ra_gpu_op *op = &m->gpu.ops[i];
		uint64_t id;

		if (op->api == RA_NONE || op->start_ns < m->gpu.apis[op->api].start_ns) {
			continue;
		}
		id = find_id(m, &ids, op->api);
		if (!has_start[op->api]) {
			has_start[op->api] = 1;
			put_half(write, start, k->api_event[op->api], "", id);
		}
		put_half(write, end, k->op_event[i], "\"bp\":\"e\",", id);
	}
	ra_util_map_free(&ids);
	free(has_start);
}

/* ---- counters ---- */

struct counters {
	struct ra_kineto_write *write;
	uint32_t pid;
};

static void put_sample(void *context, const struct ra_gpu_series *series, int64_t time_ns,
                       double value)
{
	const struct counters *counters = context;
	struct ra_kineto_write *write = counters->write;
	const struct ra_kineto *k = write->kineto;

	ra_kineto_write_begin(write);
	ra_outbuf_printf(
		write->out,
		RA_KINETO_WRITE_ADDED "\"ph\":\"C\",\"pid\":%" PRIu32 ",\"ts\":", counters->pid);
	ra_kineto_write_time(write, time_ns + k->zero_ns, k->has_ts_point);
	ra_outbuf_text(write->out, ",\"name\":\"");
	ra_counter_names_put(write->out, write->model, series);
	ra_outbuf_printf(write->out, "%.9g}}", value);
}

/* The process that has the rows of a device. */
static uint32_t find_pid(const struct ra_kineto_write *write, const struct ra_gpu_order *order,
                         const struct ra_gpu_order_device *device)
{
	const uint32_t op = order->ops[device->first].op;
	const struct ra_kineto_draw_row *row =
		ra_kineto_draw_find(&write->draw, write->kineto->op_event[op]);

	return row != NULL ? row->pid : device->id;
}

static void put_series(struct ra_kineto_write *write)
{
	struct counters counters = { .write = write };
	struct ra_gpu_order order;

	ra_gpu_order_init(&order, write->model);
	for (size_t d = 0; d < order.device_count; d++) {
		if (order.devices[d].count > 0) {
			counters.pid = find_pid(write, &order, &order.devices[d]);
			ra_gpu_series_walk(write->model, &order, d, put_sample, &counters);
		}
	}
	ra_gpu_order_fini(&order);
}

struct curve {
	struct ra_kineto_write *write;
	struct rlog_string pid; /* of the process whose memory it is */
	char name[RA_MEMORY_NAME_BYTES];
};

static void put_memory_record(void *context, const struct ra_memory_record *record)
{
	const struct curve *curve = context;
	struct ra_kineto_write *write = curve->write;
	struct ra_outbuf *out = write->out;

	ra_kineto_write_begin(write);
	ra_outbuf_printf(out, RA_KINETO_WRITE_ADDED "\"ph\":\"C\",\"name\":\"Memory %s\",\"pid\":",
	                 curve->name);
	ra_kineto_write_text(out, curve->pid);
	ra_outbuf_text(out, ",\"ts\":");
	ra_kineto_write_time(write, record->time_ns + write->kineto->zero_ns,
	                     write->kineto->has_ts_point);
	ra_outbuf_printf(out, ",\"args\":{\"allocated\":%lld", (long long) record->allocated);
	if (record->reserved >= 0) {
		ra_outbuf_printf(out, ",\"reserved\":%lld", (long long) record->reserved);
	}
	ra_outbuf_text(out, "}}");
}

static void put_memory(struct ra_kineto_write *write)
{
	const struct ra_kineto *k = write->kineto;
	struct curve curve = { .write = write, .pid = { "0", 1, 1 } };
	struct ra_memory memory;

	ra_memory_init(&memory, write->model);
	for (size_t i = 0; i < k->count && memory.count > 0; i++) {
		const uint32_t pid = k->threads[k->thread[i]].pid;

		if (k->kind[i] == RA_KINETO_MEMORY && pid != 0) {
			curve.pid = ra_kineto_string(k, pid);
			break;
		}
	}
	for (uint32_t i = 0; i < memory.pool_count; i++) {
		(void) ra_memory_name(&memory.pools[i], curve.name);
		ra_memory_walk(&memory, i, RA_MEMORY_DRAWN, put_memory_record, &curve);
	}
	ra_memory_fini(&memory);
}

void ra_kineto_added_counters(struct ra_kineto_write *write)
{
	put_series(write);
	put_memory(write);
}
