/* SPDX-License-Identifier: MIT */
/* The reports of --compat=tb. */
#ifndef RA_REPORT_TB_H
#define RA_REPORT_TB_H

#include "analyzer/report/report.h"
#include "analyzer/compat/tb/tb.h"

/* clang-format off */
#define RA_REPORTS_TB(X) \
	X(ra_report_tb_overview) \
	X(ra_report_tb_average) \
	X(ra_report_tb_steps_overlap) \
	X(ra_report_tb_gpu) \
	X(ra_report_tb_operators) \
	X(ra_report_tb_kernels) \
	X(ra_report_tb_op_kernels) \
	X(ra_report_tb_memory) \
	X(ra_report_tb_memory_peak) \
	X(ra_report_tb_gpu_counters) \
	X(ra_report_tb_facts) \
	X(ra_report_tb_advice) \
	X(ra_report_tb_comm) \
	X(ra_report_tb_comm_steps)

RA_REPORTS_TB(RA_REPORT_DECLARE)
/* clang-format on */

/* Makes input->tb if it does not exist. Return: it; NULL if the input is not a trace in JSON. */
struct ra_tb *ra_report_tb_need(struct ra_report_input *input);

/* Does the same, and makes input->tb->tables. */
struct ra_tb *ra_report_tb_need_tables(struct ra_report_input *input);

#endif
