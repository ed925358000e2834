/* SPDX-License-Identifier: MIT */
/* Describes how the capture as a shared library differs from one linked into a program. */
#ifndef RCAP_INJECT_H
#define RCAP_INJECT_H

#include <stdbool.h>
#include <stddef.h>

#include "libranges/abi/nvtx-abi-ext.h"
#include "libranges/abi/nvtx-abi.h"

struct ranges_calls;

/* The entry points of a capture that is linked into a program. New members are only added at the
 * end. */
struct rcap_inject_entries {
	size_t struct_size;
	int (*core)(rcap_nvtx_get_export_table_fn *get_export_table);
	int (*ext)(struct rcap_nvtx_ext_info *info);
	const struct ranges_calls *(*api)(void);
};

/*
 * An ELF note with this name and type shows that a statically linked program has a capture of its
 * own. The note's content has four bytes: the distance from the content to a struct
 * rcap_inject_entries. If the environment says so, NVTX also loads libranges.so into such a
 * program. libranges.so can't work there (inject-shared.c), so it passes the program's tables to
 * the program's own capture.
 */
#define RCAP_INJECT_NOTE_NAME "libranges"
#define RCAP_INJECT_NOTE_TYPE 1

/*
 * Each entry point calls this first.
 *
 * @other: gets the capture that must be called instead of us (a constant); NULL: none.
 * Return: true if this copy of the capture records the process' events.
 * Context: NVTX's initialisation, any thread.
 */
bool rcap_inject_begin(const struct rcap_inject_entries **other);

#endif
