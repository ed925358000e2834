/* SPDX-License-Identifier: MIT */
/*
 * How your own allocator uses memory, as NVTX 3's mem extension takes it: heaps, regions in them,
 * and who may access them. Replaces NVTX's nvToolsExtMem.h and nvToolsExtMemCudaRt.h.
 *
 *	nvtxMemVirtualRangeDesc_t range = { size, address };
 *	nvtxMemHeapDesc_t heap = { 0 };
 *
 *	heap.extCompatID = NVTX_EXT_COMPATID_MEM;
 *	heap.structSize = sizeof(heap);
 *	heap.usage = NVTX_MEM_HEAP_USAGE_TYPE_SUB_ALLOCATOR;
 *	heap.type = NVTX_MEM_TYPE_VIRTUAL_ADDRESS;
 *	heap.typeSpecificDescSize = sizeof(range);
 *	heap.typeSpecificDesc = &range;
 *	pool = nvtxMemHeapRegister(domain, &heap);
 *
 * CUDA's headers are not needed, and may be included before or after this header or not at all.
 * Without a tool a call costs a load and a branch, and handles are NULL.
 */
#ifndef RANGES_NVTX_MEM_H
#define RANGES_NVTX_MEM_H

#include <ranges/nvtx-detail-ext.h>

/* Names are NVTX's and CUDA's.
 * NOLINTBEGIN(readability-identifier-naming,bugprone-macro-parentheses,performance-no-int-to-ptr)
 */

