/* SPDX-License-Identifier: MIT */
/* Translates what a program passes to a wrapper for the chained tool. */
#ifndef RCAP_NVTX_CHAIN_TRANSLATE_H
#define RCAP_NVTX_CHAIN_TRANSLATE_H

#include <stddef.h>

#include "libranges/chain/nvtx-chain-payload.h"

/*
 * Context of all: any thread, signal handlers; no lock, no allocation.
 */

/* Call it after a handle was made. Return: the handle for the program: ours, or theirs if we have
 * none. */
const void *rcap_nvtx_chain_translate_made(enum rcap_chain_kind kind, const void *ours,
                                           const void *theirs);

/* Returns the tool's handle. For an unknown handle returns NULL, which means the default domain or
 * no name. */
const void *rcap_nvtx_chain_translate_handle(enum rcap_chain_kind kind, const void *pointer);

static inline const void *rcap_nvtx_chain_translate_domain(const void *domain)
{
	return rcap_nvtx_chain_translate_handle(RCAP_CHAIN_DOMAIN, domain);
}

/*
 * Call it when a handle is destroyed. A program that creates a domain twice gets the same handle
 * from us. The tool must lose its handle only with the last one.
 *
 * @theirs: gets the tool's handle.
 * Return: true if the tool must be told.
 */
bool rcap_nvtx_chain_translate_destroyed(enum rcap_chain_kind kind, const void *pointer,
                                         const void **theirs);

/* Call it after a range was started. Return: the id for the program: the one from our capture or,
 * if that is 0, one that our capture ignores. */
uint64_t rcap_nvtx_chain_translate_started(uint64_t ours, uint64_t theirs);

/*
 * Call it when a range ends.
 *
 * @id: the program's id; gets the id for our function, or 0 for a range that our capture does not
 * know.
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

/* Room for the largest struct that is copied whole; known ones have 48 bytes at most. */
struct rcap_chain_copy {
	_Alignas(8) unsigned char bytes[128];
};

/*
 * Returns the struct, or a copy in which the registered string is the tool's.
 *
 * @attributes: the program's, may be NULL; at most its `size` bytes are read.
 */
const void *rcap_nvtx_chain_translate_attributes(enum rcap_chain_layout layout,
                                                 const void *attributes,
                                                 struct rcap_chain_copy *copy);

/* Room for an event's attributes and payloads. */
struct rcap_chain_event {
	struct rcap_chain_copy attributes;
	struct rcap_chain_payloads payloads;
};

/* Does the same for an event, whose attributes may hold payloads. */
const void *rcap_nvtx_chain_translate_event(const void *domain, const void *attributes,
                                            struct rcap_chain_event *copy);

#endif
