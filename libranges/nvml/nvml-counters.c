/* SPDX-License-Identifier: MIT */
/* GPU counters in the log: their definitions and samples, in a stream of their own. */
#include "libranges/nvml/nvml-counters.h"

#include <stdatomic.h>
#include <string.h>

#include "format/columns/pack.h"
#include "format/wire.h"
#include "libranges/abi/nvtx-abi-counters.h"
#include "libranges/abi/nvtx-abi-payload.h"
#include "libranges/base/clock.h"
#include "libranges/base/futex.h"
#include "libranges/base/log.h"
#include "libranges/cupti/load/cupti-status.h"
#include "libranges/nvml/nvml-ring.h"
#include "libranges/record/names/names.h"
#include "libranges/record/record.h"
#include "libranges/record/thread.h"
#include "libranges/spool/arena.h"
#include "libranges/process/process.h"

#define DETAIL_BYTES 256u
#define NS_PER_MS    INT64_C(1000000)
#define LAST_WAIT_NS (200 * NS_PER_MS)
#define LATE_KINDS   3 /* late samples are of so many kinds: see find_stream() */

/* The counters of a device, in the order of enum rlog_gpu_counter. */
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

/* State for this process. Only the drain uses it. */
static struct {
	struct rcap_nvml_ring *ring; /* NULL if there is none, or it is not open yet in this
	                              * process */
	uint32_t generation;         /* generation of the process that opened the ring */
	bool is_on;                  /* the capture was on at the last call */
	uint64_t taken;              /* number of samples taken from the ring */
	uint64_t from_ns;            /* CLOCK_MONOTONIC; samples from before are not of this part of
	                              * the capture */
	uint32_t told;               /* number of notes that are already in the log */
	struct rcap_thread *stream;
	/* Samples that the driver keeps come up to a second late, but a stream must be in order. So
	 * each device has a stream for each kind of them, created when it is needed. */
	struct rcap_thread *late[RCAP_NVML_MAX_DEVICES][LATE_KINDS];
	uint32_t defined[RCAP_NVML_MAX_DEVICES]; /* a bit for each counter that the log knows */
} counters;

static uint64_t counter_id(uint32_t device, uint32_t kind)
{
	return RLOG_GPU_COUNTER_BASE + (uint64_t) device * RLOG_GPU_COUNTER_STRIDE + kind;
}

