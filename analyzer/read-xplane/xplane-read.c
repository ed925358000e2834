/* SPDX-License-Identifier: MIT */
/* Makes rows from the planes, lines and events of XLA's profiles. */
#include "analyzer/read-xplane/xplane-read.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/text/util-string.h"
#include "analyzer/base/text/util-text.h"
#include "analyzer/base/util.h"
#include "analyzer/producers/producers.h"
#include "analyzer/read-json/kineto-facts.h"
#include "analyzer/read-xplane/xplane-stats.h"

/* Field numbers, from tsl/profiler/protobuf/xplane.proto. */
enum {
	SPACE_PLANE = 1,
	SPACE_ERROR = 2,
	SPACE_WARNING = 3,
	SPACE_HOST = 4,
	PLANE_NAME = 2,
	PLANE_LINE = 3,
	PLANE_EVENT_METADATA = 4,
	PLANE_STAT_METADATA = 5,
	PLANE_STAT = 6,
	LINE_ID = 1,
	LINE_NAME = 2,
	LINE_TIMESTAMP_NS = 3,
	LINE_EVENT = 4,
	LINE_DISPLAY_ID = 10,
	LINE_DISPLAY_NAME = 11,
	EVENT_METADATA = 1, /* id of an XEventMetadata */
	EVENT_OFFSET_PS = 2,
	EVENT_DURATION_PS = 3,
	EVENT_STAT = 4,
	METADATA_NAME = 2,
	METADATA_DISPLAY_NAME = 4,
	METADATA_STAT = 5,
	ENTRY_KEY = 1,
	ENTRY_VALUE = 2,
};

#define PS_PER_NS 1000

/* What events with the same metadata have in common. */
struct kind {
	struct rlog_string name;
	struct rlog_string display_name;
	struct ra_protobuf message; /* the metadata, including its stats */
};

struct reading {
	struct ra_kineto *kineto;
	struct ra_kineto_store store;
	struct ra_kineto_fill fill;
	struct ra_xplane_stats stats; /* of the current plane, like the four members below */
	struct ra_util_map kind_of;   /* id of an XEventMetadata → index */
	struct kind *kinds;           /* owned */
	size_t kind_count;
	size_t kind_capacity;
	struct ra_util_text devices; /* owned: a JSON list of devices without its closing bracket */
	uint32_t long_name;          /* string id of the key for long names */
	uint32_t host;               /* string id of the host's name as JSON text */
	int64_t profile_start_ns;
	int64_t latest_ns; /* latest timestamp of a line */
	int64_t pid;
	struct rlog_error *stop;
};

/* Notes damage, if it is the first. It ends the message that contains it. */
static void note_damage(struct reading *reading, const struct ra_protobuf *message)
{
	if (message->damage != NULL && reading->stop->code == 0) {
		rlog_error_set(reading->stop, RLOG_E_TRUNCATED, message->offset,
		               "damaged protobuf: %s", message->damage);
	}
}

/* ---- metadata of a plane ---- */

static void note_kind(struct reading *reading, struct ra_protobuf entry)
{
	struct kind kind = { { "", 0, 0 }, { "", 0, 0 }, ra_protobuf_open(entry.at, 0, 0) };
	struct ra_protobuf_field field;
	struct ra_protobuf message;
	uint64_t id = 0;

	while (ra_protobuf_next(&entry, &field)) {
		if (field.number == ENTRY_KEY) {
			id = field.integer;
		} else if (field.number == ENTRY_VALUE) {
			kind.message = ra_protobuf_enter(&field);
		}
	}
	message = kind.message;
	while (ra_protobuf_next(&message, &field)) {
		if (field.number == METADATA_NAME) {
			kind.name = ra_protobuf_text(&field);
		} else if (field.number == METADATA_DISPLAY_NAME) {
			kind.display_name = ra_protobuf_text(&field);
		}
	}
	ra_util_map_put(&reading->kind_of, id, (uint32_t) reading->kind_count);
	RA_UTIL_APPEND(reading->kinds, reading->kind_count, reading->kind_capacity, kind);
}

