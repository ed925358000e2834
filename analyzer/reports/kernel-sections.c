/* SPDX-License-Identifier: MIT */
/* The report "kernel-sections": on which sections the time inside kernels was spent. */
#include "analyzer/base/alloc.h"
#include "analyzer/reports/reports.h"

#include <stdlib.h>

#include "analyzer/base/util-map.h"
#include "analyzer/base/order/util-sort.h"
#include "analyzer/base/util.h"
#include "analyzer/figures/gpu/gpu-text.h"
#include "analyzer/report/op-names.h"

enum column {
	KERNEL,
	SECTION,
	DEPTH,
	BLOCKS,
	COUNT,
	TOTAL,
	MEAN,
	P95,
	MAX,
	CYCLES,
	SHARE,
	SLOWEST_SM,
	SLOWEST_MEAN,
	COLUMNS,
};

static const struct ra_table_column columns[COLUMNS] = {
	[KERNEL] = { "kernel", "Kernel", RA_TABLE_TEXT, NULL },
	[SECTION] = { "section", "Section", RA_TABLE_TEXT, NULL },
	[DEPTH] = { "depth", "Depth", RA_TABLE_COUNT, NULL },
	[BLOCKS] = { "blocks", "Blocks", RA_TABLE_COUNT, NULL },
	[COUNT] = { "count", "Count", RA_TABLE_COUNT, NULL },
	[TOTAL] = { "total_ns", "Total", RA_TABLE_TIME, NULL },
	[MEAN] = { "mean_ns", "Mean", RA_TABLE_TIME, NULL },
	[P95] = { "p95_ns", "P95", RA_TABLE_TIME, NULL },
	[MAX] = { "max_ns", "Max", RA_TABLE_TIME, NULL },
	[CYCLES] = { "mean_cycles", "Mean cycles", RA_TABLE_COUNT, NULL },
	[SHARE] = { "kernel_share", "Kernel %", RA_TABLE_SHARE, NULL },
	[SLOWEST_SM] = { "slowest_sm", "Slowest SM", RA_TABLE_COUNT, NULL },
	[SLOWEST_MEAN] = { "slowest_sm_mean_ns", "Its mean", RA_TABLE_TIME, NULL },
};

/* The kernels that have the same name in reports. */
struct kernel {
	uint64_t key;     /* key of op-names.h */
	bool has_op;      /* false: it is not known of which kernels the sections are */
	int64_t block_ns; /* sum over all blocks with sections of the kernel's time */
};

/* A row: the sections of one name in kernels of one name. */
struct row {
	uint32_t kernel;  /* index of the kernel */
	uint32_t section; /* index of one of the sections, for the name */
	uint32_t depth;   /* smallest depth of these sections */
	uint64_t blocks;
	uint64_t count;
	int64_t total_ns;
	uint64_t cycles;
	/* first start, relative to its kernel's start; orders the rows of a kernel */
	int64_t first_ns;
	/* launch and block of the previous section; the sections of a block are adjacent */
	uint64_t last_block;
	bool has_block;
};

struct sums {
	const struct ra_gpu *gpu;
	struct kernel *kernels; /* owned, like all arrays here */
	size_t kernel_count;
	size_t kernel_capacity;
	struct row *rows;
	size_t row_count;
	size_t row_capacity;
	struct ra_util_map kernel_index; /* key of op-names.h → index of the kernel */
	struct ra_util_map row_index;
	struct ra_util_sort_entry *order; /* the sections to sort; tag is the row */
};

/* Finds the entry of a kernel, or makes it. The pointer is valid until the next entry is made. */
static struct kernel *find_kernel(struct sums *sums, const struct ra_report_input *input,
                                  uint32_t op)
{
	struct kernel kernel = { .key = UINT64_MAX, .has_op = op != RA_NONE };
	uint32_t index;

	if (kernel.has_op) {
		kernel.key = ra_op_names_find(input, &sums->gpu->ops[op]);
	}
	index = ra_util_map_find(&sums->kernel_index, kernel.key);
	if (index < sums->kernel_count) {
		return &sums->kernels[index];
	}
	index = (uint32_t) sums->kernel_count;
	ra_util_grow(&sums->kernels, &sums->kernel_capacity, sums->kernel_count + 1,
	             sizeof(*sums->kernels));
	ra_util_map_put(&sums->kernel_index, kernel.key, index);
	sums->kernels[sums->kernel_count++] = kernel;
	return &sums->kernels[index];
}

/* Finds the row of a section, or makes it. The pointer is valid until the next row is made.
 * Sections without a name are distinguished by their number. */
