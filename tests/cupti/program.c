/* SPDX-License-Identifier: MIT */
/*
 * A CUDA program for tests: ranges by NVTX, launches by the stand-in driver.
 *
 *   program [OPTION=N …] [COMMAND…]
 *
 * threads, launches (per thread), devices, streams (per device): the work. A range "step" is around
 * each `per_range` launches; with book=FILE each range has a name of its own, and FILE gets a
 * struct fake_note for each launch. Commands run after it, in order: each, see below.
 */
/* Numbers of tests.
 * NOLINTBEGIN(readability-identifier-naming,cert-err34-c,performance-no-int-to-ptr) */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "fake.h"
#include "libranges/abi/cupti-abi.h"
#include "note.h"
#include "ranges/nvtx-cuda.h"
#include "ranges/nvtx-cudart.h"
#include "ranges/nvtx.h"
#include "ranges/ranges.h"

static unsigned threads = 1;
static unsigned launches;
static unsigned devices = 1;
static unsigned streams = 1;
static unsigned per_range = 10;

static char range[64] = "step";
static char book[4096];  /* path, "": none is kept */
static unsigned driver;  /* launches are made through the driver API */
static unsigned encoded; /* launches have the shapes that tests/gpu/check.c reads */

static uint32_t launch(unsigned device, unsigned stream, unsigned number)
{
	const struct fake_launch one = { .name = fake_kernels[number % FAKE_KERNELS],
		                         .device = device,
		                         .stream = stream,
		                         .grid = { 1 + number % 7, 1, 1 },
		                         .block = { 256, 1, 1 },
		                         .registers = 32,
		                         .dynamic_shared = 1024,
		                         .is_driver = (int) driver };

	return fake_launch_kernel(&one);
}

/* A launch whose shape tells of thread and range. */
static uint32_t launch_encoded(const struct fake_note *note)
{
	const struct fake_launch one = { .name = "encoded",
		                         .device = note->device,
		                         .stream = note->stream,
		                         .grid = { 1 + note->range, 1, 1 },
		                         .block = { 32 * (1 + note->thread), 1, 1 } };

	return fake_launch_kernel(&one);
}

static void push_step(const struct fake_note *note)
{
	char text[64];

	snprintf(text, sizeof(text), "%s", range);
	if (book[0]) {
		fake_note_range(note, text, sizeof(text));
	}
	nvtxRangePushA(text);
}

static void keep(const struct fake_note *notes, size_t count)
{
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	FILE *file;

	pthread_mutex_lock(&lock);
	file = fopen(book, "ab");
	if (!file || fwrite(notes, sizeof(*notes), count, file) != count || fclose(file) != 0) {
		perror(book);
		exit(2);
	}
	pthread_mutex_unlock(&lock);
}

static void *work(void *argument)
{
	const unsigned self = (unsigned) (uintptr_t) argument;
	struct fake_note *notes = calloc(launches + 1, sizeof(*notes));

	for (unsigned i = 0; i < launches; i++) {
		const unsigned device = (self + i) % devices;
		struct fake_note *note = &notes[i];

		*note = (struct fake_note){ .tid = (uint32_t) gettid(),
			                    .thread = self,
			                    .range = i / per_range,
			                    .kernel = i % FAKE_KERNELS,
			                    .device = device,
			                    .stream =
			                            11 + device * streams + i / devices % streams };
		if (i % per_range == 0) {
			push_step(note);
		}
		note->correlation =
			encoded ? launch_encoded(note) : launch(device, note->stream, i);
		if (i % per_range == per_range - 1 || i == launches - 1) {
			nvtxRangePop();
		}
	}
	if (book[0]) {
		keep(notes, launches);
	}
	free(notes);
	return NULL;
}

static void by_all(void *(*what)(void *) )
{
	pthread_t *ids = calloc(threads, sizeof(*ids));

	for (unsigned i = 1; i < threads; i++) {
		pthread_create(&ids[i], NULL, what, (void *) (uintptr_t) i);
	}
	what(NULL);
	for (unsigned i = 1; i < threads; i++) {
		pthread_join(ids[i], NULL);
	}
	free(ids);
}

/* One operation of each kind. */
static void one_of_each(void)
{
	const struct fake_launch bad = { .name = "no_times", .has_no_times = 1 };
	const struct fake_launch inverted = { .name = "inverted", .start = 2000, .end = 1000 };

	nvtxRangePushA("all");
	fake_copy(0, 11, 1, 4096);
	fake_copy_peer(1, 2, 8192);
	fake_set(0, 11, 512);
	fake_sync(11);
	fake_allocate(0, 0x7f0000001000, 1048576);
	fake_record_event(11, 5);
	fake_graph_launch(0, 11, 77, 3);
	fake_chatty();
	fake_overhead();
	fake_jit();
	fake_unified(1, 65536);
	fake_unified(3, 0x401234);
	fake_unified(4, 2);
	fake_external(1, 4711);
	fake_launch_kernel(&bad);
	fake_launch_kernel(&inverted);
	launch(3, 18, 0);
	fake_drop(17);
	nvtxRangePop();
}

