/* SPDX-License-Identifier: MIT */
/* Wrappers for a chained tool of NVTX's calls that name CUDA's and OpenCL's objects. They hold no
 * handle of NVTX's: both tools get the same arguments. */
#include "libranges/chain/nvtx-chain-wrap.h"

/* The text is narrow or wide; CUDA's devices are numbers, all else pointers. */
typedef void name_fn(const void *object, const void *text);
typedef void name_number_fn(int object, const void *text);

static void name(int module, unsigned int id, const void *object, const void *text)
{
	name_fn *ours = RCAP_CHAIN_OURS(name_fn, module, id);
	name_fn *theirs = RCAP_CHAIN_THEIRS(name_fn, module, id);
	RCAP_CHAIN_KEEP_ERRNO;

	if (ours) {
		ours(object, text);
	}
	if (theirs) {
		theirs(object, text);
	}
}

static void name_number(int module, unsigned int id, int object, const void *text)
{
	name_number_fn *ours = RCAP_CHAIN_OURS(name_number_fn, module, id);
	name_number_fn *theirs = RCAP_CHAIN_THEIRS(name_number_fn, module, id);
	RCAP_CHAIN_KEEP_ERRNO;

	if (ours) {
		ours(object, text);
	}
	if (theirs) {
		theirs(object, text);
	}
}

/* One wrapper: all of them differ in the id only. */
#define NAME(function, module, id)                                 \
	static void function(const void *object, const void *text) \
	{                                                          \
		name((module), (id), object, text);                \
	}
#define NAME_NUMBER(function, module, id)                  \
	static void function(int object, const void *text) \
	{                                                  \
		name_number((module), (id), object, text); \
	}

NAME_NUMBER(cu_device_a, RCAP_NVTX_MODULE_CUDA, RCAP_NVTX_NAME_CU_DEVICE_A)
NAME_NUMBER(cu_device_w, RCAP_NVTX_MODULE_CUDA, RCAP_NVTX_NAME_CU_DEVICE_W)
NAME(cu_context_a, RCAP_NVTX_MODULE_CUDA, RCAP_NVTX_NAME_CU_CONTEXT_A)
NAME(cu_context_w, RCAP_NVTX_MODULE_CUDA, RCAP_NVTX_NAME_CU_CONTEXT_W)
NAME(cu_stream_a, RCAP_NVTX_MODULE_CUDA, RCAP_NVTX_NAME_CU_STREAM_A)
NAME(cu_stream_w, RCAP_NVTX_MODULE_CUDA, RCAP_NVTX_NAME_CU_STREAM_W)
NAME(cu_event_a, RCAP_NVTX_MODULE_CUDA, RCAP_NVTX_NAME_CU_EVENT_A)
NAME(cu_event_w, RCAP_NVTX_MODULE_CUDA, RCAP_NVTX_NAME_CU_EVENT_W)
NAME(cl_device_a, RCAP_NVTX_MODULE_OPENCL, RCAP_NVTX_NAME_CL_DEVICE_A)
NAME(cl_device_w, RCAP_NVTX_MODULE_OPENCL, RCAP_NVTX_NAME_CL_DEVICE_W)
NAME(cl_context_a, RCAP_NVTX_MODULE_OPENCL, RCAP_NVTX_NAME_CL_CONTEXT_A)
NAME(cl_context_w, RCAP_NVTX_MODULE_OPENCL, RCAP_NVTX_NAME_CL_CONTEXT_W)
NAME(cl_command_queue_a, RCAP_NVTX_MODULE_OPENCL, RCAP_NVTX_NAME_CL_COMMAND_QUEUE_A)
NAME(cl_command_queue_w, RCAP_NVTX_MODULE_OPENCL, RCAP_NVTX_NAME_CL_COMMAND_QUEUE_W)
NAME(cl_mem_object_a, RCAP_NVTX_MODULE_OPENCL, RCAP_NVTX_NAME_CL_MEM_OBJECT_A)
NAME(cl_mem_object_w, RCAP_NVTX_MODULE_OPENCL, RCAP_NVTX_NAME_CL_MEM_OBJECT_W)
NAME(cl_sampler_a, RCAP_NVTX_MODULE_OPENCL, RCAP_NVTX_NAME_CL_SAMPLER_A)
NAME(cl_sampler_w, RCAP_NVTX_MODULE_OPENCL, RCAP_NVTX_NAME_CL_SAMPLER_W)
NAME(cl_program_a, RCAP_NVTX_MODULE_OPENCL, RCAP_NVTX_NAME_CL_PROGRAM_A)
NAME(cl_program_w, RCAP_NVTX_MODULE_OPENCL, RCAP_NVTX_NAME_CL_PROGRAM_W)
NAME(cl_event_a, RCAP_NVTX_MODULE_OPENCL, RCAP_NVTX_NAME_CL_EVENT_A)
NAME(cl_event_w, RCAP_NVTX_MODULE_OPENCL, RCAP_NVTX_NAME_CL_EVENT_W)
NAME_NUMBER(cuda_device_a, RCAP_NVTX_MODULE_CUDART, RCAP_NVTX_NAME_CUDA_DEVICE_A)
NAME_NUMBER(cuda_device_w, RCAP_NVTX_MODULE_CUDART, RCAP_NVTX_NAME_CUDA_DEVICE_W)
NAME(cuda_stream_a, RCAP_NVTX_MODULE_CUDART, RCAP_NVTX_NAME_CUDA_STREAM_A)
NAME(cuda_stream_w, RCAP_NVTX_MODULE_CUDART, RCAP_NVTX_NAME_CUDA_STREAM_W)
NAME(cuda_event_a, RCAP_NVTX_MODULE_CUDART, RCAP_NVTX_NAME_CUDA_EVENT_A)
NAME(cuda_event_w, RCAP_NVTX_MODULE_CUDART, RCAP_NVTX_NAME_CUDA_EVENT_W)

