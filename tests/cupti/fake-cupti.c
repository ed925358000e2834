/* SPDX-License-Identifier: MIT */
/*
 * A stand-in for libcupti.so. Built once for each version of CUDA it plays:
 *
 *   -DFAKE_VERSION=N   what cuptiGetVersion() says
 *
 * FAKE_CUPTI_SUBSCRIBE_ERROR=N, FAKE_CUPTI_ENABLE_ERROR=KIND:N and FAKE_CUPTI_TIME_ERROR=N have
 * calls fail. FAKE_CUPTI_LATE=1 completes full buffers late and in another order. Whatever its user
 * does against CUPTI's rules is a line "fake-cupti: …" on stderr.
 */
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
#include "fake-strides.h"
#include "libranges/abi/cupti-abi.h"

/* Lanes: one for all threads, from 13.0 on one for each. */
#define LANES    64u
#define MAX_LATE 16u

struct lane {
	pthread_mutex_t lock;
	uint8_t *buffer;
	size_t bytes;
	size_t valid;
	char *texts[4096]; /* the names in the buffer, which go with it */
	size_t text_count;
};

/* A buffer on its way back. */
struct done {
	uint8_t *buffer;
	size_t bytes;
	size_t valid;
	char *texts[4096];
	size_t text_count;
};

static struct lane lanes[LANES];
static _Atomic uint32_t next_lane;
static __thread uint32_t my_lane; /* 0: none yet */
static __thread bool in_callback;

static rcap_cupti_requested_fn *requested;
static rcap_cupti_completed_fn *completed;
static rcap_cupti_callback_fn *callback;
static rcap_cupti_time_fn *time_fn;
static _Atomic uint64_t enabled;
static _Atomic bool is_subscribed;
static _Atomic bool was_enabled;
static _Atomic bool is_gone;
static _Atomic bool zeroed_out;
static _Atomic size_t dropped;
static _Atomic bool chatty_off;
static _Atomic bool wants_init;
static pid_t pid; /* of the subscriber: CUDA does not work in its children */

static pthread_mutex_t late_lock = PTHREAD_MUTEX_INITIALIZER;
static struct done *late[MAX_LATE];
static size_t late_count;

static void complain(const char *what)
{
	fprintf(stderr, "fake-cupti: %s\n", what);
}

static int env_number(const char *name)
{
	const char *text = getenv(name);

	return text ? atoi(text) : 0;
}

/* What every call checks. */
static void enter(const char *what)
{
	char line[100];

	if (is_gone) {
		snprintf(line, sizeof(line), "%s after the driver's end", what);
		complain(line);
	}
}

/* ---- Buffers ---- */

static void check_new(const uint8_t *buffer, size_t bytes)
{
	if (!buffer || ((uintptr_t) buffer & 7) != 0) {
		complain("a buffer that is NULL or not aligned");
		abort();
	}
	for (size_t i = 0; zeroed_out && i < bytes; i++) {
		if (buffer[i] != 0) {
			complain("a buffer that is not zero");
			return;
		}
	}
}

/* Gives a buffer back. The texts in it are worth nothing from then on. */
static void complete(struct done *done)
{
	in_callback = true;
	completed(NULL, 0, done->buffer, done->bytes, done->valid);
	in_callback = false;
	for (size_t i = 0; i < done->text_count; i++) {
		memset(done->texts[i], 0xEE, strlen(done->texts[i]));
		free(done->texts[i]);
	}
	free(done);
}

static struct done *take_buffer(struct lane *lane)
{
	struct done *done;

	if (!lane->buffer) {
		return NULL;
	}
	done = malloc(sizeof(*done));
	done->buffer = lane->buffer;
	done->bytes = lane->bytes;
	done->valid = lane->valid;
	done->text_count = lane->text_count;
	memcpy(done->texts, lane->texts, lane->text_count * sizeof(lane->texts[0]));
	lane->buffer = NULL;
	lane->text_count = 0;
	return done;
}

