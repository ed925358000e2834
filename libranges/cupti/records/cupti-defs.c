/* SPDX-License-Identifier: MIT */
/* Defines the things that GPU events refer to: devices, contexts, streams, launch shapes. */
#include "libranges/cupti/records/cupti-defs.h"

#include <dlfcn.h>
#include <string.h>

#include "format/columns/pack.h"
#include "format/wire.h"
#include "libranges/spool/arena.h"
#include "libranges/cupti/records/cupti-aside.h"
#include "libranges/cupti/load/cupti-load.h"
#include "libranges/record/names/names.h"
#include "libranges/abi/nvtx-abi.h"
#include "libranges/process/process.h"

#define DETAIL_BYTES 320u
#define SHAPE_SLOTS  32768u
#define MAX_SHAPES   (SHAPE_SLOTS / 2)
#define SHAPE_COUNT  17u

/* Attributes of devices that are in no record (numbers for cuDeviceGetAttribute). */
#define ATTR_SHARED_OPTIN    97
#define ATTR_SHARED_RESERVED 111

static void add_def(const struct rlog_def *def)
{
	rcap_process_lock();
	rcap_arena_add_def(&rcap_process.spool, def);
	rcap_process_unlock();
}

/* Makes the string of an array of numbers. Return: its id; 0 if there is no room. */
static uint32_t intern_detail(const uint64_t *numbers, size_t count, const uint8_t *uuid)
{
	uint8_t bytes[DETAIL_BYTES + RLOG_PACK_SLACK];
	struct rlog_pack pack;
	bool lost = false;
	uint32_t id;

	rlog_pack_init(&pack, bytes, DETAIL_BYTES);
	rlog_pack_array(&pack, count + (uuid != NULL));
	for (size_t i = 0; i < count; i++) {
		if (numbers[i] > INT64_MAX) {
			rlog_pack_int(&pack, (int64_t) numbers[i]); /* the number was negative */
		} else {
			rlog_pack_uint(&pack, numbers[i]);
		}
	}
	if (uuid) {
		rlog_pack_bin(&pack, uuid, 16);
	}
	if (pack.full) {
		return 0;
	}
	id = rcap_names_intern((const char *) pack.bytes, pack.used, 0, NULL, &lost);
	return lost ? 0 : id;
}

/* Finds a function of the driver if the driver is loaded. Then keeps the driver loaded. `out` gets
 * the bytes of a function pointer, because in ISO C an object pointer can't hold one. */
static bool find_driver_function(const char *name, void *out)
{
	void *driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
	void *function = driver ? dlsym(driver, name) : NULL;

	memcpy(out, &function, sizeof(function));
	return function != NULL;
}

bool rcap_cupti_defs_is_ready(void)
{
	int (*get_count)(int *out) = NULL;
	int count = 0;

	return find_driver_function("cuDeviceGetCount", (void *) &get_count) &&
	       get_count(&count) == 0;
}

/* Asks the driver for a limit that no record has. Return: 0 if the driver does not answer. */
static uint64_t ask_driver(uint32_t device, int attribute)
{
	int (*get_device)(int *out, int ordinal) = NULL;
	int (*get_attribute)(int *value, int attribute, int device) = NULL;
	int number = 0;
	int value = 0;

	if (!find_driver_function("cuDeviceGet", (void *) &get_device) ||
	    !find_driver_function("cuDeviceGetAttribute", (void *) &get_attribute) ||
	    get_device(&number, (int) device) != 0 ||
	    get_attribute(&value, attribute, number) != 0 || value < 0) {
		return 0;
	}
	return (uint64_t) value;
}

