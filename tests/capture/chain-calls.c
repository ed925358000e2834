/* SPDX-License-Identifier: MIT */
/*
 * A program for tests of chaining: makes the calls of the sets named on its command line. What a
 * tool sees of a set is the same in each run.
 */
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <ranges/nvtx-cuda.h>
#include <ranges/nvtx-cudart.h>
#include <ranges/nvtx-opencl.h>
#include <ranges/nvtx-payload.h>
#include <ranges/nvtx-sync.h>
#include <ranges/nvtx.h>

/* NOLINTBEGIN(concurrency-mt-unsafe,performance-no-int-to-ptr) */

static nvtxEventAttributes_t attributes_of(const char *text)
{
	nvtxEventAttributes_t attributes = { 0 };

	attributes.version = NVTX_VERSION;
	attributes.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
	attributes.messageType = NVTX_MESSAGE_TYPE_ASCII;
	attributes.message.ascii = text;
	return attributes;
}

static nvtxEventAttributes_t registered(nvtxStringHandle_t string)
{
	nvtxEventAttributes_t attributes = attributes_of(NULL);

	attributes.messageType = NVTX_MESSAGE_TYPE_REGISTERED;
	attributes.message.registered = string;
	return attributes;
}

/* ---- Every function ---- */

static void call_core(void)
{
	nvtxEventAttributes_t attributes = attributes_of("ex");

	attributes.category = 7;
	attributes.colorType = NVTX_COLOR_ARGB;
	attributes.color = 0xFF112233;
	attributes.payloadType = NVTX_PAYLOAD_TYPE_UNSIGNED_INT64;
	attributes.payload.ullValue = 42;
	nvtxInitialize(NULL);
	nvtxNameCategoryA(7, "seven");
	nvtxNameCategoryW(8, L"eight");
	nvtxNameOsThreadA(11, "thread a");
	nvtxNameOsThreadW(12, L"thread w");
	nvtxMarkA("mark a");
	nvtxMarkW(L"mark w");
	nvtxMarkEx(&attributes);
	nvtxMarkEx(NULL);
	nvtxRangePushA("push a");
	nvtxRangePushW(L"push w");
	nvtxRangePushEx(&attributes);
	nvtxRangePop();
	nvtxRangePop();
	nvtxRangePop();
	nvtxRangeEnd(nvtxRangeStartA("start a"));
	nvtxRangeEnd(nvtxRangeStartW(L"start w"));
	nvtxRangeEnd(nvtxRangeStartEx(&attributes));
	attributes.size = 8; /* the struct ends after the category */
	nvtxMarkEx(&attributes);
}

static void call_domains(void)
{
	const nvtxDomainHandle_t a = nvtxDomainCreateA("domain a");
	const nvtxDomainHandle_t w = nvtxDomainCreateW(L"domain w");
	const nvtxStringHandle_t string = nvtxDomainRegisterStringA(a, "registered a");
	nvtxEventAttributes_t attributes = registered(string);
	nvtxRangeId_t id;

	nvtxDomainNameCategoryA(a, 1, "one");
	nvtxDomainNameCategoryW(w, 2, L"two");
	nvtxDomainMarkEx(a, &attributes);
	nvtxMarkEx(&attributes);
	nvtxDomainRangePushEx(a, &attributes);
	attributes = registered(nvtxDomainRegisterStringW(w, L"registered w"));
	nvtxDomainRangePushEx(w, &attributes);
	nvtxDomainRangePushEx(NULL, &attributes);
	nvtxDomainRangePop(NULL);
	nvtxDomainRangePop(w);
	nvtxDomainRangePop(a);
	id = nvtxDomainRangeStartEx(a, &attributes);
	nvtxDomainRangeEnd(a, id);
	/* The same name again: a tool may give another handle, we do not. */
	attributes = registered(nvtxDomainRegisterStringA(a, "registered a"));
	nvtxDomainMarkEx(nvtxDomainCreateA("domain a"), &attributes);
	nvtxDomainDestroy(w);
	nvtxDomainDestroy(NULL);
}

