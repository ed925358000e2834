/* SPDX-License-Identifier: MIT */
/* Makes rows for readers of formats other than Chrome's JSON. */
#include "analyzer/rows/kineto-fill.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analyzer/base/util.h"
#include "analyzer/rows/kineto-kinds.h"
#include "analyzer/rows/kineto-number.h"

#define MAX_NS (INT64_MAX / 4)

static uint32_t add_number(struct ra_kineto_fill *fill, int64_t number)
{
	char text[24];
	const int length = snprintf(text, sizeof(text), "%" PRId64, number);

	return ra_kineto_strings_add(&fill->store->strings, text, (size_t) length);
}

void ra_kineto_fill_place(struct ra_kineto_fill *fill, int64_t pid, int64_t tid)
{
	fill->pid = add_number(fill, pid);
	fill->tid = add_number(fill, tid);
}

void ra_kineto_fill_begin(struct ra_kineto_fill *fill, char phase, struct rlog_string name)
{
	fill->row = (struct ra_kineto_row){
		.pid = fill->pid,
		.tid = fill->tid,
		.corr = RA_KINETO_NONE,
		.external = RA_KINETO_NONE,
		.phase = (uint8_t) phase,
	};
	fill->store->item_count = 0;
	if (name.length > 0) {
		fill->row.flags |= RA_KINETO_HAS_NAME;
		fill->row.name =
			ra_kineto_strings_add(&fill->store->strings, name.bytes, name.length);
	}
}

void ra_kineto_fill_category(struct ra_kineto_fill *fill, const char *category)
{
	if (*category != '\0') {
		fill->row.flags |= RA_KINETO_HAS_CAT;
		fill->row.category =
			ra_kineto_strings_add(&fill->store->strings, category, strlen(category));
	}
}

void ra_kineto_fill_time(struct ra_kineto_fill *fill, int64_t start_ns, int64_t dur_ns)
{
	if (start_ns <= MAX_NS && start_ns >= -MAX_NS) {
		fill->row.ts_ns = start_ns;
		fill->row.flags |= RA_KINETO_HAS_TS;
	}
	if (dur_ns <= MAX_NS && dur_ns >= -MAX_NS) {
		fill->row.dur_ns = dur_ns;
		fill->row.flags |= RA_KINETO_HAS_DUR;
	}
}

static void put_item(struct ra_kineto_fill *fill, uint32_t key, struct ra_kineto_item item)
{
	item.key = key << 1 | 1;
	fill->row.flags |= RA_KINETO_HAS_ARGS;
	ra_kineto_store_item(fill->store, &item);
}

void ra_kineto_fill_int(struct ra_kineto_fill *fill, uint32_t key, int64_t value)
{
	struct ra_kineto_item item = { 0 };
	char text[24];
	const int length = snprintf(text, sizeof(text), "%" PRId64, value);

	ra_kineto_store_number(fill->store, text, (size_t) length, &item);
	if (key == RA_KINETO_ARG_CORRELATION && value >= 0 && value < RA_KINETO_NONE) {
		fill->row.corr = (uint32_t) value;
	} else if (key == RA_KINETO_ARG_EXTERNAL_ID && value >= 0 && value < RA_KINETO_NONE) {
		fill->row.external = (uint32_t) value;
	}
	put_item(fill, key, item);
}

void ra_kineto_fill_real(struct ra_kineto_fill *fill, uint32_t key, double value)
{
	struct ra_kineto_item item = { 0 };
	char text[40];
	const int length = snprintf(text, sizeof(text), "%.17g", value);

	if (isfinite(value)) {
		ra_kineto_store_number(fill->store, text, (size_t) length, &item);
		put_item(fill, key, item);
	} else {
		/* JSON has no such number, so it is stored as a text */
		ra_kineto_fill_text(fill, key, ra_util_string(text));
	}
}

void ra_kineto_fill_text(struct ra_kineto_fill *fill, uint32_t key, struct rlog_string text)
{
	put_item(fill, key,
	         (struct ra_kineto_item){
			 .tag = RA_KINETO_TAG_STRING,
			 .payload = ra_kineto_strings_add(&fill->store->strings, text.bytes,
	                                                  text.length),
		 });
}

void ra_kineto_fill_dims(struct ra_kineto_fill *fill, uint32_t key, const int64_t dims[3])
{
	char text[80];
	const int length = snprintf(text, sizeof(text), "[%" PRId64 ",%" PRId64 ",%" PRId64 "]",
	                            dims[0], dims[1], dims[2]);

	put_item(fill, key,
	         (struct ra_kineto_item){
			 .tag = RA_KINETO_TAG_JSON,
			 .payload = ra_kineto_strings_add(&fill->store->strings, text,
	                                                  (size_t) length),
		 });
}

void ra_kineto_fill_end(struct ra_kineto_fill *fill)
{
	struct ra_kineto_oddities *oddities = &fill->store->kineto->oddities;
	const struct ra_kineto_row *row = &fill->row;

	oddities->no_time += ra_kineto_kinds_lacks_time(row);
	if (row->phase == 'X') {
		oddities->no_duration += (row->flags & RA_KINETO_HAS_DUR) == 0;
		oddities->no_name += (row->flags & RA_KINETO_HAS_NAME) == 0;
		oddities->negative_durations += row->dur_ns < 0;
	}
	ra_kineto_store_row(fill->store, row);
}

void ra_kineto_fill_name(struct ra_kineto_fill *fill, const char *what, struct rlog_string name)
{
	if (name.length > 0) {
		ra_kineto_fill_begin(fill, 'M', ra_util_string(what));
		ra_kineto_fill_text(fill, RA_KINETO_ARG_NAME, name);
		ra_kineto_fill_end(fill);
	}
}
