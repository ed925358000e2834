/* SPDX-License-Identifier: MIT */
/* Restores the original rows of a trace in JSON whose rows our own output redrew. */
#include "analyzer/read-json/kineto-timeline.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/base/text/util-string.h"
#include "analyzer/base/util.h"
#include "analyzer/read-json/kineto-json.h"
#include "analyzer/rows/kineto-number.h"

#define PARTS 4 /* numbers for each row: its pid and tid, and those in the original */

struct reading {
	struct ra_kineto_timeline *timeline;
	struct ra_kineto_store *store;
	int depth;
	char key[16];
	uint32_t parts[PARTS];
	unsigned part;
};

void ra_kineto_timeline_fini(struct ra_kineto_timeline *timeline)
{
	ra_util_map_free(&timeline->rows);
	ra_util_map_free(&timeline->arrows);
	ra_util_map_free(&timeline->marks);
	free(timeline->was_rows);
	*timeline = (struct ra_kineto_timeline){ 0 };
}

static void take_open(void *context, bool is_object)
{
	struct reading *reading = context;

	(void) is_object;
	reading->depth++;
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
	const size_t kept = length < sizeof(reading->key) ? length : 0;

	(void) number;
	memcpy(reading->key, text, kept);
	reading->key[kept] = '\0';
}

static struct ra_util_map *find_map(const struct reading *reading)
{
	struct ra_kineto_timeline *timeline = reading->timeline;

	return strcmp(reading->key, "rows") == 0     ? &timeline->rows
	       : strcmp(reading->key, "arrows") == 0 ? &timeline->arrows
	       : strcmp(reading->key, "marks") == 0  ? &timeline->marks
	                                             : NULL;
}

static void add_row(struct reading *reading)
{
	struct ra_kineto_timeline *timeline = reading->timeline;
	const uint32_t *parts = reading->parts;

	ra_util_grow(&timeline->was_rows, &timeline->row_capacity, timeline->row_count + 1,
	             sizeof(*timeline->was_rows));
	ra_util_map_put(find_map(reading), (uint64_t) parts[0] << 32 | parts[1],
	                (uint32_t) timeline->row_count);
	timeline->was_rows[timeline->row_count++] =
		(struct ra_kineto_timeline_row){ parts[2], parts[3] };
}

static void take_value(void *context, enum ra_json_type type, const char *text, size_t length)
{
	struct reading *reading = context;
	struct ra_kineto_number number;

	if (reading->depth == 1 && strcmp(reading->key, "shift_us") == 0 &&
	    type == RA_JSON_NUMBER && ra_kineto_number_parse(text, length, &number) &&
	    number.scale == 0 && number.digits > 0 && number.digits < INT64_MAX / 2000) {
		reading->timeline->shift_ns = number.digits * 1000;
	} else if (reading->depth == 1 && strcmp(reading->key, "adds_base") == 0) {
		reading->timeline->adds_base = type == RA_JSON_TRUE;
	} else if (reading->depth == 2 && find_map(reading) != NULL && type == RA_JSON_STRING) {
		reading->parts[reading->part++] =
			ra_kineto_strings_add(&reading->store->strings, text, length);
		if (reading->part == PARTS) {
			reading->part = 0;
			add_row(reading);
		}
	}
}

void ra_kineto_timeline_read(struct ra_kineto_timeline *timeline, struct ra_kineto_store *store,
                             struct rlog_string json)
{
	static const struct ra_json_handler handler = {
		.open = take_open,
		.close = take_close,
		.key = take_key,
		.value = take_value,
	};
	struct reading reading = { .timeline = timeline, .store = store };
	struct ra_json parser = { .handler = &handler, .context = &reading };
	struct ra_kineto_input *input = ra_kineto_input_open_memory(json.bytes, json.length);

	timeline->is_there = true;
	ra_kineto_json_read(&parser, input);
	ra_kineto_input_close(input);
}

bool ra_kineto_timeline_take_field(struct ra_kineto_timeline *timeline, struct rlog_string key,
                                   const char *text, size_t length)
{
	if (!timeline->is_there) {
		return false;
	}
	if (ra_util_string_is(key, "added")) {
		timeline->is_added = true;
		return true;
	}
	if (ra_util_string_is(key, "was") && length == 1) {
		timeline->was = (uint8_t) *text;
		return true;
	}
	return false;
}

/* Return: NULL: the original row of such events is the same. */
static const struct ra_util_map *find_rows(const struct ra_kineto_timeline *timeline, char phase)
{
	if (phase == '\0') {
		return NULL;
	}
	return strchr("XBE", phase) != NULL   ? &timeline->rows
	       : strchr("stf", phase) != NULL ? &timeline->arrows
	       : strchr("iIR", phase) != NULL ? &timeline->marks
	                                      : NULL;
}

bool ra_kineto_timeline_undo(struct ra_kineto_timeline *timeline, struct ra_kineto_row *row)
{
	const bool is_added = timeline->is_added;
	const struct ra_util_map *rows;
	uint32_t was;

	if (!timeline->is_there) {
		return true;
	}
	row->phase = timeline->was != 0 ? timeline->was : row->phase;
	timeline->was = 0;
	timeline->is_added = false;
	if (row->phase == 'M') {
		return !is_added;
	}
	rows = find_rows(timeline, (char) row->phase);
	was = rows == NULL ? RA_UTIL_MAP_NONE
	                   : ra_util_map_find(rows, (uint64_t) row->pid << 32 | row->tid);
	if (was != RA_UTIL_MAP_NONE) {
		row->pid = timeline->was_rows[was].pid;
		row->tid = timeline->was_rows[was].tid;
	}
	if ((row->flags & RA_KINETO_HAS_TS) != 0) {
		row->ts_ns = ra_util_add_time(row->ts_ns, timeline->shift_ns);
	}
	return !is_added;
}

size_t ra_kineto_timeline_find_base(const struct ra_kineto_timeline *timeline, const char *text,
                                    size_t length, char *base)
{
	int64_t base_ns = 0;

	if (timeline->adds_base) {
		return 0;
	}
	if (length < RA_KINETO_TIMELINE_BASE_BYTES) {
		memcpy(base, text, length);
		base[length] = '\0';
		base_ns = strtoll(base, NULL, 10);
	}
	base_ns = base_ns > timeline->shift_ns ? base_ns - timeline->shift_ns : 0;
	return (size_t) snprintf(base, RA_KINETO_TIMELINE_BASE_BYTES, "%" PRId64, base_ns);
}
