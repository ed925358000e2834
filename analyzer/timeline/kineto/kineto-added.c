/* SPDX-License-Identifier: MIT */
/* Adds to a redrawn trace in JSON what it lacked: names of rows, arrows, counters. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/text/util-text.h"
#include "analyzer/figures/gpu/gpu-series.h"
#include "analyzer/figures/memory.h"
#include "analyzer/timeline/pens/counter-names.h"
#include "analyzer/timeline/kineto/kineto-write.h"

/* ---- names ---- */

/* The text of a pid or tid without its quotes. */
static struct rlog_string unquote(struct rlog_string text)
{
	if (text.length >= 2 && text.bytes[0] == '"') {
		text.bytes++;
		text.length -= 2;
	}
	return text;
}

static void put_name(struct ra_kineto_write *write, const struct ra_kineto_draw_row *row,
                     uint32_t tid, const struct ra_util_text *text)
{
	const struct ra_pen_track track = {
		.pid = row->pid,
		.tid = tid,
		.name = { text->bytes != NULL ? text->bytes : "", (uint32_t) text->length,
		          (uint32_t) text->length },
		.is_added = true,
	};

	write->has_first = true;
	write->pen->track(write->pen, &track);
}

static void put_part(struct ra_util_text *text, struct rlog_string part)
{
	ra_util_text_put(text, part.bytes, part.length);
}

/* Perfetto rejects empty names. */
static void put_process_name(struct ra_kineto_write *write, const struct ra_kineto_draw_row *row,
                             struct ra_util_text *text)
{
	const struct ra_kineto *k = write->kineto;
	const struct ra_kineto_draw_thread *drawn = &write->draw.threads[row->thread];
	const struct ra_kineto_thread *thread = &k->threads[drawn->named];

	ra_util_text_clear(text);
	if (thread->process_name != 0) {
		put_part(text, ra_kineto_string(k, thread->process_name));
	} else {
		if (thread->pid_number != INT64_MIN) {
			ra_util_text_format(text, "%s", drawn->is_gpu ? "GPU " : "process ");
		}
		put_part(text, unquote(ra_kineto_string(k, thread->pid)));
	}
	put_name(write, row, 0, text);
}

/* Makes a name such as "thread 17 (main)" or "stream 7 overlap 1". */
static void put_row_name(struct ra_kineto_write *write, const struct ra_kineto_draw_row *row,
                         struct ra_util_text *text)
{
	const struct ra_kineto *k = write->kineto;
	const struct ra_kineto_draw_thread *drawn = &write->draw.threads[row->thread];
	const struct ra_kineto_thread *thread = &k->threads[drawn->named];
	const bool has_number = thread->tid_number != INT64_MIN;
	const bool has_name = thread->name != 0;

	ra_util_text_clear(text);
	if (has_number && !(drawn->is_gpu && has_name)) {
		ra_util_text_format(text, "%s %" PRId64 "%s", drawn->is_gpu ? "stream" : "thread",
		                    thread->tid_number, has_name ? " (" : "");
	}
	if (has_name || !has_number) {
		put_part(text, has_name ? ra_kineto_string(k, thread->name)
		                        : unquote(ra_kineto_string(k, thread->tid)));
	}
	if (has_number && has_name && !drawn->is_gpu) {
		ra_util_text_put_char(text, ')');
	}
	if (row->lane > 0) {
		ra_util_text_format(text, " overlap %" PRIu32, row->lane);
	}
	put_name(write, row, row->tid, text);
}

static void put_sort_index(struct ra_kineto_write *write, const struct ra_kineto_draw_row *row)
{
	const int64_t number = write->kineto->threads[row->thread].tid_number;
	const struct ra_pen_track track = {
		.pid = row->pid,
		.tid = row->tid,
		.sort_index = number,
		.has_sort_index = number != INT64_MIN,
		.is_added = true,
	};

	write->pen->track(write->pen, &track);
}

/* Adds names of rows and processes. If a thread has no number, Perfetto puts its name on the row of
 * the process, so that row is named again. */
void ra_kineto_added_names(struct ra_kineto_write *write)
{
	const struct ra_kineto_draw *draw = &write->draw;
	struct ra_util_map named = { 0 };
	struct ra_util_text text = { 0 };

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
			put_process_name(write, row, &text);
		}
		if (!is_same || thread->name == 0 || row->tid == row->pid) {
			put_row_name(write, row, &text);
		}
		if (!is_same) {
			put_sort_index(write, row);
		}
	}
	ra_util_map_free(&named);
	ra_util_text_free(&text);
}

/* ---- arrows ---- */

