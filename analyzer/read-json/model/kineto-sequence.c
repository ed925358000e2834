/* SPDX-License-Identifier: MIT */
/* Finds which operator of PyTorch made a function of the backward pass. */
#include "analyzer/read-json/model/kineto-sequence.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/order/order.h"
#include "analyzer/rows/kineto.h"
#include "analyzer/base/util-map.h"

/* An operator with a sequence number. */
struct numbered {
	int64_t number;
	int64_t start_ns;
	uint32_t slice;
	bool is_backward;
};

static bool is_fwdbwd(const struct ra_kineto *k, uint32_t event)
{
	return ra_kineto_is_text(k, k->categories[ra_kineto_get_category(k, event)].name,
	                         "fwdbwd") ||
	       ra_kineto_is_text(k, k->name[event], "fwdbwd");
}

/*
 * The range in which a flow ends: a range that begins at that time on that thread. If there are
 * several, the innermost range with a sequence number, which is the one that autograd knows.
 * Return: RA_NONE: there is none.
 */
static uint32_t find_slice(const struct ra_model *model, uint32_t event)
{
	const struct ra_kineto *k = model->kineto;
	const uint32_t t = k->threads[ra_kineto_get_thread(k, event)].track;
	const int64_t time_ns = ra_kineto_ts(k, event) - k->zero_ns;
	uint32_t found = RA_NONE;

	if (t == RA_KINETO_NONE) {
		return RA_NONE;
	}
	for (size_t i = ra_model_find_slice_end(model, &model->tracks[t], time_ns);
	     i-- > model->tracks[t].first_slice && model->slices.start_ns[i] == time_ns;) {
		int64_t number;

		if (ra_kineto_get_int(k, k->slice_event[i], RA_KINETO_ARG_SEQUENCE_NUMBER,
		                      &number)) {
			return (uint32_t) i;
		}
		found = (uint32_t) i;
	}
	return found;
}

static void find_by_flows(const struct ra_model *model, uint32_t *causes)
{
	const struct ra_kineto *k = model->kineto;
	struct ra_util_map starts = { 0 };

	if (k->kind_count[RA_KINETO_FLOW_START] == 0 || k->kind_count[RA_KINETO_FLOW_END] == 0) {
		return;
	}
	for (uint32_t i = 0; i < k->count; i++) {
		if (k->kind[i] == RA_KINETO_FLOW_START && k->corr[i] != RA_KINETO_NONE &&
		    is_fwdbwd(k, i)) {
			ra_util_map_put(&starts, k->corr[i], i);
		}
	}
	for (uint32_t i = 0; i < k->count; i++) {
		uint32_t start;
		uint32_t backward;
		uint32_t forward;

		if (k->kind[i] != RA_KINETO_FLOW_END || k->corr[i] == RA_KINETO_NONE ||
		    !is_fwdbwd(k, i)) {
			continue;
		}
		start = ra_util_map_find(&starts, k->corr[i]);
		if (start == RA_UTIL_MAP_NONE ||
		    ra_kineto_get_thread(k, start) == ra_kineto_get_thread(k, i)) {
			continue;
		}
		backward = find_slice(model, i);
		forward = find_slice(model, start);
		if (backward != RA_NONE && forward != RA_NONE) {
			causes[backward] = forward;
		}
	}
	ra_util_map_free(&starts);
}

static int compare_numbered(const void *left, const void *right)
{
	const struct numbered *a = left;
	const struct numbered *b = right;
	int order = RA_ORDER_UP(a, b, number);

	order = RA_ORDER_THEN(order, RA_ORDER_UP(a, b, start_ns));
	return RA_ORDER_THEN(order, RA_ORDER_UP(a, b, slice));
}

static size_t list_numbered(const struct ra_model *model, struct numbered *out)
{
	const struct ra_kineto *k = model->kineto;
	size_t count = 0;

	for (uint32_t i = 0; i < model->slices.count; i++) {
		int64_t number;
		int64_t forward = 0;

		if (!ra_kineto_get_int(k, k->slice_event[i], RA_KINETO_ARG_SEQUENCE_NUMBER,
		                       &number) ||
		    number < 0) {
			continue;
		}
		ra_kineto_get_int(k, k->slice_event[i], RA_KINETO_ARG_FWD_THREAD_ID, &forward);
		out[count++] = (struct numbered){
			.number = number,
			.start_ns = model->slices.start_ns[i],
			.slice = i,
			.is_backward = forward != 0,
		};
	}
	return count;
}

/* Nested operators share a number. The innermost operator, which began last, made the function. */
static void find_by_numbers(const struct ra_model *model, uint32_t *causes)
{
	const struct ra_kineto *k = model->kineto;
	struct numbered *numbered = ra_alloc_zeros(model->slices.count + 1, sizeof(*numbered));
	const size_t count = list_numbered(model, numbered);
	const struct numbered *forward = NULL;

	RA_SORT(numbered, count, compare_numbered);
	for (size_t i = 0; i < count; i++) {
		const uint32_t slice = numbered[i].slice;

		if (forward != NULL && forward->number != numbered[i].number) {
			forward = NULL;
		}
		if (!numbered[i].is_backward) {
			forward = &numbered[i];
		} else if (forward != NULL && causes[slice] == RA_NONE &&
		           ra_kineto_get_thread(k, k->slice_event[forward->slice]) !=
		                   ra_kineto_get_thread(k, k->slice_event[slice])) {
			causes[slice] = forward->slice;
		}
	}
	free(numbered);
}

uint32_t *ra_kineto_sequence_find(const struct ra_model *model)
{
	uint32_t *causes = ra_alloc_bytes((model->slices.count + 1) * sizeof(*causes));

	memset(causes, 0xFF, (model->slices.count + 1) * sizeof(*causes));
	find_by_flows(model, causes);
	find_by_numbers(model, causes);
	return causes;
}
