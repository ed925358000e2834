/* SPDX-License-Identifier: MIT */
/* Writes the recommendations of the TensorBoard plugin, and its figures of a trace as a whole. */
#include "analyzer/compat/tb/report-tb.h"

#include <math.h>

#include "analyzer/compat/tb/tables.h"

#define TB RA_COMPAT_BIT(RA_COMPAT_TB)

static const struct ra_table_column advice_columns[] = {
	{ "rule", "Rule", RA_TABLE_TEXT, NULL },
	{ "value", "Value", RA_TABLE_REAL, NULL },
	{ "threshold", "Threshold", RA_TABLE_REAL, NULL },
	{ "devices", "GPUs", RA_TABLE_TEXT, NULL },
	{ "advice", "Advice", RA_TABLE_TEXT, NULL },
};

struct advice {
	const char *rule;
	double value;     /* NaN: none */
	double threshold; /* NaN: none */
	const char *text;
};

static struct ra_table_cell *add_advice(struct ra_table *table, const struct advice *advice)
{
	struct ra_table_cell *cells = ra_table_add_row(table);

	cells[0] = ra_table_make_word(advice->rule);
	ra_table_put_real(&cells[1], advice->value);
	ra_table_put_real(&cells[2], advice->threshold);
	cells[4] = ra_table_make_word(advice->text);
	return cells;
}

static size_t count_devices(const struct ra_tb *tb)
{
	const struct ra_tb_nodes *nodes = &tb->nodes;
	const struct ra_kineto *kineto = tb->events.kineto;
	struct ra_tb_index index = { 0 };
	size_t count;

	for (size_t i = 0; i < nodes->device_count; i++) {
		const struct ra_tb_key key = {
			{ kineto->threads[ra_kineto_get_thread(kineto, nodes->devices[i].row)].pid }
		};

		(void) ra_tb_index_find(&index, &key);
	}
	count = index.count;
	ra_tb_index_fini(&index);
	return count;
}

static bool has_capable_device(const struct ra_kineto *kineto)
{
	for (size_t i = 0; i < kineto->device_count; i++) {
		const struct ra_kineto_device *device = &kineto->devices[i];

		if (device->compute_major > 3 ||
		    (device->compute_major == 3 && device->compute_minor >= 5)) {
			return true;
		}
	}
	return false;
}

static void advise_distributed(const struct ra_tb *tb, struct ra_table *table)
{
	const struct advice dp = { "data_parallel", NAN, NAN,
		                   "use DistributedDataParallel instead of DataParallel" };
	const struct advice nccl = { "nccl", NAN, NAN,
		                     "use NCCL for DistributedDataParallel: it is the fastest" };
	const struct advice comm = {
		"communication",
		tb->mean.role[RA_ROLE_COMMUNICATION] / tb->mean.role[RA_ROLE_TOTAL],
		0.1,
		"much of the steps is communication: compress or accumulate gradients, or use "
		"larger batches",
	};

	if (tb->nodes.uses_dp && count_devices(tb) > 1) {
		add_advice(table, &dp);
	}
	if (tb->nodes.uses_ddp && !tb->nodes.has_nccl && has_capable_device(tb->events.kineto)) {
		add_advice(table, &nccl);
	}
	if (comm.value > comm.threshold) {
		add_advice(table, &comm);
	}
}

/* Writes one line for all GPUs with low utilization. Their numbers are joined as in the plugin. */
static void advise_utilization(const struct ra_tb *tb, struct ra_table *table)
{
	const struct advice low = { "low_gpu_utilization", NAN, 0.5,
		                    "the GPU has little to do: larger batches may help" };
	struct ra_util_text text = { 0 };
	size_t left = 0;
	size_t count;

	for (size_t i = 0; i < tb->usages.count; i++) {
		left += tb->usages.rows[i].utilization < low.threshold;
	}
	count = left;
	for (size_t i = 0; i < tb->usages.count; i++) {
		if (tb->usages.rows[i].utilization < low.threshold) {
			const char *between = left == count ? "" : left == 1 ? "and " : ", ";

			ra_util_text_format(&text, "%s%lld", between,
			                    (long long) tb->usages.rows[i].device);
			left--;
		}
	}
	if (count > 0) {
		add_advice(table, &low)[3] = ra_table_make_text(ra_table_take_text(table, &text));
	}
}

