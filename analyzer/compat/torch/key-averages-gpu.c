/* SPDX-License-Identifier: MIT */
/* Fills the rows of key_averages() by our own rules: GPU operations and allocations. */
#include "analyzer/compat/torch/key-averages-impl.h"

#include <stdlib.h>

#include "analyzer/base/alloc.h"
#include "analyzer/figures/gpu/gpu-text.h"
#include "analyzer/figures/memory.h"
#include "analyzer/report/op-names.h"
#include "analyzer/report/range-names.h"
#include "analyzer/base/util.h"
#include "analyzer/steps/step-work.h"

/* ---- GPU times ---- */

static uint32_t find_op_row(struct ra_key_making *making, size_t i)
{
	const struct ra_model *m = making->model;
	const struct ra_gpu_op *op = &m->gpu.ops[i];
	const bool is_copy = op->kind == RA_GPU_COPY || op->kind == RA_GPU_SET;
	uint64_t key = ra_op_names_find(making->input, op);
	uint32_t row;
	bool is_new;

	if (!is_copy) {
		key = ra_key_averages_make_key(RA_KEY_ROW_OP, key);
	} else if (m->kineto != NULL) {
		key = ra_key_averages_make_key(RA_KEY_ROW_COPY,
		                               m->kineto->name[m->kineto->op_event[i]]);
	} else {
		key = ra_key_averages_make_key(
			RA_KEY_ROW_COPY, (uint64_t) op->kind << 24 |
						 (uint64_t) op->copy_kind << 16 |
						 (uint64_t) op->src_memory << 8 | op->dst_memory);
	}
	row = ra_key_averages_find(making->averages, &making->finder, key, 0, 0, &is_new);
	if (is_new) {
		struct rlog_string *name = &making->averages->rows[row].name;

		making->averages->rows[row].is_device = true;
		if (!is_copy) {
			*name = ra_op_names_text(making->input, key & ~(UINT64_C(0xff) << 56),
			                         making->table);
		} else if (m->kineto != NULL) {
			*name = m->kineto->strings[(uint32_t) key];
		} else {
			const struct ra_gpu_text text = { .model = m };
			char scratch[RA_GPU_TEXT_BYTES];
			const struct rlog_string made = ra_gpu_text_op(&text, op, scratch);

			*name = ra_table_keep_text(making->table, made.bytes, made.length);
		}
	}
	return row;
}

static void count_ops(struct ra_key_making *making)
{
	const struct ra_model *m = making->model;

	for (size_t i = 0; i < m->gpu.op_count; i++) {
		const struct ra_gpu_op *op = &m->gpu.ops[i];
		const uint32_t index = find_op_row(making, i);
		struct ra_key_average *row = &making->averages->rows[index];

		row->calls++;
		row->ns[RA_KEY_GPU_SELF] = ra_util_add_time(row->ns[RA_KEY_GPU_SELF], op->dur_ns);
		row->ns[RA_KEY_GPU_TOTAL] = row->ns[RA_KEY_GPU_SELF];
		row->gpu_calls_ns = row->ns[RA_KEY_GPU_SELF];
		if (op->slice != RA_NONE && !ra_gpu_is_backward(&m->gpu, op)) {
			row = &making->averages->rows[making->row_of[op->slice]];
			row->ns[RA_KEY_GPU_SELF] =
				ra_util_add_time(row->ns[RA_KEY_GPU_SELF], op->dur_ns);
			making->below[op->slice].ns =
				ra_util_add_time(making->below[op->slice].ns, op->dur_ns);
		}
	}
}

/* ---- backward passes that are shown separately ---- */

/* The GPU work of a range in backward passes: first its own, later including the ranges inside
 * it. */
struct backward {
	int64_t ns;
	uint64_t ops;
};

/* Finds or adds the row "backward of" for a row of ranges. */
static struct ra_key_average *find_backward_row(struct ra_key_making *making, uint32_t of)
{
	struct ra_key_average *row;
	bool is_new;
	const uint32_t index = ra_key_averages_find(
		making->averages, &making->finder,
		ra_key_averages_make_key(RA_KEY_ROW_BACKWARD, of), 0, 0, &is_new);

	row = &making->averages->rows[index];
	if (is_new) {
		const struct ra_key_average *forward = &making->averages->rows[of];
		struct ra_table_cell name = ra_table_make_text(forward->name);

		row->shapes = forward->shapes;
		row->stack = forward->stack;
		ra_range_names_put_backward(making->table, &name);
		row->name = name.u.text;
	}
	return row;
}

static void sum_backward(struct ra_key_making *making, const struct backward *below)
{
	for (size_t i = 0; i < making->model->slices.count; i++) {
		struct ra_key_average *row;

		if (below[i].ops == 0 || !making->is_outermost[i]) {
			continue;
		}
		row = find_backward_row(making, making->row_of[i]);
		row->calls++;
		row->ns[RA_KEY_GPU_TOTAL] =
			ra_util_add_time(row->ns[RA_KEY_GPU_TOTAL], below[i].ns);
		row->gpu_calls_ns = row->ns[RA_KEY_GPU_TOTAL];
	}
}