static void call_handles(void)
{
	const nvtxDomainHandle_t domain = nvtxDomainCreateA("locks");
	nvtxSyncUserAttributes_t sync = { NVTX_VERSION,
		                          NVTX_SYNCUSER_ATTRIB_STRUCT_SIZE,
		                          NVTX_MESSAGE_TYPE_REGISTERED,
		                          { NULL } };
	nvtxResourceAttributes_t resource = { 0 };
	nvtxResourceHandle_t handles[2];
	nvtxSyncUser_t lock;

	sync.message.registered = nvtxDomainRegisterStringA(domain, "lock");
	resource.version = NVTX_VERSION;
	resource.size = NVTX_RESOURCE_ATTRIB_STRUCT_SIZE;
	resource.identifierType = NVTX_RESOURCE_TYPE_GENERIC_HANDLE;
	resource.identifier.ullValue = 99;
	resource.messageType = NVTX_MESSAGE_TYPE_REGISTERED;
	resource.message.registered = nvtxDomainRegisterStringA(domain, "resource");
	for (int i = 0; i < 2; i++) {
		handles[0] = nvtxDomainResourceCreate(domain, &resource);
		resource.messageType = NVTX_MESSAGE_TYPE_ASCII;
		resource.message.ascii = "plain";
		handles[1] = nvtxDomainResourceCreate(NULL, &resource);
		nvtxDomainResourceDestroy(handles[0]);
		nvtxDomainResourceDestroy(handles[1]);
	}
	lock = nvtxDomainSyncUserCreate(domain, &sync);
	nvtxDomainSyncUserAcquireStart(lock);
	nvtxDomainSyncUserAcquireFailed(lock);
	nvtxDomainSyncUserAcquireStart(lock);
	nvtxDomainSyncUserAcquireSuccess(lock);
	nvtxDomainSyncUserReleasing(lock);
	nvtxDomainSyncUserDestroy(lock);
}

#define BOTH(name, object) (name##A((object), "narrow"), name##W((object), L"wide"))
#define POINTER            ((void *) 0x1234)

static void call_objects(void)
{
	BOTH(nvtxNameCuDevice, 1);
	BOTH(nvtxNameCuContext, POINTER);
	BOTH(nvtxNameCuStream, POINTER);
	BOTH(nvtxNameCuEvent, POINTER);
	BOTH(nvtxNameCudaDevice, -2);
	BOTH(nvtxNameCudaStream, POINTER);
	BOTH(nvtxNameCudaEvent, POINTER);
	BOTH(nvtxNameClDevice, POINTER);
	BOTH(nvtxNameClContext, POINTER);
	BOTH(nvtxNameClCommandQueue, POINTER);
	BOTH(nvtxNameClMemObject, POINTER);
	BOTH(nvtxNameClSampler, POINTER);
	BOTH(nvtxNameClProgram, POINTER);
	BOTH(nvtxNameClEvent, POINTER);
}

static void call_all(void)
{
	call_core();
	call_domains();
	call_handles();
	call_objects();
}

/* ---- Ranges that end on other threads ---- */

#define THREADS 4
#define ROUNDS  200

static nvtxDomainHandle_t shared_domain;
static nvtxStringHandle_t shared_string;
static nvtxRangeId_t ids[THREADS][ROUNDS];
static pthread_barrier_t barrier;

static void *start_and_end(void *argument)
{
	const size_t self = (size_t) (uintptr_t) argument;
	const size_t other = (self + 1) % THREADS;
	const nvtxEventAttributes_t attributes = registered(shared_string);

	for (int i = 0; i < ROUNDS; i++) {
		nvtxDomainRangePushEx(shared_domain, &attributes);
		nvtxDomainRangePop(shared_domain);
		ids[self][i] = nvtxDomainRangeStartEx(shared_domain, &attributes);
	}
	pthread_barrier_wait(&barrier);
	for (int i = 0; i < ROUNDS; i++) {
		nvtxDomainRangeEnd(shared_domain, ids[other][i]);
	}
	return NULL;
}

