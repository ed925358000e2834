/* SPDX-License-Identifier: MIT */
/* Reads what a Chrome trace has besides events: devices, ranks, time base, names of threads. */
#include "analyzer/read-json/kineto-facts.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "analyzer/producers/device-rows.h"
#include "analyzer/producers/scopes.h"
#include "analyzer/read-json/kineto-json.h"
#include "analyzer/rows/kineto-number.h"
#include "analyzer/base/util-map.h"
#include "analyzer/base/util.h"

#define KEY_BYTES 64

/* State of the second parsing of a top-level value. */
struct reading {
	struct ra_kineto *kineto;
	struct ra_kineto_store *store;
	int depth;
	int depth_wanted; /* depth of the objects whose keys are read: 2 in an array of devices, 1
	                     in distributedInfo */
	char key[KEY_BYTES];
	size_t capacity;
};

/* The keys of deviceProperties: Kineto's, two of ROCm's, and two that read-xplane/ adds. */
static const struct {
	const char *key;
	size_t offset;
} device_keys[] = {
	{ "id", offsetof(struct ra_kineto_device, id) },
	{ "totalGlobalMem", offsetof(struct ra_kineto_device, total_memory_bytes) },
	{ "computeMajor", offsetof(struct ra_kineto_device, compute_major) },
	{ "computeMinor", offsetof(struct ra_kineto_device, compute_minor) },
	{ "maxThreadsPerBlock", offsetof(struct ra_kineto_device, threads_per_block) },
	{ "maxThreadsPerMultiprocessor", offsetof(struct ra_kineto_device, threads_per_sm) },
	{ "regsPerBlock", offsetof(struct ra_kineto_device, registers_per_block) },
	{ "regsPerMultiprocessor", offsetof(struct ra_kineto_device, registers_per_sm) },
	{ "warpSize", offsetof(struct ra_kineto_device, warp_size) },
	{ "sharedMemPerBlock", offsetof(struct ra_kineto_device, shared_per_block_bytes) },
	{ "sharedMemPerMultiprocessor", offsetof(struct ra_kineto_device, shared_per_sm_bytes) },
	{ "sharedMemPerBlockOptin", offsetof(struct ra_kineto_device, shared_optin_bytes) },
	{ "numSms", offsetof(struct ra_kineto_device, multiprocessors) },
	{ "maxSharedMemoryPerMultiProcessor",
	  offsetof(struct ra_kineto_device, shared_per_sm_bytes) },
	{ "multiProcessorCount", offsetof(struct ra_kineto_device, multiprocessors) },
	{ "clockRateKHz", offsetof(struct ra_kineto_device, clock_khz) },
	{ "memoryBandwidthKBps", offsetof(struct ra_kineto_device, bandwidth_kb_s) },
};

static void take_open(void *context, bool is_object)
{
	struct reading *reading = context;
	struct ra_kineto *k = reading->kineto;

	reading->depth++;
	reading->key[0] = '\0';
	if (is_object && reading->depth == 2 && reading->depth_wanted == 2) {
		RA_UTIL_APPEND(k->devices, k->device_count, reading->capacity,
		               (struct ra_kineto_device){ 0 });
	}
}

static void take_close(void *context, bool is_object)
{
	struct reading *reading = context;

	(void) is_object;
	reading->depth--;
}

static void take_key(void *context, const char *text, size_t length, unsigned number)
{
	struct reading *reading = context;

	(void) number;
	reading->key[0] = '\0';
	if (length < KEY_BYTES) {
		memcpy(reading->key, text, length);
		reading->key[length] = '\0';
	}
}

static int64_t read_integer(const char *text, size_t length)
{
	struct ra_kineto_number number;

	return ra_kineto_number_parse(text, length, &number) && number.scale == 0 ? number.digits
	                                                                          : -1;
}

static void take_device_value(struct reading *reading, enum ra_json_type type, const char *text,
                              size_t length)
{
	struct ra_kineto *k = reading->kineto;
	struct ra_kineto_device *device;

	if (k->device_count == 0) {
		return;
	}
	device = &k->devices[k->device_count - 1];
	if (type == RA_JSON_STRING && strcmp(reading->key, "name") == 0) {
		device->name = ra_kineto_strings_add(&reading->store->strings, text, length);
		return;
	}
	for (size_t i = 0; i < sizeof(device_keys) / sizeof(device_keys[0]); i++) {
		const int64_t value = read_integer(text, length);

		if (type == RA_JSON_NUMBER && value >= 0 &&
		    strcmp(reading->key, device_keys[i].key) == 0) {
			memcpy((char *) device + device_keys[i].offset, &value, sizeof(value));
		}
	}
}

