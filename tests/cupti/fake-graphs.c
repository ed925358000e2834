/* SPDX-License-Identifier: MIT */
/*
 * CUDA graphs of the stand-in for libcuda.so.1. They are instantiated at their first launch. As
 * NVIDIA says of CUPTI (guide, "CUDA Graphs"): where wholes are on, nothing is told of a graph's
 * kernels. A graph that was instantiated while they were off must not be launched then: seen with
 * CUPTI 13.0 and driver 580.159 on an H200, cuGraphLaunch ends the program by SIGSEGV.
 * FAKE_CUDA_GRAPHS=nodes: kernels are told of in any case; none: wholes never are.
 * FAKE_CUDA_INSTANTIATE_MS=N: so long it takes to instantiate one.
 */
#define _GNU_SOURCE /* NOLINT(readability-identifier-naming) */
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "fake.h"
#include "libranges/abi/cupti-abi.h"

#define CB_GRAPH          350u /* fake-cupti.c knows their names */
#define CB_CU_INSTANTIATE 513u
#define GRAPHS            256u

enum {
	GRAPH_NEW,
	GRAPH_NODES,
	GRAPH_WHOLES
};

static _Atomic int graphs[GRAPHS];

static void instantiate(uint32_t graph)
{
	struct rcap_cupti_call_data call = { .site = RCAP_CUPTI_SITE_ENTER };
	const char *ms = getenv("FAKE_CUDA_INSTANTIATE_MS");
	const struct timespec time = { .tv_nsec = ms ? atoi(ms) * 1000000L : 0 };

	fake_called(RCAP_CUPTI_DOMAIN_DRIVER, CB_CU_INSTANTIATE, &call);
	nanosleep(&time, NULL);
	atomic_store(&graphs[graph % GRAPHS],
	             fake_is_on(RCAP_CUPTI_GRAPH_TRACE) ? GRAPH_WHOLES : GRAPH_NODES);
	call.site = !RCAP_CUPTI_SITE_ENTER;
	fake_called(RCAP_CUPTI_DOMAIN_DRIVER, CB_CU_INSTANTIATE, &call);
}

/* The launch of a graph while wholes are on. */
static void check_whole(uint32_t graph)
{
	if (atomic_load(&graphs[graph % GRAPHS]) == GRAPH_NODES &&
	    fake_is_on(RCAP_CUPTI_GRAPH_TRACE)) {
		fputs("fake-cuda: a graph is launched as a whole, but was not instantiated so\n",
		      stderr);
		raise(SIGSEGV);
	}
}

static int emit_whole(uint32_t device, uint32_t stream, uint32_t graph, uint64_t ns,
                      uint32_t correlation)
{
	struct rcap_cupti_graph record = { .kind = RCAP_CUPTI_GRAPH_TRACE,
		                           .correlation = correlation,
		                           .start = fake_reserve(stream, ns),
		                           .device = device,
		                           .graph = graph,
		                           .context = device + 1,
		                           .stream = stream,
		                           .end_device = device,
		                           .end_context = device + 1 };

	if (device == RCAP_CUPTI_ON_HOST) {
		record.context = device;
		record.end_device = 1;
		record.end_context = 2;
	}
	record.end = record.start + ns;
	return fake_emit(&record, sizeof(record), 0);
}

static void emit_nodes(uint32_t device, uint32_t stream, uint32_t graph, uint32_t kernels,
                       uint32_t correlation)
{
	for (uint32_t i = 0; i < kernels; i++) {
		const struct fake_launch launch = { .name = "node_kernel",
			                            .device = device,
			                            .stream = stream,
			                            .grid = { 1, 1, 1 },
			                            .block = { 32, 1, 1 },
			                            .graph = graph,
			                            .node = ((uint64_t) graph << 32) + i + 1 };

		fake_emit_kernel(&launch, correlation);
	}
}

uint32_t fake_graph_launch(uint32_t device, uint32_t stream, uint32_t graph, uint32_t kernels)
{
	const char *way = getenv("FAKE_CUDA_GRAPHS");
	uint64_t start;
	uint32_t correlation;

	if (atomic_load(&graphs[graph % GRAPHS]) == GRAPH_NEW) {
		instantiate(graph);
	}
	check_whole(graph);
	start = fake_now();
	correlation = fake_correlation();
	if ((way && strcmp(way, "nodes") == 0) || !fake_is_on(RCAP_CUPTI_GRAPH_TRACE)) {
		emit_nodes(device, stream, graph, kernels, correlation);
	} else if (!way &&
	           (atomic_load(&graphs[graph % GRAPHS]) != GRAPH_WHOLES ||
	            !emit_whole(device, stream, graph, UINT64_C(1000) * kernels, correlation))) {
		/* Wholes were switched on or off this very moment: a launch is told of one way or
		 * the other. */
		emit_nodes(device, stream, graph, kernels, correlation);
	}
	fake_emit_call(CB_GRAPH, start, correlation);
	return correlation;
}
