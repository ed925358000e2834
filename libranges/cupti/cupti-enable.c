/* SPDX-License-Identifier: MIT */
/* Asks CUPTI for kinds of records and for records of calls, and knows which are on. */
#include "libranges/cupti/cupti-enable.h"

#include <stdatomic.h>

#include "libranges/abi/cupti-abi.h"
#include "libranges/settings/cupti-kinds.h"
#include "libranges/base/log.h"
#include "libranges/cupti/load/cupti-calls.h"
#include "libranges/cupti/records/cupti-flow.h"
#include "libranges/cupti/records/cupti-graphs.h"
#include "libranges/cupti/load/cupti-load.h"
#include "libranges/cupti/load/cupti-status.h"
#include "libranges/cupti/load/cupti-way.h"

/* After this many numbers in a row without a name, there are no more functions. */
#define MAX_GAP 64u

/* The kinds in the order in which they are switched on. Descriptions come before the records that
 * refer to them. Calls come last. */
static const struct {
	uint32_t kind;
	unsigned needs; /* bits of enum rcap_cupti_kinds */
} kinds_wanted[] = {
	{ RCAP_CUPTI_DEVICE, 0 },
	{ RCAP_CUPTI_CONTEXT, 0 },
	{ RCAP_CUPTI_STREAM, 0 },
	{ RCAP_CUPTI_OVERHEAD, 0 },
	{ RCAP_CUPTI_JIT, 0 },
	/* These records are of graphs as wholes. While this kind is on, CUPTI does not report the
	 * graphs' operations. */
	{ RCAP_CUPTI_GRAPH_TRACE, 0 },
	{ RCAP_CUPTI_MEMCPY, 0 },
	{ RCAP_CUPTI_MEMCPY2, 0 },
	{ RCAP_CUPTI_MEMSET, 0 },
	/* Seen on an H200 (CUPTI 13.0): while one of the next two kinds is on, CUPTI looks at every
	 * runtime call, which takes 200 ns per call. PyTorch makes 15 runtime calls per operator. A
	 * wait has a record of its call in any case. */
	{ RCAP_CUPTI_SYNCHRONIZATION, RCAP_CUPTI_WITH_SYNC },
	{ RCAP_CUPTI_CUDA_EVENT, RCAP_CUPTI_WITH_EVENTS },
	{ RCAP_CUPTI_MEMORY2, RCAP_CUPTI_WITH_MEMORY },
	{ RCAP_CUPTI_MEMORY_POOL, RCAP_CUPTI_WITH_MEMORY },
	{ RCAP_CUPTI_EXTERNAL, RCAP_CUPTI_WITH_EXTERNAL },
	{ RCAP_CUPTI_CONCURRENT_KERNEL, 0 },
};

#define KIND_COUNT (sizeof(kinds_wanted) / sizeof(kinds_wanted[0]))

static _Atomic uint64_t enabled; /* a bit for each kind that is on */

bool rcap_cupti_enable_check(int result, const char *what)
{
	if (result == 0) {
		return true;
	}
	rcap_cupti_status_add(result, "%s: %s", what, rcap_cupti_load_explain(result));
	return false;
}

const char *rcap_cupti_enable_next(uint32_t domain, uint32_t *cbid)
{
	/* Ends early if the program ends meanwhile, because a start may be slow. */
	for (uint32_t gap = 0;
	     gap < MAX_GAP && *cbid + 1 < RCAP_CUPTI_MAX_CBID && !rcap_cupti_flow_is_over();
	     gap++) {
		const char *name = NULL;

		(*cbid)++;
		if (rcap_cupti.get_callback_name(domain, *cbid, &name) == 0 && name) {
			return name;
		}
	}
	return NULL;
}

/*
 * Switches single functions, if the library can do that: switches the wanted ones on, or the
 * unwanted ones off. If an unwanted function can't be switched off, its records are dropped when
 * they come.
 *
 * Return: false if nothing could be switched.
 */
