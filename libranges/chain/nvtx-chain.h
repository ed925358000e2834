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

/* A module's table has at most this many entries. */
#define RCAP_NVTX_CHAIN_IDS 16

/* The tool's functions, which it enters itself; empty until rcap_nvtx_chain_is_ready. */
extern rcap_nvtx_fn rcap_nvtx_chain_slots[RCAP_NVTX_MODULE_COUNT][RCAP_NVTX_CHAIN_IDS]
	__attribute__((visibility("hidden")));
/* Our functions, empty if we have none; filled before a wrapper is installed. */
extern rcap_nvtx_fn rcap_nvtx_chain_ours[RCAP_NVTX_MODULE_COUNT][RCAP_NVTX_CHAIN_IDS]
	__attribute__((visibility("hidden")));
/* Set (release) after the tool has started; read (acquire) before its functions are called. */
extern _Atomic bool rcap_nvtx_chain_is_ready __attribute__((visibility("hidden")));

/* Our functions of one module, indexed by id, and their number; NULL if NVTX has no such module. */
typedef const rcap_nvtx_fn *rcap_nvtx_chain_functions(int module, unsigned int *count);

/*
 * Loads and starts the tool at the first call. Calls of other threads wait for the start, two
 * seconds at most, because a tool may itself wait for threads that use NVTX. Until it has started,
 * calls go only to us.
 *
 * @ours: the functions that wrappers call besides.
 * Return: true if the wrappers must be installed.
 * Context: NVTX's initialisation, any thread, also again from the tool's own start; errno is kept.
 */
bool rcap_nvtx_chain_open(rcap_nvtx_chain_functions *ours);

/* Why the tool gets no calls, for the log; "" if it does or none is wanted. */
const char *rcap_nvtx_chain_borrow_problem(void);

/* Reports on stderr, once, why the tool gets no calls. Context: when the level of messages is
 * known. */
void rcap_nvtx_chain_tell(void);

/* States of a part of the tool that is opened once; a number above 0 is the opening thread's id. */
enum {
	RCAP_CHAIN_UNTRIED = 0,
	RCAP_CHAIN_READY = -1,
	RCAP_CHAIN_NONE = -2, /* not wanted, or impossible */
};

/*
 * Claims the right to open a part.
 *
 * @which: its state.
 * Return: UNTRIED: the caller must open the part, and store READY or NONE (release). Otherwise the
 * state of the part. This is a thread id if that thread is the caller, or if that thread has not
 * finished in two seconds.
 */
int rcap_nvtx_chain_claim(_Atomic int *which);

/* Finds a symbol of the tool. Return: NULL if it has none, or is not ready. */
rcap_nvtx_fn rcap_nvtx_chain_find(const char *symbol);

/* The tool's function; NULL if it has none. */
static inline rcap_nvtx_fn rcap_nvtx_chain_theirs(int module, unsigned int id)
{
	if (!atomic_load_explicit(&rcap_nvtx_chain_is_ready, memory_order_acquire)) {
		return NULL;
	}
	return __atomic_load_n(&rcap_nvtx_chain_slots[module][id], __ATOMIC_RELAXED);
}

#endif
