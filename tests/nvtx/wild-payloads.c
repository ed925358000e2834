/* SPDX-License-Identifier: MIT */
/*
 * Calls NVTX's extensions with what programs have been seen to pass, and worse: structs that were
 * never set, wild addresses, memory that ends, schemas that lead nowhere. It must not be harmed.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include <ranges/nvtx-counters.h>
#include <ranges/nvtx-cudart.h>
#include <ranges/nvtx-mem.h>
#include <ranges/nvtx-payload.h>

#define PAGE         4096u
#define STATIC_ID    (UINT64_C(1) << 24)
#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static nvtxDomainHandle_t domain;

/* xorshift: the same in each run. */
static uint64_t state = 88172645463325252u;

static uint64_t draw(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state;
}

static void fill(void *bytes, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		((uint8_t *) bytes)[i] = (uint8_t) draw();
	}
}

/* Two pages of which only the first is there; the address where it ends. */
static char *make_edge(void)
{
	char *const pages =
		mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	memset(pages, 'x', PAGE);
	mprotect(pages + PAGE, PAGE, PROT_NONE);
	return pages + PAGE;
}

static uint64_t add_schema(uint64_t type, const nvtxPayloadSchemaEntry_t *entries, size_t count,
                           size_t size, uint64_t id)
{
	nvtxPayloadSchemaAttr_t attributes;

	memset(&attributes, 0, sizeof(attributes));
	attributes.fieldMask = NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_TYPE |
	                       NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_ENTRIES |
	                       NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_NUM_ENTRIES |
	                       NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_STATIC_SIZE |
	                       (id != 0 ? NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_SCHEMA_ID : 0);
	attributes.type = type;
	attributes.entries = entries;
	attributes.numEntries = count;
	attributes.payloadStaticSize = size;
	attributes.schemaId = id;
	return nvtxPayloadSchemaRegister(domain, &attributes);
}

static void mark(uint64_t schema, const void *payload, size_t size)
{
	const nvtxPayloadData_t data = { schema, size, payload };

	nvtxMarkPayload(domain, &data, 1);
}

/* Addresses where nothing is, or not enough. */
static const void *wild(void)
{
	static char *edge;
	static const uintptr_t addresses[] = { 0,
		                               1,
		                               8,
		                               PAGE,
		                               0xDEADBEEF000,
		                               UINTPTR_MAX,
		                               UINTPTR_MAX - 7,
		                               UINTPTR_MAX / 2,
		                               (uintptr_t) 1 << 47,
		                               0xAAAAAAAAAAAAAAAA };

	if (!edge) {
		edge = make_edge();
	}
	if (draw() % 3 == 0) {
		return edge - draw() % 32;
	}
	return (const void *) addresses[draw() % COUNT(addresses)];
}

/* Structs of random bytes, of one byte, and such whose first words make sense. */
static void call_with_structs(void)
{
	_Alignas(8) union {
		nvtxPayloadSchemaAttr_t schema;
		nvtxPayloadEnumAttr_t enumeration;
		nvtxScopeAttr_t scope;
		nvtxTimeDomainAttr_t time;
		nvtxEventBatch_t events;
		nvtxCounterAttr_t counter;
		nvtxCounterBatch_t counters;
		nvtxMemHeapDesc_t heap;
		nvtxMemRegionsRegisterBatch_t regions;
		uint16_t halves[64];
	} any;

	for (int i = 0; i < 300; i++) {
		switch (i % 4) {
		case 0:
			memset(&any, (int) draw(), sizeof(any));
			break;
		default:
			fill(&any, sizeof(any));
			break;
		}
		if (i % 4 == 2) {
			any.schema.fieldMask = 0x3FE & draw();
			any.schema.type = 1 + draw() % 4;
		}
		if (i % 4 == 3) {
			any.halves[0] = 0x102;
			any.halves[1] = 48;
		}
		nvtxPayloadSchemaRegister(domain, &any.schema);
		nvtxPayloadEnumRegister(domain, &any.enumeration);
		nvtxScopeRegister(domain, &any.scope);
		nvtxTimeDomainRegister(domain, &any.time);
		nvtxEventBatchSubmit(domain, &any.events);
		nvtxCounterRegister(domain, &any.counter);
		nvtxCounterBatchSubmit(domain, &any.counters);
		nvtxMemHeapRegister(domain, &any.heap);
		if (any.regions.regionHandleElementsOut != NULL) {
			any.regions.regionHandleElementsOut = (nvtxMemRegionHandle_t *) wild();
		}
		nvtxMemRegionsRegister(domain, &any.regions);
		nvtxMemRegionsResize(domain, (const void *) &any);
		nvtxMemRegionsUnregister(domain, (const void *) &any);
		nvtxMemRegionsName(domain, (const void *) &any);
		nvtxMemPermissionsAssign(domain, (const void *) &any);
	}
	/* Nothing at all, and what is not there. */
	for (int i = 0; i < 30; i++) {
		nvtxPayloadSchemaRegister(domain, wild());
		nvtxPayloadEnumRegister(domain, wild());
		nvtxScopeRegister(domain, wild());
		nvtxTimeDomainRegister(domain, wild());
		nvtxTimeSyncPointTable(domain, draw(), draw(), wild(), draw());
		nvtxEventSubmit(domain, wild(), draw());
		nvtxEventBatchSubmit(domain, wild());
		nvtxCounterRegister(domain, wild());
		nvtxCounterSample(domain, draw(), wild(), draw());
		nvtxCounterBatchSubmit(domain, wild());
		nvtxMemHeapRegister(domain, wild());
		nvtxMemRegionsRegister(domain, wild());
	}
}

