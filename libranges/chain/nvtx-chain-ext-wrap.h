/* SPDX-License-Identifier: MIT */
/* What the wrappers of NVTX's extensions share. */
#ifndef RCAP_NVTX_CHAIN_EXT_WRAP_H
#define RCAP_NVTX_CHAIN_EXT_WRAP_H

#include "libranges/abi/nvtx-abi-ext.h"
#include "libranges/chain/nvtx-chain-wrap.h"
#include "libranges/nvtx/nvtx-calls.h"

/* Modules have the ids 1 … 4. Each has at most this many slots. */
#define RCAP_CHAIN_EXT_MODULES 5
#define RCAP_CHAIN_EXT_SLOTS   64

/* Our functions, and the tool's. The tool itself stores its functions here, as integers. 0 and 1
 * are not functions. */
extern rcap_nvtx_fn rcap_nvtx_chain_ext_wrap_ours[RCAP_CHAIN_EXT_MODULES][RCAP_CHAIN_EXT_SLOTS]
	__attribute__((visibility("hidden")));
extern intptr_t rcap_nvtx_chain_ext_wrap_slots[RCAP_CHAIN_EXT_MODULES][RCAP_CHAIN_EXT_SLOTS]
	__attribute__((visibility("hidden")));

/* Returns the tool's function; NULL if it has none. */
static inline rcap_nvtx_fn rcap_nvtx_chain_ext_wrap_theirs(int module, unsigned int slot)
{
	const intptr_t function =
		__atomic_load_n(&rcap_nvtx_chain_ext_wrap_slots[module][slot], __ATOMIC_ACQUIRE);

	/* NVTX passes functions as integers. NOLINTNEXTLINE(performance-no-int-to-ptr) */
	return function == 0 || function == 1 ? NULL : (rcap_nvtx_fn) function;
}

/* Our function for a call, and the tool's. Each may be NULL. */
#define RCAP_CHAIN_EXT_OURS(module, slot) \
	((rcap_nvtx_##slot##_fn *)        \
	         rcap_nvtx_chain_ext_wrap_ours[RCAP_NVTX_EXT_##module][RCAP_NVTX_SLOT_##slot])
#define RCAP_CHAIN_EXT_THEIRS(module, slot)                                                \
	((rcap_nvtx_##slot##_fn *) rcap_nvtx_chain_ext_wrap_theirs(RCAP_NVTX_EXT_##module, \
	                                                           RCAP_NVTX_SLOT_##slot))

/* The body of a wrapper without a result. Calls our function with the program's arguments. Then, if
 * can_tell, calls the tool's function with the tool's arguments. Both lists of arguments are in
 * parentheses. */
#define RCAP_CHAIN_EXT_BOTH_IF(can_tell, module, slot, our_arguments, their_arguments) \
	do {                                                                           \
		rcap_nvtx_##slot##_fn *ours = RCAP_CHAIN_EXT_OURS(module, slot);       \
		rcap_nvtx_##slot##_fn *theirs = RCAP_CHAIN_EXT_THEIRS(module, slot);   \
		RCAP_CHAIN_KEEP_ERRNO;                                                 \
                                                                                       \
		if (ours) {                                                            \
			ours our_arguments;                                            \
		}                                                                      \
		if (theirs && (can_tell)) {                                            \
			theirs their_arguments;                                        \
		}                                                                      \
	} while (0)
#define RCAP_CHAIN_EXT_BOTH(module, slot, our_arguments, their_arguments) \
	RCAP_CHAIN_EXT_BOTH_IF(true, module, slot, our_arguments, their_arguments)

/* Declares the wrappers: rcap_nvtx_chain_<function> for each call. */
#define RCAP_CHAIN_EXT_DECLARE(slot, number, name, kinds, gives, function, result, arguments) \
	rcap_nvtx_##slot##_fn rcap_nvtx_chain_##function;

RCAP_NVTX_PAYLOAD_CALLS(RCAP_CHAIN_EXT_DECLARE)
RCAP_NVTX_COUNTERS_CALLS(RCAP_CHAIN_EXT_DECLARE)
RCAP_NVTX_MEM_CALLS(RCAP_CHAIN_EXT_DECLARE)

#endif
