/* SPDX-License-Identifier: MIT */
/*
 * Runs a second NVTX tool after us (RANGES_NVTX_CHAIN). If there is one, programs get wrappers
 * instead of our functions. Each wrapper calls our function, and the tool's with translated
 * handles. Without a tool this costs nothing.
 */
#ifndef RCAP_NVTX_CHAIN_H
#define RCAP_NVTX_CHAIN_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "libranges/abi/nvtx-abi.h"

/* A module's table has at most this many elements. */
#define RCAP_NVTX_CHAIN_IDS 16

/* The tool's functions. The tool stores them here itself. Empty until rcap_nvtx_chain_is_ready. */
extern rcap_nvtx_fn rcap_nvtx_chain_slots[RCAP_NVTX_MODULE_COUNT][RCAP_NVTX_CHAIN_IDS]
	__attribute__((visibility("hidden")));
/* Our functions; NULL where we have none. Filled before a wrapper is installed. */
extern rcap_nvtx_fn rcap_nvtx_chain_ours[RCAP_NVTX_MODULE_COUNT][RCAP_NVTX_CHAIN_IDS]
	__attribute__((visibility("hidden")));
/* Set (release) after the tool has started. Read (acquire) before its functions are called. */
extern _Atomic bool rcap_nvtx_chain_is_ready __attribute__((visibility("hidden")));

/* Returns our functions of one module, indexed by id. *count: number of functions. Returns NULL if
 * NVTX has no such module. */
typedef const rcap_nvtx_fn *rcap_nvtx_chain_functions(int module, unsigned int *count);

/*
 * Loads and starts the tool at the first call. Other threads that call this wait for the start.
 * They wait at most two seconds, because a tool may itself wait for threads that use NVTX. Until
 * the tool has started, NVTX calls go only to us.
 *
 * @ours: returns our functions, which wrappers call besides the tool's.
 * Return: true if the wrappers must be installed.
 * Context: NVTX's initialisation, any thread, also again from the tool's own start; errno is kept.
 */
bool rcap_nvtx_chain_open(rcap_nvtx_chain_functions *ours);

/* Returns why the tool gets no calls, for the log. Returns "" if it gets calls, or if no tool is
 * wanted. */
const char *rcap_nvtx_chain_borrow_problem(void);

/* Prints once on stderr why the tool gets no calls. Context: call this when the level of messages
 * is known. */
void rcap_nvtx_chain_tell(void);

/* States of the tool, or of a part of it that is opened separately. A number above 0 is the id of
 * the thread that is opening it. */
enum {
	RCAP_CHAIN_UNTRIED = 0,
	RCAP_CHAIN_READY = -1,
	RCAP_CHAIN_NONE = -2, /* not wanted, or impossible */
};

/*
 * Claims the right to open the tool, or a part of it.
 *
 * @which: the state of the tool or part.
 * Return: UNTRIED: the caller must open it, and store READY or NONE (release). Otherwise the state.
 * That is a thread's id if the caller is that thread, or if that thread has not finished in two
 * seconds.
 */
int rcap_nvtx_chain_claim(_Atomic int *which);

/* Finds a symbol of the tool. Return: NULL if the tool has no such symbol, or is not ready. */
rcap_nvtx_fn rcap_nvtx_chain_find(const char *symbol);

/* Returns the tool's function; NULL if it has none. */
static inline rcap_nvtx_fn rcap_nvtx_chain_theirs(int module, unsigned int id)
{
	if (!atomic_load_explicit(&rcap_nvtx_chain_is_ready, memory_order_acquire)) {
		return NULL;
	}
	return __atomic_load_n(&rcap_nvtx_chain_slots[module][id], __ATOMIC_RELAXED);
}

#endif
