/* SPDX-License-Identifier: MIT */
/* The reports "temporal", "overlap" and "kernel-types": what the GPUs of each rank did. */
#include "analyzer/reports/reports.h"

#include "analyzer/figures/collectives.h"
#include "analyzer/figures/ranks/exposed.h"
#include "analyzer/figures/rank-gpu.h"
#include "analyzer/base/util.h"

enum temporal_column {
	TEMPORAL_RANK,
	TEMPORAL_KERNEL_TIME,
	TEMPORAL_COMPUTE,
	TEMPORAL_COMPUTE_SHARE,
	TEMPORAL_NON_COMPUTE,
	TEMPORAL_NON_COMPUTE_SHARE,
	TEMPORAL_IDLE,
	TEMPORAL_IDLE_SHARE,
	TEMPORAL_COLUMNS,
};

static const struct ra_table_column temporal_columns[TEMPORAL_COLUMNS] = {
	[TEMPORAL_RANK] = { "rank", "Rank", RA_TABLE_COUNT, NULL },
	[TEMPORAL_KERNEL_TIME] = { "kernel_time_ns", "GPU span", RA_TABLE_TIME, NULL },
	[TEMPORAL_COMPUTE] = { "compute_ns", "Compute", RA_TABLE_TIME, NULL },
	[TEMPORAL_COMPUTE_SHARE] = { "compute_share", "Compute %", RA_TABLE_SHARE, NULL },
	[TEMPORAL_NON_COMPUTE] = { "non_compute_ns", "Non-compute", RA_TABLE_TIME, NULL },
	[TEMPORAL_NON_COMPUTE_SHARE] = { "non_compute_share", "Non-compute %", RA_TABLE_SHARE,
	                                 NULL },
	[TEMPORAL_IDLE] = { "idle_ns", "Idle", RA_TABLE_TIME, NULL },
	[TEMPORAL_IDLE_SHARE] = { "idle_share", "Idle %", RA_TABLE_SHARE, NULL },
};

/* Called with the sums of each file that has GPU work. */
typedef void add_rank(int64_t rank, const struct ra_rank_gpu *gpu, struct ra_table *table);

static void for_ranks(struct ra_report_input *input, struct ra_table *table, add_rank *add)
{
	for (size_t i = 0; i < ra_report_file_count(input); i++) {
		struct ra_rank_gpu gpu;

		ra_rank_gpu_sum(&gpu, ra_report_file_model(input, i));
		if (ra_report_file_model(input, i)->gpu.op_count > 0) {
			add(ra_report_file_rank(input, i), &gpu, table);
		}
	}
}

static void add_temporal(int64_t rank, const struct ra_rank_gpu *gpu, struct ra_table *table)
{
	struct ra_table_cell *cells = ra_table_add_row(table);
	const int64_t compute_ns = ra_rank_gpu_time(gpu->exactly_ns, RA_RANK_COMPUTATION);
	const int64_t busy_ns = ra_rank_gpu_time(gpu->exactly_ns, 0);
	const int64_t times_ns[3] = { compute_ns, busy_ns - compute_ns, gpu->span_ns - busy_ns };

	cells[TEMPORAL_RANK] = ra_table_make_number(rank);
	cells[TEMPORAL_KERNEL_TIME] = ra_table_make_number(gpu->span_ns);
	for (size_t i = 0; i < 3; i++) {
		cells[TEMPORAL_COMPUTE + 2 * i] = ra_table_make_number(times_ns[i]);
		if (gpu->span_ns > 0) {
			cells[TEMPORAL_COMPUTE_SHARE + 2 * i] =
				ra_table_make_share(times_ns[i], gpu->span_ns);
		}
	}
}

static void fill_temporal(struct ra_report_input *input, struct ra_table *table)
{
	for_ranks(input, table, add_temporal);
}

const struct ra_report ra_report_temporal = {
	.name = "temporal",
	.scope = RA_REPORT_OF_TIME,
	.title = "Temporal breakdown",
	.summary = "GPU time of each rank: computing, doing other things, idle",
	.reads_several = true,
	.none = "no GPU work",
	.is_gpu = true,
	.columns = temporal_columns,
	.column_count = TEMPORAL_COLUMNS,
	.fill = fill_temporal,
};

enum overlap_column {
	OVERLAP_RANK,
	OVERLAP_SHARE,
	OVERLAP_COMMUNICATION,
	OVERLAP_HIDDEN,
	OVERLAP_EXPOSED,
	OVERLAP_LATE,
	OVERLAP_HELD,
	OVERLAP_QUEUED,
	OVERLAP_UNKNOWN,
	OVERLAP_PEERS,
	OVERLAP_COLUMNS,
};