/* Uses memory as a program with expandable segments and pools does. */
static void use_pools(void)
{
	nvtxRangePushA("pools");
	fake_allocate(0, 0x7f0000001000, 1048576);
	fake_allocate_async(0, 0x7f0010000000, 20000000);
	fake_allocate_async(0, 0x7f0020000000, 30000000);
	fake_free_async(0, 0x7f0010000000, 20000000);
	fake_trim_pool(0);
	fake_allocate_async(1, 0x7f0030000000, 5000);
	nvtxRangePop();
	nvtxRangePushA("maps");
	fake_map(1, 0x7f1000000000, 2097152, 0, 0);
	fake_map(1, 0x7f1000200000, 4194304, 0, 0);
	fake_map(1, 0x7f1000600000, 2097152, 0, 2); /* out of memory */
	fake_map(1, 0x7f1000000000, 2097152, 1, 0);
	nvtxRangePop();
}

/* Launches with attributes. */
static void launch_attributes(void)
{
	struct fake_launch one = { .name = "plain", .grid = { 8, 1, 1 }, .block = { 64, 1, 1 } };

	fake_launch_kernel(&one);
	one.name = "clustered";
	one.cluster = 4;
	fake_launch_kernel(&one);
	one.name = "cooperative";
	one.cluster = 0;
	one.launch_type = 1;
	fake_launch_kernel(&one);
	one.name = "urgent";
	one.launch_type = 0;
	one.priority = -5;
	fake_launch_kernel(&one);
}

/* As tests/gpu/graphs.cu. */
static void launch_graphs(unsigned count)
{
	fake_allocate(0, 0x7f0000001000, 8192);
	fake_allocate(0, 0x7f0000003000, 8192);
	nvtxRangePushA("graph");
	for (unsigned i = 0; i < count; i++) {
		fake_graph_launch(0, 11, 77, 3);
	}
	nvtxRangePop();
	fake_unified(1, 65536);
}

/* Graphs that are instantiated and launched once, by as many threads as the work has. */
static unsigned instances;

static void *instantiate(void *argument)
{
	const unsigned self = (unsigned) (uintptr_t) argument;

	nvtxRangePushA("instances");
	for (unsigned i = self; i < instances; i += threads) {
		fake_graph_launch(0, 11 + self, 77 + i, 3);
	}
	nvtxRangePop();
	return NULL;
}

/* A kernel of that duration, from now on or later by that time. */
static void launch_long(unsigned ms, int is_later)
{
	struct fake_launch one = { .name = "long", .grid = { 1, 1, 1 }, .block = { 32, 1, 1 } };

	one.start = fake_now() + (is_later ? ms * UINT64_C(1000000) : 0);
	one.end = one.start + ms * UINT64_C(1000000);
	fake_launch_kernel(&one);
}

/*
 * A kernel in stream 11, behind which event 3 is recorded; one in stream 13, which ends later; and
 * one in 12, behind both, which waits for the event. With `again` that is then recorded in stream
 * 13, too, and the host waits for it.
 */
static void join_streams(unsigned again)
{
	struct fake_launch one = { .name = "first", .stream = 11, .block = { 32, 1, 1 } };
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	one.start = ((uint64_t) t.tv_sec + 1) * 1000000000u;
	one.end = one.start + 100000000;
	nvtxRangePushA("join");
	fake_record_event(13, 3); /* not this time */
	fake_launch_kernel(&one);
	fake_record_event(11, 3);
	one.name = "other";
	one.stream = 13;
	one.end += 1000000;
	fake_launch_kernel(&one);
	fake_wait_event(12, 3);
	if (again) {
		fake_record_event(13, 3);
	}
	one.name = "second";
	one.stream = 12;
	one.start = one.end + 1000000;
	one.end = one.start + 100000000;
	fake_launch_kernel(&one);
	fake_wait_event(0, 3);
	nvtxRangePop();
}

static void *opened; /* the last library that was */

static void open_library(const char *path)
{
	opened = dlopen(path, RTLD_NOW);
	if (!opened) {
		fprintf(stderr, "program: %s\n", dlerror());
		exit(2);
	}
}

static void name_objects(void)
{
	const nvtxDomainHandle_t domain = nvtxDomainCreateA("streams");
	nvtxResourceAttributes_t stream = { .version = NVTX_VERSION,
		                            .size = NVTX_RESOURCE_ATTRIB_STRUCT_SIZE,
		                            .identifierType = NVTX_RESOURCE_TYPE_CUDART_STREAM,
		                            .messageType = NVTX_MESSAGE_TYPE_ASCII };

	stream.identifier.ullValue = 0x312;
	stream.message.ascii = "prefetch";
	nvtxNameCudaDeviceA(1, "second");
	nvtxNameCudaStreamA((struct CUstream_st *) 0x112, "copies");
	nvtxNameCuContextA((struct CUctx_st *) 0x1001, "first");
	nvtxDomainResourceCreate(domain, &stream);
}

