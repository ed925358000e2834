/* SPDX-License-Identifier: MIT */
/*
 * A stand-in for NVIDIA's management library: two GPUs whose power is known at each instant.
 *
 * GPU i draws 100 × (i + 1) W in the first half of each 100 ms of CLOCK_MONOTONIC and three times
 * as much in the second. tests/nvml/energy.py knows that curve, too. Their UUIDs are those of the
 * stand-in driver's devices, in reverse order.
 *
 * FAKE_NVML_FAIL=NAME,NAME…: these functions return "not supported"; nvmlInit_v2 "driver not
 * loaded", and nvmlDeviceGetHandleByIndex_v2 refuses the first GPU.
 * FAKE_NVML_CALLS=FILE: gets one byte for each question.
 * FAKE_NVML_HANG=NAME: this function never returns.
 * FAKE_NVML_SLOW=MS: each question takes so long; if the library is taken down meanwhile it aborts.
 * FAKE_NVML_TIMES=N: the power is N times as high.
 *
 * As the real one it holds a file for the process, and is lost where that number is another file:
 * in a thread that has a table of files of its own.
 */
/* NVML's names, and the tests' environment.
 * NOLINTBEGIN(readability-identifier-naming,concurrency-mt-unsafe) */
#include <fcntl.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
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
	NOT_FOUND = 6,
	NO_DRIVER = 9,
	UNKNOWN = 999
};

struct device {
	unsigned number;
};

static struct device devices[GPUS] = { { 0 }, { 1 } };
static int is_ready;
static int held = -1;
static struct stat held_file;

static int fails(const char *name)
{
	const char *wanted = getenv("FAKE_NVML_FAIL");
	const char *found = wanted != NULL ? strstr(wanted, name) : NULL;

	return found != NULL && strchr(",", found[strlen(name)]) != NULL;
}

/* Return: 0, or the code of a library whose file is gone. */
static int is_lost(void)
{
	struct stat now;

	return fstat(held, &now) == 0 && now.st_ino == held_file.st_ino &&
	                       now.st_dev == held_file.st_dev
	               ? SUCCESS
	               : UNKNOWN;
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
	const char *times = getenv("FAKE_NVML_TIMES");

	/* NOLINTNEXTLINE(cert-err34-c): a number of tests */
	return 100 * ((uint64_t) device->number + 1) * (times != NULL ? (uint64_t) atoi(times) : 1);
}

