/* SPDX-License-Identifier: MIT */
/*
 * A program whose capture is switched on and off.
 *
 *   stepper COMMAND…
 *
 * Commands run in order, each below. At the end it prints "calls N": the events that a capture of
 * everything would have.
 */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "ranges/nvtx-counters.h"
#include "ranges/nvtx-payload.h"
#include "ranges/nvtx.h"
#include "ranges/ranges.h"

#define MAX_THREADS 16u

/* Tests of numbers. NOLINTBEGIN(cert-err34-c) */

static _Atomic unsigned long calls;
static _Atomic int is_over;
static _Atomic int is_hot;              /* threads do not rest: the buffer fills */
static unsigned killed_at = UINT32_MAX; /* step */

static void count(unsigned long number)
{
	atomic_fetch_add_explicit(&calls, number, memory_order_relaxed);
}

static void sleep_ms(unsigned ms)
{
	const struct timespec time = { .tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000l };

	nanosleep(&time, NULL);
}

/* The 6 calls of each step. */
static void work(unsigned i)
{
	char name[32];

	nvtxRangePushA("load");
	nvtxRangePop();
	snprintf(name, sizeof(name), "train %u", i);
	nvtxRangePushA(name);
	nvtxRangePushA("forward");
	nvtxRangePop();
	nvtxRangePop();
	count(6);
	if (i == killed_at) {
		kill(getpid(), SIGKILL);
	}
}

static void make_steps(unsigned number)
{
	for (unsigned i = 0; i < number; i++) {
		ranges_step();
		count(1);
		work(i);
	}
}

/* The register is a call of its own. */
static void sample(int value)
{
	static nvtxDomainHandle_t domain;
	static uint64_t counter;
	nvtxCounterAttr_t attributes = { 0 };

	if (!domain) {
		domain = nvtxDomainCreateA("queue");
		attributes.structSize = sizeof(attributes);
		attributes.schemaId = NVTX_PAYLOAD_ENTRY_TYPE_INT64;
		attributes.name = "length";
		attributes.scopeId = NVTX_SCOPE_CURRENT_SW_PROCESS;
		counter = nvtxCounterRegister(domain, &attributes);
		count(2);
	}
	nvtxCounterSampleInt64(domain, counter, value);
	count(1);
}

static void make_slow_step(unsigned ms)
{
	ranges_step();
	nvtxRangePushA("slow");
	sleep_ms(ms);
	nvtxRangePop();
	count(3);
}

/* Makes steps, each as a range around its work. @format: of the range's name; NULL: all have the
 * same name. */
static void make_ranges(const char *name, unsigned number, int is_numbered)
{
	for (unsigned i = 0; i < number; i++) {
		char text[64];

		snprintf(text, sizeof(text), is_numbered ? "%s#%u" : "%s", name, i);
		nvtxRangePushA(is_numbered ? text : name);
		work(i);
		nvtxRangePop();
		count(2);
	}
}

/* Each range has its own name. */
static void make_new_names(unsigned number)
{
	static unsigned made;

	for (unsigned i = 0; i < number; i++) {
		char text[64];

		snprintf(text, sizeof(text), "new %u", made++);
		nvtxRangePushA(text);
		nvtxRangePop();
		count(2);
	}
}

/* The same in a domain, by a registered string, as push/pop or as start/end. */
static void make_domain_ranges(unsigned number, int is_started)
{
	const nvtxDomainHandle_t domain = nvtxDomainCreateA("lib");
	nvtxEventAttributes_t attributes = { 0 };

	attributes.version = NVTX_VERSION;
	attributes.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
	attributes.messageType = NVTX_MESSAGE_TYPE_REGISTERED;
	attributes.message.registered = nvtxDomainRegisterStringA(domain, "iter");
	count(2);
	for (unsigned i = 0; i < number; i++) {
		nvtxRangeId_t id = 0;

		if (is_started) {
			id = nvtxDomainRangeStartEx(domain, &attributes);
		} else {
			nvtxDomainRangePushEx(domain, &attributes);
		}
		work(i);
		if (is_started) {
			nvtxDomainRangeEnd(domain, id);
		} else {
			nvtxDomainRangePop(domain);
		}
		count(2);
	}
}