/* Gives those back that wait, the last one first. */
static void complete_late(void)
{
	struct done *mine[MAX_LATE];
	size_t count;

	pthread_mutex_lock(&late_lock);
	count = late_count;
	memcpy(mine, late, count * sizeof(mine[0]));
	late_count = 0;
	pthread_mutex_unlock(&late_lock);
	while (count > 0) {
		complete(mine[--count]);
	}
}

static void hand_back(struct done *done)
{
	bool is_full;

	if (env_number("FAKE_CUPTI_LATE") == 0) {
		complete(done);
		return;
	}
	for (;;) {
		pthread_mutex_lock(&late_lock);
		is_full = late_count == MAX_LATE;
		if (!is_full) {
			late[late_count++] = done;
		}
		pthread_mutex_unlock(&late_lock);
		if (!is_full) {
			return;
		}
		complete_late();
	}
}

static struct lane *find_lane(void)
{
	if (FAKE_VERSION < 130000) {
		return &lanes[0];
	}
	if (my_lane == 0) {
		my_lane = 1 + atomic_fetch_add(&next_lane, 1);
	}
	return &lanes[my_lane % LANES];
}

static void emit(const void *record, size_t bytes, size_t name_at)
{
	struct lane *lane = find_lane();
	uint32_t kind;
	size_t stride;
	struct done *done = NULL;
	bool is_full;

	memcpy(&kind, record, sizeof(kind));
	stride = fake_strides_of(kind);
	if (kind == RCAP_CUPTI_RUNTIME && chatty_off) {
		uint32_t cbid;

		memcpy(&cbid, (const char *) record + 4, sizeof(cbid));
		if (cbid == 3) {
			return;
		}
	}
	pthread_mutex_lock(&lane->lock);
	is_full = lane->buffer && (lane->valid + stride > lane->bytes || lane->text_count == 4096);
	if (is_full) {
		done = take_buffer(lane);
	}
	if (!lane->buffer) {
		size_t max_records = 1;

		in_callback = true;
		requested(&lane->buffer, &lane->bytes, &max_records);
		in_callback = false;
		check_new(lane->buffer, lane->bytes);
		lane->valid = 0;
	}
	memcpy(lane->buffer + lane->valid, record, bytes < stride ? bytes : stride);
	if (name_at != 0) {
		char *text;

		memcpy(&text, (const char *) record + name_at, sizeof(text));
		text = strdup(text);
		lane->texts[lane->text_count++] = text;
		memcpy(lane->buffer + lane->valid + name_at, &text, sizeof(text));
	}
	lane->valid += stride;
	pthread_mutex_unlock(&lane->lock);
	if (done) {
		hand_back(done);
	}
}

static uint64_t now(void)
{
	struct timespec t;

	if (time_fn) {
		return time_fn();
	}
	clock_gettime(CLOCK_REALTIME, &t);
	return (uint64_t) t.tv_sec * 1000000000u + (uint64_t) t.tv_nsec;
}

static int is_enabled(uint32_t kind)
{
	return (enabled >> kind & 1) != 0;
}

static void init_finished(void)
{
	if (wants_init) {
		callback(NULL, RCAP_CUPTI_DOMAIN_RESOURCE, RCAP_CUPTI_RESOURCE_INIT_FINISHED, NULL);
	}
}

static void gone(void)
{
	for (size_t i = 0; i < LANES; i++) {
		if (lanes[i].buffer && lanes[i].valid > 0 && enabled != 0 && pid == getpid()) {
			complain("records are left at the driver's end");
		}
	}
	is_gone = true;
}

