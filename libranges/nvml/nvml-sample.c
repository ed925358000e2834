/* SPDX-License-Identifier: MIT */
/* Samples of GPUs as events of counters: RANGES_GPU_METRICS. */
#include "libranges/nvml/nvml-sample.h"

#include <stdbool.h>
#include <string.h>

#include "format/pack.h"
#include "format/wire.h"
#include "libranges/abi/nvtx-abi-counters.h"
#include "libranges/abi/nvtx-abi-payload.h"
#include "libranges/base/clock.h"
#include "libranges/base/gpu-metrics.h"
#include "libranges/base/log.h"
#include "libranges/cupti/cupti-status.h"
#include "libranges/nvml/nvml-load.h"
#include "libranges/record/names.h"
#include "libranges/record/record.h"
#include "libranges/record/thread.h"
#include "libranges/spool/arena.h"
#include "libranges/spool/process.h"

#define MAX_DEVICES  64u
#define DETAIL_BYTES 256u

/* Counters of a device, in the order of enum rlog_gpu_counter. */
static const struct {
	const char *name;
	const char *unit;
	int flag; /* enum rcap_gpu_metrics */
	bool is_real;
} kinds[RLOG_GPU_COUNTERS] = {
	[RLOG_GPU_POWER] = { "power", "W", RCAP_GPU_METRICS_POWER, true },
	[RLOG_GPU_ENERGY] = { "energy", "J", RCAP_GPU_METRICS_POWER, true },
	[RLOG_GPU_SM_CLOCK] = { "SM clock", "MHz", RCAP_GPU_METRICS_CLOCKS, false },
	[RLOG_GPU_MEMORY_CLOCK] = { "memory clock", "MHz", RCAP_GPU_METRICS_CLOCKS, false },
	[RLOG_GPU_UTIL] = { "utilization", "%", RCAP_GPU_METRICS_UTIL, false },
	[RLOG_GPU_MEMORY_UTIL] = { "memory utilization", "%", RCAP_GPU_METRICS_UTIL, false },
	[RLOG_GPU_MEMORY_USED] = { "memory used", "bytes", RCAP_GPU_METRICS_MEMORY, false },
	[RLOG_GPU_TEMPERATURE] = { "temperature", "°C", RCAP_GPU_METRICS_TEMPERATURE, false },
};

/* All of it is the drain's. */
static struct {
	uint32_t generation; /* of the process that it was prepared for: a fork child is another */
	int wanted;          /* enum rcap_gpu_metrics; 0: nothing, or it can't be had */
	uint32_t count;
	rcap_nvml_device devices[MAX_DEVICES]; /* by NVML's number; NULL: one that is refused */
	uint32_t defined[MAX_DEVICES];         /* bits of the counters that the log knows */
	struct rcap_thread *stream;
	uint64_t next_ns; /* CLOCK_MONOTONIC */
} sampling;

/* ---- Definitions ---- */

static uint64_t counter_id(uint32_t device, uint32_t kind)
{
	return RLOG_GPU_COUNTER_BASE + (uint64_t) device * RLOG_GPU_COUNTER_STRIDE + kind;
}

/* [schema id, description, scope id, semantics] */
static uint32_t intern_detail(uint32_t device, uint32_t kind)
{
	char uuid[RCAP_NVML_UUID_BYTES] = "";
	uint8_t bytes[DETAIL_BYTES + RLOG_PACK_SLACK];
	struct rlog_pack pack;

	if (rcap_nvml.get_uuid(sampling.devices[device], uuid, sizeof(uuid)) != 0) {
		uuid[0] = '\0';
	}
	rlog_pack_init(&pack, bytes, DETAIL_BYTES);
	rlog_pack_array(&pack, 4);
	rlog_pack_uint(&pack, kinds[kind].is_real ? RCAP_NVTX_TYPE_DOUBLE : RCAP_NVTX_TYPE_INT64);
	rlog_pack_text(&pack, uuid, strnlen(uuid, sizeof(uuid)));
	rlog_pack_uint(&pack, 0);
	rlog_pack_array(&pack, 1);
	rlog_pack_array(&pack, 9);
	rlog_pack_uint(&pack, RCAP_NVTX_SEMANTIC_COUNTERS);
	rlog_pack_uint(&pack, RCAP_NVTX_SEMANTICS_COUNTER_VERSION);
	rlog_pack_uint(&pack, 0);
	rlog_pack_text(&pack, kinds[kind].unit, strlen(kinds[kind].unit));
	rlog_pack_uint(&pack, 1);
	rlog_pack_uint(&pack, 1);
	for (int i = 0; i < 3; i++) { /* no limits */
		rlog_pack_uint(&pack, 0);
	}
	return pack.full ? 0 : rcap_names_intern_detail(pack.bytes, pack.used);
}