API int nvmlInit_v2(void)
{
	if (fails("nvmlInit_v2")) {
		return NO_DRIVER;
	}
	if (!is_ready) { /* once for the process, whoever asks */
		is_ready = 1;
		held = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
		fstat(held, &held_file);
	}
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

/* Of CLOCK_MONOTONIC. */
static uint64_t watts_at(const struct device *device, uint64_t ns)
{
	return base_watts(device) * (ns % PERIOD_NS < HALF_NS ? 1 : 3);
}

static _Atomic int in_flight;

static void take_time(void)
{
	const char *slow = getenv("FAKE_NVML_SLOW");

	if (slow != NULL) {
		in_flight++;
		usleep((useconds_t) strtoul(slow, NULL, 10) * 1000);
		in_flight--;
	}
}

/* The library is taken down while somebody is in it. */
__attribute__((destructor)) static void complain(void)
{
	if (in_flight != 0) {
		abort();
	}
}

/* Every question: the file is there, and the function is not to fail. */
static int ask(const char *name)
{
	const char *hang = getenv("FAKE_NVML_HANG");

	count();
	take_time();
	while (hang != NULL && strcmp(hang, name) == 0) {
		pause();
	}
	if (is_lost()) {
		return UNKNOWN;
	}
	return fails(name) ? NOT_SUPPORTED : SUCCESS;
}

API int nvmlDeviceGetPowerUsage(struct device *device, unsigned *milliwatts)
{
	*milliwatts = (unsigned) (1000 * watts_at(device, now_ns()));
	return ask("nvmlDeviceGetPowerUsage");
}

API int nvmlDeviceGetTotalEnergyConsumption(struct device *device, unsigned long long *millijoules)
{
	const uint64_t now = now_ns();
	const uint64_t within = now % PERIOD_NS;
	/* In units of base × ns: a whole period is 1 × half + 3 × half. */
	const uint64_t units = now / PERIOD_NS * (4 * (uint64_t) HALF_NS) +
	                       (within < HALF_NS ? within : HALF_NS + 3 * (within - HALF_NS));

	*millijoules = units * base_watts(device) / 1000000;
	return ask("nvmlDeviceGetTotalEnergyConsumption");
}

union value {
	double real;
	unsigned u32;
	unsigned long long u64;
};

struct sample {
	unsigned long long time_us;
	union value value;
};

#define SAMPLE_US    20000
#define KEPT_SAMPLES 119

/* Power in mW; the clocks in MHz. */
static unsigned value_at(const struct device *device, int which, uint64_t ns)
{
	return which == 0   ? (unsigned) (1000 * watts_at(device, ns))
	       : which == 5 ? 1980 - device->number
	                    : 2619;
}

/* What it was every 20 ms, at whole multiples of CLOCK_REALTIME: power, the clocks of the SMs and
 * of memory. */
API int nvmlDeviceGetSamples(struct device *device, int which, unsigned long long after_us,
                             unsigned *type, unsigned *room, struct sample *samples)
{
	struct timespec real;
	const uint64_t now = now_ns();
	uint64_t now_us;
	unsigned count = 0;
	const int code = ask("nvmlDeviceGetSamples");

	clock_gettime(CLOCK_REALTIME, &real);
	now_us = (uint64_t) real.tv_sec * 1000000 + (uint64_t) real.tv_nsec / 1000;
	if (code != SUCCESS || (which != 0 && (fails("clock samples") || which < 5 || which > 6))) {
		return code != SUCCESS ? code : INVALID;
	}
	*type = 1; /* unsigned int */
	if (samples == NULL) {
		*room = KEPT_SAMPLES;
		return SUCCESS;
	}
	for (uint64_t at = now_us / SAMPLE_US - KEPT_SAMPLES + 1; at <= now_us / SAMPLE_US; at++) {
		const uint64_t ago_ns = (now_us - at * SAMPLE_US) * 1000;

		if (at * SAMPLE_US > after_us && count < *room) {
			samples[count].time_us = at * SAMPLE_US;
			samples[count++].value.u32 = value_at(device, which, now - ago_ns);
		}
	}
	*room = count;
	return count > 0 ? SUCCESS : NOT_FOUND;
}

struct field {
	unsigned id;
	unsigned scope;
	long long time_us;
	long long latency_us;
	int type;
	int code;
	union value value;
};

API int nvmlDeviceGetFieldValues(struct device *device, int count, struct field *fields)
{
	for (int i = 0; i < count; i++) {
		fields[i].code = fields[i].id == 186 ? SUCCESS : NOT_SUPPORTED;
		fields[i].type = 1;
		fields[i].value.u32 = (unsigned) (1000 * watts_at(device, now_ns()));
	}
	return ask("nvmlDeviceGetFieldValues");
}

/* Measures for 20 ms. */
API int nvmlDeviceGetPcieThroughput(struct device *device, int which, unsigned *kib_per_s)
{
	const struct timespec wait = { .tv_nsec = 20000000 };

	nanosleep(&wait, NULL);
	*kib_per_s = which == 0 ? 5000 + device->number : 7000 + device->number;
	return ask("nvmlDeviceGetPcieThroughput");
}

/* ---- GPM ---- */

struct gpm_support {
	unsigned version;
	unsigned is_supported;
};

struct gpm_state {
	struct device *device;
	uint64_t at_ns;
};

struct gpm_metric {
	unsigned id;
	int code;
	double value;
	char *texts[3];
};

struct gpm_question {
	unsigned version;
	unsigned count;
	struct gpm_state *older;
	struct gpm_state *newer;
	struct gpm_metric metrics[98];
};

API int nvmlGpmQueryDeviceSupport(struct device *device, struct gpm_support *out)
{
	(void) device;
	out->is_supported = !fails("nvmlGpmQueryDeviceSupport");
	return out->version == 1 ? SUCCESS : INVALID;
}

API int nvmlGpmSampleAlloc(struct gpm_state **out)
{
	*out = calloc(1, sizeof(**out));
	return *out != NULL ? SUCCESS : INVALID;
}

API int nvmlGpmSampleGet(struct device *device, struct gpm_state *state)
{
	*state = (struct gpm_state){ device, now_ns() };
	return ask("nvmlGpmSampleGet");
}

/* A metric's value is its number and a quarter of the GPU's; of FP64 there is none, and of anything
 * where the states are too close. */
API int nvmlGpmMetricsGet(struct gpm_question *question)
{
	const int is_close = question->newer->at_ns < question->older->at_ns + 99000000;

	for (unsigned i = 0; i < question->count; i++) {
		struct gpm_metric *metric = &question->metrics[i];

		metric->code = SUCCESS;
		metric->value = metric->id == 11 || is_close
		                        ? NAN
		                        : metric->id + question->newer->device->number / 4.0;
	}
	return question->version == 1 ? ask("nvmlGpmMetricsGet") : INVALID;
}

/* ---- What is so at this instant ---- */

API int nvmlDeviceGetClockInfo(struct device *device, int which, unsigned *mhz)
{
	*mhz = which == 1 ? 1980 - device->number : 2619;
	return is_lost();
}

struct utilization {
	unsigned gpu;
	unsigned memory;
};

API int nvmlDeviceGetUtilizationRates(struct device *device, struct utilization *out)
{
	*out = (struct utilization){ 90 + device->number, 40 };
	return is_lost();
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
	return is_lost();
}

API int nvmlDeviceGetTemperature(struct device *device, int sensor, unsigned *celsius)
{
	*celsius = 50 + device->number + (unsigned) sensor;
	return is_lost();
}
/* NOLINTEND(readability-identifier-naming,concurrency-mt-unsafe) */
