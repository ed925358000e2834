/* SPDX-License-Identifier: MIT */
/* --compat=tb: reads the events of a trace as the TensorBoard plugin does. */
#ifndef RA_TB_EVENTS_H
#define RA_TB_EVENTS_H

#include <stdbool.h>

#include "analyzer/base/text/util-string.h"
#include "analyzer/rows/kineto.h"

/* The type of an event, mainly by its category's name in lower case. The plugin skips all other
 * categories: cuda_driver, cuda_sync, overhead … */
enum ra_tb_type {
	RA_TB_NONE,
	RA_TB_TRACE,
	RA_TB_OPERATOR,
	RA_TB_STEP, /* an operator or annotation named ProfilerStep#N, including the GPU side */
	RA_TB_RUNTIME,
	RA_TB_KERNEL,
	RA_TB_MEMCPY,
	RA_TB_MEMSET,
	RA_TB_PYTHON,
	RA_TB_PYTHON_FUNCTION,
	RA_TB_MODULE, /* a Python function with an arg "Python module id" */
	RA_TB_ANNOTATION,
	RA_TB_MEMORY, /* an instant named [memory] */
};

/* An event. Times are in µs, as doubles of Python. */
struct ra_tb_event {
	double ts;
	double dur;
	double end;   /* ts + dur */
	uint32_t row; /* row in struct ra_kineto */
	uint8_t type; /* enum ra_tb_type */
};

/* The facts about a name, as bits. */
enum ra_tb_trait {
	RA_TB_TRAIT_KNOWN = 1 << 0, /* the name was classified */
	RA_TB_TRAIT_STEP = 1 << 1,  /* ProfilerStep#N */
	RA_TB_TRAIT_LOADER = 1 << 2,
	RA_TB_TRAIT_NCCL = 1 << 3, /* a collective of NCCL */
	RA_TB_TRAIT_GLOO = 1 << 4,
	RA_TB_TRAIT_OPTIMIZER = 1 << 5, /* Optimizer.… */
	RA_TB_TRAIT_OPTIMIZER_STEP = 1 << 6,
	RA_TB_TRAIT_DP = 1 << 7,
	RA_TB_TRAIT_DDP = 1 << 8,
	RA_TB_TRAIT_TENSOR_KERNEL = 1 << 9,    /* if it is a kernel's name: the kernel uses tensor
	                                          cores */
	RA_TB_TRAIT_TENSOR_OPERATOR = 1 << 10, /* if it is an operator's name: the operator could
	                                          use them */
	RA_TB_TRAIT_FUNCTION = 1 << 11,        /* a function of autograd, in the backward pass */

	RA_TB_TRAIT_COMM = RA_TB_TRAIT_NCCL | RA_TB_TRAIT_GLOO,
};

struct ra_tb_events {
	const struct ra_kineto *kineto;
	uint32_t *rows; /* owned; rows in struct ra_kineto, ordered by ts, then row */
	uint8_t *types; /* owned; for each of rows: enum ra_tb_type */
	size_t count;
	size_t type_count[RA_TB_MEMORY + 1];
	uint16_t *traits; /* owned; for each string id: enum ra_tb_trait or'ed; 0: not looked at */
};

/* Returns an event. It is made on each call, because a table of all events would be as large as the
 * trace. */
static inline struct ra_tb_event ra_tb_events_get(const struct ra_tb_events *events, size_t i)
{
	const struct ra_kineto *kineto = events->kineto;
	const uint32_t row = events->rows[i];
	const double ts = ra_kineto_us(ra_kineto_ts(kineto, row));
	const double dur =
		events->types[i] == RA_TB_MEMORY ? 0 : ra_kineto_us(ra_kineto_dur(kineto, row));

	return (struct ra_tb_event){ ts, dur, ts + dur, row, events->types[i] };
}

void ra_tb_events_init(struct ra_tb_events *events, const struct ra_kineto *kineto);
void ra_tb_events_fini(struct ra_tb_events *events);

/* Classifies a new name. Return: as ra_tb_events_traits(). */
unsigned ra_tb_events_find_traits(const struct ra_tb_events *events, uint32_t name);

/* Returns the bits of enum ra_tb_trait for a name. They are kept by string id, because there are
 * few names and many events. */
static inline unsigned ra_tb_events_traits(const struct ra_tb_events *events, uint32_t name)
{
	const unsigned known = events->traits[name];

	return known != 0 ? known : ra_tb_events_find_traits(events, name);
}

#endif
