/* SPDX-License-Identifier: MIT */
/*
 * A stand-in for libcupti.so. Built once for each version of CUDA it plays:
 *
 *   -DFAKE_VERSION=N   what cuptiGetVersion() says
 *
 * FAKE_CUPTI_SUBSCRIBE_ERROR=N, FAKE_CUPTI_ENABLE_ERROR=KIND:N and FAKE_CUPTI_TIME_ERROR=N have
 * calls fail. FAKE_CUPTI_LATE=1 completes full buffers late and in another order.
 * FAKE_CUPTI_DELIVERY=1 has a thread give buffers back. FAKE_CUPTI_LOCK=1 holds a lock during
 * callbacks, which cuptiActivityGetNumDroppedRecords takes, too; FAKE_CUPTI_LOCK=2 one while it
 * calls its subscriber, which all that records or flushes takes, too. FAKE_CUPTI_DROP=N drops each
 * Nth kernel, and FAKE_CUPTI_TIMELESS=N leaves the times of each Nth out. FAKE_CUPTI_HANG=NAME has
 * a function never return: its whole name, or Forced (a flush at the end). Without
 * FAKE_CUPTI_HANG_AFTER=N at once, else after N calls that did. FAKE_CUPTI_HUNG=FILE is made then.
 * FAKE_CUPTI_SLOW=NAME has each call of one take 5 ms. FAKE_CUPTI_CALLS=FILE gets a line for each
 * call, and for each call of the subscriber.
 * FAKE_CUDA_DRIVER=N is the driver's version, which newer libraries refuse as
 * FAKE_CUPTI_REFUSE=VERSION does. FAKE_CUPTI_IN_FLIGHT=1: kernels whose end is to come are
 * unfinished: their buffer is held back until then, or comes with end = 0 when it is forced.
 * FAKE_CUPTI_HOSTILE: see fake-hostile.c.
 * Whatever its user does against CUPTI's rules is a line "fake-cupti: …" on stderr.
 */
/* NVIDIA's names and types.
 * NOLINTBEGIN(readability-identifier-naming,cert-err34-c,readability-non-const-parameter) */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "fake.h"
#include "fake-buffers.h"
#include "fake-cupti.h"
#include "fake-hostile.h"
#include "fake-strides.h"
#include "libranges/abi/cupti-abi.h"

/* The subscriber of the old way. */
#define OLD (&fake_subscribers[0])

static _Atomic uint64_t refused;
static _Atomic bool was_enabled;
static _Atomic bool is_gone;
static _Atomic int asked;        /* for dropped records, since something was enabled */
static _Atomic uint64_t flushed; /* without force */
static pid_t pid;                /* of the subscriber: CUDA does not work in its children */

/* If calls are counted, they go to a file. */
static void note_call(const char *what)
{
	const char *path = getenv("FAKE_CUPTI_CALLS");
	FILE *file = path ? fopen(path, "a") : NULL;

	if (file) {
		fprintf(file, "%s\n", what);
		fclose(file);
	}
}

void fake_cupti_enter(const char *what)
{
	const struct timespec step = { .tv_nsec = 5000000 };
	const char *slow = getenv("FAKE_CUPTI_SLOW");
	char line[100];

	note_call(what);
	fake_may_hang(what);
	if (slow && strcmp(slow, what) == 0) {
		nanosleep(&step, NULL);
	}
	if (is_gone) {
		snprintf(line, sizeof(line), "%s after the driver's end", what);
		fake_complain(line);
	}
}

void fake_cupti_enter_alone(const char *what)
{
	fake_cupti_enter(what);
	fake_calls_lock();
	fake_calls_unlock();
}

static __thread bool is_told; /* this thread is with the subscriber */

static bool is_init(uint32_t domain, uint32_t cbid)
{
	return domain == RCAP_CUPTI_DOMAIN_RESOURCE && cbid == RCAP_CUPTI_RESOURCE_INIT_FINISHED;
}

