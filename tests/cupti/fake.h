/* SPDX-License-Identifier: MIT */
/* The interface between the stand-ins for libcuda and libcupti, and the calls for test programs. */
#ifndef FAKE_H
#define FAKE_H

#include <stddef.h>
#include <stdint.h>

/* The functions that CUPTI gives to the driver that it traces. */
struct fake_tracer {
	uint64_t (*now)(void);
	/* Appends a record; `name_at` is the place of a text pointer in it, 0: none. */
	void (*emit)(const void *record, size_t bytes, size_t name_at);
	int (*is_enabled)(uint32_t kind);
	int (*is_decided)(uint32_t kind); /* enabled, or refused */
	void (*init_finished)(void);
	void (*gone)(void); /* the driver has shut down */
	void (*drop)(size_t records);
	/* A call begins (site 0) or ends (1). */
	void (*call)(uint32_t domain, uint32_t cbid, uint32_t site);
	/* It ends, with arguments; `data` is a struct rcap_cupti_call_data. */
	void (*called)(uint32_t domain, uint32_t cbid, const void *data);
	int (*is_asked)(void);     /* for dropped records, since something was enabled */
	uint64_t (*flushed)(void); /* how often, without force */
};

/* Reports existing devices, contexts or streams again. */
void fake_describe_again(uint32_t kind);

void fake_set_tracer(const struct fake_tracer *tracer);

/* The driver, as far as tests need it. A CUDA error code each, 0 is success. */
/* NOLINTBEGIN(readability-identifier-naming) */
int cuInit(unsigned flags);
int cuDeviceGet(int *out, int ordinal);
int cuDeviceGetCount(int *out);
int cuDeviceGetAttribute(int *out, int attribute, int device);
int cuDriverGetVersion(int *out);
int cuStreamGetCtx(const void *stream, const void **context);
/* NOLINTEND(readability-identifier-naming) */

#define FAKE_CONTEXT ((uintptr_t) 0x1000)

/* Calls of the "runtime": each makes an API record and what the GPU did, with one correlation id.
 */
struct fake_launch {
	const char *name;
	uint32_t device;
	uint32_t stream;
	uint32_t grid[3];
	uint32_t block[3];
	uint32_t registers;
	uint32_t static_shared;
	uint32_t dynamic_shared;
	uint32_t graph; /* part of a launch of this graph */
	uint64_t node;
	uint64_t start; /* 0: the next free time of the stream */
	uint64_t end;
	int has_no_times;
	uint32_t cluster;
	uint8_t launch_type; /* as CUPTI counts */
	int32_t priority;    /* told by version 13.1 */
	int is_driver;       /* by cuLaunchKernel, not through the runtime */
};

/* Return: the correlation id. */
uint32_t fake_launch_kernel(const struct fake_launch *launch);
uint32_t fake_copy(uint32_t device, uint32_t stream, uint32_t copy_kind, uint64_t bytes);
uint32_t fake_copy_peer(uint32_t from, uint32_t to, uint64_t bytes);
uint32_t fake_set(uint32_t device, uint32_t stream, uint64_t bytes);
uint32_t fake_sync(uint32_t stream);
/* Out of the default pool of the device, which is made by the first one and keeps what it has. */
uint32_t fake_allocate_async(uint32_t device, uint64_t address, uint64_t bytes);
uint32_t fake_free_async(uint32_t device, uint64_t address, uint64_t bytes);
uint32_t fake_trim_pool(uint32_t device);
/* cuMemMap and cuMemUnmap; a result that is not 0: they fail. */
uint32_t fake_map(uint32_t device, uint64_t address, uint64_t bytes, int unmap, int result);
uint32_t fake_allocate(uint32_t device, uint64_t address, uint64_t bytes);
/* Events of the first device. A stream waits for the last recording, or the host if the stream is
 * 0. */
