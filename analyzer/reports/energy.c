/* SPDX-License-Identifier: MIT */
/* The report "energy": energy in joules of GPUs, steps, ranges and kernels, by the log's counters
 * from NVML. */
#include "analyzer/reports/reports.h"

#include <math.h>
#include <stdlib.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/order/order.h"
#include "analyzer/base/util.h"
#include "analyzer/figures/gpu/energy-work.h"
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
	[METER] = { "meter_j", "Meter J", RA_TABLE_REAL, "" },
	[METER_POWER] = { "meter_power_w", "Meter W", RA_TABLE_REAL, "" },
	[UNKNOWN] = { "unknown_ns", "No samples", RA_TABLE_TIME, "0" },
};

struct filling {
	struct ra_report_input *input;
	struct ra_table *table;
	struct ra_energy energy;    /* owned */
	struct ra_gpu_order order;  /* owned */
	struct ra_group group;      /* owned */
	struct ra_energy_work work; /* owned; of the current device */
	const struct ra_energy_curve *curve;
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

static void put_rows(struct filling *filling, const struct ra_energy_rows *rows, bool is_of_kernels)
{
	for (size_t i = 0; i < rows->count; i++) {
		const struct ra_energy_row *row = &rows->rows[i];
		struct ra_table_cell *cells = ra_table_add_row(filling->table);

		cells[OF] = ra_table_make_word(is_of_kernels ? "kernel" : "range");
		if (is_of_kernels) {
			cells[NAME] = ra_table_make_text(ra_op_names_text(
				filling->input, (uint64_t) RA_GPU_KERNEL << 32 | row->key,
				filling->table));
		} else {
			ra_range_names_put_plain(filling->input, &filling->group.keys[row->key],
			                         &cells[NAME]);
		}
		put_energy(cells, filling->curve, &row->energy);
		cells[OPS] = ra_table_make_count(row->ops);
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
	ra_energy_work_sum(&filling->work, filling->curve, &filling->order);
	put_rows(filling, &filling->work.ranges, false);
	put_rows(filling, &filling->work.kernels, true);
}

static void add_notes(struct filling *filling)
{
	bool is_integrated = false;

	for (size_t i = 0; i < filling->energy.count; i++) {
		is_integrated |= filling->energy.curves[i].is_integrated;
	}
	ra_report_add_note(filling->input, "Energy: of the whole GPU while the work ran; +-: the "
	                                   "error from the time between samples");
	if (is_integrated) {
		ra_report_add_note(filling->input,
		                   "Energy: summed from samples of power; Meter J, Meter W: from "
		                   "the GPU's own meter, where it has one");
	}
	if (filling->energy.is_by_number) {
		ra_report_add_note(filling->input, "Energy: GPUs were matched by NVML's numbers");
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
		ra_energy_work_init(&filling.work, model, &filling.group, input->kernels);
		for (size_t d = 0; d < filling.order.device_count; d++) {
			fill_device(&filling, &filling.order.devices[d]);
		}
		add_notes(&filling);
		ra_energy_work_fini(&filling.work);
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
