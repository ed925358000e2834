/* SPDX-License-Identifier: MIT */
/* Names rows in tables of ranges, by what the ranges of a row have in common. */
#include "analyzer/report/range-names.h"

#include "analyzer/base/util.h"
#include "analyzer/report/op-names.h"
#include "analyzer/rows/kineto.h"
#include "format/wire.h"

/* At most so many names of a path are shown: the innermost. */
#define PATH_NAMES 64

/* Makes "outer > inner", from the outermost range to this one. */
static struct rlog_string name_path(const struct ra_range_names *names,
                                    const struct ra_group_key *key, struct ra_table *table)
{
	const struct ra_group_path *paths = names->paths;
	const struct ra_group_path *at = &paths[key->path];
	struct ra_util_text text = { 0 };
	uint32_t chain[PATH_NAMES];
	size_t count = 0;

	chain[count++] = at->name;
	while (at->parent != RA_NONE && count < PATH_NAMES) {
		at = &paths[at->parent];
		chain[count++] = at->name;
	}
	if (at->depth > 0) {
		ra_util_text_format(&text, "(%lu more) > ", (unsigned long) at->depth);
	}
	while (count > 0) {
		const struct rlog_string part = ra_op_names_of_label(names->input, chain[--count]);

		ra_util_text_put(&text, part.bytes, part.length);
		ra_util_text_put(&text, " > ", count == 0 ? 0 : 3);
	}
	return ra_table_take_text(table, &text);
}

static struct rlog_string name_category(const struct ra_model *model,
                                        const struct ra_group_key *key, struct ra_table *table)
{
	const uint32_t known = ra_model_find_category(model, key->domain, key->category);
	struct ra_util_text text = { 0 };

	if (known != 0) {
		return ra_model_string(model, known);
	}
	if (key->category == 0) {
		return ra_util_string("(no category)");
	}
	ra_util_text_format(&text, "category %lu", (unsigned long) key->category);
	return ra_table_take_text(table, &text);
}

static bool has_names(const struct ra_report_input *input)
{
	return (input->group_by & (RA_GROUP_BY_NAME | RA_GROUP_BY_PATH | RA_GROUP_BY_SHAPE)) != 0;
}

/* The name of a row: that of the range; if there is none, of the category; or of the domain. */
static struct rlog_string name_group(const struct ra_range_names *names,
                                     const struct ra_group_key *key, struct ra_table *table)
{
	const struct ra_report_input *input = names->input;

	if ((input->group_by & RA_GROUP_BY_PATH) != 0) {
		return name_path(names, key, table);
	}
	if (has_names(input)) {
		return ra_op_names_of_label(input, key->name);
	}
	if ((input->group_by & RA_GROUP_BY_CATEGORY) != 0) {
		return name_category(input->model, key, table);
	}
	return ra_report_name_domain(input->model, key->domain);
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

/* The sizes of inputs: for a log they are in the label, for a trace in the key. */
static struct rlog_string name_shape(const struct ra_range_names *names,
                                     const struct ra_group_key *key, struct ra_table *table)
{
	const struct ra_report_input *input = names->input;

	return key->shape == 0 ? ra_labels_shape(input->labels, key->name)
	                       : ra_report_keep_list(
					 table, ra_kineto_string(input->model->kineto, key->shape));
}

static const char *const kinds[] = {
	[RA_TRACK_THREAD] = "push/pop", [RA_TRACK_START_END] = "start/end", [RA_GROUP_WAIT] = "wait"
};

void ra_range_names_put(const struct ra_range_names *names, const struct ra_group_key *key,
                        struct ra_table *table, struct ra_table_cell *cells)
{
	const struct ra_report_input *input = names->input;
	const struct ra_range_names_columns *columns = names->columns;

	cells[columns->name] = ra_table_make_text(name_group(names, key, table));
	if (!ra_table_is_hidden(table, columns->category)) {
		cells[columns->category] =
			ra_table_make_text(name_category(input->model, key, table));
	}
	if (key->payload_type != RLOG_PAYLOAD_NONE) {
		cells[columns->payload] = ra_table_make_value(key->payload_type, key->payload);
	}
	if (!ra_table_is_hidden(table, columns->shape)) {
		cells[columns->shape] = ra_table_make_text(name_shape(names, key, table));
	}
	cells[columns->domain] =
		ra_table_make_text(ra_report_name_domain(input->model, key->domain));
	cells[columns->kind] = ra_table_make_word(kinds[key->kind]);
}

void ra_range_names_put_plain(const struct ra_report_input *input, const struct ra_group_key *key,
                              struct ra_table_cell *cells)
{
	cells[0] = ra_table_make_text(ra_op_names_of_label(input, key->name));
	cells[1] = ra_table_make_text(ra_report_name_domain(input->model, key->domain));
	cells[2] = ra_table_make_word(kinds[key->kind]);
}

void ra_range_names_put_backward(struct ra_table *table, struct ra_table_cell *cell)
{
	struct ra_util_text text = { 0 };

	ra_util_text_format(&text, "backward of ");
	ra_util_text_put(&text, cell->u.text.bytes, cell->u.text.length);
	*cell = ra_table_make_text(ra_table_take_text(table, &text));
}
