/* SPDX-License-Identifier: MIT */
/* What the CUDA programs of tests/gpu share. */
#ifndef COMMON_CUH
#define COMMON_CUH

#include <cuda_runtime.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <ranges/nvtx.h>

/* A program without a working GPU says so with this status: the harness skips what it was for. */
#define EXIT_NO_GPU 77

#define CHECK(call)                                                                          \
	do {                                                                                 \
		const cudaError_t error_ = (call);                                           \
                                                                                             \
		if (error_ != cudaSuccess) {                                                 \
			fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call,        \
			        cudaGetErrorString(error_));                                 \
			exit(error_ == cudaErrorNoDevice ||                                  \
			                     error_ == cudaErrorInsufficientDriver ||        \
			                     error_ == cudaErrorStubLibrary                  \
			             ? EXIT_NO_GPU                                           \
			             : 2);                                                   \
		}                                                                            \
	} while (0)

/* Runs for that long, whatever the clock rate of the device. */
static __global__ void spin(uint64_t ns)
{
	uint64_t start;
	uint64_t now;

	asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(start));
	do {
		asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
	} while (now - start < ns);
}

static __global__ void empty(void)
{
}

#endif
