/* SPDX-License-Identifier: MIT */
/* Reads the names that the program gave to CUDA devices, contexts and streams through NVTX. */
#include "analyzer/read-log/gpu/gpu-names.h"

#include "analyzer/read-log/gpu/gpu-defs.h"
#include "format/read/reader.h"
#include "format/wire.h"

#define CLASS_CUDA   4
#define CLASS_CUDART 5

enum object {
	OBJECT_OTHER,
	OBJECT_DEVICE,
	OBJECT_CONTEXT,
	OBJECT_STREAM,
};

/* NVTX numbers the kinds of objects differently for the driver and the runtime, which has no
 * contexts. */
static enum object find_object(uint64_t type)
{
	const uint64_t number = type & 0xFFFF;

	switch (type >> 16) {
	case CLASS_CUDA:
		return number >= OBJECT_DEVICE && number <= OBJECT_STREAM ? (enum object) number
		                                                          : OBJECT_OTHER;
	case CLASS_CUDART:
		return number == 0 ? OBJECT_DEVICE : number == 1 ? OBJECT_STREAM : OBJECT_OTHER;
	default:
		return OBJECT_OTHER;
	}
}

/* Handles are addresses or small numbers, so their highest bits are free for the object. */
static uint64_t make_key(enum object object, uint64_t handle)
{
	return handle ^ (uint64_t) object << 61;
}

/* Handles a definition that gives an object's number: the object gets the name that its handle was
 * given last. */
static void apply(struct ra_util_map *named, const struct ra_util_map *names,
                  const struct rlog_def *def)
{
	const enum object object = find_object(def->parent);
	const uint32_t name = ra_util_map_find(names, make_key(object, def->id));

	if (name != RA_UTIL_MAP_NONE) {
		ra_util_map_put(named, make_key(object, def->value), name);
	}
}

static uint32_t find_name(const struct ra_util_map *named, enum object object, uint64_t number)
{
	const uint32_t name = ra_util_map_find(named, make_key(object, number));

	return name != RA_UTIL_MAP_NONE ? name : 0;
}

static void set_names(struct ra_gpu *gpu, const struct ra_util_map *named)
{
	for (size_t i = 0; i < gpu->queue_count; i++) {
		struct ra_gpu_queue *queue = &gpu->queues[i];

		queue->context_name = find_name(named, OBJECT_CONTEXT, queue->context);
		queue->name = find_name(named, OBJECT_STREAM,
		                        (uint64_t) queue->context << 32 | queue->stream);
		if (queue->name == 0) {
			/* The stream's context was not known when the program named the stream. */
			queue->name = find_name(named, OBJECT_STREAM, queue->stream);
		}
	}
	for (size_t i = 0; i < gpu->device_count; i++) {
		gpu->devices[i].label = find_name(named, OBJECT_DEVICE, gpu->devices[i].id);
	}
}

/* Reads the detail of a resource, which tells by type and handle to which object it belongs. */
static bool read_resource(const struct ra_model *model, const struct rlog_def *def, uint64_t *type,
                          uint64_t *handle)
{
	uint64_t numbers[2];

	ra_gpu_defs_read_numbers(model, def->value, numbers, 2);
	*type = numbers[0];
	*handle = numbers[1];
	return numbers[0] != 0;
}

/* Handles the definitions in the order of the log, because a handle may be reused for another
 * object. */
void ra_gpu_names_load(struct ra_builder *builder)
{
	struct ra_model *model = builder->model;
	struct ra_util_map names = { 0 }; /* the program's handle → name */
	struct ra_util_map named = { 0 }; /* CUPTI's number → name */
	size_t count = 0;
	const struct rlog_def *defs = rlog_reader_borrow_defs(model->reader, &count);

	for (size_t i = 0; i < count; i++) {
		const struct rlog_def *def = &defs[i];
		uint64_t type = def->parent;
		uint64_t handle = def->id;
		uint32_t name;

		if (def->kind == RLOG_DEF_OBJECT_ID) {
			apply(&named, &names, def);
		} else if (def->kind == RLOG_DEF_OBJECT_NAME ||
		           (def->kind == RLOG_DEF_RESOURCE &&
		            read_resource(model, def, &type, &handle))) {
			const enum object object = find_object(type);

			ra_builder_map_name(builder, def->string, &name);
			if (object != OBJECT_OTHER && name != 0) {
				ra_util_map_put(&names, make_key(object, handle), name);
			}
		}
	}
	set_names(&model->gpu, &named);
	ra_util_map_free(&names);
	ra_util_map_free(&named);
}
