/* SPDX-License-Identifier: MIT */
/*
 * NVTX annotations for C and C++ programs, on machines with and without CUDA: same names, types,
 * values and binary interface as NVTX version 3, no library to link.
 *
 *	#include <ranges/nvtx.h>
 *
 *	nvtxRangePushA("load");
 *	…
 *	nvtxRangePop();
 *
 * The first call of an executable or shared library ("unit") looks for a tool: the file named by
 * the environment variable NVTX_INJECTION64_PATH ("ranges run" sets it), else a tool linked with
 * the unit or the program. Without a tool every call costs a load and a branch; push and pop
 * return NVTX_NO_PUSH_POP_TRACKING, handles are NULL, range ids 0. With NVTX_DISABLE defined the
 * calls do nothing at all.
 *
 * This header has ranges, marks, names, domains and resources. Others have what few programs need:
 *
 *	ranges/nvtx-cuda.h, ranges/nvtx-cudart.h, ranges/nvtx-opencl.h   names of GPU objects
 *	ranges/nvtx-sync.h                                              locks of your own
 *	ranges/nvtx-payload.h                                           structured data on events
 *	ranges/nvtx-counters.h                                          values over time
 *	ranges/nvtx-mem.h                                               memory of your own allocator
 *
 * C99 or C++11 and later, gcc or clang. Programs for glibc older than 2.34 need -ldl.
 * A source file may use either this header or NVIDIA's <nvtx3/nvToolsExt.h>, not both; source files
 * of one program may differ.
 */
#ifndef RANGES_NVTX_H
#define RANGES_NVTX_H

#ifdef NVTX_VERSION
#error "ranges/nvtx.h: NVIDIA's nvToolsExt.h is included already; it offers the same, use one of the two"
#endif

#include <stddef.h>
#include <stdint.h>

#include <ranges/nvtx-detail-tool.h>

/* Names are NVTX's.
 * NOLINTBEGIN(readability-identifier-naming,bugprone-macro-parentheses) */

#define NVTX_VERSION 3

/* ---- Constants ---- */

#define NVTX_SUCCESS                              0
#define NVTX_FAIL                                 1
#define NVTX_ERR_INIT_LOAD_PROPERTY               2
#define NVTX_ERR_INIT_ACCESS_LIBRARY              3
#define NVTX_ERR_INIT_LOAD_LIBRARY                4
#define NVTX_ERR_INIT_MISSING_LIBRARY_ENTRY_POINT 5
#define NVTX_ERR_INIT_FAILED_LIBRARY_ENTRY_POINT  6
#define NVTX_ERR_NO_INJECTION_LIBRARY_AVAILABLE   7

/* Result of push and pop if no tool counts the depth. */
#define NVTX_NO_PUSH_POP_TRACKING (-2)

