/* SPDX-License-Identifier: MIT */
/* Memory and order of the parts of a summary. */
#include "analyzer/summary-file/sum.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/order.h"
#include "analyzer/base/util-string.h"
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

void ra_sum_keep(struct ra_sum_part *part, struct rlog_string text, uint32_t *index)
{
	ra_util_grow(&part->texts, &part->text_capacity, part->text_count + 1,
	             sizeof(*part->texts));
	ra_sum_texts_copy(&part->texts[part->text_count], text);
	*index = (uint32_t) part->text_count++;
}

static void make_list(void *list, size_t count, size_t size)
{
	void *made = count == 0 ? NULL : ra_calloc(count, size);

	if (made != NULL) {
		memcpy(list, &made, sizeof(made));
	}
	if (made == NULL && count > 0) {
		ra_alloc_end();
	}
}

void ra_sum_make_lists(struct ra_sum_part *part, size_t steps, size_t devices, size_t remarks)
{
	make_list(&part->steps, steps, sizeof(*part->steps));
	make_list(&part->devices, devices, sizeof(*part->devices));
	make_list(&part->remarks, remarks, sizeof(*part->remarks));
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

void ra_sum_add_calls(struct ra_sum_part *part, uint32_t row)
{
	RA_UTIL_APPEND(part->calls, part->call_count, part->call_capacity,
	               (struct ra_sum_calls){ .row = row, .first = part->duration_count });
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
