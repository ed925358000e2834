/* SPDX-License-Identifier: MIT */
/* To be built with ThreadSanitizer, which libranges.so is not: threads that use the same names. */
#include <pthread.h>
#include <stdio.h>
#include "ranges/nvtx.h"
static void *run(void *argument)
{
	char name[40];

	for (int i = 0; i < 3000; i++) {
		snprintf(name, sizeof(name), "a name of some length %d", i % 300);
		nvtxRangePushA(name);
		nvtxRangePop();
	}
	return argument;
}
int main(void)
{
	pthread_t threads[4];

	for (int i = 0; i < 4; i++) {
		if (pthread_create(&threads[i], NULL, run, NULL) != 0) {
			return 2;
		}
	}
	for (int i = 0; i < 4; i++) {
		pthread_join(threads[i], NULL);
	}
	return 0;
}