static void define(uint32_t device, uint32_t kind)
{
	char name[64];
	const size_t length =
		rcap_log_format(name, sizeof(name), "GPU %u %s", device, kinds[kind].name);
	bool lost = false;
	const struct rlog_def def = { .kind = RLOG_DEF_COUNTER,
		                      .id = counter_id(device, kind),
		                      .string = rcap_names_intern(name, length, 0, NULL, &lost),
		                      .value = intern_detail(device, kind) };

	rcap_process_lock();
	rcap_arena_add_def(&rcap_process.spool, &def);
	rcap_process_unlock();
	sampling.defined[device] |= 1u << kind;
}

/* ---- The beginning ---- */

static void find_devices(void)
{
	uint32_t known = 0;
	uint32_t given = 0;

	if (rcap_nvml.get_count(&known) != 0) {
		known = 0;
	}
	for (uint32_t i = 0; i < known && i < MAX_DEVICES; i++) {
		if (rcap_nvml.get_device(i, &sampling.devices[i]) != 0) {
			sampling.devices[i] = NULL; /* as in a container that has others */
			continue;
		}
		sampling.count = i + 1;
		given++;
	}
	if (given == 0) {
		rcap_cupti_status_add(0, "no GPU metrics: NVML knows no GPU");
	}
}

/* Once in each process: what can't be had is not tried again. */
static void prepare(void)
{
	static const char name[] = "NVML";
	bool lost = false;
	char why[256];

	memset(&sampling, 0, sizeof(sampling));
	sampling.generation = rcap_process.generation;
	sampling.wanted = rcap_gpu_metrics_parse(rcap_process.config.gpu_metrics, why, sizeof(why));
	if (sampling.wanted <= 0) {
		sampling.wanted = 0;
		return;
	}
	if (!rcap_nvml_load(why, sizeof(why))) {
		rcap_cupti_status_add(0, "no GPU metrics: %s", why);
	} else {
		find_devices();
	}
	sampling.stream = sampling.count == 0
	                          ? NULL
	                          : rcap_thread_make(rcap_names_intern(name, sizeof(name) - 1, 0,
	                                                               NULL, &lost),
	                                             RLOG_STREAM_CLOCK_CAPTURE);
	if (!sampling.stream) {
		sampling.wanted = 0;
	}
}

/* ---- Samples ---- */

/* One round of one device. */
struct round {
	uint64_t ticks;
	uint32_t device;
};

static void put(const struct round *round, uint32_t kind, double real, int64_t number)
{
	struct rcap_timed event = { .ticks = round->ticks,
		                    .op = RLOG_OP_SAMPLE,
		                    .id = counter_id(round->device, kind) };

	if (!(sampling.defined[round->device] & 1u << kind)) {
		define(round->device, kind);
	}
	if (kinds[kind].is_real) {
		event.payload_type = RLOG_PAYLOAD_DOUBLE;
		memcpy(&event.payload, &real, sizeof(real));
	} else {
		event.payload_type = RLOG_PAYLOAD_I64;
		event.payload = (uint64_t) number;
	}
	rcap_record_timed(sampling.stream, &event);
}