/* Start/end ranges of a name that is not registered, the next one started before one ends. */
static void make_plain_ranges(unsigned number)
{
	nvtxRangeId_t last = 0;

	for (unsigned i = 0; i < number; i++) {
		const nvtxRangeId_t id = nvtxRangeStartA("plain");

		if (i > 0) {
			nvtxRangeEnd(last);
		}
		work(i);
		last = id;
	}
	if (number > 0) {
		nvtxRangeEnd(last);
	}
	count(2UL * number);
}

/* Numbers that cannot be compressed, so that a log with few events, which is read fast, is large.
 */
static uint64_t noise(void)
{
	static _Thread_local uint64_t state = 1;

	state = state * 6364136223846793005u + 1442695040888963407u;
	return state * (state >> 33 | 1);
}

static void push_noise(const char *name)
{
	nvtxEventAttributes_t attributes = { 0 };

	attributes.version = NVTX_VERSION;
	attributes.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
	attributes.messageType = NVTX_MESSAGE_TYPE_ASCII;
	attributes.message.ascii = name;
	attributes.payloadType = NVTX_PAYLOAD_TYPE_UNSIGNED_INT64;
	attributes.payload.ullValue = noise();
	nvtxRangePushEx(&attributes);
}

static void *storm(void *unused)
{
	unsigned long own = 0;

	(void) unused;
	while (!atomic_load_explicit(&is_over, memory_order_relaxed)) {
		if (atomic_load_explicit(&is_hot, memory_order_relaxed)) {
			push_noise("storm");
			push_noise("inner");
		} else {
			nvtxRangePushA("storm");
			nvtxRangePushA("inner");
			if (own % 256 == 0) { /* so that the log keeps up on any machine */
				sleep_ms(1);
			}
		}
		nvtxRangePop();
		nvtxRangePop();
		own += 4;
	}
	count(own);
	return NULL;
}

static pthread_t threads[MAX_THREADS];
static unsigned thread_count;

static void start_threads(unsigned number)
{
	while (thread_count < number && thread_count < MAX_THREADS) {
		if (pthread_create(&threads[thread_count], NULL, storm, NULL) != 0) {
			exit(2);
		}
		thread_count++;
	}
}

static void join_threads(void)
{
	atomic_store(&is_over, 1);
	while (thread_count > 0) {
		pthread_join(threads[--thread_count], NULL);
	}
	atomic_store(&is_over, 0);
}

static void print_calls(void)
{
	printf("calls %lu\n", atomic_load(&calls));
	fflush(stdout);
}

static void fork_and_step(unsigned number)
{
	pid_t child;
	int status;

	fflush(stdout);
	child = fork();
	if (child == 0) {
		atomic_store(&calls, 0);
		make_steps(number);
		print_calls();
		exit(0);
	}
	waitpid(child, &status, 0);
}

/* Continues as a new program. @arguments: its name, then its commands. */
static void become(char **arguments)
{
	print_calls();
	execv("/proc/self/exe", arguments);
	exit(2);
}

/* A minute at most. */
/* The log of the last cycle, as soon as it is complete. */
static void print_log(void)
{
	const uint64_t cycle = ranges_cycle();
	char path[4096] = "/none";
	char short_path[4];
	int result = RANGES_BUSY;

	for (int i = 0; i < 60000 && result == RANGES_BUSY && cycle > 0; i++) {
		result = ranges_log(cycle, path, sizeof(path));
		sleep_ms(1);
	}
	printf("log %lu %d %s %d\n", (unsigned long) cycle, result, strrchr(path, '/') + 1,
	       ranges_log(cycle, short_path, sizeof(short_path)));
}

static void await_file(const char *path)
{
	for (int i = 0; i < 60000 && access(path, F_OK) != 0; i++) {
		sleep_ms(1);
	}
}

static void touch_file(const char *path)
{
	FILE *file = fopen(path, "w");

	if (file) {
		fclose(file);
	}
}