static void take_value(void *context, enum ra_json_type type, const char *text, size_t length)
{
	struct reading *reading = context;
	struct ra_kineto *k = reading->kineto;

	if (reading->depth != reading->depth_wanted) {
		return;
	}
	if (reading->depth_wanted == 2) {
		take_device_value(reading, type, text, length);
	} else if (type == RA_JSON_NUMBER && strcmp(reading->key, "rank") == 0) {
		k->rank = read_integer(text, length);
	} else if (type == RA_JSON_NUMBER && strcmp(reading->key, "world_size") == 0) {
		k->world_size = read_integer(text, length);
	} else if (type == RA_JSON_STRING && strcmp(reading->key, "backend") == 0) {
		k->backend = ra_kineto_strings_add(&reading->store->strings, text, length);
	} else if (type == RA_JSON_STRING && strcmp(reading->key, "nccl_version") == 0) {
		k->nccl_version = ra_kineto_strings_add(&reading->store->strings, text, length);
	}
}

static void read_nested(struct reading *reading, uint32_t json, int depth)
{
	static const struct ra_json_handler handler = {
		.open = take_open,
		.close = take_close,
		.key = take_key,
		.value = take_value,
	};
	struct ra_json parser = { .handler = &handler, .context = reading };
	const struct rlog_string text = ra_kineto_string(reading->kineto, json);
	struct ra_kineto_input *input = ra_kineto_input_open_memory(text.bytes, text.length);

	reading->depth = 0;
	reading->depth_wanted = depth;
	ra_kineto_json_read(&parser, input);
	ra_kineto_input_close(input);
}

static void read_fact(struct reading *reading, const struct ra_kineto_fact *fact)
{
	struct ra_kineto *k = reading->kineto;
	const struct rlog_string json = ra_kineto_string(k, fact->json);

	if (ra_kineto_is_text(k, fact->key, "deviceProperties") && k->device_count == 0) {
		read_nested(reading, fact->json, 2);
		return;
	}
	if (ra_kineto_is_text(k, fact->key, "metadata")) {
		static const char tool[] = "{\"tool\":\"libranges analyzer";

		k->is_ours = json.length > sizeof(tool) &&
		             memcmp(json.bytes, tool, sizeof(tool) - 1) == 0;
		return;
	}
	if (ra_kineto_is_text(k, fact->key, "distributedInfo")) {
		read_nested(reading, fact->json, 1);
		return;
	}
	if (ra_kineto_is_text(k, fact->key, "baseTimeNanoseconds")) {
		struct ra_kineto_number number;
		int64_t ns;
		bool has_point;
		bool is_exact;

		/* The value has 19 digits. Without the last three, the reader of times takes it as
		 * µs, exactly. */
		if (ra_kineto_number_parse(json.bytes, json.length, &number)) {
			k->base_ns = number.digits;
		} else if (json.length > 3 && ra_kineto_number_ns(json.bytes, json.length - 3, &ns,
		                                                  &has_point, &is_exact)) {
			k->base_ns = ns + read_integer(json.bytes + json.length - 3, 3);
		}
	}
	if (ra_kineto_is_text(k, fact->key, "displayTimeUnit")) {
		k->display_ns = ra_kineto_is_text(k, fact->json, "\"ns\"")   ? 1
		                : ra_kineto_is_text(k, fact->json, "\"ms\"") ? 1000000
		                                                             : 0;
	}
}

static void name_threads(struct ra_kineto *k)
{
	struct ra_util_map processes = { 0 };

	for (size_t i = 0; i < k->count && k->kind_count[RA_KINETO_METADATA] > 0; i++) {
		struct ra_kineto_thread *thread;
		struct ra_kineto_value value;

		if (k->kind[i] != RA_KINETO_METADATA ||
		    !ra_kineto_get(k, (uint32_t) i, RA_KINETO_ARG_NAME, &value) ||
		    value.type != RA_KINETO_STRING) {
			continue;
		}
		thread = &k->threads[ra_kineto_get_thread(k, i)];
		if (ra_kineto_is_text(k, k->name[i], "thread_name")) {
			thread->name = (uint32_t) value.integer;
		} else if (ra_kineto_is_text(k, k->name[i], "process_name")) {
			ra_util_map_put(&processes, thread->pid, (uint32_t) value.integer);
		}
	}
	for (size_t t = 0; t < k->thread_count; t++) {
		const uint32_t name = ra_util_map_find(&processes, k->threads[t].pid);

		k->threads[t].process_name = name == RA_UTIL_MAP_NONE ? 0 : name;
	}
	ra_util_map_free(&processes);
}

/* Restores a thread's name. Kineto and our output write it as "thread 17 (main)", or "thread 17" if
 * the thread has no name. */
