/* SPDX-License-Identifier: MIT */
/*
 * The rule `sequence`. PyTorch runs a backward pass on threads of its own. Its emit_nvtx puts a
 * number into the names of operators, and the same number into the names of the backward functions
 * that they made: "aten::addmm, seq = 7" and "AddmmBackward0, seq = 7".
 */
#include <stdlib.h>
#include <string.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/order/order.h"
#include "analyzer/base/text/util-string.h"
#include "analyzer/link/link-rules.h"
#include "analyzer/names/split.h"

/* A range whose name has a number. */
struct numbered {
	uint64_t number;
	int64_t start_ns;
	uint32_t slice;
	uint32_t track;
	bool is_backward;
};

static int compare_numbered(const void *left, const void *right)
{
	const struct numbered *a = left;
	const struct numbered *b = right;
	int order = RA_ORDER_UP(a, b, number);

	order = RA_ORDER_THEN(order, RA_ORDER_UP(a, b, start_ns));
	return RA_ORDER_THEN(order, RA_ORDER_UP(a, b, slice));
}

static uint64_t read_number(struct rlog_string digits)
{
	uint64_t number = 0;

	for (uint32_t i = 0; i < digits.length; i++) {
		number = number * 10 + (uint64_t) (digits.bytes[i] - '0');
	}
	return number;
}

/* Return: false if the name has no number. */
static bool read_name(struct rlog_string name, struct numbered *out)
{
	static const char word[] = "Backward";
	struct ra_split split;

	/* Most names have no comma, so this test is quick. */
	if (name.length == 0 || memchr(name.bytes, ',', name.length) == NULL ||
	    !ra_split_name(name, &split)) {
		return false;
	}
	for (size_t i = 0; i < split.field_count; i++) {
		const struct ra_split_field *field = &split.fields[i];

		if (!split.has_own_keys && field->is_number &&
		    ra_util_string_is(field->key, "seq") && field->value.length > 0 &&
		    field->value.bytes[0] != '-') {
			out->number = read_number(field->value);
			out->is_backward = memmem(split.op.bytes, split.op.length, word,
			                          sizeof(word) - 1) != NULL;
			return true;
		}
	}
	return false;
}

static struct numbered *list_numbered(const struct ra_model *model, size_t *out_count)
{
	const struct ra_slices *slices = &model->slices;
	struct numbered *numbered = ra_alloc_zeros(slices->count + 1, sizeof(*numbered));
	size_t count = 0;

	for (size_t t = 0; t < model->track_count; t++) {
		const struct ra_track *track = &model->tracks[t];
		const size_t end = track->first_slice + track->slice_count;

		for (size_t i = track->first_slice; track->kind == RA_TRACK_THREAD && i < end;
		     i++) {
			struct numbered *next = &numbered[count];

			if (read_name(ra_model_string(model, slices->name[i]), next)) {
				next->start_ns = slices->start_ns[i];
				next->slice = (uint32_t) i;
				next->track = (uint32_t) t;
				count++;
			}
		}
	}
	*out_count = count;
	return numbered;
}

/* Nested operators share a number. The innermost operator, which began last, made the function. */
static void find_by_names(const struct ra_model *model, uint32_t *causes)
{
	const struct numbered *forward = NULL;
	size_t count;
	struct numbered *numbered = list_numbered(model, &count);

	RA_SORT(numbered, count, compare_numbered);
	for (size_t i = 0; i < count; i++) {
		if (forward != NULL && forward->number != numbered[i].number) {
			forward = NULL;
		}
		if (!numbered[i].is_backward) {
			forward = &numbered[i];
		} else if (forward != NULL && forward->track != numbered[i].track) {
			causes[numbered[i].slice] = forward->slice;
		}
	}
	free(numbered);
}

void ra_link_sequence_find(const struct ra_model *model, const uint32_t *direct, uint32_t *causes)
{
	const struct ra_slices *slices = &model->slices;

	for (size_t i = 0; i < slices->count; i++) {
		causes[i] = direct != NULL ? direct[i] : RA_NONE;
	}
	if (direct == NULL) {
		find_by_names(model, causes);
	}
	/* Parents have smaller indices than their children. */
	for (size_t i = 0; i < slices->count; i++) {
		if (causes[i] == RA_NONE && slices->parent[i] != RA_NONE) {
			causes[i] = causes[slices->parent[i]];
		}
	}
}
