/* SPDX-License-Identifier: MIT */
/* Finds the names of events whose name is only in their payload. */
#include "analyzer/read-log/payloads/messages.h"

#include <string.h>

#include "analyzer/base/text/util-string.h"
#include "analyzer/payload/payload.h"
#include "analyzer/base/text/util-text.h"

/* Each distinct text becomes a name of the model once, unless another text has the same hash. */
struct work {
	struct ra_builder *builder;
	struct ra_payload *payload;
	struct ra_util_map names; /* hash of the text → name */
	struct ra_util_text text; /* the text of the current event */
	bool has_text;
};

static void visit_value(void *context, const struct ra_payload_value *value)
{
	struct work *work = context;

	if (value->entry != NULL && (value->entry->flags & RLOG_ENTRY_MESSAGE) != 0 &&
	    value->kind == RA_PAYLOAD_TEXT) {
		ra_util_text_clear(&work->text);
		ra_util_text_put(&work->text, value->text, value->length);
		work->has_text = true;
	}
}

static void visit_open(void *context, const struct ra_payload_group *group)
{
	(void) context;
	(void) group;
}

static void visit_close(void *context)
{
	(void) context;
}

/* Finds or makes the name with the current text. If another text has the same hash, a new name is
 * made each time. */
static uint32_t find_name(struct work *work)
{
	struct ra_model *m = work->builder->model;
	const uint64_t key = ra_util_string_hash(work->text.bytes, work->text.length);
	const uint32_t known = ra_util_map_find(&work->names, key);
	uint32_t name;

	if (known != RA_UTIL_MAP_NONE) {
		const struct rlog_string same = ra_model_string(m, known);

		if (same.length == work->text.length &&
		    memcmp(same.bytes, work->text.bytes, same.length) == 0) {
			return known;
		}
	}
	ra_builder_add_name(work->builder, work->text.bytes, work->text.length, &name);
	ra_util_map_put(&work->names, key, name);
	return name;
}

/* Handles the data of one owner that has no name. */
static void name_owner(struct work *work, const struct ra_data *rows, size_t count, uint16_t domain,
                       uint32_t *name)
{
	const struct ra_model *m = work->builder->model;
	const struct ra_payload_visitor visitor = { visit_value, visit_open, visit_close, NULL,
		                                    work };

	work->has_text = false;
	for (size_t i = 0; i < count; i++) {
		ra_payload_decode(work->payload, m->domains[domain].id,
		                  m->data_bytes + rows[i].from, rows[i].length, &visitor);
	}
	if (work->has_text && work->text.length > 0) {
		*name = find_name(work);
	}
}

static void apply_list(struct work *work, const struct ra_data_list *list, bool is_slice)
{
	struct ra_model *m = work->builder->model;

	for (size_t i = 0, next = 0; i < list->count; i = next) {
		const uint32_t owner = list->rows[i].owner;
		uint32_t *name = is_slice ? &m->slices.name[owner] : &m->marks[owner].name;

		while (next < list->count && list->rows[next].owner == owner) {
			next++;
		}
		if (*name == 0) {
			name_owner(work, list->rows + i, next - i,
			           is_slice ? m->slices.domain[owner] : m->marks[owner].domain,
			           name);
		}
	}
}

void ra_messages_apply(struct ra_builder *builder)
{
	const struct ra_model *m = builder->model;
	struct work work = { .builder = builder };

	if (m->slice_data.count == 0 && m->mark_data.count == 0) {
		return;
	}
	work.payload = ra_payload_create(m->schemas);
	apply_list(&work, &m->slice_data, true);
	apply_list(&work, &m->mark_data, false);
	ra_payload_destroy(work.payload);
	ra_util_map_free(&work.names);
	ra_util_text_free(&work.text);
}
