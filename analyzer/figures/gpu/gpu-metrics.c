/* SPDX-License-Identifier: MIT */
/* Sums over GPU operations and API calls. */
#include "analyzer/figures/gpu/gpu-metrics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/util-map.h"
#include "analyzer/base/util.h"
#include "analyzer/model/model-rows.h"
#include "analyzer/steps/step-work.h"
#include "analyzer/names/kernel-kinds.h"

/* Sums over the operations of a range: first of its own, later also of those in ranges inside
 * it. */
struct below {
	int64_t *ns;
	uint32_t *ops; /* number of operations: at most 2^32, and a range has each operation once */
};

/* The end of the time for which a group's operations on the current thread are in its sums. */
struct cover {
	int64_t until_ns;
	uint64_t track; /* the current thread + 1 */
};

/*
 * A range inside another range of its group adds nothing, because the outer range has its
 * operations. Slices come in order of start, and slices with operations nest. So a range that
 * starts before the end of an earlier range of the group is inside that range.
 */
static void sum_track(const struct ra_model *model, const struct ra_group *group, size_t t,
                      const struct below *below, struct cover *covers,
                      struct ra_gpu_metrics_sum *sums)
{
	const struct ra_slices *s = &model->slices;
	const struct ra_track *track = &model->tracks[t];
	const size_t end = track->first_slice + track->slice_count;

	for (size_t i = track->first_slice; i < end; i++) {
		const uint32_t g = group->of_slice[i];
		struct cover *cover = &covers[g];
		const bool is_inside = track->kind == RA_TRACK_THREAD && cover->track == t + 1 &&
		                       s->start_ns[i] < cover->until_ns;

		if (below->ops[i] == 0) {
			continue;
		}
		sums[g].calls_ns = ra_util_add_time(sums[g].calls_ns, below->ns[i]);
		if (is_inside) {
			continue;
		}
		sums[g].total_ns = ra_util_add_time(sums[g].total_ns, below->ns[i]);
		sums[g].ops += below->ops[i];
		sums[g].ranges++;
		*cover = (struct cover){ s->start_ns[i] + s->dur_ns[i], t + 1 };
	}
}

/* Adds the sums of steps. A step gets all work that was launched in it, even if the work belongs to
 * other ranges. */
static void add_steps(const struct ra_model *model, const struct below *below)
{
	struct ra_step_work work;

	ra_step_work_init(&work, model);
	for (size_t i = 0; i < work.count; i++) {
		below->ns[work.rows[i].slice] = work.rows[i].gpu_ns;
		below->ops[work.rows[i].slice] = (uint32_t) work.rows[i].ops;
	}
	ra_step_work_fini(&work);
}

void ra_gpu_metrics_sum_groups(const struct ra_model *model, const struct ra_group *group,
                               bool is_backward, struct ra_gpu_metrics_sum *sums)
{
	const struct ra_gpu *gpu = &model->gpu;
	const size_t count = model->slices.count + 1;
	const struct below below = {
		ra_alloc_zeros(count, sizeof(*below.ns)),
		ra_alloc_zeros(count, sizeof(*below.ops)),
	};
	struct cover *covers = ra_alloc_zeros(group->count + 1, sizeof(*covers));

	for (size_t i = 0; i < gpu->op_count; i++) {
		const uint32_t slice = gpu->ops[i].slice;

		if (slice != RA_NONE && ra_gpu_is_backward(gpu, &gpu->ops[i]) == is_backward) {
			struct ra_gpu_metrics_sum *sum = &sums[group->of_slice[slice]];

			sum->self_ns = ra_util_add_time(sum->self_ns, gpu->ops[i].dur_ns);
			below.ns[slice] = ra_util_add_time(below.ns[slice], gpu->ops[i].dur_ns);
			below.ops[slice]++;
		}
	}
	/* Parents have smaller indices than children. */
	for (size_t i = model->slices.count; i-- > 0;) {
		const uint32_t parent = model->slices.parent[i];

		if (parent != RA_NONE) {
			below.ns[parent] = ra_util_add_time(below.ns[parent], below.ns[i]);
			below.ops[parent] += below.ops[i];
		}
	}
	if (!is_backward) {
		add_steps(model, &below);
	}
	for (size_t t = 0; t < model->track_count; t++) {
		sum_track(model, group, t, &below, covers, sums);
	}
	free(below.ns);
	free(below.ops);
	free(covers);
}

