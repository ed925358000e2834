/* SPDX-License-Identifier: MIT */
/* What records of rocprofv3 refer to: agents, kernels, names of operations, texts of markers. */
#ifndef RA_ROCPROF_TABLES_H
#define RA_ROCPROF_TABLES_H

#include "analyzer/base/util-map.h"
#include "analyzer/base/text/util-text.h"
#include "analyzer/rows/kineto-store.h"

/* A value of an object at hand; its key is the path from there, "queue_id/handle". */
struct ra_rocprof_value {
	const char *path;
	bool is_text;
	int64_t number; /* 0 of texts and of what is no integer of 18 digits */
	struct rlog_string text;
};

#define RA_ROCPROF_GPU 2 /* agents' type */

struct ra_rocprof_agent {
	int64_t handle;
	int64_t type;    /* 1 CPU, 2 GPU */
	int64_t number;  /* among those of its type */
	int64_t units;   /* compute units */
	int64_t wave;    /* threads of a wave */
	int64_t version; /* 90500: gfx950 */
	int64_t lds_kb;
	int64_t group; /* threads that a workgroup has at most */
	int64_t clock_mhz;
	int64_t memory_bytes;
	uint32_t name; /* string ids */
	uint32_t product;
};

struct ra_rocprof_kernel {
	int64_t id;
	int64_t registers; /* vector registers of a thread */
	uint32_t name;     /* string id */
};

struct ra_rocprof_tables {
	struct ra_kineto_store *store;   /* borrowed */
	struct ra_rocprof_agent *agents; /* owned, as all here */
	size_t agent_count;
	size_t agent_capacity;
	struct ra_rocprof_agent agent;   /* at hand */
	struct ra_rocprof_kernel kernel; /* likewise */
	struct ra_util_map kernel_names; /* id → string id */
	struct ra_util_map kernel_registers;
	struct ra_util_map operations; /* kind << 32 | operation → string id */
	uint32_t kind;                 /* of operations, counted as the file has them, from 1 */
	uint32_t operation;
	struct ra_util_map markers;  /* correlation → string id of its text */
	int64_t marker;              /* at hand */
	struct ra_util_text devices; /* deviceProperties: a list of JSON without its end */
};

void ra_rocprof_tables_fini(struct ra_rocprof_tables *tables);

/* What is beside the records; `section` is where the object stands in the tool's part. */
void ra_rocprof_tables_begin(struct ra_rocprof_tables *tables, const char *section);
void ra_rocprof_tables_take(struct ra_rocprof_tables *tables, const char *section,
                            const struct ra_rocprof_value *value);
void ra_rocprof_tables_end(struct ra_rocprof_tables *tables, const char *section);

/* NULL: no agent has the handle. */
const struct ra_rocprof_agent *ra_rocprof_tables_agent(const struct ra_rocprof_tables *tables,
                                                       int64_t handle);

/* Name of an operation of a kind, both as records have them; 0: none. */
uint32_t ra_rocprof_tables_operation(const struct ra_rocprof_tables *tables, int64_t kind,
                                     int64_t operation);

#endif
