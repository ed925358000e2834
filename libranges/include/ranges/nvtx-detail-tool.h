/* SPDX-License-Identifier: MIT */
/*
 * How ranges/nvtx.h finds a tool and calls it. Not part of the interface: include ranges/nvtx.h.
 *
 * Each unit (executable or shared library) has tables of function pointers, one per module. The
 * tool fills them in when the unit makes its first NVTX call.
 */
#ifndef RANGES_NVTX_DETAIL_TOOL_H
#define RANGES_NVTX_DETAIL_TOOL_H

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

/* Names are NVTX's; ISO C only has getenv; extensions pass functions as integers.
 * NOLINTBEGIN(readability-identifier-naming,bugprone-macro-parentheses,concurrency-mt-unsafe,performance-no-int-to-ptr)
 */

#ifdef __cplusplus
#define RANGES_NVTX_CAST(type, value)  reinterpret_cast<type>(value)
#define RANGES_NVTX_VALUE(type, value) static_cast<type>(value)
#define RANGES_NVTX_NULL               nullptr
extern "C" {
#else
#define RANGES_NVTX_CAST(type, value)  ((type) (value))
#define RANGES_NVTX_VALUE(type, value) ((type) (value))
#define RANGES_NVTX_NULL               NULL
#endif

/* What a tool exports. It asks for tables of function pointers, sets the pointers that it wants,
 * and returns nonzero if it will work. */
typedef const void *(*ranges_nvtx_get_table_fn)(uint32_t table_id);
typedef int (*ranges_nvtx_entry_fn)(ranges_nvtx_get_table_fn get_table);

typedef void (*ranges_nvtx_fn)(void);

/* Modules of functions, with NVTX's numbers. */
enum {
	RANGES_NVTX_CORE = 1,
	RANGES_NVTX_CUDA = 2,
	RANGES_NVTX_OPENCL = 3,
	RANGES_NVTX_CUDART = 4,
	RANGES_NVTX_CORE2 = 5,
	RANGES_NVTX_SYNC = 6,
	RANGES_NVTX_MODULES = 7, /* number of modules + 1: 0 is unused */
	RANGES_NVTX_SLOTS = 16,  /* number of elements of a module's table: the largest module has
	                          * the ids 1 … 15 */
};

#ifndef NVTX_DISABLE

/* One copy for all source files of a unit, which no other unit uses. */
#define RANGES_NVTX_SHARED __attribute__((weak, visibility("hidden")))
#define RANGES_NVTX_COLD   __attribute__((weak, visibility("hidden"), noinline, cold))

/* Values of ranges_nvtx_gate.state. Any other value is "pid * 4 + 3": that process is opening the
 * gate. */
enum {
	RANGES_NVTX_FRESH = 0,
	RANGES_NVTX_OFF = 1,
	RANGES_NVTX_ON = 2,
};

/* State of something that is started once, by the first thread that needs it. */
struct ranges_nvtx_gate {
	/* Stored (release) after the slots are set. Loaded (acquire) before the slots are used. */
	int state;
	pthread_t owner; /* the thread that starts it (relaxed: a thread only compares it with its
	                  * own id) */
};

struct ranges_nvtx_unit {
	struct ranges_nvtx_gate gate;
	ranges_nvtx_fn slots[RANGES_NVTX_MODULES][RANGES_NVTX_SLOTS];
	/* For the tool: the addresses of the slots, then a NULL. */
	ranges_nvtx_fn *addresses[RANGES_NVTX_MODULES][RANGES_NVTX_SLOTS + 1];
};

/* The number at the end of the name changes with any member, because a unit may contain several
 * versions of this header. */
#define RANGES_NVTX_UNIT ranges_nvtx_unit_2
RANGES_NVTX_SHARED struct ranges_nvtx_unit RANGES_NVTX_UNIT;

/* Set by a statically linked tool (NVTX's own name for it). */
RANGES_NVTX_SHARED ranges_nvtx_entry_fn InitializeInjectionNvtx2_fnptr;

/*
 * libranges itself, if the program is linked with it. Programs that are linked with libcupti also
 * have NVTX's entry, but did not ask to be traced. So the entry has a name of our own.
 */
__attribute__((weak)) int ranges_nvtx_entry(ranges_nvtx_get_table_fn get_table);

int ranges_nvtx_get_module_2(int module, ranges_nvtx_fn ***out_table, unsigned *out_size);
void ranges_nvtx_set_version_2(uint32_t version);
const void *ranges_nvtx_get_table_2(uint32_t table_id);
const char *ranges_nvtx_get_path_2(void);
int ranges_nvtx_look_up_2(const char *name, void **out_library, void **out_symbol);
int ranges_nvtx_run_tool_2(void *unused);
int ranges_nvtx_pass_2(struct ranges_nvtx_gate *gate, int (*start)(void *), void *context);

/* Export table 1: gives the addresses of a module's function pointers. Its size is the last id +
 * 1. */
RANGES_NVTX_COLD int ranges_nvtx_get_module_2(int module, ranges_nvtx_fn ***out_table,
                                              unsigned *out_size)
{
	static const unsigned char sizes[RANGES_NVTX_MODULES] = { 0, 16, 9, 15, 7, 16, 7 };

	if (module < RANGES_NVTX_CORE || module >= RANGES_NVTX_MODULES) {
		return 0;
	}
	if (out_table != RANGES_NVTX_NULL) {
		*out_table = RANGES_NVTX_UNIT.addresses[module];
	}
	if (out_size != RANGES_NVTX_NULL) {
		*out_size = sizes[module];
	}
	return 1;
}

/* Export table 3: gets the version that the tool was built for. Nothing here depends on it. */
RANGES_NVTX_COLD void ranges_nvtx_set_version_2(uint32_t version)
{
	(void) version;
}

RANGES_NVTX_COLD const void *ranges_nvtx_get_table_2(uint32_t table_id)
{
	static const struct {
		size_t struct_size;
		int (*get_module)(int, ranges_nvtx_fn ***, unsigned *);
	} callbacks = { sizeof(callbacks), ranges_nvtx_get_module_2 };
	static const struct {
		size_t struct_size;
		uint32_t version;
		uint32_t reserved0;
		void (*set_version)(uint32_t);
	} version_info = { sizeof(version_info), 3, 0, ranges_nvtx_set_version_2 };

	if (table_id == 1) {
		return &callbacks;
	}
	return table_id == 3 ? &version_info : RANGES_NVTX_NULL;
}

/* Returns the library that the environment names, or NULL. */
RANGES_NVTX_COLD const char *ranges_nvtx_get_path_2(void)
{
	const char *const variable =
		sizeof(void *) == 4 ? "NVTX_INJECTION32_PATH" : "NVTX_INJECTION64_PATH";
	/* A setuid program must not run code that its caller chooses. */
	const char *const path = getauxval(AT_SECURE) != 0 ? RANGES_NVTX_NULL : getenv(variable);

	return path == RANGES_NVTX_NULL || path[0] == '\0' ? RANGES_NVTX_NULL : path;
}

/*
 * Searches for the function `name` in the library that the environment names. The library or the
 * function may be NULL. The caller owns the library.
 *
 * Return: 1 if the environment names a library; 0 if not: then the caller searches elsewhere.
 */
RANGES_NVTX_COLD int ranges_nvtx_look_up_2(const char *name, void **out_library, void **out_symbol)
{
	const char *const path = ranges_nvtx_get_path_2();

	*out_library = RANGES_NVTX_NULL;
	*out_symbol = RANGES_NVTX_NULL;
	if (path == RANGES_NVTX_NULL) {
		return 0;
	}
	*out_library = dlopen(path, RTLD_LAZY);
	if (*out_library != RANGES_NVTX_NULL) {
		*out_symbol = dlsym(*out_library, name);
	}
	return 1;
}

/* Searches for a tool: first in the environment, then among statically linked tools, then among
 * loaded libraries. Like NVTX, turns everything off if the environment names a library that does
 * not work. Returns RANGES_NVTX_ON or RANGES_NVTX_OFF. */
RANGES_NVTX_COLD int ranges_nvtx_run_tool_2(void *unused)
{
	ranges_nvtx_entry_fn entry = RANGES_NVTX_NULL;
	void *library;
	void *symbol;

	(void) unused;
	memset(RANGES_NVTX_UNIT.slots, 0, sizeof(RANGES_NVTX_UNIT.slots));
	for (int module = RANGES_NVTX_CORE; module < RANGES_NVTX_MODULES; module++) {
		unsigned size = 0;

		(void) ranges_nvtx_get_module_2(module, RANGES_NVTX_NULL, &size);
		for (unsigned slot = 1; slot < size; slot++) {
			RANGES_NVTX_UNIT.addresses[module][slot] =
				&RANGES_NVTX_UNIT.slots[module][slot];
		}
	}
	if (ranges_nvtx_look_up_2("InitializeInjectionNvtx2", &library, &symbol)) {
		memcpy(&entry, &symbol, sizeof(entry)); /* ISO C has no cast for this */
	} else if (InitializeInjectionNvtx2_fnptr != RANGES_NVTX_NULL) {
		entry = InitializeInjectionNvtx2_fnptr;
	} else {
		entry = ranges_nvtx_entry;
	}
	if (entry != RANGES_NVTX_NULL && entry(ranges_nvtx_get_table_2) != 0) {
		return RANGES_NVTX_ON;
	}
	if (library != RANGES_NVTX_NULL) {
		dlclose(library);
	}
	return RANGES_NVTX_OFF;
}

/*
 * Calls start(context), which returns RANGES_NVTX_ON or RANGES_NVTX_OFF. If another thread is
 * calling it, waits for the result. There are two cases in which it returns 0 at once. One is a
 * thread that calls this again from within start, for example because the tool makes NVTX calls
 * itself. The other is a fork child whose parent was loading a tool: the C library can't continue a
 * dlopen() of another thread. In other fork children the start begins again.
 *
 * Return: 1 with a tool, 0 without. errno is kept.
 */
RANGES_NVTX_COLD int ranges_nvtx_pass_2(struct ranges_nvtx_gate *gate, int (*start)(void *),
                                        void *context)
{
	const int saved_errno = errno;
	const int mine = getpid() * 4 + 3;
	int state = __atomic_load_n(&gate->state, __ATOMIC_ACQUIRE);

	while (state != RANGES_NVTX_OFF && state != RANGES_NVTX_ON) {
		if (state != mine) {
			if (__atomic_compare_exchange_n(&gate->state, &state, mine, 0,
			                                __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
				const int was_fresh = state == RANGES_NVTX_FRESH;

				__atomic_store_n(&gate->owner, pthread_self(), __ATOMIC_RELAXED);
				state = was_fresh || ranges_nvtx_get_path_2() == RANGES_NVTX_NULL
				                ? start(context)
				                : RANGES_NVTX_OFF;
				__atomic_store_n(&gate->state, state, __ATOMIC_RELEASE);
			}
			continue;
		}
		if (pthread_equal(__atomic_load_n(&gate->owner, __ATOMIC_RELAXED),
		                  pthread_self())) {
			break;
		}
		sched_yield();
		state = __atomic_load_n(&gate->state, __ATOMIC_ACQUIRE);
	}
	errno = saved_errno;
	return state == RANGES_NVTX_ON;
}

/* Returns the tool's function, or NULL. */
static inline ranges_nvtx_fn ranges_nvtx_borrow_slot(int module, int slot)
{
	const int state = __atomic_load_n(&RANGES_NVTX_UNIT.gate.state, __ATOMIC_ACQUIRE);

	if (__builtin_expect(state == RANGES_NVTX_OFF, 1)) {
		return RANGES_NVTX_NULL;
	}
	if (__builtin_expect(state != RANGES_NVTX_ON, 0) &&
	    !ranges_nvtx_pass_2(&RANGES_NVTX_UNIT.gate, ranges_nvtx_run_tool_2, RANGES_NVTX_NULL)) {
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

/* How functions are declared. Not for programs: libranges builds its libnvToolsExt.so.1 from
 * this header. */
#ifndef RANGES_NVTX_FUNCTION
#define RANGES_NVTX_FUNCTION static inline
#endif

/* Define a function: GET with a result, DO without. `none` is the result without a tool. */
#define RANGES_NVTX_GET(result, none, name, module, slot, params, args)                        \
	RANGES_NVTX_FUNCTION result name params                                                \
	{                                                                                      \
		const ranges_nvtx_fn fn = ranges_nvtx_borrow_slot(RANGES_NVTX_##module, slot); \
                                                                                               \
		return fn != RANGES_NVTX_NULL ? RANGES_NVTX_CAST(result(*) params, fn) args    \
		                              : (none);                                        \
	}
#define RANGES_NVTX_DO(name, module, slot, params, args)                                       \
	RANGES_NVTX_FUNCTION void name params                                                  \
	{                                                                                      \
		const ranges_nvtx_fn fn = ranges_nvtx_borrow_slot(RANGES_NVTX_##module, slot); \
                                                                                               \
		if (fn != RANGES_NVTX_NULL) {                                                  \
			RANGES_NVTX_CAST(void(*) params, fn) args;                             \
		}                                                                              \
	}

#ifdef __cplusplus
}
#endif

/* NOLINTEND(readability-identifier-naming,bugprone-macro-parentheses,concurrency-mt-unsafe,performance-no-int-to-ptr)
 */

#endif
