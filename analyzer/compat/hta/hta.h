/* SPDX-License-Identifier: MIT */
/* A run's traces as HolisticTraceAnalysis reads them: its rows, its times, its filter. */
#ifndef RA_HTA_H
#define RA_HTA_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyzer/base/order/order.h"
#include "analyzer/compat/hta/names.h"
#include "analyzer/rows/kineto.h"
#include "analyzer/report/report.h"

/*
 * Only for --compat=hta: where figures differ from our own, they are HTA's (doc/metrics.md).
 *
 * A row is an event with a time, a duration and a category. Most rows are plain: on the CPU,
 * launching nothing. A plain row is only marked, and read from the trace when needed. Rows with a
 * stream or a correlation, the linked ones, are in an array.
 */
struct ra_hta_row {
	double ts_us; /* since the first event of all ranks */
	double dur_us;
	int64_t stream;  /* -1: of the CPU */
	int64_t corr;    /* -1: none */
	int64_t partner; /* event on the other side of the correlation; 0 or -1: none */
	uint32_t event;  /* of kineto */
	uint8_t kind;    /* enum ra_hta_kind, for rows with a stream */
	bool is_gpu;     /* HTA's filter takes it as GPU work; this includes waits */
	uint8_t copies;  /* how often it occurs: 0: the filter dropped it; a join may repeat it */
};

/* In a rank's list by event, in place of an index of a linked row. */
#define RA_HTA_PLAIN (RA_NONE - 1) /* a plain row; RA_NONE: no row */

/* The classes that HTA assigns to a category, as bits. */
enum ra_hta_category {
	RA_HTA_CATEGORY_TRACE = 1, /* its events are not rows */
	RA_HTA_CATEGORY_WORK = 2,  /* kernels, copies and sets */
	RA_HTA_CATEGORY_OP = 4,    /* cpu_op */
};

/* Results shared by several reports, made when the first one asks for them. */
struct ra_hta_shared;

struct ra_hta_rank {
	const struct ra_kineto *kineto;
	int64_t rank;
	bool is_float;       /* HTA rounds all times */
	double start_us;     /* smallest raw time */
	double zero_us;      /* time 0 of all ranks */
	uint8_t *categories; /* owned: by category of kineto, enum ra_hta_category or'ed */
	uint16_t *classes;   /* owned: by string id, enum ra_hta_class; 0: not classified yet */
	uint32_t *link_of;   /* owned: by event: index into linked, RA_HTA_PLAIN, RA_NONE */
	struct ra_hta_row *linked; /* owned; by event, including rows that the filter dropped */
	size_t linked_count;
	size_t linked_capacity;
	/* Owned indices into linked; a row that occurs several times is repeated. "HTA's order" is
	 * by event; with a filter GPU work comes first. */
	size_t count; /* of all rows */
	size_t plain_count;
	bool is_gpu_first; /* HTA's order is that after filtering */
	uint32_t *ordered; /* in HTA's order */
	size_t ordered_count;
	uint32_t *gpu; /* those with a stream, in HTA's order */
	size_t gpu_count;
	uint32_t *by_corr; /* those with a correlation, by it, then in HTA's order */
	size_t by_corr_count;
	uint32_t *first_of; /* by index into linked: place in by_corr of the first row with its
	                       correlation */
	uint32_t *steps;    /* owned: events of the profiler's steps, in HTA's order */
	size_t step_count;
	size_t step_capacity;
	struct ra_hta_shared *shared; /* owned by hta/shared.c; NULL: not made yet */
};

struct ra_hta {
	struct ra_hta_rank *ranks; /* owned */
	size_t count;
};

/* Reads all files of the input. A file that is not a trace in JSON has no rows. */
void ra_hta_init(struct ra_hta *hta, const struct ra_report_input *input);
void ra_hta_fini(struct ra_hta *hta);

/* Makes input->hta if it does not exist. */
void ra_hta_need(struct ra_report_input *input);

static inline struct rlog_string ra_hta_name(const struct ra_hta_rank *rank, uint32_t event)
{
	return ra_kineto_string(rank->kineto, rank->kineto->name[event]);
}

/* enum ra_hta_class, or'ed; set for all rows. */
static inline unsigned ra_hta_class(const struct ra_hta_rank *rank, uint32_t event)
{
	return rank->classes[rank->kineto->name[event]];
}

/* enum ra_hta_category or'ed. */
static inline unsigned ra_hta_category(const struct ra_hta_rank *rank, uint32_t event)
{
	return rank->categories[ra_kineto_get_category(rank->kineto, event)];
}

/* A row's start before times are aligned. */
static inline double ra_hta_raw_ts(const struct ra_hta_rank *rank, uint32_t event)
{
	const double ts_us = ra_kineto_us(ra_kineto_ts(rank->kineto, event));

	return rank->is_float ? ceil(ts_us) : ts_us;
}

static inline double ra_hta_ts(const struct ra_hta_rank *rank, uint32_t event)
{
	return ra_hta_raw_ts(rank, event) - rank->zero_us;
}

/* HTA rounds ends down and starts up, so this can be negative. */
static inline double ra_hta_dur(const struct ra_hta_rank *rank, uint32_t event)
{
	const double ts_us = ra_kineto_us(ra_kineto_ts(rank->kineto, event));
	const double dur_us = ra_kineto_us(ra_kineto_dur(rank->kineto, event));

	return rank->is_float ? floor(ts_us + dur_us) - ceil(ts_us) : dur_us;
}

/* For ra_run_sort_indices() of indices into rows: compares starts. */
static inline int ra_hta_compare_starts(const void *rows, uint32_t left, uint32_t right)
{
	const struct ra_hta_row *of = rows;

	return RA_ORDER(of[left].ts_us, of[right].ts_us);
}

/* Returns how often an event occurs among the rows. */
static inline unsigned ra_hta_copies(const struct ra_hta_rank *rank, uint32_t event)
{
	const uint32_t link = rank->link_of[event];

	return link == RA_NONE ? 0 : link == RA_HTA_PLAIN ? 1 : rank->linked[link].copies;
}

/* All fields of an event's row. */
struct ra_hta_row ra_hta_read(const struct ra_hta_rank *rank, uint32_t event);

/* Finds the start of the row on the other side of a linked row's correlation. Return: false if
 * there is none. */
bool ra_hta_find_partner_ts(const struct ra_hta_rank *rank, const struct ra_hta_row *row,
                            double *ts_us);

#endif
