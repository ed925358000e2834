/* SPDX-License-Identifier: MIT */
/*
 * What a GPU takes while it works and while it rests: power [SECONDS] (2 if not said) of all its
 * multiprocessors in the range "busy", as long in the range "rest", and both again. It prints lines
 * "KEY VALUE": the energy of each by the GPU's own counter, in millijoules ("busy_mj", or -1 without
 * NVML), and "cpu_us", what the process took itself.
 */
#include <dlfcn.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "common.cuh"

typedef void *nvml_device;

static int (*nvml_energy)(nvml_device device, unsigned long long *millijoules);
static nvml_device device;

static __global__ void multiply(float *out, int rounds)
{
	float a = (float) threadIdx.x;
	float b = a + 1;
	float c = a + 2;

	for (int i = 0; i < rounds; i++) {
		a = fmaf(a, 0.999f, b);
		b = fmaf(b, 0.998f, c);
		c = fmaf(c, 0.997f, a);
	}
	out[blockIdx.x * blockDim.x + threadIdx.x] = a + b + c;
}

/* The same device as CUDA's, by the bus. */
static void find_energy(void)
{
	void *nvml = dlopen("libnvidia-ml.so.1", RTLD_NOW);
	char bus[32];

	if (nvml != NULL && cudaDeviceGetPCIBusId(bus, sizeof(bus), 0) == cudaSuccess) {
		int (*init)(void);
		int (*by_bus)(const char *, nvml_device *);

		*(void **) &init = dlsym(nvml, "nvmlInit_v2");
		*(void **) &by_bus = dlsym(nvml, "nvmlDeviceGetHandleByPciBusId_v2");
		if (init != NULL && by_bus != NULL && init() == 0 && by_bus(bus, &device) == 0) {
			*(void **) &nvml_energy = dlsym(nvml, "nvmlDeviceGetTotalEnergyConsumption");
		}
	}
}

static long long read_energy(void)
{
	unsigned long long millijoules;

	return nvml_energy != NULL && nvml_energy(device, &millijoules) == 0
	               ? (long long) millijoules
	               : -1;
}

static double read_seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double) now.tv_sec + (double) now.tv_nsec / 1e9;
}

static long long span(const char *name, double seconds, float *out)
{
	const double end = read_seconds() + seconds;
	const long long begin = read_energy();
	long long whole;

	nvtxRangePushA(name);
	while (read_seconds() < end) {
		if (out == NULL) {
			usleep(20000);
		} else {
			multiply<<<132 * 8, 256>>>(out, 1 << 20);
			CHECK(cudaDeviceSynchronize());
		}
	}
	nvtxRangePop();
	whole = read_energy() - begin;
	return begin < 0 ? -1 : whole;
}

int main(int argc, char **argv)
{
	const double seconds = argc > 1 ? atof(argv[1]) : 2;
	struct rusage usage;
	float *out;

	CHECK(cudaMalloc((void **) &out, sizeof(*out) * 132 * 8 * 256));
	find_energy();
	for (int i = 0; i < 2; i++) {
		printf("busy%d_mj %lld\n", i, span("busy", seconds, out));
		printf("rest%d_mj %lld\n", i, span("rest", seconds, NULL));
	}
	getrusage(RUSAGE_SELF, &usage);
	printf("cpu_us %lld\n", (long long) (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000000 +
	                                usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
	return 0;
}
