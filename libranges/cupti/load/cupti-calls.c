/* SPDX-License-Identifier: MIT */
/* Decides which calls of CUDA's APIs are recorded, and under which names. */
#include "libranges/cupti/load/cupti-calls.h"

#include <string.h>

#include "libranges/settings/cupti-kinds.h"
#include "libranges/cupti/load/cupti-load.h"
#include "libranges/record/names/names.h"

#define CBIDS 2048u /* NVIDIA has some 800 functions; functions with higher numbers get no name */
#define SLOTS 16384u

/* Functions that programs call all the time, but that neither start work nor wait for work. */
static const char *const chatty[] = { "cudaGetDevice",
	                              "cudaSetDevice",
	                              "cudaGetLastError",
	                              "cudaPeekAtLastError",
	                              "cudaGetDeviceCount",
	                              "cudaStreamIsCapturing",
	                              "cudaStreamGetCaptureInfo",
	                              "cudaThreadExchangeStreamCaptureMode",
	                              "__cudaPushCallConfiguration",
	                              "__cudaPopCallConfiguration",
	                              "cudaGetErrorString",
	                              "cudaGetErrorName",
	                              "cudaEventCreate",
	                              "cudaEventCreateWithFlags",
	                              "cudaEventDestroy",
	                              "cudaEventQuery",
	                              "cudaStreamQuery" };

/* Driver functions that are recorded. A function is recorded if its name begins like this and one
 * of the kinds is wanted. Functions that start work are always recorded, because many programs use
 * no other API. */
static const struct {
	const char *begin;
	unsigned kinds;
} driver_wanted[] = {
	{ "cuLaunch", RCAP_CUPTI_ON },
	{ "cuGraphLaunch", RCAP_CUPTI_ON },
	{ "cuMemcpy", RCAP_CUPTI_ON },
	{ "cuMemset", RCAP_CUPTI_ON },
	{ "cuMemAlloc", RCAP_CUPTI_WITH_DRIVER | RCAP_CUPTI_WITH_MEMORY },
	{ "cuMemFree", RCAP_CUPTI_WITH_DRIVER | RCAP_CUPTI_WITH_MEMORY },
	{ "cuMemCreate", RCAP_CUPTI_WITH_DRIVER | RCAP_CUPTI_WITH_MEMORY },
	{ "cuMemRelease", RCAP_CUPTI_WITH_DRIVER | RCAP_CUPTI_WITH_MEMORY },
	{ "cuMemMap", RCAP_CUPTI_WITH_DRIVER | RCAP_CUPTI_WITH_MEMORY },
	{ "cuMemUnmap", RCAP_CUPTI_WITH_DRIVER | RCAP_CUPTI_WITH_MEMORY },
	{ "cuGraphInstantiate", RCAP_CUPTI_WITH_DRIVER },
	{ "cuStreamSynchronize", RCAP_CUPTI_WITH_DRIVER },
	{ "cuCtxSynchronize", RCAP_CUPTI_WITH_DRIVER },
	{ "cuEventSynchronize", RCAP_CUPTI_WITH_DRIVER },
	{ "cuStreamWaitEvent", RCAP_CUPTI_WITH_DRIVER },
	{ "cuEventRecord", RCAP_CUPTI_WITH_DRIVER },
	{ "cuMemPrefetch", RCAP_CUPTI_WITH_DRIVER },
	{ "cuModuleLoad", RCAP_CUPTI_WITH_DRIVER },
	{ "cuLibraryLoad", RCAP_CUPTI_WITH_DRIVER },
};

static unsigned wanted_kinds;

void rcap_cupti_calls_init(unsigned kinds)
{
	wanted_kinds = kinds;
}

/* ---- Names ---- */

/* Returns the length of a name without a version at its end, such as "_v3020" or "_v2". */
static size_t cut_version(const char *name, size_t length)
{
	size_t digits = 0;

	while (digits < length && name[length - 1 - digits] >= '0' &&
	       name[length - 1 - digits] <= '9') {
		digits++;
	}
	return digits > 0 && length > digits + 2 && memcmp(name + length - digits - 2, "_v", 2) == 0
	               ? length - digits - 2
	               : length;
}

/*
 * Returns the length of a function's name without what CUPTI adds: "_v3020", the version of its
 * last change, and "_ptsz", the form for per-thread default streams.
 */
static size_t plain_length(const char *name)
{
	size_t length = cut_version(name, strlen(name));

	if (length > 5 && (memcmp(name + length - 5, "_ptsz", 5) == 0 ||
	                   memcmp(name + length - 5, "_ptds", 5) == 0)) {
		length -= 5;
	}
	return length;
}

