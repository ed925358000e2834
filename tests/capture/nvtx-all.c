/* SPDX-License-Identifier: MIT */
/*
 * A program that calls every function of NVTX, once or a few times, with arguments that are easy to
 * recognise; one thread, the same calls each time.
 *
 * usage: nvtx-all [GROUP]…    all groups without arguments; "nvtx-all list" prints their names
 *
 * With NVIDIA_HEADER defined it uses NVIDIA's headers instead of ours.
 */
#include "nvtx-all.h"

#include <stdio.h>

nvtxEventAttributes_t nvtx_all_make_event(const char *message)
{
	nvtxEventAttributes_t event;

	memset(&event, 0, sizeof(event));
	event.version = NVTX_VERSION;
	event.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
	event.messageType = NVTX_MESSAGE_TYPE_ASCII;
	event.message.ascii = message;
	return event;
}

nvtxDomainHandle_t nvtx_all_make_domain(const char *name)
{
	char text[64];

	snprintf(text, sizeof(text), "all.%s", name);
	return nvtxDomainCreateA(text);
}

static void call_marks(void)
{
	nvtxEventAttributes_t event = nvtx_all_make_event("mark ex");

	event.category = 11;
	event.colorType = NVTX_COLOR_ARGB;
	event.color = 0xFF112233;
	nvtxMarkA("mark a");
	nvtxMarkW(L"mark w");
	nvtxMarkEx(&event);
	event.messageType = NVTX_MESSAGE_TYPE_UNICODE;
	event.message.unicode = L"mark ex wide";
	event.payloadType = NVTX_PAYLOAD_TYPE_UNSIGNED_INT64;
	event.payload.ullValue = UINT64_C(0xFFFFFFFFFFFFFFFE);
	nvtxMarkEx(&event);
}

/* Each type of simple payload. */
static void call_values(void)
{
	nvtxEventAttributes_t event = nvtx_all_make_event("value");

	event.payloadType = NVTX_PAYLOAD_TYPE_INT64;
	event.payload.llValue = INT64_C(-1234567890123);
	nvtxMarkEx(&event);
	event.payloadType = NVTX_PAYLOAD_TYPE_DOUBLE;
	event.payload.dValue = 0.125;
	nvtxMarkEx(&event);
	event.payloadType = NVTX_PAYLOAD_TYPE_UNSIGNED_INT32;
	event.payload.ullValue = 0;
	event.payload.uiValue = 4000000000U;
	nvtxMarkEx(&event);
	event.payloadType = NVTX_PAYLOAD_TYPE_INT32;
	event.payload.iValue = -77;
	nvtxMarkEx(&event);
	event.payloadType = NVTX_PAYLOAD_TYPE_FLOAT;
	event.payload.fValue = -1.5F;
	nvtxMarkEx(&event);
}

static void call_ranges(void)
{
	nvtxEventAttributes_t event = nvtx_all_make_event("push ex");
	nvtxRangeId_t ids[3];

	event.category = 12;
	nvtxRangePushA("push a");
	nvtxRangePushW(L"push w");
	nvtxRangePushEx(&event);
	nvtxRangePop();
	nvtxRangePop();
	nvtxRangePop();
	event.message.ascii = "start ex";
	ids[0] = nvtxRangeStartA("start a");
	ids[1] = nvtxRangeStartW(L"start w");
	ids[2] = nvtxRangeStartEx(&event);
	nvtxRangeEnd(ids[1]);
	nvtxRangeEnd(ids[0]);
	nvtxRangeEnd(ids[2]);
}

static void call_core(void)
{
	nvtxInitialize(NULL);
	call_marks();
	call_values();
	call_ranges();
}

