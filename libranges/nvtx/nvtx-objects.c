/* SPDX-License-Identifier: MIT */
/* Names of devices, contexts, streams, events and OpenCL's objects. */
#include "libranges/nvtx/nvtx-objects.h"

#include <errno.h>
#include <wchar.h>

#include "format/wire.h"
#include "libranges/spool/arena.h"
#include "libranges/record/args.h"
#include "libranges/nvtx/nvtx-text.h"

/*
 * @function: number of doc/format.md section 14. @type: class << 16 | number.
 * @text: NULL if the program's can't be read: the call is recorded, and names nothing.
 */
static void name_object(uint32_t function, uint32_t type, uint64_t object,
                        const struct rcap_nvtx_text *text)
{
	struct rcap_thread *thread = rcap_thread_enter();
	const int saved = errno;
	struct rlog_pack args;
	struct rlog_def def = { .kind = RLOG_DEF_OBJECT_NAME, .id = object, .parent = type };

	if (!thread) {
		return;
	}
	if (text) {
		def.string = rcap_nvtx_text_intern(thread, text);
		rcap_process_lock();
		rcap_arena_add_def(&rcap_process.spool, &def);
		rcap_process_unlock();
	}
	args = rcap_args_begin(thread, 1);
	rlog_pack_uint(&args, object);
	rcap_args_record(thread, function, 0, def.string, &args);
	if (text) {
		rcap_process_name_object(type, object);
	}
	errno = saved;
	rcap_thread_leave(thread);
}

static void name_narrow(uint32_t function, uint32_t type, uint64_t object, const char *name)
{
	struct rcap_nvtx_text text;

	name_object(function, type, object, rcap_nvtx_text_take(&text, name, NULL) ? &text : NULL);
}

static void name_wide(uint32_t function, uint32_t type, uint64_t object, const wchar_t *name)
{
	struct rcap_nvtx_text text;

	name_object(function, type, object, rcap_nvtx_text_take(&text, NULL, name) ? &text : NULL);
}

/* The two functions of an object: narrow and wide. A device's number is an int, not a pointer. */
#define NAMERS(what, class, number, object_type, to_u64, id)                                  \
	static void what##_a(object_type object, const char *name)                            \
	{                                                                                     \
		name_narrow((RCAP_NVTX_MODULE_##class << 8) + (id),                           \
		            (RCAP_NVTX_CLASS_##class << 16) + (number), to_u64 object, name); \
	}                                                                                     \
	static void what##_w(object_type object, const wchar_t *name)                         \
	{                                                                                     \
		name_wide((RCAP_NVTX_MODULE_##class << 8) + (id) + 1,                         \
		          (RCAP_NVTX_CLASS_##class << 16) + (number), to_u64 object, name);   \
	}

#define NUMBER  (uint32_t)
#define POINTER (uintptr_t)

NAMERS(cu_device, CUDA, 1, int, NUMBER, RCAP_NVTX_NAME_CU_DEVICE_A)
NAMERS(cu_context, CUDA, 2, const void *, POINTER, RCAP_NVTX_NAME_CU_CONTEXT_A)
NAMERS(cu_stream, CUDA, 3, const void *, POINTER, RCAP_NVTX_NAME_CU_STREAM_A)
NAMERS(cu_event, CUDA, 4, const void *, POINTER, RCAP_NVTX_NAME_CU_EVENT_A)
NAMERS(cuda_device, CUDART, 0, int, NUMBER, RCAP_NVTX_NAME_CUDA_DEVICE_A)
NAMERS(cuda_stream, CUDART, 1, const void *, POINTER, RCAP_NVTX_NAME_CUDA_STREAM_A)
NAMERS(cuda_event, CUDART, 2, const void *, POINTER, RCAP_NVTX_NAME_CUDA_EVENT_A)
NAMERS(cl_device, OPENCL, 1, const void *, POINTER, RCAP_NVTX_NAME_CL_DEVICE_A)
NAMERS(cl_context, OPENCL, 2, const void *, POINTER, RCAP_NVTX_NAME_CL_CONTEXT_A)
NAMERS(cl_command_queue, OPENCL, 3, const void *, POINTER, RCAP_NVTX_NAME_CL_COMMAND_QUEUE_A)
NAMERS(cl_mem_object, OPENCL, 4, const void *, POINTER, RCAP_NVTX_NAME_CL_MEM_OBJECT_A)
NAMERS(cl_sampler, OPENCL, 5, const void *, POINTER, RCAP_NVTX_NAME_CL_SAMPLER_A)
NAMERS(cl_program, OPENCL, 6, const void *, POINTER, RCAP_NVTX_NAME_CL_PROGRAM_A)
NAMERS(cl_event, OPENCL, 7, const void *, POINTER, RCAP_NVTX_NAME_CL_EVENT_A)

#define ENTRIES(id, what) [(id)] = (rcap_nvtx_fn) what##_a, [(id) + 1] = (rcap_nvtx_fn) what##_w

const rcap_nvtx_fn rcap_nvtx_objects_cuda[RCAP_NVTX_CUDA_COUNT] = {
	ENTRIES(RCAP_NVTX_NAME_CU_DEVICE_A, cu_device),
	ENTRIES(RCAP_NVTX_NAME_CU_CONTEXT_A, cu_context),
	ENTRIES(RCAP_NVTX_NAME_CU_STREAM_A, cu_stream),
	ENTRIES(RCAP_NVTX_NAME_CU_EVENT_A, cu_event),
};

const rcap_nvtx_fn rcap_nvtx_objects_cudart[RCAP_NVTX_CUDART_COUNT] = {
	ENTRIES(RCAP_NVTX_NAME_CUDA_DEVICE_A, cuda_device),
	ENTRIES(RCAP_NVTX_NAME_CUDA_STREAM_A, cuda_stream),
	ENTRIES(RCAP_NVTX_NAME_CUDA_EVENT_A, cuda_event),
};

const rcap_nvtx_fn rcap_nvtx_objects_opencl[RCAP_NVTX_OPENCL_COUNT] = {
	ENTRIES(RCAP_NVTX_NAME_CL_DEVICE_A, cl_device),
	ENTRIES(RCAP_NVTX_NAME_CL_CONTEXT_A, cl_context),
	ENTRIES(RCAP_NVTX_NAME_CL_COMMAND_QUEUE_A, cl_command_queue),
	ENTRIES(RCAP_NVTX_NAME_CL_MEM_OBJECT_A, cl_mem_object),
	ENTRIES(RCAP_NVTX_NAME_CL_SAMPLER_A, cl_sampler),
	ENTRIES(RCAP_NVTX_NAME_CL_PROGRAM_A, cl_program),
	ENTRIES(RCAP_NVTX_NAME_CL_EVENT_A, cl_event),
};
