/* SPDX-License-Identifier: MIT */
/*
 * Launches 500 kernels in a range "work" through the driver API alone, as Triton, JAX and Numba do.
 * Prints "kernels N".
 */
#include <dlfcn.h>

#include "common.cuh"

#define LAUNCHES 500

typedef int launch_fn(void *function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
                      unsigned block_y, unsigned block_z, unsigned shared_bytes, void *stream, void **arguments,
                      void **extra);

int main(void)
{
	void *driver;
	launch_fn *launch;
	cudaFunction_t function;
	uint64_t ns = 1000;
	void *arguments[] = { &ns };

	CHECK(cudaFree(0));
	CHECK(cudaGetFuncBySymbol(&function, (const void *) spin));
	driver = dlopen("libcuda.so.1", RTLD_NOW);
	launch = driver ? (launch_fn *) dlsym(driver, "cuLaunchKernel") : NULL;
	if (!launch) {
		fprintf(stderr, "driver: no cuLaunchKernel\n");
		return 2;
	}
	nvtxRangePushA("work");
	for (int i = 0; i < LAUNCHES; i++) {
		const int error = launch(function, 1, 1, 1, 32, 1, 1, 0, NULL, arguments, NULL);

		if (error != 0) {
			fprintf(stderr, "driver: cuLaunchKernel: %d\n", error);
			return 2;
		}
	}
	nvtxRangePop();
	CHECK(cudaDeviceSynchronize());
	printf("kernels %d\n", LAUNCHES);
	return 0;
}
