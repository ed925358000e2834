/* SPDX-License-Identifier: MIT */
/*
 * A program that bench/verdict measures: threads that answer random requests. Kinds, sizes and
 * numbers of requests differ from run to run, as in a server that people use. So no call of one run
 * corresponds to a call of another run.
 *
 * usage: verdict-server [THREADS [REQUESTS]]
 *
 * The defaults are 3 threads and about 500 requests of each. Exit: 0, 1 no thread, 2 usage.
 */
#include <math.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <ranges/nvtx.h>

enum {
	THREADS = 16, /* most threads */
	KEYS = 1 << 14,
	VALUE_BYTES = 1 << 14, /* bytes of the longest answer */
	TYPICAL_BYTES = 4000,
	LOOKUPS = 300, /* look-ups in a usual request */
};

static uint64_t keys[KEYS]; /* in ascending order */
static long mean_requests = 500;

struct worker {
	pthread_t thread;
	uint64_t random;
	uint64_t sum; /* sum of results, so that the compiler does not leave out the work */
	char value[VALUE_BYTES];
};

static uint64_t next_random(struct worker *worker)
{
	worker->random ^= worker->random << 13;
	worker->random ^= worker->random >> 7;
	worker->random ^= worker->random << 17;
	return worker->random;
}

/* Draws a size: many are short, few are long; exponential with a mean of 1. */
static double draw(struct worker *worker)
{
	return -log(((double) (next_random(worker) >> 11) + 1) / ((double) (1ull << 53) + 1));
}

static size_t draw_count(struct worker *worker, size_t mean, size_t most)
{
	const double count = draw(worker) * (double) mean;

	return count < (double) most ? (size_t) count + 1 : most;
}

static size_t look_up(uint64_t key)
{
	size_t low = 0;
	size_t high = KEYS;

	while (high - low > 1) {
		const size_t middle = (low + high) / 2;

		if (keys[middle] <= key) {
			low = middle;
		} else {
			high = middle;
		}
	}
	return low;
}

static void find(struct worker *worker)
{
	const size_t lookups = draw_count(worker, LOOKUPS, 5000);

	nvtxRangePushA("find");
	for (size_t i = 0; i < lookups; i++) {
		worker->sum += look_up(next_random(worker));
	}
	nvtxRangePop();
}

static void render(struct worker *worker, size_t bytes)
{
	nvtxRangePushA("render");
	for (size_t i = 0; i + 8 < bytes; i += 8) {
		snprintf(worker->value + i, 9, "%08x", (unsigned) next_random(worker));
	}
	nvtxRangePop();
}

static void check(struct worker *worker, size_t bytes)
{
	uint32_t sum = 1;

	nvtxRangePushA("check");
	for (int pass = 0; pass < 8; pass++) {
		for (size_t i = 0; i < bytes; i++) {
			sum = (sum ^ (unsigned char) worker->value[i]) * 16777619u;
		}
	}
	worker->sum += sum;
	nvtxRangePop();
}

static void answer(struct worker *worker)
{
	static const char *const kinds[] = { "get", "get", "get", "list", "put" };
	const char *const kind = kinds[next_random(worker) % 5];
	const size_t bytes = draw_count(worker, TYPICAL_BYTES, VALUE_BYTES);

	nvtxRangePushA(kind);
	find(worker);
	if (kind[0] != 'p') {
		render(worker, bytes);
	}
	if (kind[0] == 'l') {
		for (int i = 0; i < 3; i++) {
			find(worker);
		}
	} else {
		check(worker, bytes);
	}
	nvtxRangePop();
}

/* Requests come at random times, so their number differs from run to run, too. */
static void *serve(void *context)
{
	struct worker *const worker = context;

	for (double left = (double) mean_requests; (left -= draw(worker)) > 0;) {
		answer(worker);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	static struct worker workers[THREADS];
	const long threads = argc > 1 ? strtol(argv[1], NULL, 10) : 3;
	struct timespec now;

	mean_requests = argc > 2 ? strtol(argv[2], NULL, 10) : mean_requests;
	if (argc > 3 || threads < 1 || threads > THREADS || mean_requests < 1) {
		fprintf(stderr, "usage: verdict-server [THREADS [REQUESTS]]\n");
		return 2;
	}
	for (size_t i = 0; i < KEYS; i++) {
		keys[i] = i * (UINT64_MAX / KEYS);
	}
	clock_gettime(CLOCK_REALTIME, &now);
	for (long i = 0; i < threads; i++) {
		workers[i].random = ((uint64_t) now.tv_sec * 1000003u ^ (uint64_t) now.tv_nsec) +
		                    (uint64_t) getpid() * 2654435761u + (uint64_t) i * 40503u + 1;
		for (int skipped = 0; skipped < 20; skipped++) {
			next_random(&workers[i]);
		}
		if (pthread_create(&workers[i].thread, NULL, serve, &workers[i]) != 0) {
			fprintf(stderr, "verdict-server: no thread\n");
			return 1;
		}
	}
	for (long i = 0; i < threads; i++) {
		pthread_join(workers[i].thread, NULL);
	}
	return 0;
}
