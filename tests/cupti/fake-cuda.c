/* SPDX-License-Identifier: MIT */
/*
 * A stand-in for libcuda.so.1: no GPU, but calls that leave the records which CUPTI would make.
 * FAKE_CUDA_CALLS=N has a call of the runtime make N of the driver, FAKE_CUDA_EARLY=1 kernels begin
 * before their calls, as clocks that disagree tell. With FAKE_CUDA_EXIT_MS=N its end takes N ms.
 */
/* NVIDIA's names. NOLINTBEGIN(readability-identifier-naming,cert-err34-c) */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "fake.h"
#include "libranges/abi/cupti-abi.h"

#define DEVICES     4u
#define STREAMS     64u
#define EVENTS      64u
#define CB_LAUNCH   211u /* fake-cupti.c knows their names */
#define CB_COPY     31u
#define CB_SET      48u
#define CB_SYNC     131u
#define CB_MALLOC   20u
#define CB_EVENT    135u
#define CB_WAIT     295u
#define CB_WAIT_CPU 137u
#define CB_GRAPH    350u /* fake-graphs.c */
#define CB_RESET    164u
#define CB_PROFILE  310u /* and the one behind it */

/* The driver's functions that the runtime calls. */
static const struct {
	uint32_t runtime;
	uint32_t driver;
} twins[] = { { CB_LAUNCH, 307 }, { CB_COPY, 277 },  { CB_SET, 209 },  { CB_SYNC, 126 },
	      { CB_MALLOC, 243 }, { CB_EVENT, 120 }, { CB_GRAPH, 514 } };

#define CB_CU_LAUNCH  307u
#define CB_CU_DESTROY 157u
#define CB_CU_PROFILE 311u /* likewise */

#define ATTRIBUTES 128u

static const struct fake_tracer *_Atomic tracer;
static _Atomic uint32_t next_correlation = 1;
static _Atomic uint64_t stream_free[STREAMS]; /* when its last work ends */
static _Atomic uint64_t next_sync_id = 1;
static _Atomic uint64_t event_ids[EVENTS];   /* of its last recording */
static _Atomic uint64_t event_times[EVENTS]; /* end of the work after which it was recorded */
static _Atomic int state;                    /* 1 initialised, 2 gone */
/* Settings from before cuInit(), constant afterwards. */
static int attributes[ATTRIBUTES] = { [97] = 232448, [111] = 1024 };
static int has_no_devices;

void fake_set_tracer(const struct fake_tracer *new_tracer)
{
	atomic_store(&tracer, new_tracer);
}

uint64_t fake_now(void)
{
	const struct fake_tracer *to = atomic_load(&tracer);
	struct timespec t;

	if (to) {
		return to->now();
	}
	clock_gettime(CLOCK_REALTIME, &t);
	return (uint64_t) t.tv_sec * 1000000000u + (uint64_t) t.tv_nsec;
}

static int emit(uint32_t kind, const void *record, size_t bytes, size_t name_at)
{
	const struct fake_tracer *to = atomic_load(&tracer);
	const int is_told = to && to->is_enabled(kind);

	if (is_told) {
		to->emit(record, bytes, name_at);
	}
	return is_told;
}

uint32_t fake_correlation(void)
{
	return atomic_fetch_add(&next_correlation, 1);
}

int fake_emit(const void *record, size_t bytes, size_t name_at)
{
	return emit(*(const uint32_t *) record, record, bytes, name_at); /* its kind is first */
}

void fake_set_attribute(int attribute, int value)
{
	attributes[attribute] = value;
}

void fake_describe_nothing(void)
{
	has_no_devices = 1;
}

static void at_driver_exit(void)
{
	const struct fake_tracer *to = atomic_load(&tracer);
	const char *ms = getenv("FAKE_CUDA_EXIT_MS");
	const struct timespec time = { .tv_nsec = ms ? atoi(ms) * 1000000L : 0 };

	state = 2;
	if (to) {
		to->gone();
	}
	nanosleep(&time, NULL);
}

