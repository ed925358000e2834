/* SPDX-License-Identifier: MIT */
/* Reports steps, GPUs and advice, as in the TensorBoard plugin. */
#include "analyzer/compat/tb/report-tb.h"

#include <math.h>

#include "analyzer/compat/tb/tables.h"

#define TB RA_COMPAT_BIT(RA_COMPAT_TB)

static void destroy(void *tb)
{
	ra_tb_destroy(tb);
}

struct ra_tb *ra_report_tb_need(struct ra_report_input *input)
{
	if (input->tb == NULL && input->model->kineto != NULL) {
		input->tb = ra_tb_create(input->model->kineto);
		ra_report_keep(input, input->tb, destroy);
	}
	return input->tb;
}

struct ra_tb *ra_report_tb_need_tables(struct ra_report_input *input)
{
	struct ra_tb *tb = ra_report_tb_need(input);

	if (tb != NULL) {
		ra_tb_tables_need(tb, (input->group_by & RA_GROUP_BY_SHAPE) != 0,
		                  (input->group_by & RA_GROUP_BY_STACK) != 0);
	}
	return tb;
}

/* Makes a cell of a number. A missing number is NaN. */
static struct ra_table_cell make_real(double real)
{
	struct ra_table_cell cell = ra_table_make_real(real);

	cell.has_value = !isnan(real);
	return cell;
}

/* The parts of a step's time. */
#define ROLE_COLUMNS                                                          \
	{ "kernel_us", "Kernel", RA_TABLE_REAL, NULL },                       \
		{ "memcpy_us", "Memcpy", RA_TABLE_REAL, NULL },               \
		{ "memset_us", "Memset", RA_TABLE_REAL, NULL },               \
		{ "communication_us", "Communication", RA_TABLE_REAL, NULL }, \
		{ "runtime_us", "Runtime", RA_TABLE_REAL, NULL },             \
		{ "dataloader_us", "DataLoader", RA_TABLE_REAL, NULL },       \
		{ "cpu_exec_us", "CPU Exec", RA_TABLE_REAL, NULL },           \
		{ "other_us", "Other", RA_TABLE_REAL, NULL },                 \
	{                                                                     \
		"total_us", "Total", RA_TABLE_REAL, NULL                      \
	}

static const struct ra_table_column overview_columns[1 + RA_ROLES] = {
	{ "step", "Step", RA_TABLE_TEXT, NULL },
	ROLE_COLUMNS,
};

static void add_costs(struct ra_table *table, struct ra_table_cell name,
                      const struct ra_step_cost *cost)
{
	struct ra_table_cell *cells = ra_table_add_row(table);

	cells[0] = name;
	for (size_t role = 0; role < RA_ROLES; role++) {
		cells[1 + role] = make_real(cost->role[role]);
	}
}

static void fill_overview(struct ra_report_input *input, struct ra_table *table)
{
	const struct ra_tb *tb = ra_report_tb_need(input);

	if (tb == NULL) {
		return;
	}
	for (size_t i = 0; i < tb->steps.times.step_count; i++) {
		add_costs(table, ra_table_make_text(tb->steps.times.steps[i].name), &tb->costs[i]);
	}
}

const struct ra_report ra_report_tb_overview = {
	.name = "overview",
	.is_of_steps = true,
	.compat = TB,
	.title = "Overview",
	.summary = "where the time of each step went",
	.columns = overview_columns,
	.column_count = 1 + RA_ROLES,
	.fill = fill_overview,
};

static void fill_average(struct ra_report_input *input, struct ra_table *table)
{
	const struct ra_tb *tb = ra_report_tb_need(input);

	if (tb != NULL) {
		add_costs(table, ra_table_make_count(tb->steps.times.step_count), &tb->mean);
	}
}

static const struct ra_table_column average_columns[1 + RA_ROLES] = {
	{ "steps", "Steps", RA_TABLE_COUNT, NULL },
	ROLE_COLUMNS,
};

const struct ra_report ra_report_tb_average = {
	.name = "step-average",
	.compat = TB,
	.title = "Average step",
	.summary = "the mean of the steps in overview",
	.columns = average_columns,
	.column_count = 1 + RA_ROLES,
	.fill = fill_average,
};

