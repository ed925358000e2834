/* SPDX-License-Identifier: MIT */
/*
 * A libcupti.so that passes every call on to the real one, and records the results. The stand-ins
 * can replay a GPU's answers at any time (tests/cupti/recording.py; tests/data/gpu/README.md
 * describes the file).
 *
 *   RANGES_CUPTI_PATH=…/libcupti-forward.so FORWARD_CUPTI=/real/libcupti.so FORWARD_OUT=FILE
 *
 * RANGES_CLOCK=monotonic belongs with it. Functions that the real one lacks say "not supported".
 */
/* CUPTI's names; types are arguments of macros.
 * NOLINTBEGIN(readability-identifier-naming,bugprone-macro-parentheses) */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "libranges/abi/cupti-abi.h"

#define NOT_SUPPORTED 27
#define MAX_BYTES     4096u

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static FILE *out;
static void *real;
static rcap_cupti_callback_fn *callback;
static rcap_cupti_requested_fn *requested;
static rcap_cupti_completed_fn *completed;
static uint32_t strides[RCAP_CUPTI_KINDS];

static void *find(const char *name)
{
	return real ? dlsym(real, name) : NULL;
}

static void put_hex(const void *bytes, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		fprintf(out, "%02x", ((const uint8_t *) bytes)[i]);
	}
}

/* A call and what it returned. */
static void note(const char *name, int result, unsigned count, const uint64_t *arguments)
{
	pthread_mutex_lock(&lock);
	if (out) {
		fprintf(out, "call %ld %s %d", syscall(SYS_gettid), name, result);
		for (unsigned i = 0; i < count; i++) {
			fprintf(out, " %" PRIu64, arguments[i]);
		}
		fputc('\n', out);
		fflush(out);
	}
	pthread_mutex_unlock(&lock);
}

#define NUMBER(value) ((uint64_t) (uintptr_t) (value))

