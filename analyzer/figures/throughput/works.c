/* SPDX-License-Identifier: MIT */
/* Finds the work of a model's calls: by models of operators, and from programs that state it. */
#include "analyzer/figures/throughput/works.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/util.h"
#include "analyzer/figures/throughput/peaks.h"
#include "analyzer/model/model-rows.h"
#include "analyzer/names/split.h"
#include "analyzer/payload/payload-path.h"

/* The string ids of the texts on which a call's work depends. */
#define KEY_PARTS 5

struct finder {
	struct ra_works *works;
	struct ra_util_map by_hash; /* hash → the newest row with that hash */
	struct known {
		uint32_t key[KEY_PARTS]; /* name, sizes, types, strides, concrete inputs */
		uint32_t next;           /* previous row with the same hash; RA_NONE: none */
		uint32_t row;            /* index of the row's work; RA_NONE: not known */
	} * known;                       /* owned */
	size_t known_count;
	size_t known_capacity;
	/* State for the payload that is being read. */
	double flops;
	double bytes;
};

static uint32_t add_row(struct ra_works *works, const struct ra_op_work *work)
{
	RA_UTIL_APPEND(works->rows, works->count, works->capacity, *work);
	return (uint32_t) works->count - 1;
}

/* Names by emit_nvtx contain sizes, but nothing else that the model needs. */
static void find_args_in_name(const struct ra_model *model, uint32_t name, struct ra_op_args *args)
{
	struct ra_split split;

	if (ra_split_name(ra_model_string(model, name), &split)) {
		args->name = split.op;
		args->dims = ra_split_find_shape(&split);
	}
}

static void find_args(const struct ra_model *model, const uint32_t key[KEY_PARTS],
                      struct ra_op_args *args)
{
	*args = (struct ra_op_args){ .name = ra_model_string(model, key[0]) };
	if (key[1] == 0) {
		find_args_in_name(model, key[0], args);
		return;
	}
	args->dims = ra_kineto_string(model->kineto, key[1]);
	args->types = ra_kineto_string(model->kineto, key[2]);
	args->strides = ra_kineto_string(model->kineto, key[3]);
	args->concrete = ra_kineto_string(model->kineto, key[4]);
}

static void make_key(const struct ra_model *model, uint32_t slice, uint32_t key[KEY_PARTS])
{
	static const enum ra_kineto_key args[] = {
		RA_KINETO_ARG_INPUT_TYPE,
		RA_KINETO_ARG_INPUT_STRIDES,
		RA_KINETO_ARG_CONCRETE_INPUTS,
	};
	const uint32_t row = ra_model_rows_find_slice(model, slice);

	memset(key, 0, KEY_PARTS * sizeof(*key));
	key[0] = model->slices.name[slice];
	if (row == RA_KINETO_NONE) {
		return;
	}
	key[1] = ra_kineto_get_shape(model->kineto, row);
	if (key[1] == 0) {
		return; /* then the other args are not needed: find_args() */
	}
	for (size_t i = 0; i < sizeof(args) / sizeof(args[0]); i++) {
		key[2 + i] = ra_kineto_get_text(model->kineto, row, args[i]);
	}
}

static uint64_t hash_key(const uint32_t key[KEY_PARTS])
{
	uint64_t hash = UINT64_C(0xCBF29CE484222325);

	for (size_t i = 0; i < KEY_PARTS; i++) {
		hash = (hash ^ key[i]) * UINT64_C(0x100000001B3);
		hash ^= hash >> 29;
	}
	return hash;
}

/* Finds the row that all calls with these arguments share. Their texts are read only once. */
static uint32_t find_row(struct finder *finder, uint32_t slice)
{
	const struct ra_model *model = finder->works->model;
	uint32_t key[KEY_PARTS];
	struct ra_op_args args;
	struct ra_op_work work;
	struct known *known;
	uint64_t hash;
	uint32_t newest;

	make_key(model, slice, key);
	hash = hash_key(key);
	newest = ra_util_map_find(&finder->by_hash, hash);
	if (finder->known != NULL) {
		for (uint32_t i = newest; i != RA_NONE; i = finder->known[i].next) {
			if (memcmp(finder->known[i].key, key, sizeof(key)) == 0) {
				return finder->known[i].row;
			}
		}
	}
	ra_util_grow(&finder->known, &finder->known_capacity, finder->known_count + 1,
	             sizeof(*finder->known));
	ra_util_map_put(&finder->by_hash, hash, (uint32_t) finder->known_count);
	known = &finder->known[finder->known_count++];
	memcpy(known->key, key, sizeof(key));
	known->next = newest;
	known->row = RA_NONE;
	find_args(model, key, &args);
	if (ra_op_work_find(&args, &work)) {
		known->row = add_row(finder->works, &work);
	}
	return known->row;
}

static void visit_field(void *context, struct rlog_string path,
                        const struct ra_payload_value *value)
{
	struct finder *finder = context;
	double *to = NULL;
	double number = 0;

	if (path.length == 5 && memcmp(path.bytes, "flops", 5) == 0) {
		to = &finder->flops;
	} else if (path.length == 5 && memcmp(path.bytes, "bytes", 5) == 0) {
		to = &finder->bytes;
	}
	if (value->kind == RA_PAYLOAD_UNSIGNED) {
		number = (double) value->bits;
	} else if (value->kind == RA_PAYLOAD_SIGNED) {
		number = (double) (int64_t) value->bits;
	} else if (value->kind == RA_PAYLOAD_REAL) {
		number = value->real;
	}
	if (to != NULL && number > 0 && number < 1e300) {
		*to = number;
	}
}

