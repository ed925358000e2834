/* SPDX-License-Identifier: MIT */
/* The report "trace": what a JSON trace contains, and how its GPU work is linked to calls. */
#include "analyzer/base/alloc.h"
#include "analyzer/base/util.h"
#include "analyzer/reports/reports.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/base/order/intervals.h"
#include "analyzer/base/util-map.h"
#include "analyzer/rows/kineto.h"
#include "analyzer/figures/trace-occupancy.h"
#include "analyzer/figures/ranges/trace-ranges.h"

enum column {
	SECTION,
	NAME,
	COUNT,
	TOTAL,
	UNION,
	SPAN,
	START,
	SELF_OPS,
	SELF_CUDA,
	OPS,
	CUDA_TOTAL,
	CUDA_UNION,
	VALUE,
	COLUMNS,
};

static const struct ra_table_column columns[COLUMNS] = {
	[SECTION] = { "section", "Section", RA_TABLE_TEXT, NULL },
	[NAME] = { "name", "Name", RA_TABLE_TEXT, NULL },
	[COUNT] = { "count", "Count", RA_TABLE_COUNT, NULL },
	[TOTAL] = { "total_ns", "Total", RA_TABLE_TIME, NULL },
	[UNION] = { "union_ns", "Union", RA_TABLE_TIME, NULL },
	[SPAN] = { "span_ns", "Span", RA_TABLE_TIME, NULL },
	[START] = { "start_ns", "Start", RA_TABLE_TIME, NULL },
	[SELF_OPS] = { "self_cuda_ops", "Self CUDA ops", RA_TABLE_COUNT, NULL },
	[SELF_CUDA] = { "self_cuda_ns", "Self CUDA", RA_TABLE_TIME, NULL },
	[OPS] = { "cuda_ops", "CUDA ops", RA_TABLE_COUNT, NULL },
	[CUDA_TOTAL] = { "cuda_total_ns", "CUDA total", RA_TABLE_TIME, NULL },
	[CUDA_UNION] = { "cuda_union_ns", "CUDA union", RA_TABLE_TIME, NULL },
	[VALUE] = { "value", "Value", RA_TABLE_REAL, NULL },
};

struct filling {
	const struct ra_model *model;
	const struct ra_kineto *kineto;
	struct ra_table *table;
};

/* Appends a row. */
static struct ra_table_cell *add_row(struct filling *filling, const char *section,
                                     struct rlog_string name)
{
	struct ra_table_cell *cells = ra_table_add_row(filling->table);

	cells[SECTION] = ra_table_make_word(section);
	cells[NAME] = ra_table_make_text(name);
	return cells;
}

static struct rlog_string keep(struct filling *filling, const char *text)
{
	return ra_table_keep_text(filling->table, text, strlen(text));
}

static void add_count(struct filling *filling, const char *section, const char *name,
                      uint64_t count)
{
	add_row(filling, section, ra_util_string(name))[COUNT] = ra_table_make_count(count);
}

static void add_events(struct filling *filling)
{
	const struct ra_kineto *k = filling->kineto;

	add_count(filling, "events", "all", k->count + k->dropped);
	for (unsigned c = 0; c < 256; c++) {
		const char text[2] = { (char) c, '\0' };

		if (k->phase_count[c] != 0) {
			add_row(filling, "phase",
			        c != 0 ? keep(filling, text) : ra_util_string("(none)"))[COUNT] =
				ra_table_make_count(k->phase_count[c]);
		}
	}
	for (size_t c = 0; c < k->category_count; c++) {
		if (k->categories[c].complete != 0) {
			add_row(filling, "category",
			        ra_kineto_string(k, k->categories[c].name))[COUNT] =
				ra_table_make_count(k->categories[c].complete);
		}
	}
}

static void add_oddities(struct filling *filling)
{
	const struct ra_kineto_oddities *odd = &filling->kineto->oddities;
	const struct {
		const char *name;
		uint64_t count;
	} rows[] = {
		{ "pid_is_string", odd->pid_strings },
		{ "tid_is_string", odd->tid_strings },
		{ "negative_duration", odd->negative_durations },
		{ "no_duration", odd->no_duration },
		{ "no_time", odd->no_time },
		{ "no_name", odd->no_name },
		{ "not_an_object", odd->not_objects },
		{ "rounded_time", odd->rounded_times },
		{ "unknown_phase", odd->unknown_phases },
		{ "repeated_events", odd->repeated_events },
		{ "repaired_word", odd->repaired_words },
		{ "repaired_comma", odd->repaired_commas },
		{ "repaired_surrogate", odd->repaired_surrogates },
		{ "control_characters", odd->control_texts },
		{ "not_utf8", odd->not_utf8 },
		{ "literal_backslash", odd->literal_backslashes },
		{ "odd_number", odd->odd_numbers },
		{ "time_is_text", odd->text_times },
		{ "further_document", odd->documents },
		{ "damage", odd->damages },
		{ "lost_event", odd->lost_events },
		{ "unknown_device_work", odd->unknown_device_work },
		{ "duplicate_correlation", odd->duplicate_correlations },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (rows[i].count != 0) {
			add_count(filling, "oddity", rows[i].name, rows[i].count);
		}
	}
}

