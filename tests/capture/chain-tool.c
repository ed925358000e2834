/* SPDX-License-Identifier: MIT */
/*
 * An NVTX tool for tests of chaining. It keeps one line per call, with the names behind the handles
 * that it gets, and writes them sorted and counted to the file CHAIN_TOOL_OUT at the end. A handle
 * or range id that it never gave reads "WILD". Knows the interface from its description only and
 * shares no code with libranges.
 *
 * CHAIN_TOOL is a set of letters: r its entry returns 0; h it leaves every second slot empty; e it
 * changes errno; s its start takes a while; n it uses NVTX itself in its start, on another thread,
 * too; u that thread uses NVTX in a unit of its own, and is waited for.
 */
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <wchar.h>

#include <ranges/nvtx.h>

#include "chain-tool.h"

/* NOLINTBEGIN(bugprone-macro-parentheses,concurrency-mt-unsafe,cert-err33-c) */

typedef void (*slot_fn)(void);

struct callbacks {
	size_t struct_size;
	int (*get_module)(int module, slot_fn **out_table[], unsigned *out_size);
};

struct attributes {
	uint16_t version;
	uint16_t size;
	uint32_t category;
	int32_t color_type;
	uint32_t color;
	int32_t payload_type;
	int32_t reserved;
	uint64_t payload;
	int32_t message_type;
	const void *message;
};

/* The object behind a handle of ours. */
struct thing {
	uint64_t magic; /* MAGIC while it lives */
	char kind;      /* d domain, s string, r resource, y sync */
	char name[47];
};

#define MAGIC       UINT64_C(0x7461706D61676963)
#define LINES       65536
#define LINE_BYTES  96
#define THINGS      4096
#define RANGES      65536
#define RANGE_START 7700000

static char lines[LINES][LINE_BYTES];
static _Atomic unsigned line_count;
static struct thing things[THINGS];
static _Atomic unsigned thing_count;
static _Atomic char range_state[RANGES]; /* 1 open, 2 ended */
static _Atomic unsigned range_count;
static __thread int depth;
static int has(char letter)
{
	const char *const set = getenv("CHAIN_TOOL");

	return set != NULL && strchr(set, letter) != NULL;
}

static int changes_errno;

void chain_tool_note(const char *call, const char *a, const char *b)
{
	const unsigned at = line_count++;

	if (at < LINES) {
		snprintf(lines[at], LINE_BYTES, "%s %s %s", call, a, b);
	}
	if (changes_errno) {
		errno = 99;
	}
}

/* The name of an object by its handle. A wild pointer is compared, never followed. */
const char *chain_tool_name(const void *handle, char kind)
{
	const struct thing *const thing = handle;
	const uintptr_t offset = (uintptr_t) handle - (uintptr_t) things;

	if (handle == NULL) {
		return "-";
	}
	if (offset >= sizeof(things) || offset % sizeof(things[0]) != 0 || thing->kind != kind) {
		return "WILD";
	}
	return thing->magic == MAGIC ? thing->name : "DEAD";
}

static const void *make(char kind, const char *name)
{
	struct thing *const thing = &things[thing_count++ % THINGS];

	thing->magic = MAGIC;
	thing->kind = kind;
	snprintf(thing->name, sizeof(thing->name), "%s", name);
	return thing;
}

static const char *narrow(const wchar_t *text, char *out, size_t size)
{
	size_t i = 0;

	for (; text != NULL && text[i] != 0 && i + 1 < size; i++) {
		out[i] = (char) text[i];
	}
	out[i] = '\0';
	return out;
}

static const char *message(int32_t type, const void *text, char *out, size_t size)
{
	switch (type) {
	case 1:
		return text;
	case 2:
		return narrow(text, out, size);
	case 3:
		return chain_tool_name(text, 's');
	default:
		return "";
	}
}

static void note_event(const char *call, const void *domain, const struct attributes *attributes)
{
	char wide[40];
	char text[80] = "NULL";

	if (attributes != NULL) {
		snprintf(text, sizeof(text), "%s size=%u cat=%u color=%x payload=%d:%llu",
		         attributes->size < 48 ? ""
		                               : message(attributes->message_type,
		                                         attributes->message, wide, sizeof(wide)),
		         attributes->size, attributes->category, attributes->color,
		         attributes->payload_type, (unsigned long long) attributes->payload);
	}
	chain_tool_note(call, chain_tool_name(domain, 'd'), text);
}

