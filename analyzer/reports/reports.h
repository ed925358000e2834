/* SPDX-License-Identifier: MIT */
/* The reports of our own, one a line. commands/stats/report-list.c has their order. */
#ifndef RA_REPORTS_H
#define RA_REPORTS_H

#include "analyzer/report/report.h"

extern const struct ra_report ra_report_ranges;
extern const struct ra_report ra_report_threads;
extern const struct ra_report ra_report_domains;
extern const struct ra_report ra_report_devices;
extern const struct ra_report ra_report_energy;
extern const struct ra_report ra_report_kernels;
extern const struct ra_report ra_report_kernel_sections;
extern const struct ra_report ra_report_launch;
extern const struct ra_report ra_report_launches;
extern const struct ra_report ra_report_gaps;
extern const struct ra_report ra_report_idle;
extern const struct ra_report ra_report_idle_streams;
extern const struct ra_report ra_report_gpu_sync;
extern const struct ra_report ra_report_graphs;
extern const struct ra_report ra_report_memcpy;
extern const struct ra_report ra_report_memory;
extern const struct ra_report ra_report_memory_holders;
extern const struct ra_report ra_report_op_memory;
extern const struct ra_report ra_report_memory_peak;
extern const struct ra_report ra_report_memory_curve;
extern const struct ra_report ra_report_overhead;
extern const struct ra_report ra_report_api;
extern const struct ra_report ra_report_projection;
extern const struct ra_report ra_report_projection_devices;
extern const struct ra_report ra_report_range_projection;
extern const struct ra_report ra_report_range_projection_sum;
extern const struct ra_report ra_report_range_kernels;
extern const struct ra_report ra_report_launch_calls;
extern const struct ra_report ra_report_spread;
extern const struct ra_report ra_report_copy_sizes;
extern const struct ra_report ra_report_os_calls;
extern const struct ra_report ra_report_payload;
extern const struct ra_report ra_report_counters;
extern const struct ra_report ra_report_sync;
extern const struct ra_report ra_report_trace;
extern const struct ra_report ra_report_temporal;
extern const struct ra_report ra_report_overlap;
extern const struct ra_report ra_report_types;
extern const struct ra_report ra_report_queue;
extern const struct ra_report ra_report_bandwidth;
extern const struct ra_report ra_report_breakdown;
extern const struct ra_report ra_report_annotations;
extern const struct ra_report ra_report_outliers;
extern const struct ra_report ra_report_idle_gaps;
extern const struct ra_report ra_report_stragglers;
extern const struct ra_report ra_report_sequences;
extern const struct ra_report ra_report_footer;
extern const struct ra_report ra_report_overview;
extern const struct ra_report ra_report_step_average;
extern const struct ra_report ra_report_step_overlap;
extern const struct ra_report ra_report_critical_path;
extern const struct ra_report ra_report_gpu;
extern const struct ra_report ra_report_operators;
extern const struct ra_report ra_report_categories;
extern const struct ra_report ra_report_op_kernels;
extern const struct ra_report ra_report_modules;
extern const struct ra_report ra_report_advice;
extern const struct ra_report ra_report_comm;
extern const struct ra_report ra_report_comm_bandwidth;

struct ra_memory;

/* Says below the table what a peak is of, where a trace tells no totals. */
void ra_memory_note_start(struct ra_report_input *input, const struct ra_memory *memory);

#endif
