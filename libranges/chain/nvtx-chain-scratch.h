/* SPDX-License-Identifier: MIT */
/* Room for a copy of the program's array: on the stack, or mapped if it is long. */
#ifndef RCAP_NVTX_CHAIN_SCRATCH_H
#define RCAP_NVTX_CHAIN_SCRATCH_H

#include <stddef.h>
#include <sys/mman.h>

#include "libranges/base/peek.h"

/* An array with more bytes than this is taken for garbage. */
#define RCAP_CHAIN_SCRATCH_MAX ((size_t) 16 << 20)

struct rcap_chain_scratch {
	_Alignas(16) unsigned char bytes[2048];
	void *mapped;
	size_t mapped_bytes;
};

/* Return: memory for `bytes`; NULL if there is none. Call rcap_nvtx_chain_scratch_give() in any
 * case. */
static inline void *rcap_nvtx_chain_scratch_take(struct rcap_chain_scratch *scratch, size_t bytes)
{
	scratch->mapped = NULL;
	if (bytes <= sizeof(scratch->bytes)) {
		return scratch->bytes;
	}
	if (bytes > RCAP_CHAIN_SCRATCH_MAX) {
		return NULL;
	}
	scratch->mapped =
		mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	scratch->mapped_bytes = bytes;
	if (scratch->mapped == MAP_FAILED) {
		scratch->mapped = NULL;
	}
	return scratch->mapped;
}

/* Return: a copy of the program's bytes; NULL if they can't be read or are too many. Call
 * rcap_nvtx_chain_scratch_give() in any case. */
static inline void *rcap_nvtx_chain_scratch_copy(struct rcap_chain_scratch *scratch,
                                                 const void *from, size_t bytes)
{
	void *copy = rcap_nvtx_chain_scratch_take(scratch, bytes);

	return copy && rcap_peek_bytes(copy, from, bytes) == bytes ? copy : NULL;
}

static inline void rcap_nvtx_chain_scratch_give(struct rcap_chain_scratch *scratch)
{
	if (scratch->mapped) {
		munmap(scratch->mapped, scratch->mapped_bytes);
		scratch->mapped = NULL;
	}
}

#endif
