/* SPDX-License-Identifier: MIT */
/* A program that hangs in ranges, or makes them as fast as it can, until it is killed. */
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ranges/nvtx.h"

static nvtxDomainHandle_t net;

static void touch(const char *path)
{
	const int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);

	if (fd >= 0) {
		close(fd);
	}
}

static void push_in(nvtxDomainHandle_t domain, const char *text)
{
	nvtxEventAttributes_t attributes;

	memset(&attributes, 0, sizeof(attributes));
	attributes.version = NVTX_VERSION;
	attributes.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
	attributes.messageType = NVTX_MESSAGE_TYPE_ASCII;
	attributes.message.ascii = text;
	nvtxDomainRangePushEx(domain, &attributes);
}

/* Some steps that end, then one that does not. */
static void *hang(void *argument)
{
	nvtxRangePushA("train");
	for (int step = 0; step < 5; step++) {
		nvtxRangePushA("step");
		push_in(net, "allreduce");
		if (step == 4) {
			break;
		}
		nvtxDomainRangePop(net);
		nvtxRangePop();
	}
	if (argument) {
		touch(argument);
	}
	for (;;) {
		pause();
	}
	return NULL;
}

static void *make_ranges(void *argument)
{
	(void) argument;
	for (;;) {
		nvtxRangePushA("outer");
		for (int i = 0; i < 100; i++) {
			nvtxRangePushA("inner");
			push_in(net, "send");
			nvtxDomainRangePop(net);
			nvtxRangePop();
		}
		nvtxRangePop();
	}
	return NULL;
}

static void nest(int depth)
{
	char name[32];

	for (int i = 0; i < depth; i++) {
		snprintf(name, sizeof(name), "level %d", i);
		nvtxRangePushA(name);
	}
}

static int requests[2]; /* a pipe of their ids */
static sem_t room;      /* for more of them */

/* Another thread ends each range. */
static void *start_requests(void *unused)
{
	(void) unused;
	for (;;) {
		nvtxRangeId_t id;

		sem_wait(&room);
		id = nvtxRangeStartA("request");
		if (write(requests[1], &id, sizeof(id)) != (ssize_t) sizeof(id)) {
			return NULL;
		}
	}
}

/* Most answers take some us, one in 256 takes ms. This thread's queue is the first. */
static void end_requests(const char *file)
{
	pthread_t thread;
	nvtxRangeId_t id;

	nvtxRangeStartA("server");
	if (pipe2(requests, O_CLOEXEC) != 0 || sem_init(&room, 0, 64) != 0 ||
	    pthread_create(&thread, NULL, start_requests, NULL) != 0) {
		return;
	}
	touch(file);
	for (unsigned i = 0; read(requests[0], &id, sizeof(id)) == (ssize_t) sizeof(id); i++) {
		nvtxRangeEnd(id);
		sem_post(&room);
		nvtxRangePushA("answer");
		if (i % 256 == 0) {
			usleep(20000);
		}
		nvtxRangePop();
	}
}

/* hanger FILE hang|busy|deep|back|started|requests: makes FILE when it is ready. */
int main(int argc, char **argv)
{
	pthread_t thread;

	if (argc != 3) {
		return 2;
	}
	net = nvtxDomainCreateA("net");
	if (strcmp(argv[2], "busy") == 0) {
		pthread_create(&thread, NULL, make_ranges, NULL);
		touch(argv[1]);
		make_ranges(NULL);
	}
	if (strcmp(argv[2], "requests") == 0) {
		end_requests(argv[1]);
		return 1;
	}
	if (strcmp(argv[2], "started") == 0) {
		const nvtxRangeId_t first = nvtxRangeStartA("request 1");

		nvtxRangeStartA("request 2");
		nvtxRangeEnd(first);
		for (int i = 0; i < 3; i++) {
			nvtxRangeStartA("write");
		}
	} else if (strcmp(argv[2], "deep") == 0) {
		nest(100);
	} else if (strcmp(argv[2], "back") == 0) {
		nest(100);
		for (int i = 0; i < 95; i++) {
			nvtxRangePop();
		}
		nest(3);
	} else {
		pthread_create(&thread, NULL, hang, argv[1]);
		nvtxRangePushA("join");
		pthread_join(thread, NULL);
	}
	touch(argv[1]);
	for (;;) {
		pause();
	}
}