static void drop(size_t records)
{
	dropped += records;
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

static const struct fake_tracer tracer = { now, emit, is_enabled, init_finished, gone, drop };

__attribute__((constructor)) static void load(void)
{
	for (size_t i = 0; i < LANES; i++) {
		pthread_mutex_init(&lanes[i].lock, NULL);
	}
}

/* ---- CUPTI's functions ---- */

int cuptiGetVersion(uint32_t *version)
{
	*version = FAKE_VERSION;
	return 0;
}

int cuptiGetResultString(int result, const char **text)
{
	*text = result == 39    ? "FAKE_MULTIPLE_SUBSCRIBERS"
	        : result == 35  ? "FAKE_INSUFFICIENT_PRIVILEGES"
	        : result == 999 ? "FAKE_UNKNOWN"
	                        : "FAKE_ERROR";
	return 0;
}

int cuptiSubscribe(void **subscriber, rcap_cupti_callback_fn *fn, void *user)
{
	void *driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
	void (*set_tracer)(const struct fake_tracer *) = NULL;
	void *function = driver ? dlsym(driver, "fake_set_tracer") : NULL;

	(void) user;
	enter("cuptiSubscribe");
	if (env_number("FAKE_CUPTI_SUBSCRIBE_ERROR") != 0) {
		return env_number("FAKE_CUPTI_SUBSCRIBE_ERROR");
	}
	if (!function) {
		return 999;
	}
	if (atomic_exchange(&is_subscribed, true)) {
		return 39;
	}
	memcpy(&set_tracer, &function, sizeof(function));
	set_tracer(&tracer);
	callback = fn;
	pid = getpid();
	*subscriber = &callback;
	return 0;
}

int cuptiUnsubscribe(void *subscriber)
{
	enter("cuptiUnsubscribe");
	is_subscribed = false;
	return subscriber == &callback ? 0 : 1;
}

int cuptiEnableCallback(uint32_t on, void *subscriber, uint32_t domain, uint32_t cbid)
{
	enter("cuptiEnableCallback");
	if (subscriber != &callback) {
		return 1;
	}
	if (domain == RCAP_CUPTI_DOMAIN_RESOURCE && cbid == RCAP_CUPTI_RESOURCE_INIT_FINISHED) {
		wants_init = on != 0;
	}
	return 0;
}

int cuptiGetCallbackName(uint32_t domain, uint32_t cbid, const char **name)
{
	static const struct {
		uint32_t domain;
		uint32_t cbid;
		const char *name;
	} names[] = { { 2, 211, "cudaLaunchKernel_v7000" }, { 2, 3, "cudaGetDevice_v3020" },
		      { 2, 31, "cudaMemcpy_v3020" },        { 2, 48, "cudaMemset_ptsz_v3020" },
		      { 2, 131, "cudaStreamSynchronize" },  { 2, 20, "cudaMalloc_v3020" },
		      { 2, 135, "cudaEventRecord_v3020" },  { 2, 350, "__cudaGraphLaunch_v10000" },
		      { 1, 307, "cuLaunchKernel" } };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (names[i].domain == domain && names[i].cbid == cbid) {
			*name = names[i].name;
			return 0;
		}
	}
	/* As if the rest of the numbers were taken. */
	*name = domain == 2 ? "cudaNothing" : "cuNothing";
	return cbid < 512 ? 0 : 1;
}

int cuptiActivityRegisterCallbacks(rcap_cupti_requested_fn *new_requested,
                                   rcap_cupti_completed_fn *new_completed)
{
	enter("cuptiActivityRegisterCallbacks");
	if (!is_subscribed) {
		complain("callbacks for buffers without a subscriber");
	}
	requested = new_requested;
	completed = new_completed;
	return 0;
}

int cuptiActivityEnable(uint32_t kind)
{
	const char *error = getenv("FAKE_CUPTI_ENABLE_ERROR");
	unsigned bad_kind;
	int rc;

	enter("cuptiActivityEnable");
	if (!requested || !is_subscribed) {
		complain("cuptiActivityEnable before what it needs");
		return 7;
	}
	if (error && sscanf(error, "%u:%d", &bad_kind, &rc) == 2 && bad_kind == kind) {
		return rc;
	}
	if (fake_strides_of(kind) == 0) {
		return 21;
	}
	was_enabled = true;
	enabled |= UINT64_C(1) << kind;
	return 0;
}

int cuptiActivityDisable(uint32_t kind)
{
	enter("cuptiActivityDisable");
	enabled &= ~(UINT64_C(1) << kind);
	return 0;
}