/* A sum over some operations. */
struct sum {
	struct ra_intervals set; /* owned */
	int64_t first_ns;
	int64_t last_ns;
	int64_t total_ns;
	uint64_t count;
};

static void sum_op(struct sum *sum, const struct ra_gpu_op *op)
{
	const int64_t end_ns = op->start_ns + op->dur_ns;

	sum->first_ns =
		sum->count == 0 || op->start_ns < sum->first_ns ? op->start_ns : sum->first_ns;
	sum->last_ns = sum->count == 0 || end_ns > sum->last_ns ? end_ns : sum->last_ns;
	sum->total_ns += op->dur_ns;
	sum->count++;
	ra_intervals_add(&sum->set, op->start_ns, end_ns);
}

/* Adds a row with the sum, and frees the sum. */
static void add_sum(struct filling *filling, const char *section, struct rlog_string name,
                    struct sum *sum)
{
	struct ra_table_cell *cells = add_row(filling, section, name);

	ra_intervals_unite(&sum->set);
	cells[COUNT] = ra_table_make_count(sum->count);
	cells[TOTAL] = ra_table_make_number(sum->total_ns);
	cells[UNION] = ra_table_make_number(ra_intervals_length(&sum->set));
	cells[SPAN] = ra_table_make_number(sum->last_ns - sum->first_ns);
	ra_intervals_fini(&sum->set);
}

/* Adds a row for the operations of some kinds. @kinds: a bit for each kind. */
static void add_kinds(struct filling *filling, const char *section, const char *name,
                      unsigned kinds)
{
	const struct ra_gpu *gpu = &filling->model->gpu;
	struct sum sum = { 0 };

	for (size_t i = 0; i < gpu->op_count; i++) {
		if ((kinds >> gpu->ops[i].kind & 1) != 0) {
			sum_op(&sum, &gpu->ops[i]);
		}
	}
	add_sum(filling, section, ra_util_string(name), &sum);
}

/* For each queue, finds the next queue with the same device and stream in another context.
 * *is_first: false for a queue that is the next of another one. */
static void chain_queues(const struct ra_gpu *gpu, uint32_t *next, bool *is_first)
{
	struct ra_util_map last = { 0 };

	for (size_t q = 0; q < gpu->queue_count; q++) {
		const uint64_t key = (uint64_t) gpu->queues[q].device << 32 | gpu->queues[q].stream;
		const uint32_t before = ra_util_map_find(&last, key);

		next[q] = RA_NONE;
		is_first[q] = before == RA_UTIL_MAP_NONE;
		if (!is_first[q]) {
			next[before] = (uint32_t) q;
		}
		ra_util_map_put(&last, key, (uint32_t) q);
	}
	ra_util_map_free(&last);
}

/* Adds a row for each stream of a device, over all its contexts. */
static void add_streams(struct filling *filling)
{
	const struct ra_gpu *gpu = &filling->model->gpu;
	uint32_t *next = ra_alloc_bytes(gpu->queue_count * sizeof(*next) + 1);
	bool *is_first = ra_alloc_bytes(gpu->queue_count * sizeof(*is_first) + 1);

	chain_queues(gpu, next, is_first);
	for (size_t first = 0; first < gpu->queue_count; first++) {
		struct sum sum = { 0 };
		char text[32];

		for (size_t q = is_first[first] ? first : RA_NONE; q != RA_NONE; q = next[q]) {
			const struct ra_gpu_queue *queue = &gpu->queues[q];

			for (size_t i = 0; i < queue->op_count; i++) {
				sum_op(&sum, &gpu->ops[queue->first_op + i]);
			}
		}
		if (is_first[first]) {
			snprintf(text, sizeof(text), "%" PRId64 ":%" PRId64,
			         ra_table_make_id(gpu->queues[first].device).u.number,
			         ra_table_make_id(gpu->queues[first].stream).u.number);
			add_sum(filling, "stream", keep(filling, text), &sum);
		}
	}
	free(next);
	free(is_first);
}