#define FORWARD_1(name, A)                                               \
	int name(A a);                                                   \
	int name(A a)                                                    \
	{                                                                \
		int (*function)(A) = NULL;                               \
		void *symbol = find(#name);                              \
		int result;                                              \
                                                                         \
		memcpy(&function, &symbol, sizeof(symbol));              \
		result = function ? function(a) : NOT_SUPPORTED;         \
		note(#name, result, 1, (const uint64_t[]){ NUMBER(a) }); \
		return result;                                           \
	}

#define FORWARD_2(name, A, B)                                                       \
	int name(A a, B b);                                                         \
	int name(A a, B b)                                                          \
	{                                                                           \
		int (*function)(A, B) = NULL;                                       \
		void *symbol = find(#name);                                         \
		int result;                                                         \
                                                                                    \
		memcpy(&function, &symbol, sizeof(symbol));                         \
		result = function ? function(a, b) : NOT_SUPPORTED;                 \
		note(#name, result, 2, (const uint64_t[]){ NUMBER(a), NUMBER(b) }); \
		return result;                                                      \
	}

#define FORWARD_4(name, A, B, C, D)                                                     \
	int name(A a, B b, C c, D d);                                                   \
	int name(A a, B b, C c, D d)                                                    \
	{                                                                               \
		int (*function)(A, B, C, D) = NULL;                                     \
		void *symbol = find(#name);                                             \
		int result;                                                             \
                                                                                        \
		memcpy(&function, &symbol, sizeof(symbol));                             \
		result = function ? function(a, b, c, d) : NOT_SUPPORTED;               \
		note(#name, result, 4,                                                  \
		     (const uint64_t[]){ NUMBER(a), NUMBER(b), NUMBER(c), NUMBER(d) }); \
		return result;                                                          \
	}

FORWARD_1(cuptiUnsubscribe, void *)
FORWARD_1(cuptiActivityEnable, uint32_t)
FORWARD_1(cuptiActivityDisable, uint32_t)
FORWARD_1(cuptiActivityFlushAll, uint32_t)
FORWARD_1(cuptiActivityEnableAndDump, uint32_t)
FORWARD_1(cuptiSetThreadIdType, uint32_t)
FORWARD_1(cuptiActivityRegisterTimestampCallback, rcap_cupti_time_fn *)
FORWARD_1(cuptiActivityEnableLatencyTimestamps, uint8_t)
FORWARD_1(cuptiActivityEnableAllocationSource, uint8_t)
FORWARD_1(cuptiActivityEnableCudaEventDeviceTimestamps, uint8_t)
FORWARD_2(cuptiActivityEnableRuntimeApi, uint32_t, uint8_t)
FORWARD_2(cuptiActivityEnableDriverApi, uint32_t, uint8_t)
FORWARD_2(cuptiActivityConfigureUnifiedMemoryCounter, const struct rcap_cupti_unified_config *,
          uint32_t)
FORWARD_2(cuptiGetContextId, const void *, uint32_t *)
FORWARD_4(cuptiEnableCallback, uint32_t, void *, uint32_t, uint32_t)
FORWARD_4(cuptiGetStreamIdEx, void *, const void *, uint8_t, uint32_t *)

/* ---- Those of which more is to be known ---- */

#define REAL(name, arguments)            \
	int(*function) arguments = NULL; \
	void *symbol = find(#name);      \
	memcpy(&function, &symbol, sizeof(symbol))

int cuptiGetVersion(uint32_t *version);
int cuptiGetVersion(uint32_t *version)
{
	REAL(cuptiGetVersion, (uint32_t *) );

	return function ? function(version) : NOT_SUPPORTED;
}

int cuptiGetResultString(int result, const char **text);
int cuptiGetResultString(int result, const char **text)
{
	REAL(cuptiGetResultString, (int, const char **) );

	return function ? function(result, text) : NOT_SUPPORTED;
}

int cuptiActivityGetNextRecord(uint8_t *buffer, size_t valid, void **record);
int cuptiActivityGetNextRecord(uint8_t *buffer, size_t valid, void **record)
{
	REAL(cuptiActivityGetNextRecord, (uint8_t *, size_t, void **) );

	return function ? function(buffer, valid, record) : NOT_SUPPORTED;
}

int cuptiGetCallbackName(uint32_t domain, uint32_t cbid, const char **name);
int cuptiGetCallbackName(uint32_t domain, uint32_t cbid, const char **name)
{
	REAL(cuptiGetCallbackName, (uint32_t, uint32_t, const char **) );
	const int result = function ? function(domain, cbid, name) : NOT_SUPPORTED;

	pthread_mutex_lock(&lock);
	if (out && result == 0 && *name) {
		fprintf(out, "name %" PRIu32 " %" PRIu32 " %s\n", domain, cbid, *name);
	}
	pthread_mutex_unlock(&lock);
	return result;
}

int cuptiGetGraphNodeId(const void *node, uint64_t *id);
int cuptiGetGraphNodeId(const void *node, uint64_t *id)
{
	REAL(cuptiGetGraphNodeId, (const void *, uint64_t *) );

	return function ? function(node, id) : NOT_SUPPORTED;
}

int cuptiGetGraphId(const void *graph, uint32_t *id);
int cuptiGetGraphId(const void *graph, uint32_t *id)
{
	REAL(cuptiGetGraphId, (const void *, uint32_t *) );

	return function ? function(graph, id) : NOT_SUPPORTED;
}

int cuptiActivityGetNumDroppedRecords(void *context, uint32_t stream, size_t *count);
int cuptiActivityGetNumDroppedRecords(void *context, uint32_t stream, size_t *count)
{
	REAL(cuptiActivityGetNumDroppedRecords, (void *, uint32_t, size_t *) );
	const int result = function ? function(context, stream, count) : NOT_SUPPORTED;

	if (result == 0 && *count > 0) {
		note("cuptiActivityGetNumDroppedRecords", result, 1, (const uint64_t[]){ *count });
	}
	return result;
}

int cuptiActivitySetAttribute(uint32_t attribute, size_t *bytes, void *value);
int cuptiActivitySetAttribute(uint32_t attribute, size_t *bytes, void *value)
{
	REAL(cuptiActivitySetAttribute, (uint32_t, size_t *, void *) );
	const int result = function ? function(attribute, bytes, value) : NOT_SUPPORTED;
	uint64_t number = 0;

	memcpy(&number, value, *bytes < sizeof(number) ? *bytes : sizeof(number));
	note("cuptiActivitySetAttribute", result, 3,
	     (const uint64_t[]){ attribute, *bytes, number });
	return result;
}

static void call_back(void *user, uint32_t domain, uint32_t cbid, const void *data)
{
	uint32_t site = 0;

	if (data && domain <= RCAP_CUPTI_DOMAIN_RUNTIME) {
		memcpy(&site, data, sizeof(site));
	}
	note("callback", 0, 3, (const uint64_t[]){ domain, cbid, site });
	callback(user, domain, cbid, data);
}

int cuptiSubscribe(void **subscriber, rcap_cupti_callback_fn *fn, void *user);
int cuptiSubscribe(void **subscriber, rcap_cupti_callback_fn *fn, void *user)
{
	REAL(cuptiSubscribe, (void **, rcap_cupti_callback_fn *, void *) );
	int result;

	callback = fn;
	result = function ? function(subscriber, call_back, user) : NOT_SUPPORTED;
	note("cuptiSubscribe", result, 0, NULL);
	return result;
}

/* The offset of a text's address in a record; 0: there is none. */
static size_t find_text(uint32_t kind)
{
	switch (kind) {
	case RCAP_CUPTI_KERNEL:
	case RCAP_CUPTI_CONCURRENT_KERNEL:
		return offsetof(struct rcap_cupti_kernel, name);
	case RCAP_CUPTI_DEVICE:
		return offsetof(struct rcap_cupti_device, name);
	default:
		return 0;
	}
}

/* "record KIND HEX", and the text at its end, if it has one: "TEXT-OFFSET HEX". */
static void put_record(const uint8_t *record)
{
	uint8_t bytes[MAX_BYTES] = { 0 };
	const char *text = NULL;
	uint32_t kind;
	size_t text_at;

	memcpy(&kind, record, sizeof(kind));
	if (kind >= RCAP_CUPTI_KINDS || strides[kind] == 0 || strides[kind] > MAX_BYTES) {
		fprintf(out, "unknown %" PRIu32 "\n", kind);
		return;
	}
	text_at = find_text(kind);
	memcpy(bytes, record, strides[kind]);
	if (text_at != 0) {
		memcpy(&text, bytes + text_at, sizeof(text));
		memset(bytes + text_at, 0, sizeof(text));
	}
	fprintf(out, "record %" PRIu32 " ", kind);
	put_hex(bytes, strides[kind]);
	if (text) {
		fprintf(out, " %zu ", text_at);
		put_hex(text, strlen(text));
	}
	fputc('\n', out);
}

static void request(uint8_t **buffer, size_t *bytes, size_t *max_records)
{
	requested(buffer, bytes, max_records);
}

static void complete(void *context, uint32_t stream, uint8_t *buffer, size_t bytes, size_t valid)
{
	void *record = NULL;

	pthread_mutex_lock(&lock);
	if (out) {
		fprintf(out, "buffer %ld %zu %zu\n", syscall(SYS_gettid), bytes, valid);
		while (cuptiActivityGetNextRecord(buffer, valid, &record) == 0) {
			put_record(record);
		}
		fflush(out);
	}
	pthread_mutex_unlock(&lock);
	completed(context, stream, buffer, bytes, valid);
}

int cuptiActivityRegisterCallbacks(rcap_cupti_requested_fn *new_requested,
                                   rcap_cupti_completed_fn *new_completed);
int cuptiActivityRegisterCallbacks(rcap_cupti_requested_fn *new_requested,
                                   rcap_cupti_completed_fn *new_completed)
{
	REAL(cuptiActivityRegisterCallbacks,
	     (rcap_cupti_requested_fn *, rcap_cupti_completed_fn *) );
	int result;

	requested = new_requested;
	completed = new_completed;
	result = function ? function(request, complete) : NOT_SUPPORTED;
	note("cuptiActivityRegisterCallbacks", result, 0, NULL);
	return result;
}

/* The real one's step over a record of a kind, which is the only way to learn its size. */
static uint32_t probe(uint32_t kind)
{
	uint64_t buffer[MAX_BYTES / 8];
	void *record = NULL;
	const uint8_t *first;

	for (size_t i = 0; i < sizeof(buffer) / sizeof(buffer[0]); i++) {
		buffer[i] = RCAP_CUPTI_RUNTIME;
	}
	buffer[0] = kind;
	if (cuptiActivityGetNextRecord((uint8_t *) buffer, sizeof(buffer), &record) != 0) {
		return 0;
	}
	first = record;
	if (cuptiActivityGetNextRecord((uint8_t *) buffer, sizeof(buffer), &record) != 0) {
		return 0;
	}
	return (uint32_t) ((const uint8_t *) record - first);
}

__attribute__((constructor)) static void start(void)
{
	const char *path = getenv("FORWARD_CUPTI");
	const char *to = getenv("FORWARD_OUT");
	uint32_t version = 0;

	real = path ? dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE) : NULL;
	if (!real) {
		fprintf(stderr, "libcupti-forward: FORWARD_CUPTI: %s\n",
		        path ? dlerror() : "it is not set");
		return;
	}
	out = to ? fopen(to, "we") : NULL;
	if (!out) {
		return;
	}
	(void) cuptiGetVersion(&version);
	fprintf(out, "recording of CUPTI 1\nversion %" PRIu32 "\nprocess %ld\n", version,
	        (long) getpid());
	for (uint32_t kind = 1; kind < RCAP_CUPTI_KINDS; kind++) {
		strides[kind] = probe(kind);
		if (strides[kind] != 0) {
			fprintf(out, "stride %" PRIu32 " %" PRIu32 "\n", kind, strides[kind]);
		}
	}
	fflush(out);
}
/* NOLINTEND(readability-identifier-naming,bugprone-macro-parentheses) */