/* Facts of a device, and their keys in Kineto's deviceProperties. */
static const struct {
	const char *name;
	const char *key;
	int64_t divisor;
} device_facts[] = {
	{ "memory_size", "totalGlobalMem", 1 },
	{ "core_count", "numSms", 1 },
	{ "compute_cap_major", "computeMajor", 1 },
	{ "compute_cap_minor", "computeMinor", 1 },
	{ "clock_rate", "clockRateKHz", 1 },
	{ "memory_bandwidth", "memoryBandwidthKBps", 1000 },
};

/* Return: true if the stat is a fact of the device other than the maker's name. */
static bool put_device_stat(struct reading *reading, const struct ra_xplane_stat *stat,
                            struct ra_util_text *json)
{
	const struct ra_kineto *k = reading->kineto;

	if (stat->type == RA_KINETO_STRING &&
	    (ra_kineto_is_text(k, stat->name, "device_type_string") ||
	     ra_kineto_is_text(k, stat->name, "device_vendor"))) {
		ra_util_text_format(json, ",\"name\":\"");
		ra_util_text_put_name(json, stat->text, RA_TEXT_JSON);
		ra_util_text_put_char(json, '"');
		return ra_kineto_is_text(k, stat->name, "device_type_string");
	}
	for (size_t i = 0; i < sizeof(device_facts) / sizeof(device_facts[0]); i++) {
		if (stat->type == RA_KINETO_INT && stat->integer >= 0 &&
		    ra_kineto_is_text(k, stat->name, device_facts[i].name)) {
			ra_util_text_format(json, ",\"%s\":%lld", device_facts[i].key,
			                    (long long) (stat->integer / device_facts[i].divisor));
			return true;
		}
	}
	return false;
}

/* Reads the stats of a plane. @plane: the plane from its start. */
static void read_plane_stats(struct reading *reading, struct ra_protobuf plane,
                             struct rlog_string name)
{
	struct ra_util_text json = { 0 };
	struct ra_producers_row row;
	struct ra_protobuf_field field;
	bool is_known = false;

	ra_producers_find_row(&row, name, (struct rlog_string){ "", 0, 0 });
	ra_util_text_format(&json, "{\"id\":%lld", (long long) row.device);
	while (ra_protobuf_next(&plane, &field)) {
		struct ra_xplane_stat stat;

		if (field.number != PLANE_STAT) {
			continue;
		}
		ra_xplane_stats_read(&reading->stats, reading->kineto, ra_protobuf_enter(&field),
		                     &stat);
		is_known |= put_device_stat(reading, &stat, &json);
		if (stat.type == RA_KINETO_INT &&
		    ra_kineto_is_text(reading->kineto, stat.name, "profile_start_time")) {
			reading->profile_start_ns = stat.integer;
		}
	}
	if (is_known && row.device >= 0) {
		ra_util_text_put_char(&reading->devices, reading->devices.length > 0 ? ',' : '[');
		ra_util_text_put(&reading->devices, json.bytes, json.length);
		ra_util_text_put_char(&reading->devices, '}');
	}
	ra_util_text_free(&json);
}

/* ---- events ---- */

/* Computes the line's time plus an offset in ps. Return: false if the sum exceeds 64 bits. */
static bool add_ps(int64_t line_ns, uint64_t ps, int64_t *ns)
{
	const uint64_t rounded = ps / PS_PER_NS + (ps % PS_PER_NS >= PS_PER_NS / 2);

	return !__builtin_add_overflow(line_ns, (int64_t) rounded, ns);
}

