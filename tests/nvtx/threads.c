/* SPDX-License-Identifier: MIT */
/* Eight threads make the first NVTX call of a unit at once, with EXTENSION that of an extension;
 * prints how many of their calls found the tool. */
#ifdef EXTENSION
#include <ranges/nvtx-payload.h>
#else
#include <ranges/nvtx.h>
#endif

#include <stdio.h>

#define THREADS 8

static pthread_barrier_t barrier;

static void *run_thread(void *arg)
{
	int *const found = (int *) arg;

	pthread_barrier_wait(&barrier);
#ifdef EXTENSION
	*found = nvtxDomainIsEnabled(NULL) == 1;
#else
	*found = nvtxRangePushA("first") == 0;
#endif
	return NULL;
}

int main(void)
{
	pthread_t threads[THREADS];
	int found[THREADS] = { 0 };
	int sum = 0;

	pthread_barrier_init(&barrier, NULL, THREADS);
	for (int i = 0; i < THREADS; i++) {
		if (pthread_create(&threads[i], NULL, run_thread, &found[i]) != 0) {
			return 1;
		}
	}
	for (int i = 0; i < THREADS; i++) {
		pthread_join(threads[i], NULL);
		sum += found[i];
	}
	printf("found %d\n", sum);
	return 0;
}