static bool switch_calls(uint32_t domain, bool on)
{
	uint32_t cbid = 0;
	bool is_done = false;
	const char *name;

	while (rcap_cupti_way_can_switch(domain) &&
	       (name = rcap_cupti_enable_next(domain, &cbid)) != NULL) {
		if (rcap_cupti_calls_is_wanted(domain, name) == on) {
			is_done |= rcap_cupti_way_switch(domain, cbid, on) == 0;
		}
	}
	return is_done;
}

bool rcap_cupti_enable_kind(uint32_t kind, bool is_late)
{
	char what[64];
	int rc;

	if (rcap_cupti.stride[kind] == 0 || rcap_cupti_flow_is_over()) {
		return false; /* the library has no such kind, or it is too late */
	}
	rc = rcap_cupti_way_enable(kind, is_late && (kind == RCAP_CUPTI_DEVICE ||
	                                             kind == RCAP_CUPTI_CONTEXT ||
	                                             kind == RCAP_CUPTI_STREAM));
	rcap_log_format(what, sizeof(what), "records of kind %u", kind);
	if (!rcap_cupti_enable_check(rc, what)) {
		return false;
	}
	/* Relaxed: read only at the end of the program. */
	atomic_fetch_or_explicit(&enabled, UINT64_C(1) << kind, memory_order_relaxed);
	return true;
}

/*
 * Calls are switched on last, so that no launch is recorded without its work. Driver calls that
 * start work are always recorded: PyTorch, Triton, JAX and Numba launch most of their kernels by
 * them.
 */
void rcap_cupti_enable_calls(unsigned kinds)
{
	const bool is_all = (kinds & RCAP_CUPTI_WITH_DRIVER) != 0;

	/* If CUPTI has several subscribers, each can switch single calls of a kind that is on
	 * (NVIDIA's guide). If we are the only subscriber, a call can be on without its kind. No
	 * document says that this works with several subscribers. */
	if (is_all || rcap_cupti_way_is_shared() || !switch_calls(RCAP_CUPTI_DOMAIN_DRIVER, true)) {
		(void) rcap_cupti_enable_kind(RCAP_CUPTI_DRIVER, false);
		(void) switch_calls(RCAP_CUPTI_DOMAIN_DRIVER, false);
	}
	(void) rcap_cupti_enable_kind(RCAP_CUPTI_RUNTIME, false);
	(void) switch_calls(RCAP_CUPTI_DOMAIN_RUNTIME, false);
}

void rcap_cupti_enable_kinds(unsigned kinds, bool is_late, uint64_t which)
{
	for (size_t i = 0; i < KIND_COUNT; i++) {
		const uint32_t kind = kinds_wanted[i].kind;

		if ((which >> kind & 1) != 0 && (kinds_wanted[i].needs & ~kinds) == 0 &&
		    (kind != RCAP_CUPTI_GRAPH_TRACE || rcap_cupti_graphs_are_whole())) {
			(void) rcap_cupti_enable_kind(kind, is_late);
		}
	}
}

void rcap_cupti_enable_off(uint64_t which)
{
	const uint64_t kinds =
		atomic_fetch_and_explicit(&enabled, ~which, memory_order_relaxed) & which;

	for (uint32_t kind = 0; kind < RCAP_CUPTI_KINDS; kind++) {
		if (kinds >> kind & 1) {
			(void) rcap_cupti_way_disable(kind);
		}
	}
}

/* Switches off the calls that rcap_cupti_enable_calls() has switched on one by one. */
void rcap_cupti_enable_driver_off(void)
{
	uint32_t cbid = 0;
	const char *name;

	/* If CUPTI is shared, the calls were switched off with their kind. */
	while (!rcap_cupti_way_is_shared() && rcap_cupti_way_can_switch(RCAP_CUPTI_DOMAIN_DRIVER) &&
	       (name = rcap_cupti_enable_next(RCAP_CUPTI_DOMAIN_DRIVER, &cbid)) != NULL) {
		if (rcap_cupti_calls_is_wanted(RCAP_CUPTI_DOMAIN_DRIVER, name)) {
			(void) rcap_cupti_way_switch(RCAP_CUPTI_DOMAIN_DRIVER, cbid, false);
		}
	}
}

bool rcap_cupti_enable_is_on(uint32_t kind)
{
	return (atomic_load_explicit(&enabled, memory_order_relaxed) >> kind & 1) != 0;
}