static void call_domain(void)
{
	const nvtxDomainHandle_t domain = nvtxDomainCreateA("all.domain");
	const nvtxDomainHandle_t wide = nvtxDomainCreateW(L"all.wide domain");
	nvtxEventAttributes_t event = nvtx_all_make_event("in domain");
	nvtxRangeId_t id;

	nvtxDomainMarkEx(domain, &event);
	nvtxDomainRangePushEx(domain, &event);
	nvtxDomainRangePushEx(wide, &event);
	event.messageType = NVTX_MESSAGE_TYPE_REGISTERED;
	event.message.registered = nvtxDomainRegisterStringA(domain, "registered a");
	id = nvtxDomainRangeStartEx(domain, &event);
	nvtxDomainMarkEx(domain, &event);
	event.message.registered = nvtxDomainRegisterStringW(domain, L"registered w");
	nvtxDomainMarkEx(domain, &event);
	nvtxDomainRangePop(wide);
	nvtxDomainRangePop(domain);
	nvtxDomainRangeEnd(domain, id);
	nvtxDomainDestroy(wide);
	nvtxDomainDestroy(domain);
	nvtxDomainDestroy(NULL);
}

/* Attributes with a known message: plain ones, and each kind that adds to an event. */
static void repeat(nvtxDomainHandle_t domain, nvtxEventAttributes_t event)
{
	for (int i = 0; i < 12; i++) {
		event.category = i % 4 == 1 ? 31 : 0;
		event.colorType = i % 4 == 2 ? NVTX_COLOR_ARGB : NVTX_COLOR_UNKNOWN;
		event.color = 0xFF445566;
		event.payloadType = i % 4 == 3 ? NVTX_PAYLOAD_TYPE_INT64 : NVTX_PAYLOAD_UNKNOWN;
		event.payload.llValue = -i;
		if (domain == NULL) {
			nvtxRangePushEx(&event);
			nvtxRangePop();
		}
		nvtxDomainRangePushEx(domain, &event);
		nvtxDomainMarkEx(domain, &event);
		nvtxDomainRangePop(domain);
		nvtxDomainRangeEnd(domain, nvtxDomainRangeStartEx(domain, &event));
	}
}

static void call_repeated(void)
{
	const nvtxDomainHandle_t domain = nvtx_all_make_domain("repeated");
	nvtxEventAttributes_t event = nvtx_all_make_event("again");

	repeat(NULL, event);
	repeat(domain, event);
	event.messageType = NVTX_MESSAGE_TYPE_REGISTERED;
	event.message.registered = nvtxDomainRegisterStringA(domain, "registered again");
	repeat(domain, event);
}

static void call_category(void)
{
	const nvtxDomainHandle_t domain = nvtx_all_make_domain("category");
	nvtxEventAttributes_t event = nvtx_all_make_event("of category 23");

	nvtxNameCategoryA(21, "category a");
	nvtxNameCategoryW(22, L"category w");
	nvtxDomainNameCategoryA(domain, 23, "domain category a");
	nvtxDomainNameCategoryW(domain, 24, L"domain category w");
	event.category = 23;
	nvtxDomainMarkEx(domain, &event);
	nvtxNameOsThreadA(4000001, "thread a");
	nvtxNameOsThreadW(4000002, L"thread w");
}

/* Identifiers are numbers here and nobody looks behind them, so they need not be of this process.
 */
static void create_resource(nvtxDomainHandle_t domain, uint32_t type, uint64_t identifier,
                            const char *name)
{
	nvtxResourceAttributes_t resource;
	nvtxResourceHandle_t handle;

	memset(&resource, 0, sizeof(resource));
	resource.version = NVTX_VERSION;
	resource.size = NVTX_RESOURCE_ATTRIB_STRUCT_SIZE;
	resource.identifierType = (int32_t) type;
	resource.identifier.ullValue = identifier;
	resource.messageType = NVTX_MESSAGE_TYPE_ASCII;
	resource.message.ascii = name;
	handle = nvtxDomainResourceCreate(domain, &resource);
	nvtxDomainResourceDestroy(handle);
}

