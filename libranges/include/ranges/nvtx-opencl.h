/* SPDX-License-Identifier: MIT */
/*
 * Names for OpenCL objects, as NVTX 3 takes them. Replaces NVTX's nvToolsExtOpenCL.h.
 *
 * <CL/cl.h> is not needed, and may be included before or after this header or not at all:
 * cl_device_id and the others are pointers to the structures declared here.
 */
#ifndef RANGES_NVTX_OPENCL_H
#define RANGES_NVTX_OPENCL_H

#include <ranges/nvtx.h>

/* Names are NVTX's and OpenCL's.
 * NOLINTBEGIN(readability-identifier-naming,bugprone-macro-parentheses) */

#ifdef __cplusplus
extern "C" {
#endif

struct _cl_device_id;
struct _cl_context;
struct _cl_command_queue;
struct _cl_mem;
struct _cl_sampler;
struct _cl_program;
struct _cl_event;

/* Values of nvtxResourceAttributes_t.identifierType. */
#define NVTX_RESOURCE_CLASS_OPENCL 6

typedef enum nvtxResourceOpenCLType_t {
	NVTX_RESOURCE_TYPE_OPENCL_DEVICE = NVTX_RESOURCE_MAKE_TYPE(OPENCL, 1),
	NVTX_RESOURCE_TYPE_OPENCL_CONTEXT = NVTX_RESOURCE_MAKE_TYPE(OPENCL, 2),
	NVTX_RESOURCE_TYPE_OPENCL_COMMANDQUEUE = NVTX_RESOURCE_MAKE_TYPE(OPENCL, 3),
	NVTX_RESOURCE_TYPE_OPENCL_MEMOBJECT = NVTX_RESOURCE_MAKE_TYPE(OPENCL, 4),
	NVTX_RESOURCE_TYPE_OPENCL_SAMPLER = NVTX_RESOURCE_MAKE_TYPE(OPENCL, 5),
	NVTX_RESOURCE_TYPE_OPENCL_PROGRAM = NVTX_RESOURCE_MAKE_TYPE(OPENCL, 6),
	NVTX_RESOURCE_TYPE_OPENCL_EVENT = NVTX_RESOURCE_MAKE_TYPE(OPENCL, 7),
} nvtxResourceOpenCLType_t;

RANGES_NVTX_DO(nvtxNameClDeviceA, OPENCL, 1, (struct _cl_device_id * device, const char *name),
               (device, name))
RANGES_NVTX_DO(nvtxNameClDeviceW, OPENCL, 2, (struct _cl_device_id * device, const wchar_t *name),
               (device, name))
RANGES_NVTX_DO(nvtxNameClContextA, OPENCL, 3, (struct _cl_context * context, const char *name),
               (context, name))
RANGES_NVTX_DO(nvtxNameClContextW, OPENCL, 4, (struct _cl_context * context, const wchar_t *name),
               (context, name))
RANGES_NVTX_DO(nvtxNameClCommandQueueA, OPENCL, 5,
               (struct _cl_command_queue * command_queue, const char *name), (command_queue, name))
RANGES_NVTX_DO(nvtxNameClCommandQueueW, OPENCL, 6,
               (struct _cl_command_queue * command_queue, const wchar_t *name),
               (command_queue, name))
RANGES_NVTX_DO(nvtxNameClMemObjectA, OPENCL, 7, (struct _cl_mem * object, const char *name),
               (object, name))
RANGES_NVTX_DO(nvtxNameClMemObjectW, OPENCL, 8, (struct _cl_mem * object, const wchar_t *name),
               (object, name))
RANGES_NVTX_DO(nvtxNameClSamplerA, OPENCL, 9, (struct _cl_sampler * sampler, const char *name),
               (sampler, name))
RANGES_NVTX_DO(nvtxNameClSamplerW, OPENCL, 10, (struct _cl_sampler * sampler, const wchar_t *name),
               (sampler, name))
RANGES_NVTX_DO(nvtxNameClProgramA, OPENCL, 11, (struct _cl_program * program, const char *name),
               (program, name))
RANGES_NVTX_DO(nvtxNameClProgramW, OPENCL, 12, (struct _cl_program * program, const wchar_t *name),
               (program, name))
RANGES_NVTX_DO(nvtxNameClEventA, OPENCL, 13, (struct _cl_event * event, const char *name),
               (event, name))
RANGES_NVTX_DO(nvtxNameClEventW, OPENCL, 14, (struct _cl_event * event, const wchar_t *name),
               (event, name))

#ifdef __cplusplus
}
#endif

#ifdef UNICODE
#define nvtxNameClDevice       nvtxNameClDeviceW
#define nvtxNameClContext      nvtxNameClContextW
#define nvtxNameClCommandQueue nvtxNameClCommandQueueW
#define nvtxNameClMemObject    nvtxNameClMemObjectW
#define nvtxNameClSampler      nvtxNameClSamplerW
#define nvtxNameClProgram      nvtxNameClProgramW
#define nvtxNameClEvent        nvtxNameClEventW
#else
#define nvtxNameClDevice       nvtxNameClDeviceA
#define nvtxNameClContext      nvtxNameClContextA
#define nvtxNameClCommandQueue nvtxNameClCommandQueueA
#define nvtxNameClMemObject    nvtxNameClMemObjectA
#define nvtxNameClSampler      nvtxNameClSamplerA
#define nvtxNameClProgram      nvtxNameClProgramA
#define nvtxNameClEvent        nvtxNameClEventA
#endif

/* NOLINTEND(readability-identifier-naming,bugprone-macro-parentheses) */

#endif
