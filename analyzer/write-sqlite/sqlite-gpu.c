/* SPDX-License-Identifier: MIT */
/* Writes nsys' schema: operations on devices. */
#include "analyzer/base/alloc.h"
#include "analyzer/write-sqlite/sqlite.h"

/* The columns with which all tables of operations begin. */
enum {
	START,
	END,
	DEVICE,
	CONTEXT,
	STREAM,
	CORR,
	PID,
	FIRST_OWN
};

struct tables {
	struct ra_sqlite *sqlite;
	struct ra_sqlite_table kinds[RA_GPU_KINDS];
	struct ra_util_text text; /* name of a kernel */
};

static int64_t or_null(uint64_t value)
{
	return value != 0 && value <= INT64_MAX ? (int64_t) value : RA_SQLITE_NULL;
}

/* nsys' number for a kind of memory. nsys counts from 0, and has no number for "unknown". */
static int64_t memory_of(uint8_t memory)
{
	return memory > 0 && memory <= 7 ? memory - 1 : RA_SQLITE_NULL;
}

static int64_t put_name(struct tables *tables, struct rlog_string name, enum ra_kernel_form form)
{
	struct ra_util_text *text = &tables->text;
	struct rlog_string shown;

	ra_util_text_clear(text);
	ra_kernel_name_put(text, name, form);
	shown = (struct rlog_string){ text->bytes, (uint32_t) text->length,
		                      (uint32_t) text->length };
	/* Readers expect short names without template arguments; our short form keeps them for some
	 * libraries. */
	for (uint32_t i = 1; form == RA_KERNEL_BASE && i < shown.length; i++) {
		if (shown.bytes[i] == '<') {
			shown.length = i;
		}
	}
	return ra_sqlite_texts_add(tables->sqlite, shown);
}

static const struct ra_sqlite_kernel_name *find_name(struct tables *tables, uint32_t name)
{
	struct ra_sqlite_kernel_name *known = &tables->sqlite->kernel_names[name];
	const struct rlog_string text = ra_model_string(tables->sqlite->model, name);
	const bool is_mangled = text.length > 2 && text.bytes[0] == '_' && text.bytes[1] == 'Z';

	if (!known->is_known) {
		known->is_known = true;
		known->full = put_name(tables, text, RA_KERNEL_FULL);
		known->base = put_name(tables, text, RA_KERNEL_BASE);
		known->mangled =
			is_mangled ? ra_sqlite_texts_of_name(tables->sqlite, name) : RA_SQLITE_NULL;
	}
	return known;
}

static void put_kernel(struct tables *tables, const struct ra_gpu_op *op, const int64_t *common)
{
	static const struct ra_gpu_shape unknown = { 0 };
	const struct ra_gpu *gpu = &tables->sqlite->model->gpu;
	const struct ra_gpu_shape *s =
		op->shape < gpu->shape_count ? &gpu->shapes[op->shape] : &unknown;
	const struct ra_sqlite_kernel_name *name = find_name(tables, op->name);
	const int64_t row[] = {
		common[START],
		common[END],
		common[DEVICE],
		common[CONTEXT],
		common[STREAM],
		common[CORR],
		common[PID],
		or_null(op->node),
		or_null(op->graph),
		name->full,
		name->base,
		name->mangled,
		0, /* localMemoryTotal and gridId are unknown */
		0,
		s->grid[0],
		s->grid[1],
		s->grid[2],
		s->block[0],
		s->block[1],
		s->block[2],
		s->cluster[0],
		s->cluster[1],
		s->cluster[2],
		s->registers,
		s->static_shared_bytes,
		s->dynamic_shared_bytes,
		s->local_bytes,
		s->is_optin,
	};

	ra_sqlite_table_add(&tables->kinds[RA_GPU_KERNEL], row, sizeof(row) / sizeof(row[0]));
}

