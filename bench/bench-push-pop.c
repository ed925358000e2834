/* SPDX-License-Identifier: MIT */
/* Measures the cost of a push and a pop as a multiple of two clock reads. Both are measured in
 * turns in the same run. */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "libranges/base/clock.h"
#include "ranges/nvtx-payload.h"
#include "ranges/nvtx.h"

/*
 * A batch takes about half a millisecond. Between batches the drain has time to empty the buffer,
 * as in a program that does some work between its ranges. Thread CPU time is measured, so that a
 * loaded host does not matter. The result is the median of the batches.
 */
#define BATCHES     151
#define PAIRS       20000
#define PAUSE_NS    8000000
#define MAX_THREADS 16

enum loop {
	LOOP_FLOOR,
	LOOP_PUSH_A,
	LOOP_REGISTERED,
	LOOP_COLOR,
	LOOP_PAYLOAD,
	LOOP_LEFT_OUT,
	LOOP_NO_TOOL,
	LOOPS
};

static const char *const loop_names[LOOPS] = {
	"two clock reads (the floor)",
	"nvtxRangePushA + nvtxRangePop",
	"nvtxDomainRangePushEx (registered) + nvtxDomainRangePop",
	"nvtxRangePushEx (text, colour, payload) + nvtxRangePop",
	"nvtxRangePushPayload (32 bytes) + nvtxDomainRangePop",
	"push (registered) and pop in a domain that is left out",
	"two calls without a tool"
};

struct run {
	double ns[LOOPS][BATCHES];
};

static volatile uint64_t sink;
static nvtxDomainHandle_t domain;
static nvtxEventAttributes_t registered;
static nvtxEventAttributes_t colored;
static nvtxPayloadData_t payload;
static nvtxDomainHandle_t left_out;
static nvtxEventAttributes_t not_recorded;
/* Stands for the pointer that NVTX's headers test before each call. It stays empty. */
static int (*volatile no_tool)(const char *);

static double cpu_ns(void)
{
	struct timespec time;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
	return (double) time.tv_sec * 1e9 + (double) time.tv_nsec;
}

static double run_batch(enum loop loop)
{
	const double start = cpu_ns();

	switch (loop) {
	case LOOP_FLOOR:
		for (int i = 0; i < PAIRS; i++) {
			sink = rcap_clock_counter();
			sink = rcap_clock_counter();
		}
		break;
	case LOOP_PUSH_A:
		for (int i = 0; i < PAIRS; i++) {
			nvtxRangePushA("forward pass");
			nvtxRangePop();
		}
		break;
	case LOOP_REGISTERED:
		for (int i = 0; i < PAIRS; i++) {
			nvtxDomainRangePushEx(domain, &registered);
			nvtxDomainRangePop(domain);
		}
		break;
	case LOOP_COLOR:
		for (int i = 0; i < PAIRS; i++) {
			nvtxRangePushEx(&colored);
			nvtxRangePop();
		}
		break;
	case LOOP_PAYLOAD:
		for (int i = 0; i < PAIRS; i++) {
			nvtxRangePushPayload(domain, &payload, 1);
			nvtxDomainRangePop(domain);
		}
		break;
	case LOOP_LEFT_OUT:
		for (int i = 0; i < PAIRS; i++) {
			nvtxDomainRangePushEx(left_out, &not_recorded);
			nvtxDomainRangePop(left_out);
		}
		break;
	default:
		for (int i = 0; i < PAIRS; i++) {
			sink = no_tool ? (uint64_t) no_tool("forward pass") : 0;
			sink = no_tool ? (uint64_t) no_tool("forward pass") : 0;
		}
	}
	return (cpu_ns() - start) / PAIRS;
}

static void *run_thread(void *argument)
{
	const struct timespec pause = { .tv_nsec = PAUSE_NS };
	struct run *run = argument;

	for (int batch = 0; batch < BATCHES; batch++) {
		for (int loop = 0; loop < LOOPS; loop++) {
			run->ns[loop][batch] = run_batch((enum loop) loop);
			nanosleep(&pause, NULL);
		}
	}
	return NULL;
}

static int compare(const void *a, const void *b)
{
	const double x = *(const double *) a;
	const double y = *(const double *) b;

	return (x > y) - (x < y);
}