static void call_resource(void)
{
	const nvtxDomainHandle_t domain = nvtx_all_make_domain("resource");
	nvtxResourceAttributes_t resource;

	create_resource(NULL, NVTX_RESOURCE_TYPE_GENERIC_POINTER, 0xA0001, "generic pointer");
	create_resource(domain, NVTX_RESOURCE_TYPE_GENERIC_HANDLE, 0xA0002, "generic handle");
	create_resource(domain, NVTX_RESOURCE_TYPE_GENERIC_THREAD_NATIVE, 0xA0003, "native thread");
	create_resource(domain, NVTX_RESOURCE_TYPE_GENERIC_THREAD_POSIX, 0xA0004, "posix thread");
	create_resource(domain, NVTX_RESOURCE_TYPE_SYNC_LINUX_FUTEX, 0xA0005, "futex");
	create_resource(domain, NVTX_RESOURCE_TYPE_SYNC_PTHREAD_MUTEX, 0xA0006, "pthread mutex");
	create_resource(domain, NVTX_RESOURCE_TYPE_CUDA_STREAM, 0xA0007, "driver stream");
	create_resource(domain, NVTX_RESOURCE_TYPE_CUDART_DEVICE, 0, "runtime device");
	create_resource(domain, NVTX_RESOURCE_TYPE_OPENCL_EVENT, 0xA0009, "opencl event");
	memset(&resource, 0, sizeof(resource));
	resource.version = NVTX_VERSION;
	resource.size = NVTX_RESOURCE_ATTRIB_STRUCT_SIZE;
	resource.identifierType = NVTX_RESOURCE_TYPE_GENERIC_HANDLE;
	resource.identifier.ullValue = 0xA000A;
	resource.messageType = NVTX_MESSAGE_TYPE_UNICODE;
	resource.message.unicode = L"never destroyed";
	nvtxDomainResourceCreate(domain, &resource);
}

static void call_sync(void)
{
	const nvtxDomainHandle_t domain = nvtx_all_make_domain("sync");
	nvtxSyncUserAttributes_t attributes;
	nvtxSyncUser_t locks[2];

	memset(&attributes, 0, sizeof(attributes));
	attributes.version = NVTX_VERSION;
	attributes.size = NVTX_SYNCUSER_ATTRIB_STRUCT_SIZE;
	attributes.messageType = NVTX_MESSAGE_TYPE_ASCII;
	attributes.message.ascii = "queue lock";
	locks[0] = nvtxDomainSyncUserCreate(domain, &attributes);
	attributes.messageType = NVTX_MESSAGE_TYPE_UNICODE;
	attributes.message.unicode = L"wide lock";
	locks[1] = nvtxDomainSyncUserCreate(domain, &attributes);
	nvtxDomainSyncUserAcquireStart(locks[0]);
	nvtxDomainSyncUserAcquireFailed(locks[0]);
	nvtxDomainSyncUserAcquireStart(locks[0]);
	nvtxDomainSyncUserAcquireSuccess(locks[0]);
	nvtxDomainSyncUserAcquireStart(locks[1]);
	nvtxDomainSyncUserAcquireSuccess(locks[1]);
	nvtxDomainSyncUserReleasing(locks[1]);
	nvtxDomainSyncUserReleasing(locks[0]);
	nvtxDomainSyncUserDestroy(locks[1]);
	nvtxDomainSyncUserDestroy(locks[0]);
}

/* Handles of no GPU: only their numbers count.
 * NOLINTBEGIN(performance-no-int-to-ptr) */
#define HANDLE(tag, number) ((struct tag *) (uintptr_t) (number))

static void call_cuda(void)
{
	nvtxNameCuDeviceA(0, "driver device a");
	nvtxNameCuDeviceW(1, L"driver device w");
	nvtxNameCuContextA(HANDLE(CUctx_st, 0xC0001), "driver context a");
	nvtxNameCuContextW(HANDLE(CUctx_st, 0xC0002), L"driver context w");
	nvtxNameCuStreamA(HANDLE(CUstream_st, 0xC0003), "driver stream a");
	nvtxNameCuStreamW(HANDLE(CUstream_st, 0xC0004), L"driver stream w");
	nvtxNameCuEventA(HANDLE(CUevent_st, 0xC0005), "driver event a");
	nvtxNameCuEventW(HANDLE(CUevent_st, 0xC0006), L"driver event w");
}

