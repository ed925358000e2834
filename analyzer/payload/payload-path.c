/* SPDX-License-Identifier: MIT */
/* Gives each field of a payload a path, such as inner.x or values[]. */
#include "analyzer/payload/payload-path.h"

#include <inttypes.h>

/* Appends a name to the path. Return: the length that the path had before. */
static size_t push_name(struct ra_payload_path *path, struct rlog_string name)
{
	const size_t before = path->text.length;

	if (path->depth > 0 && path->depth < RA_PAYLOAD_PATH_MAX_DEPTH &&
	    path->arrays[path->depth]) {
		const uint64_t index = path->indices[path->depth]++;

		if (path->with_index) {
			ra_util_text_format(&path->text, "[%" PRIu64 "]", index);
		} else {
			ra_util_text_put(&path->text, "[]", 2);
		}
		return before;
	}
	if (before > 0) {
		ra_util_text_put_char(&path->text, '.');
	}
	if (name.bytes != NULL) {
		ra_util_text_put(&path->text, name.bytes, name.length);
	} else {
		ra_util_text_put(&path->text, "payload", 7);
	}
	return before;
}

static void visit_value(void *context, const struct ra_payload_value *value)
{
	struct ra_payload_path *path = context;
	size_t before;

	if (path->hidden > 0 || value->is_hidden) {
		return;
	}
	before = push_name(path, value->name);
	const struct rlog_string text = { path->text.bytes, (uint32_t) path->text.length,
		                          (uint32_t) path->text.length };

	path->field(path->context, text, value);
	path->text.length = before;
}

static void visit_open(void *context, const struct ra_payload_group *group)
{
	struct ra_payload_path *path = context;
	size_t before;

	if (path->hidden > 0 || group->is_hidden) {
		path->hidden++;
		return;
	}
	before = push_name(path, group->name);
	path->depth++;
	if (path->depth < RA_PAYLOAD_PATH_MAX_DEPTH) {
		path->lengths[path->depth] = before;
		path->indices[path->depth] = 0;
		path->arrays[path->depth] = group->is_array;
	}
}

static void visit_close(void *context)
{
	struct ra_payload_path *path = context;

	if (path->hidden > 0) {
		path->hidden--;
		return;
	}
	if (path->depth < RA_PAYLOAD_PATH_MAX_DEPTH) {
		path->text.length = path->lengths[path->depth];
	}
	path->depth--;
}

struct ra_payload_visitor ra_payload_path_visitor(struct ra_payload_path *path)
{
	const struct ra_payload_visitor visitor = { visit_value, visit_open, visit_close, NULL,
		                                    path };

	path->depth = 0;
	path->hidden = 0;
	ra_util_text_clear(&path->text);
	return visitor;
}
