/* SPDX-License-Identifier: MIT */
/* Describes how the capture as a shared library differs from one linked into a program. */
#ifndef RCAP_INJECT_H
#define RCAP_INJECT_H

#include <stdbool.h>
#include <stddef.h>

#include "libranges/abi/nvtx-abi-ext.h"
#include "libranges/abi/nvtx-abi.h"

struct ranges_calls;

/* The entry points of a capture linked into a program. Fields are only added at the end. */
struct rcap_inject_entries {
	size_t struct_size;
	int (*core)(rcap_nvtx_get_export_table_fn *get_export_table);
	int (*ext)(struct rcap_nvtx_ext_info *info);
	const struct ranges_calls *(*api)(void);
};

/*
 * An ELF note with this name and type shows that a statically linked program has a capture of its
 * own. The note's content, four bytes, is the distance from itself to a struct rcap_inject_entries.
 * If the environment says so, NVTX also loads libranges.so into such a program. libranges.so can't
 * work there (inject-shared.c), so it passes the program's tables on to the program's own
 * capture.
 */
#define RCAP_INJECT_NOTE_NAME "libranges"
#define RCAP_INJECT_NOTE_TYPE 1

/*
 * Begins an entry point; each one calls it first.
 *
 * @other: gets the capture to call instead of us; NULL: none. A constant.
 * Return: true if this copy of the capture records the process' events.
 * Context: NVTX's initialisation, any thread.
 */
bool rcap_inject_begin(const struct rcap_inject_entries **other);

#endif
