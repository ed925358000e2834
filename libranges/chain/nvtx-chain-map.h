/* SPDX-License-Identifier: MIT */
/* What a chained tool calls the things that the program knows by our handles and ids. */
#ifndef RCAP_NVTX_CHAIN_MAP_H
#define RCAP_NVTX_CHAIN_MAP_H

#include <stdbool.h>
#include <stdint.h>

/* Kinds of names; each is a space of its own. */
enum rcap_chain_kind {
	RCAP_CHAIN_DOMAIN = 1,
	RCAP_CHAIN_STRING,
	RCAP_CHAIN_RESOURCE,
	RCAP_CHAIN_SYNC,
	RCAP_CHAIN_SCHEMA, /* and enums: one space */
	RCAP_CHAIN_SCOPE,
	RCAP_CHAIN_TIME_DOMAIN,
	RCAP_CHAIN_COUNTER,
	RCAP_CHAIN_HEAP,
	RCAP_CHAIN_REGION,
	RCAP_CHAIN_PERMISSIONS,
	RCAP_CHAIN_RANGE, /* kept apart: programs that forget to end ranges must not use up the
	                     room of the others */
};

/* One thing as the program calls it. */
struct rcap_chain_key {
	enum rcap_chain_kind kind;
	uint64_t ours; /* pointer or id, not 0 */
};

/*
 * Makes room for 262144 handles and as many open ranges; pages that are not used take no memory.
 * Return: false if there is no memory. Context: once, before all others.
 */
bool rcap_nvtx_chain_map_open(void);

/*
 * Remembers a name, or replaces it, and counts one more use of it.
 *
 * Return: false when there is no room.
 * Context: this and all below: any thread, signal handlers, fork children; no lock, no allocation,
 * bounded.
 */
bool rcap_nvtx_chain_map_put(struct rcap_chain_key key, uint64_t theirs);

/* Return: false if the key is not known, *theirs is as it was then. */
bool rcap_nvtx_chain_map_get(struct rcap_chain_key key, uint64_t *theirs);

/* As get, and forgets it. Of several threads that take the same one, one gets it. */
bool rcap_nvtx_chain_map_take(struct rcap_chain_key key, uint64_t *theirs);

/* Counts one use less. Return: true if it was the last one; the name is kept all the same. */
bool rcap_nvtx_chain_map_release(struct rcap_chain_key key);

#endif