/* Calls all subscribers that watch for this. */
static void tell(uint32_t domain, uint32_t cbid, const void *data)
{
	for (uint32_t i = 0; i < FAKE_SUBSCRIBERS; i++) {
		const struct fake_subscriber *to = &fake_subscribers[i];

		if (!to->callback || (i > 0 && !to->is_there) ||
		    !(is_init(domain, cbid) ? to->wants_init : to->watched[domain][cbid])) {
			continue;
		}
		fake_calls_lock();
		is_told = true;
		note_call("the subscriber");
		to->callback(to->user, domain, cbid, data);
		is_told = false;
		fake_calls_unlock();
	}
}

static bool is_turn(uint64_t number, const char *variable)
{
	const int every = fake_env(variable);

	return every > 0 && number % (unsigned) every == 0;
}

static void emit_kernel(uint32_t to, const void *record, size_t bytes, size_t name_at)
{
	static _Atomic uint64_t counts[FAKE_SUBSCRIBERS];
	const uint64_t number = atomic_fetch_add(&counts[to], 1) + 1;
	uint8_t kernel[512]; /* a recorded one is larger than what is read of it */

	bytes = bytes < sizeof(kernel) ? bytes : sizeof(kernel);
	memcpy(kernel, record, bytes);
	fake_hostile_kernel(kernel, number);
	if (is_turn(number, "FAKE_CUPTI_DROP")) {
		fake_subscribers[to].dropped++;
		return;
	}
	if (is_turn(number, "FAKE_CUPTI_TIMELESS")) {
		memset(kernel + offsetof(struct rcap_cupti_kernel, start), 0,
		       2 * sizeof(uint64_t)); /* and the end */
	}
	fake_buffers_add(to, kernel, bytes, name_at);
}

static void emit(const void *record, size_t bytes, size_t name_at)
{
	uint32_t kind;

	memcpy(&kind, record, sizeof(kind));
	for (uint32_t i = 0; i < FAKE_SUBSCRIBERS; i++) {
		if (!fake_subscribers_wants(&fake_subscribers[i], record)) {
			continue;
		}
		if (kind == RCAP_CUPTI_CONCURRENT_KERNEL) {
			emit_kernel(i, record, bytes, name_at);
		} else {
			fake_buffers_add(i, record, bytes, name_at);
		}
	}
}

static int is_enabled(uint32_t kind)
{
	return kind == RCAP_CUPTI_DRIVER || fake_subscribers_want(kind);
}

static int is_decided(uint32_t kind)
{
	return is_enabled(kind) || ((refused >> kind) & 1) != 0;
}

static void init_finished(void)
{
	tell(RCAP_CUPTI_DOMAIN_RESOURCE, RCAP_CUPTI_RESOURCE_INIT_FINISHED, NULL);
}

static void gone(void)
{
	for (uint32_t i = 0; i < FAKE_SUBSCRIBERS; i++) {
		/* If a function hangs, the records can't be taken out. */
		if (fake_subscribers[i].enabled != 0 && pid == getpid() &&
		    fake_buffers_have_records(i) && !getenv("FAKE_CUPTI_HANG")) {
			fake_complain("records are left at the driver's end");
		}
	}
	is_gone = true;
}

static void drop(size_t records)
{
	for (uint32_t i = 0; i < FAKE_SUBSCRIBERS; i++) {
		fake_subscribers[i].dropped += records;
	}
}

/* All watched calls but those that bound a capture end the context, and take down what CUPTI has.
 */
static void call(uint32_t domain, uint32_t cbid, uint32_t site)
{
	const char *name;

	tell(domain, cbid, &site);
	fake_find_name(domain, cbid, &name);
	if (!strstr(name, "Profiler")) {
		fake_buffers_clear();
	}
}

static bool tracer_ready(void)
{
	void *driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
	int (*get_count)(int *) = NULL;
	void *function = driver ? dlsym(driver, "cuDeviceGetCount") : NULL;
	int count;

	memcpy(&get_count, &function, sizeof(function));
	return get_count && get_count(&count) == 0;
}

static void called(uint32_t domain, uint32_t cbid, const void *data)
{
	tell(domain, cbid, data);
}

static int is_asked(void)
{
	return asked;
}

static uint64_t count_flushed(void)
{
	return flushed;
}

static const struct fake_tracer tracer = { .now = fake_buffers_now,
	                                   .emit = emit,
	                                   .is_enabled = is_enabled,
	                                   .is_decided = is_decided,
	                                   .init_finished = init_finished,
	                                   .gone = gone,
	                                   .drop = drop,
	                                   .call = call,
	                                   .called = called,
	                                   .is_asked = is_asked,
	                                   .flushed = count_flushed };

