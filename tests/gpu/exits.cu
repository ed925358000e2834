/* SPDX-License-Identifier: MIT */
/*
 * Launches 500 kernels in a range "work" and ends in the way named: return, exit, _exit, quick_exit,
 * kill, reset (cudaDeviceReset, then return), nosync (return without waiting for the kernels). With a
 * second argument it sleeps so many ms before.
 */
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "common.cuh"

#define LAUNCHES 500

int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "return";

	CHECK(cudaFree(0));
	nvtxRangePushA("work");
	for (int i = 0; i < LAUNCHES; i++) {
		spin<<<1, 32>>>(1000);
	}
	nvtxRangePop();
	CHECK(cudaGetLastError());
	if (strcmp(how, "nosync") != 0) {
		CHECK(cudaDeviceSynchronize());
	}
	printf("kernels %d\n", LAUNCHES);
	fflush(stdout);
	if (argc > 2) {
		usleep((useconds_t) atoi(argv[2]) * 1000);
	}
	if (strcmp(how, "exit") == 0) {
		exit(0);
	} else if (strcmp(how, "_exit") == 0) {
		_exit(0);
	} else if (strcmp(how, "quick_exit") == 0) {
		quick_exit(0);
	} else if (strcmp(how, "kill") == 0) {
		kill(getpid(), SIGKILL);
	} else if (strcmp(how, "reset") == 0) {
		CHECK(cudaDeviceReset());
	}
	return 0;
}
