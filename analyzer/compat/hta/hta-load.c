/* SPDX-License-Identifier: MIT */
/* Reads a run's traces as HolisticTraceAnalysis does: its rows, its times. */
#include "analyzer/compat/hta/hta.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/base/alloc.h"
#include "analyzer/compat/hta/filter.h"
#include "analyzer/compat/hta/shared.h"
#include "analyzer/base/util.h"

/* Reads the number of a stream: an integer, another number, or a text of digits; else -1. */
static int64_t find_stream(const struct ra_kineto_value *value)
{
	char text[32];
	char *end;
	double real;

	if (value->type == RA_KINETO_INT) {
		return value->integer;
	}
	if ((value->type != RA_KINETO_NUMBER && value->type != RA_KINETO_STRING) ||
	    value->text.length == 0 || value->text.length >= sizeof(text)) {
		return -1;
	}
	memcpy(text, value->text.bytes, value->text.length);
	text[value->text.length] = '\0';
	real = strtod(text, &end);
	/* strtod reads 0x0, but pandas does not. */
	return *end != '\0' || strpbrk(text, "xXnN") != NULL || !(fabs(real) < 9e15)
	               ? -1
	               : (int64_t) real;
}

/* True if one time is a float or missing: then pandas makes all times of the column floats, and HTA
 * rounds them. */
static bool has_float_times(const struct ra_kineto *k)
{
	for (size_t i = 0; i < k->count && !k->has_ts_point; i++) {
		if ((k->flags[i] & RA_KINETO_HAS_TS) == 0) {
			return true;
		}
	}
	return k->has_ts_point;
}

static void classify_categories(struct ra_hta_rank *rank)
{
	static const char *const work[] = { "kernel",     "Kernel", "gpu_memset",      "Memset",
		                            "gpu_memcpy", "Memcpy", "mtia_ccp_events", NULL };
	const struct ra_kineto *k = rank->kineto;

	rank->categories = ra_alloc_zeros(k->category_count + 1, sizeof(*rank->categories));
	for (size_t c = 0; c < k->category_count; c++) {
		const struct rlog_string name = ra_kineto_string(k, k->categories[c].name);
		const bool is_trace = ra_kineto_is_text(k, k->categories[c].name, "Trace");
		const bool is_op = ra_kineto_is_text(k, k->categories[c].name, "cpu_op");

		rank->categories[c] =
			(uint8_t) ((is_trace ? RA_HTA_CATEGORY_TRACE : 0) |
		                   (is_op ? RA_HTA_CATEGORY_OP : 0) |
		                   (ra_hta_names_is_any(name, work) ? RA_HTA_CATEGORY_WORK : 0));
	}
}

/* Classifies a name when it is first seen. */
static unsigned classify(const struct ra_hta_rank *rank, uint32_t event)
{
	uint16_t *class = &rank->classes[rank->kineto->name[event]];

	if (*class == 0) {
		*class = ra_hta_names_classify(ra_hta_name(rank, event));
	}
	return *class;
}

static int64_t find_corr(const struct ra_kineto *k, uint32_t event)
{
	int64_t corr = -1;

	if (k->corr[event] != RA_KINETO_NONE) {
		return k->corr[event];
	}
	if (k->kind[event] != RA_KINETO_CPU_OP && k->kind[event] != RA_KINETO_PYTHON_FUNCTION) {
		(void) ra_kineto_get_int(k, event, RA_KINETO_ARG_CORRELATION, &corr);
	}
	return corr;
}

static void add_linked(struct ra_hta_rank *rank, const struct ra_hta_row *row)
{
	rank->link_of[row->event] = (uint32_t) rank->linked_count;
	RA_UTIL_APPEND(rank->linked, rank->linked_count, rank->linked_capacity, *row);
}

static void read_row(struct ra_hta_rank *rank, uint32_t event)
{
	const unsigned class = classify(rank, event);
	struct ra_hta_row row = { .stream = -1, .event = event, .partner = -1, .copies = 1 };
	struct ra_kineto_value value;

	rank->link_of[event] = RA_HTA_PLAIN;
	if (ra_kineto_get(rank->kineto, event, RA_KINETO_ARG_STREAM, &value)) {
		row.stream = find_stream(&value);
	}
	row.corr = find_corr(rank->kineto, event);
	row.is_gpu = (row.stream >= 0 && row.corr >= 0) || (class & RA_HTA_CLASS_WAIT) != 0;
	if (row.stream != -1) {
		row.kind = (uint8_t) (class & RA_HTA_CLASS_KIND);
	}
	if ((class & RA_HTA_CLASS_STEP) != 0) {
		RA_UTIL_APPEND(rank->steps, rank->step_count, rank->step_capacity, event);
	}
	if (row.stream == -1 && row.corr == -1 && !row.is_gpu) {
		rank->plain_count++;
	} else {
		add_linked(rank, &row);
	}
}

