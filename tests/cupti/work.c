/* SPDX-License-Identifier: MIT */
/* A program that describes the work of its ranges in payloads, and in names like emit_nvtx's. */
#include <stdint.h>

#include "fake.h"
#include "ranges/nvtx-payload.h"
#include "ranges/nvtx.h"

struct work {
	uint64_t flops;
	uint64_t bytes;
};

static uint64_t register_work(nvtxDomainHandle_t domain)
{
	const nvtxPayloadSchemaEntry_t entries[] = {
		{ 0, NVTX_PAYLOAD_ENTRY_TYPE_UINT64, "flops", NULL, 0, 0, NULL, NULL },
		{ 0, NVTX_PAYLOAD_ENTRY_TYPE_UINT64, "bytes", NULL, 0, 8, NULL, NULL },
	};
	nvtxPayloadSchemaAttr_t schema = { 0 };

	schema.fieldMask = NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_TYPE |
	                   NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_ENTRIES |
	                   NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_NUM_ENTRIES |
	                   NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_STATIC_SIZE;
	schema.type = NVTX_PAYLOAD_SCHEMA_TYPE_STATIC;
	schema.payloadStaticSize = sizeof(struct work);
	schema.entries = entries;
	schema.numEntries = 2;
	return nvtxPayloadSchemaRegister(domain, &schema);
}

static void launch(void)
{
	const struct fake_launch one = {
		.name = "kernel", .stream = 1, .grid = { 1, 1, 1 }, .block = { 32, 1, 1 }
	};

	fake_launch_kernel(&one);
}

int main(void)
{
	const nvtxDomainHandle_t domain = nvtxDomainCreateA("own");
	const uint64_t id = register_work(domain);
	const struct work work = { 4000000, 1000000 };
	const nvtxPayloadData_t data = { id, sizeof(work), &work };
	nvtxEventAttributes_t event = { 0 };

	cuInit(0);
	event.version = NVTX_VERSION;
	event.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
	event.messageType = NVTX_MESSAGE_TYPE_ASCII;
	event.message.ascii = "solve";
	event.payloadType = NVTX_PAYLOAD_TYPE_EXT;
	event.payload.ullValue = NVTX_POINTER_AS_PAYLOAD_ULLVALUE(&data);
	event.reserved0 = 1;
	nvtxDomainRangePushEx(domain, &event);
	launch();
	nvtxDomainRangePop(domain);
	nvtxRangePushA("aten::mm, seq = 1, op_id = 2, sizes = [[20, 30], [30, 50]]");
	launch();
	nvtxRangePop();
	nvtxRangePushA("aten::mm, seq = 2, op_id = 3, sizes = [[20, 30], [30, 50]]");
	nvtxRangePop(); /* on no GPU */
	return 0;
}
