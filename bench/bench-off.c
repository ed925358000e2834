/* SPDX-License-Identifier: MIT */
/* Measures what ranges cost while the capture is off, and what ranges of a domain cost that is left
 * out. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "ranges/nvtx.h"

/* Runs batches of all kinds in turns, so that other load on the machine affects all of them.
 * Measures thread CPU time. The result is the median of the batches. */
#define BATCHES 101
#define PAIRS   100000

enum loop {
	LOOP_NO_TOOL,
	LOOP_LEFT_OUT,
	LOOP_PUSH_A,
	LOOP_PUSH_EX,
	LOOP_DOMAIN,
	LOOP_DOMAIN_TEXT,
	LOOP_COLOR,
	LOOP_START_END,
	LOOP_LEFT_OUT_START,
	LOOPS
};

static const char *const loop_names[LOOPS] = {
	"two calls without a tool (default domain left out)",
	"domain left out: PushEx (registered) + Pop",
	"nvtxRangePushA + nvtxRangePop",
	"nvtxRangePushEx (text) + nvtxRangePop",
	"nvtxDomainRangePushEx (registered) + nvtxDomainRangePop",
	"nvtxDomainRangePushEx (text) + nvtxDomainRangePop",
	"nvtxDomainRangePushEx (text, colour) + nvtxDomainRangePop",
	"nvtxDomainRangeStartEx (registered) + nvtxDomainRangeEnd",
	"domain left out: StartEx (registered) + End",
};

/* The ways in which the capture is off. */
static const struct {
	const char *name;
	const char *variable;
	const char *value;
} modes[] = {
	{ "standby", "RANGES_STANDBY", "on" },
	{ "schedule", "RANGES_SCHEDULE", "wait=80,active=1" },
	{ "delay", "RANGES_DELAY", "1h" },
	{ "on", "RANGES_SCHEDULE", "wait=80,active=1,on=the step" },
	{ "range", "RANGES_CAPTURE_RANGE", "the step" },
	{ "never", "RANGES_DELAY", "0" }, /* not off at all, for comparison */
};

static double times[LOOPS][BATCHES];
static volatile uint64_t sink;
static nvtxDomainHandle_t domain;
static nvtxDomainHandle_t left_out;
static nvtxEventAttributes_t registered;
static nvtxEventAttributes_t text;
static nvtxEventAttributes_t color;
static nvtxEventAttributes_t not_recorded;
/* Stands for the pointer that NVTX's headers test before each call. Nobody sets it. */
static int (*volatile no_tool)(const char *);

static double cpu_ns(void)
{
	struct timespec time;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
	return (double) time.tv_sec * 1e9 + (double) time.tv_nsec;
}

static void push_default(enum loop loop, int pairs)
{
	for (int i = 0; i < pairs && loop == LOOP_NO_TOOL; i++) {
		sink = no_tool ? (uint64_t) no_tool("forward pass") : 0;
		sink = no_tool ? (uint64_t) no_tool("forward pass") : 0;
	}
	for (int i = 0; i < pairs && loop == LOOP_PUSH_A; i++) {
		nvtxRangePushA("forward pass");
		nvtxRangePop();
	}
	for (int i = 0; i < pairs && loop == LOOP_PUSH_EX; i++) {
		nvtxRangePushEx(&text);
		nvtxRangePop();
	}
}

static void push_domain(nvtxDomainHandle_t in, const nvtxEventAttributes_t *attributes, int pairs)
{
	for (int i = 0; i < pairs; i++) {
		nvtxDomainRangePushEx(in, attributes);
		nvtxDomainRangePop(in);
	}
}

static void start_end(nvtxDomainHandle_t in, const nvtxEventAttributes_t *attributes, int pairs)
{
	for (int i = 0; i < pairs; i++) {
		nvtxDomainRangeEnd(in, nvtxDomainRangeStartEx(in, attributes));
	}
}

static void run_loop(enum loop loop, int pairs)
{
	switch (loop) {
	case LOOP_LEFT_OUT:
		push_domain(left_out, &not_recorded, pairs);
		break;
	case LOOP_DOMAIN:
		push_domain(domain, &registered, pairs);
		break;
	case LOOP_DOMAIN_TEXT:
		push_domain(domain, &text, pairs);
		break;
	case LOOP_COLOR:
		push_domain(domain, &color, pairs);
		break;
	case LOOP_START_END:
		start_end(domain, &registered, pairs);
		break;
	case LOOP_LEFT_OUT_START:
		start_end(left_out, &not_recorded, pairs);
		break;
	default:
		push_default(loop, pairs);
	}
}

