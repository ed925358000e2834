/* SPDX-License-Identifier: MIT */
/* Reads an export of nsys: its strings, which become names of the model. */
#include <string.h>

#include "analyzer/base/text/util-string.h"
#include "analyzer/read-nsys/nsys.h"

static bool is_text(const struct ra_model *model, uint32_t name, const char *bytes, size_t length)
{
	const struct rlog_string text = ra_model_string(model, name);

	return text.length == length && memcmp(text.bytes, bytes, length) == 0;
}

uint32_t ra_nsys_names_add(struct ra_nsys *nsys, const char *bytes, size_t length)
{
	uint64_t key = ra_util_string_hash(bytes, length);
	uint32_t name;

	if (length == 0) {
		return 0;
	}
	for (;; key++) {
		name = ra_util_map_find(&nsys->texts, key);
		if (name == RA_UTIL_MAP_NONE) {
			break;
		}
		if (is_text(nsys->model, name, bytes, length)) {
			return name;
		}
	}
	ra_builder_add_name(&nsys->builder, bytes, length, &name);
	ra_util_map_put(&nsys->texts, key, name);
	return name;
}

void ra_nsys_names_read(struct ra_nsys *nsys)
{
	static const char *const columns[] = { "id", "value", NULL };
	struct ra_nsys_rows rows;

	ra_nsys_rows_open(&rows, &nsys->db, "StringIds", columns, NULL);
	while (ra_nsys_rows_next(&rows)) {
		const uint64_t id = (uint64_t) ra_nsys_rows_int(&rows, 0, 0);
		const struct rlog_string text = ra_nsys_rows_text(&rows, 1);
		const uint32_t name = ra_nsys_names_add(nsys, text.bytes, text.length);

		ra_util_map_put(&nsys->string_ids, id, name);
	}
	ra_nsys_rows_close(&rows);
}

uint32_t ra_nsys_names_of_id(struct ra_nsys *nsys, const struct ra_nsys_rows *rows, int column)
{
	uint32_t name;

	if (ra_nsys_rows_is_null(rows, column)) {
		return 0;
	}
	name = ra_util_map_find(&nsys->string_ids, (uint64_t) ra_nsys_rows_int(rows, column, 0));
	if (name == RA_UTIL_MAP_NONE) {
		nsys->model->quality.lost_names++;
		return 0;
	}
	return name;
}

uint32_t ra_nsys_names_of(struct ra_nsys *nsys, const struct ra_nsys_rows *rows, int text, int id)
{
	const struct rlog_string own = ra_nsys_rows_text(rows, text);

	return own.bytes != NULL ? ra_nsys_names_add(nsys, own.bytes, own.length)
	                         : ra_nsys_names_of_id(nsys, rows, id);
}

bool ra_nsys_times(struct ra_nsys *nsys, const struct ra_nsys_rows *rows, int64_t *start_ns,
                   int64_t *dur_ns)
{
	const int64_t start = ra_nsys_rows_int(rows, 0, INT64_MIN);
	const int64_t end = ra_nsys_rows_int(rows, 1, INT64_MIN);

	if (start < -RA_NSYS_TIME_MAX || end > RA_NSYS_TIME_MAX || end < start) {
		nsys->bad_times++;
		return false;
	}
	*start_ns = start;
	*dur_ns = end - start;
	return true;
}
