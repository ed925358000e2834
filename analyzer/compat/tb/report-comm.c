/* SPDX-License-Identifier: MIT */
/* Reports the communication of all ranks, as in the distributed view of the TensorBoard plugin. */
#include "analyzer/compat/tb/report-tb.h"

#include <stdlib.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/text/util-string.h"
#include "analyzer/figures/collective-bytes.h"
#include "analyzer/compat/tb/comm.h"
#include "analyzer/compat/tb/tables.h"

#define TB RA_COMPAT_BIT(RA_COMPAT_TB)

/* All ranks, with their collectives compared. */
struct ranks {
	struct ra_tb **tbs; /* owned, except for the first one, which belongs to the input */
	size_t count;
	bool is_matched; /* the ranks have the same collectives, so waits are known */
};

static void init_ranks(struct ranks *ranks, struct ra_report_input *input)
{
	struct ra_tb_nodes **nodes =
		ra_alloc_zeros(input->model_count + 1, sizeof(struct ra_tb_nodes *));

	ra_report_tb_need(input);
	*ranks = (struct ranks){ .tbs = ra_alloc_zeros(input->model_count + 1,
		                                       sizeof(struct ra_tb *)) };
	for (size_t i = 0; i < input->model_count; i++) {
		if (i == 0) {
			ranks->tbs[i] = input->tb;
		} else { /* only the trees of the first rank are used */
			ranks->tbs[i] = ra_tb_create(input->models[i]->kineto);
			ra_tb_nodes_drop_trees(&ranks->tbs[i]->nodes);
		}
		ranks->count++;
		nodes[i] = &ranks->tbs[i]->nodes;
	}
	ranks->is_matched = ra_tb_comm_compare(nodes, ranks->count);
	free(nodes);
}

static void fini_ranks(struct ranks *ranks)
{
	for (size_t i = 1; i < ranks->count; i++) {
		ra_tb_destroy(ranks->tbs[i]);
	}
	free(ranks->tbs);
}

/* Sums over collectives: their time, and the part of it without waiting. */
struct sum {
	struct ra_stretches ranges;
	struct ra_stretches real;
	uint64_t calls;
	int64_t bytes;
	double total;
	double transfer;
};

static void add_intervals(struct ra_stretches *to, const struct ra_stretches *from)
{
	for (size_t i = 0; i < from->count; i++) {
		ra_stretches_add(to, from->rows[i].start, from->rows[i].end, 0);
	}
}

/* Returns the size of a type of data, of those that the plugin knows. */
static int64_t type_bytes(struct rlog_string name)
{
	static const struct {
		const char *name;
		int64_t bytes;
	} types[] = {
		{ "long int", 8 },  { "float", 4 },         { "int", 4 },
		{ "c10::Half", 2 }, { "c10::BFloat16", 2 }, { "unsigned char", 1 },
	};

	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
		if (ra_util_string_is(name, types[i].name)) {
			return types[i].bytes;
		}
	}
	return 0;
}

static void add_comm(struct sum *sum, const struct ra_tb_nodes *nodes,
                     const struct ra_tb_comm *comm)
{
	const int64_t bytes =
		ra_collective_bytes_of_row(nodes->events->kineto, comm->row, type_bytes);

	add_intervals(&sum->ranges, &comm->ranges);
	sum->calls++;
	sum->bytes += bytes > 0 ? bytes : 0;
	add_intervals(&sum->real, &comm->real);
}

static void finish_sum(struct sum *sum)
{
	ra_stretches_merge(&sum->ranges);
	ra_stretches_merge(&sum->real);
	sum->total = ra_stretches_sum(&sum->ranges);
	sum->transfer = ra_stretches_sum(&sum->real);
	ra_stretches_fini(&sum->ranges);
	ra_stretches_fini(&sum->real);
}

enum comm_column {
	COMM_RANK,
	COMM_NAME,
	COMM_CALLS,
	COMM_BYTES,
	COMM_MEAN_BYTES,
	COMM_TOTAL,
	COMM_MEAN,
	COMM_TRANSFER,
	COMM_MEAN_TRANSFER,
	COMM_WAIT,
	COMM_COLUMNS,
};