/* @only: records of that kind; 0: all. */
static void describe(uint32_t only)
{
	static const char *const names[] = { "Fake GPU 0", "Fake GPU 1", "Fake GPU 2",
		                             "Fake GPU 3" };

	for (uint32_t i = 0; i < DEVICES; i++) {
		struct rcap_cupti_device device = {
			.kind = RCAP_CUPTI_DEVICE,
			.memory_bandwidth = 3350000000u,
			.memory_bytes = UINT64_C(80) << 30,
			.l2_bytes = 50u << 20,
			.warp_threads = 32,
			.clock_khz = 1980000,
			.copy_engines = 3,
			.multiprocessors = 132,
			.warps_per_sm = 64,
			.blocks_per_sm = 32,
			.shared_per_sm = 233472,
			.registers_per_sm = 65536,
			.registers_per_block = 65536,
			.shared_per_block = 49152,
			.threads_per_block = 1024,
			.major = 9,
			.id = i,
			.uuid = { (uint8_t) i, 1, 2, 3 },
			.name = names[i],
		};
		struct rcap_cupti_context context = { .kind = RCAP_CUPTI_CONTEXT,
			                              .id = i + 1,
			                              .device = i,
			                              .api = 1,
			                              .null_stream = 7 };

		if (only == 0 || only == RCAP_CUPTI_DEVICE) {
			emit(RCAP_CUPTI_DEVICE, &device, sizeof(device),
			     offsetof(struct rcap_cupti_device, name));
		}
		if (only == 0 || only == RCAP_CUPTI_CONTEXT) {
			emit(RCAP_CUPTI_CONTEXT, &context, sizeof(context), 0);
		}
	}
	for (uint32_t i = 1; i <= 2 * DEVICES && (only == 0 || only == RCAP_CUPTI_STREAM); i++) {
		struct rcap_cupti_stream stream = { .kind = RCAP_CUPTI_STREAM,
			                            .context = (i - 1) % DEVICES + 1,
			                            .id = 10 + i,
			                            .flag = 2 };

		emit(RCAP_CUPTI_STREAM, &stream, sizeof(stream), 0);
	}
}

static void init_once(void)
{
	const char *path = getenv("CUDA_INJECTION64_PATH");
	const struct fake_tracer *to;
	void *library = path && path[0] ? dlopen(path, RTLD_NOW) : NULL;
	int (*initialize)(void) = NULL;
	void *function = library ? dlsym(library, "InitializeInjection") : NULL;

	if (path && path[0] && !function) {
		fprintf(stderr, "fake-cuda: CUDA_INJECTION64_PATH=%s is no tool\n", path);
	}
	memcpy(&initialize, &function, sizeof(function));
	if (initialize && initialize() != 1) {
		fprintf(stderr, "fake-cuda: InitializeInjection failed\n");
	}
	atexit(at_driver_exit);
	state = 1;
	to = atomic_load(&tracer);
	if (to) {
		to->init_finished();
	}
	if (!has_no_devices) {
		describe(0);
	}
}

void fake_describe_again(uint32_t kind)
{
	if (state == 1 && !has_no_devices) {
		describe(kind);
	}
}

int cuInit(unsigned flags)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	(void) flags;
	pthread_once(&once, init_once);
	return 0;
}

int cuDriverGetVersion(int *out)
{
	const char *text = getenv("FAKE_CUDA_DRIVER");

	*out = text ? atoi(text) : 13000;
	return 0;
}

int cuDeviceGetCount(int *out)
{
	*out = DEVICES;
	return state == 1 ? 0 : 3;
}

int cuDeviceGet(int *out, int ordinal)
{
	*out = ordinal;
	return state == 1 ? 0 : 3;
}

int cuDeviceGetAttribute(int *out, int attribute, int device)
{
	(void) device;
	*out = attribute >= 0 && (unsigned) attribute < ATTRIBUTES ? attributes[attribute] : 0;
	return state == 1 ? 0 : 3;
}

/* Streams and contexts of tests are numbers: device × 0x100 + stream, FAKE_CONTEXT + id. */
int cuStreamGetCtx(const void *stream, const void **context)
{
	const uintptr_t device = (uintptr_t) stream >> 8;

	/* NOLINTNEXTLINE(performance-no-int-to-ptr) */
	*context = (const void *) (FAKE_CONTEXT + device + 1);
	return state == 1 && device < DEVICES ? 0 : 400;
}