static struct row *find_row(struct sums *sums, uint32_t kernel,
                            const struct ra_gpu_section *section)
{
	/* A name is less than 2^31, and so is an id. */
	const uint32_t low = section->name != 0 ? section->name : section->id | UINT32_C(1) << 31;
	const uint64_t key = (uint64_t) kernel << 32 | low;
	uint32_t index = ra_util_map_find(&sums->row_index, key);

	if (index < sums->row_count) {
		return &sums->rows[index];
	}
	index = (uint32_t) sums->row_count;
	ra_util_grow(&sums->rows, &sums->row_capacity, sums->row_count + 1, sizeof(*sums->rows));
	ra_util_map_put(&sums->row_index, key, index);
	sums->rows[sums->row_count++] =
		(struct row){ .kernel = kernel,
		              .section = (uint32_t) (section - sums->gpu->sections),
		              .depth = UINT32_MAX,
		              .first_ns = INT64_MAX };
	return &sums->rows[index];
}

static void add_section(struct row *row, const struct ra_gpu_section *section, int64_t begin_ns)
{
	const uint64_t block = (uint64_t) section->launch << 32 | section->block;

	row->depth = section->depth < row->depth ? section->depth : row->depth;
	row->blocks += !row->has_block || row->last_block != block;
	row->has_block = true;
	row->last_block = block;
	row->count++;
	row->total_ns = ra_util_add_time(row->total_ns, section->dur_ns);
	row->cycles = ra_util_add(row->cycles, section->cycles);
	row->first_ns = begin_ns < row->first_ns ? begin_ns : row->first_ns;
}

static void sum_sections(struct sums *sums, const struct ra_report_input *input)
{
	const struct ra_gpu *gpu = sums->gpu;

	for (size_t i = 0; i < gpu->section_count; i++) {
		const struct ra_gpu_section *section = &gpu->sections[i];
		const struct ra_gpu_section *before = i > 0 ? section - 1 : NULL;
		const struct ra_gpu_op *op = section->op != RA_NONE ? &gpu->ops[section->op] : NULL;
		struct kernel *kernel = find_kernel(sums, input, section->op);
		struct row *row = find_row(sums, (uint32_t) (kernel - sums->kernels), section);

		if (op != NULL && (before == NULL || before->launch != section->launch ||
		                   before->block != section->block)) {
			kernel->block_ns = ra_util_add_time(kernel->block_ns, op->dur_ns);
		}
		add_section(row, section, section->start_ns - (op != NULL ? op->start_ns : 0));
		sums->order[i] =
			(struct ra_util_sort_entry){ (uint64_t) section->dur_ns, (uint32_t) i,
			                             (uint32_t) (row - sums->rows) };
	}
}

/* Sorts the sections by row, then by duration. */
static void order_sections(struct sums *sums)
{
	const size_t count = sums->gpu->section_count;

	ra_util_sort(&sums->order, count);
	for (size_t i = 0; i < count; i++) {
		sums->order[i].key = sums->order[i].tag;
	}
	ra_util_sort(&sums->order, count);
}

struct sm {
	uint64_t count;
	int64_t total_ns;
};

static int64_t find_mean(int64_t total_ns, uint64_t count)
{
	return (int64_t) (((uint64_t) total_ns + count / 2) / count);
}

/* Finds the SM (multiprocessor) whose sections have the longest mean; of equal ones the one with
 * the lowest number. */
static void find_slowest(const struct sums *sums, const struct ra_util_sort_entry *order,
                         size_t count, struct ra_table_cell *cells)
{
	struct ra_util_sort_entry *sms = ra_alloc_bytes((count + 1) * sizeof(*sms));
	struct sm sum = { 0 };
	int64_t slowest_ns = -1;

	for (size_t i = 0; i < count; i++) {
		sms[i] = (struct ra_util_sort_entry){ sums->gpu->sections[order[i].index].sm,
			                              order[i].index, 0 };
	}
	ra_util_sort(&sms, count);
	for (size_t i = 0; i < count; i++) {
		sum.count++;
		sum.total_ns =
			ra_util_add_time(sum.total_ns, sums->gpu->sections[sms[i].index].dur_ns);
		if (i + 1 == count || sms[i + 1].key != sms[i].key) {
			const int64_t mean_ns = find_mean(sum.total_ns, sum.count);

			if (mean_ns > slowest_ns) {
				slowest_ns = mean_ns;
				cells[SLOWEST_SM] = ra_table_make_count(sms[i].key);
				cells[SLOWEST_MEAN] = ra_table_make_number(mean_ns);
			}
			sum = (struct sm){ 0 };
		}
	}
	free(sms);
}

