/* SPDX-License-Identifier: MIT */
/*
 * How NVTX's extensions find a tool and call it. Not part of the interface: include
 * ranges/nvtx-payload.h, ranges/nvtx-counters.h or ranges/nvtx-mem.h.
 *
 * A unit has a table of functions for each extension, stored as integers. The tool fills it in at
 * the unit's first call of the extension.
 */
#ifndef RANGES_NVTX_DETAIL_EXT_H
#define RANGES_NVTX_DETAIL_EXT_H

#include <ranges/nvtx.h>

/* Names are NVTX's; extensions pass functions as integers.
 * NOLINTBEGIN(readability-identifier-naming,bugprone-macro-parentheses,performance-no-int-to-ptr)
 */

#ifdef __cplusplus
extern "C" {
#endif

/* What a tool gets. It is valid only during the call, except for the slots. */
struct ranges_nvtx_ext_segment {
	size_t segment_id;
	size_t slot_count;
	intptr_t *slots;
};

struct ranges_nvtx_ext_info {
	uint16_t nvtx_version;
	uint16_t struct_size;
	uint16_t module_id;
	uint16_t compat_id;
	size_t segment_count;
	struct ranges_nvtx_ext_segment *segments;
	intptr_t (*get_export_function)(uint32_t id);
	const void *ext_info;
};

/* What a tool exports. It sets the slots that it wants, and returns nonzero if it will work. */
typedef int (*ranges_nvtx_ext_entry_fn)(struct ranges_nvtx_ext_info *info);

enum {
	RANGES_NVTX_EXT_SLOTS = 63
};

#ifndef NVTX_DISABLE

/* The state of one extension in a unit. */
struct ranges_nvtx_ext {
	struct ranges_nvtx_gate gate;
	intptr_t slots[RANGES_NVTX_EXT_SLOTS]; /* NVTX's values: 0 means not set, 1 means off */
};

/* A header's description of its extension. */
struct ranges_nvtx_ext_about {
	struct ranges_nvtx_ext *ext;
	uint16_t module_id;
	uint16_t compat_id;
	size_t segment_id;
	const void *ext_info;
	/* 0, or the number + 1 of a slot that is set if the tool knows no extensions */
	intptr_t slot_without_entry;
	intptr_t fn_without_entry;
};

/* Set by a statically linked tool (NVTX's own name for it). */
RANGES_NVTX_SHARED ranges_nvtx_ext_entry_fn InitializeInjectionNvtxExtension_fnptr;

/* libranges itself, if the program is linked with it; see ranges_nvtx_entry. */
__attribute__((weak)) int ranges_nvtx_ext_entry(struct ranges_nvtx_ext_info *info);

/* The tool's entry point, for other extensions of the unit; NULL until it is found (release,
 * acquire). */
RANGES_NVTX_SHARED ranges_nvtx_ext_entry_fn ranges_nvtx_ext_tool_1;

ranges_nvtx_ext_entry_fn ranges_nvtx_ext_find_1(int *out_lacks_entry);
int ranges_nvtx_ext_run_1(void *context);

/* Searches for the tool in the same order as the core does. *out_lacks_entry: set if there is a
 * tool, but it knows no extensions. */
RANGES_NVTX_COLD ranges_nvtx_ext_entry_fn ranges_nvtx_ext_find_1(int *out_lacks_entry)
{
	ranges_nvtx_ext_entry_fn entry = __atomic_load_n(&ranges_nvtx_ext_tool_1, __ATOMIC_ACQUIRE);
	void *library;
	void *symbol;

	*out_lacks_entry = 0;
	if (entry != RANGES_NVTX_NULL) {
		return entry;
	}
	nvtxInitialize(RANGES_NVTX_NULL); /* like NVTX, starts the core before */
	if (ranges_nvtx_look_up_2("InitializeInjectionNvtxExtension", &library, &symbol)) {
		memcpy(&entry, &symbol, sizeof(entry)); /* ISO C has no cast for this */
		if (library != RANGES_NVTX_NULL && symbol == RANGES_NVTX_NULL) {
			*out_lacks_entry = 1;
			dlclose(library);
		}
	} else if (InitializeInjectionNvtxExtension_fnptr != RANGES_NVTX_NULL) {
		entry = InitializeInjectionNvtxExtension_fnptr;
	} else if (InitializeInjectionNvtx2_fnptr == RANGES_NVTX_NULL) {
		entry = ranges_nvtx_ext_entry;
		*out_lacks_entry =
			entry == RANGES_NVTX_NULL && ranges_nvtx_entry != RANGES_NVTX_NULL;
	}
	__atomic_store_n(&ranges_nvtx_ext_tool_1, entry, __ATOMIC_RELEASE);
	return entry;
}

/* Starts an extension. @context: its struct ranges_nvtx_ext_about. Returns RANGES_NVTX_ON or
 * RANGES_NVTX_OFF. */
RANGES_NVTX_COLD int ranges_nvtx_ext_run_1(void *context)
{
	const struct ranges_nvtx_ext_about *const about =
		RANGES_NVTX_VALUE(const struct ranges_nvtx_ext_about *, context);
	intptr_t *const slots = about->ext->slots;
	struct ranges_nvtx_ext_segment segment = { about->segment_id, RANGES_NVTX_EXT_SLOTS,
		                                   slots };
	struct ranges_nvtx_ext_info info = {
		NVTX_VERSION, sizeof(info),     about->module_id, about->compat_id, 1,
		&segment,     RANGES_NVTX_NULL, about->ext_info
	};
	ranges_nvtx_ext_entry_fn entry;
	int lacks_entry;
	int is_on;

	memset(slots, 0, sizeof(about->ext->slots));
	entry = ranges_nvtx_ext_find_1(&lacks_entry);
	is_on = entry != RANGES_NVTX_NULL && entry(&info) != 0;
	lacks_entry = lacks_entry && about->slot_without_entry > 0;
	for (int slot = 0; slot < RANGES_NVTX_EXT_SLOTS; slot++) {
		if (!is_on || slots[slot] == 0) {
			slots[slot] = 1;
		}
	}
	if (about->slot_without_entry > 0 && (is_on || lacks_entry) &&
	    slots[about->slot_without_entry - 1] == 1) {
		slots[about->slot_without_entry - 1] = about->fn_without_entry;
	}
	return is_on || lacks_entry ? RANGES_NVTX_ON : RANGES_NVTX_OFF;
}

/* Returns the tool's function as an integer; 0 if there is none. @start: the function in the
 * extension's header that fills a struct ranges_nvtx_ext_about and starts the extension. */
static inline intptr_t ranges_nvtx_ext_borrow_slot(struct ranges_nvtx_ext *ext, int (*start)(void),
                                                   int slot)
{
	const int state = __atomic_load_n(&ext->gate.state, __ATOMIC_ACQUIRE);
	intptr_t fn;

	if (__builtin_expect(state == RANGES_NVTX_OFF, 1)) {
		return 0;
	}
	if (__builtin_expect(state != RANGES_NVTX_ON, 0) && !start()) {
		return 0;
	}
	fn = ext->slots[slot];
	return fn != 1 ? fn : 0;
}

#endif

/* Define a function of an extension: GET with a result, DO without. @module: the extension's name
 * in lower case. NVTX3EXT_CBID_<name> is the function's slot. `none` is the result without a
 * tool. */
#define RANGES_NVTX_EXT_GET(result, none, module, name, params, args)                         \
	static inline result name params                                                      \
	{                                                                                     \
		const intptr_t fn = ranges_nvtx_##module##_borrow_slot(NVTX3EXT_CBID_##name); \
                                                                                              \
		return fn != 0 ? RANGES_NVTX_CAST(result(*) params, fn) args : (none);        \
	}
#define RANGES_NVTX_EXT_DO(module, name, params, args)                                        \
	static inline void name params                                                        \
	{                                                                                     \
		const intptr_t fn = ranges_nvtx_##module##_borrow_slot(NVTX3EXT_CBID_##name); \
                                                                                              \
		if (fn != 0) {                                                                \
			RANGES_NVTX_CAST(void(*) params, fn) args;                            \
		}                                                                             \
	}

#ifdef __cplusplus
}
#endif

/* NOLINTEND(readability-identifier-naming,bugprone-macro-parentheses,performance-no-int-to-ptr) */

#endif