static void restore_thread(struct ra_kineto_thread *thread, const struct ra_kineto *k,
                           struct ra_kineto_store *store)
{
	const struct rlog_string name = ra_kineto_string(k, thread->name);
	const struct rlog_string tid = ra_kineto_string(k, thread->tid);
	char head[40];
	const size_t length = (size_t) snprintf(head, sizeof(head), "thread %lld",
	                                        (long long) thread->tid_number);

	if (thread->name == 0 && thread->tid_number == INT64_MIN && tid.length > 2 &&
	    tid.bytes[0] == '"') { /* the id is a word */
		thread->name =
			ra_kineto_strings_add(&store->strings, tid.bytes + 1, tid.length - 2);
	} else if (name.length < length || memcmp(name.bytes, head, length) != 0) {
		return;
	} else if (name.length == length) {
		thread->name = 0;
	} else if (name.length > length + 3 && memcmp(name.bytes + length, " (", 2) == 0 &&
	           name.bytes[name.length - 1] == ')') {
		thread->name = ra_kineto_strings_add(&store->strings, name.bytes + length + 2,
		                                     name.length - length - 3);
	}
}

/* Restores a process's name. Our output writes it as "app 7 (rank 0)", or "process 7" if its
 * program is unknown. */
static void restore_process(struct ra_kineto_thread *thread, const struct ra_kineto *k,
                            struct ra_kineto_store *store)
{
	struct rlog_string name = ra_kineto_string(k, thread->process_name);
	char tail[64];

	for (int i = 0; i < 2; i++) {
		const long long number =
			i == 0 ? (long long) k->rank : (long long) thread->pid_number;
		const uint32_t length = (uint32_t) snprintf(
			tail, sizeof(tail), i == 0 ? " (rank %lld)" : " %lld", number);

		if (name.length > length &&
		    memcmp(name.bytes + name.length - length, tail, length) == 0) {
			name.length -= length;
		}
	}
	if (name.length == 7 && memcmp(name.bytes, "process", 7) == 0) {
		thread->process_name = 0;
	} else if (name.length > 0) {
		thread->process_name =
			ra_kineto_strings_add(&store->strings, name.bytes, name.length);
	}
}

static void restore_names(struct ra_kineto *k, struct ra_kineto_store *store)
{
	for (size_t t = 0; t < k->thread_count; t++) {
		restore_thread(&k->threads[t], k, store);
		if (k->is_ours) {
			restore_process(&k->threads[t], k, store);
		}
	}
}

/* Finds the earliest time. Flows are ignored, because some have times of other clocks. */
static int64_t find_zero(const struct ra_kineto *k)
{
	int64_t zero_ns = INT64_MAX;

	for (size_t i = 0; i < k->count; i++) {
		const enum ra_kineto_kind kind = k->kind[i];
		const bool is_flow = kind >= RA_KINETO_FLOW_START && kind <= RA_KINETO_FLOW_END;

		if ((k->flags[i] & RA_KINETO_HAS_TS) != 0 && !is_flow &&
		    kind != RA_KINETO_METADATA && kind != RA_KINETO_UNKNOWN &&
		    ra_kineto_ts(k, i) < zero_ns) {
			zero_ns = ra_kineto_ts(k, i);
		}
	}
	return zero_ns == INT64_MAX ? 0 : zero_ns;
}

/* Turns events on a stream of a device into kernels: whatever their category is, they are no ranges
 * of a thread. */
static void find_device_work(struct ra_kineto *k)
{
	int64_t device;
	int64_t stream;

	for (uint32_t i = 0; i < k->count && k->kind_count[RA_KINETO_OTHER] > 0; i++) {
		if (k->kind[i] == RA_KINETO_OTHER &&
		    ra_kineto_get_int(k, i, RA_KINETO_ARG_DEVICE, &device) && device >= 0 &&
		    ra_kineto_get_int(k, i, RA_KINETO_ARG_STREAM, &stream) && stream >= 0) {
			k->kind[i] = RA_KINETO_KERNEL;
			k->kind_count[RA_KINETO_OTHER]--;
			k->kind_count[RA_KINETO_KERNEL]++;
			k->oddities.unknown_device_work++;
		}
	}
}

void ra_kineto_facts_read(struct ra_kineto *kineto, struct ra_kineto_store *store)
{
	struct reading reading = { .kineto = kineto, .store = store };

	kineto->rank = -1;
	for (size_t i = 0; i < kineto->fact_count; i++) {
		read_fact(&reading, &kineto->facts[i]);
	}
	name_threads(kineto);
	if (!kineto->is_ours) { /* in a trace made from a log, names are the program's own */
		ra_device_rows_find(kineto, store);
		ra_scopes_read(kineto, store);
	}
	find_device_work(kineto);
	kineto->zero_ns = find_zero(kineto);
	if (kineto->is_ours && kineto->zero_ns > 0) {
		kineto->zero_ns = 0;
	}
	restore_names(kineto, store);
}