/* Fills the figures of a row. @order: the sections of the row, by duration. */
static void put_figures(const struct sums *sums, const struct row *row,
                        const struct ra_util_sort_entry *order, struct ra_table_cell *cells)
{
	const struct ra_gpu_section *sections = sums->gpu->sections;
	const struct kernel *kernel = &sums->kernels[row->kernel];
	const size_t count = (size_t) row->count;

	cells[DEPTH] = ra_table_make_count(row->depth);
	cells[BLOCKS] = ra_table_make_count(row->blocks);
	cells[COUNT] = ra_table_make_count(row->count);
	cells[TOTAL] = ra_table_make_number(row->total_ns);
	cells[MEAN] = ra_table_make_number(find_mean(row->total_ns, row->count));
	cells[P95] = ra_table_make_number(sections[order[count - count / 20 - 1].index].dur_ns);
	cells[MAX] = ra_table_make_number(sections[order[count - 1].index].dur_ns);
	cells[CYCLES] = ra_table_make_count(row->cycles / row->count);
	if (kernel->has_op) {
		cells[SHARE] = ra_table_make_share(row->total_ns, kernel->block_ns);
	}
	find_slowest(sums, order, count, cells);
}

static void put_names(const struct ra_report_input *input, const struct sums *sums,
                      const struct row *row, struct ra_table *table, struct ra_table_cell *cells)
{
	const struct kernel *kernel = &sums->kernels[row->kernel];
	struct rlog_string text;
	char scratch[RA_GPU_TEXT_BYTES];

	if (kernel->has_op) {
		cells[KERNEL] = ra_table_make_text(ra_op_names_text(input, kernel->key, table));
	}
	text = ra_gpu_text_section(input->model, &sums->gpu->sections[row->section], scratch);
	cells[SECTION] = ra_table_make_text(ra_table_keep_text(table, text.bytes, text.length));
}

/* Sorts rows by kernel, then by the first start of their sections. Return: entries whose index is
 * that of a row. */
static struct ra_util_sort_entry *order_rows(const struct sums *sums)
{
	struct ra_util_sort_entry *rows = ra_alloc_bytes((sums->row_count + 1) * sizeof(*rows));

	for (size_t i = 0; i < sums->row_count; i++) {
		rows[i] = (struct ra_util_sort_entry){
			(uint64_t) sums->rows[i].first_ns + (UINT64_C(1) << 63), (uint32_t) i, 0
		};
	}
	ra_util_sort(&rows, sums->row_count);
	for (size_t i = 0; i < sums->row_count; i++) {
		rows[i].key = sums->rows[rows[i].index].kernel;
	}
	ra_util_sort(&rows, sums->row_count);
	return rows;
}

static void put_rows(const struct ra_report_input *input, const struct sums *sums,
                     struct ra_table *table)
{
	/* by row: the first of its sections */
	size_t *first = ra_alloc_zeros(sums->row_count + 1, sizeof(*first));
	struct ra_util_sort_entry *rows = order_rows(sums);

	for (size_t i = 0; i < sums->row_count; i++) {
		first[i + 1] = first[i] + (size_t) sums->rows[i].count;
	}
	for (size_t i = 0; i < sums->row_count; i++) {
		const struct row *row = &sums->rows[rows[i].index];
		struct ra_table_cell *cells = ra_table_add_row(table);

		put_names(input, sums, row, table, cells);
		put_figures(sums, row, sums->order + first[rows[i].index], cells);
	}
	free(first);
	free(rows);
}

static void put_count(struct ra_report_input *input, const char *key, const char *title,
                      uint64_t count)
{
	if (count > 0) {
		ra_report_add_figure(input, key, title, RA_TABLE_COUNT, ra_table_make_count(count));
	}
}

static void put_counts(struct ra_report_input *input)
{
	const struct ra_gpu *gpu = &input->model->gpu;

	put_count(input, "sections_dropped",
	          "Sections: begins and ends that did not fit into the buffer",
	          gpu->sections_dropped);
	put_count(input, "sections_open", "Sections: begins without end, ends without begin",
	          gpu->sections_open);
	put_count(input, "sections_unplaced", "Sections whose kernel is not known",
	          gpu->sections_unplaced);
}

static void fill(struct ra_report_input *input, struct ra_table *table)
{
	struct sums sums = { .gpu = &input->model->gpu };

	if (sums.gpu->section_count == 0) {
		return;
	}
	sums.order = ra_alloc_bytes(sums.gpu->section_count * sizeof(*sums.order));
	sum_sections(&sums, input);
	order_sections(&sums);
	put_rows(input, &sums, table);
	put_counts(input);
	free(sums.kernels);
	free(sums.rows);
	free(sums.order);
	ra_util_map_free(&sums.kernel_index);
	ra_util_map_free(&sums.row_index);
}

const struct ra_report ra_report_kernel_sections = {
	.name = "kernel-sections",
	.title = "Sections inside of kernels",
	.summary = "time inside of kernels by section, as ranges/device.h records it",
	.none = "no sections of kernels (ranges/device.h)",
	.columns = columns,
	.column_count = COLUMNS,
	.fill = fill,
};
