/* SPDX-License-Identifier: MIT */
/* Structures and numbers of NVTX's counters and mem extensions. nvtx-abi-ext.h has the
 * functions. */
#ifndef RCAP_NVTX_ABI_COUNTERS_H
#define RCAP_NVTX_ABI_COUNTERS_H

#include <stddef.h>
#include <stdint.h>

#include "libranges/abi/nvtx-abi-layout.h"
#include "libranges/abi/nvtx-abi-payload.h"

/* ---- Counters ---- */

struct rcap_nvtx_counter_attributes {
	size_t struct_size;
	uint64_t schema_id; /* the entry type of a single number, or the schema of a group */
	const char *name;
	const char *description;
	uint64_t scope_id;
	const struct rcap_nvtx_semantics *semantics;
	uint64_t counter_id;
};
RCAP_NVTX_IS_SIZED(rcap_nvtx_counter_attributes, 56);
RCAP_NVTX_IS_AT(rcap_nvtx_counter_attributes, schema_id, 8);
RCAP_NVTX_IS_AT(rcap_nvtx_counter_attributes, name, 16);
RCAP_NVTX_IS_AT(rcap_nvtx_counter_attributes, description, 24);
RCAP_NVTX_IS_AT(rcap_nvtx_counter_attributes, scope_id, 32);
RCAP_NVTX_IS_AT(rcap_nvtx_counter_attributes, semantics, 40);
RCAP_NVTX_IS_AT(rcap_nvtx_counter_attributes, counter_id, 48);

/* Sizes are in bytes. */
struct rcap_nvtx_counter_batch {
	uint64_t counter_id;
	const void *counters;
	size_t counters_size;
	uint64_t flags; /* enum rcap_nvtx_batch_flag and the flags below */
	const int64_t *timestamps;
	size_t timestamps_size;
};
RCAP_NVTX_IS_SIZED(rcap_nvtx_counter_batch, 48);
RCAP_NVTX_IS_AT(rcap_nvtx_counter_batch, counters, 8);
RCAP_NVTX_IS_AT(rcap_nvtx_counter_batch, counters_size, 16);
RCAP_NVTX_IS_AT(rcap_nvtx_counter_batch, flags, 24);
RCAP_NVTX_IS_AT(rcap_nvtx_counter_batch, timestamps, 32);
RCAP_NVTX_IS_AT(rcap_nvtx_counter_batch, timestamps_size, 40);

/* What the times of a batch mean. Without a flag there is one time per sample. In NVIDIA's C
 * headers the expressions of these flags overflow, so programs pass 0 instead. */
#define RCAP_NVTX_COUNTER_BATCH_BEGIN_INTERVAL (UINT64_C(1) << 32)
#define RCAP_NVTX_COUNTER_BATCH_END_INTERVAL   (UINT64_C(2) << 32)

/* Why a sample has no value. */
enum rcap_nvtx_counter_sample {
	RCAP_NVTX_COUNTER_SAMPLE_ZERO = 0,
	RCAP_NVTX_COUNTER_SAMPLE_UNCHANGED = 1,
	RCAP_NVTX_COUNTER_SAMPLE_UNAVAILABLE = 2,
};

enum {
	RCAP_NVTX_SEMANTICS_COUNTER_VERSION = 2
};

struct rcap_nvtx_semantics_counter {
	struct rcap_nvtx_semantics header;
	uint64_t flags; /* enum rcap_nvtx_counter_flag */
	const char *unit;
	uint64_t unit_scale_numerator;
	uint64_t unit_scale_denominator;
	int64_t limit_type; /* enum rcap_nvtx_counter_limit: which members of `min` and `max` are
	                     * set */
	union {
		int64_t i64;
		uint64_t u64;
		double f64;
	} min, max;
};
RCAP_NVTX_IS_SIZED(rcap_nvtx_semantics_counter, 72);
RCAP_NVTX_IS_AT(rcap_nvtx_semantics_counter, flags, 16);
RCAP_NVTX_IS_AT(rcap_nvtx_semantics_counter, unit, 24);
RCAP_NVTX_IS_AT(rcap_nvtx_semantics_counter, unit_scale_numerator, 32);
RCAP_NVTX_IS_AT(rcap_nvtx_semantics_counter, unit_scale_denominator, 40);
RCAP_NVTX_IS_AT(rcap_nvtx_semantics_counter, limit_type, 48);
RCAP_NVTX_IS_AT(rcap_nvtx_semantics_counter, min, 56);
RCAP_NVTX_IS_AT(rcap_nvtx_semantics_counter, max, 64);

enum rcap_nvtx_counter_flag {
	RCAP_NVTX_COUNTER_NORMALIZE = 1 << 1,
	RCAP_NVTX_COUNTER_LIMIT_MIN = 1 << 2,
	RCAP_NVTX_COUNTER_LIMIT_MAX = 1 << 3,
	/* Bits 4 to 7 are a number: one of these. */
	RCAP_NVTX_COUNTER_ABSOLUTE = 1 << 4,
	RCAP_NVTX_COUNTER_DELTA = 2 << 4,
	RCAP_NVTX_COUNTER_DELTA_SINCE_START = 3 << 4,
	/* Bits 8 and higher are a number: one of these. */
	RCAP_NVTX_COUNTER_POINT = 1 << 8,
	RCAP_NVTX_COUNTER_SINCE_LAST = 2 << 8,
	RCAP_NVTX_COUNTER_UNTIL_NEXT = 3 << 8,
	RCAP_NVTX_COUNTER_LINEAR = 4 << 8,
};

