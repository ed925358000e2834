/* SPDX-License-Identifier: MIT */
/* Loads and starts the second tool. */
#include "libranges/chain/nvtx-chain.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "libranges/chain/chain-tool.h"
#include "libranges/base/log.h"
#include "libranges/chain/nvtx-chain-map.h"
#include "libranges/process/process.h"

#define VARIABLE "RANGES_NVTX_CHAIN"
#define ENTRY    "InitializeInjectionNvtx2"

/* Other threads look whether the tool has started this many times, and sleep this long in between:
 * 2 s together. */
#define WAIT_LOOKS   2000
#define WAIT_LOOK_NS 1000000

typedef int start_fn(rcap_nvtx_get_export_table_fn *get_export_table);

rcap_nvtx_fn rcap_nvtx_chain_slots[RCAP_NVTX_MODULE_COUNT][RCAP_NVTX_CHAIN_IDS]
	__attribute__((visibility("hidden")));
rcap_nvtx_fn rcap_nvtx_chain_ours[RCAP_NVTX_MODULE_COUNT][RCAP_NVTX_CHAIN_IDS]
	__attribute__((visibility("hidden")));
_Atomic bool rcap_nvtx_chain_is_ready __attribute__((visibility("hidden")));

static _Atomic int state;                           /* one of RCAP_CHAIN_… */
static rcap_nvtx_chain_functions *borrow_functions; /* set by the thread that opens the tool */
static void *tool;                                  /* written before state is READY (release) */
static char problem[512];                           /* written before state is NONE (release) */
static _Atomic bool has_told;

/* The table of addresses that the tool gets. The slots behind it replace those of all linkage
 * units. */
static rcap_nvtx_fn *addresses[RCAP_NVTX_MODULE_COUNT][RCAP_NVTX_CHAIN_IDS];

static int get_module_function_table(int module, rcap_nvtx_fn ***table, unsigned int *size)
{
	unsigned int count = 0;

	if (!borrow_functions(module, &count)) {
		return 0;
	}
	for (unsigned int id = 1; id < count; id++) {
		addresses[module][id] = &rcap_nvtx_chain_slots[module][id];
	}
	if (table) {
		*table = addresses[module];
	}
	if (size) {
		*size = count;
	}
	return 1;
}

static void ignore_version(uint32_t version)
{
	(void) version;
}

static const void *get_export_table(uint32_t table_id)
{
	static const struct rcap_nvtx_callbacks callbacks = { sizeof(callbacks),
		                                              get_module_function_table };
	static const struct rcap_nvtx_version_info version = { sizeof(version), 3, 0,
		                                               ignore_version };

	switch (table_id) {
	case RCAP_NVTX_ETID_CALLBACKS:
		return &callbacks;
	case RCAP_NVTX_ETID_VERSIONINFO:
		return &version;
	default:
		return NULL;
	}
}

static void fail(const char *path, const char *why)
{
	rcap_log_format(problem, sizeof(problem), "cannot chain the NVTX tool %s: %s", path, why);
}

/* Opens and starts the tool. Return: false with `problem` filled. */
static bool start_tool(const char *path)
{
	start_fn *start =
		(start_fn *) rcap_chain_tool_open(path, ENTRY, &tool, problem, sizeof(problem));

	if (!start) {
		return false;
	}
	if (!rcap_nvtx_chain_map_open()) {
		fail(path, "no memory");
	} else if (start(get_export_table) == 0) {
		fail(path, "it refused to start");
	} else {
		return true;
	}
	rcap_chain_tool_close(tool);
	tool = NULL;
	return false;
}

static void copy_ours(void)
{
	for (int module = 0; module < RCAP_NVTX_MODULE_COUNT; module++) {
		unsigned int count = 0;
		const rcap_nvtx_fn *functions = borrow_functions(module, &count);

		for (unsigned int id = 0; functions && id < count; id++) {
			rcap_nvtx_chain_ours[module][id] = functions[id];
		}
	}
}

/* Opens the tool if the variable names one. Return: the new state. */
static int open_tool(void)
{
	/* NVTX has just read the environment in the same way.
	 * NOLINTNEXTLINE(concurrency-mt-unsafe) */
	const char *path = secure_getenv(VARIABLE);

	if (!path || path[0] == '\0') {
		return RCAP_CHAIN_NONE;
	}
	copy_ours();
	if (start_tool(path)) {
		/* Release pairs with the acquire in rcap_nvtx_chain_theirs(). */
		atomic_store_explicit(&rcap_nvtx_chain_is_ready, true, memory_order_release);
		return RCAP_CHAIN_READY;
	}
	return RCAP_CHAIN_NONE;
}

static int wait_for(_Atomic int *which, int tid)
{
	const struct timespec pause = { .tv_nsec = WAIT_LOOK_NS };
	int now = tid;

	if (tid == gettid()) {
		return tid; /* this thread is opening the tool itself: the tool calls NVTX while it
		             * starts, or a signal handler of the program does */
	}
	for (int look = 0; look < WAIT_LOOKS; look++) {
		if (syscall(SYS_tgkill, getpid(), tid, 0) != 0) {
			/* This is a fork child, which does not have the opening thread. */
			atomic_compare_exchange_strong_explicit(which, &now, RCAP_CHAIN_NONE,
			                                        memory_order_acquire,
			                                        memory_order_acquire);
			return RCAP_CHAIN_NONE;
		}
		nanosleep(&pause, NULL);
		now = atomic_load_explicit(which, memory_order_acquire);
		if (now != tid) {
			return now;
		}
	}
	RCAP_LOG(RCAP_LOG_WARN,
	         "the chained NVTX tool is slow to start: it misses the calls until then");
	return tid;
}

int rcap_nvtx_chain_claim(_Atomic int *which)
{
	int now = RCAP_CHAIN_UNTRIED;

	/* Acquire pairs with the opening thread's release. */
	if (atomic_compare_exchange_strong_explicit(which, &now, gettid(), memory_order_acquire,
	                                            memory_order_acquire)) {
		return RCAP_CHAIN_UNTRIED;
	}
	return now > 0 ? wait_for(which, now) : now;
}

rcap_nvtx_fn rcap_nvtx_chain_find(const char *symbol)
{
	return atomic_load_explicit(&state, memory_order_acquire) == RCAP_CHAIN_READY
	               ? (rcap_nvtx_fn) rcap_chain_tool_find(tool, symbol)
	               : NULL;
}

bool rcap_nvtx_chain_open(rcap_nvtx_chain_functions *ours)
{
	const int saved = errno;
	int now = rcap_nvtx_chain_claim(&state);

	if (now == RCAP_CHAIN_UNTRIED) {
		borrow_functions = ours;
		now = open_tool();
		atomic_store_explicit(&state, now, memory_order_release);
		/* If the capture has not started, its start will report the problem. */
		if (atomic_load_explicit(rcap_process_alive, memory_order_acquire) ==
		    RCAP_ALIVE_YES) {
			rcap_nvtx_chain_tell();
		}
	}
	errno = saved;
	return now == RCAP_CHAIN_READY || now > 0;
}

const char *rcap_nvtx_chain_borrow_problem(void)
{
	return atomic_load_explicit(&state, memory_order_acquire) == RCAP_CHAIN_NONE ? problem : "";
}

void rcap_nvtx_chain_tell(void)
{
	const char *text = rcap_nvtx_chain_borrow_problem();

	if (text[0] != '\0' && !atomic_exchange_explicit(&has_told, true, memory_order_relaxed)) {
		RCAP_LOG(RCAP_LOG_WARN, "%s", text);
	}
}