static void add_gpu(struct filling *filling)
{
	const struct ra_gpu *gpu = &filling->model->gpu;

	for (int kind = RA_GPU_KERNEL; kind <= RA_GPU_SET; kind++) {
		add_kinds(filling, "gpu", ra_gpu_kind_name((enum ra_gpu_kind) kind), 1u << kind);
	}
	add_kinds(filling, "gpu_all", "all", ~0u);
	add_count(filling, "gpu_other", "sync", gpu->sync_count);
	add_count(filling, "gpu_other", "annotation",
	          filling->kineto->kind_count[RA_KINETO_GPU_USER_ANNOTATION]);
	add_streams(filling);
}

/* True for kernels of NCCL and RCCL. They wait for other ranks, so their time is communication. */
static bool is_communication(struct rlog_string name)
{
	for (size_t i = 0; i + 4 <= name.length; i++) {
		if (strncmp(name.bytes + i, "nccl", 4) == 0 ||
		    strncmp(name.bytes + i, "rccl", 4) == 0) {
			return true;
		}
	}
	return false;
}

struct timeline {
	struct ra_intervals computation;
	struct ra_intervals communication;
	struct ra_intervals copies;
	struct ra_intervals work; /* union of computation and communication */
	struct ra_intervals all;
	int64_t span_ns;
};

static void fill_timeline(struct timeline *line, const struct ra_model *model, bool is_linked)
{
	const struct ra_gpu *gpu = &model->gpu;
	int64_t first_ns = INT64_MAX;
	int64_t last_ns = INT64_MIN;

	for (size_t i = 0; i < gpu->op_count; i++) {
		const struct ra_gpu_op *op = &gpu->ops[i];
		const int64_t end_ns = op->start_ns + op->dur_ns;
		struct ra_intervals *set = op->kind == RA_GPU_COPY ? &line->copies
		                           : is_communication(ra_model_string(model, op->name))
		                                   ? &line->communication
		                                   : &line->computation;

		if (is_linked && op->api == RA_NONE) {
			continue;
		}
		first_ns = op->start_ns < first_ns ? op->start_ns : first_ns;
		last_ns = end_ns > last_ns ? end_ns : last_ns;
		ra_intervals_add(set, op->start_ns, end_ns);
	}
	ra_intervals_unite(&line->computation);
	ra_intervals_unite(&line->communication);
	ra_intervals_unite(&line->copies);
	ra_intervals_add_all(&line->work, &line->computation);
	ra_intervals_add_all(&line->work, &line->communication);
	ra_intervals_add_all(&line->all, &line->work);
	ra_intervals_add_all(&line->all, &line->copies);
	line->span_ns = last_ns > first_ns ? last_ns - first_ns : 0;
}

static void add_timeline(struct filling *filling, const char *section, bool is_linked)
{
	struct timeline line = { 0 };

	fill_timeline(&line, filling->model, is_linked);
	const int64_t overlap_ns = ra_intervals_overlap(&line.computation, &line.communication);
	const struct {
		const char *name;
		int64_t ns;
	} rows[] = {
		{ "total", line.span_ns },
		{ "busy", ra_intervals_length(&line.all) },
		{ "idle", line.span_ns - ra_intervals_length(&line.all) },
		{ "computation", ra_intervals_length(&line.computation) },
		{ "communication", ra_intervals_length(&line.communication) },
		{ "exposed_communication", ra_intervals_length(&line.communication) - overlap_ns },
		{ "memcpy", ra_intervals_length(&line.copies) },
		{ "exposed_memcpy", ra_intervals_length(&line.copies) -
		                            ra_intervals_overlap(&line.copies, &line.work) },
		{ "comm_comp_overlap", overlap_ns },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		add_row(filling, section, ra_util_string(rows[i].name))[TOTAL] =
			ra_table_make_number(rows[i].ns);
	}
	ra_intervals_fini(&line.computation);
	ra_intervals_fini(&line.communication);
	ra_intervals_fini(&line.copies);
	ra_intervals_fini(&line.work);
	ra_intervals_fini(&line.all);
}

static void add_links(struct filling *filling)
{
	struct ra_trace_links links = { 0 };

	ra_trace_ranges_links(&links, filling->model);
	const struct {
		const char *name;
		uint64_t count;
		int64_t ns;
	} rows[] = {
		{ "gpu_ops", filling->model->gpu.op_count, -1 },
		{ "linked_to_runtime", links.to_runtime, -1 },
		{ "linked_to_driver_only", links.to_driver, -1 },
		{ "unlinked", links.unlinked, links.unlinked_ns },
		{ "launches_with_gpu_work", links.launches, -1 },
		{ "launches_with_several_gpu_ops", links.several, -1 },
		{ "most_gpu_ops_of_one_launch", links.most, -1 },
		{ "launch_external_id_equals_correlation", links.id_is_correlation, -1 },
		{ "linked_with_external_id_of_a_cpu_op", links.id_of_op, links.id_of_op_ns },
		{ "external_id_names_another_range", links.disagree, links.disagree_ns },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct ra_table_cell *cells =
			add_row(filling, "link", ra_util_string(rows[i].name));

		cells[COUNT] = ra_table_make_count(rows[i].count);
		if (rows[i].ns >= 0) {
			cells[TOTAL] = ra_table_make_number(rows[i].ns);
		}
	}
}