#ifdef __cplusplus
extern "C" {
#endif

typedef enum nvtxColorType_t {
	NVTX_COLOR_UNKNOWN = 0, /* the color field is not used */
	NVTX_COLOR_ARGB = 1,
} nvtxColorType_t;

typedef enum nvtxMessageType_t {
	NVTX_MESSAGE_UNKNOWN = 0,
	NVTX_MESSAGE_TYPE_ASCII = 1,   /* char, UTF-8 in practice */
	NVTX_MESSAGE_TYPE_UNICODE = 2, /* wchar_t */
	NVTX_MESSAGE_TYPE_REGISTERED = 3,
} nvtxMessageType_t;

typedef enum nvtxPayloadType_t {
	NVTX_PAYLOAD_UNKNOWN = 0,
	NVTX_PAYLOAD_TYPE_UNSIGNED_INT64 = 1,
	NVTX_PAYLOAD_TYPE_INT64 = 2,
	NVTX_PAYLOAD_TYPE_DOUBLE = 3,
	NVTX_PAYLOAD_TYPE_UNSIGNED_INT32 = 4,
	NVTX_PAYLOAD_TYPE_INT32 = 5,
	NVTX_PAYLOAD_TYPE_FLOAT = 6,
} nvtxPayloadType_t;

/* The type of a resource has the class in its upper 16 bits, and a number in its lower 16 bits. */
#define NVTX_RESOURCE_CLASS_GENERIC 1
#define NVTX_RESOURCE_MAKE_TYPE(class_name, idx)                                 \
	((RANGES_NVTX_VALUE(uint32_t, NVTX_RESOURCE_CLASS_##class_name) << 16) | \
	 RANGES_NVTX_VALUE(uint32_t, idx))

typedef enum nvtxResourceGenericType_t {
	NVTX_RESOURCE_TYPE_UNKNOWN = 0,
	NVTX_RESOURCE_TYPE_GENERIC_POINTER = NVTX_RESOURCE_MAKE_TYPE(GENERIC, 1),
	NVTX_RESOURCE_TYPE_GENERIC_HANDLE = NVTX_RESOURCE_MAKE_TYPE(GENERIC, 2),
	NVTX_RESOURCE_TYPE_GENERIC_THREAD_NATIVE = NVTX_RESOURCE_MAKE_TYPE(GENERIC, 3),
	NVTX_RESOURCE_TYPE_GENERIC_THREAD_POSIX = NVTX_RESOURCE_MAKE_TYPE(GENERIC, 4),
} nvtxResourceGenericType_t;

/* ---- Types ---- */

typedef uint64_t nvtxRangeId_t;

/* Handles are valid in all units of the process. For domains, NULL is the default domain. */
struct nvtxDomainRegistration_st;
typedef struct nvtxDomainRegistration_st nvtxDomainRegistration;
typedef nvtxDomainRegistration *nvtxDomainHandle_t;

struct nvtxStringRegistration_st;
typedef struct nvtxStringRegistration_st nvtxStringRegistration;
typedef nvtxStringRegistration *nvtxStringHandle_t;

struct nvtxResourceHandle;
typedef struct nvtxResourceHandle *nvtxResourceHandle_t;

typedef union nvtxMessageValue_t {
	const char *ascii;
	const wchar_t *unicode;
	nvtxStringHandle_t registered;
} nvtxMessageValue_t;

/* Describes a range or mark. Set everything to 0. Then set version, size, and what you want to
 * tell. */
typedef struct nvtxEventAttributes_v2 {
	uint16_t version; /* NVTX_VERSION */
	uint16_t size;    /* NVTX_EVENT_ATTRIB_STRUCT_SIZE */
	uint32_t category;
	int32_t colorType;   /* nvtxColorType_t */
	uint32_t color;      /* 0xAARRGGBB */
	int32_t payloadType; /* nvtxPayloadType_t */
	int32_t reserved0;
	union payload_t {
		uint64_t ullValue;
		int64_t llValue;
		double dValue;
		uint32_t uiValue;
		int32_t iValue;
		float fValue;
	} payload;
	int32_t messageType; /* nvtxMessageType_t */
	nvtxMessageValue_t message;
} nvtxEventAttributes_v2;
typedef struct nvtxEventAttributes_v2 nvtxEventAttributes_t;
#define NVTX_EVENT_ATTRIB_STRUCT_SIZE RANGES_NVTX_VALUE(uint16_t, sizeof(nvtxEventAttributes_t))

typedef struct nvtxResourceAttributes_v0 {
	uint16_t version; /* NVTX_VERSION */
	uint16_t size;    /* NVTX_RESOURCE_ATTRIB_STRUCT_SIZE */
	int32_t identifierType;
	union identifier_t {
		const void *pValue;
		uint64_t ullValue;
	} identifier;
	int32_t messageType; /* nvtxMessageType_t */
	nvtxMessageValue_t message;
} nvtxResourceAttributes_v0;
typedef struct nvtxResourceAttributes_v0 nvtxResourceAttributes_t;
#define NVTX_RESOURCE_ATTRIB_STRUCT_SIZE \
	RANGES_NVTX_VALUE(uint16_t, sizeof(nvtxResourceAttributes_t))

/* ---- The interface ---- */

/* Makes the tool start now, not at the first event. @reserved: NULL. */
RANGES_NVTX_DO(nvtxInitialize, CORE2, 15, (const void *reserved), (reserved))

/* Ranges of one thread. They nest. Each thread has a stack for each domain. Return: the depth of
 * the range (0 for the outermost); negative: an error, or no tracking. */
RANGES_NVTX_GET(int, NVTX_NO_PUSH_POP_TRACKING, nvtxRangePushA, CORE, 9, (const char *message),
                (message))
RANGES_NVTX_GET(int, NVTX_NO_PUSH_POP_TRACKING, nvtxRangePushW, CORE, 10, (const wchar_t *message),
                (message))
RANGES_NVTX_GET(int, NVTX_NO_PUSH_POP_TRACKING, nvtxRangePushEx, CORE, 8,
                (const nvtxEventAttributes_t *attributes), (attributes))
RANGES_NVTX_GET(int, NVTX_NO_PUSH_POP_TRACKING, nvtxRangePop, CORE, 11, (void), ())
RANGES_NVTX_GET(int, NVTX_NO_PUSH_POP_TRACKING, nvtxDomainRangePushEx, CORE2, 4,
                (nvtxDomainHandle_t domain, const nvtxEventAttributes_t *attributes),
                (domain, attributes))
RANGES_NVTX_GET(int, NVTX_NO_PUSH_POP_TRACKING, nvtxDomainRangePop, CORE2, 5,
                (nvtxDomainHandle_t domain), (domain))

/* Ranges of the process. They may overlap, and may end on another thread. */
RANGES_NVTX_GET(nvtxRangeId_t, 0, nvtxRangeStartA, CORE, 5, (const char *message), (message))
RANGES_NVTX_GET(nvtxRangeId_t, 0, nvtxRangeStartW, CORE, 6, (const wchar_t *message), (message))
RANGES_NVTX_GET(nvtxRangeId_t, 0, nvtxRangeStartEx, CORE, 4,
                (const nvtxEventAttributes_t *attributes), (attributes))
RANGES_NVTX_DO(nvtxRangeEnd, CORE, 7, (nvtxRangeId_t id), (id))
RANGES_NVTX_GET(nvtxRangeId_t, 0, nvtxDomainRangeStartEx, CORE2, 2,
                (nvtxDomainHandle_t domain, const nvtxEventAttributes_t *attributes),
                (domain, attributes))
RANGES_NVTX_DO(nvtxDomainRangeEnd, CORE2, 3, (nvtxDomainHandle_t domain, nvtxRangeId_t id),
               (domain, id))

/* Marks: instants with a name. */
RANGES_NVTX_DO(nvtxMarkA, CORE, 2, (const char *message), (message))
RANGES_NVTX_DO(nvtxMarkW, CORE, 3, (const wchar_t *message), (message))
RANGES_NVTX_DO(nvtxMarkEx, CORE, 1, (const nvtxEventAttributes_t *attributes), (attributes))
RANGES_NVTX_DO(nvtxDomainMarkEx, CORE2, 1,
               (nvtxDomainHandle_t domain, const nvtxEventAttributes_t *attributes),
               (domain, attributes))

/* Names of categories, which are numbers that the program chooses for each domain, and of threads,
 * given by the kernel's thread id. */
RANGES_NVTX_DO(nvtxNameCategoryA, CORE, 12, (uint32_t category, const char *name), (category, name))
RANGES_NVTX_DO(nvtxNameCategoryW, CORE, 13, (uint32_t category, const wchar_t *name),
               (category, name))
RANGES_NVTX_DO(nvtxDomainNameCategoryA, CORE2, 8,
               (nvtxDomainHandle_t domain, uint32_t category, const char *name),
               (domain, category, name))
RANGES_NVTX_DO(nvtxDomainNameCategoryW, CORE2, 9,
               (nvtxDomainHandle_t domain, uint32_t category, const wchar_t *name),
               (domain, category, name))
RANGES_NVTX_DO(nvtxNameOsThreadA, CORE, 14, (uint32_t thread_id, const char *name),
               (thread_id, name))
RANGES_NVTX_DO(nvtxNameOsThreadW, CORE, 15, (uint32_t thread_id, const wchar_t *name),
               (thread_id, name))

/* Domains are name spaces for libraries. Each has its own stacks, categories and registered
 * strings. */
RANGES_NVTX_GET(nvtxDomainHandle_t, RANGES_NVTX_NULL, nvtxDomainCreateA, CORE2, 12,
                (const char *name), (name))
RANGES_NVTX_GET(nvtxDomainHandle_t, RANGES_NVTX_NULL, nvtxDomainCreateW, CORE2, 13,
                (const wchar_t *name), (name))
RANGES_NVTX_DO(nvtxDomainDestroy, CORE2, 14, (nvtxDomainHandle_t domain), (domain))

/* Registers a name that is used often. It is then passed as a handle. */
RANGES_NVTX_GET(nvtxStringHandle_t, RANGES_NVTX_NULL, nvtxDomainRegisterStringA, CORE2, 10,
                (nvtxDomainHandle_t domain, const char *text), (domain, text))
RANGES_NVTX_GET(nvtxStringHandle_t, RANGES_NVTX_NULL, nvtxDomainRegisterStringW, CORE2, 11,
                (nvtxDomainHandle_t domain, const wchar_t *text), (domain, text))

/* Name objects of the program. */
RANGES_NVTX_GET(nvtxResourceHandle_t, RANGES_NVTX_NULL, nvtxDomainResourceCreate, CORE2, 6,
                (nvtxDomainHandle_t domain, nvtxResourceAttributes_t *attributes),
                (domain, attributes))
RANGES_NVTX_DO(nvtxDomainResourceDestroy, CORE2, 7, (nvtxResourceHandle_t resource), (resource))

#ifdef __cplusplus
}
#endif

/* Functions without a suffix take wide strings in a source file that defines UNICODE, as in
 * NVTX. */
#ifdef UNICODE
#define nvtxMark                 nvtxMarkW
#define nvtxRangeStart           nvtxRangeStartW
#define nvtxRangePush            nvtxRangePushW
#define nvtxNameCategory         nvtxNameCategoryW
#define nvtxNameOsThread         nvtxNameOsThreadW
#define nvtxDomainCreate         nvtxDomainCreateW
#define nvtxDomainRegisterString nvtxDomainRegisterStringW
#define nvtxDomainNameCategory   nvtxDomainNameCategoryW
#else
#define nvtxMark                 nvtxMarkA
#define nvtxRangeStart           nvtxRangeStartA
#define nvtxRangePush            nvtxRangePushA
#define nvtxNameCategory         nvtxNameCategoryA
#define nvtxNameOsThread         nvtxNameOsThreadA
#define nvtxDomainCreate         nvtxDomainCreateA
#define nvtxDomainRegisterString nvtxDomainRegisterStringA
#define nvtxDomainNameCategory   nvtxDomainNameCategoryA
#endif

/* NOLINTEND(readability-identifier-naming,bugprone-macro-parentheses) */

#endif
