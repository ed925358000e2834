/* SPDX-License-Identifier: MIT */
/*
 * A CUDA program for tests: ranges by NVTX, launches by the stand-in driver.
 *
 *   program [OPTION=N …] [COMMAND…]
 *
 * threads, launches (per thread), devices, streams (per device): the work. A range "step" is around
 * each `per_range` launches. Commands run after it, in order: each, see below.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "fake.h"
#include "ranges/nvtx-cudart.h"
#include "ranges/nvtx.h"

static unsigned threads = 1;
static unsigned launches;
static unsigned devices = 1;
static unsigned streams = 1;
static unsigned per_range = 10;

static const char *const kernels[] = { "_Z6vecAddPKfS0_Pfi", "_Z4gemmPKfS0_Pfiii",
	                               "void reduce<float, 256>(float const*, float*)" };

static void launch(unsigned device, unsigned stream, unsigned number)
{
	const struct fake_launch one = { .name = kernels[number % 3],
		                         .device = device,
		                         .stream = stream,
		                         .grid = { 1 + number % 7, 1, 1 },
		                         .block = { 256, 1, 1 },
		                         .registers = 32,
		                         .dynamic_shared = 1024 };

	fake_launch_kernel(&one);
}

static void *work(void *argument)
{
	const unsigned self = (unsigned) (uintptr_t) argument;

	for (unsigned i = 0; i < launches; i++) {
		const unsigned device = (self + i) % devices;

		if (i % per_range == 0) {
			nvtxRangePushA("step");
		}
		launch(device, 11 + device * streams + i / devices % streams, i);
		if (i % per_range == per_range - 1 || i == launches - 1) {
			nvtxRangePop();
		}
	}
	return NULL;
}

static void work_all(void)
{
	pthread_t *ids = calloc(threads, sizeof(*ids));

	for (unsigned i = 1; i < threads; i++) {
		pthread_create(&ids[i], NULL, work, (void *) (uintptr_t) i);
	}
	work(NULL);
	for (unsigned i = 1; i < threads; i++) {
		pthread_join(ids[i], NULL);
	}
	free(ids);
}

/* One of everything. */
static void one_of_each(void)
{
	const struct fake_launch bad = { .name = "no_times", .has_no_times = 1 };
	const struct fake_launch inverted = { .name = "inverted", .start = 2000, .end = 1000 };

	nvtxRangePushA("all");
	fake_copy(0, 11, 1, 4096);
	fake_copy_peer(1, 2, 8192);
	fake_set(0, 11, 512);
	fake_sync(11);
	fake_allocate(0, 0x7f0000001000, 1048576);
	fake_record_event(11, 5);
	fake_graph_launch(0, 11, 77, 3);
	fake_chatty();
	fake_overhead();
	fake_jit();
	fake_launch_kernel(&bad);
	fake_launch_kernel(&inverted);
	launch(3, 18, 0);
	fake_drop(17);
	nvtxRangePop();
}

static void name_objects(void)
{
	nvtxNameCudaDeviceA(1, "second");
	nvtxNameCudaStreamA((struct CUstream_st *) 0x112, "copies");
}

static void fork_and_work(void)
{
	const pid_t child = fork();

	if (child == 0) {
		nvtxRangePushA("child");
		nvtxRangePop();
		launch(0, 11, 0); /* CUDA does not work here, but must do no harm */
		exit(0);
	}
	waitpid(child, NULL, 0);
}

static void sleep_ms(unsigned ms)
{
	const struct timespec t = { .tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000L };

	nanosleep(&t, NULL);
}

static void print_maps(void)
{
	char line[4096];
	FILE *maps = fopen("/proc/self/maps", "r");

	while (maps && fgets(line, sizeof(line), maps)) {
		if (strstr(line, "libcupti")) {
			fputs(line, stdout);
		}
	}
	if (maps) {
		fclose(maps);
	}
}

static void run_command(const char *command)
{
	unsigned number;

	if (sscanf(command, "threads=%u", &threads) == 1 ||
	    sscanf(command, "launches=%u", &launches) == 1 ||
	    sscanf(command, "devices=%u", &devices) == 1 ||
	    sscanf(command, "streams=%u", &streams) == 1 ||
	    sscanf(command, "per_range=%u", &per_range) == 1) {
		return;
	}
	if (strcmp(command, "push") == 0) {
		nvtxRangePushA("early");
		nvtxRangePop();
	} else if (strcmp(command, "init") == 0) {
		cuInit(0);
	} else if (strcmp(command, "work") == 0) {
		work_all();
	} else if (strcmp(command, "all") == 0) {
		one_of_each();
	} else if (strcmp(command, "names") == 0) {
		name_objects();
	} else if (strcmp(command, "fork") == 0) {
		fork_and_work();
	} else if (strcmp(command, "maps") == 0) {
		print_maps();
	} else if (strcmp(command, "kill") == 0) {
		kill(getpid(), SIGKILL);
	} else if (strcmp(command, "_exit") == 0) {
		_exit(0);
	} else if (strcmp(command, "pthread_exit") == 0) {
		pthread_exit(NULL);
	} else if (strcmp(command, "quick_exit") == 0) {
		quick_exit(0);
	} else if (sscanf(command, "sleep=%u", &number) == 1) {
		sleep_ms(number);
	} else {
		fprintf(stderr, "program: no command %s\n", command);
		exit(2);
	}
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		run_command(argv[i]);
	}
	return 0;
}