static void read_event(struct reading *reading, struct ra_protobuf event, int64_t line_ns)
{
	const struct ra_protobuf whole = event;
	const struct kind *kind = NULL;
	struct ra_protobuf_field field;
	uint64_t offset_ps = 0;
	uint64_t duration_ps = 0;
	uint64_t end_ps;
	uint64_t id = 0;
	bool has_offset = true; /* true by default, because protobuf omits a number that is 0 */
	uint32_t index;
	int64_t start_ns = 0;
	int64_t end_ns = 0;

	while (ra_protobuf_next(&event, &field)) {
		if (field.number == EVENT_METADATA) {
			id = field.integer;
		} else if (field.number == EVENT_OFFSET_PS) {
			offset_ps = field.integer;
		} else if (field.number == EVENT_DURATION_PS) {
			duration_ps = field.integer;
		} else if (field.number == EVENT_STAT + 1) {
			/* num_occurrences: this is the sum of several events, without a time */
			has_offset = false;
		}
	}
	note_damage(reading, &event);
	index = ra_util_map_find(&reading->kind_of, id);
	kind = index == RA_UTIL_MAP_NONE ? NULL : &reading->kinds[index];
	ra_kineto_fill_begin(&reading->fill, 'X',
	                     kind == NULL                    ? (struct rlog_string){ "", 0, 0 }
	                     : kind->display_name.length > 0 ? kind->display_name
	                                                     : kind->name);
	if (has_offset && add_ps(line_ns, offset_ps, &start_ns) &&
	    !__builtin_add_overflow(offset_ps, duration_ps, &end_ps) &&
	    add_ps(line_ns, end_ps, &end_ns)) {
		ra_kineto_fill_time(&reading->fill, start_ns, end_ns - start_ns);
	}
	if (kind != NULL && kind->display_name.length > 0 && kind->name.length > 0) {
		ra_kineto_fill_text(&reading->fill, reading->long_name, kind->name);
	}
	if (kind != NULL) {
		ra_xplane_stats_fill(&reading->stats, &reading->fill, kind->message, METADATA_STAT);
	}
	ra_xplane_stats_fill(&reading->stats, &reading->fill, whole, EVENT_STAT);
	ra_kineto_fill_end(&reading->fill);
}

static void read_line(struct reading *reading, struct ra_protobuf line)
{
	struct ra_protobuf events = line;
	struct ra_protobuf_field field;
	struct rlog_string name = { "", 0, 0 };
	struct rlog_string display_name = { "", 0, 0 };
	int64_t id = 0;
	int64_t display_id = 0;
	int64_t line_ns = 0;

	while (ra_protobuf_next(&line, &field)) {
		if (field.number == LINE_ID) {
			id = (int64_t) field.integer;
		} else if (field.number == LINE_DISPLAY_ID) {
			display_id = (int64_t) field.integer;
		} else if (field.number == LINE_NAME) {
			name = ra_protobuf_text(&field);
		} else if (field.number == LINE_DISPLAY_NAME) {
			display_name = ra_protobuf_text(&field);
		} else if (field.number == LINE_TIMESTAMP_NS) {
			line_ns = (int64_t) field.integer;
		}
	}
	note_damage(reading, &line);
	reading->latest_ns = line_ns > reading->latest_ns ? line_ns : reading->latest_ns;
	/* Uses the low 32 bits, as XLA's own trace.json does: some ids are addresses of threads. */
	id = (int64_t) (uint32_t) (display_id != 0 ? display_id : id);
	ra_kineto_fill_place(&reading->fill, reading->pid, id);
	ra_kineto_fill_name(&reading->fill, "thread_name",
	                    display_name.length > 0 ? display_name : name);
	while (ra_protobuf_next(&events, &field)) {
		if (field.number == LINE_EVENT && field.wire == RA_PROTOBUF_BYTES) {
			read_event(reading, ra_protobuf_enter(&field), line_ns);
		}
	}
}

/* Reads a plane, in two passes, because metadata come after the events that refer to them. */
static void read_plane(struct reading *reading, struct ra_protobuf plane)
{
	const struct ra_protobuf whole = plane;
	struct ra_protobuf lines = plane;
	struct ra_protobuf_field field;
	struct rlog_string name = { "", 0, 0 };

	reading->kind_count = 0;
	while (ra_protobuf_next(&plane, &field)) {
		if (field.number == PLANE_NAME) {
			name = ra_protobuf_text(&field);
		} else if (field.number == PLANE_EVENT_METADATA) {
			note_kind(reading, ra_protobuf_enter(&field));
		} else if (field.number == PLANE_STAT_METADATA) {
			ra_xplane_stats_note(&reading->stats, &reading->store,
			                     ra_protobuf_enter(&field));
		}
	}
	note_damage(reading, &plane);
	reading->pid++;
	read_plane_stats(reading, whole, name);
	ra_kineto_fill_place(&reading->fill, reading->pid, 0);
	ra_kineto_fill_name(&reading->fill, "process_name", name);
	while (ra_protobuf_next(&lines, &field)) {
		if (field.number == PLANE_LINE && field.wire == RA_PROTOBUF_BYTES) {
			read_line(reading, ra_protobuf_enter(&field));
		}
	}
	ra_util_map_free(&reading->kind_of);
	ra_xplane_stats_fini(&reading->stats);
	reading->kind_of = (struct ra_util_map){ 0 };
	reading->stats = (struct ra_xplane_stats){ 0 };
}