/* Payloads of all sizes at all addresses; only one that fits its schema is believed. */
static void call_with_payloads(void)
{
	static const nvtxPayloadSchemaEntry_t entries[] = {
		{ 0, NVTX_PAYLOAD_ENTRY_TYPE_UINT64, "n", NULL, 0, 0, NULL, NULL },
		{ 0, NVTX_PAYLOAD_ENTRY_TYPE_CSTRING, "text", NULL, 0, 0, NULL, NULL },
	};
	static const size_t sizes[] = { 0,    1,          15,           17,          4095,
		                        5000, PAGE * 100, SIZE_MAX - 1, SIZE_MAX / 2 };
	const uint64_t schema = add_schema(NVTX_PAYLOAD_SCHEMA_TYPE_STATIC, entries, 2, 16, 0);
	const uint64_t ids[] = { schema,
		                 schema + 1000,
		                 0,
		                 1,
		                 74,
		                 90,
		                 NVTX_PAYLOAD_ENTRY_TYPE_CSTRING,
		                 NVTX_PAYLOAD_ENTRY_TYPE_CSTRING_UTF32,
		                 1022,
		                 1023,
		                 UINT64_MAX };

	for (int i = 0; i < 2000; i++) {
		const uint64_t id = ids[draw() % COUNT(ids)];
		size_t size = sizes[draw() % COUNT(sizes)];

		if (id >= NVTX_PAYLOAD_ENTRY_TYPE_CSTRING &&
		    id <= NVTX_PAYLOAD_ENTRY_TYPE_CSTRING_UTF32) {
			size = SIZE_MAX;
		}
		mark(id, wild(), size);
	}
	for (int i = 0; i < 200; i++) {
		struct {
			uint64_t n;
			const char *text;
		} payload = { 1, wild() };

		mark(schema, &payload, sizeof(payload));
	}
	for (int i = 0; i < 100; i++) {
		nvtxRangePushPayload(domain, wild(), draw() % 10);
		nvtxRangePopPayload(domain, wild(), draw());
		nvtxRangeEndPayload(domain, nvtxRangeStartPayload(domain, wild(), draw()), wild(),
		                    5);
	}
}

/* Schemas of random entries, and payloads whose words are sizes, offsets and addresses. */
static void call_with_schemas(void)
{
	static const uint64_t numbers[] = {
		0, 1, 2, 3, 7, 64, 4096, UINT64_C(1) << 33, UINT64_MAX
	};
	uint64_t ids[64];
	nvtxPayloadSchemaEntry_t entries[8];
	uint64_t words[64];

	for (size_t i = 0; i < COUNT(ids); i++) {
		ids[i] = STATIC_ID + i;
	}
	for (int round = 0; round < 3000; round++) {
		const size_t count = draw() % (COUNT(entries) + 1);

		memset(entries, 0, sizeof(entries));
		for (size_t i = 0; i < count; i++) {
			nvtxPayloadSchemaEntry_t *const entry = &entries[i];

			entry->flags = draw() & 0x7E & draw();
			entry->type = draw() % 2 ? draw() % 110 : ids[draw() % COUNT(ids)];
			entry->arrayOrUnionDetail = numbers[draw() % COUNT(numbers)];
			entry->offset = draw() % 3 ? 0 : numbers[draw() % COUNT(numbers)];
		}
		add_schema(1 + draw() % 4, entries, count, draw() % 2 ? 0 : draw() % 100,
		           ids[draw() % COUNT(ids)]);
		for (size_t i = 0; i < COUNT(words); i++) {
			switch (draw() % 4) {
			case 0:
				words[i] = (uintptr_t) wild();
				break;
			case 1:
				words[i] = (uintptr_t) &words[draw() % COUNT(words)];
				break;
			default:
				words[i] = numbers[draw() % COUNT(numbers)];
			}
		}
		/* Its size is right, so it is believed. */
		mark(ids[draw() % COUNT(ids)], words, SIZE_MAX);
		mark(ids[draw() % COUNT(ids)], words, sizeof(words));
	}
}

