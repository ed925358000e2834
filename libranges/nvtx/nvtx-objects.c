/* SPDX-License-Identifier: MIT */
/* Names of devices, contexts, streams, events and OpenCL's objects. */
#include "libranges/nvtx/nvtx-calls.h"

#include <errno.h>
#include <wchar.h>

#include "format/wire.h"
#include "libranges/spool/arena.h"
#include "libranges/record/payloads/args.h"
#include "libranges/nvtx/nvtx-text.h"

/*
 * Names an object, and records the call. @function: number in doc/format.md section 14. @type:
 * class << 16 | number. @text: NULL if the program's text can't be read: then the call is recorded,
 * but names nothing.
 */
static void name_object(uint32_t function, uint32_t type, uint64_t object,
                        const struct rcap_nvtx_text *text)
{
	struct rcap_thread *thread = rcap_thread_enter_to_define();
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

/* Defines the two functions of a kind of object: narrow and wide. A device is an int, not a
 * pointer. */
#define FUNCTION(class, id) ((RCAP_NVTX_MODULE_##class << 8) + RCAP_NVTX_NAME_##id)
#define NAMERS(class, what, number, name, kind, function, type, object_number)                 \
	void rcap_nvtx_objects_##function##_a(type object, const char *text)                   \
	{                                                                                      \
		name_narrow(FUNCTION(class, what##_A),                                         \
		            (RCAP_NVTX_CLASS_##class << 16) + (object_number), AS_U64(object), \
		            text);                                                             \
	}                                                                                      \
	void rcap_nvtx_objects_##function##_w(type object, const wchar_t *text)                \
	{                                                                                      \
		name_wide(FUNCTION(class, what##_W),                                           \
		          (RCAP_NVTX_CLASS_##class << 16) + (object_number), AS_U64(object),   \
		          text);                                                               \
	}
#define AS_U64(object) \
	_Generic((object), int : (uint32_t) (uintptr_t) (object), default : (uintptr_t) (object))

RCAP_NVTX_CUDA_OBJECTS(NAMERS, CUDA)
RCAP_NVTX_OPENCL_OBJECTS(NAMERS, OPENCL)
RCAP_NVTX_CUDART_OBJECTS(NAMERS, CUDART)
