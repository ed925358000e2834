/* SPDX-License-Identifier: MIT */
/* Loads CUPTI: finds its functions, its version, and the sizes of its records. */
#include "libranges/cupti/load/cupti-load.h"

#include <dlfcn.h>

#include "libranges/cupti/load/cupti-find.h"
#include "libranges/base/log.h"

#define ALWAYS true
#define MAYBE  false

/* A limit in bytes; all records are smaller. */
#define MAX_RECORD 4096u

struct rcap_cupti rcap_cupti;

static const struct {
	const char *name;
	size_t offset;
	bool is_needed;
} functions[] = {
#define FUNCTION(need, member, name, arguments) \
	{ #name, offsetof(struct rcap_cupti, member), need },
	RCAP_CUPTI_FUNCTIONS(FUNCTION)
#undef FUNCTION
};

/*
 * Sizes of records by version, used if the library does not answer. A kind may have several rows.
 * The last row that is not newer than the library is valid, because records of newer libraries are
 * at least as long.
 */
static const struct {
	uint8_t kind;
	uint8_t version; /* CUPTI's version; 28 is that of 12.9u1; 13.0 and later are taken as 29 */
	uint16_t bytes;
} known_sizes[] = {
	{ RCAP_CUPTI_MEMCPY, 13, 72 },
	{ RCAP_CUPTI_MEMCPY, 14, 80 },
	{ RCAP_CUPTI_MEMCPY, 17, 88 },
	{ RCAP_CUPTI_MEMCPY, 26, 96 },
	{ RCAP_CUPTI_MEMSET, 13, 72 },
	{ RCAP_CUPTI_MEMSET, 14, 80 },
	{ RCAP_CUPTI_MEMSET, 17, 88 },
	{ RCAP_CUPTI_KERNEL, 13, 160 },
	{ RCAP_CUPTI_KERNEL, 15, 168 },
	{ RCAP_CUPTI_KERNEL, 17, 176 },
	{ RCAP_CUPTI_KERNEL, 18, 200 },
	{ RCAP_CUPTI_KERNEL, 19, 208 },
	{ RCAP_CUPTI_KERNEL, 29, 216 },
	{ RCAP_CUPTI_DRIVER, 13, 40 },
	{ RCAP_CUPTI_RUNTIME, 13, 40 },
	{ RCAP_CUPTI_DEVICE, 13, 144 },
	{ RCAP_CUPTI_DEVICE, 16, 152 },
	{ RCAP_CUPTI_DEVICE, 17, 176 },
	{ RCAP_CUPTI_CONTEXT, 13, 16 },
	{ RCAP_CUPTI_CONTEXT, 22, 24 },
	{ RCAP_CUPTI_CONTEXT, 23, 32 },
	{ RCAP_CUPTI_OVERHEAD, 13, 40 },
	{ RCAP_CUPTI_OVERHEAD, 20, 48 },
	{ RCAP_CUPTI_OVERHEAD, 22, 56 },
	{ RCAP_CUPTI_MEMCPY2, 13, 80 },
	{ RCAP_CUPTI_MEMCPY2, 14, 88 },
	{ RCAP_CUPTI_MEMCPY2, 17, 96 },
	{ RCAP_CUPTI_UNIFIED_MEMORY, 13, 64 },
	{ RCAP_CUPTI_UNIFIED_MEMORY, 26, 104 },
	{ RCAP_CUPTI_EXTERNAL, 13, 24 },
	{ RCAP_CUPTI_CUDA_EVENT, 13, 24 },
	{ RCAP_CUPTI_CUDA_EVENT, 26, 56 },
	{ RCAP_CUPTI_STREAM, 13, 24 },
	{ RCAP_CUPTI_SYNCHRONIZATION, 13, 40 },
	{ RCAP_CUPTI_SYNCHRONIZATION, 26, 56 },
	{ RCAP_CUPTI_MEMORY2, 15, 112 },
	{ RCAP_CUPTI_MEMORY2, 17, 120 },
	{ RCAP_CUPTI_MEMORY2, 24, 128 },
	{ RCAP_CUPTI_MEMORY_POOL, 15, 64 },
	{ RCAP_CUPTI_MEMORY_POOL, 17, 72 },
	{ RCAP_CUPTI_MEMORY_POOL, 29, 80 },
	{ RCAP_CUPTI_GRAPH_TRACE, 17, 48 },
	{ RCAP_CUPTI_GRAPH_TRACE, 21, 56 },
	{ RCAP_CUPTI_JIT, 18, 64 },
	{ RCAP_CUPTI_JIT, 22, 72 },
};

static uint32_t known_size(uint32_t kind, uint32_t version)
{
	uint32_t bytes = 0;

	if (kind == RCAP_CUPTI_CONCURRENT_KERNEL) {
		kind = RCAP_CUPTI_KERNEL;
	}
	for (size_t i = 0; i < sizeof(known_sizes) / sizeof(known_sizes[0]); i++) {
		if (known_sizes[i].kind == kind && known_sizes[i].version <= version) {
			bytes = known_sizes[i].bytes;
		}
	}
	return bytes;
}

static int next_record(void *subscriber, uint8_t *buffer, size_t bytes, void **record)
{
	return subscriber ? rcap_cupti.get_next_record_v2(subscriber, buffer, bytes, record)
	                  : rcap_cupti.get_next_record(buffer, bytes, record);
}

/*
 * Finds the size of a record by letting the library step over it. The buffer begins with a record
 * of `kind`. Each of its other words of eight bytes looks like the beginning of a call's record.
 * Where the library finds the second record, the first one ends.
 *
 * @subscriber: we are one of several subscribers; NULL: we are the only one.
 * Return: bytes; 0: the library does not know the kind, or does not answer as expected.
 */
static uint32_t probe_size(void *subscriber, uint32_t kind)
{
	uint64_t buffer[MAX_RECORD / 8];
	void *record = NULL;
	const uint8_t *first;
	ptrdiff_t bytes;

	for (size_t i = 0; i < sizeof(buffer) / sizeof(buffer[0]); i++) {
		buffer[i] = RCAP_CUPTI_RUNTIME;
	}
	buffer[0] = kind;
	if (next_record(subscriber, (uint8_t *) buffer, sizeof(buffer), &record) != 0) {
		return 0;
	}
	first = record;
	if (first != (const uint8_t *) buffer ||
	    next_record(subscriber, (uint8_t *) buffer, sizeof(buffer), &record) != 0) {
		return 0;
	}
	bytes = (const uint8_t *) record - first;
	return bytes >= 8 && bytes < (ptrdiff_t) sizeof(buffer) ? (uint32_t) bytes : 0;
}

/* True if sizes can be found in this way: the library must step over a plain call as expected. */
static bool can_probe(void *subscriber)
{
	return probe_size(subscriber, RCAP_CUPTI_RUNTIME) == sizeof(struct rcap_cupti_api);
}

static bool was_probed; /* true if the sizes were found by probe_size() */

static void find_sizes(void)
{
	const uint32_t version = rcap_cupti.version > 28 ? 29 : rcap_cupti.version;

	was_probed = can_probe(NULL);
	for (uint32_t kind = 1; kind < RCAP_CUPTI_KINDS; kind++) {
		rcap_cupti.stride[kind] =
			was_probed ? probe_size(NULL, kind) : known_size(kind, version);
	}
}

/* Asks for each size by a function of CUPTI. If that does not know a size, the size by version
 * stays. */
static void ask_sizes(void)
{
	for (uint32_t kind = 1; rcap_cupti.get_struct_size && kind < RCAP_CUPTI_KINDS; kind++) {
		size_t bytes = 0;

		if (rcap_cupti.get_struct_size(kind, rcap_cupti.version, &bytes) == 0 &&
		    bytes >= 8 && bytes < MAX_RECORD) {
			rcap_cupti.stride[kind] = (uint32_t) bytes;
		}
	}
}

void rcap_cupti_load_measure(void *subscriber)
{
	if (rcap_cupti.get_next_record_v2 && can_probe(subscriber)) {
		for (uint32_t kind = 1; kind < RCAP_CUPTI_KINDS; kind++) {
			rcap_cupti.stride[kind] = probe_size(subscriber, kind);
		}
	} else if (!was_probed) {
		ask_sizes();
	}
}

static bool find_functions(void *handle)
{
	for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); i++) {
		void *function = dlsym(handle, functions[i].name);

		if (!function && functions[i].is_needed) {
			char path[sizeof(rcap_cupti.path)];

			memcpy(path, rcap_cupti.path, sizeof(path));
			rcap_log_format(rcap_cupti.path, sizeof(rcap_cupti.path), "%.*s has no %s",
			                200, path, functions[i].name);
			return false;
		}
		memcpy((char *) &rcap_cupti + functions[i].offset, &function, sizeof(function));
	}
	return true;
}

