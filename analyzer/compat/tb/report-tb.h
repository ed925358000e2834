/* SPDX-License-Identifier: MIT */
/* The reports of --compat=tb. */
#ifndef RA_REPORT_TB_H
#define RA_REPORT_TB_H

#include "analyzer/report/report.h"
#include "analyzer/compat/tb/tb.h"

extern const struct ra_report ra_report_tb_overview;
extern const struct ra_report ra_report_tb_average;
extern const struct ra_report ra_report_tb_steps_overlap;
extern const struct ra_report ra_report_tb_gpu;
extern const struct ra_report ra_report_tb_operators;
extern const struct ra_report ra_report_tb_kernels;
extern const struct ra_report ra_report_tb_op_kernels;
extern const struct ra_report ra_report_tb_memory;
extern const struct ra_report ra_report_tb_memory_peak;
extern const struct ra_report ra_report_tb_gpu_counters;
extern const struct ra_report ra_report_tb_facts;
extern const struct ra_report ra_report_tb_advice;
extern const struct ra_report ra_report_tb_comm;
extern const struct ra_report ra_report_tb_comm_steps;

/* Makes input->tb if it does not exist. Return: it; NULL if the input is not a trace in JSON. */
struct ra_tb *ra_report_tb_need(struct ra_report_input *input);

/* The same with input->tb->tables. */
struct ra_tb *ra_report_tb_need_tables(struct ra_report_input *input);

#endif
