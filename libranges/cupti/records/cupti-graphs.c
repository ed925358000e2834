/* SPDX-License-Identifier: MIT */
/* Decides whether CUDA graphs are recorded by operation or as wholes. */
#include "libranges/cupti/records/cupti-graphs.h"

#include <stdatomic.h>

#include "libranges/base/clock.h"
#include "libranges/settings/cupti-kinds.h"
#include "libranges/cupti/load/cupti-status.h"

#define NS_PER_S UINT64_C(1000000000)

/* If this many launches had no record, no record will come. The driver's queues hold fewer
 * launches. */
#define MAX_WITHOUT 10000u

/* The second record of a call is expected until this many launches later. */
#define SEEN 4096u

enum mode {
	MODE_NODES,      /* operations are recorded, until there are too many */
	MODE_NODES_DUE,  /* there are too many operations; CUPTI has not been told yet */
	MODE_NODES_ONLY, /* operations are recorded, because CUPTI can't record wholes */
	MODE_WHOLE,
	MODE_WHOLE_IN_VAIN, /* CUPTI was told to record wholes, but still reports operations */
	MODE_WHOLE_DUE,     /* CUPTI reports no graphs; it has not been told yet to go back to
	                     * operations */
	MODE_ALWAYS_NODES,
	MODE_ALWAYS_WHOLE,
};

static struct {
	_Atomic uint32_t mode;
	/* Launches from whole_ns to until_ns are recorded as wholes. Times are by CUPTI's clock. */
	_Atomic uint64_t whole_ns;
	_Atomic uint64_t until_ns;
	uint64_t per_s;
	bool is_monotonic;
	/* The members below are only for the thread that converts buffers. There is one at a
	 * time. */
	uint64_t count;    /* number of operations recorded */
	uint64_t first;    /* number of operations recorded before there were too many */
	uint64_t level;    /* operations that exceed what the rate has allowed so far */
	uint32_t first_id; /* id of the first launch since whole_ns; 0: there was none */
	uint64_t paid_ns;  /* CLOCK_MONOTONIC of the last update of `level` */
	uint64_t wholes;   /* number of wholes recorded since whole_ns */
	uint64_t launched; /* number of launches since whole_ns */
} graphs;

/* Changes the mode. The atomic is sequentially consistent, because changes are rare. */
static bool change_mode(uint32_t from, uint32_t to)
{
	return atomic_compare_exchange_strong(&graphs.mode, &from, to);
}

void rcap_cupti_graphs_init(unsigned kinds, uint64_t per_s, bool is_monotonic, bool can_whole)
{
	graphs.per_s = per_s;
	graphs.is_monotonic = is_monotonic;
	graphs.paid_ns = rcap_clock_mono_ns();
	atomic_store(&graphs.whole_ns, UINT64_MAX);
	atomic_store(&graphs.until_ns, UINT64_MAX);
	atomic_store(&graphs.mode, (kinds & RCAP_CUPTI_WITH_NODES) ? MODE_ALWAYS_NODES
	                           : per_s == 0                    ? MODE_ALWAYS_WHOLE
	                                                           : MODE_NODES);
	if (!can_whole) {
		rcap_cupti_graphs_refuse_older();
	}
}

bool rcap_cupti_graphs_are_whole(void)
{
	const uint32_t mode = atomic_load(&graphs.mode);

	return mode == MODE_WHOLE || mode == MODE_WHOLE_IN_VAIN || mode == MODE_WHOLE_DUE ||
	       mode == MODE_ALWAYS_WHOLE;
}

static bool may_change(void)
{
	const uint32_t mode = atomic_load(&graphs.mode);

	return mode == MODE_NODES || mode == MODE_NODES_DUE;
}

bool rcap_cupti_graphs_need_whole(void)
{
	return may_change() || rcap_cupti_graphs_are_whole();
}

void rcap_cupti_graphs_count(uint32_t correlation)
{
	/* Operations of launches before CUPTI was told to record wholes do not show whether it
	 * does. They may be recorded long after it was told. Ids wrap around. */
	const bool is_older =
		atomic_load(&graphs.mode) == MODE_WHOLE &&
		(graphs.first_id == 0 || (int32_t) (correlation - graphs.first_id) < 0);

	graphs.count++;
	graphs.level += !is_older;
}

void rcap_cupti_graphs_count_whole(void)
{
	graphs.wholes += atomic_load(&graphs.whole_ns) != UINT64_MAX;
}

/* Counts a launch. A runtime call and the driver call that it made may both be recorded. They have
 * the same id and are counted once. */
void rcap_cupti_graphs_count_call(const struct rcap_cupti_call *call)
{
	static uint32_t seen[SEEN];
	const uint32_t id = call->api.correlation;

	if (call->api.start >= atomic_load(&graphs.whole_ns) &&
	    call->api.end < atomic_load(&graphs.until_ns) &&
	    rcap_cupti_calls_is_graph_launch(call)) {
		graphs.launched += id == 0 || seen[id % SEEN] != id;
		seen[id % SEEN] = id;
		if (graphs.first_id == 0) {
			graphs.first_id = id;
			graphs.level = 0;
		}
	}
}

