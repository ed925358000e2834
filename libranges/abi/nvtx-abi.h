/* SPDX-License-Identifier: MIT */
/* NVTX's binary interface as an injection library sees it (nvToolsExt.h, nvtxDetail/). */
#ifndef RCAP_NVTX_ABI_H
#define RCAP_NVTX_ABI_H

#include <stddef.h>
#include <stdint.h>

/* Ids of export tables. */
enum {
	RCAP_NVTX_ETID_CALLBACKS = 1,
	RCAP_NVTX_ETID_VERSIONINFO = 3,
};

/* Ids of modules. */
enum {
	RCAP_NVTX_MODULE_CORE = 1,
	RCAP_NVTX_MODULE_CUDA = 2,
	RCAP_NVTX_MODULE_OPENCL = 3,
	RCAP_NVTX_MODULE_CUDART = 4,
	RCAP_NVTX_MODULE_CORE2 = 5,
	RCAP_NVTX_MODULE_SYNC = 6,
	RCAP_NVTX_MODULE_COUNT,
};

typedef void (*rcap_nvtx_fn)(void);

struct rcap_nvtx_callbacks {
	size_t struct_size;
	/* Gets the table of a module: addresses of function pointers, indexed by function id. Entry
	 * 0 is unused. *size: the last id + 1. Returns 0 for an unknown module. */
	int (*get_module_function_table)(int module, rcap_nvtx_fn ***table, unsigned int *size);
};

struct rcap_nvtx_version_info {
	size_t struct_size;
	uint32_t version;
	uint32_t reserved;
	void (*set_injection_nvtx_version)(uint32_t version);
};

typedef const void *rcap_nvtx_get_export_table_fn(uint32_t table_id);

/* Values of message_type. wchar_t is UTF-32 on Linux. */
enum {
	RCAP_NVTX_MESSAGE_NONE = 0,
	RCAP_NVTX_MESSAGE_ASCII = 1,
	RCAP_NVTX_MESSAGE_WIDE = 2,
	RCAP_NVTX_MESSAGE_REGISTERED = 3,
};

enum {
	RCAP_NVTX_COLOR_ARGB = 1
};

union rcap_nvtx_payload {
	uint64_t u64;
	int64_t i64;
	double f64;
	uint32_t u32;
	int32_t i32;
	float f32;
};

/* Read only members inside `size` bytes. Accept any version. */
struct rcap_nvtx_attributes {
	uint16_t version;
	uint16_t size;
	uint32_t category;
	int32_t color_type;
	uint32_t color;
	int32_t payload_type;
	int32_t reserved;
	union rcap_nvtx_payload payload;
	int32_t message_type;
	const void *message;
};

_Static_assert(sizeof(void *) != 8 || sizeof(struct rcap_nvtx_attributes) == 48,
               "event attributes are 48 bytes on LP64");

struct rcap_nvtx_resource_attributes {
	uint16_t version;
	uint16_t size;
	int32_t identifier_type; /* class << 16 | number */
	uint64_t identifier;     /* address or number of the object */
	int32_t message_type;
	const void *message;
};

struct rcap_nvtx_sync_attributes {
	uint16_t version;
	uint16_t size;
	int32_t message_type;
	const void *message;
};

_Static_assert(sizeof(void *) != 8 || sizeof(struct rcap_nvtx_resource_attributes) == 32,
               "resource attributes are 32 bytes on LP64");
_Static_assert(sizeof(void *) != 8 || sizeof(struct rcap_nvtx_sync_attributes) == 16,
               "attributes of sync objects are 16 bytes on LP64");

/* Types of objects: class << 16 | number. */
#define RCAP_NVTX_CLASS_CUDA   4u
#define RCAP_NVTX_CLASS_CUDART 5u
#define RCAP_NVTX_CLASS_OPENCL 6u

/* NVTX's return value if push and pop are not tracked. */
#define RCAP_NVTX_NO_TRACKING (-2)

#endif
