/* SPDX-License-Identifier: MIT */
/*
 * Plays a recording: threads that push and pop ranges, and CUPTI's records of calls
 * and of what a GPU did, all at the times of the script.
 *
 *   replay SCRIPT
 *
 * The script is text, numbers in decimal, times in ns from the begin of the capture; one letter
 * begins a line. First: the capture's length (L ns), texts ("TEXT, numbered from 0), functions (F
 * domain cbid text), domains (D text; number 0 is NVTX's default), attributes of the driver (A
 * number value), devices (G …) and contexts (C id device). Then a thread each (T text), and what it
 * does: < time domain text, > time domain, and records: c (call), k (kernel), m (copy), s (set), y
 * (wait), r (any, as bytes: where it has a text's address or 0, text, where it has times, 0,
 * hexadecimal digits), x (so many are dropped).
 *
 * The clock is the script's: this program has its own clock_gettime(), so that libranges takes
 * these times for those of the events, and the script's begin and end for those of the capture.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "fake.h"
#include "libranges/abi/cupti-abi.h"
#include "ranges/nvtx.h"

#define NS_PER_S    UINT64_C(1000000000)
#define MAX_DOMAINS 64u
#define MAX_THREADS 1024u
/* Waits of libranges go by its clock: it stands a little ahead of the system's, never behind. */
#define AHEAD_NS (NS_PER_S / 10)

static _Atomic uint64_t program_time; /* of threads without one of their own; 0: the system's */
static _Thread_local uint64_t thread_time;

static uint64_t begin_time;
static char **texts;
static size_t text_count;
static nvtxDomainHandle_t domains[MAX_DOMAINS];
static size_t domain_count = 1;

int clock_gettime(clockid_t clock, struct timespec *out)
{
	const uint64_t time = thread_time != 0 ? thread_time : atomic_load(&program_time);

	if (clock != CLOCK_MONOTONIC || time == 0) {
		return (int) syscall(SYS_clock_gettime, clock, out);
	}
	out->tv_sec = (time_t) (time / NS_PER_S);
	out->tv_nsec = (long) (time % NS_PER_S);
	return 0;
}

static uint64_t number(char **at)
{
	return strtoull(*at, at, 10);
}

static uint32_t word(char **at)
{
	return (uint32_t) number(at);
}

static uint64_t moment(char **at)
{
	return begin_time + number(at);
}

static char *text(char **at)
{
	const uint64_t index = number(at);

	if (index >= text_count) {
		fprintf(stderr, "replay: no text %llu\n", (unsigned long long) index);
		exit(2);
	}
	return texts[index];
}

/* ---- What a thread does ---- */

static void push(char *at)
{
	nvtxEventAttributes_t event = { .version = NVTX_VERSION,
		                        .size = NVTX_EVENT_ATTRIB_STRUCT_SIZE,
		                        .messageType = NVTX_MESSAGE_TYPE_ASCII };
	const uint64_t time = moment(&at);
	const uint32_t domain = word(&at);

	event.message.ascii = text(&at);
	thread_time = time;
	nvtxDomainRangePushEx(domains[domain], &event);
}

static void pop(char *at)
{
	const uint64_t time = moment(&at);

	thread_time = time;
	nvtxDomainRangePop(domains[word(&at)]);
}

static void make_call(char *at)
{
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	struct rcap_cupti_api twin;
	struct rcap_cupti_api api = { .kind = word(&at),
		                      .process = (uint32_t) getpid(),
		                      .thread = (uint32_t) gettid() };

	api.start = moment(&at);
	api.end = moment(&at);
	api.cbid = word(&at);
	api.correlation = word(&at);
	api.result = word(&at);
	twin = api;
	twin.cbid = word(&at);
	twin.kind = RCAP_CUPTI_DRIVER;
	/* Correlations that are far from each other are never under way at once, but here, where no
	 * thread waits. */
	pthread_mutex_lock(&lock);
	if (twin.cbid != 0) {
		fake_emit(&twin, sizeof(twin), 0);
	}
	fake_emit(&api, sizeof(api), 0);
	pthread_mutex_unlock(&lock);
}

static void make_kernel(char *at)
{
	struct rcap_cupti_kernel kernel = { .kind = RCAP_CUPTI_CONCURRENT_KERNEL };

	kernel.start = moment(&at);
	kernel.end = moment(&at);
	kernel.completed = kernel.end;
	kernel.device = word(&at);
	kernel.context = word(&at);
	kernel.stream = word(&at);
	kernel.correlation = word(&at);
	kernel.graph = word(&at);
	kernel.graph_node = number(&at);
	kernel.name = text(&at);
	for (int i = 0; i < 3; i++) {
		kernel.grid[i] = word(&at);
	}
	for (int i = 0; i < 3; i++) {
		kernel.block[i] = word(&at);
	}
	kernel.registers = (uint16_t) number(&at);
	kernel.dynamic_shared = word(&at);
	fake_emit(&kernel, sizeof(kernel), offsetof(struct rcap_cupti_kernel, name));
}

