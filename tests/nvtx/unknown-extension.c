/* SPDX-License-Identifier: MIT */
/* Enters the extensions' entry of a tool as versions of NVTX do that nobody has seen yet. */
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct segment {
	size_t id;
	size_t count;
	intptr_t *slots;
};

struct info {
	uint16_t version;
	uint16_t size;
	uint16_t module;
	uint16_t compat;
	size_t segment_count;
	struct segment *segments;
	intptr_t (*get_export)(uint32_t id);
	const void *ext_info;
};

static intptr_t slots[70];
static int (*enter)(struct info *info);

/* Slots that are set, and whether one was set behind those that there are. */
static void try_module(const char *what, uint16_t module, uint16_t compat, size_t count)
{
	struct segment segment = { 0, count, slots };
	struct info info = { 3, sizeof(info), module, compat, 1, &segment, NULL, NULL };
	int set = 0;
	int status;

	memset(slots, 0, sizeof(slots));
	status = enter(&info);
	for (size_t i = 0; i < 70; i++) {
		set += slots[i] != 0;
		if (i >= count && slots[i] != 0) {
			puts("behind the end");
		}
	}
	printf("%s: %d, %d slots\n", what, status, set);
}

/* NVIDIA's sources of 2024 count from 1, and have a slot more than they say. The later ones don't.
 */
static void try_mem(void)
{
	intptr_t now[64];
	struct segment segment = { 1, 63, now };
	struct info info = { 3, sizeof(info), 1, 0x0102, 1, &segment, NULL, NULL };

	memset(now, 0, sizeof(now));
	memset(slots, 0, sizeof(slots));
	enter(&info);
	segment = (struct segment){ 0, 17, slots };
	enter(&info);
	printf("mem of 2024: %s\n", slots[0] == 0 && slots[18] == 0 && now[16] != 0 &&
	                                            memcmp(slots + 1, now, 17 * sizeof(now[0])) == 0
	                                    ? "counted from 1"
	                                    : "wrong slots");
}

int main(void)
{
	const char *path = getenv("NVTX_INJECTION64_PATH");
	void *const library = dlopen(path ? path : "", RTLD_LAZY);
	struct info info;

	if (library == NULL) {
		return 1;
	}
	*(void **) &enter = dlsym(library, "InitializeInjectionNvtxExtension");
	try_module("payload", 2, 0x0104, 63);
	try_module("payload of NCCL", 2, 0x0103, 63);
	try_module("short payload", 2, 0x0104, 3);
	try_module("no slots", 2, 0x0104, 0);
	try_module("payload to come", 2, 0x0999, 63);
	try_module("counters", 4, 0x0102, 63);
	try_module("counters to come", 4, 0x0999, 63);
	try_module("mem", 1, 0x0102, 63);
	try_mem();
	try_module("mem to come", 1, 0x0999, 17);
	try_module("nobody's", 3, 0x0100, 63);
	memset(&info, 0, sizeof(info));
	printf("nothing: %d %d\n", enter(NULL), enter(&info));
	return 0;
}