/* Time and energy belong together: the difference of two of them is the power between. */
static void sample_power(struct round *round, rcap_nvml_device device)
{
	unsigned long long millijoules = 0;
	uint32_t milliwatts = 0;
	const uint64_t before = rcap_clock_now();

	if (rcap_nvml.get_energy && rcap_nvml.get_energy(device, &millijoules) == 0) {
		round->ticks = before + (rcap_clock_now() - before) / 2;
		put(round, RLOG_GPU_ENERGY, (double) millijoules / 1000, 0);
	}
	if (rcap_nvml.get_power && rcap_nvml.get_power(device, &milliwatts) == 0) {
		put(round, RLOG_GPU_POWER, milliwatts / 1000.0, 0);
	}
}

static void sample_clock(const struct round *round, rcap_nvml_device device, uint32_t kind,
                         int which)
{
	uint32_t mhz = 0;

	if (rcap_nvml.get_clock && rcap_nvml.get_clock(device, which, &mhz) == 0) {
		put(round, kind, 0, mhz);
	}
}

static void sample_device(uint32_t index)
{
	const rcap_nvml_device device = sampling.devices[index];
	struct round round = { .ticks = rcap_clock_now(), .device = index };
	struct rcap_nvml_utilization util;
	struct rcap_nvml_memory memory;
	uint32_t celsius = 0;

	if (sampling.wanted & RCAP_GPU_METRICS_POWER) {
		sample_power(&round, device);
	}
	if (sampling.wanted & RCAP_GPU_METRICS_CLOCKS) {
		sample_clock(&round, device, RLOG_GPU_SM_CLOCK, RCAP_NVML_CLOCK_SM);
		sample_clock(&round, device, RLOG_GPU_MEMORY_CLOCK, RCAP_NVML_CLOCK_MEMORY);
	}
	if (sampling.wanted & RCAP_GPU_METRICS_UTIL && rcap_nvml.get_utilization &&
	    rcap_nvml.get_utilization(device, &util) == 0) {
		put(&round, RLOG_GPU_UTIL, 0, util.gpu);
		put(&round, RLOG_GPU_MEMORY_UTIL, 0, util.memory);
	}
	if (sampling.wanted & RCAP_GPU_METRICS_MEMORY && rcap_nvml.get_memory &&
	    rcap_nvml.get_memory(device, &memory) == 0) {
		put(&round, RLOG_GPU_MEMORY_USED, 0, (int64_t) memory.used);
	}
	if (sampling.wanted & RCAP_GPU_METRICS_TEMPERATURE && rcap_nvml.get_temperature &&
	    rcap_nvml.get_temperature(device, RCAP_NVML_SENSOR_GPU, &celsius) == 0) {
		put(&round, RLOG_GPU_TEMPERATURE, 0, celsius);
	}
}

/* False where nothing is sampled now. */
static bool is_wanted(void)
{
	if (rcap_process.config.gpu_metrics[0] == '\0' ||
	    atomic_load_explicit(&rcap_process.phase, memory_order_relaxed) != RCAP_PHASE_ON) {
		return false;
	}
	if (sampling.generation != rcap_process.generation) {
		prepare();
	}
	return sampling.wanted != 0;
}

static void sample(void)
{
	for (uint32_t i = 0; i < sampling.count; i++) {
		if (sampling.devices[i]) {
			sample_device(i);
		}
	}
}

int64_t rcap_nvml_sample_look(void)
{
	const uint64_t every = rcap_process.config.gpu_every_ns;
	uint64_t now = rcap_clock_mono_ns();

	if (!is_wanted()) {
		return INT64_MAX;
	}
	if (now >= sampling.next_ns) {
		sample();
		now = rcap_clock_mono_ns();
		/* In step, but where NVML takes longer than that there is no catching up. */
		sampling.next_ns += every;
		if (sampling.next_ns < now) {
			sampling.next_ns = now + every;
		}
	}
	return (int64_t) (sampling.next_ns - now);
}

void rcap_nvml_sample_last(void)
{
	if (sampling.stream && sampling.generation == rcap_process.generation && is_wanted()) {
		sample();
	}
}