static void print_run(struct run *runs, int threads)
{
	static double all[MAX_THREADS * BATCHES];
	double floor_ns = 0;

	printf("%d thread%s, %d batches of %d pairs; ns per pair\n", threads,
	       threads == 1 ? "" : "s", BATCHES, PAIRS);
	printf("  %-58s %8s %8s %8s %8s\n", "", "p25", "median", "p75", "x floor");
	for (int loop = 0; loop < LOOPS; loop++) {
		const int count = threads * BATCHES;

		for (int i = 0; i < threads; i++) {
			memcpy(all + (size_t) i * BATCHES, runs[i].ns[loop],
			       sizeof(runs[i].ns[loop]));
		}
		qsort(all, (size_t) count, sizeof(all[0]), compare);
		if (loop == LOOP_FLOOR) {
			floor_ns = all[count / 2];
		}
		printf("  %-58s %8.2f %8.2f %8.2f %8.3f\n", loop_names[loop], all[count / 4],
		       all[count / 2], all[count * 3 / 4], all[count / 2] / floor_ns);
	}
}

/* Prepares a payload of four numbers with a static schema, as NCCL and XLA send it. */
static void prepare_payload(void)
{
	static const nvtxPayloadSchemaEntry_t entries[] = {
		{ 0, NVTX_PAYLOAD_ENTRY_TYPE_UINT64, "communicator", NULL, 0, 0, NULL, NULL },
		{ 0, NVTX_PAYLOAD_ENTRY_TYPE_SIZE, "bytes", NULL, 0, 0, NULL, NULL },
		{ 0, NVTX_PAYLOAD_ENTRY_TYPE_UINT64, "root", NULL, 0, 0, NULL, NULL },
		{ 0, NVTX_PAYLOAD_ENTRY_TYPE_UINT64, "peer", NULL, 0, 0, NULL, NULL },
	};
	static const uint64_t numbers[4] = { 0x7F0011223344, 1 << 20, 0, 1 };
	nvtxPayloadSchemaAttr_t schema;

	memset(&schema, 0, sizeof(schema));
	schema.fieldMask = NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_TYPE |
	                   NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_ENTRIES |
	                   NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_NUM_ENTRIES |
	                   NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_STATIC_SIZE;
	schema.type = NVTX_PAYLOAD_SCHEMA_TYPE_STATIC;
	schema.entries = entries;
	schema.numEntries = 4;
	schema.payloadStaticSize = sizeof(numbers);
	payload.schemaId = nvtxPayloadSchemaRegister(domain, &schema);
	payload.size = sizeof(numbers);
	payload.payload = numbers;
}

static void prepare(void)
{
	domain = nvtxDomainCreateA("bench");
	registered.version = NVTX_VERSION;
	registered.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
	registered.messageType = NVTX_MESSAGE_TYPE_REGISTERED;
	registered.message.registered = nvtxDomainRegisterStringA(domain, "backward pass");
	prepare_payload();
	left_out = nvtxDomainCreateA("left out");
	not_recorded = registered;
	not_recorded.message.registered = nvtxDomainRegisterStringA(left_out, "backward pass");
	colored.version = NVTX_VERSION;
	colored.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
	colored.messageType = NVTX_MESSAGE_TYPE_ASCII;
	colored.message.ascii = "optimizer";
	colored.colorType = NVTX_COLOR_ARGB;
	colored.color = 0xFF00FF00;
	colored.payloadType = NVTX_PAYLOAD_TYPE_UNSIGNED_INT64;
	colored.payload.ullValue = 42;
}

/* Usage: bench-push-pop [LIBRANGES.SO [THREADS]]. Without a library, it measures the cost without a
 * tool. */
int main(int argc, char **argv)
{
	static struct run runs[MAX_THREADS];
	pthread_t threads[MAX_THREADS];
	const int count = argc > 2 ? (int) strtol(argv[2], NULL, 10) : 1;
	char log_name[] = "/tmp/bench-push-pop.XXXXXX";
	char output[64];

	if (count < 1 || count > MAX_THREADS || mkstemp(log_name) < 0) {
		fprintf(stderr, "usage: bench-push-pop [LIBRANGES.SO [THREADS]]\n");
		return 2;
	}
	snprintf(output, sizeof(output), "%s.bin", log_name);
	if (argc > 1) {
		setenv("NVTX_INJECTION64_PATH", argv[1], 1);
		setenv("RANGES_OUTPUT", output, 1);
		setenv("RANGES_DOMAINS", "-left out", 0);
	}
	prepare();
	if (argc > 1 && !domain) {
		fprintf(stderr, "bench-push-pop: %s captures nothing\n", argv[1]);
		return 1;
	}
	for (int i = 1; i < count; i++) {
		pthread_create(&threads[i], NULL, run_thread, &runs[i]);
	}
	run_thread(&runs[0]);
	for (int i = 1; i < count; i++) {
		pthread_join(threads[i], NULL);
	}
	print_run(runs, count);
	unlink(log_name);
	unlink(output);
	return 0;
}