static void emit_record(uint32_t kind, uint32_t cbid, uint64_t start, uint32_t correlation)
{
	const struct rcap_cupti_api api = { .kind = kind,
		                            .cbid = cbid,
		                            .start = start,
		                            .end = fake_now(),
		                            .process = (uint32_t) getpid(),
		                            .thread = (uint32_t) gettid(),
		                            .correlation = correlation };

	emit(kind, &api, sizeof(api), 0);
}

void fake_emit_driver(uint32_t cbid, uint64_t start, uint32_t correlation)
{
	emit_record(RCAP_CUPTI_DRIVER, cbid, start, correlation);
}

void fake_called(uint32_t domain, uint32_t cbid, const void *data)
{
	const struct fake_tracer *to = atomic_load(&tracer);

	if (to) {
		to->called(domain, cbid, data);
	}
}

void fake_emit_call(uint32_t cbid, uint64_t start, uint32_t correlation)
{
	for (size_t i = 0; i < sizeof(twins) / sizeof(twins[0]); i++) {
		const char *calls = getenv("FAKE_CUDA_CALLS");

		for (int n = calls ? atoi(calls) : 1; twins[i].runtime == cbid && n > 0; n--) {
			emit_record(RCAP_CUPTI_DRIVER, twins[i].driver, start, correlation);
		}
	}
	emit_record(RCAP_CUPTI_RUNTIME, cbid, start, correlation);
}

uint64_t fake_reserve(uint32_t stream, uint64_t ns)
{
	uint64_t old = atomic_load(&stream_free[stream % STREAMS]);
	uint64_t begin;

	do {
		const uint64_t soon = fake_now() + 2000;

		begin = old > soon ? old : soon;
	} while (!atomic_compare_exchange_weak(&stream_free[stream % STREAMS], &old, begin + ns));
	return begin;
}

void fake_emit_kernel(const struct fake_launch *launch, uint32_t correlation)
{
	struct rcap_cupti_kernel kernel = {
		.kind = RCAP_CUPTI_CONCURRENT_KERNEL,
		.registers = (uint16_t) launch->registers,
		.device = launch->device,
		.context = launch->device + 1,
		.stream = launch->stream,
		.static_shared = launch->static_shared,
		.dynamic_shared = launch->dynamic_shared,
		.correlation = correlation,
		.name = launch->name,
		.graph = launch->graph,
		.graph_node = launch->node,
		.cluster = { launch->cluster != 0 ? launch->cluster : 1, 1, 1 },
		.launch_type = launch->launch_type,
		.priority = launch->priority,
	};

	memcpy(kernel.grid, launch->grid, sizeof(kernel.grid));
	memcpy(kernel.block, launch->block, sizeof(kernel.block));
	kernel.start = launch->start != 0 ? launch->start : fake_reserve(launch->stream, 1000);
	if (getenv("FAKE_CUDA_EARLY")) {
		kernel.start -= 10000;
	}
	kernel.end = launch->end != 0 ? launch->end : kernel.start + 1000;
	kernel.completed = kernel.end;
	kernel.queued = kernel.start - 500;
	if (launch->has_no_times) {
		kernel.start = 0;
		kernel.end = 0;
	}
	emit(RCAP_CUPTI_CONCURRENT_KERNEL, &kernel, sizeof(kernel),
	     offsetof(struct rcap_cupti_kernel, name));
}

uint32_t fake_launch_kernel(const struct fake_launch *launch)
{
	const uint64_t start = fake_now();
	const uint32_t correlation = fake_correlation();

	fake_emit_kernel(launch, correlation);
	if (launch->is_driver) {
		emit_record(RCAP_CUPTI_DRIVER, CB_CU_LAUNCH, start, correlation);
	} else {
		fake_emit_call(CB_LAUNCH, start, correlation);
	}
	return correlation;
}