int64_t ra_gpu_metrics_total(const struct ra_model *model)
{
	int64_t sum_ns = 0;

	for (size_t i = 0; i < model->gpu.op_count; i++) {
		sum_ns = ra_util_add_time(sum_ns, model->gpu.ops[i].dur_ns);
	}
	return sum_ns;
}

/* Tallies while they are filled. */
struct tallying {
	struct ra_gpu_tallies *tallies;
	struct ra_util_map index;
	size_t capacity;
};

/* Adds one call or operation to the row of its key. Return: the row. */
static struct ra_gpu_tally *count(struct tallying *tallying, uint64_t key, int64_t dur_ns)
{
	struct ra_gpu_tallies *tallies = tallying->tallies;
	uint32_t place = ra_util_map_find(&tallying->index, key);
	struct ra_gpu_tally *row;

	if (place == RA_UTIL_MAP_NONE) {
		place = (uint32_t) tallies->count;
		ra_util_grow(&tallies->rows, &tallying->capacity, tallies->count + 1, sizeof(*row));
		ra_util_map_put(&tallying->index, key, place);
		tallies->rows[tallies->count++] =
			(struct ra_gpu_tally){ .key = key, .min_ns = INT64_MAX };
	}
	row = &tallies->rows[place];
	row->calls++;
	row->total_ns = ra_util_add_time(row->total_ns, dur_ns);
	row->min_ns = dur_ns < row->min_ns ? dur_ns : row->min_ns;
	row->max_ns = dur_ns > row->max_ns ? dur_ns : row->max_ns;
	return row;
}

/* Returns the product of three sizes; INT64_MAX if the product is larger. */
static int64_t multiply(const uint32_t sizes[3])
{
	int64_t product = sizes[0];

	for (size_t i = 1; i < 3; i++) {
		if (__builtin_mul_overflow(product, (int64_t) sizes[i], &product)) {
			return INT64_MAX;
		}
	}
	return product;
}

/* This is more threads or registers than any device has. Sums with this value do not overflow. */
static int32_t cap(int64_t count)
{
	return count < 1 << 20 ? (int32_t) count : 1 << 20;
}

bool ra_gpu_metrics_find_shape(const struct ra_gpu *gpu, const struct ra_gpu_op *op,
                               struct ra_gpu_metrics_shape *out)
{
	const struct ra_gpu_device *device = ra_gpu_find_device(gpu, gpu->queues[op->queue].device);
	const struct ra_gpu_shape *shape;
	struct ra_occupancy_launch launch;

	if (device == NULL || op->shape == RA_NONE) {
		return false;
	}
	shape = &gpu->shapes[op->shape];
	out->blocks = multiply(shape->grid);
	out->threads = multiply(shape->block);
	out->multiprocessors = device->limits.multiprocessors;
	launch = (struct ra_occupancy_launch){
		.blocks = out->blocks,
		.block_threads = cap(out->threads),
		.registers_per_thread = cap(shape->registers),
		.static_shared_bytes = shape->static_shared_bytes,
		.dynamic_shared_bytes = shape->dynamic_shared_bytes,
		.is_optin = true, /* a launch that ran got as much shared memory as it asked for */
	};
	return ra_occupancy_compute(&device->limits, &launch, &out->occupancy);
}

struct ra_gpu_metrics_load ra_gpu_metrics_find_load(const struct ra_model *model, size_t op)
{
	struct ra_gpu_metrics_load load = { NAN, NAN };
	struct ra_gpu_metrics_shape shape;
	int64_t shared = 0;
	uint32_t event;