static void advise_memory(const struct ra_tb *tb, struct ra_table *table)
{
	const struct ra_kineto *kineto = tb->events.kineto;
	const struct ra_tb_memories *memories = &tb->tables->memories;

	for (size_t i = 0; i < memories->peak_count; i++) {
		const struct ra_tb_peak *peak = &memories->peaks[i];
		/* The CPU has number -1. With this index the plugin takes the last entry of its
		 * list. */
		const size_t at =
			peak->device >= 0 ? (size_t) peak->device : kineto->device_count - 1;
		double whole;

		if (at >= kineto->device_count) {
			continue;
		}
		whole = (double) kineto->devices[at].total_memory_bytes;
		if (whole > 0 && peak->allocated > whole * 0.9) {
			const struct advice full = { "memory", peak->allocated / whole, 0.9,
				                     "the memory of the device is nearly full: use "
				                     "gradient checkpoints or mixed precision" };

			add_advice(table, &full);
			break;
		}
	}
}

static void fill_advice(struct ra_report_input *input, struct ra_table *table)
{
	const struct ra_tb *tb = ra_report_tb_need_tables(input);
	const struct ra_kineto *kineto = input->model->kineto;
	struct advice advice = { "dataloader", 0, 0.05,
		                 "much of the steps is loading of data: use worker processes" };

	if (tb == NULL) {
		return;
	}
	advice.value = tb->mean.role[RA_ROLE_DATALOADER] / tb->mean.role[RA_ROLE_TOTAL];
	if (advice.value > advice.threshold) {
		add_advice(table, &advice);
	}
	advise_distributed(tb, table);
	advise_utilization(tb, table);
	if (kineto->device_count == 0) {
		return;
	}
	advice = (struct advice){ "tensor_cores", tb->eligible_share, 0,
		                  "tensor cores are idle: enable automatic mixed precision" };
	if (kineto->devices[0].compute_major >= 7 && tb->tensor_share_of_all == 0 &&
	    advice.value > 0) {
		add_advice(table, &advice);
	}
	advise_memory(tb, table);
}

const struct ra_report ra_report_tb_advice = {
	.name = "advice",
	.compat = TB,
	.title = "Advice",
	.none = "the plugin would recommend nothing",
	.summary = "what the figures recommend",
	.columns = advice_columns,
	.column_count = sizeof(advice_columns) / sizeof(advice_columns[0]),
	.fill = fill_advice,
};

static const struct ra_table_column fact_columns[] = {
	{ "has_runtime", "Runtime", RA_TABLE_FLAG, NULL },
	{ "has_kernel", "Kernels", RA_TABLE_FLAG, NULL },
	{ "has_communication", "Communication", RA_TABLE_FLAG, NULL },
	{ "has_memcpy_or_memset", "Copies", RA_TABLE_FLAG, NULL },
	{ "uses_ddp", "DDP", RA_TABLE_FLAG, NULL },
	{ "uses_dp", "DP", RA_TABLE_FLAG, NULL },
	{ "uses_nccl", "NCCL", RA_TABLE_FLAG, NULL },
	{ "uses_gloo", "Gloo", RA_TABLE_FLAG, NULL },
	{ "devices", "GPUs", RA_TABLE_COUNT, NULL },
	{ "tensor_cores_used", "TC used", RA_TABLE_REAL, NULL },
	{ "tensor_cores_eligible", "TC eligible", RA_TABLE_REAL, NULL },
};

static void fill_facts(struct ra_report_input *input, struct ra_table *table)
{
	const struct ra_tb *tb = ra_report_tb_need(input);
	struct ra_table_cell *cells;

	if (tb == NULL) {
		return;
	}
	cells = ra_table_add_row(table);
	cells[0] = ra_table_make_number(tb->has_role[RA_ROLE_RUNTIME]);
	cells[1] = ra_table_make_number(tb->has_role[RA_ROLE_KERNEL]);
	cells[2] = ra_table_make_number(tb->has_role[RA_ROLE_COMMUNICATION]);
	cells[3] =
		ra_table_make_number(tb->has_role[RA_ROLE_MEMCPY] || tb->has_role[RA_ROLE_MEMSET]);
	cells[4] = ra_table_make_number(tb->nodes.uses_ddp);
	cells[5] = ra_table_make_number(tb->nodes.uses_dp);
	cells[6] = ra_table_make_number(tb->nodes.has_nccl);
	cells[7] = ra_table_make_number(tb->nodes.has_gloo);
	cells[8] = ra_table_make_count(count_devices(tb));
	ra_table_put_real(&cells[9], tb->tensor_share_of_all);
	cells[10] = ra_table_make_real(tb->eligible_share);
}

const struct ra_report ra_report_tb_facts = {
	.name = "run",
	.compat = TB,
	.title = "The run",
	.summary = "what a trace holds",
	.columns = fact_columns,
	.column_count = sizeof(fact_columns) / sizeof(fact_columns[0]),
	.fill = fill_facts,
};
