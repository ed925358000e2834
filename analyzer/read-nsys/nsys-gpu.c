/* SPDX-License-Identifier: MIT */
/* Reads an export of nsys: operations on GPUs. */
#include <string.h>

#include "analyzer/base/util.h"
#include "analyzer/read-nsys/nsys.h"

#define COPY_PEER 10

/* The first columns, which all tables of operations have. A table's other columns come after
 * them. */
#define COMMON_COLUMNS                                                                     \
	"start", "end", "deviceId", "contextId", "streamId", "correlationId", "globalPid", \
		"graphNodeId"

enum common {
	DEVICE = 2,
	CONTEXT,
	STREAM,
	CORR,
	PID,
	NODE,
	FIRST_OWN
};

struct table {
	const char *name;
	enum ra_gpu_kind kind;
	const char *const *columns;
	void (*fill)(struct ra_nsys *nsys, const struct ra_nsys_rows *rows, struct ra_gpu_op *op);
};

static void fill_kernel(struct ra_nsys *nsys, const struct ra_nsys_rows *rows, struct ra_gpu_op *op)
{
	struct ra_gpu_shape shape;
	int column = FIRST_OWN + 4;

	op->graph = ra_nsys_rows_u32(rows, FIRST_OWN + 2, 0);
	op->name = ra_nsys_names_of_id(nsys, rows, FIRST_OWN);
	if (op->name == 0) {
		op->name = ra_nsys_names_of_id(nsys, rows, FIRST_OWN + 1);
	}
	if (ra_nsys_rows_u32(rows, column, 0) == 0) {
		return; /* a grid is never empty, so 0 means that it is unknown */
	}
	memset(&shape, 0, sizeof(shape)); /* sets the padding, too, which is hashed */
	shape.is_optin = ra_nsys_rows_u32(rows, FIRST_OWN + 3, 0) == 1;
	for (int i = 0; i < 3; i++) {
		shape.grid[i] = ra_nsys_rows_u32(rows, column + i, 1);
		shape.block[i] = ra_nsys_rows_u32(rows, column + 3 + i, 1);
		shape.cluster[i] = ra_nsys_rows_u32(rows, column + 6 + i, 0);
	}
	column += 9;
	shape.registers = ra_nsys_rows_u32(rows, column, 0);
	shape.static_shared_bytes = ra_nsys_rows_u32(rows, column + 1, 0);
	shape.dynamic_shared_bytes = ra_nsys_rows_u32(rows, column + 2, 0);
	shape.local_bytes = ra_nsys_rows_u32(rows, column + 3, 0);
	op->shape = ra_gpu_build_shape(&nsys->gpu, &nsys->model->gpu, &shape);
}

/* Reads a kind of memory: converts nsys' number to CUPTI's. */
static uint8_t read_memory(const struct ra_nsys_rows *rows, int column)
{
	const uint32_t kind = ra_nsys_rows_u32(rows, column, 7);

	return kind < 7 ? (uint8_t) (kind + 1) : 0;
}

static void fill_copy(struct ra_nsys *nsys, const struct ra_nsys_rows *rows, struct ra_gpu_op *op)
{
	const uint32_t kind = ra_nsys_rows_u32(rows, FIRST_OWN + 1, 0);

	(void) nsys;
	op->bytes = (uint64_t) ra_nsys_rows_int(rows, FIRST_OWN, 0);
	op->copy_kind = kind <= UINT8_MAX ? (uint8_t) kind : 0;
	op->src_memory = read_memory(rows, FIRST_OWN + 2);
	op->dst_memory = read_memory(rows, FIRST_OWN + 3);
	if (op->copy_kind == COPY_PEER) { /* only here device numbers matter */
		op->peer = ra_nsys_rows_u32(rows, FIRST_OWN + 4, 0);
		op->src_memory = (uint8_t) ra_nsys_rows_u32(rows, FIRST_OWN + 5, 0);
	}
}

static void fill_set(struct ra_nsys *nsys, const struct ra_nsys_rows *rows, struct ra_gpu_op *op)
{
	(void) nsys;
	op->bytes = (uint64_t) ra_nsys_rows_int(rows, FIRST_OWN, 0);
	op->dst_memory = read_memory(rows, FIRST_OWN + 1);
}

