/* SPDX-License-Identifier: MIT */
/* Collects the collectives of all ranks (NCCL and RCCL kernels), and finds which of them belong
 * together. */
#include "analyzer/figures/collectives.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/order/order.h"
#include "analyzer/base/order/search.h"
#include "analyzer/base/text/util-string.h"
#include "analyzer/figures/rank-gpu.h"
#include "analyzer/model/model-rows.h"
#include "analyzer/steps/steps.h"
#include "analyzer/figures/collective-bytes.h"
#include "analyzer/names/split.h"
#include "analyzer/base/util.h"

/* Finds the range around the launch that names the collective: nccl:all_reduce. */
static uint32_t find_range(const struct ra_model *model, const struct ra_gpu_op *op)
{
	uint32_t at = op->slice;

	for (; at != RA_NONE; at = model->slices.parent[at]) {
		const struct rlog_string name = ra_model_string(model, model->slices.name[at]);

		if (name.length > 5 &&
		    (memcmp(name.bytes, "nccl:", 5) == 0 || memcmp(name.bytes, "gloo:", 5) == 0)) {
			return at;
		}
	}
	return RA_NONE;
}

/* Returns the bytes of the elements whose number is an arg of the kernel; -1: not known. */
static int64_t find_message(const struct ra_model *model, uint32_t row, enum ra_kineto_key elements)
{
	int64_t count;
	int64_t bytes =
		ra_collective_type_bytes(ra_model_rows_text(model, row, RA_KINETO_ARG_DTYPE));

	if (bytes > 0 && ra_kineto_get_int(model->kineto, row, elements, &count) && count >= 0 &&
	    !__builtin_mul_overflow(count, bytes, &bytes)) {
		return bytes;
	}
	return -1;
}

/* Finds the input bytes in the kernel's args, else by the inputs of the range. */
static int64_t find_bytes(const struct ra_model *model, size_t op, uint32_t range)
{
	const int64_t bytes =
		find_message(model, ra_model_rows_find_op(model, op), RA_KINETO_ARG_IN_MSG_NELEMS);
	uint32_t row;

	if (bytes >= 0) {
		return bytes;
	}
	row = ra_model_rows_find_slice(model, range);
	return row == RA_KINETO_NONE
	               ? -1
	               : ra_collective_bytes_of_row(model->kineto, row, ra_collective_type_bytes);
}

/* Sets output bytes and the number of ranks from the kernel's args. */
static void find_group(const struct ra_model *model, size_t op, struct ra_collective *call)
{
	const uint32_t row = ra_model_rows_find_op(model, op);

	call->out_bytes = find_message(model, row, RA_KINETO_ARG_OUT_MSG_NELEMS);
	if (!ra_kineto_get_int(model->kineto, row, RA_KINETO_ARG_GROUP_SIZE, &call->group_size) ||
	    call->group_size < 1) {
		call->group_size = 0;
	}
	call->group_id = ra_model_rows_text(model, row, RA_KINETO_ARG_PROCESS_GROUP_NAME);
	call->group = ra_model_rows_text(model, row, RA_KINETO_ARG_PROCESS_GROUP_DESC);
	if (call->group.length == 0) {
		call->group = call->group_id;
	}
}

/* Finds the collective's name: an arg of the kernel; else the range's name without the call number
 * that PyTorch's emit_nvtx adds; else the kernel's name. */
static struct rlog_string find_name(const struct ra_model *model, size_t op, uint32_t range)
{
	struct rlog_string name = ra_model_rows_text(model, ra_model_rows_find_op(model, op),
	                                             RA_KINETO_ARG_COLLECTIVE_NAME);
	struct ra_split split;

	if (name.length > 0) {
		return name;
	}
	if (range == RA_NONE) {
		return ra_model_string(model, model->gpu.ops[op].name);
	}
	name = ra_model_string(model, model->slices.name[range]);
	return ra_split_name(name, &split) && split.is_operator ? split.op : name;
}

/* Sorts collectives of one name and group. */
static int compare_keys(const struct ra_collective *a, const struct ra_collective *b)
{
	int order = ra_util_string_compare(a->name, b->name);

	order = RA_ORDER_THEN(order, ra_util_string_compare(a->group_id, b->group_id));
	return RA_ORDER_THEN(order, ra_util_string_compare(a->group, b->group));
}

static int compare_calls(const void *a, const void *b)
{
	const struct ra_collective *left = a;
	const struct ra_collective *right = b;
	int order = compare_keys(left, right);

	order = RA_ORDER_THEN(order, RA_ORDER_UP(left, right, start_ns));
	return RA_ORDER_THEN(order, RA_ORDER_UP(left, right, op));
}

