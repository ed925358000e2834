/* SPDX-License-Identifier: MIT */
/* Maps our handles and ids, which the program knows, to those of a chained tool. */
#ifndef RCAP_NVTX_CHAIN_MAP_H
#define RCAP_NVTX_CHAIN_MAP_H

#include <stdbool.h>
#include <stdint.h>

/* Kinds of keys, each with a space of its own. */
enum rcap_chain_kind {
	RCAP_CHAIN_DOMAIN = 1,
	RCAP_CHAIN_STRING,
	RCAP_CHAIN_RESOURCE,
	RCAP_CHAIN_SYNC,
	RCAP_CHAIN_SCHEMA, /* and enums: they share a space */
	RCAP_CHAIN_SCOPE,
	RCAP_CHAIN_TIME_DOMAIN,
	RCAP_CHAIN_COUNTER,
	RCAP_CHAIN_HEAP,
	RCAP_CHAIN_REGION,
	RCAP_CHAIN_PERMISSIONS,
	/* ranges have a table of their own: programs that forget to end ranges must not fill the
	 * other one */
	RCAP_CHAIN_RANGE,
};

/* A handle or id as the program knows it. */
struct rcap_chain_key {
	enum rcap_chain_kind kind;
	uint64_t ours; /* pointer or id, not 0 */
};

/*
 * Makes room for 262144 handles and as many open ranges; unused pages take no memory.
 * Return: false if there is no memory. Context: once, before all others.
 */
bool rcap_nvtx_chain_map_open(void);

/*
 * Stores or replaces a mapping, and counts one more use of it.
 *
 * Return: false if there is no room.
 * Context of this and the functions below: any thread, signal handlers, fork children; no lock, no
 * allocation, bounded.
 */
bool rcap_nvtx_chain_map_put(struct rcap_chain_key key, uint64_t theirs);

/* Return: false if the key is unknown; then *theirs is unchanged. */
bool rcap_nvtx_chain_map_get(struct rcap_chain_key key, uint64_t *theirs);

/* Gets a mapping and removes it. If several threads take the same one, only one gets it. */
bool rcap_nvtx_chain_map_take(struct rcap_chain_key key, uint64_t *theirs);

/* Counts one use less. Return: true if it was the last; the mapping stays. */
bool rcap_nvtx_chain_map_release(struct rcap_chain_key key);

#endif