/* Schemas that contain or name each other, very many entries, very many schemas. */
static void call_with_loops(void)
{
	nvtxPayloadSchemaEntry_t self = { 0, STATIC_ID, "self", NULL, 0, 0, NULL, NULL };
	nvtxPayloadSchemaEntry_t *many = calloc(100000, sizeof(*many));
	uint64_t *chain[1000];

	add_schema(NVTX_PAYLOAD_SCHEMA_TYPE_STATIC, &self, 1, 8, STATIC_ID);
	mark(STATIC_ID, &self, 8);
	for (uint64_t i = 0; i < 100; i++) {
		self.type = STATIC_ID + (i + 1) % 100;
		add_schema(NVTX_PAYLOAD_SCHEMA_TYPE_DYNAMIC, &self, 1, 0, STATIC_ID + i);
		mark(STATIC_ID + i, &self, sizeof(self));
	}
	/* A list of a thousand, and of an array of lists. */
	for (size_t i = 0; i < COUNT(chain); i++) {
		chain[i] = (uint64_t *) &chain[(i + 1) % COUNT(chain)];
	}
	self.flags = NVTX_PAYLOAD_ENTRY_FLAG_POINTER | NVTX_PAYLOAD_ENTRY_FLAG_DEEP_COPY;
	self.type = STATIC_ID + 200;
	add_schema(NVTX_PAYLOAD_SCHEMA_TYPE_STATIC, &self, 1, 8, STATIC_ID + 200);
	mark(STATIC_ID + 200, chain, 8);
	mark(STATIC_ID + 200, chain, sizeof(chain));
	for (size_t i = 0; i < 100000; i++) {
		many[i].type = NVTX_PAYLOAD_ENTRY_TYPE_INT32;
		many[i].name = "one of many";
	}
	add_schema(NVTX_PAYLOAD_SCHEMA_TYPE_STATIC, many, 100000, 0, STATIC_ID + 300);
	mark(STATIC_ID + 300, many, 4000);
	add_schema(NVTX_PAYLOAD_SCHEMA_TYPE_STATIC, many, 1000, 0, STATIC_ID + 301);
	mark(STATIC_ID + 301, many, 4000);
	add_schema(NVTX_PAYLOAD_SCHEMA_TYPE_STATIC, many, SIZE_MAX, 0, STATIC_ID + 302);
	for (int i = 0; i < 70000; i++) {
		many[0].offset = (uint64_t) i;
		add_schema(NVTX_PAYLOAD_SCHEMA_TYPE_STATIC, many, 1, 8, 0);
	}
	free(many);
}

/* 8 threads: each id is given out once. */
static void *register_some(void *argument)
{
	uint64_t *const ids = argument;
	nvtxPayloadSchemaEntry_t entry = {
		0, NVTX_PAYLOAD_ENTRY_TYPE_INT32, NULL, NULL, 0, 0, NULL, NULL
	};

	for (int i = 0; i < 100; i++) {
		entry.offset = (uint64_t) (uintptr_t) &ids[i] % 1000003;
		ids[i] = add_schema(NVTX_PAYLOAD_SCHEMA_TYPE_STATIC, &entry, 1, 0, 0);
		mark(ids[i], &i, sizeof(i));
	}
	return NULL;
}

static int compare(const void *left, const void *right)
{
	const uint64_t a = *(const uint64_t *) left;
	const uint64_t b = *(const uint64_t *) right;

	return a < b ? -1 : a > b;
}

static void call_in_threads(void)
{
	static uint64_t ids[8][100];
	pthread_t threads[8];
	int doubles = 0;

	for (int i = 0; i < 8; i++) {
		pthread_create(&threads[i], NULL, register_some, ids[i]);
	}
	for (int i = 0; i < 8; i++) {
		pthread_join(threads[i], NULL);
	}
	qsort(ids, 800, sizeof(ids[0][0]), compare);
	for (int i = 1; i < 800; i++) {
		doubles += (&ids[0][0])[i] == (&ids[0][0])[i - 1];
	}
	printf("doubles %d\n", doubles);
}

