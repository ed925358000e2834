/* SPDX-License-Identifier: MIT */
/*
 * A CUDA graph of five kernels and a copy, launched 20 times in the range "graph", and managed memory
 * that moves to the device and back in the range "managed". Prints lines "KEY VALUE". With a number
 * it launches the graph, whose kernels do nothing then, so often, and prints "ns_per_graph N" alone.
 */
#include <time.h>

#include "common.cuh"

#define NODES    5
#define LAUNCHES 20
#define BYTES    ((size_t) 8 << 20)

static __global__ void increment(unsigned char *bytes, size_t count)
{
	const size_t i = (size_t) blockIdx.x * blockDim.x + threadIdx.x;

	if (i < count) {
		bytes[i]++;
	}
}

static double read_clock_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double) now.tv_sec * 1e9 + (double) now.tv_nsec;
}

static void launch_graphs(int launches, uint64_t spin_ns)
{
	double begin;
	cudaGraphExec_t exec;
	cudaStream_t stream;
	cudaGraph_t graph;
	char *device;

	CHECK(cudaMalloc((void **) &device, 8192));
	CHECK(cudaStreamCreate(&stream));
	CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
	for (int i = 0; i < NODES; i++) {
		spin<<<1, 32, 0, stream>>>(spin_ns);
	}
	CHECK(cudaMemcpyAsync(device, device + 4096, 4096, cudaMemcpyDeviceToDevice, stream));
	CHECK(cudaStreamEndCapture(stream, &graph));
#if CUDART_VERSION >= 12000
	CHECK(cudaGraphInstantiate(&exec, graph, 0));
#else
	CHECK(cudaGraphInstantiate(&exec, graph, NULL, NULL, 0));
#endif
	begin = read_clock_ns();
	nvtxRangePushA("graph");
	for (int i = 0; i < launches; i++) {
		CHECK(cudaGraphLaunch(exec, stream));
	}
	nvtxRangePop();
	CHECK(cudaStreamSynchronize(stream));
	if (spin_ns == 0) {
		printf("ns_per_graph %.0f\n", (read_clock_ns() - begin) / launches);
	} else {
		printf("graph_launches %d\ngraph_nodes %d\n", launches, NODES);
	}
	CHECK(cudaGraphExecDestroy(exec));
	CHECK(cudaGraphDestroy(graph));
	CHECK(cudaStreamDestroy(stream));
	CHECK(cudaFree(device));
}

static void move_memory(void)
{
	unsigned char *bytes;
	unsigned long sum = 0;

	CHECK(cudaMallocManaged((void **) &bytes, BYTES));
	nvtxRangePushA("managed");
	for (size_t i = 0; i < BYTES; i++) {
		bytes[i] = 1;
	}
	increment<<<(unsigned) ((BYTES + 255) / 256), 256>>>(bytes, BYTES);
	CHECK(cudaDeviceSynchronize());
	for (size_t i = 0; i < BYTES; i += 4096) {
		sum += bytes[i];
	}
	nvtxRangePop();
	printf("managed_bytes %zu\nmanaged_sum %lu\n", BYTES, sum);
	CHECK(cudaFree(bytes));
}

int main(int argc, char **argv)
{
	if (argc > 1) {
		launch_graphs(atoi(argv[1]), 0);
		return 0;
	}
	launch_graphs(LAUNCHES, 5000);
	move_memory();
	return 0;
}