int cuptiActivityFlushAll(uint32_t flag)
{
	(void) flag;
	enter("cuptiActivityFlushAll");
	if (in_callback) {
		complain("cuptiActivityFlushAll in a callback");
	}
	for (size_t i = 0; i < LANES; i++) {
		struct done *done;

		pthread_mutex_lock(&lanes[i].lock);
		done = take_buffer(&lanes[i]);
		pthread_mutex_unlock(&lanes[i].lock);
		if (done) {
			complete(done);
		}
	}
	complete_late();
	return 0;
}

int cuptiActivityGetNextRecord(uint8_t *buffer, size_t valid, void **record)
{
	uint8_t *at = buffer;
	uint32_t kind;

	if (*record) {
		memcpy(&kind, *record, sizeof(kind));
		at = (uint8_t *) *record + fake_strides_of(kind);
	}
	if (at + sizeof(kind) > buffer + valid) {
		return 12;
	}
	memcpy(&kind, at, sizeof(kind));
	if (fake_strides_of(kind) == 0) {
		return 21;
	}
	if (at + fake_strides_of(kind) > buffer + valid) {
		return 12;
	}
	*record = at;
	return 0;
}

int cuptiActivityGetNumDroppedRecords(void *context, uint32_t stream, size_t *count)
{
	(void) context;
	(void) stream;
	*count = atomic_exchange(&dropped, 0);
	return 0;
}

int cuptiActivitySetAttribute(uint32_t attribute, size_t *bytes, void *value)
{
	enter("cuptiActivitySetAttribute");
	if (attribute == RCAP_CUPTI_ATTR_ZEROED_OUT && *bytes == 1) {
		zeroed_out = *(uint8_t *) value != 0;
		return 0;
	}
	return 1;
}

/* Counters 1 and 2 are known by all, 8 by newer ones; the driver must be ready. */
int cuptiActivityConfigureUnifiedMemoryCounter(const struct rcap_cupti_unified_config *configs,
                                               uint32_t count)
{
	const char *error = getenv("FAKE_CUPTI_UNIFIED_ERROR");

	enter("cuptiActivityConfigureUnifiedMemoryCounter");
	if (!tracer_ready()) {
		complain("counters of unified memory before the driver is ready");
		return 15;
	}
	if (is_enabled(RCAP_CUPTI_UNIFIED_MEMORY)) {
		complain("counters of unified memory after their records");
	}
	for (uint32_t i = 0; i < count; i++) {
		if (error) {
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
	complain("cuptiFinalize");
	abort();
}

#if FAKE_VERSION >= 17
int cuptiActivityEnableAndDump(uint32_t kind)
{
	return cuptiActivityEnable(kind);
}

int cuptiActivityRegisterTimestampCallback(rcap_cupti_time_fn *fn)
{
	enter("cuptiActivityRegisterTimestampCallback");
	if (env_number("FAKE_CUPTI_TIME_ERROR") != 0) {
		return env_number("FAKE_CUPTI_TIME_ERROR");
	}
	if (time_fn || was_enabled) {
		complain("the timestamp callback twice, or too late");
	}
	time_fn = fn;
	return 0;
}
#endif

int cuptiSetThreadIdType(uint32_t type)
{
	enter("cuptiSetThreadIdType");
	return type == 1 ? 0 : 1;
}

#if FAKE_VERSION >= 23
int cuptiActivityEnableRuntimeApi(uint32_t cbid, uint8_t on)
{
	enter("cuptiActivityEnableRuntimeApi");
	if (cbid == 3) {
		chatty_off = on == 0;
	}
	return 0;
}

int cuptiActivityEnableDriverApi(uint32_t cbid, uint8_t on)
{
	(void) cbid;
	(void) on;
	return 0;
}
#endif

int cuptiActivityEnableLatencyTimestamps(uint8_t on)
{
	(void) on;
	return 0;
}

int cuptiGetContextId(const void *context, uint32_t *id)
{
	*id = (uint32_t) ((uintptr_t) context - FAKE_CONTEXT);
	return 0;
}

int cuptiGetStreamIdEx(void *context, const void *stream, uint8_t per_thread, uint32_t *id)
{
	(void) context;
	(void) per_thread;
	*id = (uint32_t) (uintptr_t) stream & 0xFF;
	return 0;
}
