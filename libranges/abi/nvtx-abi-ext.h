/* SPDX-License-Identifier: MIT */
/*
 * NVTX's extensions payload, counters and mem, as an injection library sees them: how a library
 * enters them, and the numbers of their functions. nvtx-abi.h has the core.
 *
 * All structures come from the program and may be garbage: read them with care.
 * tests/nvtx/test-nvtx-abi.sh compares every number and layout here with NVIDIA's headers.
 */
#ifndef RCAP_NVTX_ABI_EXT_H
#define RCAP_NVTX_ABI_EXT_H

#include <stddef.h>
#include <stdint.h>

#include "libranges/abi/nvtx-abi-counters.h"
#include "libranges/abi/nvtx-abi-layout.h"
#include "libranges/abi/nvtx-abi-payload.h"

/* ---- How extensions are entered ---- */

enum rcap_nvtx_ext_module {
	RCAP_NVTX_EXT_MEM = 1,
	RCAP_NVTX_EXT_PAYLOAD = 2,
	RCAP_NVTX_EXT_COUNTERS = 4,
};

/* Versions of extensions: that of CUDA 13.0, and an older one with the same layout that many
 * programs include. */
enum rcap_nvtx_ext_compat {
	RCAP_NVTX_COMPAT_MEM = 0x0102,
	RCAP_NVTX_COMPAT_PAYLOAD = 0x0104,
	RCAP_NVTX_COMPAT_PAYLOAD_OLD = 0x0103,
	RCAP_NVTX_COMPAT_COUNTERS = 0x0102,
};

/* Slots hold functions as integers. 0 means not set, 1 switched off. The number of slots differs
 * among versions, so check each id against slot_count. Ids of segments carry no meaning: mem's only
 * segment has id 1, those of the other extensions have id 0. */
struct rcap_nvtx_ext_segment {
	size_t segment_id;
	size_t slot_count;
	intptr_t *slots;
};
RCAP_NVTX_IS_SIZED(rcap_nvtx_ext_segment, 24);
RCAP_NVTX_IS_AT(rcap_nvtx_ext_segment, slot_count, 8);
RCAP_NVTX_IS_AT(rcap_nvtx_ext_segment, slots, 16);

/* The program has this struct and the segments on its stack. Only the slots stay valid after the
 * call. */
struct rcap_nvtx_ext_info {
	uint16_t nvtx_version;
	uint16_t struct_size;
	uint16_t module_id;
	uint16_t compat_id;
	size_t segment_count;
	struct rcap_nvtx_ext_segment *segments;
	intptr_t (*get_export_function)(uint32_t id); /* NULL in all versions so far */
	const void *ext_info;                         /* for payload: a table of
	                                               * rcap_nvtx_type_info */
};
RCAP_NVTX_IS_SIZED(rcap_nvtx_ext_info, 40);
RCAP_NVTX_IS_AT(rcap_nvtx_ext_info, struct_size, 2);
RCAP_NVTX_IS_AT(rcap_nvtx_ext_info, module_id, 4);
RCAP_NVTX_IS_AT(rcap_nvtx_ext_info, compat_id, 6);
RCAP_NVTX_IS_AT(rcap_nvtx_ext_info, segment_count, 8);
RCAP_NVTX_IS_AT(rcap_nvtx_ext_info, segments, 16);
RCAP_NVTX_IS_AT(rcap_nvtx_ext_info, get_export_function, 24);
RCAP_NVTX_IS_AT(rcap_nvtx_ext_info, ext_info, 32);

/* Size and alignment of a C type in the compiler that built the program. The table is indexed by
 * entry type. Both are 0 if the compiler lacks the type. Element 0 of the table is { number of
 * elements, bytes of an element }. */
struct rcap_nvtx_type_info {
	uint16_t size;
	uint16_t align;
};
RCAP_NVTX_IS_SIZED(rcap_nvtx_type_info, 4);
RCAP_NVTX_IS_AT(rcap_nvtx_type_info, align, 2);

enum {
	RCAP_NVTX_TYPE_INFO_COUNT = 28
};

#endif
