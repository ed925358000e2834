/* SPDX-License-Identifier: MIT */
/* Checks the details of definitions, and the data of events. */
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>

#include "analyzer/base/alloc.h"
#include "analyzer/model/names.h"
#include "analyzer/model/schemas.h"
#include "analyzer/inspect/verify.h"
#include "format/columns/cursor.h"
#include "format/wire.h"

/* True if the bytes are exactly one array. */
static bool is_detail(const uint8_t *bytes, size_t count)
{
	struct rlog_cursor cursor = { bytes, bytes + count };

	return rlog_cursor_peek(&cursor) == RLOG_CURSOR_ARRAY && rlog_cursor_skip(&cursor) == 0 &&
	       cursor.pos == cursor.end;
}

static bool has_detail(uint32_t kind)
{
	return kind == RLOG_DEF_RESOURCE ||
	       (kind >= RLOG_DEF_PAYLOAD_SCHEMA && kind <= RLOG_DEF_TYPE_TABLE);
}

/* Reports a finding. Its offset is the file's end, because the finding is about the whole file. */
static void report_def(struct ra_verify *verify, const struct rlog_def *def, const char *what)
{
	ra_verify_report(verify, rlog_reader_size_bytes(verify->reader),
	                 "definition of %s %" PRIu64 ": %s", ra_names_def(def->kind), def->id,
	                 what);
}

static void check_def(struct ra_verify *verify, const struct ra_defs *defs,
                      const struct rlog_def *def)
{
	const struct rlog_string detail = ra_defs_detail(defs, def);
	uint32_t count = 0;
	int code = 0;

	if (!has_detail(def->kind) || def->value == 0) {
		return;
	}
	if (detail.bytes == NULL) {
		report_def(verify, def, "its detail is a string that is not there");
		return;
	}
	if (detail.length < detail.full_length) {
		return; /* the capture's limit on strings cut it; its full length shows this */
	}
	if (!is_detail((const uint8_t *) detail.bytes, detail.length)) {
		report_def(verify, def, "its detail is no array");
		return;
	}
	if (def->kind == RLOG_DEF_PAYLOAD_SCHEMA) {
		code = rlog_schema_count_entries(detail.bytes, detail.length, &count);
	} else if (def->kind == RLOG_DEF_PAYLOAD_ENUM) {
		code = rlog_schema_count_values(detail.bytes, detail.length, &count);
	}
	if (code != 0) {
		report_def(verify, def, "its detail is not of that kind");
	}
}

void ra_verify_definitions(struct ra_verify *verify)
{
	struct ra_defs defs;

	ra_defs_init(&defs, verify->reader);
	for (size_t i = 0; i < defs.count; i++) {
		check_def(verify, &defs, defs.defs[i]);
	}
	ra_defs_fini(&defs);
}

/* Checks the data of a row, joined with those of the rows of op `more` after it. */
static uint8_t *join(const struct rlog_data_column *data, size_t first, size_t end, size_t *count)
{
	uint8_t *bytes;

	*count = data->from[end] - data->from[first];
	bytes = ra_alloc_bytes(*count + 1);
	for (size_t i = 0; i < *count; i++) {
		bytes[i] = data->bytes[data->from[first] + i];
	}
	return bytes;
}

/* The data of the last row are not checked, because they may continue in the next chunk. */
void ra_verify_data(struct ra_verify *verify, const struct rlog_chunk *chunk,
                    const struct rlog_batch *batch)
{
	const struct rlog_data_column *data = &batch->data;
	uint64_t bad = 0;
	uint64_t orphans = 0;
	uint64_t first_bad = 0;
	uint64_t first_orphan = 0;

	for (size_t i = 0, next; i < data->count; i = next) {
		const size_t row = data->row[i];
		size_t last = row;
		size_t count = 0;
		uint8_t *bytes;

		for (next = i + 1; next < data->count && data->row[next] == last + 1 &&
		                   batch->op[last + 1] == RLOG_OP_MORE;
		     next++) {
			last++;
		}
		if (batch->op[row] == RLOG_OP_MORE) {
			if (row > 0) {
				first_orphan =
					orphans++ == 0 ? batch->sequence + row : first_orphan;
			}
			continue;
		}
		if (last + 1 == batch->count) {
			continue;
		}
		bytes = join(data, i, next, &count);
		if (!is_detail(bytes, count)) {
			first_bad = bad++ == 0 ? batch->sequence + row : first_bad;
		}
		free(bytes);
	}
	if (bad > 0) {
		ra_verify_report(verify, chunk->offset,
		                 "stream %" PRIu32 ": the data of %" PRIu64
		                 " events are no array, the first are those of event %" PRIu64,
		                 chunk->stream, bad, first_bad);
	}
	if (orphans > 0) {
		ra_verify_report(
			verify, chunk->offset,
			"stream %" PRIu32 ": %" PRIu64
			" rows continue data that are not there, the first is row %" PRIu64,
			chunk->stream, orphans, first_orphan);
	}
}
