/* SPDX-License-Identifier: MIT */
/* Names rows in tables of ranges, by what the ranges of a row have in common. */
#ifndef RA_RANGE_NAMES_H
#define RA_RANGE_NAMES_H

#include "analyzer/names/group.h"
#include "analyzer/report/report.h"

/* The columns of a table that name a row. A table has all of them, some hidden. */
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
	const struct ra_group_path *paths; /* paths of the group to which the keys belong */
	const struct ra_range_names_columns *columns;
};

/* Hides the columns that input->group_by does not need. */
void ra_range_names_hide(const struct ra_report_input *input,
                         const struct ra_range_names_columns *columns, struct ra_table *table);

/* Fills these columns of a row. */
void ra_range_names_put(const struct ra_range_names *names, const struct ra_group_key *key,
                        struct ra_table *table, struct ra_table_cell *cells);

/* Fills three cells, name, domain and kind, for rows that are grouped by name alone. */
void ra_range_names_put_plain(const struct ra_report_input *input, const struct ra_group_key *key,
                              struct ra_table_cell *cells);

/* Changes the name in a cell to "backward of NAME". */
void ra_range_names_put_backward(struct ra_table *table, struct ra_table_cell *cell);

#endif
