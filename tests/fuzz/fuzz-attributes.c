/* SPDX-License-Identifier: MIT */
/*
 * Fuzz target: any bytes as the attribute structs of NVTX's calls, and as the texts, payloads and
 * schemas that they point to, in the process that is recorded. Every struct ends where its memory
 * ends. The log is the fuzzer's own; what it says is judged elsewhere.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <ranges/nvtx-payload.h>
#include <ranges/nvtx-sync.h>

#define ROOM_BYTES 65536u

/* The name is libFuzzer's. NOLINTNEXTLINE(readability-identifier-naming) */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What is left of the input. */
struct bytes {
	const uint8_t *at;
	size_t count;
};

static nvtxDomainHandle_t domain;
static nvtxStringHandle_t string;
static char log_name[] = "/tmp/fuzz-attributes.XXXXXX";

static void remove_log(void)
{
	(void) unlink(log_name);
}

static void set_up(void)
{
	const int fd = mkstemp(log_name);

	if (fd < 0) {
		abort();
	}
	(void) close(fd);
	(void) atexit(remove_log);
	(void) setenv("RANGES_OUTPUT", log_name, 1);
	(void) setenv("RANGES_LOG", "quiet", 1);
	(void) setenv("RANGES_CUDA", "off", 1);
	(void) setenv("RANGES_BUFFER", "4M", 1);
	domain = nvtxDomainCreateA("fuzz");
	string = nvtxDomainRegisterStringA(domain, "registered");
	/* A target that is not recorded tries nothing. */
	if (domain == NULL || string == NULL || nvtxRangePushA("first") < 0) {
		abort();
	}
}

/* Memory behind which there is none: what is `count` bytes long ends at its end. */
static char *at_edge(unsigned number, size_t count)
{
	static char *ends[4];

	if (ends[number] == NULL) {
		char *const room = mmap(NULL, ROOM_BYTES + 4096, PROT_READ | PROT_WRITE,
		                        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

		if (room == MAP_FAILED || mprotect(room + ROOM_BYTES, 4096, PROT_NONE) != 0) {
			abort();
		}
		ends[number] = room + ROOM_BYTES;
	}
	return ends[number] - count;
}

static size_t take(struct bytes *input, void *out, size_t count)
{
	const size_t taken = input->count < count ? input->count : count;

	if (taken > 0) {
		memcpy(out, input->at, taken);
	}
	memset((char *) out + taken, 0, count - taken);
	input->at += taken;
	input->count -= taken;
	return taken;
}

static size_t take_byte(struct bytes *input)
{
	uint8_t byte = 0;

	take(input, &byte, 1);
	return byte;
}

/* A text that ends where its memory does. */
static const char *take_text(struct bytes *input)
{
	const size_t length = take_byte(input) % 64 * 4;
	char *const text = at_edge(0, length + 4);

	take(input, text, length);
	memset(text + length, 0, 4);
	return text;
}

/* An attribute struct as long as it says, of a whole number of words. */
static nvtxEventAttributes_t *take_attributes(struct bytes *input, const nvtxPayloadData_t *payload)
{
	const uint16_t size = (uint16_t) (take_byte(input) % 16 * 4 + 4);
	nvtxEventAttributes_t whole;
	nvtxEventAttributes_t *attributes;

	take(input, &whole, sizeof(whole));
	whole.size = size;
	if (whole.messageType == NVTX_MESSAGE_TYPE_REGISTERED) {
		whole.message.registered = string;
	} else {
		whole.message.ascii = take_text(input);
	}
	if (whole.payloadType == NVTX_PAYLOAD_TYPE_EXT) {
		whole.payload.ullValue = NVTX_POINTER_AS_PAYLOAD_ULLVALUE(payload);
		whole.reserved0 = 1;
	}
	attributes = (nvtxEventAttributes_t *) (void *) at_edge(1, ((size_t) size + 7u) / 8u * 8u);
	memcpy(attributes, &whole, size < sizeof(whole) ? size : sizeof(whole));
	return attributes;
}

/* A schema of any entries; the payload is any bytes. */
static nvtxPayloadData_t take_payload(struct bytes *input)
{
	const size_t count = take_byte(input) % 8;
	nvtxPayloadSchemaEntry_t *const entries =
		(nvtxPayloadSchemaEntry_t *) (void *) at_edge(2, count * sizeof(*entries));
	nvtxPayloadSchemaAttr_t schema;
	nvtxPayloadData_t payload;

	for (size_t i = 0; i < count; i++) {
		take(input, &entries[i], sizeof(entries[i]));
		entries[i].name = i % 2 == 0 ? "field" : NULL;
		entries[i].description = NULL;
		entries[i].semantics = NULL;
	}
	take(input, &schema, sizeof(schema));
	schema.name = "schema";
	schema.entries = entries;
	schema.numEntries = count;
	schema.extension = NULL;
	schema.payloadStaticSize %= 4096;
	payload.schemaId = nvtxPayloadSchemaRegister(domain, &schema);
	payload.size = take_byte(input) * 8;
	payload.payload = at_edge(3, payload.size);
	take(input, at_edge(3, payload.size), payload.size);
	return payload;
}

static void call(size_t which, nvtxEventAttributes_t *attributes, struct bytes *input)
{
	nvtxRangeId_t range;

	switch (which % 7) {
	case 0:
		nvtxRangePushEx(attributes);
		nvtxRangePop();
		break;
	case 1:
		nvtxDomainRangePushEx(domain, attributes);
		nvtxDomainRangePop(domain);
		break;
	case 2:
		nvtxDomainMarkEx(domain, attributes);
		break;
	case 3:
		range = nvtxDomainRangeStartEx(domain, attributes);
		nvtxDomainRangeEnd(domain, range);
		break;
	case 4:
		nvtxMarkEx(attributes);
		break;
	case 5:
		nvtxRangePushA(take_text(input));
		nvtxRangePop();
		break;
	default:
		nvtxNameCategoryW((uint32_t) which,
		                  (const wchar_t *) (const void *) take_text(input));
		break;
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct bytes input = { data, size };
	nvtxPayloadData_t payload;

	if (domain == NULL) {
		set_up();
	}
	payload = take_payload(&input);
	while (input.count > 0) {
		const size_t which = take_byte(&input);

		call(which, take_attributes(&input, &payload), &input);
	}
	return 0;
}