#define ENTRY(id, function) [id] = (rcap_nvtx_fn) (function)

const rcap_nvtx_fn rcap_nvtx_chain_objects_cuda[RCAP_NVTX_CUDA_COUNT] = {
	ENTRY(RCAP_NVTX_NAME_CU_DEVICE_A, cu_device_a),
	ENTRY(RCAP_NVTX_NAME_CU_DEVICE_W, cu_device_w),
	ENTRY(RCAP_NVTX_NAME_CU_CONTEXT_A, cu_context_a),
	ENTRY(RCAP_NVTX_NAME_CU_CONTEXT_W, cu_context_w),
	ENTRY(RCAP_NVTX_NAME_CU_STREAM_A, cu_stream_a),
	ENTRY(RCAP_NVTX_NAME_CU_STREAM_W, cu_stream_w),
	ENTRY(RCAP_NVTX_NAME_CU_EVENT_A, cu_event_a),
	ENTRY(RCAP_NVTX_NAME_CU_EVENT_W, cu_event_w),
};

const rcap_nvtx_fn rcap_nvtx_chain_objects_opencl[RCAP_NVTX_OPENCL_COUNT] = {
	ENTRY(RCAP_NVTX_NAME_CL_DEVICE_A, cl_device_a),
	ENTRY(RCAP_NVTX_NAME_CL_DEVICE_W, cl_device_w),
	ENTRY(RCAP_NVTX_NAME_CL_CONTEXT_A, cl_context_a),
	ENTRY(RCAP_NVTX_NAME_CL_CONTEXT_W, cl_context_w),
	ENTRY(RCAP_NVTX_NAME_CL_COMMAND_QUEUE_A, cl_command_queue_a),
	ENTRY(RCAP_NVTX_NAME_CL_COMMAND_QUEUE_W, cl_command_queue_w),
	ENTRY(RCAP_NVTX_NAME_CL_MEM_OBJECT_A, cl_mem_object_a),
	ENTRY(RCAP_NVTX_NAME_CL_MEM_OBJECT_W, cl_mem_object_w),
	ENTRY(RCAP_NVTX_NAME_CL_SAMPLER_A, cl_sampler_a),
	ENTRY(RCAP_NVTX_NAME_CL_SAMPLER_W, cl_sampler_w),
	ENTRY(RCAP_NVTX_NAME_CL_PROGRAM_A, cl_program_a),
	ENTRY(RCAP_NVTX_NAME_CL_PROGRAM_W, cl_program_w),
	ENTRY(RCAP_NVTX_NAME_CL_EVENT_A, cl_event_a),
	ENTRY(RCAP_NVTX_NAME_CL_EVENT_W, cl_event_w),
};

const rcap_nvtx_fn rcap_nvtx_chain_objects_cudart[RCAP_NVTX_CUDART_COUNT] = {
	ENTRY(RCAP_NVTX_NAME_CUDA_DEVICE_A, cuda_device_a),
	ENTRY(RCAP_NVTX_NAME_CUDA_DEVICE_W, cuda_device_w),
	ENTRY(RCAP_NVTX_NAME_CUDA_STREAM_A, cuda_stream_a),
	ENTRY(RCAP_NVTX_NAME_CUDA_STREAM_W, cuda_stream_w),
	ENTRY(RCAP_NVTX_NAME_CUDA_EVENT_A, cuda_event_a),
	ENTRY(RCAP_NVTX_NAME_CUDA_EVENT_W, cuda_event_w),
};