static void *work_for_context(void *context)
{
	launch(0, 11, 0); /* before */
	ranges_handoff_attach(*(uint64_t *) context);
	launch(0, 12, 1);
	ranges_handoff_attach(0);
	launch(0, 13, 2); /* on behalf of no thread */
	ranges_handoff_detach();
	launch(0, 12, 3);
	ranges_handoff_detach();
	ranges_handoff_detach(); /* one too many */
	launch(0, 14, 4);        /* after */
	return NULL;
}

/* Another thread works for a range that is closed by then. */
static void hand_off(void)
{
	uint64_t context;
	pthread_t id;

	nvtxRangePushA("asked");
	context = ranges_handoff_capture();
	nvtxRangePop();
	pthread_create(&id, NULL, work_for_context, &context);
	pthread_join(id, NULL);
	printf("context %s\n", context != 0 ? "captured" : "none");
}

/* A function of that library. */
static void call_opened(const char *name)
{
	void (*function)(void) = NULL;
	void *symbol = opened ? dlsym(opened, name) : NULL;

	memcpy(&function, &symbol, sizeof(symbol));
	if (function) {
		function();
	}
}

/* Another profiler wants CUPTI. */
static void *other_subscriber;

static void subscribe(void)
{
	int (*subscribe_fn)(void **, void (*)(void), void *) = NULL;
	void *library = dlopen("libcupti.so.13", RTLD_NOW | RTLD_NOLOAD);
	void *symbol = library ? dlsym(library, "cuptiSubscribe") : NULL;

	memcpy(&subscribe_fn, &symbol, sizeof(symbol));
	printf("subscribe %d\n", subscribe_fn ? subscribe_fn(&other_subscriber, NULL, NULL) : -1);
}

static void fork_and_work(void)
{
	const pid_t child = fork();

	if (child == 0) {
		nvtxRangePushA("child");
		nvtxRangePop();
		launch(0, 11, 0); /* CUDA does not work here, but must do no harm */
		exit(0);
	}
	waitpid(child, NULL, 0);
}

static void sleep_ms(unsigned ms)
{
	const struct timespec t = { .tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000L };

	nanosleep(&t, NULL);
}

static void print_maps(void)
{
	char line[4096];
	FILE *maps = fopen("/proc/self/maps", "r");

	while (maps && fgets(line, sizeof(line), maps)) {
		if (strstr(line, "libcupti")) {
			fputs(line, stdout);
		}
	}
	if (maps) {
		fclose(maps);
	}
}

/* Until unified memory is recorded or refused, where it was asked for. */
static void wait_unified(void)
{
	const char *kinds = getenv("RANGES_CUDA");

	if (kinds && strstr(kinds, "unified-memory")) {
		fake_wait_enabled(RCAP_CUPTI_UNIFIED_MEMORY);
	}
}

/* Until a call of CUPTI hangs, a minute at most. */
static void wait_hung(void)
{
	const char *mark = getenv("FAKE_CUPTI_HUNG");

	for (int i = 0; i < 6000 && mark && access(mark, F_OK) != 0; i++) {
		sleep_ms(10);
	}
}

/* Return: false if it has nothing to do with graphs. */
static int run_graph_command(const char *command)
{
	unsigned number;

	if (sscanf(command, "graphs=%u", &number) == 1) {
		launch_graphs(number);
	} else if (sscanf(command, "instances=%u", &instances) == 1) {
		by_all(instantiate);
	} else if (strcmp(command, "host-graph") == 0) {
		fake_graph_launch(RCAP_CUPTI_ON_HOST, 11, 78, 3);
	} else if (strcmp(command, "wholes") == 0) {
		/* Launches count as wholes from when CUPTI has been told, which is before the
		 * worker asks the next thing. */
		fake_wait_enabled(RCAP_CUPTI_GRAPH_TRACE);
		fake_wait_asked();
	} else if (strcmp(command, "nodes") == 0) {
		fake_wait_disabled(RCAP_CUPTI_GRAPH_TRACE);
	} else {
		return 0;
	}
	return 1;
}

/* Steps with a range each, and three kernels inside, which have the step's number in their names.
 */
