/* SPDX-License-Identifier: MIT */
/*
 * Makes the same calls in every domain named on the command line, "-" being the default one, and
 * prints for each what they returned: NAME push pop start handle. A first argument changes that:
 *	--fork             the same in a child as well
 *	--thread A B       calls in A, and in another thread calls in B and the default domain
 *	--mix A B          calls in A with what belongs to B
 */
#ifdef WITH_NVIDIA
#include <nvtx3/nvToolsExt.h>
#include <nvtx3/nvToolsExtSync.h>
#else
#include <ranges/nvtx-sync.h>
#include <ranges/nvtx.h>
#endif

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/*
 * Calls that leave an event: 3 pushes and pops, a start and an end, 2 marks, a category; not in the
 * default domain: its creation, a registered string, a resource made and destroyed, a sync object
 * made, waited for, failed, got, released and destroyed.
 */

static nvtxEventAttributes_t make_event(void)
{
	nvtxEventAttributes_t event;

	memset(&event, 0, sizeof(event));
	event.version = NVTX_VERSION;
	event.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
	event.messageType = NVTX_MESSAGE_TYPE_ASCII;
	event.message.ascii = "literal";
	return event;
}

static void use_objects(nvtxDomainHandle_t domain)
{
	nvtxResourceAttributes_t resource;
	nvtxSyncUserAttributes_t object;
	nvtxSyncUser_t lock;

	memset(&resource, 0, sizeof(resource));
	resource.version = NVTX_VERSION;
	resource.size = NVTX_RESOURCE_ATTRIB_STRUCT_SIZE;
	resource.messageType = NVTX_MESSAGE_TYPE_ASCII;
	resource.message.ascii = "resource";
	nvtxDomainResourceDestroy(nvtxDomainResourceCreate(domain, &resource));
	memset(&object, 0, sizeof(object));
	object.version = NVTX_VERSION;
	object.size = NVTX_SYNCUSER_ATTRIB_STRUCT_SIZE;
	object.messageType = NVTX_MESSAGE_TYPE_ASCII;
	object.message.ascii = "lock";
	lock = nvtxDomainSyncUserCreate(domain, &object);
	nvtxDomainSyncUserAcquireStart(lock);
	nvtxDomainSyncUserAcquireFailed(lock);
	nvtxDomainSyncUserAcquireSuccess(lock);
	nvtxDomainSyncUserReleasing(lock);
	nvtxDomainSyncUserDestroy(lock);
}

static void use_domain(const char *name)
{
	const nvtxDomainHandle_t domain = nvtxDomainCreateA(name);
	nvtxEventAttributes_t event = make_event();
	nvtxRangeId_t id;
	int push;
	int pop;

	nvtxDomainNameCategoryA(domain, 7, "seven");
	push = nvtxDomainRangePushEx(domain, &event);
	pop = nvtxDomainRangePop(domain);
	event.messageType = NVTX_MESSAGE_TYPE_REGISTERED;
	event.message.registered = nvtxDomainRegisterStringA(domain, "registered");
	nvtxDomainRangePushEx(domain, &event);
	nvtxDomainRangePop(domain);
	event.category = 7;
	event.colorType = NVTX_COLOR_ARGB;
	event.color = 0xFF112233;
	event.payloadType = NVTX_PAYLOAD_TYPE_DOUBLE;
	event.payload.dValue = 1.5;
	nvtxDomainRangePushEx(domain, &event);
	nvtxDomainRangePop(domain);
	id = nvtxDomainRangeStartEx(domain, &event);
	nvtxDomainRangeEnd(domain, id);
	nvtxDomainMarkEx(domain, &event);
	event = make_event();
	nvtxDomainMarkEx(domain, &event);
	use_objects(domain);
	printf("%s %d %d %d %d\n", name, push, pop, id != 0, domain != NULL);
}

static void use_default(void)
{
	nvtxEventAttributes_t event = make_event();
	nvtxRangeId_t id;
	int push;
	int pop;

	nvtxNameCategoryA(7, "seven");
	push = nvtxRangePushA("literal");
	pop = nvtxRangePop();
	nvtxRangePushW(L"wide");
	nvtxRangePop();
	nvtxDomainRangePushEx(NULL, &event);
	nvtxDomainRangePop(NULL);
	id = nvtxRangeStartA("literal");
	nvtxRangeEnd(id);
	nvtxMarkA("literal");
	nvtxDomainMarkEx(NULL, &event);
	printf("- %d %d %d 0\n", push, pop, id != 0);
	fflush(stdout);
}

/* Every kind of call that makes no handle, in a domain and in the default one. */
static void *use_handle(void *domain)
{
	nvtxEventAttributes_t event = make_event();

	nvtxDomainNameCategoryA((nvtxDomainHandle_t) domain, 7, "seven");
	nvtxDomainRangePushEx((nvtxDomainHandle_t) domain, &event);
	nvtxDomainRangePop((nvtxDomainHandle_t) domain);
	nvtxDomainRangeEnd((nvtxDomainHandle_t) domain,
	                   nvtxDomainRangeStartEx((nvtxDomainHandle_t) domain, &event));
	nvtxDomainMarkEx((nvtxDomainHandle_t) domain, &event);
	use_default();
	return NULL;
}

static void *use_all(void *names)
{
	for (char **name = names; *name; name++) {
		if (strcmp(*name, "-") == 0) {
			use_default();
		} else {
			use_domain(*name);
		}
	}
	fflush(stdout);
	return NULL;
}

/* Each line of what is printed is one thing that must come out well. */
static void mix(const char *here, const char *other)
{
	const nvtxDomainHandle_t domain = nvtxDomainCreateA(here);
	const nvtxDomainHandle_t foreign = nvtxDomainCreateA(other);
	nvtxEventAttributes_t event = make_event();
	nvtxRangeId_t id;

	nvtxNameOsThreadA(4711, "named thread");
	event.messageType = NVTX_MESSAGE_TYPE_REGISTERED;
	event.message.registered = nvtxDomainRegisterStringA(foreign, "foreign string");
	nvtxDomainMarkEx(domain, &event);
	nvtxDomainRegisterStringA(foreign, "string not used");
	event = make_event();
	id = nvtxDomainRangeStartEx(domain, &event);
	nvtxRangeEnd(id);
	/* Marks let a thread know the text, but no domain: the default one must stay untouched. */
	for (int i = 0; i < 3; i++) {
		nvtxDomainMarkEx(domain, &event);
		nvtxDomainRangePushEx(NULL, &event);
		nvtxRangePushA("literal");
		nvtxRangePop();
	}
	nvtxDomainRangeEnd(foreign, 0);
	nvtxRangeEnd(0);
	printf("%d %d\n", nvtxDomainCreateA(other) == foreign, foreign != domain);
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	pthread_t thread;

	if (strcmp(what, "--mix") == 0 && argc == 4) {
		mix(argv[2], argv[3]);
	} else if (strcmp(what, "--thread") == 0 && argc == 4) {
		use_domain(argv[2]);
		pthread_create(&thread, NULL, use_handle, nvtxDomainCreateA(argv[3]));
		pthread_join(thread, NULL);
	} else if (strcmp(what, "--fork") == 0) {
		use_all(argv + 2);
		if (fork() == 0) {
			use_all(argv + 2);
			exit(0);
		}
		wait(NULL);
	} else {
		use_all(argv + 1);
	}
	return 0;
}
