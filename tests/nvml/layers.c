/* SPDX-License-Identifier: MIT */
/*
 * A program of steps on two stand-in GPUs, whose kernels take milliseconds: layers STEPS [HOW].
 *
 * now: it does not wait for kernels to be recorded; fork: a child of it does, after it, steps
 * without kernels; leave: main ends by pthread_exit();
 * nvml: it asks NVML, too, and prints how often it was answered.
 *
 * Each step is a range of 30 ms: "attention" with a kernel of 12 ms on GPU 0, "mlp" with one of 3
 * ms and another beside it, and a kernel of 20 ms on GPU 1.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "fake.h"
#include "libranges/abi/cupti-abi.h"
#include "ranges/nvtx.h"
#include "ranges/ranges.h"

#define NS_PER_MS UINT64_C(1000000)

static void sleep_ms(unsigned ms)
{
	const struct timespec t = { .tv_nsec = (long) (ms * NS_PER_MS) };

	nanosleep(&t, NULL);
}

static void launch(const char *name, unsigned device, unsigned stream, uint64_t ms)
{
	const uint64_t now = fake_now();
	const struct fake_launch one = { .name = name,
		                         .device = device,
		                         .stream = stream,
		                         .grid = { 100, 1, 1 },
		                         .block = { 256, 1, 1 },
		                         .start = now,
		                         .end = now + ms * NS_PER_MS };

	fake_launch_kernel(&one);
}

/* NVML is the launcher's to ask: in a program it can make cuInit() wait for ever. */
static int has_nvml(void)
{
	FILE *const maps = fopen("/proc/self/maps", "r");
	char line[512];
	int found = 0;

	while (maps != NULL && fgets(line, sizeof(line), maps) != NULL) {
		found |= strstr(line, "libnvidia-ml") != NULL;
	}
	if (maps != NULL) {
		fclose(maps);
	}
	return found;
}

/* Return: whether NVML, which somebody else may have started, answers. */
static int ask_nvml(void)
{
	void *const library = dlopen("libnvidia-ml.so.1", RTLD_NOW);
	int (*init)(void);
	int (*get_device)(unsigned, void **);
	int (*get_power)(void *, unsigned *);
	void *device = NULL;
	unsigned milliwatts = 0;

	*(void **) &init = dlsym(library, "nvmlInit_v2");
	*(void **) &get_device = dlsym(library, "nvmlDeviceGetHandleByIndex_v2");
	*(void **) &get_power = dlsym(library, "nvmlDeviceGetPowerUsage");
	return init() == 0 && get_device(0, &device) == 0 && get_power(device, &milliwatts) == 0;
}

/* A child's own steps. */
static int do_fork(int steps)
{
	const pid_t child = fork();
	int status = 1;

	if (child == 0) {
		for (int i = 0; i < steps; i++) {
			ranges_step();
			nvtxRangePushA("child");
			sleep_ms(30);
			nvtxRangePop();
		}
		exit(0);
	}
	waitpid(child, &status, 0);
	return status;
}

int main(int argc, char **argv)
{
	const char *how = argc > 2 ? argv[2] : "";
	int answers = 0;
	/* NOLINTNEXTLINE(cert-err34-c): a number of tests */
	const int steps = argc > 1 ? atoi(argv[1]) : 10;

	cuInit(0);
	if (strcmp(how, "now") != 0) { /* else it is not, while the capture is off */
		fake_wait_enabled(RCAP_CUPTI_CONCURRENT_KERNEL);
	}
	for (int i = 0; i < steps; i++) {
		char name[32];

		answers += strcmp(how, "nvml") == 0 && ask_nvml();

		snprintf(name, sizeof(name), "step %d", i);
		ranges_step();
		nvtxRangePushA(name);
		launch("far", 1, 3, 20);
		nvtxRangePushA("attention");
		launch("softmax", 0, 1, 12);
		sleep_ms(14);
		nvtxRangePop();
		nvtxRangePushA("mlp");
		launch("gemm", 0, 1, 3);
		launch("beside", 0, 2, 2);
		sleep_ms(16);
		nvtxRangePop();
		nvtxRangePop();
	}
	if (strcmp(how, "maps") == 0) {
		printf("nvml %d\n", has_nvml());
	}
	if (strcmp(how, "nvml") == 0) {
		printf("%d answers\n", answers);
	}
	if (strcmp(how, "leave") == 0) {
		pthread_exit(NULL);
	}
	return strcmp(how, "fork") == 0 ? do_fork(steps) : 0;
}
