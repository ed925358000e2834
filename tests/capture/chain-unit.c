/* SPDX-License-Identifier: MIT */
/* A library that uses NVTX, for tests of chaining: a linkage unit of its own. */
#include <stdint.h>

#include <ranges/nvtx.h>

void call_from_unit(void);

__attribute__((visibility("default"))) void call_from_unit(void)
{
	const nvtxDomainHandle_t domain = nvtxDomainCreateA("unit");
	nvtxEventAttributes_t attributes = { 0 };

	attributes.version = NVTX_VERSION;
	attributes.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
	attributes.messageType = NVTX_MESSAGE_TYPE_REGISTERED;
	attributes.message.registered = nvtxDomainRegisterStringA(domain, "of a unit");
	nvtxDomainRangePushEx(domain, &attributes);
	nvtxDomainRangePop(domain);
}