void rcap_cupti_defs_add_device(const struct rcap_cupti_device *device)
{
	const uint64_t detail[] = {
		device->major,
		device->minor,
		device->multiprocessors,
		device->warp_threads,
		device->warps_per_sm,
		device->blocks_per_sm,
		device->threads_per_block,
		device->registers_per_sm,
		device->registers_per_block,
		device->shared_per_sm,
		device->shared_per_block,
		ask_driver(device->id, ATTR_SHARED_OPTIN),
		ask_driver(device->id, ATTR_SHARED_RESERVED),
		device->clock_khz,
		device->memory_bandwidth,
		device->memory_bytes,
		device->l2_bytes,
		device->copy_engines,
		device->is_mig != 0,
	};
	const struct rlog_def def = {
		.kind = RLOG_DEF_DEVICE,
		.id = device->id,
		.string = (uint32_t) (uintptr_t) device->name,
		.value = intern_detail(detail, sizeof(detail) / sizeof(detail[0]), device->uuid),
	};

	add_def(&def);
}

void rcap_cupti_defs_add_context(const struct rcap_cupti_context *context)
{
	const uint64_t detail[] = { context->api, context->null_stream,
		                    context->parent == RCAP_CUPTI_NO_ID ? 0 : context->parent,
		                    context->is_green, context->multiprocessors };
	const struct rlog_def def = {
		.kind = RLOG_DEF_CONTEXT,
		.id = context->id,
		.parent = context->device,
		.value = intern_detail(detail, sizeof(detail) / sizeof(detail[0]), NULL),
	};

	add_def(&def);
}

void rcap_cupti_defs_add_stream(const struct rcap_cupti_stream *stream)
{
	const uint64_t detail[] = { stream->priority, stream->flag };
	const struct rlog_def def = {
		.kind = RLOG_DEF_GPU_STREAM,
		.id = stream->id,
		.parent = stream->context,
		.value = intern_detail(detail, sizeof(detail) / sizeof(detail[0]), NULL),
	};

	add_def(&def);
}

/* ---- Launch shapes ---- */

struct shape {
	uint32_t numbers[SHAPE_COUNT]; /* the numbers of doc/format.md; the last one is signed */
};

/* The table of shapes, a hash table with open addressing. No shape is ever removed. */
static struct {
	struct shape shapes[MAX_SHAPES]; /* shapes with the ids 1, 2, … */
	uint32_t slots[SHAPE_SLOTS];     /* ids of shapes; 0: the slot is free */
	uint32_t count;
} table;

static uint32_t find_shape(const struct shape *shape, uint32_t *slot)
{
	*slot = rcap_names_hash((const char *) shape->numbers, sizeof(shape->numbers)) %
	        SHAPE_SLOTS;
	while (table.slots[*slot] != 0) {
		const uint32_t id = table.slots[*slot];

		if (memcmp(&table.shapes[id - 1], shape, sizeof(*shape)) == 0) {
			return id;
		}
		*slot = (*slot + 1) % SHAPE_SLOTS;
	}
	return 0;
}

uint32_t rcap_cupti_defs_shape(const struct rcap_cupti_kernel *kernel)
{
	const struct shape shape = {
		{ kernel->grid[0], kernel->grid[1], kernel->grid[2], kernel->block[0],
		  kernel->block[1], kernel->block[2], kernel->cluster[0], kernel->cluster[1],
		  kernel->cluster[2], kernel->registers, kernel->static_shared,
		  kernel->dynamic_shared, kernel->shared_executed, kernel->local_per_thread,
		  kernel->shared_limit_config, kernel->launch_type,
		  rcap_cupti.version >= RCAP_CUPTI_VERSION_13_1 ? (uint32_t) kernel->priority : 0 }
	};
	struct rlog_def def = { .kind = RLOG_DEF_LAUNCH_SHAPE };
	uint64_t detail[SHAPE_COUNT];
	uint32_t slot;
	uint32_t id = find_shape(&shape, &slot);

	if (id != 0 || table.count == MAX_SHAPES) {
		return id;
	}
	for (size_t i = 0; i < SHAPE_COUNT; i++) {
		detail[i] = shape.numbers[i];
	}
	detail[SHAPE_COUNT - 1] = (uint64_t) (int32_t) shape.numbers[SHAPE_COUNT - 1];
	def.value = intern_detail(detail, SHAPE_COUNT, NULL);
	if (def.value == 0) {
		return 0;
	}
	table.shapes[table.count++] = shape;
	id = table.count;
	table.slots[slot] = id;
	def.id = id;
	add_def(&def);
	return id;
}

