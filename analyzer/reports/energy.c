/* SPDX-License-Identifier: MIT */
/* The report "energy": joules of GPUs, steps, ranges and kernels, by NVML's counters of the log. */
#include "analyzer/reports/reports.h"

#include <math.h>
#include <stdlib.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/order.h"
#include "analyzer/base/util.h"
#include "analyzer/figures/gpu/energy.h"
#include "analyzer/figures/gpu/gpu-order.h"
#include "analyzer/names/group.h"
#include "analyzer/names/labels.h"
#include "analyzer/report/op-names.h"
#include "analyzer/report/range-names.h"
#include "analyzer/report/report-steps.h"

enum column {
	OF,
	NAME,
	DOMAIN,
	KIND,
	DEVICE,
	OPS,
	TIME,
	ENERGY,
	ERROR,
	POWER,
	PEAK,
	METER,
	METER_POWER,
	UNKNOWN,
	COLUMNS,
};

static const struct ra_table_column columns[COLUMNS] = {
	[OF] = { "of", "Of", RA_TABLE_TEXT, NULL },
	[NAME] = { "name", "Name", RA_TABLE_TEXT, NULL },
	[DOMAIN] = { "domain", "Domain", RA_TABLE_TEXT, "(default)" },
	[KIND] = { "kind", "Kind", RA_TABLE_TEXT, "push/pop" },
	[DEVICE] = { "device", "GPU", RA_TABLE_COUNT, "0" },
	[OPS] = { "operations", "GPU ops", RA_TABLE_COUNT, NULL },
	[TIME] = { "time_ns", "Time", RA_TABLE_TIME, NULL },
	[ENERGY] = { "energy_j", "Energy J", RA_TABLE_REAL, NULL },
	[ERROR] = { "error_j", "+- J", RA_TABLE_REAL, NULL },
	[POWER] = { "mean_power_w", "Mean W", RA_TABLE_REAL, NULL },
	[PEAK] = { "peak_power_w", "Peak W", RA_TABLE_REAL, NULL },
	[METER] = { "meter_j", "Meter J", RA_TABLE_REAL, NULL },
	[METER_POWER] = { "meter_power_w", "Meter W", RA_TABLE_REAL, NULL },
	[UNKNOWN] = { "unknown_ns", "No samples", RA_TABLE_TIME, "0" },
};

/* What a row is of: all GPU work of a name. */
struct sum {
	struct ra_energy_sum energy;
	uint64_t ops;
	size_t last_op; /* that was added, plus 1 */
	uint32_t key;   /* group of ranges, or label of kernels */
};

/* One kind of rows, and which of them has a key. */
struct sums {
	struct sum *rows; /* owned */
	size_t count;
	size_t capacity;
	uint32_t *of_key; /* owned; index + 1, 0: none */
};

struct filling {
	struct ra_report_input *input;
	struct ra_table *table;
	struct ra_energy energy;   /* owned */
	struct ra_gpu_order order; /* owned */
	struct ra_group group;     /* owned */
	struct sums ranges;
	struct sums kernels;
	const struct ra_energy_curve *curve; /* of the device at hand */
};

/* ---- Rows ---- */

static void put_energy(struct ra_table_cell *cells, const struct ra_energy_curve *curve,
                       const struct ra_energy_sum *sum)
{
	cells[DEVICE] = ra_table_make_id(curve->device);
	cells[TIME] = ra_table_make_number(sum->known_ns);
	cells[UNKNOWN] = ra_table_make_number(sum->unknown_ns);
	if (sum->known_ns > 0) {
		cells[ENERGY] = ra_table_make_real(sum->joules);
		cells[ERROR] = ra_table_make_real(sum->error);
		cells[POWER] = ra_table_make_real(sum->joules * 1e9 / (double) sum->known_ns);
	}
}

static void put_device(struct filling *filling)
{
	const struct ra_energy_curve *curve = filling->curve;
	const struct ra_model *model = filling->input->model;
	const struct ra_gpu_device *device = ra_gpu_find_device(&model->gpu, curve->device);
	struct ra_table_cell *cells = ra_table_add_row(filling->table);
	struct ra_energy_sum sum = { 0 };

	ra_energy_add(curve, &sum, curve->time_ns[0], curve->time_ns[curve->count - 1]);
	ra_energy_finish(curve, &sum);
	cells[OF] = ra_table_make_word("GPU");
	if (device != NULL && device->name != 0) {
		cells[NAME] = ra_table_make_text(ra_model_string(model, device->name));
	}
	put_energy(cells, curve, &sum);
	cells[PEAK] = ra_table_make_real(curve->most_w);
	if (curve->meter_ns > 0) {
		cells[METER] = ra_table_make_real(curve->meter_j);
		cells[METER_POWER] =
			ra_table_make_real(curve->meter_j * 1e9 / (double) curve->meter_ns);
	}
}

static void put_steps(struct filling *filling)
{
	const struct ra_report_steps *steps = ra_report_steps_find(filling->input);

	for (size_t i = 0; i < steps->steps.times.step_count && !steps->steps.is_whole; i++) {
		const struct ra_step *step = &steps->steps.times.steps[i];
		struct ra_table_cell *cells = ra_table_add_row(filling->table);
		struct ra_energy_sum sum = { 0 };

		ra_energy_add(filling->curve, &sum, (int64_t) llround(step->start),
		              (int64_t) llround(step->end));
		ra_energy_finish(filling->curve, &sum);
		cells[OF] = ra_table_make_word("step");
		cells[NAME] = ra_table_make_text(
			ra_table_keep_text(filling->table, step->name.bytes, step->name.length));
		put_energy(cells, filling->curve, &sum);
	}
}

