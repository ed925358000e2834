/* SPDX-License-Identifier: MIT */
/* Translates what a program passes to a wrapper for the chained tool. */
#ifndef RCAP_NVTX_CHAIN_TRANSLATE_H
#define RCAP_NVTX_CHAIN_TRANSLATE_H

#include <stddef.h>

#include "libranges/chain/nvtx-chain-payload.h"

/*
 * Context of all functions: any thread, signal handlers; no lock, no allocation.
 */

/* Call this after a handle was made. @ours: our handle. @theirs: the tool's handle. Return: the
 * handle for the program: ours, or theirs if we have none. */
const void *rcap_nvtx_chain_translate_made(enum rcap_chain_kind kind, const void *ours,
                                           const void *theirs);

/* Returns the tool's handle. For an unknown handle returns NULL, which means the default domain, or
 * no name. */
const void *rcap_nvtx_chain_translate_handle(enum rcap_chain_kind kind, const void *pointer);

static inline const void *rcap_nvtx_chain_translate_domain(const void *domain)
{
	return rcap_nvtx_chain_translate_handle(RCAP_CHAIN_DOMAIN, domain);
}

/*
 * Call this when a handle is destroyed. If a program creates a domain twice, it gets the same
 * handle from us both times. So only the last destruction is passed to the tool.
 *
 * @theirs: gets the tool's handle.
 * Return: true if the tool must be called.
 */
bool rcap_nvtx_chain_translate_destroyed(enum rcap_chain_kind kind, const void *pointer,
                                         const void **theirs);

/* Call this after a range was started. @ours: our id. @theirs: the tool's id. Return: the id for
 * the program: ours, or if ours is 0, an id that our capture ignores. */
uint64_t rcap_nvtx_chain_translate_started(uint64_t ours, uint64_t theirs);

/*
 * Call this when a range ends.
 *
 * @id: the program's id. Replaced by the id for our function, or by 0 if our capture does not know
 * the range.
 * @theirs: gets the tool's id.
 * Return: false if the tool must not be called, because it did not see the start.
 */
bool rcap_nvtx_chain_translate_ended(uint64_t *id, uint64_t *theirs);

/* Kinds of structs that have a message. The message may be a registered string. */
enum rcap_chain_layout {
	RCAP_CHAIN_EVENT,
	RCAP_CHAIN_RESOURCE_ATTRIBUTES,
	RCAP_CHAIN_SYNC_ATTRIBUTES,
	RCAP_CHAIN_HEAP_DESC,
};

/* Memory for the largest struct that is copied as a whole. The structs that we know have at most 48
 * bytes. */
struct rcap_chain_copy {
	_Alignas(8) unsigned char bytes[128];
};

/*
 * Returns the struct, or a copy in which our registered string is replaced by the tool's.
 *
 * @attributes: the program's struct, may be NULL; at most its `size` bytes are read.
 */
const void *rcap_nvtx_chain_translate_attributes(enum rcap_chain_layout layout,
                                                 const void *attributes,
                                                 struct rcap_chain_copy *copy);

/* Memory for copies of an event's attributes and payloads. */
struct rcap_chain_event {
	struct rcap_chain_copy attributes;
	struct rcap_chain_payloads payloads;
};

/* Does the same as rcap_nvtx_chain_translate_attributes() for an event. Also translates the
 * payloads in its attributes. */
const void *rcap_nvtx_chain_translate_event(const void *domain, const void *attributes,
                                            struct rcap_chain_event *copy);

#endif