static const struct ra_table_column overlap_columns[OVERLAP_COLUMNS] = {
	[OVERLAP_RANK] = { "rank", "Rank", RA_TABLE_COUNT, NULL },
	[OVERLAP_SHARE] = { "overlap", "Overlap", RA_TABLE_SHARE, NULL },
	[OVERLAP_COMMUNICATION] = { "communication_ns", "Communication", RA_TABLE_TIME, NULL },
	[OVERLAP_HIDDEN] = { "hidden_ns", "Hidden", RA_TABLE_TIME, NULL },
	[OVERLAP_EXPOSED] = { "exposed_ns", "Exposed", RA_TABLE_TIME, NULL },
	[OVERLAP_LATE] = { "exposed_late_ns", "CPU late", RA_TABLE_TIME, "0" },
	[OVERLAP_HELD] = { "exposed_held_ns", "CPU waits", RA_TABLE_TIME, "0" },
	[OVERLAP_QUEUED] = { "exposed_queued_ns", "Launched", RA_TABLE_TIME, "0" },
	[OVERLAP_UNKNOWN] = { "exposed_unknown_ns", "Unknown", RA_TABLE_TIME, "0" },
	[OVERLAP_PEERS] = { "exposed_peers_ns", "For ranks", RA_TABLE_TIME, "0" },
};

static void add_overlap(int64_t rank, const struct ra_rank_gpu *gpu, struct ra_table *table)
{
	struct ra_table_cell *cells = ra_table_add_row(table);
	const int64_t whole_ns = ra_rank_gpu_time(gpu->device_ns, RA_RANK_COMMUNICATION);
	const int64_t exposed_ns = ra_rank_gpu_exposed(gpu->device_ns);
	const int64_t hidden_ns = whole_ns - exposed_ns;

	cells[OVERLAP_RANK] = ra_table_make_number(rank);
	if (whole_ns > 0) {
		cells[OVERLAP_SHARE] = ra_table_make_share(hidden_ns, whole_ns);
	}
	cells[OVERLAP_COMMUNICATION] = ra_table_make_number(whole_ns);
	cells[OVERLAP_HIDDEN] = ra_table_make_number(hidden_ns);
	cells[OVERLAP_EXPOSED] = ra_table_make_number(exposed_ns);
}

static const char overlap_note[] =
	"Exposed: communication runs and no kernel computes on the device (advice, why, overview "
	"also leave out copies), the sum of the times after it; of each collective: comm";

static const char peers_note[] =
	"For ranks, in part the same time: until the last rank came; in the first collective with "
	"the difference of the recordings' begins";

/* Finds when collectives of this rank waited on a device for ranks that came later. */
static void find_peers(struct ra_intervals *peers, const struct ra_collectives_rank *rank,
                       const struct ra_model *model, uint32_t device)
{
	for (size_t i = 0; i < rank->count; i++) {
		const struct ra_collective *call = &rank->calls[i];
		const uint32_t queue = model->gpu.ops[call->op].queue;

		if (call->match != RA_NONE && model->gpu.queues[queue].device == device) {
			ra_intervals_add(
				peers, call->start_ns,
				ra_util_add_time(call->start_ns, call->dur_ns - call->transfer_ns));
		}
	}
	ra_intervals_unite(peers);
}

static bool has_matches(const struct ra_collectives_rank *rank)
{
	for (size_t i = 0; i < rank->count; i++) {
		if (rank->calls[i].match != RA_NONE) {
			return true;
		}
	}
	return false;
}

/* Adds why a device's communication is exposed. */
static void add_causes(struct ra_exposed *sum, int64_t *peers_ns,
                       const struct ra_exposed_query *query, const struct ra_collectives_rank *rank)
{
	struct ra_intervals exposed = { 0 };
	struct ra_intervals peers = { 0 };
	struct ra_exposed one;

	ra_exposed_find(&exposed, query);
	ra_exposed_split(&one, query, &exposed);
	find_peers(&peers, rank, query->model, query->device);
	sum->late_ns = ra_util_add_time(sum->late_ns, one.late_ns);
	sum->held_ns = ra_util_add_time(sum->held_ns, one.held_ns);
	sum->queued_ns = ra_util_add_time(sum->queued_ns, one.queued_ns);
	sum->none_ns = ra_util_add_time(sum->none_ns, one.none_ns);
	*peers_ns = ra_util_add_time(*peers_ns, ra_intervals_overlap(&exposed, &peers));
	ra_intervals_fini(&exposed);
	ra_intervals_fini(&peers);
}

static void put_causes(struct ra_table_cell *cells, const struct ra_model *model,
                       const struct ra_collectives_rank *rank)
{
	const struct ra_gpu *gpu = &model->gpu;
	struct ra_exposed sum = { 0 };
	int64_t peers_ns = 0;

	for (size_t q = 0; q < gpu->queue_count; q++) { /* queues are ordered by device */
		const struct ra_exposed_query query = { model, gpu->queues[q].device,
			                                RA_RANK_COMPUTATION };

		if (q == 0 || gpu->queues[q - 1].device != query.device) {
			add_causes(&sum, &peers_ns, &query, rank);
		}
	}
	cells[OVERLAP_LATE] = ra_table_make_number(sum.late_ns);
	cells[OVERLAP_HELD] = ra_table_make_number(sum.held_ns);
	cells[OVERLAP_QUEUED] = ra_table_make_number(sum.queued_ns);
	cells[OVERLAP_UNKNOWN] = ra_table_make_number(sum.none_ns);
	if (has_matches(rank)) {
		cells[OVERLAP_PEERS] = ra_table_make_number(peers_ns);
	}
}