uint32_t fake_copy(uint32_t device, uint32_t stream, uint32_t copy_kind, uint64_t bytes)
{
	const uint64_t start = fake_now();
	const uint32_t correlation = fake_correlation();
	struct rcap_cupti_memcpy copy = { .kind = RCAP_CUPTI_MEMCPY,
		                          .copy_kind = (uint8_t) copy_kind,
		                          .src_kind = 2,
		                          .dst_kind = 3,
		                          .flags = 1,
		                          .bytes = bytes,
		                          .start = fake_reserve(stream, 1500),
		                          .device = device,
		                          .context = device + 1,
		                          .stream = stream,
		                          .correlation = correlation };

	copy.end = copy.start + 1500;
	emit(RCAP_CUPTI_MEMCPY, &copy, sizeof(copy), 0);
	fake_emit_call(CB_COPY, start, correlation);
	return correlation;
}

uint32_t fake_copy_peer(uint32_t from, uint32_t to, uint64_t bytes)
{
	const uint64_t start = fake_now();
	const uint32_t correlation = fake_correlation();
	struct rcap_cupti_memcpy2 copy = { .kind = RCAP_CUPTI_MEMCPY2,
		                           .copy_kind = 10,
		                           .src_kind = 3,
		                           .dst_kind = 3,
		                           .bytes = bytes,
		                           .start = fake_reserve(7, 1500),
		                           .device = from,
		                           .context = from + 1,
		                           .stream = 7,
		                           .src_device = from,
		                           .dst_device = to,
		                           .correlation = correlation };

	copy.end = copy.start + 1500;
	emit(RCAP_CUPTI_MEMCPY2, &copy, sizeof(copy), 0);
	fake_emit_call(CB_COPY, start, correlation);
	return correlation;
}

uint32_t fake_set(uint32_t device, uint32_t stream, uint64_t bytes)
{
	const uint64_t start = fake_now();
	const uint32_t correlation = fake_correlation();
	struct rcap_cupti_memset set = { .kind = RCAP_CUPTI_MEMSET,
		                         .bytes = bytes,
		                         .start = fake_reserve(stream, 300),
		                         .device = device,
		                         .context = device + 1,
		                         .stream = stream,
		                         .correlation = correlation,
		                         .memory_kind = 3 };

	set.end = set.start + 300;
	emit(RCAP_CUPTI_MEMSET, &set, sizeof(set), 0);
	fake_emit_call(CB_SET, start, correlation);
	return correlation;
}

uint32_t fake_allocate(uint32_t device, uint64_t address, uint64_t bytes)
{
	const uint64_t start = fake_now();
	const uint32_t correlation = fake_correlation();
	struct rcap_cupti_memory memory = { .kind = RCAP_CUPTI_MEMORY2,
		                            .operation = 1,
		                            .memory_kind = 3,
		                            .correlation = correlation,
		                            .address = address,
		                            .bytes = bytes,
		                            .time = start,
		                            .device = device,
		                            .context = device + 1,
		                            .stream = RCAP_CUPTI_NO_ID };

	emit(RCAP_CUPTI_MEMORY2, &memory, sizeof(memory), 0);
	fake_emit_call(CB_MALLOC, start, correlation);
	return correlation;
}

uint32_t fake_record_event(uint32_t stream, uint32_t event)
{
	const uint64_t start = fake_now();
	const uint32_t correlation = fake_correlation();
	struct rcap_cupti_event record = { .kind = RCAP_CUPTI_CUDA_EVENT,
		                           .correlation = correlation,
		                           .context = 1,
		                           .stream = stream,
		                           .id = event,
		                           .time = start + 10,
		                           .sync_id = atomic_fetch_add(&next_sync_id, 1) };

	atomic_store(&event_ids[event % EVENTS], record.sync_id);
	atomic_store(&event_times[event % EVENTS], atomic_load(&stream_free[stream % STREAMS]));

	emit(RCAP_CUPTI_CUDA_EVENT, &record, sizeof(record), 0);
	fake_emit_call(CB_EVENT, start, correlation);
	return correlation;
}

