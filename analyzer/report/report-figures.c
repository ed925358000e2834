/* SPDX-License-Identifier: MIT */
/* The single figures of a report, which are shown below the tables. */
#include "analyzer/report/report.h"

#include "analyzer/figures/throughput/rates.h"
#include "analyzer/table/forms/table-data.h"

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

void ra_report_add_shapes(struct ra_report_input *input, int64_t known_ns, int64_t whole_ns)
{
	static const char key[] = "launch_shape_known_share";

	for (size_t i = 0; i < input->figure_count; i++) {
		if (input->figures[i].column.key == key) {
			return;
		}
	}
	if (known_ns > 0 && known_ns < whole_ns) {
		ra_report_add_figure(input, key, "Launch shapes known, of kernel time",
		                     RA_TABLE_SHARE, ra_table_make_share(known_ns, whole_ns));
	}
}

void ra_report_add_note(struct ra_report_input *input, const char *note)
{
	for (size_t i = 0; i < input->note_count; i++) {
		if (input->notes[i] == note) {
			return;
		}
	}
	if (input->note_count < RA_REPORT_NOTES) {
		input->notes[input->note_count++] = note;
	}
}

void ra_report_show_rates(struct ra_report_input *input, const struct ra_rate *known,
                          struct ra_table *table, size_t first)
{
	const bool has_flops = known->flops_ns > 0;
	const bool has_bytes = known->bytes_ns > 0;

	for (size_t i = 0; i < RA_RATE_COLUMNS; i++) {
		const bool is_of_bytes = i == RA_RATE_BYTES_PER_S || i == RA_RATE_BYTES_SHARE;
		const bool is_of_flops = !is_of_bytes && i != RA_RATE_INTENSITY;

		if ((!is_of_bytes && !has_flops) || (!is_of_flops && !has_bytes)) {
			ra_table_hide(table, first + i);
		}
	}
	if (known->lacks_flops || known->lacks_bytes) {
		ra_report_add_note(input, "shares of peak are left out where the peak of the "
		                          "device, or the data type, is not known");
	}
}

void ra_report_put_figure(struct ra_util_text *text, const struct ra_report_figure *figure)
{
	if (figure->column.usual != NULL) {
		return;
	}
	ra_util_text_format(text, "%s: ", figure->column.title);
	if (figure->column.kind == RA_TABLE_TIME) {
		ra_util_text_put_time(text, figure->cell.u.number);
	} else if (figure->column.kind == RA_TABLE_SHARE) {
		ra_util_text_put_percent(text, figure->cell.u.share.part,
		                         figure->cell.u.share.whole);
	} else {
		ra_table_data_put_cell(text, &figure->column, &figure->cell);
	}
	ra_util_text_put_char(text, '\n');
}

void ra_report_put_figures(struct ra_util_text *text, const struct ra_report_input *input)
{
	for (size_t i = 0; i < input->figure_count; i++) {
		ra_report_put_figure(text, &input->figures[i]);
	}
	for (size_t i = 0; i < input->note_count; i++) {
		ra_util_text_format(text, "%s\n", input->notes[i]);
	}
}

static void put_json_value(struct ra_util_text *text, const struct ra_report_figure *figure)
{
	if (figure->column.kind == RA_TABLE_TEXT && figure->cell.has_value) {
		ra_util_text_put_char(text, '"');
		ra_util_text_put_name(text, figure->cell.u.text, RA_TEXT_JSON);
		ra_util_text_put_char(text, '"');
	} else {
		ra_table_data_put_cell(text, &figure->column, &figure->cell);
	}
}

void ra_report_put_figures_json(struct ra_util_text *text, const struct ra_report_input *input)
{
	for (size_t i = 0; i < input->figure_count; i++) {
		ra_util_text_format(text, "\"%s\":", input->figures[i].column.key);
		put_json_value(text, &input->figures[i]);
		ra_util_text_put_char(text, ',');
	}
}