static void make_steps(unsigned count)
{
	static char kernels[256][16];
	char text[80];

	for (unsigned i = 0; i < count && i < 256; i++) {
		const struct fake_launch one = {
			.name = kernels[i], .stream = 11, .grid = { 1, 1, 1 }, .block = { 32, 1, 1 }
		};

		snprintf(kernels[i], sizeof(kernels[i]), "in_step_%u", i);
		ranges_step();
		snprintf(text, sizeof(text), "%s %u", range, i);
		nvtxRangePushA(text);
		for (int k = 0; k < 3; k++) {
			fake_launch_kernel(&one);
		}
		nvtxRangePop();
	}
}

/* Return: false if it is none of those that make one call each. */
static int run_call(const char *command)
{
	if (strncmp(command, "begin=", 6) == 0) {
		nvtxRangePushA(command + 6);
	} else if (strcmp(command, "end") == 0) {
		nvtxRangePop();
	} else if (strcmp(command, "launch") == 0) {
		launch(0, 11, 0);
	} else if (strncmp(command, "snapshot=", 9) == 0) {
		printf("snapshot %d\n", ranges_snapshot(command + 9));
	} else {
		return 0;
	}
	return 1;
}

static void run_command(const char *command)
{
	unsigned number;

	if (sscanf(command, "threads=%u", &threads) == 1 ||
	    sscanf(command, "launches=%u", &launches) == 1 ||
	    sscanf(command, "devices=%u", &devices) == 1 ||
	    sscanf(command, "streams=%u", &streams) == 1 ||
	    sscanf(command, "per_range=%u", &per_range) == 1 ||
	    sscanf(command, "encoded=%u", &encoded) == 1 ||
	    sscanf(command, "driver=%u", &driver) == 1 ||
	    sscanf(command, "range=%63s", range) == 1 ||
	    sscanf(command, "book=%4095s", book) == 1 || run_graph_command(command) ||
	    run_call(command)) {
		return;
	}
	if (strcmp(command, "push") == 0) {
		nvtxRangePushA("early");
		nvtxRangePop();
	} else if (strcmp(command, "init") == 0) {
		cuInit(0);
	} else if (strcmp(command, "work") == 0) {
		by_all(work);
	} else if (sscanf(command, "steps=%u", &number) == 1) {
		make_steps(number);
	} else if (strcmp(command, "all") == 0) {
		one_of_each();
	} else if (strcmp(command, "unified") == 0) {
		wait_unified();
	} else if (strcmp(command, "traced") == 0) {
		fake_wait_enabled(RCAP_CUPTI_RUNTIME);
		fake_wait_asked(); /* which comes when all is enabled */
	} else if (sscanf(command, "flushed=%u", &number) == 1) {
		fake_wait_flushed(number);
	} else if (strcmp(command, "hung") == 0) {
		wait_hung();
	} else if (sscanf(command, "join=%u", &number) == 1) {
		join_streams(number);
	} else if (sscanf(command, "profile=%u", &number) == 1) {
		fake_profile((int) number);
	} else if (strcmp(command, "pools") == 0) {
		use_pools();
	} else if (strcmp(command, "attributes") == 0) {
		launch_attributes();
	} else if (strcmp(command, "reset") == 0) {
		fake_reset();
	} else if (strcmp(command, "destroy") == 0) {
		fake_destroy();
	} else if (sscanf(command, "long=%u", &number) == 1) {
		launch_long(number, 0);
	} else if (sscanf(command, "later=%u", &number) == 1) {
		launch_long(number, 1);
	} else if (strncmp(command, "open=", 5) == 0) {
		open_library(command + 5);
	} else if (strncmp(command, "call=", 5) == 0) {
		call_opened(command + 5);
	} else if (strcmp(command, "names") == 0) {
		name_objects();
	} else if (strcmp(command, "handoff") == 0) {
		hand_off();
	} else if (strcmp(command, "release") == 0) {
		ranges_cuda_release();
	} else if (strcmp(command, "subscribe") == 0) {
		subscribe();
	} else if (strcmp(command, "fork") == 0) {
		fork_and_work();
	} else if (strcmp(command, "maps") == 0) {
		print_maps();
	} else if (strcmp(command, "kill") == 0) {
		kill(getpid(), SIGKILL);
	} else if (strcmp(command, "_exit") == 0) {
		_exit(0);
	} else if (strcmp(command, "pthread_exit") == 0) {
		pthread_exit(NULL);
	} else if (strcmp(command, "exec") == 0) {
		execl("/proc/self/exe", "program", "init", "launches=5", "work", NULL);
	} else if (strcmp(command, "quick_exit") == 0) {
		quick_exit(0);
	} else if (sscanf(command, "exit=%u", &number) == 1) {
		exit((int) number);
	} else if (sscanf(command, "sleep=%u", &number) == 1) {
		sleep_ms(number);
	} else {
		fprintf(stderr, "program: no command %s\n", command);
		exit(2);
	}
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		run_command(argv[i]);
	}
	return 0;
}
/* NOLINTEND(readability-identifier-naming,cert-err34-c,performance-no-int-to-ptr) */
