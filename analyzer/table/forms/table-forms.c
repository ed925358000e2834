/* SPDX-License-Identifier: MIT */
/* Lists the output formats of tables. */
#include "analyzer/table/forms/table-forms.h"

#include "analyzer/table/forms/table-data.h"
#include "analyzer/table/forms/table-text.h"

static void put_csv(struct ra_util_text *text, const struct ra_table *table, size_t width)
{
	(void) width;
	ra_table_data_put_csv(text, table);
}

static void put_tsv(struct ra_util_text *text, const struct ra_table *table, size_t width)
{
	(void) width;
	ra_table_data_put_tsv(text, table);
}

static void put_json(struct ra_util_text *text, const struct ra_table *table, size_t width)
{
	(void) width;
	ra_table_data_put_json(text, table);
}

static void put_jsonl(struct ra_util_text *text, const struct ra_table *table, size_t width)
{
	(void) width;
	ra_table_data_put_jsonl(text, table);
}

static void put_sql(struct ra_util_text *text, const struct ra_table *table, size_t width)
{
	(void) width;
	ra_table_data_put_sql(text, table);
}

static void put_markdown(struct ra_util_text *text, const struct ra_table *table, size_t width)
{
	(void) width;
	ra_table_text_put_markdown(text, table);
}

const struct ra_table_form ra_table_forms_text = {
	.name = "table",
	.suffix = "txt",
	.frame = RA_TABLE_FRAME_TITLES,
	.title_mark = "",
	.is_wrapped = true,
	.put = ra_table_text_put,
};

const struct ra_table_form ra_table_forms_csv = {
	.name = "csv",
	.suffix = "csv",
	.frame = RA_TABLE_FRAME_ROWS,
	.put = put_csv,
};

static const struct ra_table_form tsv = {
	.name = "tsv",
	.suffix = "tsv",
	.frame = RA_TABLE_FRAME_ROWS,
	.put = put_tsv,
};

const struct ra_table_form ra_table_forms_json = {
	.name = "json",
	.suffix = "json",
	.frame = RA_TABLE_FRAME_JSON,
	.put = put_json,
};

static const struct ra_table_form jsonl = {
	.name = "jsonl",
	.suffix = "jsonl",
	.frame = RA_TABLE_FRAME_ROWS,
	.is_one = true,
	.put = put_jsonl,
};

static const struct ra_table_form sql = {
	.name = "sql",
	.suffix = "sql",
	.frame = RA_TABLE_FRAME_ROWS,
	.is_one = true,
	.put = put_sql,
};

static const struct ra_table_form markdown = {
	.name = "md",
	.suffix = "md",
	.frame = RA_TABLE_FRAME_TITLES,
	.title_mark = "## ",
	.put = put_markdown,
};

const struct ra_table_form *const ra_table_forms_all[] = {
	&ra_table_forms_text,
	&ra_table_forms_csv,
	&tsv,
	&ra_table_forms_json,
	&jsonl,
	&markdown,
	&sql,
	NULL,
};
