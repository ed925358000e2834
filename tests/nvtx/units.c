/* SPDX-License-Identifier: MIT */
/*
 * An executable and three libraries, each with an NVTX table of its own. Eight threads make the
 * first calls of all four at once, and nest their ranges. Prints how many threads were told the
 * right depths all the way.
 */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>

#define THREADS 8
#define LOOPS   100

extern int run_unit_1(int depth, int (*inner)(int depth));
extern int run_unit_2(int depth, int (*inner)(int depth));
extern int run_unit_3(int depth, int (*inner)(int depth));
extern int run_unit_4(int depth, int (*inner)(int depth));

static pthread_barrier_t barrier;

static int run_4(int depth)
{
	return run_unit_4(depth, NULL);
}

static int run_3(int depth)
{
	return run_unit_3(depth, run_4);
}

static int run_2(int depth)
{
	return run_unit_2(depth, run_3);
}

static void *run_thread(void *argument)
{
	const intptr_t number = (intptr_t) argument;
	int (*const first[])(int) = { run_2, run_3, run_4 };
	intptr_t right = 1;

	pthread_barrier_wait(&barrier);
	/* Each unit is somebody's first one. */
	right = number % 4 == 3 ? right : first[number % 4](0);
	for (int i = 0; i < LOOPS; i++) {
		right = run_unit_1(0, run_2) && right;
	}
	/* NOLINTNEXTLINE(performance-no-int-to-ptr): a number */
	return (void *) right;
}

int main(void)
{
	pthread_t threads[THREADS];
	int right = 0;

	pthread_barrier_init(&barrier, NULL, THREADS);
	for (intptr_t i = 0; i < THREADS; i++) {
		/* NOLINTNEXTLINE(performance-no-int-to-ptr): a number */
		if (pthread_create(&threads[i], NULL, run_thread, (void *) i) != 0) {
			return 1;
		}
	}
	for (int i = 0; i < THREADS; i++) {
		void *result;

		pthread_join(threads[i], &result);
		right += result != NULL;
	}
	printf("%d threads, depths right\n", right);
	return 0;
}