enum rcap_nvtx_counter_limit {
	RCAP_NVTX_COUNTER_LIMIT_UNDEFINED = 0,
	RCAP_NVTX_COUNTER_LIMIT_I64 = 1,
	RCAP_NVTX_COUNTER_LIMIT_U64 = 2,
	RCAP_NVTX_COUNTER_LIMIT_F64 = 3,
};

/* ---- Memory ---- */

/* A region's address, or the handle that its registration returned. */
union rcap_nvtx_mem_region_ref {
	const void *pointer;
	void *handle;
};

struct rcap_nvtx_mem_heap_desc {
	uint16_t ext_compat_id;
	uint16_t struct_size;
	uint32_t reserved0;
	uint32_t usage;
	uint32_t type;
	size_t type_specific_desc_size;
	const void *type_specific_desc;
	uint32_t category;
	uint32_t message_type;
	const void *message;
};
RCAP_NVTX_IS_SIZED(rcap_nvtx_mem_heap_desc, 48);
RCAP_NVTX_IS_AT(rcap_nvtx_mem_heap_desc, struct_size, 2);
RCAP_NVTX_IS_AT(rcap_nvtx_mem_heap_desc, usage, 8);
RCAP_NVTX_IS_AT(rcap_nvtx_mem_heap_desc, type, 12);
RCAP_NVTX_IS_AT(rcap_nvtx_mem_heap_desc, type_specific_desc_size, 16);
RCAP_NVTX_IS_AT(rcap_nvtx_mem_heap_desc, type_specific_desc, 24);
RCAP_NVTX_IS_AT(rcap_nvtx_mem_heap_desc, category, 32);
RCAP_NVTX_IS_AT(rcap_nvtx_mem_heap_desc, message_type, 36);
RCAP_NVTX_IS_AT(rcap_nvtx_mem_heap_desc, message, 40);

/* A region of a virtual address space. */
struct rcap_nvtx_mem_virtual_range {
	size_t size;
	const void *ptr;
};
RCAP_NVTX_IS_SIZED(rcap_nvtx_mem_virtual_range, 16);
RCAP_NVTX_IS_AT(rcap_nvtx_mem_virtual_range, ptr, 8);

/* A CUDA array, of the runtime or the driver. */
struct rcap_nvtx_mem_array_range {
	uint16_t ext_compat_id;
	uint16_t struct_size;
	uint32_t reserved0;
	const void *src;
	size_t offset[3];
	size_t extent[3];
};
RCAP_NVTX_IS_SIZED(rcap_nvtx_mem_array_range, 64);
RCAP_NVTX_IS_AT(rcap_nvtx_mem_array_range, src, 8);
RCAP_NVTX_IS_AT(rcap_nvtx_mem_array_range, offset, 16);
RCAP_NVTX_IS_AT(rcap_nvtx_mem_array_range, extent, 40);

struct rcap_nvtx_mem_register_batch {
	uint16_t ext_compat_id;
	uint16_t struct_size;
	uint32_t region_type;
	void *heap;
	size_t region_count;
	size_t region_desc_element_size;
	const void *region_desc_elements;
	void **region_handle_elements_out; /* NULL if the program wants no handles */
};
RCAP_NVTX_IS_SIZED(rcap_nvtx_mem_register_batch, 48);
RCAP_NVTX_IS_AT(rcap_nvtx_mem_register_batch, region_type, 4);
RCAP_NVTX_IS_AT(rcap_nvtx_mem_register_batch, heap, 8);
RCAP_NVTX_IS_AT(rcap_nvtx_mem_register_batch, region_count, 16);
RCAP_NVTX_IS_AT(rcap_nvtx_mem_register_batch, region_desc_element_size, 24);
RCAP_NVTX_IS_AT(rcap_nvtx_mem_register_batch, region_desc_elements, 32);
RCAP_NVTX_IS_AT(rcap_nvtx_mem_register_batch, region_handle_elements_out, 40);

/* Argument of RegionsResize and CudaMarkInitialized. */
struct rcap_nvtx_mem_region_batch {
	uint16_t ext_compat_id;
	uint16_t struct_size;
	uint32_t region_type;
	size_t region_desc_count;
	size_t region_desc_element_size;
	const void *region_desc_elements;
};
RCAP_NVTX_IS_SIZED(rcap_nvtx_mem_region_batch, 32);
RCAP_NVTX_IS_AT(rcap_nvtx_mem_region_batch, region_type, 4);
RCAP_NVTX_IS_AT(rcap_nvtx_mem_region_batch, region_desc_count, 8);
RCAP_NVTX_IS_AT(rcap_nvtx_mem_region_batch, region_desc_element_size, 16);
RCAP_NVTX_IS_AT(rcap_nvtx_mem_region_batch, region_desc_elements, 24);