	if (ra_gpu_metrics_find_shape(&model->gpu, &model->gpu.ops[op], &shape)) {
		load.blocks = (double) shape.blocks / shape.multiprocessors;
		load.occupancy = shape.occupancy.achieved;
	} else if (model->window_count == 0) { /* in a model of windows the indices of operations
		                                  are others */
		event = ra_model_rows_find_op(model, op);
		(void) ra_kineto_get_real(model->kineto, event, RA_KINETO_ARG_BLOCKS_PER_SM,
		                          &load.blocks);
		(void) ra_kineto_get_int(model->kineto, event, RA_KINETO_ARG_SHARED_MEMORY,
		                         &shared);
		if (shared <= INT64_C(49152) &&
		    ra_kineto_get_real(model->kineto, event, RA_KINETO_ARG_OCCUPANCY,
		                       &load.occupancy)) {
			load.occupancy /= 100;
		}
	}
	return load;
}

static void add_load(struct ra_gpu_tally *row, const struct ra_model *model, size_t op)
{
	const struct ra_gpu_metrics_load load = ra_gpu_metrics_find_load(model, op);
	const int64_t dur_ns = model->gpu.ops[op].dur_ns;

	if (load.blocks >= 0) {
		row->blocks += load.blocks * (double) dur_ns;
		row->shaped_ns = ra_util_add_time(row->shaped_ns, dur_ns);
	}
	if (load.occupancy >= 0) {
		row->occupancy += load.occupancy * (double) dur_ns;
		row->occupancy_ns = ra_util_add_time(row->occupancy_ns, dur_ns);
	}
}

uint64_t ra_gpu_metrics_cluster(const struct ra_gpu_shape *shape)
{
	uint64_t blocks = 1;

	for (size_t i = 0; i < 3; i++) {
		blocks *= shape->cluster[i] != 0 ? shape->cluster[i] : 1;
	}
	return blocks > 1 ? blocks : 0;
}

static void add_launch(struct ra_gpu_tally *row, const struct ra_gpu *gpu,
                       const struct ra_gpu_op *op)
{
	static const struct ra_gpu_shape usual;
	const struct ra_gpu_shape *shape =
		op->shape < gpu->shape_count ? &gpu->shapes[op->shape] : &usual;
	const uint64_t blocks = ra_gpu_metrics_cluster(shape);

	row->cluster_blocks = blocks > row->cluster_blocks ? blocks : row->cluster_blocks;
	if (shape->priority != 0 && (row->priority == 0 || shape->priority < row->priority)) {
		row->priority = shape->priority;
	}
	row->has_types =
		row->has_types || (row->calls > 1 && shape->launch_type != row->launch_type);
	row->launch_type = row->has_types ? 0 : shape->launch_type;
}

uint8_t *ra_gpu_metrics_find_units(const struct ra_model *model)
{
	const struct ra_gpu *gpu = &model->gpu;
	uint8_t *units = ra_alloc_zeros(model->name_count + 1, sizeof(*units));
	bool *asked = ra_alloc_zeros(model->name_count + 1, sizeof(*asked));
	struct ra_kernel_kinds kinds = { 0 };

	for (size_t i = 0; i < gpu->op_count; i++) {
		const uint32_t name = gpu->ops[i].name;
		struct ra_kernel_class kernel;

		if (gpu->ops[i].kind == RA_GPU_KERNEL && !asked[name]) {
			ra_kernel_kinds_find(&kinds, model, name, &kernel);
			asked[name] = true;
			units[name] = (uint8_t) ra_kernel_kinds_unit(&kernel);
		}
	}
	ra_kernel_kinds_fini(&kinds);
	free(asked);
	return units;
}

