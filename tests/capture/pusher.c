/* SPDX-License-Identifier: MIT */
/* Threads that push and pop as fast as they can, and keep the number of calls that returned in a
 * shared file. */
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "ranges/nvtx.h"
#include "tests/capture/pushing.h"

static struct pushing *shared;
static uint64_t pairs;
static int nap_us;

static void *push(void *argument)
{
	const unsigned thread = *(const unsigned *) argument;
	static char names[PUSHING_THREADS][PUSHING_NAMES][16];
	_Atomic uint64_t *calls = &shared->thread[thread].calls;

	for (uint64_t i = 0; i < PUSHING_NAMES; i++) {
		snprintf(names[thread][i], sizeof(names[thread][i]), "t%u %u", thread,
		         (unsigned) i);
	}
	for (uint64_t i = 0; i < pairs; i++) {
		const char *name = names[thread][i % PUSHING_NAMES];
		char fresh[64];

		if (i % PUSHING_FRESH == PUSHING_FRESH - 1) {
			pushing_name(fresh, sizeof(fresh), thread, i);
			name = fresh;
		}
		nvtxRangePushA(name);
		atomic_store_explicit(calls, 2 * i + 1, memory_order_relaxed);
		nvtxRangePop();
		atomic_store_explicit(calls, 2 * i + 2, memory_order_relaxed);
		if (i == 0) {
			atomic_fetch_add(&shared->started, 1);
		}
		if (nap_us > 0 && i % 64 == 0) {
			usleep((useconds_t) nap_us);
		}
	}
	return NULL;
}

/* pusher FILE THREADS PAIRS [NAP_US] */
int main(int argc, char **argv)
{
	pthread_t threads[PUSHING_THREADS];
	unsigned numbers[PUSHING_THREADS];
	const unsigned count = argc > 2 ? (unsigned) strtoul(argv[2], NULL, 10) : 0;
	const int fd = argc > 3 ? open(argv[1], O_RDWR) : -1;

	if (fd < 0 || count == 0 || count > PUSHING_THREADS) {
		return 2;
	}
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	close(fd);
	if (shared == MAP_FAILED) {
		return 2;
	}
	pairs = strtoull(argv[3], NULL, 10);
	nap_us = argc > 4 ? (int) strtol(argv[4], NULL, 10) : 0;
	atomic_store(&shared->pid, (int32_t) getpid());
	for (unsigned i = 0; i < count; i++) {
		numbers[i] = i;
		if (pthread_create(&threads[i], NULL, push, &numbers[i]) != 0) {
			return 2;
		}
	}
	for (unsigned i = 0; i < count; i++) {
		pthread_join(threads[i], NULL);
	}
	return 7;
}
