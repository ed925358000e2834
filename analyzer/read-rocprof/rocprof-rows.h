/* SPDX-License-Identifier: MIT */
/* Makes rows from rocprofv3's records: dispatches, copies, calls, markers. */
#ifndef RA_ROCPROF_ROWS_H
#define RA_ROCPROF_ROWS_H

#include "analyzer/read-rocprof/rocprof-tables.h"
#include "analyzer/rows/kineto-fill.h"

struct ra_rocprof_record {
	int64_t kind;
	int64_t operation;
	int64_t thread;
	int64_t correlation;
	int64_t start_ns;
	int64_t end_ns;
	int64_t agent; /* handle of the agent */
	int64_t source;
	int64_t target;
	int64_t queue;
	int64_t stream; /* -1: this version of rocprofv3 does not write it */
	int64_t kernel;
	int64_t shared_bytes;
	int64_t block[3];
	int64_t grid[3]; /* number of threads */
	int64_t bytes;
};

struct ra_rocprof_rows {
	struct ra_rocprof_tables *tables; /* borrowed */
	struct ra_kineto_fill fill;
	struct ra_rocprof_record record; /* the current record */
	int64_t pid;
	bool by_queue;  /* streams are numbers of hardware queues */
	uint32_t queue; /* string id of the key "queue" */
};

/* These are called when the object of a record begins, has a value, and ends. @section: key of the
 * list of records. */
void ra_rocprof_rows_begin(struct ra_rocprof_rows *rows);
void ra_rocprof_rows_take(struct ra_rocprof_rows *rows, const struct ra_rocprof_value *value);
void ra_rocprof_rows_end(struct ra_rocprof_rows *rows, const char *section);

#endif
