/* SPDX-License-Identifier: MIT */
/* The report "comm": collectives of each rank, and how much of them was waiting for others. */
#include "analyzer/report-steps.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/kineto.h"
#include "analyzer/tb-comm.h"
#include "analyzer/util.h"
#include "format/error.h"

enum column {
	RANK,
	NAME,
	CALLS,
	BYTES,
	TOTAL,
	MEAN,
	TRANSFER,
	WAIT,
	COLUMNS,
};

static const struct ra_table_column columns[COLUMNS] = {
	[RANK] = { "rank", "Rank", RA_TABLE_COUNT, NULL },
	[NAME] = { "name", "Name", RA_TABLE_TEXT, NULL },
	[CALLS] = { "calls", "# of Calls", RA_TABLE_COUNT, NULL },
	[BYTES] = { "bytes", "Bytes", RA_TABLE_COUNT, NULL },
	[TOTAL] = { "total_ns", "Total", RA_TABLE_TIME, NULL },
	[MEAN] = { "mean_ns", "Mean", RA_TABLE_TIME, NULL },
	[TRANSFER] = { "transfer_ns", "Transfer", RA_TABLE_TIME, NULL },
	[WAIT] = { "wait_ns", "Wait", RA_TABLE_TIME, NULL },
};

/* A kernel of a collective. */
struct call {
	int64_t start_ns;
	int64_t dur_ns;
	int64_t transfer_ns;
	int64_t bytes; /* -1: not known */
	struct rlog_string name;
	uint32_t op;
};

/* Those of one rank, by name, then time. */
struct rank {
	struct call *calls; /* owned */
	size_t count;
	int64_t number;
	size_t at; /* first call of the name at hand */
};

static int64_t type_bytes(struct rlog_string name)
{
	static const struct {
		const char *name;
		int64_t bytes;
	} types[] = {
		{ "Float", 4 }, { "Half", 2 },  { "BFloat16", 2 }, { "Double", 8 }, { "Long", 8 },
		{ "Int", 4 },   { "Short", 2 }, { "Byte", 1 },     { "Char", 1 },   { "Bool", 1 },
	};

	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
		if (name.length == strlen(types[i].name) &&
		    memcmp(name.bytes, types[i].name, name.length) == 0) {
			return types[i].bytes;
		}
	}
	return -1;
}

/* The range around the launch that says which collective it is: nccl:all_reduce. */
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

/* What goes in, by the args of the kernel, else by the inputs of the range. */
static int64_t find_bytes(const struct ra_model *model, size_t op, uint32_t range)
{
	const struct ra_kineto *kineto = model->kineto;
	int64_t count;
	int64_t bytes;
	uint32_t event;

	if (kineto == NULL) {
		return -1;
	}
	event = kineto->op_event[op];
	bytes = type_bytes(
		ra_kineto_string(kineto, ra_kineto_get_text(kineto, event, RA_KINETO_ARG_DTYPE)));
	if (bytes > 0 && ra_kineto_get_int(kineto, event, RA_KINETO_ARG_IN_MSG_NELEMS, &count) &&
	    !__builtin_mul_overflow(count, bytes, &bytes)) {
		return bytes;
	}
	bytes = range == RA_NONE ? 0 : ra_tb_comm_bytes(kineto, kineto->slice_event[range]);
	return bytes > 0 ? bytes : -1;
}

static struct rlog_string find_name(const struct ra_model *model, size_t op, uint32_t range)
{
	const struct ra_kineto *kineto = model->kineto;
	struct rlog_string name = { "", 0, 0 };

	if (kineto != NULL) {
		name = ra_kineto_string(kineto, ra_kineto_get_text(kineto, kineto->op_event[op],
		                                                   RA_KINETO_ARG_COLLECTIVE_NAME));
	}
	if (name.length > 0) {
		return name;
	}
	return ra_model_string(model, range == RA_NONE ? model->gpu.ops[op].name
	                                               : model->slices.name[range]);
}

static int compare_names(struct rlog_string a, struct rlog_string b)
{
	const uint32_t length = a.length < b.length ? a.length : b.length;
	const int order = length == 0 ? 0 : memcmp(a.bytes, b.bytes, length);

	return order != 0 ? order : (a.length > b.length) - (a.length < b.length);
}

static int compare_calls(const void *a, const void *b)
{
	const struct call *left = a;
	const struct call *right = b;
	const int order = compare_names(left->name, right->name);

	if (order != 0) {
		return order;
	}
	if (left->start_ns != right->start_ns) {
		return left->start_ns > right->start_ns ? 1 : -1;
	}
	return (left->op > right->op) - (left->op < right->op);
}

static int collect(struct rank *rank, const struct ra_model *model)
{
	const struct ra_gpu *gpu = &model->gpu;
	size_t capacity = 0;

	for (size_t i = 0; i < gpu->op_count; i++) {
		uint32_t range;

		if (!ra_steps_is_collective(model, &gpu->ops[i])) {
			continue;
		}
		if (ra_util_grow(&rank->calls, &capacity, rank->count + 1, sizeof(*rank->calls)) !=
		    0) {
			return -RLOG_E_NO_MEMORY;
		}
		range = find_range(model, &gpu->ops[i]);
		rank->calls[rank->count++] = (struct call){
			.start_ns = gpu->ops[i].start_ns,
			.dur_ns = gpu->ops[i].dur_ns,
			.transfer_ns = -1,
			.bytes = find_bytes(model, i, range),
			.name = find_name(model, i, range),
			.op = (uint32_t) i,
		};
	}
	if (rank->count > 1) {
		qsort(rank->calls, rank->count, sizeof(*rank->calls), compare_calls);
	}
	return 0;
}

