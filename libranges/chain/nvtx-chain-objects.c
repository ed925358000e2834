/* SPDX-License-Identifier: MIT */
/* Wrappers of NVTX's calls that name objects of CUDA and OpenCL, for a chained tool. These calls
 * hold no handle of NVTX, so both tools get the same arguments. */
#include "libranges/chain/nvtx-chain-wrap.h"

/* The functions that name an object. The text may be narrow or wide. CUDA's devices are numbers,
 * all other objects are pointers. */
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

/* Defines the two wrappers of a kind of object. They differ only in the function's id. */
#define NAME(object) _Generic((object), int : name_number, default : name)
#define WRAPPERS(module, what, number, title, kind, function, type, object_number)                \
	void rcap_nvtx_chain_objects_##function##_a(type object, const char *text)                \
	{                                                                                         \
		NAME(object)(RCAP_NVTX_MODULE_##module, RCAP_NVTX_NAME_##what##_A, object, text); \
	}                                                                                         \
	void rcap_nvtx_chain_objects_##function##_w(type object, const wchar_t *text)             \
	{                                                                                         \
		NAME(object)(RCAP_NVTX_MODULE_##module, RCAP_NVTX_NAME_##what##_W, object, text); \
	}

RCAP_NVTX_CUDA_OBJECTS(WRAPPERS, CUDA)
RCAP_NVTX_OPENCL_OBJECTS(WRAPPERS, OPENCL)
RCAP_NVTX_CUDART_OBJECTS(WRAPPERS, CUDART)