static const struct ra_table_column comm_columns[COMM_COLUMNS] = {
	[COMM_RANK] = { "rank", "Rank", RA_TABLE_COUNT, NULL },
	[COMM_NAME] = { "name", "Name", RA_TABLE_TEXT, NULL },
	[COMM_CALLS] = { "calls", "# of Calls", RA_TABLE_COUNT, NULL },
	[COMM_BYTES] = { "bytes", "Bytes", RA_TABLE_COUNT, NULL },
	[COMM_MEAN_BYTES] = { "mean_bytes", "Mean bytes", RA_TABLE_REAL, NULL },
	[COMM_TOTAL] = { "total_us", "Total", RA_TABLE_REAL, NULL },
	[COMM_MEAN] = { "mean_us", "Mean", RA_TABLE_REAL, NULL },
	[COMM_TRANSFER] = { "transfer_us", "Transfer", RA_TABLE_REAL, NULL },
	[COMM_MEAN_TRANSFER] = { "mean_transfer_us", "Mean transfer", RA_TABLE_REAL, NULL },
	[COMM_WAIT] = { "wait_us", "Wait", RA_TABLE_REAL, NULL },
};

static void put_comm(const struct ranks *ranks, int64_t rank, struct rlog_string name,
                     const struct sum *sum, struct ra_table *table)
{
	struct ra_table_cell *cells = ra_table_add_row(table);
	const double calls = (double) sum->calls;

	cells[COMM_RANK] = ra_table_make_number(rank);
	cells[COMM_NAME] = ra_table_make_text(name);
	cells[COMM_CALLS] = ra_table_make_count(sum->calls);
	cells[COMM_BYTES] = ra_table_make_number(sum->bytes);
	cells[COMM_MEAN_BYTES] = ra_table_make_real((double) sum->bytes / calls);
	cells[COMM_TOTAL] = ra_table_make_real(sum->total);
	cells[COMM_MEAN] = ra_table_make_real(sum->total / calls);
	if (ranks->is_matched) {
		cells[COMM_TRANSFER] = ra_table_make_real(sum->transfer);
		cells[COMM_MEAN_TRANSFER] = ra_table_make_real(sum->transfer / calls);
		cells[COMM_WAIT] = ra_table_make_real(sum->total - sum->transfer);
	}
}

/* The sums over a rank's collectives, by name. */
static void add_rank(const struct ranks *ranks, const struct ra_tb *tb, int64_t rank,
                     struct ra_table *table)
{
	const struct ra_kineto *kineto = tb->events.kineto;
	struct sum *sums = ra_alloc_zeros(tb->nodes.comm_count + 1, sizeof(*sums));
	struct ra_tb_index index = { 0 };

	for (size_t i = 0; i < tb->nodes.comm_count; i++) {
		const struct ra_tb_comm *comm = &tb->nodes.comms[i];
		const struct ra_tb_key key = { { kineto->name[comm->row] } };

		add_comm(&sums[ra_tb_index_find(&index, &key)], &tb->nodes, comm);
	}
	for (size_t i = 0; i < index.count; i++) {
		finish_sum(&sums[i]);
		put_comm(ranks, rank, ra_kineto_string(kineto, index.keys[i].part[0]), &sums[i],
		         table);
	}
	ra_tb_index_fini(&index);
	free(sums);
}

static void fill_comm(struct ra_report_input *input, struct ra_table *table)
{
	struct ranks ranks;

	init_ranks(&ranks, input);
	for (size_t i = 0; i < ranks.count; i++) {
		add_rank(&ranks, ranks.tbs[i], input->ranks[i], table);
	}
	fini_ranks(&ranks);
}

const struct ra_report ra_report_tb_comm = {
	.name = "comm",
	.compat = TB,
	.reads_several = true,
	.title = "Collectives",
	.none = "no kernels of NCCL",
	.summary = "collectives by name: bytes, time, and how much of it was waiting",
	.columns = comm_columns,
	.column_count = COMM_COLUMNS,
	.fill = fill_comm,
};

enum step_column {
	STEP_RANK,
	STEP_NAME,
	STEP_COMPUTATION,
	STEP_OVERLAP,
	STEP_COMMUNICATION,
	STEP_OTHER,
	STEP_TRANSFER,
	STEP_WAIT,
	STEP_COLUMNS,
};