/* The calls of a name: *first and their number. */
static size_t find_calls(const struct rank *rank, struct rlog_string name, size_t *first)
{
	size_t count = 0;

	*first = 0;
	while (*first < rank->count && compare_names(rank->calls[*first].name, name) != 0) {
		(*first)++;
	}
	while (*first + count < rank->count &&
	       compare_names(rank->calls[*first + count].name, name) == 0) {
		count++;
	}
	return count;
}

/*
 * The n-th collective of a name is the same one in all ranks, if all have equally many. It
 * transfers as long as in the rank where it is shortest, the last to come; the others waited for
 * that one.
 */
static void compare_ranks(struct rank *ranks, size_t rank_count, size_t first, size_t count)
{
	const struct rlog_string name = ranks[0].calls[first].name;

	ranks[0].at = first;
	for (size_t r = 1; r < rank_count; r++) {
		if (find_calls(&ranks[r], name, &ranks[r].at) != count) {
			return;
		}
	}
	for (size_t i = 0; i < count; i++) {
		int64_t shortest_ns = INT64_MAX;

		for (size_t r = 0; r < rank_count; r++) {
			const int64_t dur_ns = ranks[r].calls[ranks[r].at + i].dur_ns;

			shortest_ns = dur_ns < shortest_ns ? dur_ns : shortest_ns;
		}
		for (size_t r = 0; r < rank_count; r++) {
			ranks[r].calls[ranks[r].at + i].transfer_ns = shortest_ns;
		}
	}
}

static int put_calls(const struct rank *rank, size_t first, size_t count, struct ra_table *table)
{
	struct ra_table_cell *cells = ra_table_add_row(table);
	int64_t total_ns = 0;
	int64_t transfer_ns = 0;
	int64_t bytes = 0;
	bool has_bytes = true;
	bool has_transfer = true;

	if (cells == NULL) {
		return -RLOG_E_NO_MEMORY;
	}
	for (size_t i = first; i < first + count; i++) {
		const struct call *call = &rank->calls[i];

		total_ns = ra_util_add_time(total_ns, call->dur_ns);
		has_bytes = has_bytes && call->bytes >= 0;
		has_transfer = has_transfer && call->transfer_ns >= 0;
		bytes = has_bytes ? ra_util_add_time(bytes, call->bytes) : 0;
		transfer_ns = has_transfer ? ra_util_add_time(transfer_ns, call->transfer_ns) : 0;
	}
	cells[RANK] = ra_table_make_number(rank->number);
	cells[NAME] = ra_table_make_text(rank->calls[first].name);
	cells[CALLS] = ra_table_make_count(count);
	cells[TOTAL] = ra_table_make_number(total_ns);
	cells[MEAN] = ra_table_make_number(total_ns / (int64_t) count);
	if (has_bytes) {
		cells[BYTES] = ra_table_make_number(bytes);
	}
	if (has_transfer) {
		cells[TRANSFER] = ra_table_make_number(transfer_ns);
		cells[WAIT] = ra_table_make_number(total_ns - transfer_ns);
	}
	return 0;
}

static int put_rank(const struct rank *rank, struct ra_table *table)
{
	int rc = 0;

	for (size_t first = 0; first < rank->count && rc == 0;) {
		size_t end = first + 1;

		while (end < rank->count &&
		       compare_names(rank->calls[end].name, rank->calls[first].name) == 0) {
			end++;
		}
		rc = put_calls(rank, first, end - first, table);
		first = end;
	}
	return rc;
}

static int fill_comm(struct ra_report_input *input, struct ra_table *table)
{
	struct rank *ranks = calloc(input->model_count + 1, sizeof(*ranks));
	int rc = ranks == NULL ? -RLOG_E_NO_MEMORY : 0;

	for (size_t r = 0; r < input->model_count && rc == 0; r++) {
		ranks[r].number = input->ranks[r];
		rc = collect(&ranks[r], input->models[r]);
	}
	for (size_t first = 0; rc == 0 && input->model_count > 1 && first < ranks[0].count;) {
		size_t at;
		const size_t count = find_calls(&ranks[0], ranks[0].calls[first].name, &at);

		compare_ranks(ranks, input->model_count, first, count);
		first += count;
	}
	for (size_t r = 0; r < input->model_count && rc == 0; r++) {
		rc = put_rank(&ranks[r], table);
	}
	for (size_t r = 0; ranks != NULL && r < input->model_count; r++) {
		free(ranks[r].calls);
	}
	free(ranks);
	return rc;
}

const struct ra_report ra_report_comm = {
	.name = "comm",
	.reads_several = true,
	.title = "Collectives",
	.summary = "kernels of collectives by name: bytes, time, waiting for other ranks",
	.columns = columns,
	.column_count = COLUMNS,
	.fill = fill_comm,
	.none = "no kernels of NCCL or RCCL",
};