/* Looks up the functions of an opened library. Return: false if the library can't be used;
 * rcap_cupti.path says why. */
static bool look_into(void *handle)
{
	char path[sizeof(rcap_cupti.path)];

	if (!find_functions(handle)) {
		return false;
	}
	/* Users want the path of the file, not the name by which it was found. */
	if (!strchr(rcap_cupti.path, '/')) {
		Dl_info info;
		void *function = NULL;

		memcpy(&function, &rcap_cupti.get_version, sizeof(function));
		if (dladdr(function, &info) != 0 && info.dli_fname) {
			rcap_log_format(rcap_cupti.path, sizeof(rcap_cupti.path), "%s",
			                info.dli_fname);
		}
	}
	if (rcap_cupti.get_version(&rcap_cupti.version) != 0 ||
	    rcap_cupti.version < RCAP_CUPTI_VERSION_11_0) {
		memcpy(path, rcap_cupti.path, sizeof(path));
		rcap_log_format(rcap_cupti.path, sizeof(rcap_cupti.path),
		                "%.*s is too old (version %u): expected CUDA 11.0 or later", 200,
		                path, rcap_cupti.version);
		return false;
	}
	find_sizes();
	return true;
}

static struct rcap_cupti_find search;

bool rcap_cupti_load_next(void)
{
	char first[400] = "";
	void *handle;

	while ((handle = rcap_cupti_find_next(&search, rcap_cupti.path, sizeof(rcap_cupti.path))) !=
	       NULL) {
		if (look_into(handle)) {
			return true;
		}
		if (first[0] == '\0') {
			rcap_log_format(first, sizeof(first), "%.*s", (int) sizeof(first) - 1,
			                rcap_cupti.path);
		}
	}
	if (first[0] != '\0') {
		memcpy(rcap_cupti.path, first, sizeof(first));
	}
	return false;
}

void *rcap_cupti_load_step(uint8_t *bytes, size_t valid_bytes, size_t *at)
{
	void *record = bytes + *at;
	uint32_t kind;
	uint32_t stride;

	if (*at > valid_bytes || valid_bytes - *at < sizeof(kind)) {
		return NULL;
	}
	memcpy(&kind, record, sizeof(kind));
	stride = kind < RCAP_CUPTI_KINDS ? rcap_cupti.stride[kind] : 0;
	if (stride == 0 || stride > valid_bytes - *at) {
		return NULL;
	}
	*at += stride;
	return record;
}

bool rcap_cupti_load_open(const char *wanted)
{
	rcap_cupti_find_begin(&search, wanted);
	return rcap_cupti_load_next();
}

bool rcap_cupti_load_is_other(void)
{
	return search.is_other;
}

const char *rcap_cupti_load_explain(int result)
{
	const char *text = NULL;

	if (rcap_cupti.get_result_string && rcap_cupti.get_result_string(result, &text) == 0 &&
	    text) {
		return text;
	}
	return "unknown result";
}
