/* SPDX-License-Identifier: MIT */
/* Parts of nvtx-all, a program that calls every function of NVTX; and which headers it uses. */
#ifndef NVTX_ALL_H
#define NVTX_ALL_H

#ifdef NVIDIA_HEADER
/* NVIDIA's macro for C lacks a parenthesis in CUDA 13.0. */
#ifndef __cplusplus
#define NVTX_POINTER_AS_PAYLOAD_ULLVALUE(p) ((uint64_t) (uintptr_t) (p))
#endif
#include <nvtx3/nvToolsExt.h>
#include <nvtx3/nvToolsExtCounters.h>
#include <nvtx3/nvToolsExtCuda.h>
#include <nvtx3/nvToolsExtCudaRt.h>
#include <nvtx3/nvToolsExtMem.h>
#include <nvtx3/nvToolsExtMemCudaRt.h>
#include <nvtx3/nvToolsExtOpenCL.h>
#include <nvtx3/nvToolsExtPayload.h>
#include <nvtx3/nvToolsExtSemanticsCounters.h>
#include <nvtx3/nvToolsExtSemanticsScope.h>
#include <nvtx3/nvToolsExtSemanticsTime.h>
#include <nvtx3/nvToolsExtSync.h>
/* In NVIDIA's header they overflow to wrong values. */
#undef NVTX_COUNTER_BATCH_FLAG_BEGINTIME_INTERVAL_PAIR
#define NVTX_COUNTER_BATCH_FLAG_BEGINTIME_INTERVAL_PAIR ((uint64_t) 1 << 32)
#undef NVTX_COUNTER_BATCH_FLAG_ENDTIME_INTERVAL_PAIR
#define NVTX_COUNTER_BATCH_FLAG_ENDTIME_INTERVAL_PAIR ((uint64_t) 2 << 32)
#else
#include <ranges/nvtx-counters.h>
#include <ranges/nvtx-cuda.h>
#include <ranges/nvtx-cudart.h>
#include <ranges/nvtx-mem.h>
#include <ranges/nvtx-opencl.h>
#include <ranges/nvtx-payload.h>
#include <ranges/nvtx-sync.h>
#include <ranges/nvtx.h>
#endif

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* A group of calls, by its name on the command line. */
struct nvtx_all_group {
	const char *name;
	void (*run)(void);
};

/* Each list ends with a group without a name. */
extern const struct nvtx_all_group nvtx_all_core_groups[];
extern const struct nvtx_all_group nvtx_all_payload_groups[];
extern const struct nvtx_all_group nvtx_all_layout_groups[];
extern const struct nvtx_all_group nvtx_all_event_groups[];
extern const struct nvtx_all_group nvtx_all_other_groups[];

/* The domain of a group: "all.<name>". */
nvtxDomainHandle_t nvtx_all_make_domain(const char *name);

/* Attributes with nothing but a message. */
nvtxEventAttributes_t nvtx_all_make_event(const char *message);

/*
 * Registers a schema of the layout type (NVTX_PAYLOAD_SCHEMA_TYPE_…). @size: bytes of a payload, 0:
 * they vary. Return: the id, of the tool's choice.
 */
uint64_t nvtx_all_register(nvtxDomainHandle_t domain, const char *name, uint64_t type,
                           const nvtxPayloadSchemaEntry_t *entries, size_t count, size_t size);

/* Registers a static schema, with an id of the program's choice. */
uint64_t nvtx_all_register_as(nvtxDomainHandle_t domain, uint64_t id, const char *name,
                              const nvtxPayloadSchemaEntry_t *entries, size_t count, size_t size);

/* A mark with one payload, through attributes. */
void nvtx_all_mark(nvtxDomainHandle_t domain, const char *message, uint64_t schema,
                   const void *payload, size_t size);

/* The same with several. */
void nvtx_all_mark_several(nvtxDomainHandle_t domain, const char *message,
                           const nvtxPayloadData_t *payloads, int count);

/* Makes an entry from few arguments. */
#define NVTX_ALL_ENTRY(type, name, offset)                                           \
	{                                                                            \
		0, NVTX_PAYLOAD_ENTRY_TYPE_##type, name, NULL, 0, offset, NULL, NULL \
	}
#define NVTX_ALL_FLAGGED(flags, type, name, detail, offset)                                  \
	{                                                                                    \
		NVTX_PAYLOAD_ENTRY_FLAG_##flags, NVTX_PAYLOAD_ENTRY_TYPE_##type, name, NULL, \
			detail, offset, NULL, NULL                                           \
	}

#define NVTX_ALL_COUNT(array) (sizeof(array) / sizeof((array)[0]))

#endif