/* Reads the fields "flops" and "bytes" of payloads. They take precedence over any model. */
static void take_payloads(struct finder *finder)
{
	const struct ra_model *m = finder->works->model;
	struct ra_payload_path path = { .field = visit_field, .context = finder };
	struct ra_payload *decoder = NULL;

	if (m->slice_data.count > 0) {
		decoder = ra_payload_create(m->schemas);
	}
	for (size_t i = 0; i < m->slice_data.count; i++) {
		const struct ra_data *data = &m->slice_data.rows[i];
		const struct ra_payload_visitor visitor = ra_payload_path_visitor(&path);
		const uint16_t domain = m->slices.domain[data->owner];

		if (i == 0 || m->slice_data.rows[i - 1].owner != data->owner) {
			finder->flops = 0;
			finder->bytes = 0;
		}
		ra_payload_decode(decoder, m->domains[domain].id, m->data_bytes + data->from,
		                  data->length, &visitor);
		if (finder->flops > 0 || finder->bytes > 0) {
			const struct ra_op_work work = { .flops = finder->flops,
				                         .bytes = finder->bytes };

			finder->works->of_slice[data->owner] = add_row(finder->works, &work);
		}
	}
	ra_payload_destroy(decoder);
	ra_util_text_free(&path.text);
}

/* Finds the peaks of each queue's device. */
static void find_peaks(struct ra_works *works)
{
	const struct ra_gpu *gpu = &works->model->gpu;

	works->peaks =
		ra_alloc_zeros(gpu->queue_count + 1, RA_KERNEL_TYPES * sizeof(*works->peaks));
	for (size_t q = 0; q < gpu->queue_count; q++) {
		const struct ra_gpu_device *device = ra_gpu_find_device(gpu, gpu->queues[q].device);
		double *peaks = works->peaks + q * RA_KERNEL_TYPES;
		struct rlog_string name;

		if (device == NULL) {
			continue;
		}
		name = ra_model_string(works->model, device->name);
		for (int type = 0; type < RA_KERNEL_TYPES; type++) {
			peaks[type] = ra_peaks_flops(device, name, (enum ra_kernel_type) type);
		}
		peaks[RA_KERNEL_TYPE_UNKNOWN] = ra_peaks_bytes(device, name);
	}
}

/* Chooses the type for the peak: FP32 becomes TF32 where tensor cores multiplied. If no input has a
 * type, the type is the kernel's. */
static void take_kernel(struct ra_works *works, uint32_t slice, uint8_t type)
{
	const struct ra_op_work *work = &works->rows[works->of_slice[slice]];
	uint8_t *known = &works->types[slice];

	if (*known == RA_KERNEL_TYPE_UNKNOWN) {
		*known = (uint8_t) work->type;
	}
	if (*known == RA_KERNEL_TYPE_UNKNOWN ||
	    (*known == RA_KERNEL_FP32 && type == RA_KERNEL_TF32)) {
		*known = type;
	}
}

static void find_types(struct ra_works *works)
{
	const struct ra_model *model = works->model;

	for (size_t i = 0; i < model->gpu.op_count; i++) {
		const struct ra_gpu_op *op = &model->gpu.ops[i];
		struct ra_kernel_class kernel;

		if (op->kind != RA_GPU_KERNEL || op->slice == RA_NONE) {
			continue;
		}
		ra_kernel_kinds_find(&works->kinds, model, op->name, &kernel);
		for (uint32_t at = op->slice; at != RA_NONE; at = model->slices.parent[at]) {
			if (works->of_slice[at] != RA_NONE) {
				take_kernel(works, at,
				            ra_kernel_kinds_is_matrix(kernel.kind)
				                    ? kernel.type
				                    : RA_KERNEL_TYPE_UNKNOWN);
			}
		}
	}
}

void ra_works_init(struct ra_works *works, const struct ra_model *model)
{
	struct finder finder = { .works = works };
	const size_t count = model->slices.count;

	*works = (struct ra_works){ .model = model };
	if (model->gpu.op_count == 0 || count == 0) {
		return;
	}
	works->of_slice = ra_alloc_bytes(count * sizeof(*works->of_slice));
	works->types = ra_alloc_zeros(count, sizeof(*works->types));
	for (uint32_t slice = 0; slice < count; slice++) {
		works->of_slice[slice] = find_row(&finder, slice);
	}
	take_payloads(&finder);
	if (works->count > 0) {
		find_peaks(works);
		find_types(works);
	}
	ra_util_map_free(&finder.by_hash);
	free(finder.known);
}

void ra_works_fini(struct ra_works *works)
{
	free(works->rows);
	free(works->of_slice);
	free(works->types);
	free(works->peaks);
	ra_kernel_kinds_fini(&works->kinds);
	*works = (struct ra_works){ 0 };
}

double ra_works_peak(const struct ra_works *works, const struct ra_gpu_op *op,
                     enum ra_kernel_type type)
{
	return works->peaks[op->queue * (size_t) RA_KERNEL_TYPES + type];
}
