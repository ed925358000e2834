/* SPDX-License-Identifier: MIT */
/*
 * Starts a program under recording many times: each run is a child that has not loaded the
 * library yet, whose threads all make their first call while others are still being created.
 *
 * usage: starts RUNS [THREADS [PAIRS]]   recorded as NVTX_INJECTION64_PATH and RANGES_OUTPUT say
 * Exit: 0, or 1 and a line for each run that ended otherwise than by its own exit status.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ranges/nvtx.h"

enum {
	THREADS_MAX = 256,
	STATUS = 7
};

static unsigned long pairs = 4;

static void *push(void *argument)
{
	(void) argument;
	for (unsigned long i = 0; i < pairs; i++) {
		nvtxRangePushA("start");
		nvtxRangePop();
	}
	return NULL;
}

static void start(unsigned threads)
{
	pthread_t thread[THREADS_MAX];

	for (unsigned i = 0; i < threads; i++) {
		if (pthread_create(&thread[i], NULL, push, NULL) != 0) {
			exit(2);
		}
	}
	for (unsigned i = 0; i < threads; i++) {
		pthread_join(thread[i], NULL);
	}
	exit(STATUS);
}

int main(int argc, char **argv)
{
	const unsigned long runs = argc > 1 ? strtoul(argv[1], NULL, 10) : 0;
	const unsigned threads = argc > 2 ? (unsigned) strtoul(argv[2], NULL, 10) : 16;
	int rc = 0;

	if (runs == 0 || threads == 0 || threads > THREADS_MAX) {
		return 2;
	}
	pairs = argc > 3 ? strtoul(argv[3], NULL, 10) : pairs;
	for (unsigned long run = 0; run < runs; run++) {
		int status = 0;
		const pid_t child = fork();

		if (child == 0) {
			start(threads);
		}
		if (child < 0 || waitpid(child, &status, 0) != child) {
			perror("starts");
			return 2;
		}
		if (!WIFEXITED(status) || WEXITSTATUS(status) != STATUS) {
			printf("run %lu: status 0x%x\n", run, (unsigned) status);
			rc = 1;
		}
	}
	return rc;
}
