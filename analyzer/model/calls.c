/* SPDX-License-Identifier: MIT */
/* NVTX's functions that are recorded as calls: doc/format.md, section 14. */
#include "analyzer/model/calls.h"

#include <stddef.h>

#include "analyzer/base/search.h"

/* By number; tests/house/check-spec.sh compares it with the text. */
static const struct ra_calls_function functions[] = {
	{ 0x010C, "nvtxNameCategoryA", "category" },
	{ 0x010D, "nvtxNameCategoryW", "category" },
	{ 0x010E, "nvtxNameOsThreadA", "thread id" },
	{ 0x010F, "nvtxNameOsThreadW", "thread id" },
	{ 0x0201, "nvtxNameCuDeviceA", "device" },
	{ 0x0202, "nvtxNameCuDeviceW", "device" },
	{ 0x0203, "nvtxNameCuContextA", "context" },
	{ 0x0204, "nvtxNameCuContextW", "context" },
	{ 0x0205, "nvtxNameCuStreamA", "stream" },
	{ 0x0206, "nvtxNameCuStreamW", "stream" },
	{ 0x0207, "nvtxNameCuEventA", "event" },
	{ 0x0208, "nvtxNameCuEventW", "event" },
	{ 0x0301, "nvtxNameClDeviceA", "device" },
	{ 0x0302, "nvtxNameClDeviceW", "device" },
	{ 0x0303, "nvtxNameClContextA", "context" },
	{ 0x0304, "nvtxNameClContextW", "context" },
	{ 0x0305, "nvtxNameClCommandQueueA", "command queue" },
	{ 0x0306, "nvtxNameClCommandQueueW", "command queue" },
	{ 0x0307, "nvtxNameClMemObjectA", "memory object" },
	{ 0x0308, "nvtxNameClMemObjectW", "memory object" },
	{ 0x0309, "nvtxNameClSamplerA", "sampler" },
	{ 0x030A, "nvtxNameClSamplerW", "sampler" },
	{ 0x030B, "nvtxNameClProgramA", "program" },
	{ 0x030C, "nvtxNameClProgramW", "program" },
	{ 0x030D, "nvtxNameClEventA", "event" },
	{ 0x030E, "nvtxNameClEventW", "event" },
	{ 0x0401, "nvtxNameCudaDeviceA", "device" },
	{ 0x0402, "nvtxNameCudaDeviceW", "device" },
	{ 0x0403, "nvtxNameCudaStreamA", "stream" },
	{ 0x0404, "nvtxNameCudaStreamW", "stream" },
	{ 0x0405, "nvtxNameCudaEventA", "event" },
	{ 0x0406, "nvtxNameCudaEventW", "event" },
	{ 0x0506, "nvtxDomainResourceCreate", "resource id, identifier type, identifier" },
	{ 0x0507, "nvtxDomainResourceDestroy", "resource id" },
	{ 0x0508, "nvtxDomainNameCategoryA", "category" },
	{ 0x0509, "nvtxDomainNameCategoryW", "category" },
	{ 0x050A, "nvtxDomainRegisterStringA", "handle" },
	{ 0x050B, "nvtxDomainRegisterStringW", "handle" },
	{ 0x050C, "nvtxDomainCreateA", "" },
	{ 0x050D, "nvtxDomainCreateW", "" },
	{ 0x050E, "nvtxDomainDestroy", "" },
	{ 0x050F, "nvtxInitialize", "" },
	{ 0x0601, "nvtxDomainSyncUserCreate", "sync object id" },
	{ 0x0602, "nvtxDomainSyncUserDestroy", "sync object id" },
	{ 0x1100, "nvtxMemHeapRegister", "heap id, usage, type, category, address, size" },
	{ 0x1101, "nvtxMemHeapUnregister", "heap id" },
	{ 0x1102, "nvtxMemHeapReset", "heap id" },
	{ 0x1103, "nvtxMemRegionsRegister", "region type, heap id, [[address, size, region id]…]" },
	{ 0x1104, "nvtxMemRegionsResize", "region type, [[address, size]…]" },
	{ 0x1105, "nvtxMemRegionsUnregister", "reference type, [region…]" },
	{ 0x1106, "nvtxMemRegionsName", "[[reference type, region, name, category]…]" },
	{ 0x1107, "nvtxMemPermissionsAssign",
	  "permissions id, [[flags, reference type, region]…]" },
	{ 0x1108, "nvtxMemPermissionsCreate", "permissions id, flags" },
	{ 0x1109, "nvtxMemPermissionsDestroy", "permissions id" },
	{ 0x110A, "nvtxMemPermissionsReset", "permissions id" },
	{ 0x110B, "nvtxMemPermissionsBind", "permissions id, scope, flags" },
	{ 0x110C, "nvtxMemPermissionsUnbind", "scope" },
	{ 0x110D, "nvtxMemCudaGetProcessWidePermissions", "permissions id" },
	{ 0x110E, "nvtxMemCudaGetDeviceWidePermissions", "permissions id, device" },
	{ 0x110F, "nvtxMemCudaSetPeerAccess", "permissions id, peer, flags" },
	{ 0x1110, "nvtxMemCudaMarkInitialized",
	  "stream, is per-thread stream, region type, [[address, size]…]" },
	{ 0x1200, "nvtxPayloadSchemaRegister", "schema id, then the detail of kind 9" },
	{ 0x1201, "nvtxPayloadEnumRegister", "schema id, then the detail of kind 10" },
	{ 0x1207, "nvtxDomainIsEnabled", "answer" },
	{ 0x1209, "nvtxTimeDomainRegister",
	  "time domain id, scope id, timestamp type, flags, resolution, start" },
	{ 0x120A, "nvtxTimerSource", "time domain id, flags" },
	{ 0x120B, "nvtxTimerSourceWithData", "time domain id, flags" },
	{ 0x120C, "nvtxScopeRegister", "scope id, parent scope id" },
	{ 0x120D, "nvtxTimeSyncPoint", "time domain 1, time domain 2, time 1, time 2" },
	{ 0x120E, "nvtxTimeSyncPointTable", "source, destination, [[time, time]…]" },
	{ 0x120F, "nvtxTimestampConversionFactor",
	  "source, destination, slope (float), source time, destination time" },
	{ 0x1210, "nvtxEventSubmit", "a payload for each element" },
	{ 0x1211, "nvtxEventBatchSubmit",
	  "schema id, size, bytes, flexible data size, flexible data offset, flexible data, scope "
	  "id, flags" },
	{ 0x1400, "nvtxCounterRegister", "counter id, then the detail of kind 13" },
	{ 0x1405, "nvtxCounterBatchSubmit", "counter id, flags, size, bytes, [time…]" },
};

const struct ra_calls_function *ra_calls_find(uint64_t number)
{
	struct ra_search at = ra_search_in(0, sizeof(functions) / sizeof(functions[0]));

	while (ra_search_next(&at)) {
		ra_search_tell(&at, functions[at.middle].number < number);
	}
	return at.low < sizeof(functions) / sizeof(functions[0]) &&
	                       functions[at.low].number == number
	               ? &functions[at.low]
	               : NULL;
}
