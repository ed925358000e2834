/* SPDX-License-Identifier: MIT */
/* Goes through the JSON of rocprofv3 and finds its tables and records. */
#include "analyzer/read-rocprof/rocprof-read.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/util.h"
#include "analyzer/producers/producers.h"
#include "analyzer/read-json/kineto-facts.h"
#include "analyzer/read-json/kineto-json.h"
#include "analyzer/read-rocprof/rocprof-rows.h"
#include "analyzer/rows/kineto-number.h"

#define TOOL       "rocprofiler-sdk-tool"
#define PATH_BYTES 160
#define MAX_DEPTH  16 /* values that nest deeper are skipped */

/* Names of the lists whose objects are records, or entries of tables. */
static const char *const sections[] = {
	"agents",
	"kernel_symbols",
	"strings/buffer_records",
	"strings/marker_api",
};
static const char records[] = "buffer_records/";

struct reading {
	struct ra_json json;
	struct ra_kineto_input *input;
	const struct ra_input_options *options;
	struct ra_kineto_store store;
	struct ra_rocprof_tables tables;
	struct ra_rocprof_rows rows;
	/* The keys that lead to the current value, joined by slashes, without the outermost key,
	 * which is the tool's. Lists add nothing to the path. */
	char path[PATH_BYTES];
	size_t length;
	size_t ends[MAX_DEPTH + 1]; /* by number of open brackets: the length of the path there */
	int depth;
	int list;     /* depth of the current list of records; 0: none */
	int object;   /* depth of the current object; 0: none */
	size_t start; /* where in the path the keys inside the object begin */
	char section[PATH_BYTES];
	bool is_record;
	uint32_t host; /* string ids of both names */
	uint32_t program;
};

/* ---- the path ---- */

static void cut_path(struct reading *reading)
{
	reading->length = reading->depth <= MAX_DEPTH ? reading->ends[reading->depth] : 0;
	reading->path[reading->length] = '\0';
}

static void take_key(void *context, const char *text, size_t length, unsigned number)
{
	struct reading *reading = context;
	const bool is_tool = reading->depth == 1; /* the outermost object has only the tool's key */

	(void) number;

	cut_path(reading);
	if (reading->depth > MAX_DEPTH || is_tool || length + 2 > PATH_BYTES - reading->length) {
		return; /* a key that does not fit is no known key */
	}
	if (reading->length > 0) {
		reading->path[reading->length++] = '/';
	}
	memcpy(reading->path + reading->length, text, length);
	reading->length += length;
	reading->path[reading->length] = '\0';
}

static bool is_of_records(const struct reading *reading)
{
	return strncmp(reading->path, records, sizeof(records) - 1) == 0;
}

/* True if the object that begins is a record, or an entry of a table. */
static bool is_wanted(const struct reading *reading)
{
	if (is_of_records(reading)) {
		return strchr(reading->path + sizeof(records) - 1, '/') == NULL;
	}
	for (size_t i = 0; i < sizeof(sections) / sizeof(sections[0]); i++) {
		if (strcmp(reading->path, sections[i]) == 0) {
			return true;
		}
	}
	return false;
}

static void begin_object(struct reading *reading)
{
	reading->object = reading->depth;
	reading->start = reading->length + 1; /* the place after the slash */
	reading->is_record = is_of_records(reading);
	(void) snprintf(reading->section, sizeof(reading->section), "%s",
	                reading->path + (reading->is_record ? sizeof(records) - 1 : 0));
	if (reading->is_record) {
		ra_rocprof_rows_begin(&reading->rows);
	} else {
		ra_rocprof_tables_begin(&reading->tables, reading->section);
	}
}

static void take_open(void *context, bool is_object)
{
	struct reading *reading = context;

	reading->depth++;
	if (reading->depth <= MAX_DEPTH) {
		reading->ends[reading->depth] = reading->length;
	}
	if (is_object && reading->object == 0 && is_wanted(reading)) {
		begin_object(reading);
	} else if (!is_object && reading->object == 0 && reading->list == 0 &&
	           is_of_records(reading) && is_wanted(reading)) {
		reading->list = reading->depth;
	}
}

static void take_close(void *context, bool is_object)
{
	struct reading *reading = context;

	if (reading->depth == reading->object && is_object) {
		reading->object = 0;
		if (reading->is_record) {
			ra_rocprof_rows_end(&reading->rows, reading->section);
		} else {
			ra_rocprof_tables_end(&reading->tables, reading->section);
		}
	}
	if (reading->depth == reading->list) {
		reading->list = 0;
	}
	cut_path(reading);
	reading->depth -= reading->depth > 0;
}

/* ---- values ---- */

/* Adds the name of the program: the first word of the command, without its folder. */
static uint32_t add_program(struct reading *reading, struct rlog_string path)
{
	for (uint32_t i = path.length; i-- > 0;) {
		if (path.bytes[i] == '/') {
			path.bytes += i + 1;
			path.length -= i + 1;
			break;
		}
	}
	return ra_kineto_strings_add(&reading->store.strings, path.bytes, path.length);
}

static void take_metadata(struct reading *reading, const struct ra_rocprof_value *value)
{
	if (strcmp(value->path, "metadata/pid") == 0) {
		reading->rows.pid = value->number;
	} else if (strcmp(value->path, "metadata/node/hostname") == 0) {
		reading->host = ra_kineto_strings_add(&reading->store.strings, value->text.bytes,
		                                      value->text.length);
	} else if (strcmp(value->path, "metadata/command") == 0 && reading->program == 0) {
		reading->program = add_program(reading, value->text);
	}
}

