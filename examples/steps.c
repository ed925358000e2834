/* SPDX-License-Identifier: MIT */
/*
 * A small program with a main loop, annotated: 20 steps of load, compute, save; a loader thread
 * that reads ahead. It takes about 0.3 s. See the Makefile next to it for how to build it, and run
 * it with
 *
 *	ranges run -o trace.bin -- ./steps
 */
#include <pthread.h>
#include <semaphore.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <ranges/nvtx.h>

enum {
	USUAL_STEPS = 20,
	MOST_STEPS = 1000,
	SAVE_EVERY = 5,
	BATCH_BYTES = 4096,
	CATEGORY_DISK = 1,
};

/* What one thread hands to the other: a batch and the range that covers its whole way. */
struct batch {
	int number;
	nvtxRangeId_t on_its_way;
};

static struct batch batches[MOST_STEPS];
static int steps = USUAL_STEPS;
static sem_t loaded;

/* A domain keeps a library's ranges apart from those of its users. */
static nvtxDomainHandle_t io;
static nvtxStringHandle_t read_name;

static void sleep_us(long us)
{
	const struct timespec time = { 0, us * 1000 };

	nanosleep(&time, NULL);
}

/* Stands for computing: keeps the CPU busy for a while. */
static void work_us(long us)
{
	struct timespec start;
	struct timespec now;
	long elapsed_us;

	clock_gettime(CLOCK_MONOTONIC, &start);
	do {
		clock_gettime(CLOCK_MONOTONIC, &now);
		elapsed_us = (now.tv_sec - start.tv_sec) * 1000000 +
		             (now.tv_nsec - start.tv_nsec) / 1000;
	} while (elapsed_us < us);
}

static nvtxEventAttributes_t make_attributes(const char *name, uint32_t argb)
{
	nvtxEventAttributes_t attributes;

	memset(&attributes, 0, sizeof(attributes));
	attributes.version = NVTX_VERSION;
	attributes.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
	attributes.colorType = NVTX_COLOR_ARGB;
	attributes.color = argb;
	attributes.messageType = NVTX_MESSAGE_TYPE_ASCII;
	attributes.message.ascii = name;
	return attributes;
}

/* A range in the domain, with a category and the number of bytes as payload. */
static void read_batch(void)
{
	nvtxEventAttributes_t attributes = make_attributes(NULL, 0xFF4C9F70);

	attributes.category = CATEGORY_DISK;
	attributes.payloadType = NVTX_PAYLOAD_TYPE_UNSIGNED_INT64;
	attributes.payload.ullValue = BATCH_BYTES;
	attributes.messageType = NVTX_MESSAGE_TYPE_REGISTERED;
	attributes.message.registered = read_name;
	nvtxDomainRangePushEx(io, &attributes);
	sleep_us(2000);
	nvtxDomainRangePop(io);
}

static void *run_loader(void *arg)
{
	(void) arg;
	nvtxNameOsThreadA((uint32_t) syscall(SYS_gettid), "loader");
	for (int i = 0; i < steps; i++) {
		batches[i].number = i;
		/* Ends in another thread: that is what start/end is for; push/pop nest within a
		 * thread. */
		batches[i].on_its_way = nvtxRangeStartA("batch on its way");
		read_batch();
		sem_post(&loaded);
	}
	return NULL;
}

static void compute(void)
{
	const nvtxEventAttributes_t attributes = make_attributes("compute", 0xFF3B6EA8);

	nvtxRangePushEx(&attributes);
	nvtxRangePushA("forward");
	work_us(3000);
	nvtxRangePop();
	nvtxRangePushA("backward");
	work_us(6000);
	nvtxRangePop();
	nvtxRangePop();
}

static void save(void)
{
	const nvtxEventAttributes_t attributes = make_attributes("save", 0xFFB5651D);

	nvtxRangePushEx(&attributes);
	sleep_us(4000);
	nvtxRangePop();
	nvtxMarkA("saved");
}

static void run_step(int step)
{
	char name[32];

	snprintf(name, sizeof(name), "step %d", step);
	nvtxRangePushA(name); /* the name is copied: the buffer may be used again */
	nvtxRangePushA("load");
	sem_wait(&loaded);
	nvtxRangeEnd(batches[step].on_its_way);
	nvtxRangePop();
	compute();
	if ((step + 1) % SAVE_EVERY == 0) {
		save();
	}
	nvtxRangePop();
}

/* steps [N]: how many steps. */
int main(int argc, char **argv)
{
	pthread_t loader;

	if (argc > 1) {
		const long wanted = strtol(argv[1], NULL, 10);

		steps = wanted > 0 && wanted < MOST_STEPS ? (int) wanted : MOST_STEPS;
	}

	io = nvtxDomainCreateA("io");
	read_name = nvtxDomainRegisterStringA(io, "read");
	nvtxDomainNameCategoryA(io, CATEGORY_DISK, "disk");
	nvtxNameOsThreadA((uint32_t) syscall(SYS_gettid), "main");
	sem_init(&loaded, 0, 0);
	if (pthread_create(&loader, NULL, run_loader, NULL) != 0) {
		return 1;
	}
	for (int step = 0; step < steps; step++) {
		run_step(step);
	}
	pthread_join(loader, NULL);
	/* Per step: step, load, compute, forward, backward, read; saves come on top. */
	printf("%d steps, %d ranges pushed, %d started, %d marks\n", steps,
	       steps * 6 + steps / SAVE_EVERY, steps, steps / SAVE_EVERY);
	return 0;
}
