/* SPDX-License-Identifier: MIT */
/* Reads a run's traces as HolisticTraceAnalysis does: its rows, its times, its filter. */
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
 * A row of HTA's table. Used only for --compat=hta: if HTA's figures differ from our own, these are
 * HTA's (doc/metrics.md).
 *
 * A row is an event with a time, a duration and a category. Most rows are plain: they are on the
 * CPU and launch nothing. A plain row is only marked, and read from the trace when needed. Linked
 * rows, which have a stream or a correlation, are in an array.
 */
struct ra_hta_row {
	double ts_us; /* from the first event of all ranks on */
	double dur_us;
	int64_t stream;  /* -1: the row is on the CPU */
	int64_t corr;    /* -1: the row has none */
	int64_t partner; /* event on the other side of the correlation; 0 or -1: none */
	uint32_t event;  /* index of the event in kineto */
	uint8_t kind;    /* enum ra_hta_kind, for rows with a stream */
	bool is_gpu;     /* HTA's filter takes it as GPU work; this includes waits */
	uint8_t copies;  /* how often the row occurs. 0: the filter dropped it; a join may repeat
	                    it */
};

/* Values in link_of that are no index of a linked row. */
#define RA_HTA_PLAIN (RA_NONE - 1) /* a plain row; RA_NONE: no row */

/* The classes to which HTA assigns a category, as bits. */
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
	bool is_float;       /* HTA rounds all times to whole µs */
	double start_us;     /* smallest raw time */
	double zero_us;      /* the time that becomes 0 for all ranks */
	uint8_t *categories; /* owned: for each category of kineto, enum ra_hta_category or'ed */
	uint16_t *classes;   /* owned: for each string id, enum ra_hta_class or'ed; 0: not
	                        classified yet */
	uint32_t *link_of;   /* owned: for each event, its index in linked, RA_HTA_PLAIN or
	                        RA_NONE */
	struct ra_hta_row *linked; /* owned; ordered by event, including rows that the filter
	                              dropped */
	size_t linked_count;
	size_t linked_capacity;
	/* Owned arrays of indices into linked. A row that occurs several times is repeated. "HTA's
	 * order" is by event; after filtering, GPU work comes first. */
	size_t count; /* number of all rows */
	size_t plain_count;
	bool is_gpu_first; /* HTA's order is that after filtering */
	uint32_t *ordered; /* all linked rows, in HTA's order */
	size_t ordered_count;
	uint32_t *gpu; /* the rows with a stream, in HTA's order */
	size_t gpu_count;
	uint32_t *by_corr; /* the rows with a correlation, ordered by it, then in HTA's order */
	size_t by_corr_count;
	uint32_t *first_of; /* for each row of linked: index in by_corr of the first row with the
	                       same correlation */
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

/* Returns enum ra_hta_class, or'ed, of an event's name. It is set for all rows. */
static inline unsigned ra_hta_class(const struct ra_hta_rank *rank, uint32_t event)
{
	return rank->classes[rank->kineto->name[event]];
}

/* Returns enum ra_hta_category, or'ed, of an event's category. */
static inline unsigned ra_hta_category(const struct ra_hta_rank *rank, uint32_t event)
{
	return rank->categories[ra_kineto_get_category(rank->kineto, event)];
}

/* Returns a row's start, before times are aligned. */
static inline double ra_hta_raw_ts(const struct ra_hta_rank *rank, uint32_t event)
{
	const double ts_us = ra_kineto_us(ra_kineto_ts(rank->kineto, event));

	return rank->is_float ? ceil(ts_us) : ts_us;
}

static inline double ra_hta_ts(const struct ra_hta_rank *rank, uint32_t event)
{
	return ra_hta_raw_ts(rank, event) - rank->zero_us;
}

/* Returns a row's duration. HTA rounds ends down and starts up, so it can be negative. */
static inline double ra_hta_dur(const struct ra_hta_rank *rank, uint32_t event)
{
	const double ts_us = ra_kineto_us(ra_kineto_ts(rank->kineto, event));
	const double dur_us = ra_kineto_us(ra_kineto_dur(rank->kineto, event));

	return rank->is_float ? floor(ts_us + dur_us) - ceil(ts_us) : dur_us;
}

/* Compares the starts of rows, for ra_run_sort_indices() of indices into rows. */
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

/* Returns all fields of an event's row. */
struct ra_hta_row ra_hta_read(const struct ra_hta_rank *rank, uint32_t event);

/* Finds the start of the row on the other side of a linked row's correlation. Return: false if
 * there is none. */
bool ra_hta_find_partner_ts(const struct ra_hta_rank *rank, const struct ra_hta_row *row,
                            double *ts_us);

#endif
