/* SPDX-License-Identifier: MIT */
/* Reads the counter values of ranges: doc/format.md, columns count1 … of push and pop. */
#include "analyzer/read-log/ranges/slice-counts.h"

#include "analyzer/base/order/search.h"
#include "analyzer/base/text/util-string.h"
#include "analyzer/base/util.h"
#include "format/read/reader.h"

const char *const ra_slice_counts_words[RA_COUNT_KINDS] = {
	[RA_COUNT_INSTRUCTIONS] = "instructions", [RA_COUNT_CYCLES] = "cycles",
	[RA_COUNT_CACHE_MISSES] = "cache-misses", [RA_COUNT_BRANCH_MISSES] = "branch-misses",
	[RA_COUNT_PAGE_FAULTS] = "page-faults",   [RA_COUNT_TASK_CLOCK] = "task-clock",
};

static const enum rlog_attr columns[RA_COUNTS] = { RLOG_ATTR_COUNT1, RLOG_ATTR_COUNT2,
	                                           RLOG_ATTR_COUNT3 };

void ra_slice_counts_begin(struct ra_model *model)
{
	const struct rlog_fact *fact = rlog_reader_find_capture(model->reader, "counts");

	for (size_t i = 0; fact != NULL && i < fact->text_count && i < RA_COUNTS; i++) {
		for (int kind = RA_COUNT_NONE + 1; kind < RA_COUNT_KINDS; kind++) {
			if (ra_util_string_is_same(fact->texts[i],
			                           ra_util_string(ra_slice_counts_words[kind]))) {
				model->count_kinds[i] = (uint8_t) kind;
			}
		}
	}
}

bool ra_slice_counts_are_in(const struct rlog_batch *batch)
{
	bool are = false;

	for (size_t i = 0; i < RA_COUNTS; i++) {
		are |= batch->attr[columns[i]].count > 0;
	}
	return are;
}

void ra_slice_counts_open(struct ra_builder *builder, uint32_t slice, const struct ra_row *row)
{
	struct ra_model *m = builder->model;
	struct ra_slice_count count = { .slice = slice };

	for (size_t i = 0; i < RA_COUNTS; i++) {
		count.value[i] = ra_row_find_value(row, columns[i]);
	}
	RA_UTIL_APPEND(m->slice_counts, m->slice_count_count, builder->slice_count_capacity, count);
}

void ra_slice_counts_close(struct ra_builder *builder, uint32_t slice, const struct ra_row *row)
{
	struct ra_model *m = builder->model;
	struct ra_search at = ra_search_in(0, m->slice_count_count);
	struct ra_slice_count *count;

	while (ra_search_next(&at)) {
		ra_search_tell(&at, m->slice_counts[at.middle].slice < slice);
	}
	if (at.low == m->slice_count_count || m->slice_counts[at.low].slice != slice) {
		return;
	}
	count = &m->slice_counts[at.low];
	for (size_t i = 0; i < RA_COUNTS; i++) {
		const uint64_t end = ra_row_find_value(row, columns[i]);

		/* Both values are stored plus 1; 0 means unknown. */
		if (end >= count->value[i] && count->value[i] != 0) {
			count->known |= (uint8_t) (1u << i);
			count->value[i] = end - count->value[i];
		}
	}
}
