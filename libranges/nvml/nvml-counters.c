/* SPDX-License-Identifier: MIT */
/* Counters of GPUs in the log: their definitions and samples, in a stream of their own. */
#include "libranges/nvml/nvml-counters.h"

#include <stdatomic.h>
#include <string.h>
#include <time.h>

#include "format/pack.h"
#include "format/wire.h"
#include "libranges/abi/nvtx-abi-counters.h"
#include "libranges/abi/nvtx-abi-payload.h"
#include "libranges/base/gpu-metrics.h"
#include "libranges/base/log.h"
#include "libranges/record/names.h"
#include "libranges/record/record.h"
#include "libranges/record/thread.h"
#include "libranges/spool/arena.h"
#include "libranges/spool/process.h"

#define DETAIL_BYTES 256u
/* Of 0.1 ms: a thread that writes is done in microseconds, unless it gets no CPU. */
#define CLOSE_TURNS 10000

/* Counters of a device, in the order of enum rlog_gpu_counter. */
static const struct {
	const char *name;
	const char *unit;
	bool is_real;
} kinds[RLOG_GPU_COUNTERS] = {
	[RLOG_GPU_POWER] = { "power", "W", true },
	[RLOG_GPU_ENERGY] = { "energy", "J", true },
	[RLOG_GPU_SM_CLOCK] = { "SM clock", "MHz", false },
	[RLOG_GPU_MEMORY_CLOCK] = { "memory clock", "MHz", false },
	[RLOG_GPU_UTIL] = { "utilization", "%", false },
	[RLOG_GPU_MEMORY_UTIL] = { "memory utilization", "%", false },
	[RLOG_GPU_MEMORY_USED] = { "memory used", "bytes", false },
	[RLOG_GPU_TEMPERATURE] = { "temperature", "°C", false },
	[RLOG_GPU_PCIE_TX] = { "PCIe sent", "bytes/s", true },
	[RLOG_GPU_PCIE_RX] = { "PCIe received", "bytes/s", true },
	[RLOG_GPU_SM_ACTIVE] = { "SM active", "%", true },
	[RLOG_GPU_SM_OCCUPANCY] = { "SM occupancy", "%", true },
	[RLOG_GPU_TENSOR] = { "tensor active", "%", true },
	[RLOG_GPU_DRAM] = { "DRAM bandwidth", "%", true },
	[RLOG_GPU_FP64] = { "FP64 active", "%", true },
	[RLOG_GPU_FP32] = { "FP32 active", "%", true },
	[RLOG_GPU_FP16] = { "FP16 active", "%", true },
	[RLOG_GPU_NVLINK_TX] = { "NVLink sent", "bytes/s", true },
	[RLOG_GPU_NVLINK_RX] = { "NVLink received", "bytes/s", true },
};

enum {
	GATE_IDLE,
	GATE_WRITING,
	GATE_CLOSED
};

static struct {
	const struct rcap_nvml_devices *devices;
	struct rcap_thread *stream;
	/* Samples of power come late, up to a second, and a stream is in order: they have their own
	 * of each device, made when needed. */
	struct rcap_thread *power[RCAP_NVML_MAX_DEVICES];
	uint32_t defined[RCAP_NVML_MAX_DEVICES]; /* bits of the counters that the log knows */
	_Atomic uint32_t gate;
} counters;

static uint64_t counter_id(uint32_t device, uint32_t kind)
{
	return RLOG_GPU_COUNTER_BASE + (uint64_t) device * RLOG_GPU_COUNTER_STRIDE + kind;
}

/* [schema id, description, scope id, semantics] */
static uint32_t intern_detail(uint32_t device, uint32_t kind)
{
	const char *uuid = counters.devices->uuid[device];
	uint8_t bytes[DETAIL_BYTES + RLOG_PACK_SLACK];
	struct rlog_pack pack;

	rlog_pack_init(&pack, bytes, DETAIL_BYTES);
	rlog_pack_array(&pack, 4);
	rlog_pack_uint(&pack, kinds[kind].is_real ? RCAP_NVTX_TYPE_DOUBLE : RCAP_NVTX_TYPE_INT64);
	rlog_pack_text(&pack, uuid, strnlen(uuid, RCAP_NVML_UUID_BYTES));
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
	counters.defined[device] |= 1u << kind;
}

static struct rcap_thread *make_stream(void)
{
	static const char name[] = "NVML";
	bool lost = false;

	return rcap_thread_make(rcap_names_intern(name, sizeof(name) - 1, 0, NULL, &lost),
	                        RLOG_STREAM_CLOCK_CAPTURE);
}

bool rcap_nvml_counters_open(const struct rcap_nvml_devices *devices)
{
	counters.devices = devices;
	memset(counters.defined, 0, sizeof(counters.defined));
	memset(counters.power, 0, sizeof(counters.power));
	counters.stream = make_stream();
	return counters.stream != NULL;
}

static struct rcap_thread *stream_of(uint32_t device, uint32_t kind)
{
	if (kind != RLOG_GPU_POWER) {
		return counters.stream;
	}
	if (!counters.power[device]) {
		counters.power[device] = make_stream();
	}
	return counters.power[device];
}

void rcap_nvml_counters_put(uint32_t device, uint32_t kind, uint64_t ticks, double value)
{
	struct rcap_timed event = { .ticks = ticks,
		                    .op = RLOG_OP_SAMPLE,
		                    .id = counter_id(device, kind),
		                    .payload_type = RLOG_PAYLOAD_DOUBLE };
	struct rcap_thread *stream;
	uint32_t idle = GATE_IDLE;

	if (!atomic_compare_exchange_strong(&counters.gate, &idle, GATE_WRITING)) {
		return;
	}
	if (!(counters.defined[device] & 1u << kind)) {
		define(device, kind);
	}
	if (kinds[kind].is_real) {
		memcpy(&event.payload, &value, sizeof(value));
	} else {
		event.payload_type = RLOG_PAYLOAD_I64;
		event.payload = (uint64_t) value;
	}
	stream = stream_of(device, kind);
	if (stream) {
		rcap_record_timed(stream, &event);
	}
	atomic_store(&counters.gate, GATE_IDLE);
}

void rcap_nvml_counters_forget(void)
{
	counters.stream = NULL;
	atomic_store(&counters.gate, GATE_IDLE);
}

void rcap_nvml_counters_close(void)
{
	const struct timespec pause = { .tv_nsec = 100000 };

	for (int i = 0; i < CLOSE_TURNS; i++) {
		uint32_t idle = GATE_IDLE;

		if (atomic_compare_exchange_strong(&counters.gate, &idle, GATE_CLOSED) ||
		    idle == GATE_CLOSED) {
			return;
		}
		nanosleep(&pause, NULL);
	}
}
