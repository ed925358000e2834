/* SPDX-License-Identifier: MIT */
/* What differs between the capture as a shared library and the one linked into a program. */
#ifndef RCAP_INJECT_H
#define RCAP_INJECT_H

#include <stdbool.h>
#include <stddef.h>

#include "libranges/abi/nvtx-abi-ext.h"
#include "libranges/abi/nvtx-abi.h"

struct ranges_calls;

/* The entry points of a capture that is linked into a program. Fields are only added at the end. */
struct rcap_inject_entries {
	size_t struct_size;
	int (*core)(rcap_nvtx_get_export_table_fn *get_export_table);
	int (*ext)(struct rcap_nvtx_ext_info *info);
	const struct ranges_calls *(*api)(void);
};

/*
 * How a statically linked program says that it has a capture of its own: an ELF note with this name
 * and type. Its content is the distance, four bytes, from itself to a struct rcap_inject_entries.
 * libranges.so, which NVTX loads into such a program too when the environment says so, hands the
 * program's tables over to it: it could not do the work itself (inject-shared.c).
 */
#define RCAP_INJECT_NOTE_NAME "libranges"
#define RCAP_INJECT_NOTE_TYPE 1

/*
 * To be called first by every entry point.
 *
 * @other: gets the capture that must be asked instead of us; NULL: none. Borrowed for ever.
 * Return: true if this copy of the capture records the process' events.
 * Context: NVTX's initialisation, any thread.
 */
bool rcap_inject_begin(const struct rcap_inject_entries **other);

#endif