static void collect(struct ra_collectives_rank *rank, const struct ra_model *model)
{
	const struct ra_gpu *gpu = &model->gpu;
	size_t capacity = 0;

	for (size_t i = 0; i < gpu->op_count; i++) {
		uint32_t range;

		if (!gpu->ops[i].is_collective) {
			continue;
		}
		ra_util_grow(&rank->calls, &capacity, rank->count + 1, sizeof(*rank->calls));
		range = find_range(model, &gpu->ops[i]);
		rank->calls[rank->count] = (struct ra_collective){
			.start_ns = gpu->ops[i].start_ns,
			.dur_ns = gpu->ops[i].dur_ns,
			.transfer_ns = -1,
			.match = RA_NONE,
			.bytes = find_bytes(model, i, range),
			.out_bytes = -1,
			.group = { "", 0, 0 },
			.group_id = { "", 0, 0 },
			.name = find_name(model, i, range),
			.op = (uint32_t) i,
		};
		find_group(model, i, &rank->calls[rank->count++]);
	}
	RA_SORT(rank->calls, rank->count, compare_calls);
}

/* Finds the first call that does not sort before this call's name and group. With `behind`, finds
 * the first call that sorts after both. O(log n). */
static size_t find_call(const struct ra_collectives_rank *rank, const struct ra_collective *key,
                        bool behind)
{
	struct ra_search at = ra_search_in(0, rank->count);

	while (ra_search_next(&at)) {
		ra_search_tell(&at, compare_keys(&rank->calls[at.middle], key) < (int) behind);
	}
	return at.low;
}

/* Finds the calls of a name in a group. *first: index of the first one. Return: their number. */
static size_t find_calls(const struct ra_collectives_rank *rank, const struct ra_collective *key,
                         size_t *first)
{
	*first = find_call(rank, key, false);
	return find_call(rank, key, true) - *first;
}

/* Gives the n-th of these calls the same number on all ranks that have such calls. The transfer
 * takes as long as the call on the rank where the call is shortest. That rank arrived last, and the
 * others waited for it. */
static void match_calls(struct ra_collectives *collectives, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		int64_t shortest_ns = INT64_MAX;

		for (size_t r = 0; r < collectives->count; r++) {
			const struct ra_collectives_rank *rank = &collectives->ranks[r];

			if (rank->takes_part && rank->calls[rank->at + i].dur_ns < shortest_ns) {
				shortest_ns = rank->calls[rank->at + i].dur_ns;
			}
		}
		for (size_t r = 0; r < collectives->count; r++) {
			const struct ra_collectives_rank *rank = &collectives->ranks[r];

			if (rank->takes_part) {
				rank->calls[rank->at + i].transfer_ns = shortest_ns;
				rank->calls[rank->at + i].match =
					(uint32_t) (collectives->match_count + i);
			}
		}
	}
	collectives->match_count += count;
}

/*
 * Matches a rank's collectives. The n-th collective of a name and group is the same collective on
 * all ranks of the group, if all of them have equally many. A group without a name contains all
 * ranks. Ranks before `of` have no such calls, or their calls are matched already.
 */
static void compare_ranks(struct ra_collectives *collectives, size_t of,
                          const struct ra_collective *key, size_t count)
{
	const bool is_of_all = key->group_id.length == 0 && key->group.length == 0;
	size_t part = 0;

	for (size_t r = 0; r < collectives->count; r++) {
		struct ra_collectives_rank *rank = &collectives->ranks[r];
		const size_t calls = find_calls(rank, key, &rank->at);

		rank->takes_part = calls > 0;
		part += calls > 0;
		if ((calls > 0 && r < of) || (calls != count && (is_of_all || calls > 0))) {
			return;
		}
	}
	if (part > 1) {
		match_calls(collectives, count);
	}
}

void ra_collectives_init(struct ra_collectives *collectives, const struct ra_files *files)
{
	const size_t count = ra_files_count(files);

	*collectives = (struct ra_collectives){ .count = count };
	collectives->ranks = ra_alloc_zeros(count + 1, sizeof(*collectives->ranks));
	for (size_t r = 0; r < count; r++) {
		collectives->ranks[r].number = ra_files_rank(files, r);
		collect(&collectives->ranks[r], ra_files_model(files, r));
	}
	for (size_t r = 0; count > 1 && r < count; r++) {
		const struct ra_collectives_rank *rank = &collectives->ranks[r];
		size_t calls;

		for (size_t first = 0; first < rank->count; first += calls) {
			size_t at;

			calls = find_calls(rank, &rank->calls[first], &at);
			compare_ranks(collectives, r, &rank->calls[first], calls);
		}
	}
}

void ra_collectives_fini(struct ra_collectives *collectives)
{
	for (size_t r = 0; r < collectives->count; r++) {
		free(collectives->ranks[r].calls);
	}
	free(collectives->ranks);
	*collectives = (struct ra_collectives){ 0 };
}
