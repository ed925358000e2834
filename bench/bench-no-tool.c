/* SPDX-License-Identifier: MIT */
/* Measures what a push and a pop cost when nobody records: with the header, and with
 * libnvToolsExt.so.1. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "ranges/nvtx.h"

/* Thread CPU time is measured, so that a loaded host does not matter. The result is the median of
 * the batches. */
#define BATCHES 51
#define PAIRS   1000000

enum loop {
	LOOP_EMPTY,
	LOOP_HEADER,
	LOOP_LIBRARY,
	LOOPS
};

static const char *const loop_names[LOOPS] = { "an empty loop", "ranges/nvtx.h",
	                                       "libnvToolsExt.so.1" };

/* Called as by a program that is linked with the library: by an address that the dynamic linker
 * filled in. */
static int (*push)(const char *name);
static int (*pop)(void);
static volatile int sink;

static double run_batch(enum loop loop)
{
	struct timespec start;
	struct timespec end;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &start);
	for (int i = 0; i < PAIRS; i++) {
		if (loop == LOOP_EMPTY) {
			sink = i;
			sink = i;
		} else if (loop == LOOP_HEADER) {
			sink = nvtxRangePushA("forward pass");
			sink = nvtxRangePop();
		} else {
			sink = push("forward pass");
			sink = pop();
		}
	}
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &end);
	return ((double) (end.tv_sec - start.tv_sec) * 1e9 +
	        (double) (end.tv_nsec - start.tv_nsec)) /
	       PAIRS;
}

static int compare(const void *a, const void *b)
{
	const double x = *(const double *) a;
	const double y = *(const double *) b;

	return (x > y) - (x < y);
}

/* Usage: bench-no-tool LIBNVTOOLSEXT.SO */
int main(int argc, char **argv)
{
	static double ns[LOOPS][BATCHES];
	void *const library = argc > 1 ? dlopen(argv[1], RTLD_NOW) : NULL;

	unsetenv("NVTX_INJECTION64_PATH"); /* NOLINT(concurrency-mt-unsafe): one thread */
	if (library == NULL) {
		fprintf(stderr, "usage: bench-no-tool LIBNVTOOLSEXT.SO\n");
		return 2;
	}
	*(void **) &push = dlsym(library, "nvtxRangePushA");
	*(void **) &pop = dlsym(library, "nvtxRangePop");
	for (int batch = 0; batch < BATCHES; batch++) {
		for (int loop = 0; loop < LOOPS; loop++) {
			ns[loop][batch] = run_batch((enum loop) loop);
		}
	}
	printf("no tool, %d batches of %d pairs; ns per pair of push and pop\n", BATCHES, PAIRS);
	for (int loop = 0; loop < LOOPS; loop++) {
		qsort(ns[loop], BATCHES, sizeof(ns[loop][0]), compare);
		printf("  %-20s %8.2f   x header %6.2f\n", loop_names[loop], ns[loop][BATCHES / 2],
		       ns[loop][BATCHES / 2] / ns[LOOP_HEADER][BATCHES / 2]);
	}
	return 0;
}
