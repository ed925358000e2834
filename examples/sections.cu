/* SPDX-License-Identifier: MIT */
/*
 * What the time inside of a kernel goes into (ranges/device.h): each block loads a tile, works on it,
 * and stores it. Build it as examples/Makefile does, and run it under `ranges run`; then
 *
 *	analyzer stats --report kernel-sections LOG
 *
 * has a line for each section, and the timeline a row for each block that was recorded.
 */
#include <stdio.h>

#include <ranges/device.h>

enum { LOAD, WORK, STORE };

#define TILE   256
#define BLOCKS 512

__global__ void smooth(float *x, int rounds, struct ranges_sections sections)
{
	__shared__ float tile[TILE];
	const int at = blockIdx.x * TILE + threadIdx.x;

	RANGES_SECTION_BEGIN(sections, LOAD);
	tile[threadIdx.x] = x[at];
	__syncthreads(); /* or the first warp's time would stand for all */
	RANGES_SECTION_END(sections, LOAD);

	RANGES_SECTION_BEGIN(sections, WORK);
	for (int i = 0; i < rounds; i++) {
		const float left = tile[(threadIdx.x + TILE - 1) % TILE];

		__syncthreads();
		tile[threadIdx.x] = (tile[threadIdx.x] + left) / 2;
		__syncthreads();
	}
	RANGES_SECTION_END(sections, WORK);

	RANGES_SECTION_BEGIN(sections, STORE);
	x[at] = tile[threadIdx.x];
	RANGES_SECTION_END(sections, STORE);
}

/* Says what failed. Return: whether it did. */
static bool fails(cudaError_t rc, const char *what)
{
	if (rc != cudaSuccess) {
		fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(rc));
	}
	return rc != cudaSuccess;
}

int main(void)
{
	struct ranges_section_buffer buffer;
	float *x = NULL;
	bool has_failed = fails(cudaMalloc(&x, BLOCKS * TILE * sizeof(*x)), "cudaMalloc");

	/* Each eighth block, 64 of them at most; three sections of each have 6 begins and ends. */
	has_failed = has_failed ||
	             fails(ranges_sections_create(&buffer, 64, 6, 8), "ranges_sections_create");
	if (has_failed) {
		return 1;
	}
	ranges_sections_name(&buffer, LOAD, "load");
	ranges_sections_name(&buffer, WORK, "work");
	ranges_sections_name(&buffer, STORE, "store");
	for (int i = 0; i < 10 && !has_failed; i++) {
		smooth<<<BLOCKS, TILE>>>(x, 100 * (i + 1), ranges_sections_launch(&buffer));
		has_failed = fails(ranges_sections_sync(&buffer, 0), "smooth");
	}
	ranges_sections_destroy(&buffer);
	cudaFree(x);
	return has_failed;
}