static void call_cudart(void)
{
	nvtxNameCudaDeviceA(2, "runtime device a");
	nvtxNameCudaDeviceW(3, L"runtime device w");
	nvtxNameCudaStreamA(HANDLE(CUstream_st, 0xC0011), "runtime stream a");
	nvtxNameCudaStreamW(HANDLE(CUstream_st, 0xC0012), L"runtime stream w");
	nvtxNameCudaEventA(HANDLE(CUevent_st, 0xC0013), "runtime event a");
	nvtxNameCudaEventW(HANDLE(CUevent_st, 0xC0014), L"runtime event w");
}

static void call_opencl(void)
{
	nvtxNameClDeviceA(HANDLE(_cl_device_id, 0xD0001), "cl device a");
	nvtxNameClDeviceW(HANDLE(_cl_device_id, 0xD0002), L"cl device w");
	nvtxNameClContextA(HANDLE(_cl_context, 0xD0003), "cl context a");
	nvtxNameClContextW(HANDLE(_cl_context, 0xD0004), L"cl context w");
	nvtxNameClCommandQueueA(HANDLE(_cl_command_queue, 0xD0005), "cl queue a");
	nvtxNameClCommandQueueW(HANDLE(_cl_command_queue, 0xD0006), L"cl queue w");
	nvtxNameClMemObjectA(HANDLE(_cl_mem, 0xD0007), "cl memory a");
	nvtxNameClMemObjectW(HANDLE(_cl_mem, 0xD0008), L"cl memory w");
	nvtxNameClSamplerA(HANDLE(_cl_sampler, 0xD0009), "cl sampler a");
	nvtxNameClSamplerW(HANDLE(_cl_sampler, 0xD000A), L"cl sampler w");
	nvtxNameClProgramA(HANDLE(_cl_program, 0xD000B), "cl program a");
	nvtxNameClProgramW(HANDLE(_cl_program, 0xD000C), L"cl program w");
	nvtxNameClEventA(HANDLE(_cl_event, 0xD000D), "cl event a");
	nvtxNameClEventW(HANDLE(_cl_event, 0xD000E), L"cl event w");
}

/* NOLINTEND(performance-no-int-to-ptr) */

const struct nvtx_all_group nvtx_all_core_groups[] = {
	{ "core", call_core },         { "domain", call_domain },
	{ "repeated", call_repeated }, { "category", call_category },
	{ "resource", call_resource }, { "sync", call_sync },
	{ "cuda", call_cuda },         { "cudart", call_cudart },
	{ "opencl", call_opencl },     { NULL, NULL },
};

static const struct nvtx_all_group *const lists[] = {
	nvtx_all_core_groups,  nvtx_all_payload_groups, nvtx_all_layout_groups,
	nvtx_all_event_groups, nvtx_all_other_groups,
};

/* Runs the group of this name, or all without a name; with is_listing prints them instead. Returns
 * their number. */
static int run_groups(const char *name, int is_listing)
{
	int found = 0;

	for (size_t list = 0; list < NVTX_ALL_COUNT(lists); list++) {
		for (const struct nvtx_all_group *group = lists[list]; group->name; group++) {
			if (name && strcmp(name, group->name) != 0) {
				continue;
			}
			found++;
			if (is_listing) {
				puts(group->name);
			} else {
				group->run();
			}
		}
	}
	return found;
}

int main(int argc, char **argv)
{
	if (argc < 2) {
		run_groups(NULL, 0);
	} else if (strcmp(argv[1], "list") == 0) {
		run_groups(NULL, 1);
		return 0;
	}
	for (int i = 1; i < argc; i++) {
		if (run_groups(argv[i], 0) == 0) {
			fprintf(stderr, "nvtx-all: there is no group '%s'\n", argv[i]);
			return 2;
		}
	}
	return 0;
}
