/* SPDX-License-Identifier: MIT */
/* What tables of ranges call their rows, by whatever the ranges of a row have in common. */
#ifndef RA_RANGE_NAMES_H
#define RA_RANGE_NAMES_H

#include "analyzer/names/group.h"
#include "analyzer/report/report.h"

/* Which columns of a table hold it; each is there, perhaps hidden. */
struct ra_range_names_columns {
	uint8_t name;
	uint8_t category;
	uint8_t payload;
	uint8_t domain;
	uint8_t kind;
	uint8_t shape;
};

struct ra_range_names {
	const struct ra_report_input *input;
	const struct ra_group_path *paths; /* of the group that the keys are of */
	const struct ra_range_names_columns *columns;
};

/* Hides the columns that input->group_by does not ask for. */
void ra_range_names_hide(const struct ra_report_input *input,
                         const struct ra_range_names_columns *columns, struct ra_table *table);

/* Fills a row's cells of these columns. */
void ra_range_names_put(const struct ra_range_names *names, const struct ra_group_key *key,
                        struct ra_table *table, struct ra_table_cell *cells);

/* Fills three cells, name, domain and kind, of what is grouped by name alone. */
void ra_range_names_put_plain(const struct ra_report_input *input, const struct ra_group_key *key,
                              struct ra_table_cell *cells);

/* Makes "backward of NAME" of a cell's name. */
void ra_range_names_put_backward(struct ra_table *table, struct ra_table_cell *cell);

#endif
