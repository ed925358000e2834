/* SPDX-License-Identifier: MIT */
/* The report "ranges": calls and times of each range, the table that users of torch.profiler know.
 */
#include "analyzer/report.h"

#include <string.h>

#include "format/error.h"
#include "format/wire.h"

enum column {
	NAME,
	CATEGORY,
	PAYLOAD,
	DOMAIN,
	KIND,
	SELF_SHARE,
	SELF,
	TOTAL_SHARE,
	TOTAL,
	AVERAGE,
	GPU_SELF_SHARE,
	GPU_SELF,
	GPU_TOTAL,
	GPU_AVERAGE,
	CALLS,
	MINIMUM,
	MEDIAN,
	MAXIMUM,
	SHAPE,
	COLUMNS,
};

static const struct ra_table_column columns[COLUMNS] = {
	[NAME] = { "name", "Name", RA_TABLE_TEXT, NULL },
	[CATEGORY] = { "category", "Category", RA_TABLE_TEXT, NULL },
	[PAYLOAD] = { "payload", "Payload", RA_TABLE_VALUE, NULL },
	[DOMAIN] = { "domain", "Domain", RA_TABLE_TEXT, "(default)" },
	[KIND] = { "kind", "Kind", RA_TABLE_TEXT, "push/pop" },
	[SELF_SHARE] = { "self_cpu_share", "Self CPU %", RA_TABLE_SHARE, NULL },
	[SELF] = { "self_cpu_ns", "Self CPU", RA_TABLE_TIME, NULL },
	[TOTAL_SHARE] = { "cpu_total_share", "CPU total %", RA_TABLE_SHARE, NULL },
	[TOTAL] = { "cpu_total_ns", "CPU total", RA_TABLE_TIME, NULL },
	[AVERAGE] = { "cpu_time_avg_ns", "CPU time avg", RA_TABLE_TIME, NULL },
	[GPU_SELF_SHARE] = { "self_cuda_share", "Self CUDA %", RA_TABLE_SHARE, NULL },
	[GPU_SELF] = { "self_cuda_ns", "Self CUDA", RA_TABLE_TIME, NULL },
	[GPU_TOTAL] = { "cuda_total_ns", "CUDA total", RA_TABLE_TIME, NULL },
	[GPU_AVERAGE] = { "cuda_time_avg_ns", "CUDA time avg", RA_TABLE_TIME, NULL },
	[CALLS] = { "calls", "# of Calls", RA_TABLE_COUNT, NULL },
	[MINIMUM] = { "min_ns", "Min", RA_TABLE_TIME, NULL },
	[MEDIAN] = { "median_ns", "Median", RA_TABLE_TIME, NULL },
	[MAXIMUM] = { "max_ns", "Max", RA_TABLE_TIME, NULL },
	[SHAPE] = { "input_shapes", "Input Shapes", RA_TABLE_TEXT, NULL },
};

static struct rlog_string make_string(const char *text)
{
	const struct rlog_string string = { text, (uint32_t) strlen(text),
		                            (uint32_t) strlen(text) };

	return string;
}

/* What the reader shall call a name: a label, or a string where there are none. */
static struct rlog_string find_name(const struct ra_report_input *input, uint32_t name)
{
	return input->labels != NULL ? ra_labels_name(input->labels, name)
	                             : ra_model_string(input->model, name);
}

/* Names of a path that are shown; of deeper ones only the innermost. */
#define PATH_NAMES 64

/* "outer > inner", from the outermost range to this one. */
static int name_path(const struct ra_report_input *input, const struct ra_group_key *key,
                     struct ra_table *table, struct rlog_string *name)
{
	const struct ra_group_path *paths = input->metrics.paths;
	const struct ra_group_path *at = &paths[key->path];
	struct ra_util_text text = { 0 };
	uint32_t names[PATH_NAMES];
	size_t count = 0;
	int rc;