uint32_t fake_wait_event(uint32_t stream, uint32_t event)
{
	const uint64_t start = fake_now();
	const uint64_t ready = atomic_load(&event_times[event % EVENTS]);
	const uint32_t correlation = fake_correlation();
	struct rcap_cupti_sync sync = { .kind = RCAP_CUPTI_SYNCHRONIZATION,
		                        .type = stream == 0 ? 1 : 2,
		                        .start = start,
		                        .end = start + 100,
		                        .correlation = correlation,
		                        .context = 1,
		                        .stream = stream == 0 ? RCAP_CUPTI_NO_ID : stream,
		                        .event = event,
		                        .event_sync_id = atomic_load(&event_ids[event % EVENTS]) };

	if (stream != 0 && atomic_load(&stream_free[stream % STREAMS]) < ready) {
		atomic_store(&stream_free[stream % STREAMS], ready);
	}
	emit(RCAP_CUPTI_SYNCHRONIZATION, &sync, sizeof(sync), 0);
	fake_emit_call(stream == 0 ? CB_WAIT_CPU : CB_WAIT, start, correlation);
	return correlation;
}

int fake_is_on(uint32_t kind)
{
	const struct fake_tracer *to = atomic_load(&tracer);

	return to && to->is_enabled(kind);
}

void fake_reset(void)
{
	const struct fake_tracer *to = atomic_load(&tracer);
	const uint64_t start = fake_now();

	if (to) {
		to->call(RCAP_CUPTI_DOMAIN_RUNTIME, CB_RESET, 0);
	}
	fake_emit_call(CB_RESET, start, fake_correlation());
}

void fake_destroy(void)
{
	const struct fake_tracer *to = atomic_load(&tracer);
	const uint64_t start = fake_now();

	if (to) {
		to->call(RCAP_CUPTI_DOMAIN_DRIVER, CB_CU_DESTROY, 0);
	}
	emit_record(RCAP_CUPTI_DRIVER, CB_CU_DESTROY, start, fake_correlation());
}

void fake_profile(int start)
{
	const struct fake_tracer *to = atomic_load(&tracer);
	const uint32_t runtime = start ? CB_PROFILE : CB_PROFILE + 1;
	const uint32_t driver = start ? CB_CU_PROFILE : CB_CU_PROFILE + 1;
	const uint64_t begin = fake_now();

	if (to) {
		to->call(RCAP_CUPTI_DOMAIN_RUNTIME, runtime, 0);
		to->call(RCAP_CUPTI_DOMAIN_DRIVER, driver, 0);
		to->call(RCAP_CUPTI_DOMAIN_DRIVER, driver, 1);
		to->call(RCAP_CUPTI_DOMAIN_RUNTIME, runtime, 1);
	}
	fake_emit_call(runtime, begin, fake_correlation());
}

/* Waits for CUPTI: `what`. A loaded machine is slow, so only a test that hangs anyway waits that
 * long. */
static void wait_until(int (*is_so)(const struct fake_tracer *, uint64_t), uint64_t number,
                       const char *what)
{
	const struct timespec step = { .tv_nsec = 1000000 };

	for (int i = 0; i < 60000; i++) {
		const struct fake_tracer *to = atomic_load(&tracer);

		if (to && is_so(to, number)) {
			return;
		}
		nanosleep(&step, NULL);
	}
	fprintf(stderr, "fake-cuda: waited a minute for CUPTI, %s\n", what);
}

static int is_decided(const struct fake_tracer *to, uint64_t kind)
{
	return to->is_decided((uint32_t) kind);
}

static int is_off(const struct fake_tracer *to, uint64_t kind)
{
	return !to->is_enabled((uint32_t) kind);
}

static int is_asked(const struct fake_tracer *to, uint64_t unused)
{
	(void) unused;
	return to->is_asked();
}

static int is_flushed(const struct fake_tracer *to, uint64_t times)
{
	return to->flushed() >= times;
}

void fake_wait_enabled(uint32_t kind)
{
	wait_until(is_decided, kind, "to be told what to record");
}

void fake_wait_disabled(uint32_t kind)
{
	wait_until(is_off, kind, "to be told what not to record");
}

void fake_wait_asked(void)
{
	wait_until(is_asked, 0, "to be asked for dropped records");
}

void fake_wait_flushed(unsigned times)
{
	const struct fake_tracer *to = atomic_load(&tracer);

	wait_until(is_flushed, (to ? to->flushed() : 0) + times, "to be flushed");
}

void fake_drop(size_t records)
{
	const struct fake_tracer *to = atomic_load(&tracer);

	if (to) {
		to->drop(records);
	}
}
/* NOLINTEND(readability-identifier-naming,cert-err34-c) */
