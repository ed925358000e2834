/* SPDX-License-Identifier: MIT */
/* Holds the names of a drawing. Each name is escaped for JSON once. */
#include <stdlib.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/text/util-json.h"
#include "analyzer/timeline/pens/pen-json.h"

void ra_pen_json_names_fill(struct ra_pen_json_names *table, const struct ra_pen_names *names,
                            enum ra_pen_table which)
{
	size_t capacity = 0;
	size_t used = 0;

	table->count = names->counts[which];
	table->ends = ra_alloc_zeros(table->count + 2, sizeof(*table->ends));
	for (size_t i = 0; i <= table->count; i++) {
		const struct rlog_string name = names->find(names->context, which, (uint32_t) i);
		const size_t wanted = used + ((size_t) name.length + 1) * RA_UTIL_JSON_GROWTH +
		                      RA_PEN_JSON_SPARE_BYTES;

		if (wanted > capacity) {
			capacity = wanted * 2;
			table->bytes = ra_alloc_resize(table->bytes, capacity, 1);
		}
		used = (size_t) (ra_util_json_escape(table->bytes + used, name.bytes, name.length) -
		                 table->bytes);
		table->ends[i + 1] = used;
	}
}

void ra_pen_json_names_free(struct ra_pen_json_names tables[RA_PEN_TABLES])
{
	for (int table = 0; table < RA_PEN_TABLES; table++) {
		free(tables[table].bytes);
		free(tables[table].ends);
		tables[table] = (struct ra_pen_json_names){ 0 };
	}
}