static void add_ranges(struct filling *filling)
{
	struct ra_trace_ranges ranges = { 0 };

	ra_trace_ranges_init(&ranges, filling->model);
	for (size_t i = 0; i < RA_TRACE_INSIDES; i++) {
		struct ra_table_cell *cells =
			add_row(filling, "inside", ra_util_string(ra_trace_ranges_inside_name(i)));

		cells[OPS] = ra_table_make_count(ranges.inside_ops[i]);
		cells[CUDA_TOTAL] = ra_table_make_number(ranges.inside_ns[i]);
	}
	for (size_t i = 0; i < ranges.count; i++) {
		const struct ra_trace_range *range = &ranges.rows[i];
		struct ra_table_cell *cells = add_row(filling, ra_kineto_kind_name(range->kind),
		                                      ra_model_string(filling->model, range->name));

		cells[COUNT] = ra_table_make_count(range->calls);
		cells[TOTAL] = ra_table_make_number(range->total_ns);
		cells[SELF_OPS] = ra_table_make_count(range->self_ops);
		cells[SELF_CUDA] = ra_table_make_number(range->self_cuda_ns);
		cells[OPS] = ra_table_make_count(range->ops);
		cells[CUDA_TOTAL] = ra_table_make_number(range->cuda_ns);
		cells[CUDA_UNION] = ra_table_make_number(range->cuda_union_ns);
	}
	ra_trace_ranges_fini(&ranges);
}

static void add_occupancy(struct filling *filling)
{
	struct ra_trace_occupancy found;

	ra_trace_occupancy_compute(&found, filling->model);
	if (found.stated == 0) {
		return;
	}
	add_count(filling, "occupancy", "kernels_with_arg", found.stated);
	if (found.limited > 0) {
		add_count(filling, "occupancy", "recomputed_equal_to_arg", found.equal);
		add_count(filling, "occupancy", "kernels_above_default_shared_memory", found.above);
	}
	add_row(filling, "occupancy", ra_util_string("weighted_pct_trace_arg"))[VALUE] =
		ra_table_make_real(found.stated_pct);
	if (found.limited == 0) {
		return;
	}
	add_row(filling, "occupancy",
	        ra_util_string("weighted_pct_with_optin_shared_memory"))[VALUE] =
		ra_table_make_real(found.optin_pct);
	add_row(filling, "occupancy", ra_util_string("their_share_of_kernel_time_pct"))[VALUE] =
		ra_table_make_real(found.above_time_pct);
}

/* Adds the steps of the host. A ProfilerStep on the GPU is only a projection, so it is left out. */
static void add_steps(struct filling *filling)
{
	static const char prefix[] = "ProfilerStep#";
	const struct ra_slices *s = &filling->model->slices;
	int64_t first_ns = INT64_MIN;

	for (size_t i = 0; i < s->count; i++) {
		const struct rlog_string name = ra_model_string(filling->model, s->name[i]);
		struct ra_table_cell *cells;

		if (name.length < sizeof(prefix) - 1 ||
		    memcmp(name.bytes, prefix, sizeof(prefix) - 1) != 0) {
			continue;
		}
		first_ns = first_ns == INT64_MIN ? s->start_ns[i] : first_ns;
		cells = add_row(filling, "step", name);
		cells[START] = ra_table_make_number(s->start_ns[i] - first_ns);
		cells[TOTAL] = ra_table_make_number(s->dur_ns[i]);
	}
}

static void fill_trace(struct ra_report_input *input, struct ra_table *table)
{
	struct filling filling = {
		.model = input->model,
		.kineto = input->model->kineto,
		.table = table,
	};

	if (!ra_model_has(filling.model, RA_HAS_ROWS)) {
		return;
	}
	add_events(&filling);
	add_oddities(&filling);
	add_gpu(&filling);
	add_timeline(&filling, "timeline", false);
	add_timeline(&filling, "timeline_linked", true);
	add_links(&filling);
	add_occupancy(&filling);
	add_steps(&filling);
	add_ranges(&filling);
}

const struct ra_report ra_report_trace = {
	.name = "trace",
	.title = "Trace",
	.summary = "what a trace in JSON contains, and how its GPU work is linked",
	.more_of = "footer",
	.none = "this is not a trace in JSON",
	.columns = columns,
	.column_count = COLUMNS,
	.fill = fill_trace,
};