static void read_rows(struct ra_hta_rank *rank)
{
	const unsigned needed = RA_KINETO_HAS_TS | RA_KINETO_HAS_DUR | RA_KINETO_HAS_CAT;
	const struct ra_kineto *k = rank->kineto;
	int64_t start_ns = INT64_MAX;
	uint32_t first = RA_NONE;

	for (uint32_t i = 0; i < k->count; i++) {
		if ((k->flags[i] & needed) != needed ||
		    (ra_hta_category(rank, i) & RA_HTA_CATEGORY_TRACE) != 0) {
			rank->link_of[i] = RA_NONE;
			continue;
		}
		read_row(rank, i);
		/* Rounding does not change the order. */
		if (first == RA_NONE || ra_kineto_ts(k, i) < start_ns) {
			first = i;
			start_ns = ra_kineto_ts(k, i);
		}
	}
	if (first != RA_NONE) {
		rank->start_us = ra_hta_raw_ts(rank, first);
	}
}

/* Links the two sides of each correlation: each row gets the last event of the other side as its
 * partner. */
static void link_rows(struct ra_hta_rank *rank)
{
	for (size_t i = 0, end; i < rank->by_corr_count; i = end) {
		const int64_t corr = rank->linked[rank->by_corr[i]].corr;
		const struct ra_hta_row *last[2] = { NULL, NULL };

		end = ra_hta_filter_find_end(rank, i);
		for (size_t j = i; j < end; j++) {
			const struct ra_hta_row *row = &rank->linked[rank->by_corr[j]];

			last[row->is_gpu] = row;
		}
		for (size_t j = i; j < end; j++) {
			struct ra_hta_row *row = &rank->linked[rank->by_corr[j]];
			const struct ra_hta_row *other = last[!row->is_gpu];

			row->partner = other != NULL ? (int64_t) other->event : corr < 0 ? corr : 0;
		}
	}
}

static void init_rank(struct ra_hta_rank *rank)
{
	const struct ra_kineto *k = rank->kineto;

	classify_categories(rank);
	rank->is_float = has_float_times(k);
	rank->classes = ra_alloc_zeros(k->string_count + 1, sizeof(*rank->classes));
	ra_util_resize(&rank->link_of, k->count + 1, sizeof(*rank->link_of));
	read_rows(rank);
	ra_hta_filter_sort(rank);
	link_rows(rank);
}

/* True if steps have at least two different numbers. Only then HTA filters. */
static bool has_steps(const struct ra_hta *hta)
{
	int64_t first = -1;
	int64_t number;

	for (size_t r = 0; r < hta->count; r++) {
		const struct ra_hta_rank *rank = &hta->ranks[r];

		for (size_t i = 0; i < rank->step_count; i++) {
			(void) ra_hta_names_is_step(ra_hta_name(rank, rank->steps[i]), &number);
			if (first != -1 && number != first) {
				return true;
			}
			first = number;
		}
	}
	return false;
}

/* Time 0 of all ranks is the time of the first event of any rank. */
static void align(struct ra_hta *hta, bool keeps_last)
{
	double zero_us = INFINITY;
	const bool is_filtered = has_steps(hta);

	for (size_t r = 0; r < hta->count; r++) {
		if (hta->ranks[r].plain_count + hta->ranks[r].linked_count > 0) {
			zero_us = fmin(zero_us, hta->ranks[r].start_us);
		}
	}
	for (size_t r = 0; r < hta->count; r++) {
		struct ra_hta_rank *rank = &hta->ranks[r];

		rank->zero_us = zero_us;
		for (size_t i = 0; i < rank->linked_count; i++) {
			struct ra_hta_row *row = &rank->linked[i];

			row->ts_us = ra_hta_ts(rank, row->event);
			row->dur_us = ra_hta_dur(rank, row->event);
		}
		if (is_filtered) {
			ra_hta_filter_apply(rank, keeps_last);
		}
		ra_hta_filter_index(rank);
	}
}

void ra_hta_init(struct ra_hta *hta, const struct ra_report_input *input)
{
	*hta = (struct ra_hta){ 0 };
	hta->ranks = ra_alloc_zeros(input->model_count + 1, sizeof(*hta->ranks));
	for (size_t i = 0; i < input->model_count; i++) {
		struct ra_hta_rank *rank = &hta->ranks[hta->count];

		if (input->models[i]->kineto == NULL) {
			continue;
		}
		hta->count++;
		rank->kineto = input->models[i]->kineto;
		rank->rank = input->ranks[i];
		init_rank(rank);
	}
	align(hta, input->settings->last_step != 0);
}

void ra_hta_fini(struct ra_hta *hta)
{
	for (size_t i = 0; i < hta->count; i++) {
		struct ra_hta_rank *rank = &hta->ranks[i];

		ra_hta_shared_destroy(rank->shared);
		free(rank->categories);
		free(rank->classes);
		free(rank->link_of);
		free(rank->linked);
		free(rank->ordered);
		free(rank->gpu);
		free(rank->by_corr);
		free(rank->first_of);
		free(rank->steps);
	}
	free(hta->ranks);
	*hta = (struct ra_hta){ 0 };
}

static void destroy(void *hta)
{
	ra_hta_fini(hta);
	free(hta);
}

void ra_hta_need(struct ra_report_input *input)
{
	if (input->hta != NULL) {
		return;
	}
	input->hta = ra_alloc_zeros(1, sizeof(*input->hta));
	ra_report_keep(input, input->hta, destroy);
	ra_hta_init(input->hta, input);
}
