/* SPDX-License-Identifier: MIT */
/* The report "counters": the values of each counter, or of each field of a counter group. */
#include "analyzer/base/text/util-string.h"
#include "analyzer/reports/reports.h"

#include "analyzer/payload/series.h"
#include "analyzer/base/util.h"

enum column {
	COUNTER,
	DOMAIN,
	FIELD,
	UNIT,
	COUNT,
	MIN,
	MAX,
	MEAN,
	LAST,
	COLUMNS,
};

static const struct ra_table_column columns[COLUMNS] = {
	[COUNTER] = { "counter", "Counter", RA_TABLE_TEXT, NULL },
	[DOMAIN] = { "domain", "Domain", RA_TABLE_TEXT, "(default)" },
	[FIELD] = { "field", "Field", RA_TABLE_TEXT, "" },
	[UNIT] = { "unit", "Unit", RA_TABLE_TEXT, "" },
	[COUNT] = { "count", "Count", RA_TABLE_COUNT, NULL },
	[MIN] = { "min", "Min", RA_TABLE_REAL, NULL },
	[MAX] = { "max", "Max", RA_TABLE_REAL, NULL },
	[MEAN] = { "mean", "Mean", RA_TABLE_REAL, NULL },
	[LAST] = { "last", "Last", RA_TABLE_REAL, NULL },
};

/* A group shows at most this many fields. */
#define MAX_FIELDS 1024

/* State of filling the table. The last rows of the table are those of the current counter. */
struct fill {
	struct ra_report_input *input;
	struct ra_table *table;
	uint32_t counter; /* the current counter; RA_NONE: none yet */
	size_t first;     /* index of its first row */
	size_t next;      /* index of the row where its next field is expected */
};

/* The row of a field, because fields come in the same order every time. NULL: there is none. */
static struct ra_table_cell *find_row(struct fill *fill, const struct ra_series_value *value)
{
	const struct ra_table *t = fill->table;
	const size_t count = t->row_count - fill->first;

	for (size_t i = 0; i < count; i++) {
		const size_t row = (fill->next - fill->first + i) % count + fill->first;
		struct ra_table_cell *cells = &t->cells[row * COLUMNS];

		if (ra_util_string_is_same(cells[FIELD].u.text, value->field)) {
			fill->next = row + 1;
			return cells;
		}
	}
	return NULL;
}

static struct rlog_string keep(struct ra_table *table, struct rlog_string text)
{
	return text.length > 0 ? ra_table_keep_text(table, text.bytes, text.length)
	                       : ra_util_string("");
}

static struct ra_table_cell *add_row(struct fill *fill, const struct ra_series_value *value)
{
	const struct ra_model *m = fill->input->model;
	const struct ra_counter *counter = &m->counters[value->counter];
	struct ra_table_cell *cells = ra_table_add_row(fill->table);

	cells[FIELD] = ra_table_make_text(keep(fill->table, value->field));
	cells[UNIT] = ra_table_make_text(keep(fill->table, value->unit));
	cells[COUNTER] = ra_table_make_text(ra_model_string(m, counter->name));
	cells[DOMAIN] = ra_table_make_text(ra_report_name_domain(m, counter->domain));
	cells[COUNT] = ra_table_make_number(0);
	cells[MIN] = ra_table_make_real(value->value);
	cells[MAX] = ra_table_make_real(value->value);
	cells[MEAN] = ra_table_make_real(0);
	cells[LAST] = ra_table_make_real(value->value);
	fill->next = fill->table->row_count;
	return cells;
}

static void take_value(void *context, const struct ra_series_value *value)
{
	struct fill *fill = context;
	struct ra_table_cell *cells;

	if (fill->counter != value->counter) {
		fill->counter = value->counter;
		fill->first = fill->table->row_count;
		fill->next = fill->first;
	}
	cells = find_row(fill, value);
	if (cells == NULL && fill->table->row_count - fill->first < MAX_FIELDS) {
		cells = add_row(fill, value);
	}
	if (cells == NULL) {
		return;
	}
	cells[COUNT].u.number++;
	if (value->value < cells[MIN].u.real) {
		cells[MIN].u.real = value->value;
	}
	if (value->value > cells[MAX].u.real) {
		cells[MAX].u.real = value->value;
	}
	cells[MEAN].u.real += (value->value - cells[MEAN].u.real) / (double) cells[COUNT].u.number;
	cells[LAST].u.real = value->value;
}

static void fill_counters(struct ra_report_input *input, struct ra_table *table)
{
	struct fill fill = { .input = input, .table = table, .counter = RA_NONE };

	ra_series_walk(input->model, take_value, &fill);
}

const struct ra_report ra_report_counters = {
	.name = "counters",
	.title = "Counters",
	.summary = "what values counters had",
	.none = "no counters",
	.needs = RA_REPORT_NEEDS_SAMPLES,
	.columns = columns,
	.column_count = COLUMNS,
	.sort = NULL,
	.fill = fill_counters,
};
