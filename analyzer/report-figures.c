/* SPDX-License-Identifier: MIT */
/* Single figures that belong to a report and stand below the tables. */
#include "analyzer/report.h"

#include "analyzer/table-data.h"

void ra_report_add_figure(struct ra_report_input *input, const char *key, const char *title,
                          enum ra_table_kind kind, struct ra_table_cell cell)
{
	if (input->figure_count < RA_REPORT_FIGURES) {
		input->figures[input->figure_count++] = (struct ra_report_figure){
			.column = { key, title, kind, NULL },
			.cell = cell,
		};
	}
}

void ra_report_put_figures(struct ra_util_text *text, const struct ra_report_input *input)
{
	for (size_t i = 0; i < input->figure_count; i++) {
		const struct ra_report_figure *figure = &input->figures[i];

		ra_util_text_format(text, "%s: ", figure->column.title);
		if (figure->column.kind == RA_TABLE_TIME) {
			ra_util_text_put_time(text, figure->cell.u.number);
		} else {
			ra_table_data_put_cell(text, &figure->column, &figure->cell);
		}
		ra_util_text_put_char(text, '\n');
	}
}

void ra_report_put_figures_json(struct ra_util_text *text, const struct ra_report_input *input)
{
	for (size_t i = 0; i < input->figure_count; i++) {
		ra_util_text_format(text, "\"%s\":", input->figures[i].column.key);
		ra_table_data_put_cell(text, &input->figures[i].column, &input->figures[i].cell);
		ra_util_text_put_char(text, ',');
	}
}