/* A schema of the parent is good in the child, and its log tells of it. */
static void call_in_child(void)
{
	static const nvtxPayloadSchemaEntry_t entries[] = {
		{ 0, NVTX_PAYLOAD_ENTRY_TYPE_CSTRING, "text", NULL, 0, 0, NULL, NULL },
	};
	const uint64_t schema = add_schema(NVTX_PAYLOAD_SCHEMA_TYPE_STATIC, entries, 1, 8, 0);
	nvtxCounterAttr_t attributes;
	const char *text = "of the child";
	uint64_t counter;
	pid_t child;

	memset(&attributes, 0, sizeof(attributes));
	attributes.structSize = sizeof(attributes);
	attributes.schemaId = NVTX_PAYLOAD_ENTRY_TYPE_INT64;
	attributes.name = "counter";
	counter = nvtxCounterRegister(domain, &attributes);
	child = fork();
	if (child == 0) {
		mark(schema, &text, sizeof(text));
		nvtxCounterSampleInt64(domain, counter, 5);
		exit(0);
	}
	waitpid(child, NULL, 0);
	text = "of the parent";
	mark(schema, &text, sizeof(text));
}

/* More than is kept, in one event and in one text. */
static void call_with_much(void)
{
	static char bytes[1 << 20];
	char *const edge = make_edge();
	const char *texts[2] = { bytes, edge - 4 };
	static const nvtxPayloadSchemaEntry_t entries[] = {
		{ 0, NVTX_PAYLOAD_ENTRY_TYPE_CSTRING, "long", NULL, 0, 0, NULL, NULL },
		{ 0, NVTX_PAYLOAD_ENTRY_TYPE_CSTRING, "open", NULL, 0, 0, NULL, NULL },
	};

	memset(bytes, 'a', sizeof(bytes) - 1);
	mark(NVTX_TYPE_PAYLOAD_SCHEMA_RAW, bytes, sizeof(bytes));
	mark(add_schema(NVTX_PAYLOAD_SCHEMA_TYPE_STATIC, entries, 2, 16, 0), texts, sizeof(texts));
	mark(NVTX_TYPE_PAYLOAD_SCHEMA_RAW, edge - 10, 20);
}

/* Names that are none: the calls are recorded all the same. */
static void call_with_no_names(void)
{
	nvtxNameCategoryA(5, NULL);
	nvtxNameCategoryW(5, NULL);
	nvtxNameOsThreadA(6, NULL);
	nvtxNameOsThreadW(6, NULL);
	nvtxNameCudaDeviceA(7, NULL);
	nvtxNameCudaDeviceW(7, NULL);
	nvtxNameCudaStreamA((struct CUstream_st *) (uintptr_t) 8, (const char *) (uintptr_t) 16);
	nvtxNameCudaStreamW((struct CUstream_st *) (uintptr_t) 8, NULL);
}

/* A deferred event whose time we told, submitted late. */
static void call_with_time(void)
{
	static const nvtxSemanticsTime_t told = { { sizeof(told), NVTX_SEMANTIC_ID_TIME_V1,
		                                    NVTX_TIME_SEMANTIC_VERSION, NULL },
		                                  NVTX_TIMESTAMP_TYPE_TOOL_PROVIDED };
	const nvtxPayloadSchemaEntry_t entry = { NVTX_PAYLOAD_ENTRY_FLAG_TIMESTAMP |
		                                         NVTX_PAYLOAD_ENTRY_FLAG_MARK,
		                                 NVTX_PAYLOAD_ENTRY_TYPE_INT64,
		                                 "time",
		                                 NULL,
		                                 0,
		                                 0,
		                                 &told.header,
		                                 NULL };
	nvtxPayloadData_t data = { 0, sizeof(int64_t), NULL };
	int64_t time;

	data.schemaId = add_schema(NVTX_PAYLOAD_SCHEMA_TYPE_STATIC, &entry, 1, sizeof(time), 0);
	nvtxMarkA("before");
	time = nvtxTimestampGet();
	data.payload = &time;
	nvtxMarkA("after");
	nvtxEventSubmit(domain, &data, 1);
}

/* The system calls that read our own memory are refused, as some containers do. */
static void forbid(void)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_process_vm_readv, 1, 0),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_process_vm_writev, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	const struct sock_fprog program = { COUNT(code), code };

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0) {
		puts("no seccomp");
		exit(77);
	}
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*call)(void);
	} parts[] = { { "structs", call_with_structs }, { "payloads", call_with_payloads },
		      { "schemas", call_with_schemas }, { "loops", call_with_loops },
		      { "threads", call_in_threads },   { "fork", call_in_child },
		      { "much", call_with_much },       { "names", call_with_no_names },
		      { "time", call_with_time } };

	if (argc > 2 && strcmp(argv[2], "forbidden") == 0) {
		forbid();
	}
	domain = nvtxDomainCreateA("lib");
	errno = 99;
	for (size_t i = 0; i < COUNT(parts); i++) {
		if (argc > 1 && strcmp(argv[1], parts[i].name) == 0) {
			parts[i].call();
		}
	}
	if (strcmp(argc > 1 ? argv[1] : "", "fork") != 0 && errno != 99 && errno != 0) {
		printf("errno %d\n", errno);
	}
	puts("alive");
	return 0;
}