bool *ra_gpu_metrics_find_tensor(const struct ra_model *model)
{
	uint8_t *units = ra_gpu_metrics_find_units(model);
	bool *uses = ra_alloc_zeros(model->name_count + 1, sizeof(*uses));

	for (size_t i = 0; i < model->name_count; i++) {
		uses[i] = units[i] == RA_KERNEL_UNIT_TENSOR;
	}
	free(units);
	return uses;
}

bool ra_gpu_metrics_is_rocm(const struct ra_model *model)
{
	for (size_t i = 0; i < model->gpu.api_count; i++) {
		const struct rlog_string name = ra_model_string(model, model->gpu.apis[i].name);

		if (name.length > 3 && memcmp(name.bytes, "hip", 3) == 0) {
			return true;
		}
	}
	return false;
}

/* Adds the time of a matrix kernel by whether it uses tensor cores. */
static void add_unit(struct ra_gpu_tally *row, const struct ra_gpu_op *op, uint8_t unit)
{
	if (unit == RA_KERNEL_UNIT_TENSOR) {
		row->tensor_ns = ra_util_add_time(row->tensor_ns, op->dur_ns);
	} else if (unit == RA_KERNEL_UNIT_UNKNOWN) {
		row->unsure_ns = ra_util_add_time(row->unsure_ns, op->dur_ns);
	} else if (unit == RA_KERNEL_UNIT_NONE) {
		row->plain_ns = ra_util_add_time(row->plain_ns, op->dur_ns);
		row->plain_calls++;
	}
}

void ra_gpu_metrics_kernels(struct ra_gpu_tallies *tallies, const struct ra_model *model,
                            struct ra_labels *labels)
{
	struct tallying tallying = { .tallies = tallies };
	const struct ra_gpu *gpu = &model->gpu;
	uint8_t *units = ra_gpu_metrics_find_units(model);

	*tallies = (struct ra_gpu_tallies){ 0 };
	for (size_t i = 0; i < gpu->op_count; i++) {
		const struct ra_gpu_op *op = &gpu->ops[i];
		struct ra_gpu_tally *row;

		if (op->kind != RA_GPU_KERNEL) {
			continue;
		}
		row = count(&tallying, ra_labels_find(labels, op->name), op->dur_ns);
		add_load(row, model, i);
		add_launch(row, gpu, op);
		add_unit(row, op, units[op->name]);
	}
	ra_util_map_free(&tallying.index);
	free(units);
}

void ra_gpu_metrics_copies(struct ra_gpu_tallies *tallies, const struct ra_model *model)
{
	struct tallying tallying = { .tallies = tallies };
	const struct ra_gpu *gpu = &model->gpu;

	*tallies = (struct ra_gpu_tallies){ 0 };
	for (size_t i = 0; i < gpu->op_count; i++) {
		const struct ra_gpu_op *op = &gpu->ops[i];

		if (op->kind == RA_GPU_COPY || op->kind == RA_GPU_SET) {
			struct ra_gpu_tally *row = count(
				&tallying, (uint64_t) op->kind << 32 | op->copy_kind, op->dur_ns);

			row->bytes = ra_util_add(row->bytes, op->bytes);
		}
	}
	ra_util_map_free(&tallying.index);
}

void ra_gpu_metrics_apis(struct ra_gpu_tallies *tallies, const struct ra_model *model)
{
	struct tallying tallying = { .tallies = tallies };
	const struct ra_gpu *gpu = &model->gpu;

	*tallies = (struct ra_gpu_tallies){ 0 };
	for (size_t i = 0; i < gpu->api_count; i++) {
		const struct ra_gpu_api *api = &gpu->apis[i];

		count(&tallying, api->name, api->dur_ns)->errors += api->result != 0;
	}
	ra_util_map_free(&tallying.index);
}

int64_t ra_gpu_metrics_round(double value)
{
	return value < 0x1p62 ? (int64_t) (value + 0.5) : (int64_t) 1 << 62;
}

void ra_gpu_metrics_fini(struct ra_gpu_tallies *tallies)
{
	free(tallies->rows);
	*tallies = (struct ra_gpu_tallies){ 0 };
}
