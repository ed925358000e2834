/* SPDX-License-Identifier: MIT */
/*
 * Makes senseless calls, or far too many, and writes down the counts that the log must have: lines
 * of "key count".
 *
 * usage: abuse MODE FILE [MANY]
 *
 * MANY: how many a million are, where the tools make it slow.
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "ranges/nvtx.h"
#include "tests/capture/abuse.h"

struct abuse_expected abuse_expected;
int abuse_many = 1000000;

/* A page of the second is put behind what is at the end of the first: a byte read too many ends us.
 */
char *abuse_page_end(size_t bytes)
{
	static char *memory;
	const size_t page = (size_t) sysconf(_SC_PAGESIZE);

	if (!memory) {
		memory = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
		              -1, 0);
		if (memory == MAP_FAILED || mprotect(memory + page, page, PROT_NONE) != 0) {
			exit(2); /* NOLINT(concurrency-mt-unsafe): one thread */
		}
	}
	return memory + page - bytes;
}

/* Every call that takes attributes: five events. */
static void call_all(nvtxDomainHandle_t domain, const nvtxEventAttributes_t *attributes)
{
	nvtxRangePushEx(attributes);
	nvtxRangePop();
	nvtxMarkEx(attributes);
	nvtxRangeEnd(nvtxRangeStartEx(attributes));
	nvtxDomainRangePushEx(domain, attributes);
	nvtxDomainRangePop(domain);
	nvtxDomainMarkEx(domain, attributes);
	nvtxDomainRangeEnd(domain, nvtxDomainRangeStartEx(domain, attributes));
	abuse_expected.events += 10;
}
#define CALLS_WITH_ATTRIBUTES 6u

static void try_sizes(nvtxDomainHandle_t domain, bool is_heap)
{
	nvtxEventAttributes_t whole = { .version = 2,
		                        .category = 1,
		                        .colorType = NVTX_COLOR_ARGB,
		                        .color = 2,
		                        .payloadType = NVTX_PAYLOAD_TYPE_INT64,
		                        .payload.llValue = -1,
		                        .messageType = NVTX_MESSAGE_TYPE_ASCII,
		                        .message.ascii = "sized" };

	for (size_t size = 0; size <= sizeof(whole) + 1; size++) {
		const size_t bytes = size < 4 ? 4 : size > sizeof(whole) ? sizeof(whole) : size;
		char *const at = is_heap ? malloc(bytes) : abuse_page_end(bytes);

		/* Some structs can't end at the page's end. On the heap, memory checkers watch
		 * them. */
		if ((uintptr_t) at % _Alignof(nvtxEventAttributes_t) != 0) {
			continue;
		}
		/* The last one claims to be huge. */
		whole.size = (uint16_t) (size > sizeof(whole) ? 65535 : size);
		memcpy(at, &whole, bytes);
		call_all(domain, (const nvtxEventAttributes_t *) (const void *) at);
		if (size < sizeof(whole)) {
			abuse_expected.bad_attributes += CALLS_WITH_ATTRIBUTES;
		}
		if (is_heap) {
			free(at);
		}
	}
}

static uint32_t next_random(void)
{
	static uint64_t state = 88172645463325252u;

	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (uint32_t) (state >> 16);
}

/* The expected counts for a struct of full size. */
static void expect(const nvtxEventAttributes_t *attributes)
{
	const uint32_t calls = CALLS_WITH_ATTRIBUTES;
	const uint32_t color = (uint32_t) attributes->colorType;
	const uint32_t message = (uint32_t) attributes->messageType;

	if (attributes->size < sizeof(*attributes) || color > NVTX_COLOR_ARGB) {
		abuse_expected.bad_attributes += calls;
	}
	if ((uint32_t) attributes->payloadType > NVTX_PAYLOAD_TYPE_FLOAT) {
		abuse_expected.bad_payload += calls;
	}
	if (message > NVTX_MESSAGE_TYPE_REGISTERED) {
		abuse_expected.bad_message += calls;
	}
	if (message == NVTX_MESSAGE_TYPE_ASCII || message == NVTX_MESSAGE_TYPE_UNICODE) {
		abuse_expected.bad_pointer += calls;
	}
	if (message == NVTX_MESSAGE_TYPE_REGISTERED) {
		abuse_expected.wild_handle += calls;
	}
}

/* Structs full of garbage, as the stack leaves them, and of the patterns that debuggers fill in. */
static void try_garbage(nvtxDomainHandle_t domain)
{
	static const unsigned char patterns[] = { 0x00, 0xFF, 0xA5, 0x5A, 0xCC, 0xCD, 0xDD, 0xBE };
	/* Non-canonical, below the first page, the kernel's, and between mappings. */
	static const uintptr_t addresses[] = { 0xA5A5A5A5A5A5A5A5u, 0,  1,  4095,
		                               0xFFFFFFFFFFFFFFFFu, 64, 65, 0x0000000700000005u };
	nvtxEventAttributes_t attributes;

	for (size_t i = 0; i < sizeof(patterns); i++) {
		memset(&attributes, patterns[i], sizeof(attributes));
		attributes.size = sizeof(attributes);
		expect(&attributes);
		call_all(domain, &attributes);
	}
	for (int i = 0; i < 3000; i++) {
		for (size_t k = 0; k < sizeof(attributes) / 4; k++) {
			const uint32_t word = next_random();

			memcpy((char *) &attributes + 4 * k, &word, 4);
		}
		attributes.size = sizeof(attributes);
		attributes.version = (uint16_t) (i % 5 == 4 ? 65535 : i % 5);
		/* Half of them with types that exist, and an address that does not. */
		attributes.messageType = i % 2 ? attributes.messageType : i / 2 % 5;
		attributes.colorType = i % 3 ? attributes.colorType : i % 2;
		attributes.payloadType = i % 5 ? attributes.payloadType : i % 7;
		memcpy(&attributes.message, &addresses[(size_t) i / 10 % 8], sizeof(uintptr_t));
		if ((uint32_t) attributes.payloadType == 0xDFBD0009) {
			attributes.payloadType = -1; /* the extended payload is tested elsewhere */
		}
		expect(&attributes);
		call_all(domain, &attributes);
	}
}