static void fill_graph(struct ra_nsys *nsys, const struct ra_nsys_rows *rows, struct ra_gpu_op *op)
{
	(void) nsys;
	op->graph = ra_nsys_rows_u32(rows, FIRST_OWN, 0);
}

static void add_op(struct ra_nsys *nsys, const struct ra_nsys_rows *rows, const struct table *table)
{
	struct ra_gpu *gpu = &nsys->model->gpu;
	struct ra_gpu_op op = {
		.kind = (uint8_t) table->kind, .api = RA_NONE, .slice = RA_NONE, .shape = RA_NONE
	};
	const uint64_t pid = (uint64_t) ra_nsys_rows_int(rows, PID, 0);
	const uint32_t process = ra_nsys_threads_find_process(nsys, pid);
	const uint32_t ordinal = ra_nsys_rows_u32(rows, DEVICE, 0);
	const struct ra_gpu_queue queue = { .device = ra_nsys_devices_find(nsys, pid, ordinal),
		                            .context = ra_nsys_rows_u32(rows, CONTEXT, 0),
		                            .stream = ra_nsys_rows_u32(rows, STREAM, 0),
		                            .process = process };
	int64_t end_ns;

	if (!ra_nsys_times(nsys, rows, &op.start_ns, &op.dur_ns)) {
		return;
	}
	op.corr = ra_nsys_threads_corr(nsys, process, ra_nsys_rows_u32(rows, CORR, 0));
	op.node = (uint64_t) ra_nsys_rows_int(rows, NODE, 0);
	table->fill(nsys, rows, &op);
	op.queue = ra_gpu_build_queue(&nsys->gpu, gpu, &queue);
	RA_UTIL_APPEND(gpu->ops, gpu->op_count, nsys->op_capacity, op);
	end_ns = op.start_ns + op.dur_ns;
	nsys->model->end_ns = end_ns > nsys->model->end_ns ? end_ns : nsys->model->end_ns;
}

void ra_nsys_gpu_read(struct ra_nsys *nsys)
{
	static const char *const kernel[] = { COMMON_COLUMNS,
		                              "demangledName",
		                              "shortName",
		                              "graphId",
		                              "sharedMemoryLimitConfig",
		                              "gridX",
		                              "gridY",
		                              "gridZ",
		                              "blockX",
		                              "blockY",
		                              "blockZ",
		                              "clusterX",
		                              "clusterY",
		                              "clusterZ",
		                              "registersPerThread",
		                              "staticSharedMemory",
		                              "dynamicSharedMemory",
		                              "localMemoryPerThread",
		                              NULL };
	static const char *const copy[] = { COMMON_COLUMNS, "bytes",       "copyKind",    "srcKind",
		                            "dstKind",      "dstDeviceId", "srcDeviceId", NULL };
	static const char *const set[] = { COMMON_COLUMNS, "bytes", "memKind", NULL };
	static const char *const graph[] = { COMMON_COLUMNS, "graphId", NULL };
	static const struct table tables[] = {
		{ "CUPTI_ACTIVITY_KIND_KERNEL", RA_GPU_KERNEL, kernel, fill_kernel },
		{ "CUPTI_ACTIVITY_KIND_MEMCPY", RA_GPU_COPY, copy, fill_copy },
		{ "CUPTI_ACTIVITY_KIND_MEMSET", RA_GPU_SET, set, fill_set },
		{ "CUPTI_ACTIVITY_KIND_GRAPH_TRACE", RA_GPU_GRAPH, graph, fill_graph },
	};

	for (size_t t = 0; t < sizeof(tables) / sizeof(tables[0]); t++) {
		struct ra_nsys_rows rows;

		ra_nsys_rows_open(&rows, &nsys->db, tables[t].name, tables[t].columns, NULL);
		while (ra_nsys_rows_next(&rows)) {
			add_op(nsys, &rows, &tables[t]);
		}
		ra_nsys_rows_close(&rows);
	}
}
