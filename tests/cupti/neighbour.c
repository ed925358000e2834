/* SPDX-License-Identifier: MIT */
/*
 * Another profiler in the program, as torch.profiler is one: a library that takes CUPTI when it is
 * loaded, and writes down each kernel and call that it is told of.
 *
 *   NEIGHBOUR_CUPTI=…/libcupti.so.13 NEIGHBOUR_OUT=FILE NEIGHBOUR=HOW
 *
 * HOW: shared (cuptiSubscribe_v2), alone (the same, for itself), old (cuptiSubscribe), later (as
 * old, but it goes on when it is refused, as old profilers do). It ends by neighbour_stop(), or
 * with the program; FILE gets "kernel ID NS NAME" and "call ID" as they come, then "subscribe
 * CODE", "enable CODE" and "dropped N".
 */
/* CUPTI's names. NOLINTBEGIN(cert-err34-c) */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "libranges/abi/cupti-abi.h"

#define BUFFER_BYTES 65536u

static void *cupti;
static void *subscriber;
static bool is_v2;
static int subscribed = -1;
static int switched_on = -1;
static FILE *out;
static _Atomic unsigned away; /* buffers that CUPTI has */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* Function NAME of CUPTI, as `function`. */
#define FIND(name, arguments)                             \
	int(*function) arguments = NULL;                  \
	void *symbol = cupti ? dlsym(cupti, name) : NULL; \
	memcpy(&function, &symbol, sizeof(symbol));       \
	if (!function) {                                  \
		return -1;                                \
	}

static int call_subscribe(void)
{
	FIND("cuptiSubscribe", (void **, rcap_cupti_callback_fn *, void *) )

	return function(&subscriber, NULL, NULL);
}

static int call_subscribe_v2(uint8_t is_shared)
{
	struct rcap_cupti_subscriber_params params = { .bytes = sizeof(params),
		                                       .name = "neighbour",
		                                       .is_shared = is_shared };
	FIND("cuptiSubscribe_v2", (void **, rcap_cupti_callback_fn *, void *, void *) )

	return function(&subscriber, NULL, NULL, &params);
}

static int call_next(uint8_t *buffer, size_t valid, void **record)
{
	FIND("cuptiActivityGetNextRecord_v2", (void *, uint8_t *, size_t, void **) )

	return function(subscriber, buffer, valid, record);
}

static int call_flush(void)
{
	FIND("cuptiActivityFlushAll", (uint32_t))

	return function(1);
}

static int call_dropped(size_t *count)
{
	FIND("cuptiActivityGetNumDroppedRecords_v2", (void *, void *, uint32_t, size_t *) )

	return function(subscriber, NULL, 0, count);
}

void neighbour_stop(void);

static void request(uint8_t **buffer, size_t *bytes, size_t *max_records, const void *info)
{
	static _Atomic bool is_late;

	(void) info;
	/* CUDA is there by now, and is so still when this is called. */
	if (!atomic_exchange(&is_late, true)) {
		(void) atexit(neighbour_stop);
	}
	atomic_fetch_add(&away, 1);
	*buffer = calloc(1, BUFFER_BYTES);
	*bytes = BUFFER_BYTES;
	*max_records = 0;
}

static void write_record(const void *record)
{
	struct rcap_cupti_kernel kernel;
	struct rcap_cupti_api call;
	uint32_t kind;

	memcpy(&kind, record, sizeof(kind));
	if (kind == RCAP_CUPTI_CONCURRENT_KERNEL) {
		memcpy(&kernel, record, offsetof(struct rcap_cupti_kernel, reserved));
		fprintf(out, "kernel %u %llu %s\n", kernel.correlation,
		        (unsigned long long) (kernel.end - kernel.start), kernel.name);
	} else if (kind == RCAP_CUPTI_RUNTIME) {
		memcpy(&call, record, sizeof(call));
		fprintf(out, "call %u\n", call.correlation);
	}
}

static void complete(uint8_t *buffer, size_t bytes, size_t valid, const void *info)
{
	void *record = NULL;

	(void) bytes;
	(void) info;
	pthread_mutex_lock(&lock);
	while (out && valid > 0 && call_next(buffer, valid, &record) == 0) {
		write_record(record);
	}
	pthread_mutex_unlock(&lock);
	free(buffer);
	atomic_fetch_sub(&away, 1);
}

/* Another's flush may have taken our buffers, and be about to bring them: waits until all are here,
 * or none has come for a while. */
static void await_buffers(void)
{
	const struct timespec step = { .tv_nsec = 10000000 };
	unsigned before = atomic_load(&away);

	for (int quiet = 0; before > 0 && quiet < 50; quiet++) {
		unsigned now;

		nanosleep(&step, NULL);
		now = atomic_load(&away);
		quiet = now != before ? 0 : quiet;
		before = now;
	}
}

static int call_register(void)
{
	FIND("cuptiActivityRegisterCallbacks_v2",
	     (void *, rcap_cupti_requested_v2_fn *, rcap_cupti_completed_v2_fn *) )

	return function(subscriber, request, complete);
}

static int call_enable(uint32_t kind)
{
	FIND("cuptiActivityEnable_v2", (void *, uint32_t, void *) )

	return function(subscriber, kind, NULL);
}

static int call_enable_old(uint32_t kind)
{
	FIND("cuptiActivityEnable", (uint32_t))

	return function(kind);
}

__attribute__((constructor)) static void start(void)
{
	const char *how = getenv("NEIGHBOUR");
	const char *path = getenv("NEIGHBOUR_CUPTI");
	const char *to = getenv("NEIGHBOUR_OUT");

	out = how && path && to ? fopen(to, "we") : NULL;
	cupti = out ? dlopen(path, RTLD_NOW) : NULL;
	if (!cupti) {
		return;
	}
	is_v2 = strcmp(how, "shared") == 0 || strcmp(how, "alone") == 0;
	subscribed = is_v2 ? call_subscribe_v2(strcmp(how, "shared") == 0) : call_subscribe();
	if (is_v2 && subscribed == 0) {
		(void) call_register();
		switched_on = call_enable(RCAP_CUPTI_CONCURRENT_KERNEL);
		(void) call_enable(RCAP_CUPTI_RUNTIME);
	} else if (strcmp(how, "later") == 0) {
		switched_on = call_enable_old(RCAP_CUPTI_CONCURRENT_KERNEL);
	}
}

void neighbour_stop(void)
{
	size_t dropped = 0;

	if (!out) {
		return;
	}
	fprintf(out, "subscribe %d\nenable %d\n", subscribed, switched_on);
	if (is_v2 && subscribed == 0) {
		(void) call_flush();
		await_buffers();
		(void) call_dropped(&dropped);
		fprintf(out, "dropped %zu\n", dropped);
	}
	pthread_mutex_lock(&lock);
	fclose(out);
	out = NULL;
	pthread_mutex_unlock(&lock);
}
/* NOLINTEND(cert-err34-c) */