static bool ends_with(const char *name, size_t length, const char *end)
{
	return length >= strlen(end) && memcmp(name + length - strlen(end), end, strlen(end)) == 0;
}

static bool is_driver_wanted(const char *name)
{
	for (size_t i = 0; i < sizeof(driver_wanted) / sizeof(driver_wanted[0]); i++) {
		if ((driver_wanted[i].kinds & wanted_kinds) != 0 &&
		    strncmp(name, driver_wanted[i].begin, strlen(driver_wanted[i].begin)) == 0) {
			return true;
		}
	}
	return false;
}

bool rcap_cupti_calls_is_wanted(uint32_t domain, const char *name)
{
	size_t length;

	if (domain == RCAP_CUPTI_DOMAIN_DRIVER) {
		return is_driver_wanted(name);
	}
	/* Later versions of a function are called as often, for example
	 * cudaStreamGetCaptureInfo_v2_v11030. */
	length = cut_version(name, plain_length(name));
	for (size_t i = 0; i < sizeof(chatty) / sizeof(chatty[0]); i++) {
		if (strlen(chatty[i]) == length && memcmp(chatty[i], name, length) == 0) {
			return false;
		}
	}
	return !ends_with(name, length, "GetAttribute") &&
	       !ends_with(name, length, "GetAttributes");
}

enum rcap_cupti_calls_watch rcap_cupti_calls_watch(uint32_t domain, const char *name)
{
	static const struct {
		uint32_t domain;
		const char *begin;
		enum rcap_cupti_calls_watch watch;
		unsigned kinds; /* recorded if one of these kinds is wanted */
	} watched[] = {
		{ RCAP_CUPTI_DOMAIN_RUNTIME, "cudaDeviceReset", RCAP_CUPTI_CALLS_ENDS_CONTEXT,
		  RCAP_CUPTI_ON },
		{ RCAP_CUPTI_DOMAIN_DRIVER, "cuCtxDestroy", RCAP_CUPTI_CALLS_ENDS_CONTEXT,
		  RCAP_CUPTI_ON },
		{ RCAP_CUPTI_DOMAIN_DRIVER, "cuDevicePrimaryCtxReset",
		  RCAP_CUPTI_CALLS_ENDS_CONTEXT, RCAP_CUPTI_ON },
		{ RCAP_CUPTI_DOMAIN_DRIVER, "cuDevicePrimaryCtxRelease",
		  RCAP_CUPTI_CALLS_ENDS_CONTEXT, RCAP_CUPTI_ON },
		{ RCAP_CUPTI_DOMAIN_RUNTIME, "cudaProfilerStart", RCAP_CUPTI_CALLS_PROFILER_START,
		  RCAP_CUPTI_WITH_PROFILER },
		{ RCAP_CUPTI_DOMAIN_RUNTIME, "cudaProfilerStop", RCAP_CUPTI_CALLS_PROFILER_STOP,
		  RCAP_CUPTI_WITH_PROFILER },
		{ RCAP_CUPTI_DOMAIN_DRIVER, "cuProfilerStart", RCAP_CUPTI_CALLS_PROFILER_START,
		  RCAP_CUPTI_WITH_PROFILER },
		{ RCAP_CUPTI_DOMAIN_DRIVER, "cuProfilerStop", RCAP_CUPTI_CALLS_PROFILER_STOP,
		  RCAP_CUPTI_WITH_PROFILER },
		{ RCAP_CUPTI_DOMAIN_DRIVER, "cuGraphInstantiate", RCAP_CUPTI_CALLS_INSTANTIATES,
		  RCAP_CUPTI_ON },
		{ RCAP_CUPTI_DOMAIN_DRIVER, "cuMemMap", RCAP_CUPTI_CALLS_MAPS,
		  RCAP_CUPTI_WITH_MEMORY },
		{ RCAP_CUPTI_DOMAIN_DRIVER, "cuMemUnmap", RCAP_CUPTI_CALLS_UNMAPS,
		  RCAP_CUPTI_WITH_MEMORY },
	};

	for (size_t i = 0; i < sizeof(watched) / sizeof(watched[0]); i++) {
		if (watched[i].domain == domain && (watched[i].kinds & wanted_kinds) != 0 &&
		    strncmp(name, watched[i].begin, strlen(watched[i].begin)) == 0 &&
		    strncmp(name, "cuMemMapArray", strlen("cuMemMapArray")) != 0) {
			return watched[i].watch;
		}
	}
	return RCAP_CUPTI_CALLS_NOT_WATCHED;
}

