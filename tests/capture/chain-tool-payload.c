/* SPDX-License-Identifier: MIT */
/* The tool for tests of chaining: its part of the payload extension. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "chain-tool.h"

struct payload {
	uint64_t schema;
	size_t size;
	const char *bytes;
};

/* Reads the payload as an array of string handles. */
static void mark_payload(const void *domain, const struct payload *payloads, size_t count)
{
	const void *string;
	char text[80];
	int used = 0;

	for (size_t i = 0; i < count; i++) {
		used += snprintf(text + used, sizeof(text) - (size_t) used, "%s%llu:%zu",
		                 i > 0 ? " " : "", (unsigned long long) payloads[i].schema,
		                 payloads[i].size);
		for (size_t at = 0; at + 8 <= payloads[i].size; at += 8) {
			memcpy(&string, payloads[i].bytes + at, sizeof(string));
			used += snprintf(text + used, sizeof(text) - (size_t) used, " %s",
			                 chain_tool_name(string, 's'));
		}
	}
	chain_tool_note("markPayload", chain_tool_name(domain, 'd'), text);
}

static uint64_t register_schema(const void *domain, const void *attributes)
{
	static _Atomic unsigned schemas;

	(void) attributes;
	chain_tool_note("registerSchema", chain_tool_name(domain, 'd'), "");
	return ((uint64_t) 1 << 33) + schemas++;
}

struct segment {
	size_t id;
	size_t count;
	intptr_t *slots;
};

struct extension {
	uint16_t version;
	uint16_t size;
	uint16_t module;
	uint16_t compat;
	size_t segment_count;
	struct segment *segments;
};

__attribute__((visibility("default"))) int InitializeInjectionNvtxExtension(
	const struct extension *extension);

int InitializeInjectionNvtxExtension(const struct extension *extension)
{
	if (extension->module == 2 && extension->segment_count == 1 &&
	    extension->segments->count > 2) {
		extension->segments->slots[0] = (intptr_t) register_schema;
		extension->segments->slots[2] = (intptr_t) mark_payload;
	}
	return 1;
}
