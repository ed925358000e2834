/* SPDX-License-Identifier: MIT */
/*
 * A program that uses NVTX first and CUDA later, as Python does: loads program.c as a library.
 *
 *   host LIBRARY THREADS [COMMAND…]   the commands are program.c's
 */
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ranges/nvtx.h"

static void *idle(void *argument)
{
	(void) argument;
	for (;;) {
		pause();
	}
	return NULL;
}

int main(int argc, char **argv)
{
	int (*work)(int, char **) = NULL;
	pthread_t thread;
	void *library;
	void *function;

	if (argc < 3) {
		return 2;
	}
	for (int i = 1; i < atoi(argv[2]); i++) {
		pthread_create(&thread, NULL, idle, NULL);
	}
	nvtxRangePushA("before CUDA");
	nvtxRangePop();
	library = dlopen(argv[1], RTLD_NOW);
	function = library ? dlsym(library, "work_main") : NULL;
	memcpy(&work, &function, sizeof(function));
	if (!work) {
		fprintf(stderr, "host: %s\n", dlerror());
		return 2;
	}
	return work(argc - 2, argv + 2);
}