static int compare_sums(const void *left, const void *right)
{
	const struct sum *a = left;
	const struct sum *b = right;

	return RA_ORDER_THEN(RA_ORDER_DOWN(a, b, energy.joules), RA_ORDER_UP(a, b, key));
}

/* Makes rows of them, the most energy first, and forgets them. */
static void put_sums(struct filling *filling, struct sums *sums, bool is_of_kernels)
{
	for (size_t i = 0; i < sums->count; i++) {
		ra_energy_finish(filling->curve, &sums->rows[i].energy);
		sums->of_key[sums->rows[i].key] = 0;
	}
	RA_SORT(sums->rows, sums->count, compare_sums);
	for (size_t i = 0; i < sums->count; i++) {
		const struct sum *sum = &sums->rows[i];
		struct ra_table_cell *cells = ra_table_add_row(filling->table);

		cells[OF] = ra_table_make_word(is_of_kernels ? "kernel" : "range");
		if (is_of_kernels) {
			cells[NAME] = ra_table_make_text(ra_op_names_text(
				filling->input, (uint64_t) RA_GPU_KERNEL << 32 | sum->key,
				filling->table));
		} else {
			ra_range_names_put_plain(filling->input, &filling->group.keys[sum->key],
			                         &cells[NAME]);
		}
		put_energy(cells, filling->curve, &sum->energy);
		cells[OPS] = ra_table_make_count(sum->ops);
	}
	sums->count = 0;
}

/* ---- Sums ---- */

static void add(struct filling *filling, struct sums *sums, uint32_t key, size_t number)
{
	const struct ra_gpu_order_op *op = &filling->order.ops[number];
	struct sum *sum;

	if (sums->of_key[key] == 0) {
		RA_UTIL_APPEND(sums->rows, sums->count, sums->capacity, (struct sum){ .key = key });
		sums->of_key[key] = (uint32_t) sums->count;
	}
	sum = &sums->rows[sums->of_key[key] - 1];
	if (sum->last_op == number + 1) {
		return; /* a range within one of its name */
	}
	sum->last_op = number + 1;
	sum->ops++;
	ra_energy_add(filling->curve, &sum->energy, op->start_ns, op->end_ns);
}

static void add_op(struct filling *filling, size_t number)
{
	const struct ra_model *model = filling->input->model;
	const struct ra_gpu_op *op = &model->gpu.ops[filling->order.ops[number].op];

	for (uint32_t s = op->slice; s != RA_NONE; s = model->slices.parent[s]) {
		add(filling, &filling->ranges, filling->group.of_slice[s], number);
	}
	if (op->kind == RA_GPU_KERNEL) {
		add(filling, &filling->kernels, ra_labels_find(filling->input->kernels, op->name),
		    number);
	}
}

static void fill_device(struct filling *filling, const struct ra_gpu_order_device *device)
{
	filling->curve = ra_energy_find(&filling->energy, device->id);
	if (filling->curve == NULL) {
		return;
	}
	put_device(filling);
	put_steps(filling);
	for (size_t i = device->first; i < device->first + device->count; i++) {
		add_op(filling, i);
	}
	put_sums(filling, &filling->ranges, false);
	put_sums(filling, &filling->kernels, true);
}

static void add_notes(struct filling *filling)
{
	bool is_integrated = false;

	for (size_t i = 0; i < filling->energy.count; i++) {
		is_integrated |= filling->energy.curves[i].is_integrated;
	}
	ra_report_add_note(filling->input,
	                   "Energy: of the whole GPU while the work ran; +-: what the time between "
	                   "samples leaves open");
	if (is_integrated) {
		ra_report_add_note(filling->input,
		                   "Energy: summed from samples of power; Meter J, Meter W: what "
		                   "the GPU's own meter counted in the capture, where it has one");
	}
	if (filling->energy.is_by_number) {
		ra_report_add_note(filling->input, "Energy: which GPU is which goes by NVML's "
		                                   "numbers");
	}
}

static void fill_energy(struct ra_report_input *input, struct ra_table *table)
{
	struct filling filling = { .input = input, .table = table };
	const struct ra_model *model = input->model;

	ra_energy_init(&filling.energy, model);
	if (filling.energy.count > 0) {
		ra_gpu_order_init(&filling.order, model);
		ra_group_init(&filling.group, model, RA_GROUP_BY_NAME, input->labels);
		filling.ranges.of_key = ra_alloc_zeros(filling.group.count + 1, sizeof(uint32_t));
		filling.kernels.of_key = ra_alloc_zeros(model->name_count + 1, sizeof(uint32_t));
		for (size_t d = 0; d < filling.order.device_count; d++) {
			fill_device(&filling, &filling.order.devices[d]);
		}
		add_notes(&filling);
		free(filling.ranges.of_key);
		free(filling.ranges.rows);
		free(filling.kernels.of_key);
		free(filling.kernels.rows);
		ra_group_fini(&filling.group);
		ra_gpu_order_fini(&filling.order);
	}
	ra_energy_fini(&filling.energy);
}

const struct ra_report ra_report_energy = {
	.name = "energy",
	.scope = RA_REPORT_OF_ALL,
	.title = "Energy",
	.summary = "joules of GPUs, steps, ranges and kernels, where NVML was sampled",
	.none_status = "no GPU metrics: ",
	.none = "no samples of power or energy (ranges run --gpu-metrics power)",
	.columns = columns,
	.column_count = COLUMNS,
	.fill = fill_energy,
};