static void abuse_attributes(void)
{
	nvtxDomainHandle_t domain = nvtxDomainCreateA("abused");

	try_sizes(domain, false);
	try_sizes(domain, true);
	try_garbage(domain);
	call_all(domain, NULL);
	abuse_expected.bad_attributes += CALLS_WITH_ATTRIBUTES;
}

static void abuse_null(void)
{
	/* Members of a struct that a program believes to exist. Volatile: the compiler must not
	 * know.
	 */
	static const volatile uintptr_t members[] = { 0, 8, 4088 };

	nvtxInitialize(NULL);
	for (size_t i = 0; i < sizeof(members) / sizeof(members[0]); i++) {
		const nvtxEventAttributes_t *attributes;
		const uintptr_t at = members[i];

		memcpy((void *) &attributes, &at, sizeof(at));
		call_all(NULL, attributes);
		abuse_expected.bad_attributes += CALLS_WITH_ATTRIBUTES;
	}
	nvtxRangePushA(NULL);
	nvtxRangePop();
	nvtxRangePushW(NULL);
	nvtxRangePop();
	nvtxMarkA(NULL);
	nvtxMarkW(NULL);
	nvtxRangeEnd(nvtxRangeStartA(NULL));
	nvtxRangeEnd(nvtxRangeStartW(NULL));
	abuse_expected.events += 10;
	nvtxNameCategoryA(1, NULL);
	nvtxNameCategoryW(1, NULL);
	nvtxDomainNameCategoryA(NULL, 1, NULL);
	nvtxDomainNameCategoryW(NULL, 1, NULL);
	nvtxNameOsThreadA(0, NULL);
	nvtxNameOsThreadW(0, NULL);
	abuse_expected.bad_pointer += 12;
	if (nvtxDomainCreateA(NULL) || nvtxDomainCreateW(NULL) ||
	    nvtxDomainRegisterStringA(NULL, NULL) || nvtxDomainRegisterStringW(NULL, NULL)) {
		abuse_expected.events = 0; /* a handle that refers to nothing */
	}
	abuse_expected.bad_pointer += 4;
	nvtxDomainDestroy(NULL);
}

static const struct {
	const char *name;
	void (*run)(void);
} modes[] = {
	{ "attributes", abuse_attributes },
	{ "null", abuse_null },
	{ "handles", abuse_handles },
	{ "unmatched", abuse_unmatched },
	{ "text", abuse_text },
	{ "overwritten", abuse_overwritten },
	{ "names", abuse_names },
	{ "strings", abuse_strings },
	{ "domains", abuse_domains },
	{ "many-domains", abuse_many_domains },
	{ "depth", abuse_depth },
	{ "threads", abuse_threads },
	{ "crowd", abuse_crowd },
	{ "repeats", abuse_repeats },
};

/* The largest memory that this process ever had, in KiB. */
static uint64_t peak_kib(void)
{
	FILE *file = fopen("/proc/self/status", "re");
	char line[128];
	uint64_t kib = 0;

	while (file && fgets(line, sizeof(line), file)) {
		if (strncmp(line, "VmHWM:", 6) == 0) {
			kib = strtoull(line + 6, NULL, 10);
		}
	}
	if (file) {
		(void) fclose(file);
	}
	return kib;
}

int main(int argc, char **argv)
{
	FILE *out = argc >= 3 ? fopen(argv[2], "we") : NULL;
	const struct abuse_expected *e = &abuse_expected;
	size_t i = 0;

	while (out && i < sizeof(modes) / sizeof(modes[0]) && strcmp(modes[i].name, argv[1]) != 0) {
		i++;
	}
	if (!out || i == sizeof(modes) / sizeof(modes[0])) {
		return 2;
	}
	if (argc > 3) {
		abuse_many = (int) strtol(argv[3], NULL, 10);
	}
	modes[i].run();
	(void) fprintf(out,
	               "events %" PRIu64 "\nbad_attributes %" PRIu64 "\nbad_message %" PRIu64
	               "\nbad_payload %" PRIu64 "\nbad_pointer %" PRIu64 "\nwild_handle %" PRIu64
	               "\nno_handle %" PRIu64 "\nunmatched_pops %" PRIu64
	               "\nunmatched_ends %" PRIu64 "\ncut_names %" PRIu64 "\n",
	               e->events, e->bad_attributes, e->bad_message, e->bad_payload, e->bad_pointer,
	               e->wild_handle, e->no_handle, e->unmatched_pops, e->unmatched_ends,
	               e->cut_names);
	(void) fprintf(out, "peak_kib %" PRIu64 "\n", peak_kib());
	return fclose(out) == 0 ? 0 : 2;
}