/* ---- the whole ---- */

static void note_host(struct reading *reading, struct rlog_string name)
{
	struct ra_util_text json = { 0 };

	if (reading->host != 0 || name.length == 0) {
		return;
	}
	ra_util_text_put_char(&json, '"');
	ra_util_text_put_name(&json, name, RA_TEXT_JSON);
	ra_util_text_put_char(&json, '"');
	reading->host = ra_kineto_strings_add(&reading->store.strings, json.bytes, json.length);
	ra_util_text_free(&json);
}

static void read_space(struct reading *reading, struct ra_protobuf space)
{
	struct ra_protobuf_field field;

	while (ra_protobuf_next(&space, &field)) {
		if (field.number == SPACE_PLANE && field.wire == RA_PROTOBUF_BYTES) {
			read_plane(reading, ra_protobuf_enter(&field));
		} else if (field.number == SPACE_HOST) {
			note_host(reading, ra_protobuf_text(&field));
		} else if (field.number == SPACE_ERROR || field.number == SPACE_WARNING) {
			reading->kineto->oddities.profiler_warnings++;
		}
	}
	note_damage(reading, &space);
}

static void add_fact(struct reading *reading, const char *key, struct rlog_string json)
{
	struct ra_kineto_store *store = &reading->store;

	ra_kineto_store_fact(store, ra_kineto_strings_add(&store->strings, key, strlen(key)),
	                     ra_kineto_strings_add(&store->strings, json.bytes, json.length));
}

/* Adds the facts that a trace in JSON has. */
static void add_facts(struct reading *reading)
{
	struct ra_util_text *devices = &reading->devices;
	char number[24];

	if (reading->host != 0) {
		add_fact(reading, "host_name", ra_kineto_string(reading->kineto, reading->host));
	}
	if (devices->length > 0) {
		ra_util_text_put_char(devices, ']');
		add_fact(reading, "deviceProperties",
		         (struct rlog_string){ devices->bytes, (uint32_t) devices->length,
		                               (uint32_t) devices->length });
	}
	/* If the times are early, they count from the start of the profile; otherwise from 1970. */
	if (reading->latest_ns < reading->profile_start_ns / 2) {
		(void) snprintf(number, sizeof(number), "%lld",
		                (long long) reading->profile_start_ns);
		add_fact(reading, "baseTimeNanoseconds", ra_util_string(number));
	}
	ra_kineto_facts_read(reading->kineto, &reading->store);
	ra_util_text_free(devices);
}

struct ra_kineto *ra_xplane_read(const void *bytes, size_t size, struct rlog_error *stop)
{
	struct reading reading = { .stop = stop };

	reading.kineto = ra_alloc_zeros(1, sizeof(*reading.kineto));
	ra_kineto_store_init(&reading.store, reading.kineto, ra_producers_find_kind);
	reading.fill.store = &reading.store;
	reading.long_name = ra_kineto_strings_add(&reading.store.strings, "long_name", 9);
	read_space(&reading, ra_protobuf_open(bytes, size, 0));
	ra_kineto_store_trim(&reading.store);
	add_facts(&reading);
	ra_kineto_store_fini(&reading.store);
	free(reading.kinds);
	return reading.kineto;
}

bool ra_xplane_read_probe(const void *bytes, size_t size)
{
	static const char *const starts[] = { "/host:", "/device:", "Task Environment" };
	struct ra_protobuf space = ra_protobuf_open(bytes, size, 0);
	struct ra_protobuf_field field;
	struct ra_protobuf plane;

	if (!ra_protobuf_next(&space, &field) || field.number != SPACE_PLANE) {
		return false;
	}
	plane = ra_protobuf_enter(&field);
	for (int i = 0; i < 2 && ra_protobuf_next(&plane, &field); i++) { /* id and name */
		for (size_t s = 0;
		     field.number == PLANE_NAME && s < sizeof(starts) / sizeof(starts[0]); s++) {
			if (ra_util_string_has_prefix(ra_protobuf_text(&field), starts[s])) {
				return true;
			}
		}
	}
	return false;
}
