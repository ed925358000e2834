/* SPDX-License-Identifier: MIT */
/* Reads the tables to which records of rocprofv3 refer: agents, kernels, names of operations, texts
 * of markers. */
#ifndef RA_ROCPROF_TABLES_H
#define RA_ROCPROF_TABLES_H

#include "analyzer/base/util-map.h"
#include "analyzer/base/text/util-text.h"
#include "analyzer/rows/kineto-store.h"

/* A value in the current object. Its key is the path inside the object, such as
 * "queue_id/handle". */
struct ra_rocprof_value {
	const char *path;
	bool is_text;
	int64_t number; /* 0 for texts, and for all numbers except integers of up to 18 digits */
	struct rlog_string text;
};

#define RA_ROCPROF_GPU 2 /* type of an agent */

struct ra_rocprof_agent {
	int64_t handle;
	int64_t type;    /* 1 CPU, 2 GPU */
	int64_t number;  /* number among the agents of its type */
	int64_t units;   /* number of compute units */
	int64_t wave;    /* number of threads in a wave */
	int64_t version; /* version of the architecture: 90500 for gfx950 */
	int64_t lds_kb;
	int64_t group; /* most threads in a workgroup */
	int64_t clock_mhz;
	int64_t memory_bytes;
	uint32_t name; /* string ids of both names */
	uint32_t product;
};

struct ra_rocprof_kernel {
	int64_t id;
	int64_t registers; /* vector registers per thread */
	uint32_t name;     /* string id */
};

struct ra_rocprof_tables {
	struct ra_kineto_store *store;   /* borrowed: stores the texts */
	struct ra_rocprof_agent *agents; /* owned, like all members below */
	size_t agent_count;
	size_t agent_capacity;
	struct ra_rocprof_agent agent;   /* the agent that is being read */
	struct ra_rocprof_kernel kernel; /* the kernel that is being read */
	struct ra_util_map kernel_names; /* id → string id */
	struct ra_util_map kernel_registers;
	struct ra_util_map operations; /* kind << 32 | operation → string id of its name */
	/* the kind that is being read; kinds are numbered from 1 in the file's order */
	uint32_t kind;
	uint32_t operation;
	struct ra_util_map markers;  /* correlation → string id of the marker's text */
	int64_t marker;              /* correlation of the marker that is being read */
	struct ra_util_text devices; /* deviceProperties: a JSON list without its closing bracket */
};

void ra_rocprof_tables_fini(struct ra_rocprof_tables *tables);

/* These are called when an object that is no record begins, has a value, and ends. @section: path
 * of the object inside the tool's part. */
void ra_rocprof_tables_begin(struct ra_rocprof_tables *tables, const char *section);
void ra_rocprof_tables_take(struct ra_rocprof_tables *tables, const char *section,
                            const struct ra_rocprof_value *value);
void ra_rocprof_tables_end(struct ra_rocprof_tables *tables, const char *section);

/* Finds an agent by its handle; NULL: there is none. */
const struct ra_rocprof_agent *ra_rocprof_tables_agent(const struct ra_rocprof_tables *tables,
                                                       int64_t handle);

/* The string id of an operation's name, by the kind and operation that records have; 0: none. */
uint32_t ra_rocprof_tables_operation(const struct ra_rocprof_tables *tables, int64_t kind,
                                     int64_t operation);

#endif
