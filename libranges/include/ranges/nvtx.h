/* SPDX-License-Identifier: MIT */
/*
 * NVTX annotations for C and C++ programs, on machines with and without CUDA: same names, types,
 * values and binary interface as the core of NVTX version 3, no library to link.
 *
 *	#include <ranges/nvtx.h>
 *
 *	nvtxRangePushA("load");
 *	…
 *	nvtxRangePop();
 *
 * The first call of an executable or shared library ("unit") looks for a tool: the file named by
 * the environment variable NVTX_INJECTION64_PATH ("ranges run" sets it), else a tool that is linked
 * with the unit or the program. Without a tool every call costs a load and a branch; push and pop
 * return NVTX_NO_PUSH_POP_TRACKING, handles are NULL, range ids 0. With NVTX_DISABLE defined the
 * calls do nothing at all.
 *
 * C99 or C++11 and later, gcc or clang. Programs for glibc older than 2.34 need -ldl.
 * Use either this header or NVIDIA's <nvtx3/nvToolsExt.h> in a source file, not both; different
 * source files of one program may differ.
 */
#ifndef RANGES_NVTX_H
#define RANGES_NVTX_H

#ifdef NVTX_VERSION
#error "ranges/nvtx.h: NVIDIA's nvToolsExt.h is included already; it offers the same, use one of the two"
#endif

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

/* Names are NVTX's; getenv is all ISO C has. */
/* NOLINTBEGIN(readability-identifier-naming,bugprone-macro-parentheses,concurrency-mt-unsafe)
 */

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

/* What push and pop return when no tool counts the depth. */
#define NVTX_NO_PUSH_POP_TRACKING (-2)