static void take_value(void *context, enum ra_json_type type, const char *text, size_t length)
{
	struct reading *reading = context;
	struct ra_rocprof_value value = {
		.path = reading->path,
		.is_text = type == RA_JSON_STRING,
	};
	struct ra_kineto_number number;

	if (type == RA_JSON_NUMBER && ra_kineto_number_parse(text, length, &number) &&
	    number.scale == 0) {
		value.number = number.digits;
	}
	if (value.is_text && length <= UINT32_MAX) {
		value.text = (struct rlog_string){ text, (uint32_t) length, (uint32_t) length };
	}
	if (reading->object == 0) {
		if (strcmp(value.path, "metadata/config/group_by_queue") == 0) {
			reading->rows.by_queue = type == RA_JSON_TRUE;
		}
		take_metadata(reading, &value);
		reading->store.kineto->oddities.not_objects += reading->list > 0;
		return;
	}
	if (reading->length < reading->start) {
		return;
	}
	value.path += reading->start;
	if (reading->is_record) {
		ra_rocprof_rows_take(&reading->rows, &value);
	} else {
		ra_rocprof_tables_take(&reading->tables, reading->section, &value);
	}
}

/* ---- the whole ---- */

static void show_progress(void *context)
{
	const struct reading *reading = context;

	if (reading->options != NULL && reading->options->progress != NULL) {
		reading->options->progress(reading->options->progress_context,
		                           ra_kineto_input_done(reading->input),
		                           ra_kineto_input_size(reading->input));
	}
}

static void add_fact(struct reading *reading, const char *key, const struct ra_util_text *json)
{
	struct ra_kineto_store *store = &reading->store;

	ra_kineto_store_fact(store, ra_kineto_strings_add(&store->strings, key, strlen(key)),
	                     ra_kineto_strings_add(&store->strings, json->bytes, json->length));
}

/* Adds the facts that a trace in JSON has. */
static void add_facts(struct reading *reading)
{
	struct ra_util_text *devices = &reading->tables.devices;
	struct ra_util_text host = { 0 };

	if (reading->host != 0) {
		ra_util_text_put_char(&host, '"');
		ra_util_text_put_name(&host, ra_kineto_string(reading->store.kineto, reading->host),
		                      RA_TEXT_JSON);
		ra_util_text_put_char(&host, '"');
		add_fact(reading, "host_name", &host);
		ra_util_text_free(&host);
	}
	if (devices->length > 0) {
		ra_util_text_put_char(devices, ']');
		add_fact(reading, "deviceProperties", devices);
	}
	if (reading->program != 0) {
		ra_kineto_fill_place(&reading->rows.fill, reading->rows.pid, 0);
		ra_kineto_fill_name(&reading->rows.fill, "process_name",
		                    ra_kineto_string(reading->store.kineto, reading->program));
	}
	ra_kineto_store_trim(&reading->store);
	ra_kineto_facts_read(reading->store.kineto, &reading->store);
}

static void read_text(struct reading *reading, struct rlog_error *stop)
{
	static const struct ra_json_handler handler = {
		.open = take_open,
		.close = take_close,
		.key = take_key,
		.value = take_value,
	};
	struct ra_kineto *k = reading->store.kineto;

	reading->json.handler = &handler;
	reading->json.context = reading;
	reading->json.progress = show_progress;
	ra_kineto_json_read(&reading->json, reading->input);
	*stop = reading->json.stop;
	k->json_bytes = reading->json.bytes;
	k->file_bytes = ra_kineto_input_done(reading->input);
	k->oddities.repaired_words = reading->json.odd[RA_JSON_ODD_WORD];
	k->oddities.repaired_commas = reading->json.odd[RA_JSON_ODD_COMMA];
	k->oddities.repaired_surrogates = reading->json.odd[RA_JSON_ODD_SURROGATE];
}

struct ra_kineto *ra_rocprof_read(struct ra_kineto_input *input,
                                  const struct ra_input_options *options, struct rlog_error *stop)
{
	struct ra_kineto *kineto = ra_alloc_zeros(1, sizeof(*kineto));
	struct reading *reading = ra_alloc_zeros(1, sizeof(*reading));

	reading->input = input;
	reading->options = options;
	ra_kineto_store_init(&reading->store, kineto, ra_producers_find_kind);
	reading->tables.store = &reading->store;
	reading->rows.tables = &reading->tables;
	reading->rows.fill.store = &reading->store;
	reading->rows.queue = ra_kineto_strings_add(&reading->store.strings, "queue", 5);
	read_text(reading, stop);
	add_facts(reading);
	ra_rocprof_tables_fini(&reading->tables);
	ra_kineto_store_fini(&reading->store);
	free(reading);
	return kineto;
}

bool ra_rocprof_read_probe(const void *bytes, size_t size)
{
	static const char begin[] = "{\"" TOOL "\"";
	const char *text = bytes;
	size_t fits = 0;

	for (size_t i = 0; i < size && fits < sizeof(begin) - 1; i++) {
		if (text[i] == begin[fits]) {
			fits++;
		} else if (strchr(" \t\r\n", text[i]) == NULL || text[i] == '\0') {
			return false;
		}
	}
	return fits == sizeof(begin) - 1;
}