/* ---- CUPTI's functions ---- */

int cuptiGetVersion(uint32_t *version)
{
	fake_cupti_enter("cuptiGetVersion");
	*version = FAKE_VERSION;
	return 0;
}

int cuptiGetResultString(int result, const char **text)
{
	fake_cupti_enter("cuptiGetResultString");
	*text = result == 39    ? "FAKE_MULTIPLE_SUBSCRIBERS"
	        : result == 35  ? "FAKE_INSUFFICIENT_PRIVILEGES"
	        : result == 999 ? "FAKE_UNKNOWN"
	                        : "FAKE_ERROR";
	return 0;
}

int fake_cupti_connect(void)
{
	void *driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
	void (*set_tracer)(const struct fake_tracer *) = NULL;
	void *function = driver ? dlsym(driver, "fake_set_tracer") : NULL;

	if (fake_env("FAKE_CUPTI_SUBSCRIBE_ERROR") != 0) {
		return fake_env("FAKE_CUPTI_SUBSCRIBE_ERROR");
	}
	if (!function) {
		return 999;
	}
	if ((getenv("FAKE_CUDA_DRIVER") && FAKE_VERSION >= 130000 &&
	     fake_env("FAKE_CUDA_DRIVER") < 13000) ||
	    fake_env("FAKE_CUPTI_REFUSE") == FAKE_VERSION) {
		return 15; /* too new for the driver */
	}
	memcpy(&set_tracer, &function, sizeof(function));
	set_tracer(&tracer);
	pid = getpid();
	return 0;
}

int cuptiSubscribe(void **subscriber, rcap_cupti_callback_fn *fn, void *user)
{
	int rc;

	fake_cupti_enter("cuptiSubscribe");
	rc = fake_cupti_connect();
	return rc != 0 ? rc : fake_subscribers_add(false, fn, user, NULL, subscriber);
}

int cuptiUnsubscribe(void *subscriber)
{
	fake_cupti_enter("cuptiUnsubscribe");
	return fake_subscribers_remove(subscriber);
}

int cuptiEnableCallback(uint32_t on, void *subscriber, uint32_t domain, uint32_t cbid)
{
	const uint32_t place = fake_subscribers_find(subscriber);

	fake_cupti_enter("cuptiEnableCallback");
	if (place == FAKE_SUBSCRIBERS) {
		return 1;
	}
	if (is_init(domain, cbid)) {
		fake_subscribers[place].wants_init = on != 0;
	}
	if (domain <= RCAP_CUPTI_DOMAIN_RESOURCE) {
		fake_subscribers[place].watched[domain][cbid] = on != 0;
	}
	return 0;
}

/* The handle is the id: fake-capture.c. */
int cuptiGetGraphNodeId(const void *node, uint64_t *id)
{
	fake_cupti_enter("cuptiGetGraphNodeId");
	*id = (uint64_t) (uintptr_t) node;
	return 0;
}

int cuptiGetGraphId(const void *graph, uint32_t *id)
{
	fake_cupti_enter("cuptiGetGraphId");
	*id = (uint32_t) (uintptr_t) graph;
	return 0;
}

int cuptiGetCallbackName(uint32_t domain, uint32_t cbid, const char **name)
{
	fake_cupti_enter("cuptiGetCallbackName");
	return fake_find_name(domain, cbid, name);
}

int cuptiActivityRegisterCallbacks(rcap_cupti_requested_fn *new_requested,
                                   rcap_cupti_completed_fn *new_completed)
{
	fake_cupti_enter("cuptiActivityRegisterCallbacks");
	if (fake_subscribers_refuse_old("cuptiActivityRegisterCallbacks") != 0) {
		return RCAP_CUPTI_NOT_COMPATIBLE;
	}
	if (!OLD->is_there) {
		fake_complain("callbacks for buffers without a subscriber");
	}
	OLD->requested = new_requested;
	OLD->completed = new_completed;
	return 0;
}

