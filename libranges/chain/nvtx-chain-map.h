/* SPDX-License-Identifier: MIT */
/* Maps our handles and ids, which the program knows, to those of a chained tool. */
#ifndef RCAP_NVTX_CHAIN_MAP_H
#define RCAP_NVTX_CHAIN_MAP_H

#include <stdbool.h>
#include <stdint.h>

/* Kinds of keys. Each kind has a space of its own. */
enum rcap_chain_kind {
	RCAP_CHAIN_DOMAIN = 1,
	RCAP_CHAIN_STRING,
	RCAP_CHAIN_RESOURCE,
	RCAP_CHAIN_SYNC,
	RCAP_CHAIN_SCHEMA, /* and enums, which share a space with schemas */
	RCAP_CHAIN_SCOPE,
	RCAP_CHAIN_TIME_DOMAIN,
	RCAP_CHAIN_COUNTER,
	RCAP_CHAIN_HEAP,
	RCAP_CHAIN_REGION,
	RCAP_CHAIN_PERMISSIONS,
	/* Ranges have a table of their own, because programs that forget to end ranges must not
	 * fill the table of handles. */
	RCAP_CHAIN_RANGE,
};

/* A handle or id as the program knows it. */
struct rcap_chain_key {
	enum rcap_chain_kind kind;
	uint64_t ours; /* a pointer or an id, not 0 */
};

/*
 * Allocates room for 262144 handles and as many open ranges; unused pages take no memory.
 * Return: false if there is no memory. Context: once, before all other functions.
 */
bool rcap_nvtx_chain_map_open(void);

/*
 * Stores or replaces a mapping, and adds 1 to the number of its uses.
 *
 * Return: false if there is no room.
 * Context of this and the functions below: any thread, signal handlers, fork children; no lock, no
 * allocation, bounded.
 */
bool rcap_nvtx_chain_map_put(struct rcap_chain_key key, uint64_t theirs);

/* Gets a mapping. Return: false if the key is unknown; then *theirs is unchanged. */
bool rcap_nvtx_chain_map_get(struct rcap_chain_key key, uint64_t *theirs);

/* Gets a mapping and removes it. If several threads do this at once, only one gets it. */
bool rcap_nvtx_chain_map_take(struct rcap_chain_key key, uint64_t *theirs);

/* Subtracts 1 from the number of uses. Return: true if this was the last use. The mapping stays. */
bool rcap_nvtx_chain_map_release(struct rcap_chain_key key);

#endif