static void make_copy(char *at)
{
	struct rcap_cupti_memcpy copy = { .kind = RCAP_CUPTI_MEMCPY };

	copy.start = moment(&at);
	copy.end = moment(&at);
	copy.device = word(&at);
	copy.context = word(&at);
	copy.stream = word(&at);
	copy.correlation = word(&at);
	copy.graph = word(&at);
	copy.graph_node = number(&at);
	copy.bytes = number(&at);
	copy.copy_kind = (uint8_t) number(&at);
	copy.src_kind = (uint8_t) number(&at);
	copy.dst_kind = (uint8_t) number(&at);
	fake_emit(&copy, sizeof(copy), 0);
}

static void make_set(char *at)
{
	struct rcap_cupti_memset set = { .kind = RCAP_CUPTI_MEMSET };

	set.start = moment(&at);
	set.end = moment(&at);
	set.device = word(&at);
	set.context = word(&at);
	set.stream = word(&at);
	set.correlation = word(&at);
	set.graph = word(&at);
	set.graph_node = number(&at);
	set.bytes = number(&at);
	set.memory_kind = (uint16_t) number(&at);
	fake_emit(&set, sizeof(set), 0);
}

static void make_wait(char *at)
{
	struct rcap_cupti_sync sync = { .kind = RCAP_CUPTI_SYNCHRONIZATION };

	sync.start = moment(&at);
	sync.end = moment(&at);
	sync.type = word(&at);
	sync.context = word(&at);
	sync.stream = word(&at);
	sync.correlation = word(&at);
	sync.event = word(&at);
	fake_emit(&sync, sizeof(sync), 0);
}

static void make_device(char *at)
{
	struct rcap_cupti_device device = { .kind = RCAP_CUPTI_DEVICE };

	device.id = word(&at);
	device.name = text(&at);
	device.memory_bytes = number(&at);
	device.warp_threads = word(&at);
	device.multiprocessors = word(&at);
	device.warps_per_sm = word(&at);
	device.blocks_per_sm = word(&at);
	device.threads_per_block = word(&at);
	device.registers_per_sm = word(&at);
	device.registers_per_block = word(&at);
	device.shared_per_sm = word(&at);
	device.shared_per_block = word(&at);
	device.major = word(&at);
	device.minor = word(&at);
	fake_emit(&device, sizeof(device), offsetof(struct rcap_cupti_device, name));
}

static void make_context(char *at)
{
	struct rcap_cupti_context context = { .kind = RCAP_CUPTI_CONTEXT, .api = 1 };

	context.id = word(&at);
	context.device = word(&at);
	fake_emit(&context, sizeof(context), 0);
}

static void drop(char *at)
{
	fake_drop(number(&at));
}

static uint8_t read_digit(char digit)
{
	return (uint8_t) (digit <= '9' ? digit - '0' : digit - 'a' + 10);
}

/* Process and thread ids are replaced by those of this process. */
static void make_ours(uint8_t *record, size_t bytes)
{
	const uint32_t ours[] = { (uint32_t) getpid(), (uint32_t) gettid() };
	uint32_t kind;
	uint32_t object;

	memcpy(&kind, record, sizeof(kind));
	memcpy(&object, record + offsetof(struct rcap_cupti_overhead, object_kind), sizeof(object));
	if (kind == RCAP_CUPTI_RUNTIME || kind == RCAP_CUPTI_DRIVER) {
		memcpy(record + offsetof(struct rcap_cupti_api, process), ours, sizeof(ours));
	} else if (kind == RCAP_CUPTI_OVERHEAD && object == RCAP_CUPTI_OBJECT_THREAD) {
		memcpy(record + offsetof(struct rcap_cupti_overhead, object), ours, sizeof(ours));
	} else if (kind == RCAP_CUPTI_JIT && bytes >= 72) {
		memcpy(record + 64, ours, sizeof(ours));
	}
}

static void make_record(char *at)
{
	uint8_t record[4096] = { 0 };
	size_t times[16];
	size_t time_count = 0;
	size_t bytes = 0;
	const size_t text_at = number(&at);
	const char *words = text(&at);

	for (size_t time_at = number(&at); time_at != 0; time_at = number(&at)) {
		if (time_count < sizeof(times) / sizeof(times[0])) {
			times[time_count++] = time_at;
		}
	}
	for (at++; at[0] && at[1] && bytes < sizeof(record); at += 2) {
		record[bytes++] = (uint8_t) (read_digit(at[0]) << 4 | read_digit(at[1]));
	}
	for (size_t i = 0; i < time_count; i++) {
		uint64_t time;

		memcpy(&time, record + times[i], sizeof(time));
		time += begin_time;
		memcpy(record + times[i], &time, sizeof(time));
	}
	if (text_at != 0) {
		memcpy(record + text_at, &words, sizeof(words));
	}
	make_ours(record, bytes);
	fake_emit(record, bytes, text_at);
}