int fake_cupti_enable(struct fake_subscriber *subscriber, uint32_t kind)
{
	const char *error = getenv("FAKE_CUPTI_ENABLE_ERROR");
	unsigned bad_kind;
	int rc;

	if (!subscriber->is_there || (!subscriber->requested && !subscriber->requested_v2)) {
		fake_complain("cuptiActivityEnable before what it needs");
		return 7;
	}
	if (error && sscanf(error, "%u:%d", &bad_kind, &rc) == 2 && bad_kind == kind) {
		refused |= UINT64_C(1) << kind;
		return rc;
	}
	if (fake_strides_of(kind) == 0) {
		return 21;
	}
	was_enabled = true;
	asked = 0;
	fake_subscribers_enable(subscriber, kind);
	return 0;
}

int cuptiActivityEnable(uint32_t kind)
{
	const int rc = fake_subscribers_refuse_old("cuptiActivityEnable");

	fake_cupti_enter_alone("cuptiActivityEnable");
	return rc != 0 ? rc : fake_cupti_enable(OLD, kind);
}

int cuptiActivityDisable(uint32_t kind)
{
	const int rc = fake_subscribers_refuse_old("cuptiActivityDisable");

	fake_cupti_enter_alone("cuptiActivityDisable");
	fake_subscribers_disable(OLD, kind);
	return rc;
}

int cuptiActivityFlushAll(uint32_t flag)
{
	fake_cupti_enter_alone("cuptiActivityFlushAll");
	if (flag == RCAP_CUPTI_FLUSH_FORCED) {
		fake_may_hang("Forced");
	} else {
		flushed++;
	}
	if (fake_in_callback) {
		fake_complain("cuptiActivityFlushAll in a callback");
	}
	fake_buffers_flush(flag == RCAP_CUPTI_FLUSH_FORCED);
	return 0;
}

int cuptiActivityGetNextRecord(uint8_t *buffer, size_t valid, void **record)
{
	fake_may_hang("cuptiActivityGetNextRecord");
	/* Does not complain: this is asked when a library is loaded, whoever uses CUPTI by then. */
	return fake_subscribers_are_shared() ? RCAP_CUPTI_NOT_COMPATIBLE
	                                     : fake_buffers_step(buffer, valid, record);
}

int fake_cupti_take_dropped(struct fake_subscriber *subscriber, size_t *count)
{
	if (fake_in_callback) {
		fake_complain("cuptiActivityGetNumDroppedRecords in a callback");
	}
	asked = 1;
	fake_buffers_lock();
	*count = atomic_exchange(&subscriber->dropped, 0);
	fake_buffers_unlock();
	return 0;
}

int cuptiActivityGetNumDroppedRecords(void *context, uint32_t stream, size_t *count)
{
	const int rc = fake_subscribers_refuse_old("cuptiActivityGetNumDroppedRecords");

	(void) context;
	(void) stream;
	fake_cupti_enter("cuptiActivityGetNumDroppedRecords");
	return rc != 0 ? rc : fake_cupti_take_dropped(OLD, count);
}

int cuptiActivitySetAttribute(uint32_t attribute, size_t *bytes, void *value)
{
	fake_cupti_enter("cuptiActivitySetAttribute");
	if (fake_subscribers_refuse_old("cuptiActivitySetAttribute") != 0) {
		return RCAP_CUPTI_NOT_COMPATIBLE;
	}
	if (attribute == RCAP_CUPTI_ATTR_ZEROED_OUT && *bytes == 1) {
		fake_zeroed_out = *(uint8_t *) value != 0;
		return 0;
	}
	return 1;
}

/* Counters 1 and 2 are known by all, 8 by newer ones; the driver must be ready. */
int cuptiActivityConfigureUnifiedMemoryCounter(const struct rcap_cupti_unified_config *configs,
                                               uint32_t count)
{
	const char *error = getenv("FAKE_CUPTI_UNIFIED_ERROR");

	fake_cupti_enter("cuptiActivityConfigureUnifiedMemoryCounter");
	if (!tracer_ready()) {
		fake_complain("counters of unified memory before the driver is ready");
		return 15;
	}
	if (is_told) {
		fake_complain("counters of unified memory in a callback of the driver");
	}
	if (is_enabled(RCAP_CUPTI_UNIFIED_MEMORY)) {
		fake_complain("counters of unified memory after their records");
	}
	for (uint32_t i = 0; i < count; i++) {
		if (error) {
			refused |= UINT64_C(1) << RCAP_CUPTI_UNIFIED_MEMORY;
			return atoi(error);
		}
		if (configs[i].scope != 2 || configs[i].counter == 0 ||
		    (configs[i].counter == 8 && FAKE_VERSION < 26)) {
			return 1;
		}
	}
	return 0;
}

