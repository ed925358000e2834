/* SPDX-License-Identifier: MIT */
/*
 * An NVTX tool for tests: counts the calls per function and prints "core.9 3" lines to the file
 * COUNT_TOOL_OUT at the end. COUNT_TOOL_REFUSE=1: its entry returns 0. Knows the interface from doc
 * text only, includes no NVTX header.
 */
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* NOLINTBEGIN(bugprone-macro-parentheses,concurrency-mt-unsafe): one thread reads the environment
 */

#define SLOTS 16

typedef void (*slot_fn)(void);

struct callbacks {
	size_t struct_size;
	int (*get_module)(int module, slot_fn **out_table[], unsigned *out_size);
};

struct version_info {
	size_t struct_size;
	uint32_t version;
	uint32_t reserved0;
	void (*set_version)(uint32_t version);
};

static const char *const module_names[2] = { "core", "core2" };
static const int module_ids[2] = { 1, 5 };
static unsigned counts[2][SLOTS];
static unsigned entries;
static unsigned string_bytes; /* shows that arguments arrive */
static __thread int depth;

static void count(int module, int slot)
{
	__atomic_fetch_add(&counts[module][slot], 1, __ATOMIC_RELAXED);
}

/* Makes one function for each slot, by a macro for each shape of arguments. Functions read the text
 * behind a pointer if it is known to be one. */
#define TEXT(slot)                                       \
	static void core_##slot(const char *text)        \
	{                                                \
		string_bytes += (unsigned) strlen(text); \
		count(0, slot);                          \
	}
#define QUIET(module, name, slot)       \
	static void name##_##slot(void) \
	{                               \
		count(module, slot);    \
	}
#define PUSH(slot)                   \
	static int core_##slot(void) \
	{                            \
		count(0, slot);      \
		return depth++;      \
	}
#define HANDLE(module, name, slot)          \
	static uint64_t name##_##slot(void) \
	{                                   \
		count(module, slot);        \
		return 1000 + slot;         \
	}

TEXT(2)
QUIET(0, core, 1)
QUIET(0, core, 3)
HANDLE(0, core, 4)
HANDLE(0, core, 5)
HANDLE(0, core, 6)
QUIET(0, core, 7)
PUSH(8)
PUSH(10)
QUIET(0, core, 12)
QUIET(0, core, 13)
QUIET(0, core, 14)
QUIET(0, core, 15)
QUIET(1, core2, 1)
HANDLE(1, core2, 2)
QUIET(1, core2, 3)
HANDLE(1, core2, 6)
QUIET(1, core2, 7)
QUIET(1, core2, 8)
QUIET(1, core2, 9)
HANDLE(1, core2, 10)
HANDLE(1, core2, 11)
HANDLE(1, core2, 12)
HANDLE(1, core2, 13)
QUIET(1, core2, 14)
QUIET(1, core2, 15)

static int core_9(const char *text)
{
	string_bytes += (unsigned) strlen(text);
	count(0, 9);
	return depth++;
}

static int core_11(void)
{
	count(0, 11);
	return --depth;
}

static int core2_4(void *domain, const unsigned char *attributes)
{
	uint16_t size;

	(void) domain;
	memcpy(&size, attributes + 2, sizeof(size));
	count(1, 4);
	return size;
}

static int core2_5(void *domain)
{
	count(1, 5);
	return domain == (void *) 1012 ? 0 : -1;
}

static const slot_fn functions[2][SLOTS] = {
	{ NULL, (slot_fn) core_1, (slot_fn) core_2, core_3, (slot_fn) core_4, (slot_fn) core_5,
	  (slot_fn) core_6, core_7, (slot_fn) core_8, (slot_fn) core_9, (slot_fn) core_10,
	  (slot_fn) core_11, core_12, core_13, core_14, core_15 },
	{ NULL, core2_1, (slot_fn) core2_2, core2_3, (slot_fn) core2_4, (slot_fn) core2_5,
	  (slot_fn) core2_6, core2_7, core2_8, core2_9, (slot_fn) core2_10, (slot_fn) core2_11,
	  (slot_fn) core2_12, (slot_fn) core2_13, core2_14, core2_15 },
};

static void __attribute__((destructor)) print_counts(void)
{
	const char *const path = getenv("COUNT_TOOL_OUT");
	FILE *const out = path != NULL ? fopen(path, "w") : NULL;

	if (out == NULL) {
		return;
	}
	fprintf(out, "entries %u\nbytes %u\n", entries, string_bytes);
	for (int module = 0; module < 2; module++) {
		for (int slot = 1; slot < SLOTS; slot++) {
			fprintf(out, "%s.%d %u\n", module_names[module], slot,
			        counts[module][slot]);
		}
	}
	fclose(out);
}

static int install(const void *(*get_table)(uint32_t))
{
	const struct callbacks *const callbacks = get_table(1);
	const struct version_info *const info = get_table(3);

	if (callbacks == NULL || callbacks->struct_size != sizeof(*callbacks) ||
	    get_table(2) != NULL || info == NULL || info->version != 3) {
		return 0;
	}
	info->set_version(3);
	for (int module = 0; module < 2; module++) {
		slot_fn **table = NULL;
		unsigned size = 0;

		if (callbacks->get_module(module_ids[module], &table, &size) != 1 ||
		    size != SLOTS || table[0] != NULL) {
			return 0;
		}
		for (unsigned slot = 1; slot < size; slot++) {
			*table[slot] = functions[module][slot];
		}
	}
	return callbacks->get_module(77, NULL, NULL) == 0;
}

int InitializeInjectionNvtx2(const void *(*get_table)(uint32_t));
int ranges_nvtx_entry(const void *(*get_table)(uint32_t));

__attribute__((visibility("default"))) int InitializeInjectionNvtx2(
	const void *(*get_table)(uint32_t))
{
	const char *const refuse = getenv("COUNT_TOOL_REFUSE");

	entries++;
	if (getenv("COUNT_TOOL_SLOW") != NULL) {
		usleep(20000); /* so that other threads arrive while the unit starts */
	}
	return install(get_table) && refuse == NULL;
}

/* The name under which our header finds a tool the program is linked with. */
__attribute__((visibility("default"))) int ranges_nvtx_entry(const void *(*get_table)(uint32_t))
{
	return InitializeInjectionNvtx2(get_table);
}

/* NOLINTEND(bugprone-macro-parentheses,concurrency-mt-unsafe) */