static const struct ra_table_column overlap_columns[] = {
	{ "step", "Step", RA_TABLE_TEXT, NULL },
	{ "computation_us", "Computation", RA_TABLE_REAL, NULL },
	{ "communication_us", "Communication", RA_TABLE_REAL, NULL },
	{ "overlap_us", "Overlap", RA_TABLE_REAL, NULL },
	{ "other_us", "Other", RA_TABLE_REAL, NULL },
};

static void fill_overlap(struct ra_report_input *input, struct ra_table *table)
{
	const struct ra_tb *tb = ra_report_tb_need(input);

	if (tb == NULL) {
		return;
	}
	for (size_t i = 0; i < tb->steps.times.step_count; i++) {
		const struct ra_step_overlap *overlap = &tb->costs[i].overlap;
		struct ra_table_cell *cells = ra_table_add_row(table);

		cells[0] = ra_table_make_text(tb->steps.times.steps[i].name);
		cells[1] = make_real(overlap->computation);
		cells[2] = make_real(overlap->communication);
		cells[3] = make_real(overlap->overlap);
		cells[4] = make_real(overlap->other);
	}
}

const struct ra_report ra_report_tb_steps_overlap = {
	.name = "step-overlap",
	.is_of_steps = true,
	.compat = TB,
	.title = "Computation and communication",
	.summary = "computation and communication of each step, and what both did at once",
	.columns = overlap_columns,
	.column_count = sizeof(overlap_columns) / sizeof(overlap_columns[0]),
	.fill = fill_overlap,
};

static const struct ra_table_column gpu_columns[] = {
	{ "device", "Device", RA_TABLE_COUNT, NULL },
	{ "gpu_utilization", "GPU util.", RA_TABLE_REAL, NULL },
	{ "est_sm_efficiency", "Est. SM eff.", RA_TABLE_REAL, NULL },
	{ "est_achieved_occupancy", "Est. occupancy", RA_TABLE_REAL, NULL },
	{ "tensor_core_time", "Tensor cores", RA_TABLE_REAL, NULL },
	{ "name", "Name", RA_TABLE_TEXT, NULL },
	{ "memory_bytes", "Memory", RA_TABLE_COUNT, NULL },
	{ "compute_capability", "CC", RA_TABLE_TEXT, NULL },
};

static const struct ra_kineto_device *find_device(const struct ra_kineto *kineto, int64_t id)
{
	for (size_t i = 0; i < kineto->device_count; i++) {
		if (kineto->devices[i].id == id) {
			return &kineto->devices[i];
		}
	}
	return NULL;
}

static void put_device(const struct ra_kineto *kineto, const struct ra_kineto_device *device,
                       struct ra_table *table, struct ra_table_cell *cells)
{
	struct ra_util_text text = { 0 };

	cells[0] = ra_table_make_text(ra_kineto_string(kineto, device->name));
	cells[1] = ra_table_make_number(device->total_memory_bytes);
	ra_util_text_format(&text, "%lld.%lld", (long long) device->compute_major,
	                    (long long) device->compute_minor);
	cells[2] = ra_table_make_text(ra_table_take_text(table, &text));
}

static void fill_gpu(struct ra_report_input *input, struct ra_table *table)
{
	const struct ra_tb *tb = ra_report_tb_need(input);

	for (size_t i = 0; tb != NULL && i < tb->usages.count; i++) {
		const struct ra_gpu_usage *usage = &tb->usages.rows[i];
		const struct ra_kineto_device *device =
			find_device(tb->events.kineto, usage->device);
		struct ra_table_cell *cells = ra_table_add_row(table);

		cells[0] = ra_table_make_number(usage->device);
		cells[1] = make_real(usage->utilization);
		cells[2] = make_real(usage->efficiency);
		cells[3] = make_real(usage->occupancy / 100);
		cells[4] = make_real(tb->tensor_share[i]);
		if (device != NULL) {
			put_device(tb->events.kineto, device, table, cells + 5);
		}
	}
}

const struct ra_report ra_report_tb_gpu = {
	.name = "gpu",
	.compat = TB,
	.title = "GPUs",
	.none = "no work of a GPU",
	.summary = "how well kernels used each GPU during the steps",
	.columns = gpu_columns,
	.column_count = sizeof(gpu_columns) / sizeof(gpu_columns[0]),
	.fill = fill_gpu,
};

