/* SPDX-License-Identifier: MIT */
/* Lists our own reports, one in each line, in the order of commands/stats/report-list.c, which
 * makes its table from this list. */
#ifndef RA_REPORTS_H
#define RA_REPORTS_H

#include "analyzer/report/report.h"

/* clang-format off */
#define RA_REPORTS(X) \
	X(ra_report_ranges) \
	X(ra_report_threads) \
	X(ra_report_domains) \
	X(ra_report_devices) \
	X(ra_report_energy) \
	X(ra_report_kernels) \
	X(ra_report_kernel_sections) \
	X(ra_report_launch) \
	X(ra_report_launches) \
	X(ra_report_gaps) \
	X(ra_report_idle) \
	X(ra_report_idle_streams) \
	X(ra_report_memcpy) \
	X(ra_report_memory) \
	X(ra_report_memory_holders) \
	X(ra_report_memory_growth) \
	X(ra_report_op_memory) \
	X(ra_report_memory_peak) \
	X(ra_report_memory_curve) \
	X(ra_report_graphs) \
	X(ra_report_api) \
	X(ra_report_projection) \
	X(ra_report_projection_devices) \
	X(ra_report_range_projection) \
	X(ra_report_range_projection_sum) \
	X(ra_report_range_kernels) \
	X(ra_report_launch_calls) \
	X(ra_report_spread) \
	X(ra_report_copy_sizes) \
	X(ra_report_os_calls) \
	X(ra_report_gpu_sync) \
	X(ra_report_overhead) \
	X(ra_report_payload) \
	X(ra_report_counters) \
	X(ra_report_sync) \
	X(ra_report_overview) \
	X(ra_report_step_average) \
	X(ra_report_step_overlap) \
	X(ra_report_critical_path) \
	X(ra_report_gpu) \
	X(ra_report_operators) \
	X(ra_report_categories) \
	X(ra_report_op_kernels) \
	X(ra_report_modules) \
	X(ra_report_advice) \
	X(ra_report_comm) \
	X(ra_report_comm_bandwidth) \
	X(ra_report_trace) \
	X(ra_report_temporal) \
	X(ra_report_overlap) \
	X(ra_report_types) \
	X(ra_report_queue) \
	X(ra_report_bandwidth) \
	X(ra_report_breakdown) \
	X(ra_report_annotations) \
	X(ra_report_outliers) \
	X(ra_report_idle_gaps) \
	X(ra_report_stragglers) \
	X(ra_report_sequences)

RA_REPORTS(RA_REPORT_DECLARE)
/* clang-format on */
extern const struct ra_report ra_report_footer; /* must be the last one */

struct ra_memory;

/* Text that reports on memory show for a trace without memory records. */
extern const char ra_memory_none_trace[];

/* Adds a note on what a peak covers, if a trace has no totals. */
void ra_memory_note_start(struct ra_report_input *input, const struct ra_memory *memory);

#endif