/* Makes the detail text of a counter: [schema id, description, scope id, semantics]. */
static uint32_t intern_detail(uint32_t device, uint32_t kind)
{
	const char *uuid = counters.ring->uuid[device];
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
	for (int i = 0; i < 3; i++) { /* nil: no limits */
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

/* Returns the stream for samples of a device. */
static struct rcap_thread **find_stream(uint32_t device, uint32_t kind)
{
	switch (kind) {
	case RLOG_GPU_POWER:
		return &counters.late[device][0];
	case RLOG_GPU_SM_CLOCK:
		return &counters.late[device][1];
	case RLOG_GPU_MEMORY_CLOCK:
		return &counters.late[device][2];
	default:
		return &counters.stream;
	}
}

static struct rcap_thread *stream_of(uint32_t device, uint32_t kind)
{
	struct rcap_thread **stream = find_stream(device, kind);

	if (!*stream) {
		*stream = make_stream();
	}
	return *stream;
}

static void put(const struct rcap_nvml_ring_sample *sample, uint64_t ticks)
{
	struct rcap_timed event = { .ticks = ticks,
		                    .op = RLOG_OP_SAMPLE,
		                    .id = counter_id(sample->device, sample->kind),
		                    .payload_type = RLOG_PAYLOAD_DOUBLE };
	struct rcap_thread *const stream = stream_of(sample->device, sample->kind);

	if (!stream) {
		return;
	}
	if (!(counters.defined[sample->device] & 1u << sample->kind)) {
		define(sample->device, sample->kind);
	}
	if (kinds[sample->kind].is_real) {
		memcpy(&event.payload, &sample->value, sizeof(sample->value));
	} else {
		event.payload_type = RLOG_PAYLOAD_I64;
		event.payload = (uint64_t) sample->value;
	}
	rcap_record_timed(stream, &event);
}

/* ---- The ring ---- */

static void tell_notes(void)
{
	const uint32_t notes = atomic_load_explicit(&counters.ring->notes, memory_order_acquire);

	for (; counters.told < notes && counters.told < RCAP_NVML_RING_NOTES; counters.told++) {
		rcap_cupti_status_add(0, "%s", counters.ring->note[counters.told]);
	}
}

static void take(void)
{
	const uint64_t written =
		atomic_load_explicit(&counters.ring->written, memory_order_acquire);
	const uint64_t rate = rcap_clock_ticks_per_s();
	struct rlog_clock_point now;

	tell_notes();
	if (written == counters.taken) {
		return;
	}
	if (written - counters.taken > RCAP_NVML_RING_SAMPLES / 2) {
		counters.taken = written - RCAP_NVML_RING_SAMPLES / 2; /* the launcher may be
		                                                        * overwriting older
		                                                        * samples */
	}
	rcap_clock_sync(&now);
	for (; counters.taken < written; counters.taken++) {
		const struct rcap_nvml_ring_sample sample =
			counters.ring->samples[counters.taken % RCAP_NVML_RING_SAMPLES];
		const double age_s = ((double) now.mono_ns - (double) sample.mono_ns) / 1e9;

		if (sample.mono_ns >= counters.from_ns && age_s >= 0 &&
		    sample.device < RCAP_NVML_MAX_DEVICES && sample.kind < RLOG_GPU_COUNTERS) {
			put(&sample, now.ticks - (uint64_t) (age_s * (double) rate));
		}
	}
}

/* Makes the launcher read everything that it can get now. If the launcher does not answer in time,
 * goes on without it. */
static void take_last(void)
{
	struct rcap_nvml_ring *const ring = counters.ring;
	const uint32_t asked = atomic_fetch_add_explicit(&ring->asked, 1, memory_order_acq_rel) + 1;
	const int64_t until = (int64_t) rcap_clock_mono_ns() + LAST_WAIT_NS;
	uint32_t served;

	rcap_nvml_ring_ring(ring);
	while ((int32_t) ((served = atomic_load_explicit(&ring->served, memory_order_acquire)) -
	                  asked) < 0) {
		const int64_t left = until - (int64_t) rcap_clock_mono_ns();

		if (left <= 0) {
			rcap_cupti_status_add(0,
			                      "the launcher did not answer within %d ms: the last "
			                      "samples of GPUs are lost",
			                      (int) (LAST_WAIT_NS / NS_PER_MS));
			break;
		}
		rcap_futex_wait_shared(&ring->served, served, left);
	}
	take();
}

/* ---- On and off ---- */

static void open_ring(void)
{
	memset(&counters, 0, sizeof(counters));
	counters.generation = rcap_process.generation;
	counters.ring = rcap_process.config.run_dir[0] != '\0'
	                        ? rcap_nvml_ring_open(rcap_process.config.run_dir)
	                        : NULL;
	if (!counters.ring) {
		rcap_cupti_status_add(0, "no GPU metrics: only \"ranges run\" of the same version "
		                         "takes them, and it did not start this program");
	}
}

static void begin(void)
{
	counters.is_on = true;
	counters.from_ns = rcap_clock_mono_ns();
	counters.taken = atomic_load_explicit(&counters.ring->written, memory_order_acquire);
	atomic_fetch_add_explicit(&counters.ring->users, 1, memory_order_relaxed);
	atomic_fetch_add_explicit(&counters.ring->asked, 1, memory_order_release);
	rcap_nvml_ring_ring(counters.ring);
}

static void end(void)
{
	take_last();
	counters.is_on = false;
	atomic_fetch_sub_explicit(&counters.ring->users, 1, memory_order_release);
	rcap_nvml_ring_ring(counters.ring);
}

void rcap_nvml_counters_look(void)
{
	const bool is_on =
		atomic_load_explicit(&rcap_process.phase, memory_order_relaxed) == RCAP_PHASE_ON;

	if (rcap_process.config.gpu_metrics[0] == '\0') {
		return;
	}
	if (is_on && counters.generation != rcap_process.generation) {
		open_ring();
	}
	if (!counters.ring || counters.generation != rcap_process.generation) {
		return;
	}
	if (is_on && !counters.is_on) {
		begin();
	} else if (!is_on && counters.is_on) {
		end();
	} else if (is_on) {
		take();
	}
}

void rcap_nvml_counters_end(void)
{
	if (counters.ring && counters.generation == rcap_process.generation && counters.is_on) {
		end();
	}
}
