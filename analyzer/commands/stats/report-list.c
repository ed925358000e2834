/* SPDX-License-Identifier: MIT */
/* The list of all reports. */
#include "analyzer/commands/stats/report-list.h"

#include <string.h>

#include "analyzer/compat/hta/reports.h"
#include "analyzer/compat/tb/report-tb.h"
#include "analyzer/compat/torch/reports.h"
#include "analyzer/reports/reports.h"

/* One a line, so that two additions do not meet. A mode's first one is its usual one. */
/* clang-format off */
static const struct ra_report *const reports[] = {
	&ra_report_ranges,
	&ra_report_threads,
	&ra_report_domains,
	&ra_report_devices,
	&ra_report_energy,
	&ra_report_kernels,
	&ra_report_kernel_sections,
	&ra_report_launch,
	&ra_report_launches,
	&ra_report_gaps,
	&ra_report_idle,
	&ra_report_idle_streams,
	&ra_report_memcpy,
	&ra_report_memory,
	&ra_report_memory_holders,
	&ra_report_op_memory,
	&ra_report_memory_peak,
	&ra_report_memory_curve,
	&ra_report_graphs,
	&ra_report_api,
	&ra_report_projection,
	&ra_report_projection_devices,
	&ra_report_range_projection,
	&ra_report_range_projection_sum,
	&ra_report_range_kernels,
	&ra_report_launch_calls,
	&ra_report_spread,
	&ra_report_copy_sizes,
	&ra_report_os_calls,
	&ra_report_gpu_sync,
	&ra_report_overhead,
	&ra_report_payload,
	&ra_report_counters,
	&ra_report_sync,
	&ra_report_overview,
	&ra_report_step_average,
	&ra_report_step_overlap,
	&ra_report_critical_path,
	&ra_report_gpu,
	&ra_report_operators,
	&ra_report_categories,
	&ra_report_op_kernels,
	&ra_report_modules,
	&ra_report_advice,
	&ra_report_comm,
	&ra_report_comm_bandwidth,
	&ra_report_trace,
	&ra_report_temporal,
	&ra_report_overlap,
	&ra_report_types,
	&ra_report_queue,
	&ra_report_bandwidth,
	&ra_report_breakdown,
	&ra_report_annotations,
	&ra_report_outliers,
	&ra_report_idle_gaps,
	&ra_report_stragglers,
	&ra_report_sequences,
	&ra_report_hta_temporal,
	&ra_report_hta_overlap,
	&ra_report_hta_types,
	&ra_report_hta_breakdown,
	&ra_report_hta_annotations,
	&ra_report_hta_idle,
	&ra_report_hta_gaps,
	&ra_report_hta_queue,
	&ra_report_hta_bandwidth,
	&ra_report_hta_launch,
	&ra_report_hta_outliers,
	&ra_report_hta_stragglers,
	&ra_report_hta_sequences,
	&ra_report_hta_steps,
	&ra_report_hta_critical,
	&ra_report_hta_critical_types,
	&ra_report_hta_critical_graph,
	&ra_report_hta_critical_edges,
	&ra_report_tb_overview,
	&ra_report_tb_average,
	&ra_report_tb_steps_overlap,
	&ra_report_tb_gpu,
	&ra_report_tb_operators,
	&ra_report_tb_kernels,
	&ra_report_tb_op_kernels,
	&ra_report_tb_memory,
	&ra_report_tb_memory_peak,
	&ra_report_tb_gpu_counters,
	&ra_report_tb_facts,
	&ra_report_tb_advice,
	&ra_report_tb_comm,
	&ra_report_tb_comm_steps,
	&ra_report_key_averages,
	&ra_report_key_averages_torch,
	&ra_report_footer, /* last: it is for all modes, and the usual report of none */
	NULL,
};
/* clang-format on */

const struct ra_report *const *ra_report_list_borrow(void)
{
	return reports;
}

/* People and other tools write _ for -. */
static bool is_name(const char *name, const char *word, size_t length)
{
	for (size_t i = 0; i < length; i++) {
		const bool is_dash =
			(name[i] == '-' || name[i] == '_') && (word[i] == '-' || word[i] == '_');

		if (name[i] == '\0' || (name[i] != word[i] && !is_dash)) {
			return false;
		}
	}
	return strlen(name) == length;
}

const struct ra_report *ra_report_list_find(const char *name, size_t length, enum ra_compat compat)
{
	for (size_t i = 0; reports[i] != NULL; i++) {
		if (ra_report_is_for(reports[i], compat) &&
		    is_name(reports[i]->name, name, length)) {
			return reports[i];
		}
	}
	return NULL;
}

const struct ra_report *ra_report_list_find_usual(enum ra_compat compat)
{
	for (size_t i = 0; reports[i] != NULL; i++) {
		if (ra_report_is_for(reports[i], compat)) {
			return reports[i];
		}
	}
	return NULL;
}
