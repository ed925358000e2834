/* SPDX-License-Identifier: MIT */
/*
 * What a launch costs: N empty kernels (200000 if not said), a wait after each 1000, in ranges of
 * 100. Prints "ns_per_launch N", of the calls alone, and "ns_per_kernel N", with the waits.
 */
#include <time.h>

#include "common.cuh"

static uint64_t read_clock(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t) now.tv_sec * 1000000000u + (uint64_t) now.tv_nsec;
}

int main(int argc, char **argv)
{
	const int count = argc > 1 ? atoi(argv[1]) : 200000;
	uint64_t in_calls = 0;
	uint64_t begin;
	uint64_t whole;

	for (int i = 0; i < 1000; i++) {
		empty<<<1, 32>>>();
	}
	CHECK(cudaDeviceSynchronize());
	begin = read_clock();
	for (int i = 0; i < count; i += 1000) {
		const uint64_t start = read_clock();

		for (int j = 0; j < 10; j++) {
			nvtxRangePushA("hundred");
			for (int k = 0; k < 100; k++) {
				empty<<<1, 32>>>();
			}
			nvtxRangePop();
		}
		in_calls += read_clock() - start;
		CHECK(cudaDeviceSynchronize());
	}
	whole = read_clock() - begin;
	printf("ns_per_launch %.0f\nns_per_kernel %.0f\n", (double) in_calls / count,
	       (double) whole / count);
	return 0;
}
