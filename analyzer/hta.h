/* SPDX-License-Identifier: MIT */
/* A run's traces as HolisticTraceAnalysis sees them: its rows, its times, its filter. */
#ifndef RA_HTA_H
#define RA_HTA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyzer/kineto.h"
#include "analyzer/report.h"

/* Only for --compat=hta: what differs from our own figures is HTA's (doc/metrics.md). */

/* Kinds of kernels, by name; bits as HTA's sweeps add them. */
enum ra_hta_kind {
	RA_HTA_OTHER = 0,
	RA_HTA_COMPUTATION = 1,
	RA_HTA_COMMUNICATION = 2,
	RA_HTA_MEMORY = 4,
};

/* An event with a duration and a category. */
struct ra_hta_row {
	double ts_us; /* since the first event of all ranks */
	double dur_us;
	int64_t stream;  /* -1: of the CPU */
	int64_t corr;    /* -1: none */
	int64_t partner; /* event at the other side of the correlation; 0 or -1: none */
	uint32_t event;  /* of kineto */
	uint8_t kind;    /* enum ra_hta_kind, of rows with a stream */
	bool is_gpu;     /* HTA's filter takes it for GPU work: waits count as well */
};

struct ra_hta_rank {
	const struct ra_kineto *kineto;
	int64_t rank;
	struct ra_hta_row *rows; /* owned */
	size_t count;
	size_t capacity;
	double start_us;  /* smallest raw time */
	uint32_t *row_of; /* owned: by event; RA_NONE: not there */
};

struct ra_hta {
	struct ra_hta_rank *ranks; /* owned */
	size_t count;
};

/*
 * Reads all files of the input; a file that is no trace in JSON has no rows.
 *
 * Return: 0, -RLOG_E_NO_MEMORY; fini in any case.
 */
int ra_hta_init(struct ra_hta *hta, const struct ra_report_input *input);
void ra_hta_fini(struct ra_hta *hta);

/* The kind of a kernel by its name. */
enum ra_hta_kind ra_hta_find_kind(struct rlog_string name);

/* "COMPUTATION"; "COMPUTATION overlapping MEMORY" for several bits. */
const char *ra_hta_kind_name(unsigned kinds);

/* True if the row's name is one of these; the list ends with NULL. */
bool ra_hta_is_named(const struct ra_hta_rank *rank, const struct ra_hta_row *row,
                     const char *const *names);

static inline struct rlog_string ra_hta_name(const struct ra_hta_rank *rank,
                                             const struct ra_hta_row *row)
{
	return ra_kineto_string(rank->kineto, rank->kineto->name[row->event]);
}

/* The row's place in the order of events, or NULL if `event` is no row. */
static inline const struct ra_hta_row *ra_hta_find(const struct ra_hta_rank *rank, int64_t event)
{
	if (event < 0 || (uint64_t) event >= rank->kineto->count ||
	    rank->row_of[event] == RA_NONE) {
		return NULL;
	}
	return &rank->rows[rank->row_of[event]];
}

/* True if it is a step of the profiler: ProfilerStep#5. @number: may be NULL. */
bool ra_hta_is_step(struct rlog_string name, int64_t *number);

#endif
