/* SPDX-License-Identifier: MIT */
/* Translates payloads and ids of extensions for the chained tool. */
#ifndef RCAP_NVTX_CHAIN_PAYLOAD_H
#define RCAP_NVTX_CHAIN_PAYLOAD_H

#include <stddef.h>

#include "libranges/abi/nvtx-abi-payload.h"
#include "libranges/chain/nvtx-chain-map.h"

/* Limits for one event: so many of its payloads are translated, and copies of payloads with
 * registered strings take so many bytes together. */
#define RCAP_CHAIN_PAYLOADS      16u
#define RCAP_CHAIN_PAYLOAD_BYTES 1024u

/* Memory for copies, on the stack of the wrapper. */
struct rcap_chain_payloads {
	struct rcap_nvtx_payload_data data[RCAP_CHAIN_PAYLOADS];
	_Alignas(16) unsigned char bytes[RCAP_CHAIN_PAYLOAD_BYTES];
	size_t used;
};

/*
 * Context of all functions: any thread, signal handlers; no lock, no allocation. Each array of
 * payloads costs a system call, and each payload with registered strings another one.
 */

/* Call this after something that has an id was registered. @ours: our id. @theirs: the tool's id.
 * Return: the id for the program: ours, or theirs if ours is 0. */
uint64_t rcap_nvtx_chain_payload_made(enum rcap_chain_kind kind, uint64_t ours, uint64_t theirs);

/* Returns the tool's id. Ids chosen by the program are the same for both. */
uint64_t rcap_nvtx_chain_payload_id(enum rcap_chain_kind kind, uint64_t id);

/*
 * Translates the payloads of an event. Return: the program's array, or a copy with the tool's ids
 * of schemas and the tool's registered strings. A payload becomes empty if its registered strings
 * can't be found: they may be behind addresses, at places that depend on values, or beyond
 * RCAP_CHAIN_PAYLOAD_BYTES.
 */
const struct rcap_nvtx_payload_data *rcap_nvtx_chain_payload_translate(
	const void *domain, const struct rcap_nvtx_payload_data *data, size_t count,
	struct rcap_chain_payloads *copy);

#endif
