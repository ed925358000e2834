/* SPDX-License-Identifier: MIT */
/*
 * Captures CUDA graphs of the stand-ins in ranges, and replays them: capture REPLAYS [GRAPHS]. A
 * kernel is called as the range that its node was made in. So many graphs of 60 nodes are made
 * first, and not used.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "fake.h"
#include "ranges/nvtx.h"

#define LAYERS 12

static char names[3][LAYERS][32];

static void replay(const char *name, uint32_t exec, int times)
{
	nvtxRangePushA(name);
	for (int i = 0; i < times; i++) {
		fake_graph_replay(exec, 11);
	}
	nvtxRangePop();
}

/* A kernel more in each layer than in the one before. */
static uint32_t capture(int which, const char *word)
{
	const uint32_t graph = fake_graph_make();

	nvtxRangePushA("capture");
	for (int layer = 0; layer < LAYERS; layer++) {
		snprintf(names[which][layer], sizeof(names[which][layer]), "%s_%d", word, layer);
		nvtxRangePushA(names[which][layer]);
		for (int i = 0; i <= layer % 4; i++) {
			fake_graph_add(graph, names[which][layer]);
		}
		nvtxRangePop();
	}
	nvtxRangePop();
	return graph;
}

static void make_inside(int replays)
{
	const uint32_t child = fake_graph_make();
	const uint32_t graph = fake_graph_make();

	nvtxRangePushA("inside");
	fake_graph_add(child, "inside");
	fake_graph_add(child, "inside");
	nvtxRangePop();
	nvtxRangePushA("by_hand");
	fake_graph_add_child(graph, child);
	fake_graph_add(graph, "by_hand");
	fake_graph_add_child(graph, child);
	nvtxRangePop();
	replay("serve_inside", fake_graph_instantiate(graph), replays);
}

static void *work(void *argument)
{
	static const char *const words[] = { "first_thread", "second_thread" };
	const char *word = words[(uintptr_t) argument];
	const uint32_t graph = fake_graph_make();

	nvtxRangePushA(word);
	for (int i = 0; i < 20; i++) {
		fake_graph_add(graph, word);
	}
	nvtxRangePop();
	replay("serve_thread", fake_graph_instantiate(graph), 3);
	return NULL;
}

int main(int argc, char **argv)
{
	const int replays = argc > 1 ? atoi(argv[1]) : 10;
	pthread_t threads[2];
	uint32_t graph;
	uint32_t exec;
	uint32_t old;

	cuInit(0);
	for (int i = 0; argc > 2 && i < atoi(argv[2]); i++) {
		graph = fake_graph_make();
		for (int node = 0; node < 60; node++) {
			fake_graph_add(graph, "unused");
		}
	}
	old = fake_graph_make();
	fake_graph_add(old, "nowhere");
	graph = capture(0, "layer");
	exec = fake_graph_instantiate(graph);
	replay("warm_up", exec, 1);
	(void) fake_graph_instantiate(graph);
	exec = fake_graph_instantiate(graph);
	replay("serve", exec, replays);
	fake_graph_update(exec, capture(1, "new"));
	replay("serve_again", exec, replays);
	make_inside(replays);
	replay("serve_old", fake_graph_instantiate(old), 1);
	for (uintptr_t i = 0; i < 2; i++) {
		pthread_create(&threads[i], NULL, work, (void *) i);
	}
	for (int i = 0; i < 2; i++) {
		pthread_join(threads[i], NULL);
	}
	return 0;
}