static void call_from_threads(void)
{
	pthread_t threads[THREADS];

	shared_domain = nvtxDomainCreateA("shared");
	shared_string = nvtxDomainRegisterStringA(shared_domain, "by all threads");
	pthread_barrier_init(&barrier, NULL, THREADS);
	for (size_t i = 0; i < THREADS; i++) {
		pthread_create(&threads[i], NULL, start_and_end, (void *) (uintptr_t) i);
	}
	for (size_t i = 0; i < THREADS; i++) {
		pthread_join(threads[i], NULL);
	}
}

/* ---- Handlers of signals in the middle of calls ---- */

#define SIGNALS 300

static _Atomic int handled;

static void handle(int number)
{
	const int saved = errno;
	nvtxRangeId_t id;

	(void) number;
	nvtxRangePushA("in a handler");
	nvtxRangePop();
	id = nvtxRangeStartA("started in a handler");
	nvtxRangeEnd(id);
	errno = saved;
	handled++;
}

static void *send_signals(void *argument)
{
	const pthread_t target = *(const pthread_t *) argument;

	for (int i = 0; i < SIGNALS; i++) {
		pthread_kill(target, SIGUSR1);
		while (handled <= i) {
			usleep(20);
		}
	}
	return NULL;
}

static void call_from_handlers(void)
{
	struct sigaction action = { .sa_handler = handle };
	pthread_t self = pthread_self();
	pthread_t sender;

	nvtxRangePushA("loads the tool");
	nvtxRangePop();
	sigaction(SIGUSR1, &action, NULL);
	pthread_create(&sender, NULL, send_signals, &self);
	/* Stops after a while, because the tool has room for a limited number of calls. */
	for (int i = 0; handled < SIGNALS; i++) {
		if (i < 10000) {
			nvtxRangeEnd(nvtxRangeStartA("between signals"));
		} else {
			usleep(100);
		}
	}
	pthread_join(sender, NULL);
}

/* ---- Other ---- */

static void call_from_child(void)
{
	const nvtxDomainHandle_t domain = nvtxDomainCreateA("before fork");
	const nvtxEventAttributes_t attributes =
		registered(nvtxDomainRegisterStringA(domain, "of the parent"));
	const nvtxRangeId_t id = nvtxDomainRangeStartEx(domain, &attributes);
	int status;
	const pid_t child = fork();

	if (child == 0) {
		nvtxDomainRangePushEx(domain, &attributes);
		nvtxDomainRangePop(domain);
		nvtxDomainRangeEnd(domain, id);
		nvtxMarkA("child");
		exit(0);
	}
	waitpid(child, &status, 0);
	nvtxDomainRangeEnd(domain, id);
	nvtxMarkA("parent");
}

/* The same calls again through another linkage unit's table. */
static void call_from_unit(void)
{
	void *const unit = dlopen("./chain-unit.so", RTLD_NOW);
	void (*call)(void);

	*(void **) &call = unit != NULL ? dlsym(unit, "call_from_unit") : NULL;
	if (call == NULL) {
		fprintf(stderr, "%s\n", dlerror());
		exit(1);
	}
	call();
	nvtxRangePushA("of the program");
	nvtxRangePop();
}

/* Makes wrong calls that must not harm the tool: it gets NULL, or no call. */
static void call_wildly(void)
{
	const nvtxDomainHandle_t wild = (nvtxDomainHandle_t) (uintptr_t) 0xDEAD0;
	nvtxEventAttributes_t attributes = registered((nvtxStringHandle_t) (uintptr_t) 0xBEEF0);
	const nvtxRangeId_t id = nvtxRangeStartA("end me twice");

	nvtxDomainMarkEx(wild, &attributes);
	nvtxDomainDestroy(wild);
	nvtxDomainResourceDestroy((nvtxResourceHandle_t) (uintptr_t) 0xFEED0);
	attributes = registered(nvtxDomainRegisterStringA(NULL, "huge"));
	attributes.size = 60000;
	nvtxMarkEx(&attributes);
	nvtxRangeEnd(id);
	nvtxRangeEnd(id);
	nvtxRangeEnd(12345);
}

/* Strings in payloads: single ones, in arrays, in a schema inside another, and at places that
 * nobody can determine.
 */
#define ENTRY(flags, type, name, detail, offset)                              \
	{                                                                     \
		(flags), (type), (name), NULL, (detail), (offset), NULL, NULL \
	}