static void put_copy(struct tables *tables, const struct ra_gpu_op *op, const int64_t *common)
{
	const bool is_peer = op->copy_kind == 10; /* for a peer copy, the source is a device */
	const int64_t row[] = {
		common[START],
		common[END],
		common[DEVICE],
		common[CONTEXT],
		common[STREAM],
		common[CORR],
		common[PID],
		or_null(op->node),
		(int64_t) op->bytes,
		op->copy_kind,
		is_peer ? 2 : memory_of(op->src_memory),
		is_peer ? 2 : memory_of(op->dst_memory),
		is_peer ? op->src_memory : RA_SQLITE_NULL,
		is_peer ? op->peer : RA_SQLITE_NULL,
	};

	ra_sqlite_table_add(&tables->kinds[RA_GPU_COPY], row, sizeof(row) / sizeof(row[0]));
}

static void put_set(struct tables *tables, const struct ra_gpu_op *op, const int64_t *common)
{
	const int64_t row[] = {
		common[START],
		common[END],
		common[DEVICE],
		common[CONTEXT],
		common[STREAM],
		common[CORR],
		common[PID],
		or_null(op->node),
		0, /* the value is unknown */
		(int64_t) op->bytes,
		memory_of(op->dst_memory),
	};

	ra_sqlite_table_add(&tables->kinds[RA_GPU_SET], row, sizeof(row) / sizeof(row[0]));
}

static void put_graph(struct tables *tables, const struct ra_gpu_op *op, const int64_t *common)
{
	const int64_t row[] = {
		common[START], common[END], common[DEVICE], common[CONTEXT], common[STREAM],
		common[CORR],  common[PID], op->graph,      op->graph,
	};

	ra_sqlite_table_add(&tables->kinds[RA_GPU_GRAPH], row, sizeof(row) / sizeof(row[0]));
}

static void put_op(struct tables *tables, const struct ra_gpu_op *op)
{
	static void (*const puts[RA_GPU_KINDS])(struct tables *, const struct ra_gpu_op *,
	                                        const int64_t *) = {
		[RA_GPU_KERNEL] = put_kernel,
		[RA_GPU_COPY] = put_copy,
		[RA_GPU_SET] = put_set,
		[RA_GPU_GRAPH] = put_graph,
	};
	const struct ra_sqlite *sqlite = tables->sqlite;
	const struct ra_model *m = sqlite->model;
	const struct ra_gpu_queue *queue = &m->gpu.queues[op->queue];
	const int64_t start_ns = op->start_ns + sqlite->shift_ns;
	const int64_t common[FIRST_OWN] = {
		start_ns,
		start_ns + op->dur_ns,
		queue->device,
		queue->context,
		queue->stream,
		or_null(op->corr),
		queue->process < m->process_count ? (int64_t) sqlite->pids[queue->process]
						  : ra_sqlite_ids_of_call(sqlite, op->api),
	};

	puts[op->kind](tables, op, common);
}

void ra_sqlite_gpu_put(struct ra_sqlite *sqlite)
{
	const struct ra_gpu *gpu = &sqlite->model->gpu;
	struct tables tables = {
		.sqlite = sqlite,
		.kinds = { [RA_GPU_KERNEL] = ra_sqlite_long_table(sqlite, &ra_sqlite_tables_kernel),
		           [RA_GPU_COPY] = ra_sqlite_long_table(sqlite, &ra_sqlite_tables_copy),
		           [RA_GPU_SET] = ra_sqlite_long_table(sqlite, &ra_sqlite_tables_set),
		           [RA_GPU_GRAPH] = ra_sqlite_long_table(sqlite, &ra_sqlite_tables_graph) },
	};

	sqlite->kernel_names =
		ra_alloc_zeros(sqlite->model->name_count + 1, sizeof(*sqlite->kernel_names));
	/* Readers expect these tables, even without rows. */
	ra_sqlite_table_create(&tables.kinds[RA_GPU_KERNEL]);
	ra_sqlite_table_create(&tables.kinds[RA_GPU_COPY]);
	for (size_t i = 0; i < gpu->op_count && sqlite->db.code == 0; i++) {
		put_op(&tables, &gpu->ops[i]);
	}
	for (int kind = 0; kind < RA_GPU_KINDS; kind++) {
		ra_sqlite_table_close(&tables.kinds[kind]);
	}
	ra_util_text_free(&tables.text);
}
