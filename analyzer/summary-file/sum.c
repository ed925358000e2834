/* SPDX-License-Identifier: MIT */
/* Makes room in the parts of a summary, frees and orders parts. */
#include "analyzer/summary-file/sum.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/order/order.h"
#include "analyzer/base/text/util-string.h"
#include "analyzer/summary-file/sum-texts.h"
#include "analyzer/base/util.h"

void ra_sum_fini(struct ra_sum_part *part)
{
	for (size_t i = 0; i < part->text_count; i++) {
		free((void *) part->texts[i].bytes);
	}
	for (size_t i = 0; i < part->row_count; i++) {
		ra_sum_stat_fini(&part->rows[i].stat);
	}
	free((void *) part->origin.run.bytes);
	free((void *) part->origin.source.bytes);
	free(part->texts);
	free(part->rows);
	free(part->projected);
	free(part->changes);
	free(part->calls);
	free(part->durations);
	free(part->steps);
	free(part->devices);
	free(part->remarks);
	free(part->facts);
	memset(part, 0, sizeof(*part));
}

uint32_t ra_sum_keep(struct ra_sum_part *part, struct rlog_string text)
{
	RA_UTIL_APPEND(part->texts, part->text_count, part->text_capacity, ra_sum_texts_copy(text));
	return (uint32_t) part->text_count - 1;
}

void ra_sum_make_lists(struct ra_sum_part *part, size_t steps, size_t devices, size_t remarks)
{
	if (steps > 0) {
		part->steps = ra_alloc_zeros(steps, sizeof(*part->steps));
	}
	if (devices > 0) {
		part->devices = ra_alloc_zeros(devices, sizeof(*part->devices));
	}
	if (remarks > 0) {
		part->remarks = ra_alloc_zeros(remarks, sizeof(*part->remarks));
	}
}

void ra_sum_make_room(struct ra_sum_part *part, size_t rows)
{
	const size_t need = part->row_count + rows;

	if (need <= part->row_capacity) {
		return;
	}
	ra_util_resize(&part->rows, need, sizeof(*part->rows));
	part->row_capacity = need;
}

struct ra_sum_row *ra_sum_add_row(struct ra_sum_part *part)
{
	ra_util_grow(&part->rows, &part->row_capacity, part->row_count + 1, sizeof(*part->rows));
	part->rows[part->row_count] = (struct ra_sum_row){ .device = -1, .parent = RA_NONE };
	return &part->rows[part->row_count++];
}

void ra_sum_add_calls(struct ra_sum_part *part, uint32_t row, int64_t start_ns)
{
	RA_UTIL_APPEND(part->calls, part->call_count, part->call_capacity,
	               (struct ra_sum_calls){
			       .row = row, .first = part->duration_count, .start_ns = start_ns });
}

void ra_sum_add_duration(struct ra_sum_part *part, int64_t dur_ns)
{
	RA_UTIL_APPEND(part->durations, part->duration_count, part->duration_capacity, dur_ns);
	part->calls[part->call_count - 1].count++;
}

int ra_sum_compare(const struct ra_sum_origin *a, const struct ra_sum_origin *b)
{
	int order = ra_util_string_compare(a->run, b->run);

	order = RA_ORDER_THEN(order, RA_ORDER_UP(a, b, rank));
	order = RA_ORDER_THEN(order, memcmp(a->id, b->id, RA_SUM_ID_BYTES));
	return RA_ORDER_THEN(order, ra_util_string_compare(a->source, b->source));
}