static void count_backward(struct ra_key_making *making)
{
	const struct ra_model *m = making->model;
	struct backward *below;

	if (!m->gpu.has_backward_rows) {
		return;
	}
	below = ra_alloc_zeros(m->slices.count + 1, sizeof(*below));
	for (size_t i = 0; i < m->gpu.op_count; i++) {
		const struct ra_gpu_op *op = &m->gpu.ops[i];

		if (op->slice != RA_NONE && ra_gpu_is_backward(&m->gpu, op)) {
			struct ra_key_average *row =
				find_backward_row(making, making->row_of[op->slice]);

			row->ns[RA_KEY_GPU_SELF] =
				ra_util_add_time(row->ns[RA_KEY_GPU_SELF], op->dur_ns);
			below[op->slice].ns = ra_util_add_time(below[op->slice].ns, op->dur_ns);
			below[op->slice].ops++;
		}
	}
	/* Parents have smaller indices than their children. */
	for (size_t i = m->slices.count; i-- > 0;) {
		const uint32_t parent = m->slices.parent[i];

		if (parent != RA_NONE) {
			below[parent].ns = ra_util_add_time(below[parent].ns, below[i].ns);
			below[parent].ops += below[i].ops;
		}
	}
	sum_backward(making, below);
	free(below);
}

/* ---- allocations ---- */

/* Counts bytes that a range allocated, or that were allocated outside of any range; below 0 if they
 * were freed. */
static void count_bytes(struct ra_key_making *making, uint32_t slice, int64_t bytes, bool is_gpu)
{
	const enum ra_key_side self = is_gpu ? RA_KEY_GPU_SELF : RA_KEY_CPU_SELF;
	const enum ra_key_side total = is_gpu ? RA_KEY_GPU_TOTAL : RA_KEY_CPU_TOTAL;
	struct ra_key_average *row;
	uint32_t index;
	bool is_new;

	making->averages->has_memory = true;
	if (slice != RA_NONE) {
		struct ra_key_below *below = &making->below[slice];
		int64_t *sum = is_gpu ? &below->gpu_bytes : &below->cpu_bytes;

		*sum = ra_util_add_wrapped(*sum, bytes);
		row = &making->averages->rows[making->row_of[slice]];
		row->bytes[self] = ra_util_add_wrapped(row->bytes[self], bytes);
		return;
	}
	index = ra_key_averages_find(making->averages, &making->finder,
	                             ra_key_averages_make_key(RA_KEY_ROW_MEMORY, 0), 0, 0, &is_new);
	row = &making->averages->rows[index];
	row->name = (struct rlog_string){ "[memory]", 8, 8 };
	row->calls++;
	row->bytes[self] = ra_util_add_wrapped(row->bytes[self], bytes);
	row->bytes[total] = row->bytes[self];
}

static void count_memory(struct ra_key_making *making)
{
	struct ra_memory memory;

	ra_memory_init(&memory, making->model);
	for (size_t i = 0; i < memory.count; i++) {
		const struct ra_memory_record *record = &memory.records[i];

		/* If the program divides an allocation into regions, only the regions are
		 * counted. */
		if (!record->has_regions) {
			count_bytes(making, record->slice, record->bytes,
			            ra_memory_is_gpu(&memory.pools[record->pool]));
		}
	}
	ra_memory_fini(&memory);
}

/* ---- totals ---- */

static void sum_below(struct ra_key_making *making)
{
	const struct ra_slices *s = &making->model->slices;

	/* Parents have smaller indices than their children. */
	for (size_t i = s->count; i-- > 0;) {
		struct ra_key_below *below = &making->below[i];
		struct ra_key_average *row = &making->averages->rows[making->row_of[i]];

		row->gpu_calls_ns = ra_util_add_time(row->gpu_calls_ns, below->ns);
		if (making->is_outermost[i]) {
			row->ns[RA_KEY_GPU_TOTAL] =
				ra_util_add_time(row->ns[RA_KEY_GPU_TOTAL], below->ns);
			row->bytes[RA_KEY_CPU_TOTAL] =
				ra_util_add_wrapped(row->bytes[RA_KEY_CPU_TOTAL], below->cpu_bytes);
			row->bytes[RA_KEY_GPU_TOTAL] =
				ra_util_add_wrapped(row->bytes[RA_KEY_GPU_TOTAL], below->gpu_bytes);
		}
		if (s->parent[i] != RA_NONE) {
			struct ra_key_below *parent = &making->below[s->parent[i]];

			parent->ns = ra_util_add_time(parent->ns, below->ns);
			parent->cpu_bytes =
				ra_util_add_wrapped(parent->cpu_bytes, below->cpu_bytes);
			parent->gpu_bytes =
				ra_util_add_wrapped(parent->gpu_bytes, below->gpu_bytes);
		}
	}
}

/* Steps also count the GPU work that was launched in them but belongs to other ranges. */
static void count_steps(struct ra_key_making *making)
{
	struct ra_step_work work;

	ra_step_work_init(&work, making->model);
	for (size_t i = 0; i < work.count; i++) {
		making->below[work.rows[i].slice].ns = work.rows[i].gpu_ns;
	}
	ra_step_work_fini(&work);
}

void ra_key_averages_add_gpu(struct ra_key_making *making)
{
	count_ops(making);
	count_steps(making);
	count_backward(making);
	count_memory(making);
	sum_below(making);
}
