/* SPDX-License-Identifier: MIT */
/*
 * CUDA graphs whose nodes are made in ranges around layers: layers [REPLAYS] (100 if not said). A
 * kernel of R + 1 blocks of 32 * (T + 1) threads was made in the range "tT-R": T is the way (see
 * main), R the layer. It prints lines "KEY VALUE": kernels whose shape tells of a range, and others.
 */
#include <pthread.h>

#include "common.cuh"

#define LAYERS  12
#define SPIN_NS 3000

static unsigned long shaped;
static unsigned long others;

static void open_layer(unsigned way, unsigned layer)
{
	char name[32];

	snprintf(name, sizeof(name), "t%u-%u", way, layer);
	nvtxRangePushA(name);
}

static void launch(unsigned way, unsigned layer, cudaStream_t stream)
{
	spin<<<layer + 1, 32 * (way + 1), 0, stream>>>(SPIN_NS);
}

/* A kernel more in each layer than in the one before, up to four. */
static cudaGraph_t capture(unsigned way, unsigned *kernels)
{
	cudaStream_t stream;
	cudaGraph_t graph;

	CHECK(cudaStreamCreate(&stream));
	CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
	nvtxRangePushA("capture");
	for (unsigned layer = 0; layer < LAYERS; layer++) {
		open_layer(way, layer);
		for (unsigned i = 0; i <= layer % 4; i++) {
			launch(way, layer, stream);
			++*kernels;
		}
		nvtxRangePop();
	}
	nvtxRangePop();
	CHECK(cudaStreamEndCapture(stream, &graph));
	CHECK(cudaStreamDestroy(stream));
	return graph;
}

static cudaGraphExec_t instantiate(cudaGraph_t graph)
{
	cudaGraphExec_t exec;

	CHECK(cudaGraphInstantiateWithFlags(&exec, graph, 0));
	return exec;
}

static void replay(const char *name, cudaGraphExec_t exec, int times)
{
	nvtxRangePushA(name);
	for (int i = 0; i < times; i++) {
		CHECK(cudaGraphLaunch(exec, 0));
	}
	CHECK(cudaDeviceSynchronize());
	nvtxRangePop();
}

/* One graph three times, and then one that does what another captured. */
static void replay_again(int times)
{
	unsigned kernels = 0;
	unsigned changed = 0;
	const cudaGraph_t graph = capture(0, &kernels);
	const cudaGraph_t other = capture(1, &changed);
	cudaGraphExec_t execs[3];
#if CUDART_VERSION >= 12000
	cudaGraphExecUpdateResultInfo info;
#else
	cudaGraphExecUpdateResult info;
	cudaGraphNode_t node;
#endif

	for (int i = 0; i < 3; i++) {
		execs[i] = instantiate(graph);
		replay("serve", execs[i], times);
	}
#if CUDART_VERSION >= 12000
	CHECK(cudaGraphExecUpdate(execs[2], other, &info));
#else
	CHECK(cudaGraphExecUpdate(execs[2], other, &node, &info));
#endif
	replay("serve_updated", execs[2], times);
	replay("serve", execs[0], times);
	shaped += (4 * kernels + changed) * (unsigned long) times;
	for (int i = 0; i < 3; i++) {
		CHECK(cudaGraphExecDestroy(execs[i]));
	}
	CHECK(cudaGraphDestroy(graph));
	CHECK(cudaGraphDestroy(other));
}

static void add_kernel(cudaGraph_t graph, cudaGraphNode_t *before, unsigned way, unsigned layer)
{
	uint64_t ns = SPIN_NS;
	void *arguments[] = { &ns };
	cudaKernelNodeParams params = {};
	cudaGraphNode_t node;

	params.func = (void *) spin;
	params.gridDim = dim3(layer + 1);
	params.blockDim = dim3(32 * (way + 1));
	params.kernelParams = arguments;
	CHECK(cudaGraphAddKernelNode(&node, graph, before, *before != NULL, &params));
	*before = node;
}

/* Nodes by hand, and a captured graph twice inside of them. */
static void replay_inside(int times)
{
	unsigned kernels = 0;
	const cudaGraph_t child = capture(2, &kernels);
	cudaGraphNode_t before = NULL;
	cudaGraphNode_t node;
	cudaGraphExec_t exec;
	cudaGraph_t graph;

	CHECK(cudaGraphCreate(&graph, 0));
	for (unsigned layer = 0; layer < LAYERS; layer++) {
		open_layer(3, layer);
		add_kernel(graph, &before, 3, layer);
		if (layer % 6 == 5) {
			CHECK(cudaGraphAddChildGraphNode(&node, graph, &before, 1, child));
			before = node;
		}
		nvtxRangePop();
	}
	exec = instantiate(graph);
	replay("serve_inside", exec, times);
	shaped += (2 * kernels + LAYERS) * (unsigned long) times;
	CHECK(cudaGraphExecDestroy(exec));
	CHECK(cudaGraphDestroy(graph));
	CHECK(cudaGraphDestroy(child));
}

static int thread_times;

static void *replay_in_thread(void *way)
{
	unsigned kernels = 0;
	const cudaGraph_t graph = capture((unsigned) (uintptr_t) way, &kernels);
	const cudaGraphExec_t exec = instantiate(graph);

	replay("serve_thread", exec, thread_times);
	__sync_fetch_and_add(&shaped, (unsigned long) kernels * (unsigned long) thread_times);
	CHECK(cudaGraphExecDestroy(exec));
	CHECK(cudaGraphDestroy(graph));
	return NULL;
}

/* Nodes that are made in no range: of a shape that tells of none. */
static void replay_nowhere(int times)
{
	cudaStream_t stream;
	cudaGraph_t graph;
	cudaGraphExec_t exec;

	CHECK(cudaStreamCreate(&stream));
	CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
	for (int i = 0; i < 5; i++) {
		spin<<<1, 33, 0, stream>>>(SPIN_NS);
	}
	CHECK(cudaStreamEndCapture(stream, &graph));
	exec = instantiate(graph);
	replay("serve_nowhere", exec, times);
	others += 5 * (unsigned long) times;
	CHECK(cudaGraphExecDestroy(exec));
	CHECK(cudaGraphDestroy(graph));
	CHECK(cudaStreamDestroy(stream));
}

int main(int argc, char **argv)
{
	const int times = argc > 1 ? atoi(argv[1]) : 100;
	pthread_t threads[2];

	CHECK(cudaFree(0));
	replay_again(times);
	replay_inside(times);
	thread_times = times;
	for (uintptr_t i = 0; i < 2; i++) {
		pthread_create(&threads[i], NULL, replay_in_thread, (void *) (i + 4));
	}
	for (int i = 0; i < 2; i++) {
		pthread_join(threads[i], NULL);
	}
	replay_nowhere(times);
	printf("shaped %lu\nothers %lu\n", shaped, others);
	return 0;
}