/* name ids of graph launches in the driver's API and in the runtime's */
static uint32_t graph_launches[2];

bool rcap_cupti_calls_is_graph_launch(const struct rcap_cupti_call *call)
{
	/* If all driver calls are recorded, a launch by the runtime has two records. Only the
	 * driver's is counted. */
	return call->name != 0 && call->api.result == 0 &&
	       !((wanted_kinds & RCAP_CUPTI_WITH_DRIVER) && call->api.kind == RCAP_CUPTI_RUNTIME) &&
	       (call->name == graph_launches[0] || call->name == graph_launches[1]);
}

uint32_t rcap_cupti_calls_name(uint32_t domain, uint32_t cbid)
{
	static uint32_t ids[2][CBIDS];
	uint32_t *id = &ids[domain == RCAP_CUPTI_DOMAIN_RUNTIME][cbid % CBIDS];
	const char *name = NULL;
	bool lost = false;

	if (cbid >= CBIDS) {
		return 0;
	}
	if (*id != 0) {
		return *id;
	}
	if (rcap_cupti.get_callback_name(domain, cbid, &name) != 0 || !name) {
		return 0;
	}
	if (!rcap_cupti_calls_is_wanted(domain, name)) {
		*id = RCAP_CUPTI_CALLS_LEFT_OUT;
	} else {
		/* In CUDA 13 some launches have an internal name. */
		const size_t skip = strncmp(name, "__cuda", 6) == 0 ? 2 : 0;

		*id = rcap_names_intern(name + skip, plain_length(name) - skip, 0, NULL, &lost);
		if (strstr(name, "GraphLaunch")) {
			graph_launches[domain == RCAP_CUPTI_DOMAIN_RUNTIME] = *id;
		}
	}
	return *id;
}

/* ---- Twins ---- */

/*
 * The latest calls, by correlation id; ids count up. A slot has a driver call on hold, or the id of
 * a runtime call. A call stays on hold until SLOTS later calls have come. If its twin comes even
 * later, both calls are written, and the analyzer drops one of them.
 */
static struct {
	struct rcap_cupti_call calls[SLOTS];
	uint32_t runtime[SLOTS]; /* correlation ids; 0 if there is none */
	/* 0: no call is on hold; 1: on hold since this round; 2: since an earlier round */
	uint8_t rounds[SLOTS];
	uint32_t count; /* number of calls on hold */
} held;

static void let_go(uint32_t slot, struct rcap_cupti_call *out)
{
	*out = held.calls[slot];
	held.rounds[slot] = 0;
	held.count--;
}

static uint64_t duration(const struct rcap_cupti_call *call)
{
	return call->api.end - call->api.start;
}

bool rcap_cupti_calls_hold(const struct rcap_cupti_call *call, struct rcap_cupti_call *out)
{
	const uint32_t slot = call->api.correlation % SLOTS;
	bool is_full;

	if (call->api.correlation == 0 || (wanted_kinds & RCAP_CUPTI_WITH_DRIVER)) {
		*out = *call;
		return true;
	}
	if (held.runtime[slot] == call->api.correlation) {
		return false;
	}
	is_full = held.rounds[slot] != 0;
	if (is_full && held.calls[slot].api.correlation == call->api.correlation) {
		/* Either one runtime call made both driver calls, or one driver function called the
		 * other. In the second case the outer function took longer. */
		if (duration(call) > duration(&held.calls[slot])) {
			held.calls[slot] = *call;
		}
		return false;
	}
	if (is_full) {
		let_go(slot, out);
	}
	held.calls[slot] = *call;
	held.rounds[slot] = 1;
	held.count++;
	return is_full;
}

bool rcap_cupti_calls_meet(uint32_t correlation, struct rcap_cupti_call *out)
{
	const uint32_t slot = correlation % SLOTS;
	bool is_other = false;

	if (held.rounds[slot] != 0) {
		is_other = held.calls[slot].api.correlation != correlation;
		let_go(slot, out);
	}
	held.runtime[slot] = correlation;
	return is_other;
}

bool rcap_cupti_calls_settle(bool all, uint32_t *at, struct rcap_cupti_call *out)
{
	while (*at < SLOTS && held.count > 0) {
		const uint32_t slot = (*at)++;

		if (held.rounds[slot] != 0) {
			held.rounds[slot]++;
			if (all || held.rounds[slot] > 2) {
				let_go(slot, out);
				return true;
			}
		}
	}
	return false;
}