static void do_line(const char *line)
{
	static const struct {
		char letter;
		void (*run)(char *at);
	} actions[] = { { '<', push },        { '>', pop },         { 'c', make_call },
		        { 'k', make_kernel }, { 'm', make_copy },   { 's', make_set },
		        { 'y', make_wait },   { 'G', make_device }, { 'C', make_context },
		        { 'r', make_record }, { 'x', drop } };

	for (size_t i = 0; i < sizeof(actions) / sizeof(actions[0]); i++) {
		if (actions[i].letter == line[0]) {
			actions[i].run((char *) line + 1);
			return;
		}
	}
	fprintf(stderr, "replay: what is \"%s\"?\n", line);
	exit(2);
}

/* ---- The script ---- */

struct lines {
	char **lines;
	size_t count;
};

/* Threads begin one after the other, so that the log has them in the order of the script. */
static sem_t has_begun;

static void *play(void *argument)
{
	const struct lines *mine = argument;

	/* Its first line is T and the name. */
	prctl(PR_SET_NAME, mine->lines[0] + 1);
	for (size_t i = 1; i < mine->count; i++) {
		do_line(mine->lines[i]);
		if (i == 1) {
			sem_post(&has_begun);
		}
	}
	return NULL;
}

static struct lines read_lines(const char *path)
{
	FILE *file = fopen(path, "r");
	struct lines all = { 0 };
	size_t room = 0;
	char *line = NULL;
	size_t bytes = 0;
	ssize_t length;

	if (!file) {
		perror(path);
		exit(2);
	}
	while ((length = getline(&line, &bytes, file)) > 0) {
		if (all.count == room) {
			room = 2 * room + 1024;
			all.lines = realloc(all.lines, room * sizeof(*all.lines));
		}
		line[length - 1] = '\0';
		all.lines[all.count++] = line;
		line = NULL;
		bytes = 0;
	}
	free(line);
	fclose(file);
	return all;
}

/* Handles the lines that are needed before the driver starts. */
static void prepare(char *line)
{
	char *at = line + 1;
	uint32_t first;
	uint32_t second;

	switch (line[0]) {
	case '"':
		texts[text_count++] = at;
		break;
	case 'F':
		first = word(&at);
		second = word(&at);
		fake_set_call_name(first, second, text(&at));
		break;
	case 'A':
		first = word(&at);
		second = word(&at);
		fake_set_attribute((int) first, (int) second);
		break;
	default:
		break;
	}
}

/* Return: how many of the lines come before the first thread. */
static size_t begin(const struct lines *all)
{
	struct timespec t;
	size_t i;

	syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &t);
	begin_time = (uint64_t) t.tv_sec * NS_PER_S + (uint64_t) t.tv_nsec + AHEAD_NS;
	atomic_store(&program_time, begin_time);
	texts = calloc(all->count + 1, sizeof(*texts));
	for (i = 0; i < all->count && all->lines[i][0] != 'T'; i++) {
		prepare(all->lines[i]);
	}
	fake_describe_nothing();
	cuInit(0);
	for (size_t n = 0; n < i; n++) {
		char *at = all->lines[n] + 1;

		if (all->lines[n][0] == 'D' && domain_count < MAX_DOMAINS) {
			domains[domain_count++] = nvtxDomainCreateA(text(&at));
		} else if (all->lines[n][0] == 'G' || all->lines[n][0] == 'C') {
			do_line(all->lines[n]);
		}
	}
	return i;
}

int main(int argc, char **argv)
{
	const struct lines all = read_lines(argc > 1 ? argv[1] : "");
	static struct lines threads[MAX_THREADS];
	static pthread_t ids[MAX_THREADS];
	size_t count = 0;
	char *length = all.count > 0 ? all.lines[0] + 1 : NULL;

	for (size_t i = begin(&all); i < all.count; i++) {
		if (all.lines[i][0] == 'T' && count == MAX_THREADS) {
			return 2;
		}
		count += all.lines[i][0] == 'T';
		threads[count - 1].lines =
			threads[count - 1].lines ? threads[count - 1].lines : &all.lines[i];
		threads[count - 1].count++;
	}
	sem_init(&has_begun, 0, 0);
	for (size_t i = 0; i < count; i++) {
		pthread_create(&ids[i], NULL, play, &threads[i]);
		sem_wait(&has_begun);
	}
	for (size_t i = 0; i < count; i++) {
		pthread_join(ids[i], NULL);
	}
	atomic_store(&program_time, moment(&length));
	return 0;
}
