/* SPDX-License-Identifier: MIT */
/*
 * A CUDA graph of five kernels and a copy, launched 20 times in the range "graph", and managed memory
 * that moves to the device and back in the range "managed". Prints lines "KEY VALUE".
 */
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

static void launch_graphs(void)
{
	cudaGraphExec_t exec;
	cudaStream_t stream;
	cudaGraph_t graph;
	char *device;

	CHECK(cudaMalloc((void **) &device, 8192));
	CHECK(cudaStreamCreate(&stream));
	CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
	for (int i = 0; i < NODES; i++) {
		spin<<<1, 32, 0, stream>>>(5000);
	}
	CHECK(cudaMemcpyAsync(device, device + 4096, 4096, cudaMemcpyDeviceToDevice, stream));
	CHECK(cudaStreamEndCapture(stream, &graph));
#if CUDART_VERSION >= 12000
	CHECK(cudaGraphInstantiate(&exec, graph, 0));
#else
	CHECK(cudaGraphInstantiate(&exec, graph, NULL, NULL, 0));
#endif
	nvtxRangePushA("graph");
	for (int i = 0; i < LAUNCHES; i++) {
		CHECK(cudaGraphLaunch(exec, stream));
	}
	nvtxRangePop();
	CHECK(cudaStreamSynchronize(stream));
	printf("graph_launches %d\ngraph_nodes %d\n", LAUNCHES, NODES);
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

int main(void)
{
	launch_graphs();
	move_memory();
	return 0;
}