#define STRING NVTX_PAYLOAD_ENTRY_TYPE_NVTX_REGISTERED_STRING_HANDLE

static uint64_t register_schema(nvtxDomainHandle_t domain, uint64_t type, size_t size,
                                const nvtxPayloadSchemaEntry_t *entries, size_t count)
{
	nvtxPayloadSchemaAttr_t schema = { 0 };

	schema.fieldMask = NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_TYPE |
	                   NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_ENTRIES |
	                   NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_NUM_ENTRIES |
	                   NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_STATIC_SIZE;
	schema.type = type;
	schema.payloadStaticSize = size;
	schema.entries = entries;
	schema.numEntries = count;
	return nvtxPayloadSchemaRegister(domain, &schema);
}

static void call_with_payloads(void)
{
	const nvtxDomainHandle_t domain = nvtxDomainCreateA("payloads");
	const nvtxStringHandle_t one = nvtxDomainRegisterStringA(domain, "one");
	const nvtxStringHandle_t two = nvtxDomainRegisterStringA(domain, "two");
	const nvtxStringHandle_t strings[3] = { one, two, one };
	const nvtxPayloadSchemaEntry_t inner[] = { ENTRY(0, STRING, "single", 0, 0),
		                                   ENTRY(NVTX_PAYLOAD_ENTRY_FLAG_ARRAY_FIXED_SIZE,
		                                         STRING, "array", 2, 8) };
	const uint64_t first =
		register_schema(domain, NVTX_PAYLOAD_SCHEMA_TYPE_STATIC, 24, inner, 2);
	const nvtxPayloadSchemaEntry_t outer[] = { ENTRY(0, first, "inner", 0, 0) };
	const uint64_t second =
		register_schema(domain, NVTX_PAYLOAD_SCHEMA_TYPE_STATIC, 24, outer, 1);
	const nvtxPayloadSchemaEntry_t dynamic[] = { ENTRY(
		NVTX_PAYLOAD_ENTRY_FLAG_ARRAY_ZERO_TERMINATED, STRING, "many", 0, 0) };
	const uint64_t third =
		register_schema(domain, NVTX_PAYLOAD_SCHEMA_TYPE_DYNAMIC, 0, dynamic, 1);
	const nvtxPayloadData_t data[2] = { { first, 24, strings }, { second, 24, strings } };
	const nvtxPayloadData_t unclear = { third, 24, strings };
	const nvtxPayloadData_t plain = { STRING, 8, &two };

	nvtxMarkPayload(domain, data, 2);
	nvtxMarkPayload(domain, &plain, 1);
	nvtxMarkPayload(domain, &unclear, 1);
}

static void check_errno(void)
{
	const nvtxEventAttributes_t attributes = attributes_of("ex");
	int wrong = 0;

	for (int i = 0; i < 3; i++) {
		errno = 5;
		nvtxRangePushA("errno");
		wrong += errno != 5;
		nvtxRangePop();
		wrong += errno != 5;
		nvtxDomainDestroy(nvtxDomainCreateA("errno"));
		nvtxRangeEnd(nvtxRangeStartEx(&attributes));
		nvtxNameCuDeviceA(1, "errno");
		wrong += errno != 5;
	}
	printf("errno changed %d times\n", wrong);
}

static const struct {
	const char *name;
	void (*call)(void);
} sets[] = {
	{ "all", call_all },
	{ "threads", call_from_threads },
	{ "handlers", call_from_handlers },
	{ "fork", call_from_child },
	{ "unit", call_from_unit },
	{ "payloads", call_with_payloads },
	{ "wild", call_wildly },
	{ "errno", check_errno },
};

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		for (size_t set = 0; set < sizeof(sets) / sizeof(sets[0]); set++) {
			if (strcmp(argv[i], sets[set].name) == 0) {
				sets[set].call();
			}
		}
	}
	printf("push returns %d,", nvtxRangePushA("outer"));
	printf(" then %d\n", nvtxRangePushA("inner"));
	nvtxRangePop();
	nvtxRangePop();
	return 0;
}

/* NOLINTEND(concurrency-mt-unsafe,performance-no-int-to-ptr) */