static uint64_t open_range(void)
{
	const unsigned at = range_count++ % RANGES;

	range_state[at] = 1;
	return RANGE_START + at;
}

static const char *close_range_id(uint64_t id)
{
	if (id < RANGE_START || id >= RANGE_START + RANGES || range_state[id - RANGE_START] == 0) {
		return "WILD";
	}
	return range_state[id - RANGE_START]++ == 1 ? "open" : "ended";
}

/* ---- core ---- */

#define TEXT_CALL(name)                                                 \
	static void name##_a(const char *text)                          \
	{                                                               \
		chain_tool_note(#name "A", text, "");                   \
	}                                                               \
	static void name##_w(const wchar_t *text)                       \
	{                                                               \
		char utf8[64];                                          \
		chain_tool_note(#name "W", narrow(text, utf8, 64), ""); \
	}
#define NAME_CALL(name, type, format)                                                 \
	static void name##_a(type object, const char *text)                           \
	{                                                                             \
		char number[24];                                                      \
		snprintf(number, sizeof(number), format, object);                     \
		chain_tool_note(#name "A", number, text);                             \
	}                                                                             \
	static void name##_w(type object, const wchar_t *text)                        \
	{                                                                             \
		char number[24];                                                      \
		char utf8[64];                                                        \
		snprintf(number, sizeof(number), format, object);                     \
		chain_tool_note(#name "W", number, narrow(text, utf8, sizeof(utf8))); \
	}

TEXT_CALL(mark)
NAME_CALL(category, uint32_t, "%u")
NAME_CALL(thread, uint32_t, "%u")

static void mark_ex(const struct attributes *attributes)
{
	note_event("markEx", NULL, attributes);
}

static uint64_t start_ex(const struct attributes *attributes)
{
	note_event("startEx", NULL, attributes);
	return open_range();
}

static uint64_t start_a(const char *text)
{
	chain_tool_note("startA", text, "");
	return open_range();
}

static uint64_t start_w(const wchar_t *text)
{
	char utf8[64];

	chain_tool_note("startW", narrow(text, utf8, sizeof(utf8)), "");
	return open_range();
}

static void end(uint64_t id)
{
	chain_tool_note("end", close_range_id(id), "");
}

static int push_ex(const struct attributes *attributes)
{
	note_event("pushEx", NULL, attributes);
	return 1000 + depth++;
}

static int push_a(const char *text)
{
	chain_tool_note("pushA", text, "");
	return 1000 + depth++;
}

static int push_w(const wchar_t *text)
{
	char utf8[64];

	chain_tool_note("pushW", narrow(text, utf8, sizeof(utf8)), "");
	return 1000 + depth++;
}

static int pop(void)
{
	chain_tool_note("pop", "", "");
	return 1000 + --depth;
}

/* ---- core2 ---- */

static void domain_mark_ex(const void *domain, const struct attributes *attributes)
{
	note_event("domainMarkEx", domain, attributes);
}

static uint64_t domain_start_ex(const void *domain, const struct attributes *attributes)
{
	note_event("domainStartEx", domain, attributes);
	return open_range();
}

static void domain_end(const void *domain, uint64_t id)
{
	chain_tool_note("domainEnd", chain_tool_name(domain, 'd'), close_range_id(id));
}

static int domain_push_ex(const void *domain, const struct attributes *attributes)
{
	note_event("domainPushEx", domain, attributes);
	return 1000;
}

static int domain_pop(const void *domain)
{
	chain_tool_note("domainPop", chain_tool_name(domain, 'd'), "");
	return 1000;
}

struct resource_attributes {
	uint16_t version;
	uint16_t size;
	int32_t identifier_type;
	uint64_t identifier;
	int32_t message_type;
	const void *message;
};

static const void *resource_create(const void *domain, const struct resource_attributes *attributes)
{
	char wide[40];
	char text[80];

	snprintf(text, sizeof(text), "%s type=%x id=%llu",
	         message(attributes->message_type, attributes->message, wide, sizeof(wide)),
	         (unsigned) attributes->identifier_type,
	         (unsigned long long) attributes->identifier);
	chain_tool_note("resourceCreate", chain_tool_name(domain, 'd'), text);
	return make('r', text);
}

static void resource_destroy(const void *resource)
{
	chain_tool_note("resourceDestroy", chain_tool_name(resource, 'r'), "");
}

static void domain_category_a(const void *domain, uint32_t category, const char *text)
{
	(void) category;
	chain_tool_note("domainCategoryA", chain_tool_name(domain, 'd'), text);
}

static void domain_category_w(const void *domain, uint32_t category, const wchar_t *text)
{
	char utf8[64];

	(void) category;
	chain_tool_note("domainCategoryW", chain_tool_name(domain, 'd'),
	                narrow(text, utf8, sizeof(utf8)));
}

static const void *register_a(const void *domain, const char *text)
{
	chain_tool_note("registerA", chain_tool_name(domain, 'd'), text);
	return make('s', text);
}

static const void *register_w(const void *domain, const wchar_t *text)
{
	char utf8[64];

	chain_tool_note("registerW", chain_tool_name(domain, 'd'),
	                narrow(text, utf8, sizeof(utf8)));
	return make('s', narrow(text, utf8, sizeof(utf8)));
}

static const void *create_a(const char *text)
{
	chain_tool_note("createA", text, "");
	return make('d', text);
}

static const void *create_w(const wchar_t *text)
{
	char utf8[64];

	chain_tool_note("createW", narrow(text, utf8, sizeof(utf8)), "");
	return make('d', narrow(text, utf8, sizeof(utf8)));
}

static void destroy(const void *domain)
{
	chain_tool_note("destroy", chain_tool_name(domain, 'd'), "");
}

static void initialize(const void *reserved)
{
	chain_tool_note("initialize", reserved == NULL ? "" : "reserved", "");
}

/* ---- objects and locks ---- */

NAME_CALL(cuDevice, int, "%d")
NAME_CALL(cuContext, const void *, "%p")
NAME_CALL(cuStream, const void *, "%p")
NAME_CALL(cuEvent, const void *, "%p")
NAME_CALL(cudaDevice, int, "%d")
NAME_CALL(cudaStream, const void *, "%p")
NAME_CALL(cudaEvent, const void *, "%p")
NAME_CALL(clDevice, const void *, "%p")
NAME_CALL(clContext, const void *, "%p")
NAME_CALL(clQueue, const void *, "%p")
NAME_CALL(clMem, const void *, "%p")
NAME_CALL(clSampler, const void *, "%p")
NAME_CALL(clProgram, const void *, "%p")
NAME_CALL(clEvent, const void *, "%p")

struct sync_attributes {
	uint16_t version;
	uint16_t size;
	int32_t message_type;
	const void *message;
};

static const void *sync_create(const void *domain, const struct sync_attributes *attributes)
{
	char wide[40];
	const char *const name =
		message(attributes->message_type, attributes->message, wide, sizeof(wide));

	chain_tool_note("syncCreate", chain_tool_name(domain, 'd'), name);
	return make('y', name);
}

#define SYNC_CALL(name)                                                   \
	static void name(const void *object)                              \
	{                                                                 \
		chain_tool_note(#name, chain_tool_name(object, 'y'), ""); \
	}
SYNC_CALL(syncDestroy)
SYNC_CALL(acquireStart)
SYNC_CALL(acquireFailed)
SYNC_CALL(acquireSuccess)
SYNC_CALL(releasing)

#define F(function)    (slot_fn)(function)
#define PAIR(function) F(function##_a), F(function##_w)

static const slot_fn core[] = {
	NULL,       F(mark_ex), PAIR(mark), F(start_ex),    PAIR(start),  F(end),
	F(push_ex), PAIR(push), F(pop),     PAIR(category), PAIR(thread),
};
static const slot_fn cuda[] = { NULL, PAIR(cuDevice), PAIR(cuContext), PAIR(cuStream),
	                        PAIR(cuEvent) };
static const slot_fn opencl[] = { NULL,        PAIR(clDevice),  PAIR(clContext), PAIR(clQueue),
	                          PAIR(clMem), PAIR(clSampler), PAIR(clProgram), PAIR(clEvent) };
static const slot_fn cudart[] = { NULL, PAIR(cudaDevice), PAIR(cudaStream), PAIR(cudaEvent) };
static const slot_fn core2[] = {
	NULL,
	F(domain_mark_ex),
	F(domain_start_ex),
	F(domain_end),
	F(domain_push_ex),
	F(domain_pop),
	F(resource_create),
	F(resource_destroy),
	PAIR(domain_category),
	PAIR(register),
	PAIR(create),
	F(destroy),
	F(initialize),
};
static const slot_fn sync_user[] = { NULL,
	                             F(sync_create),
	                             F(syncDestroy),
	                             F(acquireStart),
	                             F(acquireFailed),
	                             F(acquireSuccess),
	                             F(releasing) };

static const struct {
	const slot_fn *functions;
	unsigned count;
} modules[] = {
	{ NULL, 0 },
	{ core, sizeof(core) / sizeof(core[0]) },
	{ cuda, sizeof(cuda) / sizeof(cuda[0]) },
	{ opencl, sizeof(opencl) / sizeof(opencl[0]) },
	{ cudart, sizeof(cudart) / sizeof(cudart[0]) },
	{ core2, sizeof(core2) / sizeof(core2[0]) },
	{ sync_user, sizeof(sync_user) / sizeof(sync_user[0]) },
};

static void install(const struct callbacks *callbacks)
{
	for (int module = 1; module <= 6; module++) {
		slot_fn **table = NULL;
		unsigned size = 0;

		if (callbacks->get_module(module, &table, &size) != 1 ||
		    size != modules[module].count || table[0] != NULL) {
			chain_tool_note("bad table", "", "");
			continue;
		}
		for (unsigned id = 1; id < size; id++) {
			if (!has('h') || id % 2 == 0) {
				*table[id] = modules[module].functions[id];
			}
		}
	}
	if (callbacks->get_module(7, NULL, NULL) != 0) {
		chain_tool_note("module 7", "", "");
	}
}

static void *use_nvtx(void *argument)
{
	nvtxRangePushA("of the tool");
	nvtxRangePop();
	return argument;
}

static void *use_unit(void *argument)
{
	void *const unit = dlopen("./chain-unit.so", RTLD_NOW);
	void (*call)(void) = NULL;

	if (unit != NULL) {
		*(void **) &call = dlsym(unit, "call_from_unit");
		call();
	}
	return argument;
}

static void run_and_wait(void *(*run)(void *argument))
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, run, NULL) == 0) {
		pthread_join(thread, NULL);
	}
}

/* ---- the way in and out ---- */

__attribute__((visibility("default"))) int InitializeInjectionNvtx2(
	const void *(*get_table)(uint32_t));

int InitializeInjectionNvtx2(const void *(*get_table)(uint32_t))
{
	const struct callbacks *const callbacks = get_table(1);

	if (callbacks == NULL || callbacks->struct_size != sizeof(*callbacks) ||
	    get_table(2) != NULL) {
		chain_tool_note("bad callbacks", "", "");
		return 0;
	}
	chain_tool_note("entry", "", "");
	if (has('s')) {
		usleep(100000);
	}
	install(callbacks);
	if (has('n')) {
		use_nvtx(NULL);
		run_and_wait(use_nvtx);
	}
	if (has('u')) {
		run_and_wait(use_unit);
	}
	changes_errno = has('e');
	return !has('r');
}

static int compare(const void *a, const void *b)
{
	return strcmp(a, b);
}

static void __attribute__((destructor)) write_lines(void)
{
	const char *const path = getenv("CHAIN_TOOL_OUT");
	const unsigned count = line_count < LINES ? line_count : LINES;
	FILE *out;

	if (path == NULL || count == 0) {
		return;
	}
	out = fopen(path, "a");
	if (out == NULL) {
		return;
	}
	qsort(lines, count, LINE_BYTES, compare);
	for (unsigned i = 0, times = 1; i < count; i++, times++) {
		if (i + 1 == count || strcmp(lines[i], lines[i + 1]) != 0) {
			fprintf(out, "%u %s\n", times, lines[i]);
			times = 0;
		}
	}
	fclose(out);
}

/* NOLINTEND(bugprone-macro-parentheses,concurrency-mt-unsafe,cert-err33-c) */