static int compare(const void *a, const void *b)
{
	const double x = *(const double *) a;
	const double y = *(const double *) b;

	return (x > y) - (x < y);
}

static void measure(void)
{
	for (int batch = 0; batch < BATCHES; batch++) {
		for (int loop = 0; loop < LOOPS; loop++) {
			const double start = cpu_ns();

			run_loop((enum loop) loop, PAIRS);
			times[loop][batch] = (cpu_ns() - start) / PAIRS;
		}
	}
	printf("  %-58s %8s %8s %8s %8s\n", "ns per pair", "p25", "median", "p75", "x left out");
	for (int loop = 0; loop < LOOPS; loop++) {
		qsort(times[loop], BATCHES, sizeof(times[0][0]), compare);
	}
	for (int loop = 0; loop < LOOPS; loop++) {
		const double *const all = times[loop];

		printf("  %-58s %8.2f %8.2f %8.2f %8.3f\n", loop_names[loop], all[BATCHES / 4],
		       all[BATCHES / 2], all[BATCHES * 3 / 4],
		       all[BATCHES / 2] / times[LOOP_LEFT_OUT][BATCHES / 2]);
	}
}

static nvtxEventAttributes_t with_text(const char *message)
{
	nvtxEventAttributes_t attributes;

	memset(&attributes, 0, sizeof(attributes));
	attributes.version = NVTX_VERSION;
	attributes.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
	attributes.messageType = NVTX_MESSAGE_TYPE_ASCII;
	attributes.message.ascii = message;
	return attributes;
}

static void prepare(void)
{
	domain = nvtxDomainCreateA("bench");
	left_out = nvtxDomainCreateA("left out");
	text = with_text("forward pass");
	color = with_text("optimizer");
	color.colorType = NVTX_COLOR_ARGB;
	color.color = 0xFF00FF00;
	registered = with_text("");
	registered.messageType = NVTX_MESSAGE_TYPE_REGISTERED;
	registered.message.registered = nvtxDomainRegisterStringA(domain, "backward pass");
	not_recorded = registered;
	not_recorded.message.registered = nvtxDomainRegisterStringA(left_out, "backward pass");
}

/* Usage: bench-off LIBRANGES.SO standby|schedule|delay|on|range|never [LOOP PAIRS]. With LOOP, it
 * runs only one loop, for callgrind. With 0 pairs, that loop runs until it is killed. */
int main(int argc, char **argv)
{
	char folder[] = "/tmp/bench-off.XXXXXX";
	char output[64];
	const enum loop loop = argc > 4 ? (enum loop) strtol(argv[3], NULL, 10) : LOOP_NO_TOOL;
	const int pairs = argc > 4 ? (int) strtol(argv[4], NULL, 10) : 1;
	size_t mode = 0;

	while (argc > 2 && mode < sizeof(modes) / sizeof(modes[0]) &&
	       strcmp(modes[mode].name, argv[2]) != 0) {
		mode++;
	}
	if (argc < 3 || mode == sizeof(modes) / sizeof(modes[0]) || !mkdtemp(folder)) {
		fprintf(stderr, "usage: bench-off LIBRANGES.SO MODE [LOOP PAIRS]\n");
		return 2;
	}
	setenv("NVTX_INJECTION64_PATH", argv[1], 1);
	snprintf(output, sizeof(output), "%s/trace.bin", folder);
	setenv("RANGES_OUTPUT", output, 1);
	setenv("RANGES_LOG", "quiet", 0);
	setenv("RANGES_DOMAINS", "-left out", 1);
	setenv(modes[mode].variable, modes[mode].value, 1);
	prepare();
	if (!domain) {
		fprintf(stderr, "bench-off: %s captures nothing\n", argv[1]);
		return 1;
	}
	if (argc > 4) {
		printf("from here on\n");
		fflush(stdout);
		for (uint64_t turn = 0; turn == 0 || pairs == 0; turn++) {
			run_loop(loop, pairs > 0 ? pairs : PAIRS);
		}
	} else {
		printf("off by %s\n", modes[mode].name);
		measure();
	}
	unlink(output);
	rmdir(folder);
	return 0;
}