static const struct ra_table_column step_columns[STEP_COLUMNS] = {
	[STEP_RANK] = { "rank", "Rank", RA_TABLE_COUNT, NULL },
	[STEP_NAME] = { "step", "Step", RA_TABLE_TEXT, NULL },
	[STEP_COMPUTATION] = { "computation_us", "Computation only", RA_TABLE_REAL, NULL },
	[STEP_OVERLAP] = { "overlap_us", "Overlap", RA_TABLE_REAL, NULL },
	[STEP_COMMUNICATION] = { "communication_us", "Communication only", RA_TABLE_REAL, NULL },
	[STEP_OTHER] = { "other_us", "Other", RA_TABLE_REAL, NULL },
	[STEP_TRANSFER] = { "transfer_us", "Transfer", RA_TABLE_REAL, NULL },
	[STEP_WAIT] = { "wait_us", "Wait", RA_TABLE_REAL, NULL },
};

/* A row before it is written. In the row of means, sums until the end. */
struct step_row {
	double part[STEP_COLUMNS];
	size_t steps;
	size_t comm_steps;
};

static void put_step(const struct step_row *row, int64_t rank, struct rlog_string name,
                     struct ra_table *table)
{
	struct ra_table_cell *cells = ra_table_add_row(table);

	cells[STEP_RANK] = ra_table_make_number(rank);
	cells[STEP_NAME] = ra_table_make_text(name);
	for (size_t i = STEP_COMPUTATION; i < STEP_COLUMNS; i++) {
		const size_t count = i >= STEP_TRANSFER ? row->comm_steps : row->steps;

		if (count > 0) {
			cells[i] = ra_table_make_real(row->part[i] / (double) count);
		}
	}
}

/* Sums the collectives of one step. @step: RA_KINETO_NONE: those in no step. */
static void sum_step(const struct ra_tb_nodes *nodes, uint32_t step, struct step_row *row)
{
	struct sum sum = { 0 };

	for (size_t i = 0; i < nodes->comm_count; i++) {
		if (nodes->comms[i].step == step) {
			add_comm(&sum, nodes, &nodes->comms[i]);
		}
	}
	finish_sum(&sum);
	row->part[STEP_TRANSFER] = sum.transfer;
	row->part[STEP_WAIT] = sum.total - sum.transfer;
	row->comm_steps = sum.calls > 0 ? 1 : 0;
}

static void add_step(struct step_row *mean, const struct step_row *row)
{
	for (size_t i = 0; i < STEP_COLUMNS; i++) {
		mean->part[i] += row->part[i];
	}
	mean->steps += row->steps;
	mean->comm_steps += row->comm_steps;
}

static void add_rank_steps(const struct ranks *ranks, const struct ra_tb *tb, int64_t rank,
                           struct ra_table *table)
{
	const struct rlog_string all = { "all", 3, 3 };
	const struct ra_step_times *times = &tb->steps.times;
	struct step_row mean = { 0 };
	struct step_row outside = { 0 };

	for (size_t i = 0; i < times->step_count; i++) {
		const struct ra_step_overlap *overlap = &tb->costs[i].overlap;
		struct step_row row = { .steps = 1 };

		row.part[STEP_COMPUTATION] = overlap->computation - overlap->overlap;
		row.part[STEP_OVERLAP] = overlap->overlap;
		row.part[STEP_COMMUNICATION] = overlap->communication - overlap->overlap;
		row.part[STEP_OTHER] = overlap->other;
		if (ranks->is_matched) {
			sum_step(&tb->nodes, (uint32_t) i, &row);
		}
		add_step(&mean, &row);
		put_step(&row, rank, times->steps[i].name, table);
	}
	if (ranks->is_matched) {
		sum_step(&tb->nodes, RA_KINETO_NONE, &outside);
		add_step(&mean, &outside);
	}
	put_step(&mean, rank, all, table);
}

static void fill_steps(struct ra_report_input *input, struct ra_table *table)
{
	struct ranks ranks;

	init_ranks(&ranks, input);
	for (size_t i = 0; i < ranks.count; i++) {
		add_rank_steps(&ranks, ranks.tbs[i], input->ranks[i], table);
	}
	fini_ranks(&ranks);
}

const struct ra_report ra_report_tb_comm_steps = {
	.name = "comm-steps",
	.is_of_steps = true,
	.compat = TB,
	.reads_several = true,
	.title = "Communication by step",
	.summary = "computation, communication and waiting of each rank in each step",
	.columns = step_columns,
	.column_count = STEP_COLUMNS,
	.fill = fill_steps,
};
