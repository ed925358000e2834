/* SPDX-License-Identifier: MIT */
/* Names of rows: ranges, paths, categories, domains. */
#include "analyzer/report/range-names.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/base/util.h"
#include "analyzer/rows/kineto.h"
#include "format/error.h"
#include "format/wire.h"

/* What a reader should see as a name: a label, or a string where there are none. */
static struct rlog_string find_name(const struct ra_report_input *input, uint32_t name)
{
	return input->labels != NULL ? ra_labels_name(input->labels, name)
	                             : ra_model_string(input->model, name);
}

/* Names of a path that are shown; of deeper ones only the innermost. */
#define PATH_NAMES 64

/* "outer > inner", from the outermost range to this one. */
static int name_path(const struct ra_range_names *names, const struct ra_group_key *key,
                     struct ra_table *table, struct rlog_string *name)
{
	const struct ra_group_path *paths = names->paths;
	const struct ra_group_path *at = &paths[key->path];
	struct ra_util_text text = { 0 };
	uint32_t chain[PATH_NAMES];
	size_t count = 0;
	int rc;

	chain[count++] = at->name;
	while (at->parent != RA_NONE && count < PATH_NAMES) {
		at = &paths[at->parent];
		chain[count++] = at->name;
	}
	if (at->depth > 0) {
		ra_util_text_format(&text, "(%lu more) > ", (unsigned long) at->depth);
	}
	while (count > 0) {
		const struct rlog_string part = find_name(names->input, chain[--count]);

		ra_util_text_put(&text, part.bytes, part.length);
		ra_util_text_put(&text, " > ", count == 0 ? 0 : 3);
	}
	rc = text.failed ? -RLOG_E_NO_MEMORY
	                 : ra_table_keep_text(table, text.bytes, text.length, name);
	ra_util_text_free(&text);
	return rc;
}

static int name_category(const struct ra_model *model, const struct ra_group_key *key,
                         struct ra_table *table, struct rlog_string *name)
{
	const uint32_t known = ra_model_find_category(model, key->domain, key->category);
	struct ra_util_text text = { 0 };
	int rc;

	if (known != 0) {
		*name = ra_model_string(model, known);
		return 0;
	}
	if (key->category == 0) {
		*name = ra_util_string("(no category)");
		return 0;
	}
	ra_util_text_format(&text, "category %lu", (unsigned long) key->category);
	rc = text.failed ? -RLOG_E_NO_MEMORY
	                 : ra_table_keep_text(table, text.bytes, text.length, name);
	ra_util_text_free(&text);
	return rc;
}

static bool has_names(const struct ra_report_input *input)
{
	return (input->group_by & (RA_GROUP_BY_NAME | RA_GROUP_BY_PATH | RA_GROUP_BY_SHAPE)) != 0;
}

/* What a row is called: the range, else the category, else the domain. */
static int name_group(const struct ra_range_names *names, const struct ra_group_key *key,
                      struct ra_table *table, struct rlog_string *name)
{
	const struct ra_report_input *input = names->input;

	if ((input->group_by & RA_GROUP_BY_PATH) != 0) {
		return name_path(names, key, table, name);
	}
	if (has_names(input)) {
		*name = find_name(input, key->name);
		return 0;
	}
	if ((input->group_by & RA_GROUP_BY_CATEGORY) != 0) {
		return name_category(input->model, key, table, name);
	}
	*name = ra_report_name_domain(input->model, key->domain);
	return 0;
}

void ra_range_names_hide(const struct ra_report_input *input,
                         const struct ra_range_names_columns *columns, struct ra_table *table)
{
	if (!has_names(input) || (input->group_by & RA_GROUP_BY_CATEGORY) == 0) {
		ra_table_hide(table, columns->category);
	}
	if ((input->group_by & RA_GROUP_BY_SHAPE) == 0 || input->labels == NULL) {
		ra_table_hide(table, columns->shape);
	}
	if ((input->group_by & RA_GROUP_BY_PAYLOAD) == 0) {
		ra_table_hide(table, columns->payload);
	}
}

/* Of a log the labels know the sizes, of a trace the key. */
static int put_shape(const struct ra_range_names *names, const struct ra_group_key *key,
                     struct ra_table *table, struct ra_table_cell *cell)
{
	const struct ra_report_input *input = names->input;
	struct rlog_string kept = ra_labels_shape(input->labels, key->name);
	char *text;
	int rc;

	if (key->shape == 0) {
		*cell = ra_table_make_text(kept);
		return 0;
	}
	text = ra_kineto_list_text(ra_kineto_string(input->model->kineto, key->shape));
	rc = text == NULL ? -RLOG_E_NO_MEMORY
	                  : ra_table_keep_text(table, text, strlen(text), &kept);
	free(text);
	if (rc == 0) {
		*cell = ra_table_make_text(kept);
	}
	return rc;
}

static const char *const kinds[] = {
	[RA_TRACK_THREAD] = "push/pop", [RA_TRACK_START_END] = "start/end", [RA_GROUP_WAIT] = "wait"
};

int ra_range_names_put(const struct ra_range_names *names, const struct ra_group_key *key,
                       struct ra_table *table, struct ra_table_cell *cells)
{
	const struct ra_report_input *input = names->input;
	const struct ra_range_names_columns *columns = names->columns;
	struct rlog_string name;
	int rc = name_group(names, key, table, &name);

	if (rc != 0) {
		return rc;
	}
	cells[columns->name] = ra_table_make_text(name);
	if (!ra_table_is_hidden(table, columns->category)) {
		rc = name_category(input->model, key, table, &name);
		cells[columns->category] = ra_table_make_text(name);
	}
	if (key->payload_type != RLOG_PAYLOAD_NONE) {
		cells[columns->payload] = ra_table_make_value(key->payload_type, key->payload);
	}
	if (rc == 0 && !ra_table_is_hidden(table, columns->shape)) {
		rc = put_shape(names, key, table, &cells[columns->shape]);
	}
	cells[columns->domain] =
		ra_table_make_text(ra_report_name_domain(input->model, key->domain));
	cells[columns->kind] = ra_table_make_word(kinds[key->kind]);
	return rc;
}

void ra_range_names_put_plain(const struct ra_report_input *input, const struct ra_group_key *key,
                              struct ra_table_cell *cells)
{
	cells[0] = ra_table_make_text(find_name(input, key->name));
	cells[1] = ra_table_make_text(ra_report_name_domain(input->model, key->domain));
	cells[2] = ra_table_make_word(kinds[key->kind]);
}

int ra_range_names_put_backward(struct ra_table *table, struct ra_table_cell *cell)
{
	struct ra_util_text text = { 0 };
	struct rlog_string kept;
	int rc;

	ra_util_text_format(&text, "backward of ");
	ra_util_text_put(&text, cell->u.text.bytes, cell->u.text.length);
	rc = text.failed ? -RLOG_E_NO_MEMORY
	                 : ra_table_keep_text(table, text.bytes, text.length, &kept);
	ra_util_text_free(&text);
	if (rc == 0) {
		*cell = ra_table_make_text(kept);
	}
	return rc;
}
