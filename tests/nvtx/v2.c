/* SPDX-License-Identifier: MIT */
/*
 * Calls all 64 functions of the NVTX library of old, which it is linked with. It has no header of
 * NVTX: every function is declared as taking and giving machine words, which is what arrives.
 *
 *	v2 slots    sets a function of its own behind each and checks that each call gets there with
 *	            its arguments
 *	v2 calls    calls them with arguments that all must take, NULL and 0; then prints
 *	            what some give back
 */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

typedef uintptr_t word_fn(uintptr_t, uintptr_t, uintptr_t);
typedef word_fn *slot;
typedef const void *table_fn(uint32_t);

extern table_fn nvtxGetExportTable;

static int last_module;
static int last_id;
static uintptr_t last_arguments[3];

struct entry {
	int module;
	int id;
	const char *name;
	word_fn *function;
	word_fn *hit;
};

/* Declares a function, defines what is to stand behind it, and adds both to the list, which the
 * linker makes. */
#define FUNCTION(module, id, name)                                                                 \
	extern word_fn name;                                                                       \
	static uintptr_t hit_##name(uintptr_t a, uintptr_t b, uintptr_t c)                         \
	{                                                                                          \
		last_module = module;                                                              \
		last_id = id;                                                                      \
		last_arguments[0] = a;                                                             \
		last_arguments[1] = b;                                                             \
		last_arguments[2] = c;                                                             \
		return 500;                                                                        \
	}                                                                                          \
	static const struct entry entry_##name                                                     \
		__attribute__((section("entries"), used, aligned(8))) = { module, id, #name, name, \
		                                                          hit_##name };

/* CORE */
FUNCTION(1, 1, nvtxMarkEx)
FUNCTION(1, 2, nvtxMarkA)
FUNCTION(1, 3, nvtxMarkW)
FUNCTION(1, 4, nvtxRangeStartEx)
FUNCTION(1, 5, nvtxRangeStartA)
FUNCTION(1, 6, nvtxRangeStartW)
FUNCTION(1, 7, nvtxRangeEnd)
FUNCTION(1, 8, nvtxRangePushEx)
FUNCTION(1, 9, nvtxRangePushA)
FUNCTION(1, 10, nvtxRangePushW)
FUNCTION(1, 11, nvtxRangePop)
FUNCTION(1, 12, nvtxNameCategoryA)
FUNCTION(1, 13, nvtxNameCategoryW)
FUNCTION(1, 14, nvtxNameOsThreadA)
FUNCTION(1, 15, nvtxNameOsThreadW)
/* CUDA */
FUNCTION(2, 1, nvtxNameCuDeviceA)
FUNCTION(2, 2, nvtxNameCuDeviceW)
FUNCTION(2, 3, nvtxNameCuContextA)
FUNCTION(2, 4, nvtxNameCuContextW)
FUNCTION(2, 5, nvtxNameCuStreamA)
FUNCTION(2, 6, nvtxNameCuStreamW)
FUNCTION(2, 7, nvtxNameCuEventA)
FUNCTION(2, 8, nvtxNameCuEventW)
/* OpenCL */
FUNCTION(3, 1, nvtxNameClDeviceA)
FUNCTION(3, 2, nvtxNameClDeviceW)
FUNCTION(3, 3, nvtxNameClContextA)
FUNCTION(3, 4, nvtxNameClContextW)
FUNCTION(3, 5, nvtxNameClCommandQueueA)
FUNCTION(3, 6, nvtxNameClCommandQueueW)
FUNCTION(3, 7, nvtxNameClMemObjectA)
FUNCTION(3, 8, nvtxNameClMemObjectW)
FUNCTION(3, 9, nvtxNameClSamplerA)
FUNCTION(3, 10, nvtxNameClSamplerW)
FUNCTION(3, 11, nvtxNameClProgramA)
FUNCTION(3, 12, nvtxNameClProgramW)
FUNCTION(3, 13, nvtxNameClEventA)
FUNCTION(3, 14, nvtxNameClEventW)
/* CUDA runtime */
FUNCTION(4, 1, nvtxNameCudaDeviceA)
FUNCTION(4, 2, nvtxNameCudaDeviceW)
FUNCTION(4, 3, nvtxNameCudaStreamA)
FUNCTION(4, 4, nvtxNameCudaStreamW)
FUNCTION(4, 5, nvtxNameCudaEventA)
FUNCTION(4, 6, nvtxNameCudaEventW)
/* CORE2, whose 15th function came later */
FUNCTION(5, 1, nvtxDomainMarkEx)
FUNCTION(5, 2, nvtxDomainRangeStartEx)
FUNCTION(5, 3, nvtxDomainRangeEnd)
FUNCTION(5, 4, nvtxDomainRangePushEx)
FUNCTION(5, 5, nvtxDomainRangePop)
FUNCTION(5, 6, nvtxDomainResourceCreate)
FUNCTION(5, 7, nvtxDomainResourceDestroy)
FUNCTION(5, 8, nvtxDomainNameCategoryA)
FUNCTION(5, 9, nvtxDomainNameCategoryW)
FUNCTION(5, 10, nvtxDomainRegisterStringA)
FUNCTION(5, 11, nvtxDomainRegisterStringW)
FUNCTION(5, 12, nvtxDomainCreateA)
FUNCTION(5, 13, nvtxDomainCreateW)
FUNCTION(5, 14, nvtxDomainDestroy)
/* SYNC */
FUNCTION(6, 1, nvtxDomainSyncUserCreate)
FUNCTION(6, 2, nvtxDomainSyncUserDestroy)
FUNCTION(6, 3, nvtxDomainSyncUserAcquireStart)
FUNCTION(6, 4, nvtxDomainSyncUserAcquireFailed)
FUNCTION(6, 5, nvtxDomainSyncUserAcquireSuccess)
FUNCTION(6, 6, nvtxDomainSyncUserReleasing)

extern const struct entry __start_entries[];
extern const struct entry __stop_entries[];

#define COUNT (((uintptr_t) __stop_entries - (uintptr_t) __start_entries) / sizeof(struct entry))

/* How many of the three arguments a function passes on: as many as it takes. */
static int count_arguments(const struct entry *entry)
{
	if (entry->module == 1 && entry->id == 11) {
		return 0; /* nvtxRangePop */
	}
	if (entry->module == 5 && (entry->id == 8 || entry->id == 9)) {
		return 3; /* nvtxDomainNameCategory */
	}
	/* Functions that name things take the thing and the name. Functions with a domain take it
	 * before their other arguments. */
	if (strncmp(entry->name, "nvtxName", 8) == 0) {
		return 2;
	}
	if (entry->module == 5) {
		return strcmp(entry->name, "nvtxDomainRangePop") == 0 ||
		                       strcmp(entry->name, "nvtxDomainDestroy") == 0 ||
		                       strcmp(entry->name, "nvtxDomainResourceDestroy") == 0 ||
		                       strncmp(entry->name, "nvtxDomainCreate", 16) == 0
		               ? 1
		               : 2;
	}
	return strcmp(entry->name, "nvtxDomainSyncUserCreate") == 0 ? 2 : 1;
}

static int set_slots(void)
{
	const struct {
		size_t size;
		int (*get_module)(int, slot ***, unsigned *);
	} *const callbacks = nvtxGetExportTable(1);
	slot **table;
	unsigned size;

	if (callbacks == NULL || callbacks->size < sizeof(*callbacks)) {
		return 0;
	}
	for (size_t i = 0; i < COUNT; i++) {
		if (!callbacks->get_module(__start_entries[i].module, &table, &size) ||
		    (unsigned) __start_entries[i].id >= size) {
			return 0;
		}
		*table[__start_entries[i].id] = __start_entries[i].hit;
	}
	return 1;
}

static int check_slots(void)
{
	int right = 0;

	if (!set_slots()) {
		printf("no table\n");
		return 1;
	}
	for (size_t i = 0; i < COUNT; i++) {
		const struct entry *const entry = &__start_entries[i];
		const uintptr_t arguments[3] = { 11 + i, 1000 + i, 2000 + i };

		last_module = 0;
		entry->function(arguments[0], arguments[1], arguments[2]);
		if (last_module == entry->module && last_id == entry->id &&
		    memcmp(last_arguments, arguments,
		           (size_t) count_arguments(entry) * sizeof(arguments[0])) == 0) {
			right++;
		} else {
			printf("%s: slot %d.%d\n", entry->name, last_module, last_id);
		}
	}
	printf("%d of %d and nvtxGetExportTable\n", right, (int) COUNT);
	return 0;
}

int main(int argc, char **argv)
{
	if (argc > 1 && strcmp(argv[1], "slots") == 0) {
		return check_slots();
	}
	for (size_t i = 0; i < COUNT; i++) {
		__start_entries[i].function(0, 0, 0);
	}
	nvtxRangePop(0, 0, 0); /* three pushes and one pop were among them */
	nvtxRangePop(0, 0, 0);
	/* NVTX's answers without a tool are -2, -2, 0, 0. */
	printf("push %d", (int) nvtxRangePushA((uintptr_t) "a", 0, 0));
	printf(" pop %d", (int) nvtxRangePop(0, 0, 0));
	printf(" start %d", nvtxRangeStartA((uintptr_t) "a", 0, 0) != 0);
	printf(" domain %d\n", nvtxDomainCreateA((uintptr_t) "a", 0, 0) != 0);
	return 0;
}
