/* SPDX-License-Identifier: MIT */
/* Makes the logs for bench-scale.py that its generator cannot make: `scale-work depth|domains N
 * PAIRS` makes PAIRS ranges, nested N deep or in N domains. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ranges/nvtx.h>

static const char *const names[] = {
	"load", "read", "parse", "check", "plan", "run", "send", "log"
};

#define NAMES (sizeof(names) / sizeof(names[0]))

static void nest(size_t depth, size_t pairs)
{
	for (size_t done = 0; done < pairs; done += depth) {
		for (size_t i = 0; i < depth; i++) {
			(void) nvtxRangePushA(names[i % NAMES]);
		}
		for (size_t i = 0; i < depth; i++) {
			(void) nvtxRangePop();
		}
	}
}

static void spread(size_t count, size_t pairs)
{
	/* NOLINTNEXTLINE(bugprone-sizeof-expression): an array of pointers */
	nvtxDomainHandle_t *domains = calloc(count, sizeof(*domains));
	nvtxEventAttributes_t attributes = { 0 };
	char name[32];

	if (domains == NULL) {
		return;
	}
	for (size_t i = 0; i < count; i++) {
		(void) snprintf(name, sizeof(name), "domain %zu", i);
		domains[i] = nvtxDomainCreateA(name);
	}
	attributes.version = NVTX_VERSION;
	attributes.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
	attributes.messageType = NVTX_MESSAGE_TYPE_ASCII;
	for (size_t i = 0; i < pairs; i++) {
		attributes.message.ascii = names[i % NAMES];
		(void) nvtxDomainRangePushEx(domains[i % count], &attributes);
		(void) nvtxDomainRangePop(domains[i % count]);
	}
	free(domains);
}

int main(int argc, char **argv)
{
	const size_t count = argc > 3 ? strtoull(argv[2], NULL, 10) : 0;
	const size_t pairs = argc > 3 ? strtoull(argv[3], NULL, 10) : 0;

	if (count == 0) {
		(void) fputs("usage: scale-work depth|domains N PAIRS\n", stderr);
		return 2;
	}
	if (strcmp(argv[1], "depth") == 0) {
		nest(count, pairs);
	} else {
		spread(count, pairs);
	}
	return 0;
}