	names[count++] = at->name;
	while (at->parent != RA_NONE && count < PATH_NAMES) {
		at = &paths[at->parent];
		names[count++] = at->name;
	}
	if (at->depth > 0) {
		ra_util_text_format(&text, "(%lu more) > ", (unsigned long) at->depth);
	}
	while (count > 0) {
		const struct rlog_string part = find_name(input, names[--count]);

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
		*name = make_string("(no category)");
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
static int name_group(const struct ra_report_input *input, const struct ra_group_key *key,
                      struct ra_table *table, struct rlog_string *name)
{
	if ((input->group_by & RA_GROUP_BY_PATH) != 0) {
		return name_path(input, key, table, name);
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

/* What the row's ranges have in common. */
static int put_key(const struct ra_report_input *input, const struct ra_group_key *key,
                   struct ra_table *table, struct ra_table_cell *cells)
{
	static const char *const kinds[] = { [RA_TRACK_THREAD] = "push/pop",
		                             [RA_TRACK_START_END] = "start/end",
		                             [RA_GROUP_WAIT] = "wait" };
	struct rlog_string name;
	int rc = name_group(input, key, table, &name);

	if (rc != 0) {
		return rc;
	}
	cells[NAME] = ra_table_make_text(name);
	if (!ra_table_is_hidden(table, CATEGORY)) {
		rc = name_category(input->model, key, table, &name);
		cells[CATEGORY] = ra_table_make_text(name);
	}
	if (key->payload_type != RLOG_PAYLOAD_NONE) {
		cells[PAYLOAD] = ra_table_make_value(key->payload_type, key->payload);
	}
	if (!ra_table_is_hidden(table, SHAPE)) {
		cells[SHAPE] = ra_table_make_text(ra_labels_shape(input->labels, key->name));
	}
	cells[DOMAIN] = ra_table_make_text(ra_report_name_domain(input->model, key->domain));
	cells[KIND] = ra_table_make_text(make_string(kinds[key->kind]));
	return rc;
}

static int add_range(const struct ra_report_input *input, const struct ra_metrics_row *row,
                     struct ra_table *table)
{
	const int64_t whole = input->metrics.self_sum_ns;
	const bool is_on_thread = row->key.kind != RA_TRACK_START_END;
	struct ra_table_cell *cells = ra_table_add_row(table);
	int rc;

	if (cells == NULL) {
		return -RLOG_E_NO_MEMORY;
	}
	rc = put_key(input, &row->key, table, cells);
	if (rc != 0) {
		return rc;
	}
	if (is_on_thread) {
		cells[SELF_SHARE] = ra_table_make_share(row->self_ns, whole);
		cells[TOTAL_SHARE] = ra_table_make_share(row->total_ns, whole);
	}
	cells[SELF] = ra_table_make_number(row->self_ns);
	cells[TOTAL] = ra_table_make_number(row->total_ns);
	cells[AVERAGE] = ra_table_make_number(ra_metrics_average(row));
	cells[GPU_SELF_SHARE] = ra_table_make_share(row->gpu_self_ns, input->metrics.gpu_sum_ns);
	cells[GPU_SELF] = ra_table_make_number(row->gpu_self_ns);
	cells[GPU_TOTAL] = ra_table_make_number(row->gpu_total_ns);
	cells[GPU_AVERAGE] = ra_table_make_number(ra_metrics_gpu_average(row));
	cells[CALLS] = ra_table_make_count(row->calls);
	cells[MINIMUM] = ra_table_make_number(row->min_ns);
	cells[MEDIAN] = ra_table_make_number(row->median_ns);
	cells[MAXIMUM] = ra_table_make_number(row->max_ns);
	return 0;
}

static int fill_ranges(struct ra_report_input *input, struct ra_table *table)
{
	int rc = ra_report_need_metrics(input);

	if (!has_names(input) || (input->group_by & RA_GROUP_BY_CATEGORY) == 0) {
		ra_table_hide(table, CATEGORY);
	}
	if ((input->group_by & RA_GROUP_BY_SHAPE) == 0 || input->labels == NULL) {
		ra_table_hide(table, SHAPE);
	}
	if ((input->group_by & RA_GROUP_BY_PAYLOAD) == 0) {
		ra_table_hide(table, PAYLOAD);
	}
	for (int column = GPU_SELF_SHARE; column <= GPU_AVERAGE; column++) {
		if (input->model->gpu.op_count == 0) {
			ra_table_hide(table, (size_t) column);
		}
	}
	for (size_t i = 0; i < input->metrics.count && rc == 0; i++) {
		rc = add_range(input, &input->metrics.rows[i], table);
	}
	/* Sorting keeps the order of equal rows: this is that of start/end ranges. */
	return rc != 0 ? rc : ra_table_sort(table, TOTAL, true);
}

const struct ra_report ra_report_ranges = {
	.name = "ranges",
	.title = "Ranges",
	.note = "CPU times are wall-clock times of the thread between push and pop",
	.summary = "calls and times of each range",
	.columns = columns,
	.column_count = COLUMNS,
	.sort = "cpu_total_share", /* start/end ranges have none and come last */
	.fill = fill_ranges,
};