#ifdef __cplusplus
extern "C" {
#endif

#define NVTX_EXT_MODULEID_MEM 1
#define NVTX_EXT_COMPATID_MEM 0x0102

struct CUstream_st;
struct CUarray_st;
struct cudaArray;

/* ---- Handles ---- */

struct nvtxMemHeap_v1;
typedef struct nvtxMemHeap_v1 nvtxMemHeap_t;
typedef nvtxMemHeap_t *nvtxMemHeapHandle_t;

struct nvtxMemRegion_v1;
typedef struct nvtxMemRegion_v1 nvtxMemRegion_t;
typedef nvtxMemRegion_t *nvtxMemRegionHandle_t;

struct nvtxMemPermissions_v1;
typedef struct nvtxMemPermissions_v1 nvtxMemPermissions_t;
typedef nvtxMemPermissions_t *nvtxMemPermissionsHandle_t;

/* A region, given by its address or by the handle from its registration. The member next to this
 * union says which. */
typedef union nvtxMemRegionRef_t {
	void const *pointer;
	nvtxMemRegionHandle_t handle;
} nvtxMemRegionRef_t;

/* The handle that means "no tool". Functions without a tool return NULL. */
#define NVTX_MEM_HEAP_HANDLE_NO_TOOL \
	RANGES_NVTX_CAST(nvtxMemHeapHandle_t, RANGES_NVTX_VALUE(intptr_t, -1))
#define NVTX_MEM_REGION_HANDLE_NO_TOOL \
	RANGES_NVTX_CAST(nvtxMemRegionHandle_t, RANGES_NVTX_VALUE(intptr_t, -1))
#define NVTX_MEM_PERMISSIONS_HANDLE_NO_TOOL \
	RANGES_NVTX_CAST(nvtxMemPermissionsHandle_t, RANGES_NVTX_VALUE(intptr_t, -1))

/* The heap of all addresses of the process, and the permissions of everything that may access
 * them. */
#define NVTX_MEM_HEAP_HANDLE_PROCESS_WIDE        RANGES_NVTX_VALUE(nvtxMemHeapHandle_t, 0)
#define NVTX_MEM_PERMISSIONS_HANDLE_PROCESS_WIDE RANGES_NVTX_VALUE(nvtxMemPermissionsHandle_t, 0)

/* ---- Numbers ---- */

#define NVTX_MEM_HEAP_USAGE_UNKNOWN            0x0
#define NVTX_MEM_HEAP_USAGE_TYPE_SUB_ALLOCATOR 0x1 /* only its regions are accessed */
#define NVTX_MEM_HEAP_USAGE_TYPE_LAYOUT        0x2 /* all of it is accessed */

/* Which struct describes a heap or region: nvtxMemVirtualRangeDesc_t, nvtxMemCudaArrayRangeDesc_t
 * or nvtxMemCuArrayRangeDesc_t. */
#define NVTX_MEM_TYPE_UNKNOWN         0x0
#define NVTX_MEM_TYPE_VIRTUAL_ADDRESS 0x1
#define NVTX_MEM_TYPE_CUDA_ARRAY      0x11
#define NVTX_MEM_TYPE_CU_ARRAY        0x12

#define NVTX_MEM_REGION_REF_TYPE_UNKNOWN 0x0
#define NVTX_MEM_REGION_REF_TYPE_POINTER 0x1
#define NVTX_MEM_REGION_REF_TYPE_HANDLE  0x2

#define NVTX_MEM_PERMISSIONS_CREATE_FLAGS_NONE                  0x0
#define NVTX_MEM_PERMISSIONS_CREATE_FLAGS_EXCLUDE_GLOBAL_READ   0x1
#define NVTX_MEM_PERMISSIONS_CREATE_FLAGS_EXCLUDE_GLOBAL_WRITE  0x2
#define NVTX_MEM_PERMISSIONS_CREATE_FLAGS_EXCLUDE_GLOBAL_ATOMIC 0x4

/* RESET: as before the first assignment. */
#define NVTX_MEM_PERMISSIONS_REGION_FLAGS_NONE   0x0
#define NVTX_MEM_PERMISSIONS_REGION_FLAGS_READ   0x1
#define NVTX_MEM_PERMISSIONS_REGION_FLAGS_WRITE  0x2
#define NVTX_MEM_PERMISSIONS_REGION_FLAGS_ATOMIC 0x4
#define NVTX_MEM_PERMISSIONS_REGION_FLAGS_RESET  0x8

/* STRICT: this kind of access inherits nothing. */
#define NVTX_MEM_PERMISSIONS_BIND_FLAGS_NONE          0x0
#define NVTX_MEM_PERMISSIONS_BIND_FLAGS_STRICT_READ   0x1
#define NVTX_MEM_PERMISSIONS_BIND_FLAGS_STRICT_WRITE  0x2
#define NVTX_MEM_PERMISSIONS_BIND_FLAGS_STRICT_ATOMIC 0x4

#define NVTX_MEM_PERMISSIONS_BIND_SCOPE_UNKNOWN     0x0
#define NVTX_MEM_PERMISSIONS_BIND_SCOPE_CPU_THREAD  0x1
#define NVTX_MEM_PERMISSIONS_BIND_SCOPE_CUDA_STREAM 0x2

#define NVTX_MEM_CUDA_PEER_ALL_DEVICES (-1)

/* ---- Descriptions; set reserved fields to 0 ---- */

typedef struct nvtxMemVirtualRangeDesc_v1 {
	size_t size;
	void const *ptr;
} nvtxMemVirtualRangeDesc_v1;
typedef nvtxMemVirtualRangeDesc_v1 nvtxMemVirtualRangeDesc_t;

typedef struct nvtxMemCudaArrayRangeDesc_v1 {
	uint16_t extCompatID; /* NVTX_EXT_COMPATID_MEM; the same in the structs below */
	uint16_t structSize;
	uint32_t reserved0;
	struct cudaArray *src; /* cudaArray_t */
	size_t offset[3];
	size_t extent[3];
} nvtxMemCudaArrayRangeDesc_v1;
typedef nvtxMemCudaArrayRangeDesc_v1 nvtxMemCudaArrayRangeDesc_t;

typedef struct nvtxMemCuArrayRangeDesc_v1 {
	uint16_t extCompatID;
	uint16_t structSize;
	uint32_t reserved0;
	struct CUarray_st *src; /* CUarray */
	size_t offset[3];
	size_t extent[3];
} nvtxMemCuArrayRangeDesc_v1;
typedef nvtxMemCuArrayRangeDesc_v1 nvtxMemCuArrayRangeDesc_t;

typedef struct nvtxMemHeapDesc_v1 {
	uint16_t extCompatID;
	uint16_t structSize;
	uint32_t reserved0;
	uint32_t usage; /* NVTX_MEM_HEAP_USAGE_… */
	uint32_t type;  /* NVTX_MEM_TYPE_… */
	size_t typeSpecificDescSize;
	void const *typeSpecificDesc;
	uint32_t category;
	uint32_t messageType; /* nvtxMessageType_t */
	nvtxMessageValue_t message;
} nvtxMemHeapDesc_v1;
typedef nvtxMemHeapDesc_v1 nvtxMemHeapDesc_t;

typedef struct nvtxMemRegionsRegisterBatch_v1 {
	uint16_t extCompatID;
	uint16_t structSize;
	uint32_t regionType; /* NVTX_MEM_TYPE_… */
	nvtxMemHeapHandle_t heap;
	size_t regionCount;
	size_t regionDescElementSize;
	void const *regionDescElements;
	/* Gets regionCount handles. May be NULL for virtual addresses. */
	nvtxMemRegionHandle_t *regionHandleElementsOut;
} nvtxMemRegionsRegisterBatch_v1;
typedef nvtxMemRegionsRegisterBatch_v1 nvtxMemRegionsRegisterBatch_t;

typedef struct nvtxMemRegionsResizeBatch_v1 {
	uint16_t extCompatID;
	uint16_t structSize;
	uint32_t regionType;
	size_t regionDescCount;
	size_t regionDescElementSize;
	void const *regionDescElements;
} nvtxMemRegionsResizeBatch_v1;
typedef nvtxMemRegionsResizeBatch_v1 nvtxMemRegionsResizeBatch_t;

typedef struct nvtxMemRegionsUnregisterBatch_v1 {
	uint16_t extCompatID;
	uint16_t structSize;
	uint32_t refType; /* NVTX_MEM_REGION_REF_TYPE_… */
	size_t refCount;
	size_t refElementSize;
	nvtxMemRegionRef_t const *refElements;
} nvtxMemRegionsUnregisterBatch_v1;
typedef nvtxMemRegionsUnregisterBatch_v1 nvtxMemRegionsUnregisterBatch_t;

typedef struct nvtxMemRegionNameDesc_v1 {
	uint32_t regionRefType;
	uint32_t nameType; /* nvtxMessageType_t */
	nvtxMemRegionRef_t region;
	nvtxMessageValue_t name;
	uint32_t category;
	uint32_t reserved0;
} nvtxMemRegionNameDesc_v1;
typedef nvtxMemRegionNameDesc_v1 nvtxMemRegionNameDesc_t;

typedef struct nvtxMemRegionsNameBatch_v1 {
	uint16_t extCompatID;
	uint16_t structSize;
	uint32_t reserved0;
	size_t regionCount;
	size_t regionElementSize;
	nvtxMemRegionNameDesc_t const *regionElements;
	size_t reserved1;
} nvtxMemRegionsNameBatch_v1;
typedef nvtxMemRegionsNameBatch_v1 nvtxMemRegionsNameBatch_t;

typedef struct nvtxMemPermissionsAssignRegionDesc_v1 {
	uint32_t flags; /* NVTX_MEM_PERMISSIONS_REGION_FLAGS_… */
	uint32_t regionRefType;
	nvtxMemRegionRef_t region;
} nvtxMemPermissionsAssignRegionDesc_v1;
typedef nvtxMemPermissionsAssignRegionDesc_v1 nvtxMemPermissionsAssignRegionDesc_t;

typedef struct nvtxMemPermissionsAssignBatch_v1 {
	uint16_t extCompatID;
	uint16_t structSize;
	uint32_t reserved0;
	nvtxMemPermissionsHandle_t permissions;
	size_t regionCount;
	size_t regionElementSize;
	nvtxMemPermissionsAssignRegionDesc_t const *regionElements;
	size_t reserved1;
} nvtxMemPermissionsAssignBatch_v1;
typedef nvtxMemPermissionsAssignBatch_v1 nvtxMemPermissionsAssignBatch_t;

typedef struct nvtxMemMarkInitializedBatch_v1 {
	uint16_t extCompatID;
	uint16_t structSize;
	uint32_t regionType;
	size_t regionDescCount;
	size_t regionDescElementSize;
	void const *regionDescElements;
} nvtxMemMarkInitializedBatch_v1;
typedef nvtxMemMarkInitializedBatch_v1 nvtxMemMarkInitializedBatch_t;

/* ---- Start ---- */

#define NVTX3EXT_CBID_nvtxMemHeapRegister                  0
#define NVTX3EXT_CBID_nvtxMemHeapUnregister                1
#define NVTX3EXT_CBID_nvtxMemHeapReset                     2
#define NVTX3EXT_CBID_nvtxMemRegionsRegister               3
#define NVTX3EXT_CBID_nvtxMemRegionsResize                 4
#define NVTX3EXT_CBID_nvtxMemRegionsUnregister             5
#define NVTX3EXT_CBID_nvtxMemRegionsName                   6
#define NVTX3EXT_CBID_nvtxMemPermissionsAssign             7
#define NVTX3EXT_CBID_nvtxMemPermissionsCreate             8
#define NVTX3EXT_CBID_nvtxMemPermissionsDestroy            9
#define NVTX3EXT_CBID_nvtxMemPermissionsReset              10
#define NVTX3EXT_CBID_nvtxMemPermissionsBind               11
#define NVTX3EXT_CBID_nvtxMemPermissionsUnbind             12
#define NVTX3EXT_CBID_nvtxMemCudaGetProcessWidePermissions 13
#define NVTX3EXT_CBID_nvtxMemCudaGetDeviceWidePermissions  14
#define NVTX3EXT_CBID_nvtxMemCudaSetPeerAccess             15
#define NVTX3EXT_CBID_nvtxMemCudaMarkInitialized           16

#ifndef NVTX_DISABLE

RANGES_NVTX_SHARED struct ranges_nvtx_ext ranges_nvtx_mem_1;

int ranges_nvtx_mem_start_1(void);

RANGES_NVTX_COLD int ranges_nvtx_mem_start_1(void)
{
	struct ranges_nvtx_ext_about about = {
		&ranges_nvtx_mem_1,
		NVTX_EXT_MODULEID_MEM,
		NVTX_EXT_COMPATID_MEM,
		1, /* segment of this extension; other extensions have another one */
		RANGES_NVTX_NULL,
		0,
		0,
	};

	return ranges_nvtx_pass_2(&ranges_nvtx_mem_1.gate, ranges_nvtx_ext_run_1, &about);
}

static inline intptr_t ranges_nvtx_mem_borrow_slot(int slot)
{
	return ranges_nvtx_ext_borrow_slot(&ranges_nvtx_mem_1, ranges_nvtx_mem_start_1, slot);
}

#else

static inline intptr_t ranges_nvtx_mem_borrow_slot(int slot)
{
	(void) slot;
	return 0;
}

#endif

/* ---- Heaps and regions ---- */

RANGES_NVTX_EXT_GET(nvtxMemHeapHandle_t, RANGES_NVTX_NULL, mem, nvtxMemHeapRegister,
                    (nvtxDomainHandle_t domain, nvtxMemHeapDesc_t const *desc), (domain, desc))
RANGES_NVTX_EXT_DO(mem, nvtxMemHeapUnregister,
                   (nvtxDomainHandle_t domain, nvtxMemHeapHandle_t heap), (domain, heap))
/* Makes the heap as it was after its registration: without regions. */
RANGES_NVTX_EXT_DO(mem, nvtxMemHeapReset, (nvtxDomainHandle_t domain, nvtxMemHeapHandle_t heap),
                   (domain, heap))
/* These register, resize, end and name regions. Regions are parts of a heap that the program
 * uses. */
RANGES_NVTX_EXT_DO(mem, nvtxMemRegionsRegister,
                   (nvtxDomainHandle_t domain, nvtxMemRegionsRegisterBatch_t const *desc),
                   (domain, desc))
RANGES_NVTX_EXT_DO(mem, nvtxMemRegionsResize,
                   (nvtxDomainHandle_t domain, nvtxMemRegionsResizeBatch_t const *desc),
                   (domain, desc))
RANGES_NVTX_EXT_DO(mem, nvtxMemRegionsUnregister,
                   (nvtxDomainHandle_t domain, nvtxMemRegionsUnregisterBatch_t const *desc),
                   (domain, desc))
RANGES_NVTX_EXT_DO(mem, nvtxMemRegionsName,
                   (nvtxDomainHandle_t domain, nvtxMemRegionsNameBatch_t const *desc),
                   (domain, desc))

/* ---- Permissions ---- */

RANGES_NVTX_EXT_DO(mem, nvtxMemPermissionsAssign,
                   (nvtxDomainHandle_t domain, nvtxMemPermissionsAssignBatch_t const *desc),
                   (domain, desc))
RANGES_NVTX_EXT_GET(nvtxMemPermissionsHandle_t, RANGES_NVTX_NULL, mem, nvtxMemPermissionsCreate,
                    (nvtxDomainHandle_t domain, int32_t creationflags), (domain, creationflags))
RANGES_NVTX_EXT_DO(mem, nvtxMemPermissionsDestroy,
                   (nvtxDomainHandle_t domain, nvtxMemPermissionsHandle_t permissionsHandle),
                   (domain, permissionsHandle))
RANGES_NVTX_EXT_DO(mem, nvtxMemPermissionsReset,
                   (nvtxDomainHandle_t domain, nvtxMemPermissionsHandle_t permissionsHandle),
                   (domain, permissionsHandle))
/* These use permissions for this thread, or for the streams that it uses. */
RANGES_NVTX_EXT_DO(mem, nvtxMemPermissionsBind,
                   (nvtxDomainHandle_t domain, nvtxMemPermissionsHandle_t permissions,
                    uint32_t bindScope, uint32_t bindFlags),
                   (domain, permissions, bindScope, bindFlags))
RANGES_NVTX_EXT_DO(mem, nvtxMemPermissionsUnbind, (nvtxDomainHandle_t domain, uint32_t bindScope),
                   (domain, bindScope))

/* ---- CUDA ---- */

RANGES_NVTX_EXT_GET(nvtxMemPermissionsHandle_t, RANGES_NVTX_NULL, mem,
                    nvtxMemCudaGetProcessWidePermissions, (nvtxDomainHandle_t domain), (domain))
RANGES_NVTX_EXT_GET(nvtxMemPermissionsHandle_t, RANGES_NVTX_NULL, mem,
                    nvtxMemCudaGetDeviceWidePermissions, (nvtxDomainHandle_t domain, int device),
                    (domain, device))
/* @devicePeer: a device, or NVTX_MEM_CUDA_PEER_ALL_DEVICES. @flags: as for a region. */
RANGES_NVTX_EXT_DO(mem, nvtxMemCudaSetPeerAccess,
                   (nvtxDomainHandle_t domain, nvtxMemPermissionsHandle_t permissions,
                    int devicePeer, uint32_t flags),
                   (domain, permissions, devicePeer, flags))
/* Notes that the regions have contents from here on, in the order of the stream (a
 * cudaStream_t). */
RANGES_NVTX_EXT_DO(mem, nvtxMemCudaMarkInitialized,
                   (nvtxDomainHandle_t domain, struct CUstream_st *stream,
                    uint8_t isPerThreadStream, nvtxMemMarkInitializedBatch_t const *desc),
                   (domain, stream, isPerThreadStream, desc))

#ifdef __cplusplus
}
#endif

/* NOLINTEND(readability-identifier-naming,bugprone-macro-parentheses,performance-no-int-to-ptr) */

#endif