int cuptiFinalize(void)
{
	fake_complain("cuptiFinalize");
	abort();
}

#if FAKE_VERSION >= 17
int fake_cupti_enable_and_dump(struct fake_subscriber *subscriber, uint32_t kind)
{
	void (*describe)(uint32_t) = NULL;
	void *function = dlsym(RTLD_DEFAULT, "fake_describe_again");
	const int rc = fake_cupti_enable(subscriber, kind);

	memcpy(&describe, &function, sizeof(function));
	if (rc == 0 && describe) {
		describe(kind);
	}
	return rc;
}

int cuptiActivityEnableAndDump(uint32_t kind)
{
	const int rc = fake_subscribers_refuse_old("cuptiActivityEnableAndDump");

	fake_cupti_enter("cuptiActivityEnableAndDump");
	return rc != 0 ? rc : fake_cupti_enable_and_dump(OLD, kind);
}

int cuptiActivityRegisterTimestampCallback(rcap_cupti_time_fn *fn)
{
	fake_cupti_enter("cuptiActivityRegisterTimestampCallback");
	if (fake_subscribers_refuse_old("cuptiActivityRegisterTimestampCallback") != 0) {
		return RCAP_CUPTI_NOT_COMPATIBLE;
	}
	if (fake_env("FAKE_CUPTI_TIME_ERROR") != 0) {
		return fake_env("FAKE_CUPTI_TIME_ERROR");
	}
	if (fake_time_fn || was_enabled) {
		fake_complain("the timestamp callback twice, or too late");
	}
	fake_time_fn = fn;
	return 0;
}
#endif

int cuptiSetThreadIdType(uint32_t type)
{
	const int rc = fake_subscribers_refuse_old("cuptiSetThreadIdType");

	fake_cupti_enter("cuptiSetThreadIdType");
	return rc != 0 ? rc : type == 1 ? 0 : 1;
}

#if FAKE_VERSION >= 23
int cuptiActivityEnableRuntimeApi(uint32_t cbid, uint8_t on)
{
	const int rc = fake_subscribers_refuse_old("cuptiActivityEnableRuntimeApi");

	fake_cupti_enter("cuptiActivityEnableRuntimeApi");
	OLD->runtime_off[cbid] = on == 0;
	return rc;
}

int cuptiActivityEnableDriverApi(uint32_t cbid, uint8_t on)
{
	const int rc = fake_subscribers_refuse_old("cuptiActivityEnableDriverApi");

	fake_cupti_enter("cuptiActivityEnableDriverApi");
	if (rc == 0) {
		OLD->driver_on[cbid] = on != 0;
	}
	return rc;
}
#endif

int cuptiActivityEnableLatencyTimestamps(uint8_t on)
{
	(void) on;
	fake_cupti_enter("cuptiActivityEnableLatencyTimestamps");
	return fake_subscribers_refuse_old("cuptiActivityEnableLatencyTimestamps");
}

#if FAKE_VERSION >= 26
int cuptiActivityEnableCudaEventDeviceTimestamps(uint8_t on)
{
	(void) on;
	fake_cupti_enter("cuptiActivityEnableCudaEventDeviceTimestamps");
	return fake_subscribers_refuse_old("cuptiActivityEnableCudaEventDeviceTimestamps");
}
#endif

int cuptiGetContextId(const void *context, uint32_t *id)
{
	fake_cupti_enter("cuptiGetContextId");
	*id = (uint32_t) ((uintptr_t) context - FAKE_CONTEXT);
	return 0;
}

int cuptiGetStreamIdEx(void *context, const void *stream, uint8_t per_thread, uint32_t *id)
{
	(void) context;
	(void) per_thread;
	fake_cupti_enter("cuptiGetStreamIdEx");
	*id = (uint32_t) (uintptr_t) stream & 0xFF;
	return 0;
}
/* NOLINTEND(readability-identifier-naming,cert-err34-c,readability-non-const-parameter) */