static void *run_short(void *context)
{
	nvtxRangePushA("short");
	nvtxRangePop();
	count(2);
	return context;
}

/* One after the other. */
static void run_short_threads(unsigned number)
{
	pthread_t thread;

	for (unsigned i = 0; i < number; i++) {
		if (pthread_create(&thread, NULL, run_short, NULL) == 0) {
			pthread_join(thread, NULL);
		}
	}
}

/* Return: 0: it is none of these. */
static int run_steps(const char *command)
{
	unsigned number;

	if (sscanf(command, "killed_at=%u", &killed_at) == 1) {
		return 1;
	}
	if (sscanf(command, "steps=%u", &number) == 1) {
		make_steps(number);
	} else if (sscanf(command, "sample=%u", &number) == 1) {
		sample((int) number);
	} else if (sscanf(command, "slow=%u", &number) == 1) {
		make_slow_step(number);
	} else if (sscanf(command, "named=%u", &number) == 1) {
		make_ranges("iter", number, 0);
	} else if (sscanf(command, "new=%u", &number) == 1) {
		make_new_names(number);
	} else if (sscanf(command, "torch=%u", &number) == 1) {
		make_ranges("ProfilerStep", number, 1);
	} else if (sscanf(command, "domain=%u", &number) == 1) {
		make_domain_ranges(number, 0);
	} else if (sscanf(command, "started=%u", &number) == 1) {
		make_domain_ranges(number, 1);
	} else if (sscanf(command, "plain=%u", &number) == 1) {
		make_plain_ranges(number);
	} else if (sscanf(command, "threads=%u", &number) == 1) {
		start_threads(number);
	} else if (sscanf(command, "short=%u", &number) == 1) {
		run_short_threads(number);
	} else if (sscanf(command, "hot=%u", &number) == 1) {
		atomic_store(&is_hot, 1);
		start_threads(number);
	} else if (sscanf(command, "fork=%u", &number) == 1) {
		fork_and_step(number);
	} else if (sscanf(command, "sleep=%u", &number) == 1) {
		sleep_ms(number);
	} else {
		return 0;
	}
	return 1;
}

static void run_command(const char *command)
{
	if (run_steps(command)) {
		return;
	}
	if (strncmp(command, "push=", 5) == 0) {
		nvtxRangePushA(command + 5);
		count(1);
	} else if (strcmp(command, "pop") == 0) {
		nvtxRangePop();
		count(1);
	} else if (strcmp(command, "name") == 0) {
		nvtxNameOsThreadA((uint32_t) gettid(), "named while off");
		count(1);
	} else if (strcmp(command, "on") == 0) {
		printf("on %d\n", ranges_start());
	} else if (strcmp(command, "off") == 0) {
		printf("off %d\n", ranges_stop());
	} else if (strcmp(command, "flush") == 0) {
		printf("flush %d\n", ranges_flush());
	} else if (strcmp(command, "snapshot") == 0) {
		printf("snapshot %d\n", ranges_snapshot(NULL));
	} else if (strncmp(command, "snapshot=", 9) == 0) {
		printf("snapshot %d\n", ranges_snapshot(command + 9));
	} else if (strcmp(command, "warm") == 0) {
		printf("warm %d\n", ranges_warm());
	} else if (strcmp(command, "log") == 0) {
		print_log();
	} else if (strcmp(command, "join") == 0) {
		join_threads();
	} else if (strncmp(command, "await=", 6) == 0) {
		await_file(command + 6);
	} else if (strncmp(command, "touch=", 6) == 0) {
		touch_file(command + 6);
	} else if (strcmp(command, "kill") == 0) {
		kill(getpid(), SIGKILL);
	} else if (strcmp(command, "segv") == 0) {
		kill(getpid(), SIGSEGV);
	} else {
		fprintf(stderr, "stepper: no command %s\n", command);
		exit(2);
	}
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		if (strcmp(argv[i], "exec") == 0) {
			become(argv + i);
		}
		run_command(argv[i]);
	}
	join_threads();
	print_calls();
	return 0;
}
/* NOLINTEND(cert-err34-c) */
