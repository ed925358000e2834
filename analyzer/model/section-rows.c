/* SPDX-License-Identifier: MIT */
/* Reads the rows that ranges/device.h submits: begins and ends of kernel sections, and launches. */
#include "analyzer/model/section-rows.h"

#include <string.h>

#include "analyzer/model/schemas.h"
#include "format/columns/cursor.h"

/* function numbers of nvtxEventSubmit and nvtxEventBatchSubmit */
#define EVENT_SUBMIT 0x1210
#define EVENT_BATCH  0x1211

static const struct {
	const char *name;
	uint32_t bytes;
} schemas[] = {
	[RA_SECTION_ROWS_RECORDS] = { "ranges.section", RA_SECTION_RECORD_BYTES },
	[RA_SECTION_ROWS_LAUNCHES] = { "ranges.section_launch", RA_SECTION_LAUNCH_BYTES },
};

static enum ra_section_rows_kind find_kind(const struct ra_schemas *known, uint32_t domain,
                                           uint64_t id)
{
	const struct ra_schemas_type *type = ra_schemas_find(known, domain, id);
	struct rlog_string name;

	if (type == NULL || type->is_enum || type->state != RA_SCHEMA_READY) {
		return RA_SECTION_ROWS_NONE;
	}
	name = ra_defs_string(&known->defs, type->def->string);
	for (int kind = RA_SECTION_ROWS_RECORDS; kind <= RA_SECTION_ROWS_LAUNCHES; kind++) {
		if (type->u.schema.size == schemas[kind].bytes && name.bytes != NULL &&
		    name.length == strlen(schemas[kind].name) &&
		    memcmp(name.bytes, schemas[kind].name, name.length) == 0) {
			return (enum ra_section_rows_kind) kind;
		}
	}
	return RA_SECTION_ROWS_NONE;
}

/* Reads [schema, size, bytes …], or [schema, size, address, bytes …]. */
static bool read_payload(struct rlog_cursor *cursor, bool has_address, uint64_t *schema,
                         const char **bytes, uint32_t *count)
{
	struct rlog_cursor_int number;
	uint32_t fields = 0;

	if (rlog_cursor_read_array(cursor, &fields) != 0 || fields < 3u + has_address ||
	    rlog_cursor_read_int(cursor, &number) != 0) {
		return false;
	}
	*schema = number.bits;
	return rlog_cursor_read_int(cursor, &number) == 0 &&
	       (!has_address || rlog_cursor_read_int(cursor, &number) == 0) &&
	       rlog_cursor_read_text(cursor, bytes, count) == 0;
}

enum ra_section_rows_kind ra_section_rows_find(const struct ra_model *model,
                                               const struct ra_data *data, const uint8_t **rows,
                                               size_t *count)
{
	const struct ra_call *call = &model->calls[data->owner];
	struct rlog_cursor cursor = { model->data_bytes + data->from,
		                      model->data_bytes + data->from + data->length };
	const bool is_single = call->function == EVENT_SUBMIT;
	enum ra_section_rows_kind kind;
	const char *bytes = NULL;
	uint64_t schema = 0;
	uint32_t length = 0;

	if ((!is_single && call->function != EVENT_BATCH) || model->schemas == NULL ||
	    (is_single && (rlog_cursor_read_array(&cursor, &length) != 0 || length == 0)) ||
	    !read_payload(&cursor, is_single, &schema, &bytes, &length)) {
		return RA_SECTION_ROWS_NONE;
	}
	kind = find_kind(model->schemas, model->domains[call->domain].id, schema);
	if (kind != RA_SECTION_ROWS_NONE) {
		*rows = (const uint8_t *) bytes;
		*count = length / schemas[kind].bytes;
	}
	return kind;
}