struct rcap_nvtx_mem_unregister_batch {
	uint16_t ext_compat_id;
	uint16_t struct_size;
	uint32_t ref_type; /* enum rcap_nvtx_mem_region_ref_type */
	size_t ref_count;
	size_t ref_element_size;
	const union rcap_nvtx_mem_region_ref *ref_elements;
};
RCAP_NVTX_IS_SIZED(rcap_nvtx_mem_unregister_batch, 32);
RCAP_NVTX_IS_AT(rcap_nvtx_mem_unregister_batch, ref_type, 4);
RCAP_NVTX_IS_AT(rcap_nvtx_mem_unregister_batch, ref_count, 8);
RCAP_NVTX_IS_AT(rcap_nvtx_mem_unregister_batch, ref_element_size, 16);
RCAP_NVTX_IS_AT(rcap_nvtx_mem_unregister_batch, ref_elements, 24);

struct rcap_nvtx_mem_name_desc {
	uint32_t region_ref_type;
	uint32_t name_type; /* like the message type of an event */
	union rcap_nvtx_mem_region_ref region;
	const void *name;
	uint32_t category;
	uint32_t reserved0;
};
RCAP_NVTX_IS_SIZED(rcap_nvtx_mem_name_desc, 32);
RCAP_NVTX_IS_AT(rcap_nvtx_mem_name_desc, name_type, 4);
RCAP_NVTX_IS_AT(rcap_nvtx_mem_name_desc, region, 8);
RCAP_NVTX_IS_AT(rcap_nvtx_mem_name_desc, name, 16);
RCAP_NVTX_IS_AT(rcap_nvtx_mem_name_desc, category, 24);

struct rcap_nvtx_mem_name_batch {
	uint16_t ext_compat_id;
	uint16_t struct_size;
	uint32_t reserved0;
	size_t region_count;
	size_t region_element_size;
	const struct rcap_nvtx_mem_name_desc *region_elements;
	size_t reserved1;
};
RCAP_NVTX_IS_SIZED(rcap_nvtx_mem_name_batch, 40);
RCAP_NVTX_IS_AT(rcap_nvtx_mem_name_batch, region_count, 8);
RCAP_NVTX_IS_AT(rcap_nvtx_mem_name_batch, region_element_size, 16);
RCAP_NVTX_IS_AT(rcap_nvtx_mem_name_batch, region_elements, 24);

struct rcap_nvtx_mem_assign_desc {
	uint32_t flags;
	uint32_t region_ref_type;
	union rcap_nvtx_mem_region_ref region;
};
RCAP_NVTX_IS_SIZED(rcap_nvtx_mem_assign_desc, 16);
RCAP_NVTX_IS_AT(rcap_nvtx_mem_assign_desc, region_ref_type, 4);
RCAP_NVTX_IS_AT(rcap_nvtx_mem_assign_desc, region, 8);

struct rcap_nvtx_mem_assign_batch {
	uint16_t ext_compat_id;
	uint16_t struct_size;
	uint32_t reserved0;
	void *permissions;
	size_t region_count;
	size_t region_element_size;
	const struct rcap_nvtx_mem_assign_desc *region_elements;
	size_t reserved1;
};
RCAP_NVTX_IS_SIZED(rcap_nvtx_mem_assign_batch, 48);
RCAP_NVTX_IS_AT(rcap_nvtx_mem_assign_batch, permissions, 8);
RCAP_NVTX_IS_AT(rcap_nvtx_mem_assign_batch, region_count, 16);
RCAP_NVTX_IS_AT(rcap_nvtx_mem_assign_batch, region_element_size, 24);
RCAP_NVTX_IS_AT(rcap_nvtx_mem_assign_batch, region_elements, 32);

enum rcap_nvtx_mem_heap_usage {
	RCAP_NVTX_MEM_HEAP_SUB_ALLOCATOR = 1,
	RCAP_NVTX_MEM_HEAP_LAYOUT = 2,
};

enum rcap_nvtx_mem_type {
	RCAP_NVTX_MEM_VIRTUAL_ADDRESS = 0x1,
	RCAP_NVTX_MEM_CUDA_ARRAY = 0x11,
	RCAP_NVTX_MEM_CU_ARRAY = 0x12,
};

enum rcap_nvtx_mem_region_ref_type {
	RCAP_NVTX_MEM_REF_POINTER = 1,
	RCAP_NVTX_MEM_REF_HANDLE = 2,
};

/* Permissions that are assigned. When permissions are created or bound, the first three values have
 * other meanings. */
enum rcap_nvtx_mem_permission {
	RCAP_NVTX_MEM_READ = 1,
	RCAP_NVTX_MEM_WRITE = 2,
	RCAP_NVTX_MEM_ATOMIC = 4,
	RCAP_NVTX_MEM_RESET = 8,
};

enum rcap_nvtx_mem_bind_scope {
	RCAP_NVTX_MEM_BIND_CPU_THREAD = 1,
	RCAP_NVTX_MEM_BIND_CUDA_STREAM = 2,
};

#endif