uint32_t fake_record_event(uint32_t stream, uint32_t event);
uint32_t fake_wait_event(uint32_t stream, uint32_t event);
/* Launches a graph, recorded as a whole if that is on in CUPTI, else kernel by kernel. @device:
 * with RCAP_CUPTI_ON_HOST it begins on the host, and ends on device 1. */
uint32_t fake_graph_launch(uint32_t device, uint32_t stream, uint32_t graph, uint32_t kernels);
/* Graphs that are made node by node, and reported. Return: an id of CUPTI's. Texts are borrowed. */
uint32_t fake_graph_make(void);
void fake_graph_add(uint32_t graph, const char *kernel);
void fake_graph_add_child(uint32_t graph, uint32_t child);
uint32_t fake_graph_instantiate(uint32_t graph);
/* From now on it does the work of that graph. */
void fake_graph_update(uint32_t exec, uint32_t graph);
void fake_graph_replay(uint32_t exec, uint32_t stream);
/* Ends the context, and drops all of CUPTI's records of it: by the runtime, or by the driver. */
void fake_reset(void);
void fake_destroy(void);
/* cudaProfilerStart or cudaProfilerStop, which call the driver's. */
void fake_profile(int start);
/* Waits, a minute at most: until records of that kind are enabled or refused, or until they are not
 * enabled any more. */
void fake_wait_enabled(uint32_t kind);
void fake_wait_disabled(uint32_t kind);
/* Until the user of CUPTI has asked it for dropped records since it last enabled something, or has
 * begun so many flushes, from now on. */
void fake_wait_asked(void);
void fake_wait_flushed(unsigned times);
void fake_chatty(void);   /* a call that nobody wants to see */
void fake_overhead(void); /* the driver is busy with itself */
void fake_jit(void);
void fake_drop(size_t records);
void fake_unified(uint32_t counter, uint64_t value);
/* As a library that gives the call of that correlation a number. */
void fake_external(uint32_t correlation, uint64_t id);

/*
 * For programs that tell of other GPUs than the four of cuInit(). Both before cuInit(): what
 * cuDeviceGetAttribute says, and how function number `cbid` of a domain is called; the first name
 * replaces all names that stand-ins know. Texts are borrowed for good.
 */
void fake_set_attribute(int attribute, int value);
void fake_set_call_name(uint32_t domain, uint32_t cbid, const char *name);
/* NULL: no such function. `is_ours`: false if no names were set. */
const char *fake_call_name(uint32_t domain, uint32_t cbid, int *is_ours);
/* Leaves out what cuInit() reports on devices, contexts and streams. */
void fake_describe_nothing(void);
/* A record that is complete except for what the stand-in for CUPTI adds. Return: 0 if its kind is
 * off. */
int fake_emit(const void *record, size_t bytes, size_t name_at);
/* In the stand-in for CUPTI: cuptiGetCallbackName(). Return: 0, or 1 where there is none. */
int fake_find_name(uint32_t domain, uint32_t cbid, const char **name);
uint64_t fake_now(void);
uint32_t fake_correlation(void); /* the next one */
int fake_is_on(uint32_t kind);   /* CUPTI wants records of that kind */
/* A stream runs one operation after the other. Return: the begin of an operation of that length. */
uint64_t fake_reserve(uint32_t stream, uint64_t ns);
/* The kernel's record, without one of its call. */
void fake_emit_kernel(const struct fake_launch *launch, uint32_t correlation);
/* The record of a call of the driver alone. */
void fake_emit_driver(uint32_t cbid, uint64_t start, uint32_t correlation);
/* A call that CUPTI may be watching. @data: struct rcap_cupti_call_data. */
void fake_called(uint32_t domain, uint32_t cbid, const void *data);
/* The records of a call of the runtime that took from `start` until now: what it calls of the
 * driver ends first. */
void fake_emit_call(uint32_t cbid, uint64_t start, uint32_t correlation);

#endif
