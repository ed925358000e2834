/* SPDX-License-Identifier: MIT */
/* Adds to a summary's part the energy of GPUs and the values of NVML's counters. */
#include "analyzer/summary-file/build/sum-build-energy.h"

#include <math.h>

#include "analyzer/base/util.h"
#include "analyzer/figures/gpu/energy-work.h"
#include "analyzer/figures/gpu/gpu-gauges.h"
#include "analyzer/report/report.h"

#define MICRO 1e6
#define MILLI 1e3

static int64_t whole(double value)
{
	return value < 0x1p62 ? llround(value) : INT64_C(1) << 62;
}

/* Sets the energy in the row that was added last. */
static void put(struct ra_sum_row *row, const struct ra_energy_sum *sum, int64_t at_ns)
{
	const int64_t microjoules = whole(sum->joules * MICRO);

	row->total_ns = ra_util_add_time(row->total_ns, microjoules);
	row->self_ns = ra_util_add_time(row->self_ns, whole(sum->error * MICRO));
	row->gpu_total_ns = ra_util_add_time(row->gpu_total_ns, sum->known_ns);
	ra_sum_stat_add(&row->stat, microjoules, at_ns);
}

static uint32_t keep_text(struct ra_sum_build_energy *job, struct rlog_string text)
{
	const size_t count = job->texts->count;
	uint32_t index;

	ra_sum_texts_find(job->texts, text, &index);
	if (index == count) {
		index = ra_sum_keep(job->part, text);
		job->texts->rows[index] = job->part->texts[index];
	}
	return index;
}

static struct ra_sum_row *add_row(struct ra_sum_build_energy *job, enum ra_sum_energy kind,
                                  uint32_t device, struct rlog_string name)
{
	struct ra_sum_row *row;
	const uint32_t text = keep_text(job, name);

	row = ra_sum_add_row(job->part);
	row->table = RA_SUM_ENERGY;
	row->kind = kind;
	row->device = device;
	row->name = text;
	return row;
}

static void add_work(struct ra_sum_build_energy *job, const struct ra_energy_work *work,
                     const struct ra_energy_curve *curve)
{
	for (size_t i = 0; i < work->ranges.count; i++) {
		const struct ra_energy_row *from = &work->ranges.rows[i];
		const struct ra_group_key *key = &work->group->keys[from->key];
		const uint32_t domain =
			keep_text(job, ra_report_name_domain(job->model, key->domain));
		struct ra_sum_row *row = add_row(job, RA_SUM_ENERGY_RANGE, curve->device,
		                                 ra_labels_name(job->labels, key->name));

		row->domain = domain;
		put(row, &from->energy, 0);
	}
	for (size_t i = 0; i < work->kernels.count; i++) {
		const struct ra_energy_row *from = &work->kernels.rows[i];

		put(add_row(job, RA_SUM_ENERGY_KERNEL, curve->device,
		            ra_labels_name(job->kernels, from->key)),
		    &from->energy, 0);
	}
}

static void add_times(struct ra_sum_build_energy *job, const struct ra_energy_curve *curve)
{
	const struct ra_sum_part *part = job->part;
	struct ra_energy_sum all = { 0 };
	struct ra_sum_row *row;

	if (!job->is_of_steps) {
		ra_energy_add(curve, &all, curve->time_ns[0], curve->time_ns[curve->count - 1]);
		ra_energy_finish(curve, &all);
		put(add_row(job, RA_SUM_ENERGY_GPU, curve->device, ra_util_string("")), &all, 0);
	}
	if (part->step_count == 0 || part->is_whole) {
		return;
	}
	row = add_row(job, RA_SUM_ENERGY_STEP, curve->device, ra_util_string(""));
	for (size_t i = 0; i < part->step_count; i++) {
		const struct ra_sum_step *step = &part->steps[i];
		struct ra_energy_sum sum = { 0 };

		ra_energy_add(curve, &sum, step->start_ns,
		              step->start_ns + step->role_ns[RA_ROLE_TOTAL]);
		ra_energy_finish(curve, &sum);
		put(row, &sum, step->start_ns);
	}
}

/* Adds the single values of the counters, in thousandths. */
static void add_gauges(struct ra_sum_build_energy *job)
{
	const struct ra_model *model = job->time;
	struct ra_gpu_gauges gauges;

	ra_gpu_gauges_init(&gauges, model);
	for (size_t i = 0; i < gauges.count; i++) {
		const struct ra_gpu_gauge *gauge = &gauges.rows[i];
		struct ra_sum_row *row;
		double value;

		if (gauge->device == RA_NONE || gauge->kind == RLOG_GPU_ENERGY) {
			continue;
		}
		row = ra_sum_add_row(job->part);
		row->table = RA_SUM_GAUGES;
		row->kind = gauge->kind;
		row->device = gauge->device;
		for (size_t s = gauge->first; s < gauge->end; s++) {
			if (ra_gpu_gauges_value(&model->samples[s], &value) && value >= 0) {
				ra_sum_stat_add(&row->stat, whole(value * MILLI),
				                model->samples[s].time_ns);
			}
		}
	}
	ra_gpu_gauges_fini(&gauges);
}

void ra_sum_build_energy(struct ra_sum_build_energy *job)
{
	struct ra_energy energy;
	struct ra_energy_work work;
	struct ra_gpu_order order;
	struct ra_group group = { 0 };

	ra_energy_init(&energy, job->whole);
	if (energy.count > 0) {
		ra_gpu_order_init(&order, job->model);
		ra_group_init(&group, job->model, RA_GROUP_BY_NAME, job->labels);
		ra_energy_work_init(&work, job->model, &group, job->kernels);
		for (size_t i = 0; i < energy.count; i++) {
			ra_energy_work_sum(&work, &energy.curves[i], &order);
			add_work(job, &work, &energy.curves[i]);
			add_times(job, &energy.curves[i]);
		}
		ra_energy_work_fini(&work);
		ra_group_fini(&group);
		ra_gpu_order_fini(&order);
	}
	ra_energy_fini(&energy);
	add_gauges(job);
}