/* Reduces `level` by as many operations as the rate allows in the time since the last call. */
static void pay_off(void)
{
	const uint64_t now = rcap_clock_mono_ns();
	const uint64_t elapsed = now - graphs.paid_ns;
	uint64_t paid;

	if (elapsed >= RCAP_CUPTI_GRAPHS_WINDOW_S * NS_PER_S) {
		paid = RCAP_CUPTI_GRAPHS_WINDOW_S * graphs.per_s;
		graphs.paid_ns = now;
	} else {
		paid = elapsed / 1000 * graphs.per_s / (NS_PER_S / 1000);
		graphs.paid_ns += paid * NS_PER_S / graphs.per_s;
	}
	graphs.level -= paid < graphs.level ? paid : graphs.level;
}

static void tell_of_nodes(void)
{
	rcap_cupti_status_add(
		0,
		"CUDA graphs: each operation is in the log, even beyond %llu a second "
		"(RANGES_GRAPH_NODES): this CUPTI can't record whole graphs, or not those from "
		"before the capture, or it is shared (RANGES_CUDA_SHARED)",
		(unsigned long long) graphs.per_s);
}

bool rcap_cupti_graphs_look(void)
{
	const uint64_t limit = RCAP_CUPTI_GRAPHS_WINDOW_S * graphs.per_s;

	if (limit == 0) {
		return false;
	}
	pay_off();
	if (graphs.level > limit) {
		graphs.level = 0;
		if (may_change()) {
			graphs.first = graphs.count;
		}
		if (change_mode(MODE_NODES_ONLY, MODE_ALWAYS_NODES)) {
			tell_of_nodes();
		}
		if (graphs.first_id != 0 && change_mode(MODE_WHOLE, MODE_WHOLE_IN_VAIN)) {
			rcap_cupti_status_add(0, "CUPTI still records each operation of CUDA "
			                         "graphs, though it was asked for whole graphs");
		}
		(void) change_mode(MODE_NODES, MODE_NODES_DUE);
	}
	if (graphs.wholes == 0 && graphs.launched >= MAX_WITHOUT) {
		(void) change_mode(MODE_WHOLE, MODE_WHOLE_DUE);
	}
	return rcap_cupti_graphs_is_due();
}

bool rcap_cupti_graphs_is_due(void)
{
	const uint32_t mode = atomic_load(&graphs.mode);

	return mode == MODE_NODES_DUE || mode == MODE_WHOLE_DUE;
}

/* Returns the present time by the clock of CUPTI's records. */
static uint64_t now_ns(void)
{
	return graphs.is_monotonic ? rcap_clock_mono_ns() : rcap_clock_real_ns();
}

void rcap_cupti_graphs_choose_whole(void)
{
	const unsigned long long first = graphs.first;

	atomic_store(&graphs.whole_ns, now_ns());
	if (change_mode(MODE_NODES_DUE, MODE_WHOLE)) {
		rcap_cupti_status_add(0,
		                      "CUDA graphs: recorded as wholes after %llu operations, as "
		                      "more than %llu a second came (RANGES_GRAPH_NODES)",
		                      first, (unsigned long long) graphs.per_s);
	}
}

void rcap_cupti_graphs_refuse_older(void)
{
	rcap_cupti_graphs_refuse_whole();
	if (change_mode(MODE_ALWAYS_WHOLE, MODE_ALWAYS_NODES)) {
		tell_of_nodes();
	}
}

void rcap_cupti_graphs_refuse_whole(void)
{
	if (!change_mode(MODE_NODES, MODE_NODES_ONLY) &&
	    change_mode(MODE_NODES_DUE, MODE_ALWAYS_NODES)) {
		tell_of_nodes();
	}
}

static void tell_of_wait(void)
{
	rcap_cupti_status_add(0,
	                      "CUDA graphs: each operation is in the log, even beyond %llu a "
	                      "second (RANGES_GRAPH_NODES): CUPTI blocked a thread that "
	                      "instantiated a graph, so it is not asked for whole graphs",
	                      (unsigned long long) graphs.per_s);
}

void rcap_cupti_graphs_leave_nodes(void)
{
	if (change_mode(MODE_NODES, MODE_ALWAYS_NODES) ||
	    change_mode(MODE_NODES_DUE, MODE_ALWAYS_NODES)) {
		tell_of_wait();
	}
}

void rcap_cupti_graphs_leave_whole(void)
{
	rcap_cupti_graphs_leave_nodes();
	if (rcap_cupti_graphs_are_whole()) {
		atomic_store(&graphs.until_ns, now_ns());
		if (atomic_exchange(&graphs.mode, MODE_ALWAYS_NODES) != MODE_ALWAYS_NODES) {
			tell_of_wait();
		}
	}
}

void rcap_cupti_graphs_give_up_whole(void)
{
	atomic_store(&graphs.until_ns, now_ns());
	if (change_mode(MODE_WHOLE_DUE, MODE_ALWAYS_NODES)) {
		rcap_cupti_status_add(0, "CUPTI recorded no whole CUDA graph: operation by "
		                         "operation again from then on");
	}
}

void rcap_cupti_graphs_tell(void)
{
	const uint64_t missing =
		graphs.launched > graphs.wholes ? graphs.launched - graphs.wholes : 0;

	/* If fewer records are missing, the cause may be calls that were recorded in both APIs. */
	if (missing > graphs.launched / 100 && atomic_load(&graphs.mode) != MODE_WHOLE_IN_VAIN) {
		rcap_cupti_status_add(0,
		                      "launches of CUDA graphs without any record of their work "
		                      "from CUPTI: at least %llu",
		                      (unsigned long long) missing);
	}
}
