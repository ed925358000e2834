/* SPDX-License-Identifier: MIT */
/* Calls every function of the NVTX core once, in C or C++, with our header or (NVIDIA_HEADER)
 * NVIDIA's. */
#ifdef NVIDIA_HEADER
#include <nvtx3/nvToolsExt.h>
#else
#include <ranges/nvtx.h>
#endif

#include <stdio.h>
#include <string.h>

static nvtxEventAttributes_t make_attributes(const char *text)
{
	nvtxEventAttributes_t attributes;

	memset(&attributes, 0, sizeof(attributes));
	attributes.version = NVTX_VERSION;
	attributes.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
	attributes.category = 7;
	attributes.colorType = NVTX_COLOR_ARGB;
	attributes.color = 0xFF102030;
	attributes.payloadType = NVTX_PAYLOAD_TYPE_DOUBLE;
	attributes.payload.dValue = 0.5;
	attributes.messageType = NVTX_MESSAGE_TYPE_ASCII;
	attributes.message.ascii = text;
	return attributes;
}

static void call_core(void)
{
	const nvtxEventAttributes_t attributes = make_attributes("ex");

	printf("push %d", nvtxRangePushA("a"));
	printf(" %d", nvtxRangePushW(L"w"));
	printf(" %d\n", nvtxRangePushEx(&attributes));
	printf("pop %d", nvtxRangePop());
	printf(" %d", nvtxRangePop());
	printf(" %d\n", nvtxRangePop());
	printf("start %d", nvtxRangeStartA("a") != 0);
	printf(" %d", nvtxRangeStartW(L"w") != 0);
	printf(" %d\n", nvtxRangeStartEx(&attributes) != 0);
	nvtxRangeEnd(1);
	nvtxMarkA("a");
	nvtxMarkW(L"w");
	nvtxMarkEx(&attributes);
	nvtxNameCategoryA(1, "a");
	nvtxNameCategoryW(2, L"w");
	nvtxNameOsThreadA(3, "a");
	nvtxNameOsThreadW(4, L"w");
}

static void call_domain(nvtxDomainHandle_t domain)
{
	nvtxEventAttributes_t attributes = make_attributes(NULL);
	nvtxResourceAttributes_t resource;
	nvtxResourceHandle_t handle;

	attributes.messageType = NVTX_MESSAGE_TYPE_REGISTERED;
	attributes.message.registered = nvtxDomainRegisterStringA(domain, "registered");
	printf("strings %d", attributes.message.registered != NULL);
	printf(" %d\n", nvtxDomainRegisterStringW(domain, L"wide") != NULL);
	printf("domain push %d", nvtxDomainRangePushEx(domain, &attributes));
	printf(" pop %d", nvtxDomainRangePop(domain));
	printf(" start %d\n", nvtxDomainRangeStartEx(domain, &attributes) != 0);
	nvtxDomainRangeEnd(domain, 1);
	nvtxDomainMarkEx(domain, &attributes);
	nvtxDomainNameCategoryA(domain, 1, "a");
	nvtxDomainNameCategoryW(domain, 2, L"w");
	memset(&resource, 0, sizeof(resource));
	resource.version = NVTX_VERSION;
	resource.size = NVTX_RESOURCE_ATTRIB_STRUCT_SIZE;
	resource.identifierType = NVTX_RESOURCE_TYPE_GENERIC_POINTER;
	resource.identifier.pValue = &resource;
	resource.messageType = NVTX_MESSAGE_TYPE_ASCII;
	resource.message.ascii = "lock";
	handle = nvtxDomainResourceCreate(domain, &resource);
	printf("resource %d\n", handle != NULL);
	nvtxDomainResourceDestroy(handle);
}

int main(void)
{
	nvtxDomainHandle_t domain;

	nvtxInitialize(NULL);
	call_core();
	domain = nvtxDomainCreateA("domain");
	printf("domains %d", domain != NULL);
	printf(" %d\n", nvtxDomainCreateW(L"wide") != NULL);
	call_domain(domain);
	nvtxDomainDestroy(domain);
	/* The names without a suffix. */
	nvtxRangePush("plain");
	nvtxRangePop();
	nvtxRangeEnd(nvtxRangeStart("plain"));
	nvtxMark("plain");
	return 0;
}
