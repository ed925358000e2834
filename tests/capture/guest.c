/* SPDX-License-Identifier: MIT */
/* A program that makes NVTX calls in places where there is little room for a guest. What it prints
 * and how it ends must not depend on who listens. */
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <ranges/nvtx.h>

/* How it ends when all went as it should. */
#define END 3

static _Atomic uint64_t calls; /* that returned, of other threads than main */
static _Atomic int stop;

static void push(uint64_t pairs)
{
	for (uint64_t i = 0; i < pairs; i++) {
		nvtxRangePushA("guest");
		nvtxRangePop();
	}
}

static void nap(long ms)
{
	const struct timespec time = { ms / 1000, ms % 1000 * 1000000 };

	nanosleep(&time, NULL);
}

static void *push_for_ever(void *argument)
{
	uint64_t count = 0;

	while (!atomic_load(&stop)) {
		push(1000);
		count += 2000;
	}
	atomic_fetch_add(&calls, count);
	return argument;
}

/* Takes so many MiB while two threads make more calls than anybody can write. */
static int take_memory(const char *mebibytes)
{
	const long wanted = strtol(mebibytes, NULL, 10);
	pthread_t threads[2];
	long taken = 0;

	for (int i = 0; i < 2; i++) {
		pthread_create(&threads[i], NULL, push_for_ever, NULL);
	}
	nap(500);
	for (; taken < wanted; taken++) {
		void *memory = malloc(1 << 20);

		if (!memory) {
			break;
		}
		memset(memory, 1, 1 << 20);
		nap(8);
	}
	nap(300);
	atomic_store(&stop, 1);
	for (int i = 0; i < 2; i++) {
		pthread_join(threads[i], NULL);
	}
	printf("%ld MiB\n", taken);
	fprintf(stderr, "calls %lu\n", (unsigned long) atomic_load(&calls));
	return END;
}

/* Takes address space until there is none; the first 300 MiB must be there. */
static int take_addresses(void)
{
	int taken = 0;

	push(10000);
	while (taken < 300 &&
	       mmap(NULL, 1 << 20, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED) {
		taken++;
	}
	push(10000);
	printf("%d MiB of addresses\n", taken);
	return END;
}

static int run(int argc, char **argv)
{
	const char *const what = argc > 1 ? argv[1] : "";

	if (strcmp(what, "memory") == 0 && argc > 2) {
		return take_memory(argv[2]);
	}
	if (strcmp(what, "addresses") == 0) {
		return take_addresses();
	}
	return 2;
}

int main(int argc, char **argv)
{
	const int status = run(argc, argv);

	fflush(stdout);
	return status;
}
