/* SPDX-License-Identifier: MIT */
/*
 * A stand-in for NVIDIA's management library: two GPUs whose power is known at each instant.
 *
 * GPU i draws 100 × (i + 1) W in the first half of each 100 ms of CLOCK_MONOTONIC and three times
 * as much in the second. tests/nvml/energy.py knows that curve, too. Their UUIDs are those of the
 * stand-in driver's devices, in reverse order.
 *
 * FAKE_NVML_FAIL=NAME: this function returns "not supported"; nvmlInit_v2 "driver not loaded", and
 * nvmlDeviceGetHandleByIndex_v2 refuses the first GPU.
 * FAKE_NVML_CALLS=FILE: gets one byte for each question of power or energy.
 */
/* NVML's names, and the tests' environment.
 * NOLINTBEGIN(readability-identifier-naming,concurrency-mt-unsafe) */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define API __attribute__((visibility("default")))

#define GPUS      2
#define PERIOD_NS 100000000
#define HALF_NS   (PERIOD_NS / 2)

enum {
	SUCCESS = 0,
	UNINITIALIZED = 1,
	INVALID = 2,
	NOT_SUPPORTED = 3,
	NO_DRIVER = 9
};

struct device {
	unsigned number;
};

static struct device devices[GPUS] = { { 0 }, { 1 } };
static int is_ready;

static int fails(const char *name)
{
	const char *wanted = getenv("FAKE_NVML_FAIL");

	return wanted != NULL && strcmp(wanted, name) == 0;
}

static void count(void)
{
	const char *path = getenv("FAKE_NVML_CALLS");
	const int file = path != NULL ? open(path, O_WRONLY | O_CREAT | O_APPEND, 0600) : -1;

	if (file >= 0) {
		(void) !write(file, ".", 1);
		close(file);
	}
}

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t) now.tv_sec * 1000000000 + (uint64_t) now.tv_nsec;
}

static uint64_t base_watts(const struct device *device)
{
	return 100 * ((uint64_t) device->number + 1);
}

API int nvmlInit_v2(void)
{
	if (fails("nvmlInit_v2")) {
		return NO_DRIVER;
	}
	is_ready = 1;
	return SUCCESS;
}

API const char *nvmlErrorString(int code)
{
	return code == NO_DRIVER ? "Driver Not Loaded" : "Not Supported";
}

API int nvmlDeviceGetCount_v2(unsigned *out)
{
	*out = fails("nvmlDeviceGetCount_v2") ? 0 : GPUS;
	return is_ready ? SUCCESS : UNINITIALIZED;
}

API int nvmlDeviceGetHandleByIndex_v2(unsigned index, struct device **out)
{
	if (index >= GPUS || (index == 0 && fails("nvmlDeviceGetHandleByIndex_v2"))) {
		return INVALID;
	}
	*out = &devices[index];
	return SUCCESS;
}

API int nvmlDeviceGetUUID(struct device *device, char *out, unsigned bytes)
{
	snprintf(out, bytes, "GPU-%02x010203-0000-0000-0000-000000000000",
	         GPUS - 1 - device->number);
	return SUCCESS;
}

API int nvmlDeviceGetPowerUsage(struct device *device, unsigned *milliwatts)
{
	const uint64_t watts = base_watts(device) * (now_ns() % PERIOD_NS < HALF_NS ? 1 : 3);

	count();
	*milliwatts = (unsigned) (1000 * watts);
	return fails("nvmlDeviceGetPowerUsage") ? NOT_SUPPORTED : SUCCESS;
}

API int nvmlDeviceGetTotalEnergyConsumption(struct device *device, unsigned long long *millijoules)
{
	const uint64_t now = now_ns();
	const uint64_t within = now % PERIOD_NS;
	/* In units of base × ns: a whole period is 1 × half + 3 × half. */
	const uint64_t units = now / PERIOD_NS * (4 * (uint64_t) HALF_NS) +
	                       (within < HALF_NS ? within : HALF_NS + 3 * (within - HALF_NS));

	count();
	*millijoules = units * base_watts(device) / 1000000;
	return fails("nvmlDeviceGetTotalEnergyConsumption") ? NOT_SUPPORTED : SUCCESS;
}

API int nvmlDeviceGetClockInfo(struct device *device, int which, unsigned *mhz)
{
	*mhz = which == 1 ? 1980 - device->number : 2619;
	return SUCCESS;
}

struct utilization {
	unsigned gpu;
	unsigned memory;
};

API int nvmlDeviceGetUtilizationRates(struct device *device, struct utilization *out)
{
	*out = (struct utilization){ 90 + device->number, 40 };
	return SUCCESS;
}

struct memory {
	unsigned long long total;
	unsigned long long free;
	unsigned long long used;
};

API int nvmlDeviceGetMemoryInfo(struct device *device, struct memory *out)
{
	out->total = 80ULL << 30;
	out->used = (device->number + 1ULL) << 30;
	out->free = out->total - out->used;
	return SUCCESS;
}

API int nvmlDeviceGetTemperature(struct device *device, int sensor, unsigned *celsius)
{
	*celsius = 50 + device->number + (unsigned) sensor;
	return SUCCESS;
}
/* NOLINTEND(readability-identifier-naming,concurrency-mt-unsafe) */