static const struct ra_table_column counter_columns[] = {
	{ "device", "Device", RA_TABLE_COUNT, NULL },
	{ "counter", "Counter", RA_TABLE_TEXT, NULL },
	{ "ts_us", "Time", RA_TABLE_REAL, NULL },
	{ "value", "Value", RA_TABLE_REAL, NULL },
};

struct counters {
	struct ra_table *table;
	int64_t device;
	const char *name;
};

static void add_counter(const struct counters *counters, double ts, double value)
{
	struct ra_table_cell *cells = ra_table_add_row(counters->table);

	cells[0] = ra_table_make_number(counters->device);
	cells[1] = ra_table_make_word(counters->name);
	cells[2] = make_real(ts);
	cells[3] = make_real(value);
}

/* Returns the busy time in [start, end). *at: the first interval that may be in it; updated. */
static double measure_busy(const struct ra_stretches *busy, size_t *at, double start, double end)
{
	double sum = 0;

	while (*at < busy->count && busy->rows[*at].start < end) {
		const struct ra_stretch *row = &busy->rows[*at];

		if (row->end > start) {
			sum += (row->end < end ? row->end : end) -
			       (row->start > start ? row->start : start);
		}
		if (row->end > end) {
			break;
		}
		(*at)++;
	}
	return sum;
}

/* Chooses the width of a bucket: a power of ten in µs that gives at most 100 buckets. The last
 * bucket gets the rest. */
static void add_utilization(struct counters *counters, const struct ra_tb *tb,
                            const struct ra_gpu_usage *usage)
{
	const double whole = tb->steps.global_end - tb->steps.global_start;
	double size = 1;
	size_t count;
	size_t at = 0;

	if (!(whole > 0)) {
		return;
	}
	while (whole / size > 100) {
		size *= 10;
	}
	count = (size_t) (whole / size);
	if (count == 0) {
		return;
	}
	add_counter(counters, tb->steps.global_start, 1);
	add_counter(counters, tb->steps.global_start, 0);
	for (size_t i = 0; i < count; i++) {
		const double start = tb->steps.global_start + (double) i * size;
		const double end = i + 1 < count ? tb->steps.global_start + (double) (i + 1) * size
		                                 : tb->steps.global_end;

		add_counter(counters, start,
		            measure_busy(&usage->busy, &at, start, end) / (end - start));
	}
	add_counter(counters, tb->steps.global_end, 0);
}

static void add_efficiency(struct counters *counters, const struct ra_tb *tb,
                           const struct ra_gpu_usage *usage)
{
	const double start = tb->steps.global_start;

	if (usage->blocks.count > 0) {
		add_counter(counters, start, 1);
		add_counter(counters, start, 0);
	}
	for (size_t i = 0; i < usage->blocks.count; i++) {
		add_counter(counters, usage->blocks.rows[i].start, usage->blocks.rows[i].value);
		add_counter(counters, usage->blocks.rows[i].end, 0);
	}
}

static void fill_counters(struct ra_report_input *input, struct ra_table *table)
{
	/* The trees are freed before this table is made, because it may be as large as the
	 * trees. */
	const struct ra_tb *tb = ra_report_tb_need_tables(input);
	const size_t count = tb == NULL ? 0 : tb->usages.count;

	for (size_t i = 0; i < count; i++) {
		struct counters counters = { table, tb->usages.rows[i].device, "GPU Utilization" };

		add_utilization(&counters, tb, &tb->usages.rows[i]);
	}
	for (size_t i = 0; i < count; i++) {
		struct counters counters = { table, tb->usages.rows[i].device,
			                     "Est. SM Efficiency" };

		add_efficiency(&counters, tb, &tb->usages.rows[i]);
	}
}

const struct ra_report ra_report_tb_gpu_counters = {
	.name = "gpu-counters",
	.compat = TB,
	.title = "GPU counters",
	.none = "no work of a GPU",
	.summary = "utilization and SM efficiency over time, as drawn on the timeline",
	.columns = counter_columns,
	.column_count = sizeof(counter_columns) / sizeof(counter_columns[0]),
	.fill = fill_counters,
};
