/* SPDX-License-Identifier: MIT */
/*
 * Known work on several threads and streams, with account kept of it.
 *
 *   streams [THREADS [RANGES [PER_RANGE]]]
 *
 * Each thread has a stream of its own. Its range number R of thread T is called "tT-R", and holds
 * PER_RANGE kernels of R + 1 blocks and 32 * (T + 1) threads: a launch tells by its shape where it
 * was made (tests/gpu/check.c). Beside them one copy to the device, one back and one set of 4096
 * bytes each per range. Prints lines "KEY VALUE"; event_us and event_kernels are of 50 kernels of
 * 200 µs in a range "timed", between two CUDA events.
 */
#include <pthread.h>

#include "common.cuh"

#define BYTES  4096
#define TIMED  50
#define MAXIMUM 64

static int threads = 4;
static int ranges = 25;
static int per_range = 10;

static void *work(void *argument)
{
	const int self = (int) (intptr_t) argument;
	cudaStream_t stream;
	char *host;
	char *device;

	CHECK(cudaSetDevice(0));
	CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
	CHECK(cudaMallocHost((void **) &host, BYTES));
	CHECK(cudaMalloc((void **) &device, BYTES));
	for (int range = 0; range < ranges; range++) {
		char name[32];

		snprintf(name, sizeof(name), "t%d-%d", self, range);
		nvtxRangePushA(name);
		CHECK(cudaMemcpyAsync(device, host, BYTES, cudaMemcpyHostToDevice, stream));
		CHECK(cudaMemsetAsync(device, 0, BYTES, stream));
		for (int i = 0; i < per_range; i++) {
			spin<<<range + 1, 32 * (self + 1), 0, stream>>>(2000);
		}
		CHECK(cudaMemcpyAsync(host, device, BYTES, cudaMemcpyDeviceToHost, stream));
		nvtxRangePop();
	}
	CHECK(cudaGetLastError());
	CHECK(cudaStreamSynchronize(stream));
	CHECK(cudaFree(device));
	CHECK(cudaFreeHost(host));
	CHECK(cudaStreamDestroy(stream));
	return NULL;
}

/* How long CUDA's own events say that some kernels took. */
static void time_kernels(void)
{
	cudaEvent_t start;
	cudaEvent_t end;
	float ms = 0;

	CHECK(cudaEventCreate(&start));
	CHECK(cudaEventCreate(&end));
	nvtxRangePushA("timed");
	CHECK(cudaEventRecord(start, 0));
	for (int i = 0; i < TIMED; i++) {
		spin<<<1, 1>>>(200000);
	}
	CHECK(cudaEventRecord(end, 0));
	nvtxRangePop();
	CHECK(cudaEventSynchronize(end));
	CHECK(cudaEventElapsedTime(&ms, start, end));
	printf("event_us %.0f\nevent_kernels %d\n", (double) ms * 1000, TIMED);
	CHECK(cudaEventDestroy(start));
	CHECK(cudaEventDestroy(end));
}

int main(int argc, char **argv)
{
	pthread_t ids[MAXIMUM];

	threads = argc > 1 ? atoi(argv[1]) : threads;
	ranges = argc > 2 ? atoi(argv[2]) : ranges;
	per_range = argc > 3 ? atoi(argv[3]) : per_range;
	if (threads < 1 || threads > MAXIMUM || threads * 32 > 1024) {
		return 2;
	}
	CHECK(cudaFree(0));
	for (int i = 0; i < threads; i++) {
		pthread_create(&ids[i], NULL, work, (void *) (intptr_t) i);
	}
	for (int i = 0; i < threads; i++) {
		pthread_join(ids[i], NULL);
	}
	time_kernels();
	printf("kernels %d\ncopies %d\nsets %d\nstreams %d\n", threads * ranges * per_range,
	       2 * threads * ranges, threads * ranges, threads);
	return 0;
}
