/* SPDX-License-Identifier: MIT */
/* Far too much of everything. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ranges/nvtx.h"
#include "tests/capture/abuse.h"

static nvtxEventAttributes_t make_registered(nvtxStringHandle_t string)
{
	return (nvtxEventAttributes_t){ .version = NVTX_VERSION,
		                        .size = NVTX_EVENT_ATTRIB_STRUCT_SIZE,
		                        .messageType = NVTX_MESSAGE_TYPE_REGISTERED,
		                        .message.registered = string };
}

void abuse_names(void)
{
	char text[64];

	for (int i = 0; i < abuse_many; i++) {
		(void) snprintf(text, sizeof(text), "a name that was never used before: %d", i);
		nvtxMarkA(text);
	}
	abuse_expected.events += (uint64_t) abuse_many;
}

/* Registered strings. If there is no room for one, it is NULL, which is no handle. */
void abuse_strings(void)
{
	char text[64];

	for (int i = 0; i < abuse_many; i++) {
		(void) snprintf(text, sizeof(text), "a string never registered before: %d", i);
		const nvtxStringHandle_t string = nvtxDomainRegisterStringA(NULL, text);
		const nvtxEventAttributes_t attributes = make_registered(string);

		nvtxMarkEx(&attributes);
		if (!string) {
			abuse_expected.no_handle++;
			abuse_expected.wild_handle++;
		}
	}
	abuse_expected.events += (uint64_t) abuse_many;
}

static void use_domains(int count)
{
	const nvtxEventAttributes_t attributes = { .version = NVTX_VERSION,
		                                   .size = NVTX_EVENT_ATTRIB_STRUCT_SIZE,
		                                   .messageType = NVTX_MESSAGE_TYPE_ASCII,
		                                   .message.ascii = "in one of many" };
	nvtxDomainHandle_t *domains = calloc((size_t) count, sizeof(nvtxDomainHandle_t));
	char text[64];

	for (int i = 0; domains && i < count; i++) {
		(void) snprintf(text, sizeof(text), "domain %d", i);
		domains[i] = nvtxDomainCreateA(text);
		abuse_expected.no_handle += domains[i] == NULL;
	}
	/* Ranges are opened in all domains, then closed in all. */
	for (int i = 0; domains && i < count; i++) {
		nvtxDomainRangePushEx(domains[i], &attributes);
	}
	for (int i = 0; domains && i < count; i++) {
		if (nvtxDomainRangePop(domains[i]) < 0) {
			abuse_expected.events = 0; /* there was no open range */
			return;
		}
	}
	for (int i = 0; domains && i < count; i++) {
		nvtxDomainDestroy(domains[i]);
	}
	free(domains);
	abuse_expected.events += 2 * (uint64_t) count;
}

void abuse_domains(void)
{
	use_domains(10000);
}

void abuse_many_domains(void)
{
	use_domains(100000);
}

void abuse_depth(void)
{
	nvtxDomainHandle_t domain = nvtxDomainCreateA("deep");
	const nvtxEventAttributes_t attributes =
		make_registered(nvtxDomainRegisterStringA(domain, "deep"));
	int wrong = 0;

	for (int i = 0; i < 100000; i++) {
		wrong += nvtxRangePushA("deep") != i;
		wrong += nvtxDomainRangePushEx(domain, &attributes) != i;
	}
	for (int i = 100000; i-- > 0;) {
		wrong += nvtxDomainRangePop(domain) != i;
		wrong += nvtxRangePop() != i;
	}
	abuse_expected.events += wrong == 0 ? 400000 : 0;
}

static void *emit(void *argument)
{
	for (int i = 0; i < 3; i++) {
		nvtxRangePushA("in a thread");
		nvtxRangePop();
	}
	return argument;
}

void abuse_threads(void)
{
	pthread_t thread;

	for (int i = 0; i < 10000; i++) {
		if (pthread_create(&thread, NULL, emit, NULL) != 0) {
			exit(2); /* NOLINT(concurrency-mt-unsafe): one thread */
		}
		pthread_join(thread, NULL);
	}
	abuse_expected.events += 60000;
}

#define CROWD 2000

static pthread_barrier_t barrier;

static void *emit_together(void *argument)
{
	pthread_barrier_wait(&barrier);
	emit(NULL);
	pthread_barrier_wait(&barrier);
	return argument;
}

/* All threads live, and have their queues, at the same time. */
void abuse_crowd(void)
{
	static pthread_t threads[CROWD];
	pthread_attr_t attributes;

	pthread_barrier_init(&barrier, NULL, CROWD);
	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, (size_t) 128 * 1024);
	for (int i = 0; i < CROWD; i++) {
		if (pthread_create(&threads[i], &attributes, emit_together, NULL) != 0) {
			exit(3); /* NOLINT(concurrency-mt-unsafe): the others wait */
		}
	}
	for (int i = 0; i < CROWD; i++) {
		pthread_join(threads[i], NULL);
	}
	pthread_attr_destroy(&attributes);
	abuse_expected.events += (uint64_t) CROWD * 6;
}

/* The same names for the same objects in each step, as in real programs. */
void abuse_repeats(void)
{
	for (int i = 0; i < abuse_many; i++) {
		nvtxDomainHandle_t domain = nvtxDomainCreateA("the same domain");

		nvtxDomainNameCategoryA(domain, 7, "the same category");
		nvtxNameCategoryW(8, L"the same category");
		nvtxNameOsThreadA(4711, "the same thread");
		nvtxDomainRegisterStringA(domain, "the same string");
		nvtxDomainDestroy(domain);
	}
}