/* Adds a figure: which part of communication is waiting for the rank that comes last. */
static void tell_waiting(struct ra_report_input *input, const struct ra_collectives *collectives)
{
	int64_t whole_ns = 0;
	int64_t wait_ns = 0;

	for (size_t r = 0; r < collectives->count; r++) {
		const struct ra_collectives_rank *rank = &collectives->ranks[r];

		for (size_t i = 0; i < rank->count; i++) {
			const struct ra_collective *call = &rank->calls[i];

			if (call->match != RA_NONE) {
				whole_ns = ra_util_add_time(whole_ns, call->dur_ns);
				wait_ns =
					ra_util_add_time(wait_ns, call->dur_ns - call->transfer_ns);
			}
		}
	}
	if (whole_ns > 0) {
		ra_report_add_figure(input, "communication_wait_share",
		                     "Communication that is waiting for the rank that comes last",
		                     RA_TABLE_SHARE, ra_table_make_share(wait_ns, whole_ns));
	}
}

static void fill_overlap(struct ra_report_input *input, struct ra_table *table)
{
	const struct ra_files files = ra_report_files(input);
	struct ra_collectives collectives;
	bool talks = false;
	size_t file = 0;

	for_ranks(input, table, add_overlap);
	ra_collectives_init(&collectives, &files);
	for (size_t row = 0; row < table->row_count; row++, file++) {
		struct ra_table_cell *cells = &table->cells[row * OVERLAP_COLUMNS];

		while (ra_report_file_model(input, file)->gpu.op_count == 0) {
			file++; /* the file has no row */
		}
		if (cells[OVERLAP_COMMUNICATION].u.number > 0) {
			put_causes(cells, ra_report_file_model(input, file),
			           &collectives.ranks[file]);
			talks = true;
		}
	}
	tell_waiting(input, &collectives);
	ra_collectives_fini(&collectives);
	if (talks) {
		ra_report_add_note(input, overlap_note);
		ra_report_add_note(input, ra_exposed_note);
	}
	if (talks && ra_report_file_count(input) > 1) {
		ra_report_add_note(input, peers_note);
	}
}

const struct ra_report ra_report_overlap = {
	.name = "overlap",
	.scope = RA_REPORT_OF_TIME,
	.title = "Overlap of communication and computation",
	.summary = "part of each rank's communication in which it computes",
	.more_of = "comm",
	.reads_several = true,
	.none = "no GPU work",
	.is_gpu = true,
	.note = overlap_note,
	.columns = overlap_columns,
	.column_count = OVERLAP_COLUMNS,
	.fill = fill_overlap,
};

enum type_column {
	TYPE_RANK,
	TYPE_NAME,
	TYPE_SUM,
	TYPE_SHARE,
	TYPE_COLUMNS,
};

static const struct ra_table_column type_columns[TYPE_COLUMNS] = {
	[TYPE_RANK] = { "rank", "Rank", RA_TABLE_COUNT, NULL },
	[TYPE_NAME] = { "kernel_type", "Type", RA_TABLE_TEXT, NULL },
	[TYPE_SUM] = { "sum_ns", "Time", RA_TABLE_TIME, NULL },
	[TYPE_SHARE] = { "share", "Share", RA_TABLE_SHARE, NULL },
};

static void add_types(int64_t rank, const struct ra_rank_gpu *gpu, struct ra_table *table)
{
	for (unsigned k = 1; k < RA_RANK_KINDS; k++) {
		struct ra_table_cell *cells;

		if (gpu->exactly_ns[k] == 0) {
			continue;
		}
		cells = ra_table_add_row(table);
		cells[TYPE_RANK] = ra_table_make_number(rank);
		cells[TYPE_NAME] = ra_table_make_word(ra_rank_gpu_kind_name(k));
		cells[TYPE_SUM] = ra_table_make_number(gpu->exactly_ns[k]);
		cells[TYPE_SHARE] = ra_table_make_share(gpu->exactly_ns[k],
		                                        ra_rank_gpu_time(gpu->exactly_ns, 0));
	}
}

static void fill_types(struct ra_report_input *input, struct ra_table *table)
{
	for_ranks(input, table, add_types);
}

const struct ra_report ra_report_types = {
	.name = "kernel-types",
	.scope = RA_REPORT_OF_TIME,
	.title = "Types of GPU work",
	.summary = "time with GPU work of one type, and with several types at once",
	.more_of = "kernels",
	.reads_several = true,
	.none = "no GPU work",
	.is_gpu = true,
	.columns = type_columns,
	.column_count = TYPE_COLUMNS,
	.fill = fill_types,
};