static void put_half(struct ra_kineto_write *write, char phase, uint32_t event, uint64_t id)
{
	static const struct ra_pen_value head_of_slice = {
		.type = RA_PEN_TEXT,
		.text = { .table = RA_PEN_WORDS, .bytes = { "e", 1, 1 } },
	};
	const struct ra_pen_text name = ra_pen_words("ac2g");
	const struct ra_pen_text bp = ra_pen_words("bp");
	const struct ra_pen_text key = ra_pen_words("id");
	const struct ra_pen_value value = { .type = RA_PEN_UINT, .bits = id };
	const struct ra_kineto *k = write->kineto;
	struct ra_pen_copy copy = ra_kineto_write_make_added(
		write, phase, ra_kineto_ts(k, event), (k->flags[event] & RA_KINETO_TS_POINT) != 0);
	struct ra_kineto_write_place place;

	copy.category = &name;
	copy.name = &name;
	ra_kineto_write_set_place(write, event, &copy, &place);
	write->has_first = true;
	write->pen->copy(write->pen, &copy);
	if (phase == 'f') {
		write->pen->field(write->pen, &bp, &head_of_slice);
	}
	write->pen->field(write->pen, &key, &value);
	write->pen->end(write->pen);
}

/* Returns the arrow's id. This is the correlation, because TraceLens uses it to find the arrow. If
 * another call already has that correlation, the arrow gets another id. */
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
			put_half(write, 's', k->api_event[op->api], id);
		}
		put_half(write, 'f', k->op_event[i], id);
	}
	ra_util_map_free(&ids);
	free(has_start);
}

/* ---- counters ---- */

struct counters {
	struct ra_kineto_write *write;
	struct rlog_string pid; /* pid of the process that has the counter */
	struct ra_counter_names names;
};

static struct ra_pen_copy make_counter(const struct counters *counters, int64_t time_ns,
                                       const struct ra_pen_text *name)
{
	const struct ra_kineto *k = counters->write->kineto;
	struct ra_pen_copy copy = ra_kineto_write_make_added(counters->write, 'C',
	                                                     time_ns + k->zero_ns, k->has_ts_point);

	copy.name = name;
	copy.pid = counters->pid;
	copy.has_args = true;
	return copy;
}

static void put_sample(void *context, const struct ra_gpu_series *series, int64_t time_ns,
                       double value)
{
	struct counters *counters = context;
	struct ra_pen *pen = counters->write->pen;
	const struct ra_pen_value real = { .type = RA_PEN_REAL, .real = value, .digits = 9 };
	struct ra_pen_copy copy = make_counter(counters, time_ns, &counters->names.name);

	copy.is_name_last = true;
	ra_counter_names_find(&counters->names, counters->write->model, series);
	counters->write->has_first = true;
	pen->copy(pen, &copy);
	pen->argument(pen, &counters->names.key, &real);
	pen->end(pen);
}

/* Returns the process that has the rows of a device. */
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
	char pid[16];

	ra_gpu_order_init(&order, write->model);
	for (size_t d = 0; d < order.device_count; d++) {
		if (order.devices[d].count > 0) {
			counters.pid.bytes = pid;
			counters.pid.length =
				(uint32_t) snprintf(pid, sizeof(pid), "%" PRIu32,
			                            find_pid(write, &order, &order.devices[d]));
			ra_gpu_series_walk(write->model, &order, d, put_sample, &counters);
		}
	}
	ra_gpu_order_fini(&order);
	ra_util_text_free(&counters.names.text);
}

static void put_memory_record(void *context, const struct ra_memory_record *record)
{
	const struct counters *curve = context;
	const struct ra_pen_copy copy = make_counter(curve, record->time_ns, &curve->names.name);

	curve->write->has_first = true;
	curve->write->pen->copy(curve->write->pen, &copy);
	ra_counter_names_put_memory(curve->write->pen, record);
}

static void put_memory(struct ra_kineto_write *write)
{
	const struct ra_kineto *k = write->kineto;
	struct counters curve = { .write = write, .pid = { "0", 1, 1 } };
	char name[RA_COUNTER_NAMES_MEMORY_BYTES];
	struct ra_memory memory;

	ra_memory_init(&memory, write->model);
	for (size_t i = 0; i < k->count && memory.count > 0; i++) {
		const uint32_t pid = k->threads[ra_kineto_get_thread(k, i)].pid;

		if (k->kind[i] == RA_KINETO_MEMORY && pid != 0) {
			curve.pid = ra_kineto_string(k, pid);
			break;
		}
	}
	for (uint32_t i = 0; i < memory.pool_count; i++) {
		curve.names.name = ra_pen_bytes(ra_counter_names_of_pool(&memory.pools[i], name));
		ra_memory_walk(&memory, i, RA_MEMORY_DRAWN, put_memory_record, &curve);
	}
	ra_memory_fini(&memory);
}

void ra_kineto_added_counters(struct ra_kineto_write *write)
{
	put_series(write);
	put_memory(write);
}
