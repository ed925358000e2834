/* SPDX-License-Identifier: MIT */
/*
 * Captures one CUDA graph of many nodes, replays it, and prints what each of these costs:
 * graph-nodes NODES REPLAYS [RANGES]. NODES nodes are made in each of RANGES ranges; 0: they are
 * made in no range. The driver is the stand-in of tests/cupti, which only reports to CUPTI's
 * stand-in. Prints CPU time of this thread in ns for each node, while the nodes are made, while the
 * graph is instantiated, and while it is replayed. Also prints by how much each of these increases
 * the resident set.
 */
#define _GNU_SOURCE /* environ; NOLINT(readability-identifier-naming) */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "fake.h"
#include "ranges/nvtx.h"

/* Replaces getenv() for all libraries of the process. The stand-ins look for some variables in each
 * call, which would take most of the time measured. None of them is set. */
char *getenv(const char *name)
{
	const size_t length = strlen(name);

	if (strncmp(name, "FAKE_", 5) == 0) {
		return NULL;
	}
	for (char **entry = environ; *entry != NULL; entry++) {
		if (strncmp(*entry, name, length) == 0 && (*entry)[length] == '=') {
			return *entry + length + 1;
		}
	}
	return NULL;
}

/* Resident memory in kB: of the process alone, and of files that it shares. */
struct memory {
	long own;
	long shared;
};

struct state {
	int64_t cpu_ns;
	struct memory memory;
};

static struct memory read_memory(void)
{
	FILE *file = fopen("/proc/self/status", "r");
	struct memory memory = { 0 };
	char line[128];

	while (file != NULL && fgets(line, sizeof(line), file) != NULL) {
		if (strncmp(line, "RssAnon:", 8) == 0) {
			memory.own = strtol(line + 8, NULL, 10);
		} else if (strncmp(line, "RssFile:", 8) == 0 ||
		           strncmp(line, "RssShmem:", 9) == 0) {
			memory.shared += strtol(strchr(line, ':') + 1, NULL, 10);
		}
	}
	if (file != NULL) {
		fclose(file);
	}
	return memory;
}

static struct state take_state(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (struct state){ now.tv_sec * INT64_C(1000000000) + now.tv_nsec, read_memory() };
}

static void print_phase(const char *name, const struct state *from, const struct state *to,
                        long calls)
{
	printf("  %-11s %4.0f ns, %6ld kB of its own and %6ld kB shared more\n", name,
	       calls > 0 ? (double) (to->cpu_ns - from->cpu_ns) / (double) calls : 0.0,
	       to->memory.own - from->memory.own, to->memory.shared - from->memory.shared);
}

__attribute__((noinline)) static void make_nodes(uint32_t graph, long nodes, long ranges)
{
	char name[32];

	for (long i = 0; i < nodes; i++) {
		if (ranges > 0 && i % (nodes / ranges) == 0) {
			if (i > 0) {
				nvtxRangePop();
			}
			snprintf(name, sizeof(name), "layer_%ld", i / (nodes / ranges));
			nvtxRangePushA(name);
		}
		fake_graph_add(graph, "node_kernel");
	}
	if (ranges > 0) {
		nvtxRangePop();
	}
}

__attribute__((noinline)) static void replay_all(uint32_t exec, long replays)
{
	nvtxRangePushA("replays");
	for (long i = 0; i < replays; i++) {
		fake_graph_replay(exec, 11);
	}
	nvtxRangePop();
}

int main(int argc, char **argv)
{
	const long nodes = argc > 1 ? atol(argv[1]) : 100000;
	const long replays = argc > 2 ? atol(argv[2]) : 10;
	const long ranges = argc > 3 ? atol(argv[3]) : 100;
	struct state at[4];
	uint32_t graph;
	uint32_t exec;

	cuInit(0);
	graph = fake_graph_make();
	at[0] = take_state();
	make_nodes(graph, nodes, ranges < nodes ? ranges : nodes);
	at[1] = take_state();
	exec = fake_graph_instantiate(graph);
	at[2] = take_state();
	replay_all(exec, replays);
	at[3] = take_state();
	print_phase("capture", &at[0], &at[1], nodes);
	print_phase("instantiate", &at[1], &at[2], nodes);
	print_phase("replay", &at[2], &at[3], nodes * replays);
	return 0;
}