/* ---- Objects with names ---- */

/* Flag in the type of an object: the object is handle 0, the null stream of a context. The object's
 * number is then the context's. */
#define NULL_STREAM UINT32_C(0x80000000)

/* Kinds of objects, numbered as in the driver. The runtime's numbers are, from 0 on: device,
 * stream, event. It has no contexts. */
enum {
	OBJECT_DEVICE = 1,
	OBJECT_CONTEXT = 2,
	OBJECT_STREAM = 3
};

/* Returns the kind of an object; 0 if it is not an object of CUDA. */
static uint32_t kind_of_object(uint32_t type)
{
	const uint32_t index = type & 0xFFFF;

	switch ((type & ~NULL_STREAM) >> 16) {
	case RCAP_NVTX_CLASS_CUDA:
		return index;
	case RCAP_NVTX_CLASS_CUDART:
		return index == 0 ? OBJECT_DEVICE : index + 2;
	default:
		return 0;
	}
}

/* Returns the context of a stream; NULL if unknown. */
static const void *ask_context(const void *stream)
{
	int (*get_context)(const void *stream, const void **context) = NULL;
	const void *context = NULL;

	return find_driver_function("cuStreamGetCtx", (void *) &get_context) &&
	                       get_context(stream, &context) == 0
	               ? context
	               : NULL;
}

/* Returns CUPTI's id of a context; 0 if unknown. */
static uint32_t ask_context_id(const void *context)
{
	uint32_t id = 0;

	return context && rcap_cupti.get_context_id && rcap_cupti.get_context_id(context, &id) == 0
	               ? id
	               : 0;
}

/* Gets CUPTI's number of an object. Return: false if the object has no number, or CUPTI does not
 * answer. */
static bool ask_number(uint32_t type, uint64_t object, uint64_t *number)
{
	const bool is_null = (type & NULL_STREAM) != 0;
	/* To us handles are numbers. NOLINTNEXTLINE(performance-no-int-to-ptr) */
	void *handle = (void *) (uintptr_t) object;
	uint32_t id = 0;

	switch (kind_of_object(type)) {
	case OBJECT_DEVICE:
		*number = object;
		return true;
	case OBJECT_CONTEXT:
		*number = ask_context_id(handle);
		return *number != 0;
	case OBJECT_STREAM:
		if (!rcap_cupti.get_stream_id ||
		    rcap_cupti.get_stream_id(is_null ? handle : NULL, is_null ? NULL : handle, 0,
		                             &id) != 0) {
			return false;
		}
		*number = (uint64_t) ask_context_id(is_null ? handle : ask_context(handle)) << 32 |
		          id;
		return true;
	default:
		return false;
	}
}

static void define_object(uint32_t type, uint64_t object)
{
	struct rlog_def def = { .kind = RLOG_DEF_OBJECT_ID,
		                .id = type & NULL_STREAM ? 0 : object,
		                .parent = type & ~NULL_STREAM };

	if (ask_number(type, object, &def.value)) {
		add_def(&def);
	}
}

void rcap_cupti_defs_name_object(uint32_t type, uint64_t object)
{
	int (*get_current)(const void **context) = NULL;
	const void *context = NULL;

	if (kind_of_object(type) == 0) {
		return;
	}
	/* The null stream belongs to the calling thread's context. Only that thread can find out
	 * which context this is. */
	if (kind_of_object(type) == OBJECT_STREAM && object == 0 &&
	    find_driver_function("cuCtxGetCurrent", (void *) &get_current) &&
	    get_current(&context) == 0 && context) {
		type |= NULL_STREAM;
		object = (uintptr_t) context;
	}
	(void) rcap_cupti_aside_ask(define_object, type, object);
}