#ifdef __cplusplus
#define RANGES_NVTX_CAST(type, value) reinterpret_cast<type>(value)
#define RANGES_NVTX_U16(value)        static_cast<uint16_t>(value)
#define RANGES_NVTX_NULL              nullptr
extern "C" {
#else
#define RANGES_NVTX_CAST(type, value) ((type) (value))
#define RANGES_NVTX_U16(value)        ((uint16_t) (value))
#define RANGES_NVTX_NULL              NULL
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

/* A resource's type is its class in the upper 16 bits and a number in the lower ones. */
#define NVTX_RESOURCE_CLASS_GENERIC              1
#define NVTX_RESOURCE_MAKE_TYPE(class_name, idx) ((NVTX_RESOURCE_CLASS_##class_name << 16) | (idx))

typedef enum nvtxResourceGenericType_t {
	NVTX_RESOURCE_TYPE_UNKNOWN = 0,
	NVTX_RESOURCE_TYPE_GENERIC_POINTER = NVTX_RESOURCE_MAKE_TYPE(GENERIC, 1),
	NVTX_RESOURCE_TYPE_GENERIC_HANDLE = NVTX_RESOURCE_MAKE_TYPE(GENERIC, 2),
	NVTX_RESOURCE_TYPE_GENERIC_THREAD_NATIVE = NVTX_RESOURCE_MAKE_TYPE(GENERIC, 3),
	NVTX_RESOURCE_TYPE_GENERIC_THREAD_POSIX = NVTX_RESOURCE_MAKE_TYPE(GENERIC, 4),
} nvtxResourceGenericType_t;

/* ---- Types ---- */

typedef uint64_t nvtxRangeId_t;

/* Handles are valid in all units of the process. NULL is the default domain. */
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

/* Of a range or mark. Set everything to 0, then version, size, and what you want to say. */
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
#define NVTX_EVENT_ATTRIB_STRUCT_SIZE RANGES_NVTX_U16(sizeof(nvtxEventAttributes_t))

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
#define NVTX_RESOURCE_ATTRIB_STRUCT_SIZE RANGES_NVTX_U16(sizeof(nvtxResourceAttributes_t))

/* ---- Finding a tool ---- */

/* What a tool exports: asks for tables of function pointers, sets those it wants; returns nonzero
 * if it will work. */
typedef const void *(*ranges_nvtx_get_table_fn)(uint32_t table_id);
typedef int (*ranges_nvtx_entry_fn)(ranges_nvtx_get_table_fn get_table);

typedef void (*ranges_nvtx_fn)(void);

enum {
	RANGES_NVTX_CORE = 0,
	RANGES_NVTX_CORE2 = 1,
	RANGES_NVTX_MODULES = 2,
	RANGES_NVTX_SLOTS = 16, /* function ids 1 … 15 in both modules */
};

#ifndef NVTX_DISABLE

/* Sharing one copy of something among the source files of a unit, and with no other unit. */
#define RANGES_NVTX_SHARED __attribute__((weak, visibility("hidden")))
#define RANGES_NVTX_COLD   __attribute__((weak, visibility("hidden"), noinline, cold))

/* Values of ranges_nvtx_unit.state; others are "pid * 4 + 3": that process starts it. */
enum {
	RANGES_NVTX_FRESH = 0,
	RANGES_NVTX_OFF = 1,
	RANGES_NVTX_ON = 2,
};

struct ranges_nvtx_unit {
	/* Stored (release) after the slots were set, loaded (acquire) before they are used. */
	int state;
	pthread_t owner; /* who starts the unit (relaxed: a thread only looks for itself) */
	ranges_nvtx_fn slots[RANGES_NVTX_MODULES][RANGES_NVTX_SLOTS];
	/* What the tool sees: addresses of the slots, a NULL behind the last. */
	ranges_nvtx_fn *addresses[RANGES_NVTX_MODULES][RANGES_NVTX_SLOTS + 1];
};

/* The number at the end changes with anything in here, so that units may hold several versions of
 * this header. */
#define RANGES_NVTX_UNIT ranges_nvtx_unit_1
RANGES_NVTX_SHARED struct ranges_nvtx_unit RANGES_NVTX_UNIT;

/* Set by a statically linked tool (NVTX's own name for it). */
RANGES_NVTX_SHARED ranges_nvtx_entry_fn InitializeInjectionNvtx2_fnptr;

/* libranges itself, when the program is linked with it. A name of our own: other libraries export
 * NVTX's entry too (libcupti does), and being linked with one of those is no wish to be traced by
 * it. */
__attribute__((weak)) int ranges_nvtx_entry(ranges_nvtx_get_table_fn get_table);

int ranges_nvtx_get_module_1(int module, ranges_nvtx_fn ***out_table, unsigned *out_size);
void ranges_nvtx_set_version_1(uint32_t version);
const void *ranges_nvtx_get_table_1(uint32_t table_id);
ranges_nvtx_entry_fn ranges_nvtx_find_tool_1(void **out_library);
int ranges_nvtx_run_tool_1(void);
int ranges_nvtx_start_1(void);

/* Export table 1: the addresses of a module's function pointers. CORE is module 1, CORE2 is 5. */
RANGES_NVTX_COLD int ranges_nvtx_get_module_1(int module, ranges_nvtx_fn ***out_table,
                                              unsigned *out_size)
{
	if (module != 1 && module != 5) {
		return 0;
	}
	if (out_table != RANGES_NVTX_NULL) {
		*out_table = RANGES_NVTX_UNIT
		                     .addresses[module == 1 ? RANGES_NVTX_CORE : RANGES_NVTX_CORE2];
	}
	if (out_size != RANGES_NVTX_NULL) {
		*out_size = RANGES_NVTX_SLOTS;
	}
	return 1;
}

/* Export table 3: the tool tells which version it was built for; nothing here depends on it. */
RANGES_NVTX_COLD void ranges_nvtx_set_version_1(uint32_t version)
{
	(void) version;
}

RANGES_NVTX_COLD const void *ranges_nvtx_get_table_1(uint32_t table_id)
{
	static const struct {
		size_t struct_size;
		int (*get_module)(int, ranges_nvtx_fn ***, unsigned *);
	} callbacks = { sizeof(callbacks), ranges_nvtx_get_module_1 };
	static const struct {
		size_t struct_size;
		uint32_t version;
		uint32_t reserved0;
		void (*set_version)(uint32_t);
	} version_info = { sizeof(version_info), NVTX_VERSION, 0, ranges_nvtx_set_version_1 };

	if (table_id == 1) {
		return &callbacks;
	}
	return table_id == 3 ? &version_info : RANGES_NVTX_NULL;
}

/* Environment first, then what is linked statically, then what is linked dynamically. NULL: no
 * tool. */
RANGES_NVTX_COLD ranges_nvtx_entry_fn ranges_nvtx_find_tool_1(void **out_library)
{
	const char *const variable =
		sizeof(void *) == 4 ? "NVTX_INJECTION32_PATH" : "NVTX_INJECTION64_PATH";
	/* A setuid program must not run code that its caller names. */
	const char *const path = getauxval(AT_SECURE) != 0 ? RANGES_NVTX_NULL : getenv(variable);
	ranges_nvtx_entry_fn entry = RANGES_NVTX_NULL;

	*out_library = RANGES_NVTX_NULL;
	if (path != RANGES_NVTX_NULL && path[0] != '\0') {
		*out_library = dlopen(path, RTLD_LAZY);
		if (*out_library != RANGES_NVTX_NULL) {
			void *const symbol = dlsym(*out_library, "InitializeInjectionNvtx2");

			memcpy(&entry, &symbol, sizeof(entry)); /* ISO C has no cast for this */
		}
		return entry; /* as in NVTX: a path that does not work turns everything off */
	}
	if (InitializeInjectionNvtx2_fnptr != RANGES_NVTX_NULL) {
		return InitializeInjectionNvtx2_fnptr;
	}
	return ranges_nvtx_entry;
}

/* Returns RANGES_NVTX_ON or RANGES_NVTX_OFF. */
RANGES_NVTX_COLD int ranges_nvtx_run_tool_1(void)
{
	void *library;
	ranges_nvtx_entry_fn entry;

	memset(RANGES_NVTX_UNIT.slots, 0, sizeof(RANGES_NVTX_UNIT.slots));
	for (int module = 0; module < RANGES_NVTX_MODULES; module++) {
		for (int slot = 1; slot < RANGES_NVTX_SLOTS; slot++) {
			RANGES_NVTX_UNIT.addresses[module][slot] =
				&RANGES_NVTX_UNIT.slots[module][slot];
		}
	}
	entry = ranges_nvtx_find_tool_1(&library);
	if (entry != RANGES_NVTX_NULL && entry(ranges_nvtx_get_table_1) != 0) {
		return RANGES_NVTX_ON;
	}
	if (library != RANGES_NVTX_NULL) {
		dlclose(library);
	}
	return RANGES_NVTX_OFF;
}

/*
 * Starts the unit, or waits until another thread has. A thread that comes back here while it starts
 * the unit (the tool itself annotates, or a signal handler does) gets "no tool". A fork child whose
 * parent was busy here starts anew.
 *
 * Return: 1 with a tool, 0 without.
 */
RANGES_NVTX_COLD int ranges_nvtx_start_1(void)
{
	const int saved_errno = errno;
	const int mine = getpid() * 4 + 3;
	int state = __atomic_load_n(&RANGES_NVTX_UNIT.state, __ATOMIC_ACQUIRE);

	while (state != RANGES_NVTX_OFF && state != RANGES_NVTX_ON) {
		if (state != mine) {
			if (__atomic_compare_exchange_n(&RANGES_NVTX_UNIT.state, &state, mine, 0,
			                                __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
				__atomic_store_n(&RANGES_NVTX_UNIT.owner, pthread_self(),
				                 __ATOMIC_RELAXED);
				state = ranges_nvtx_run_tool_1();
				__atomic_store_n(&RANGES_NVTX_UNIT.state, state, __ATOMIC_RELEASE);
			}
			continue;
		}
		if (pthread_equal(__atomic_load_n(&RANGES_NVTX_UNIT.owner, __ATOMIC_RELAXED),
		                  pthread_self())) {
			break;
		}
		sched_yield();
		state = __atomic_load_n(&RANGES_NVTX_UNIT.state, __ATOMIC_ACQUIRE);
	}
	errno = saved_errno;
	return state == RANGES_NVTX_ON;
}

/* The tool's function, or NULL. */
static inline ranges_nvtx_fn ranges_nvtx_borrow_slot(int module, int slot)
{
	const int state = __atomic_load_n(&RANGES_NVTX_UNIT.state, __ATOMIC_ACQUIRE);

	if (__builtin_expect(state == RANGES_NVTX_OFF, 1)) {
		return RANGES_NVTX_NULL;
	}
	if (__builtin_expect(state != RANGES_NVTX_ON, 0) && !ranges_nvtx_start_1()) {
		return RANGES_NVTX_NULL;
	}
	return RANGES_NVTX_UNIT.slots[module][slot];
}

#else /* NVTX_DISABLE */

static inline ranges_nvtx_fn ranges_nvtx_borrow_slot(int module, int slot)
{
	(void) module;
	(void) slot;
	return RANGES_NVTX_NULL;
}

#endif

/* A call that returns something, and one that does not. `none` is the result without a tool. */
#define RANGES_NVTX_GET(result, none, name, module, slot, params, args)                        \
	static inline result name params                                                       \
	{                                                                                      \
		const ranges_nvtx_fn fn = ranges_nvtx_borrow_slot(RANGES_NVTX_##module, slot); \
                                                                                               \
		return fn != RANGES_NVTX_NULL ? RANGES_NVTX_CAST(result(*) params, fn) args    \
		                              : (none);                                        \
	}
#define RANGES_NVTX_DO(name, module, slot, params, args)                                       \
	static inline void name params                                                         \
	{                                                                                      \
		const ranges_nvtx_fn fn = ranges_nvtx_borrow_slot(RANGES_NVTX_##module, slot); \
                                                                                               \
		if (fn != RANGES_NVTX_NULL) {                                                  \
			RANGES_NVTX_CAST(void(*) params, fn) args;                             \
		}                                                                              \
	}

/* ---- The interface ---- */

/* Tells the tool to start now rather than at the first event. @reserved: NULL. */
RANGES_NVTX_DO(nvtxInitialize, CORE2, 15, (const void *reserved), (reserved))

/* Ranges of one thread: they nest, one stack per thread and domain. Return the depth of the
 * range (0 for the outermost), negative: an error or no tracking. */
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

/* Ranges of the process: they may overlap, and end on another thread. */
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

/* Instants. */
RANGES_NVTX_DO(nvtxMarkA, CORE, 2, (const char *message), (message))
RANGES_NVTX_DO(nvtxMarkW, CORE, 3, (const wchar_t *message), (message))
RANGES_NVTX_DO(nvtxMarkEx, CORE, 1, (const nvtxEventAttributes_t *attributes), (attributes))
RANGES_NVTX_DO(nvtxDomainMarkEx, CORE2, 1,
               (nvtxDomainHandle_t domain, const nvtxEventAttributes_t *attributes),
               (domain, attributes))

/* Names of categories (numbers of the program's choice, per domain) and of threads (the kernel's
 * thread id). */
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

/* Domains: name spaces of libraries, with stacks, categories and registered strings of their own.
 */
RANGES_NVTX_GET(nvtxDomainHandle_t, RANGES_NVTX_NULL, nvtxDomainCreateA, CORE2, 12,
                (const char *name), (name))
RANGES_NVTX_GET(nvtxDomainHandle_t, RANGES_NVTX_NULL, nvtxDomainCreateW, CORE2, 13,
                (const wchar_t *name), (name))
RANGES_NVTX_DO(nvtxDomainDestroy, CORE2, 14, (nvtxDomainHandle_t domain), (domain))

/* Names that are used often: registered once, then passed as a handle. */
RANGES_NVTX_GET(nvtxStringHandle_t, RANGES_NVTX_NULL, nvtxDomainRegisterStringA, CORE2, 10,
                (nvtxDomainHandle_t domain, const char *text), (domain, text))
RANGES_NVTX_GET(nvtxStringHandle_t, RANGES_NVTX_NULL, nvtxDomainRegisterStringW, CORE2, 11,
                (nvtxDomainHandle_t domain, const wchar_t *text), (domain, text))

/* Names of objects of the program. */
RANGES_NVTX_GET(nvtxResourceHandle_t, RANGES_NVTX_NULL, nvtxDomainResourceCreate, CORE2, 6,
                (nvtxDomainHandle_t domain, nvtxResourceAttributes_t *attributes),
                (domain, attributes))
RANGES_NVTX_DO(nvtxDomainResourceDestroy, CORE2, 7, (nvtxResourceHandle_t resource), (resource))

#ifdef __cplusplus
}
#endif

/* Names without a suffix: wide in a source file that defines UNICODE, as in NVTX. */
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

/* NOLINTEND(readability-identifier-naming,bugprone-macro-parentheses,concurrency-mt-unsafe) */

#endif
