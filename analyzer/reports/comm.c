/* SPDX-License-Identifier: MIT */
/* The report "comm": collectives of each rank, how much of their time is not hidden (exposed) and
 * why, and how much of it was waiting for other ranks. */
#include "analyzer/report/report-steps.h"

#include <stdlib.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/order/order.h"
#include "analyzer/base/order/search.h"
#include "analyzer/base/text/util-string.h"
#include "analyzer/base/util.h"
#include "analyzer/figures/collectives.h"
#include "analyzer/figures/ranks/exposed.h"
#include "analyzer/report/op-names.h"
#include "analyzer/report/rank-names.h"
#include "analyzer/reports/reports.h"

enum column {
	RANK,
	NAME,
	CALLS,
	BYTES,
	TOTAL,
	MEAN,
	TRANSFER,
	WAIT,
	EXPOSED,
	LATE,
	HELD,
	QUEUED,
	UNKNOWN,
	NEXT,
	NEXT_TIME,
	NEXT_WAIT,
	COLUMNS,
};

static const struct ra_table_column columns[COLUMNS] = {
	[RANK] = { "rank", "Rank", RA_TABLE_COUNT, NULL },
	[NAME] = { "name", "Name", RA_TABLE_TEXT, NULL },
	[CALLS] = { "calls", "# of Calls", RA_TABLE_COUNT, NULL },
	[BYTES] = { "bytes", "Bytes", RA_TABLE_COUNT, NULL },
	[TOTAL] = { "total_ns", "Total", RA_TABLE_TIME, NULL },
	[MEAN] = { "mean_ns", "Mean", RA_TABLE_TIME, NULL },
	[TRANSFER] = { "transfer_ns", "Transfer", RA_TABLE_TIME, "0" },
	[WAIT] = { "wait_ns", "Wait", RA_TABLE_TIME, "0" },
	[EXPOSED] = { "exposed_ns", "Exposed", RA_TABLE_TIME, NULL },
	[LATE] = { "exposed_late_ns", "CPU late", RA_TABLE_TIME, "0" },
	[HELD] = { "exposed_held_ns", "CPU waits", RA_TABLE_TIME, "0" },
	[QUEUED] = { "exposed_queued_ns", "Launched", RA_TABLE_TIME, "0" },
	[UNKNOWN] = { "exposed_unknown_ns", "Unknown", RA_TABLE_TIME, "0" },
	[NEXT] = { "next_kernel", "Next kernel", RA_TABLE_TEXT, "" },
	[NEXT_TIME] = { "next_exposed_ns", "Before it", RA_TABLE_TIME, "0" },
	[NEXT_WAIT] = { "next_wait_ns", "It waits", RA_TABLE_TIME, NULL },
};

static const char note[] =
	"Exposed: no kernel computes on the device meanwhile. Next kernel: of those that the "
	"device "
	"runs next after exposed time, the one that waited longest after its launch (It waits); "
	"if none had been launched, the one with most exposed time before it (Before it)";

/* A kernel that runs next after a collective. */
struct next {
	uint64_t name; /* key that ra_op_names_find() returned */
	int64_t exposed_ns;
	int64_t wait_ns; /* wait of kernels whose launch is known; -1: none is known */
};

/* State while the rows of one rank are added. */
struct filling {
	struct ra_report_input *input; /* the rank's input */
	const struct ra_collectives_rank *rank;
	const struct ra_exposed_calls *exposed;
	struct next *nexts; /* owned; has room for each part of the exposed time */
	struct ra_table *table;
};

static int compare_nexts(const void *a, const void *b)
{
	const struct next *left = a;
	const struct next *right = b;

	return RA_ORDER_UP(left, right, name);
}

static void add_next(struct next *sum, const struct next *next)
{
	sum->exposed_ns = ra_util_add_time(sum->exposed_ns, next->exposed_ns);
	if (next->wait_ns >= 0) {
		sum->wait_ns = sum->wait_ns < 0 ? next->wait_ns
		                                : ra_util_add_time(sum->wait_ns, next->wait_ns);
	}
}

/* True if a is the more important next kernel. A kernel that was launched already waits for the
 * collective; any other kernel waits for the CPU. */
static bool is_more(const struct next *a, const struct next *b)
{
	const int64_t a_ns = a->wait_ns > 0 ? a->wait_ns : 0;
	const int64_t b_ns = b->wait_ns > 0 ? b->wait_ns : 0;

	return a_ns != b_ns ? a_ns > b_ns : a->exposed_ns > b->exposed_ns;
}

/* The first part of the exposed time of this call or of a later one. */
static size_t find_part(const struct ra_exposed_calls *exposed, size_t call)
{
	struct ra_search at = ra_search_in(0, exposed->part_count);

	while (ra_search_next(&at)) {
		ra_search_tell(&at, exposed->parts[at.middle].call < call);
	}
	return at.low;
}

/* Names the kernel that waits longest after these calls, or for the CPU during them. */
static void put_next(const struct filling *filling, size_t first, size_t count,
                     struct ra_table_cell *cells)
{
	const struct ra_gpu *gpu = &filling->input->model->gpu;
	const struct ra_exposed_calls *exposed = filling->exposed;
	struct next most = { 0, 0, -1 };
	size_t found = 0;

	for (size_t i = find_part(exposed, first);
	     i < exposed->part_count && exposed->parts[i].call < first + count; i++) {
		filling->nexts[found++] = (struct next){
			ra_op_names_find(filling->input, &gpu->ops[exposed->parts[i].next]),
			exposed->parts[i].exposed_ns,
			exposed->parts[i].wait_ns,
		};
	}
	RA_SORT(filling->nexts, found, compare_nexts);
	for (size_t i = 0; i < found;) {
		struct next sum = { filling->nexts[i].name, 0, -1 };

		for (; i < found && filling->nexts[i].name == sum.name; i++) {
			add_next(&sum, &filling->nexts[i]);
		}
		most = is_more(&sum, &most) ? sum : most;
	}
	if (found > 0) {
		cells[NEXT] = ra_table_make_text(
			ra_op_names_text(filling->input, most.name, filling->table));
		cells[NEXT_TIME] = ra_table_make_number(most.exposed_ns);
	}
	if (found > 0 && most.wait_ns >= 0) {
		cells[NEXT_WAIT] = ra_table_make_number(most.wait_ns);
	}
}

/* Adds up why the time of these calls is exposed. */
static void put_exposed(const struct filling *filling, size_t first, size_t count,
                        struct ra_table_cell *cells)
{
	struct ra_exposed sum = { 0 };
	int64_t exposed_ns;

	for (size_t i = first; i < first + count; i++) {
		const struct ra_exposed *causes = &filling->exposed->causes[i];

		sum.late_ns = ra_util_add_time(sum.late_ns, causes->late_ns);
		sum.held_ns = ra_util_add_time(sum.held_ns, causes->held_ns);
		sum.queued_ns = ra_util_add_time(sum.queued_ns, causes->queued_ns);
		sum.none_ns = ra_util_add_time(sum.none_ns, causes->none_ns);
	}
	exposed_ns = ra_util_add_time(ra_util_add_time(sum.late_ns, sum.held_ns),
	                              ra_util_add_time(sum.queued_ns, sum.none_ns));
	cells[EXPOSED] = ra_table_make_number(exposed_ns);
	cells[LATE] = ra_table_make_number(sum.late_ns);
	cells[HELD] = ra_table_make_number(sum.held_ns);
	cells[QUEUED] = ra_table_make_number(sum.queued_ns);
	cells[UNKNOWN] = ra_table_make_number(sum.none_ns);
}

/* The name of a collective. If only its kernel has a name, that is used, in the form that kernels'
 * names have. */
static struct rlog_string name_call(const struct filling *filling, const struct ra_collective *call)
{
	const struct ra_model *model = filling->input->model;
	const struct ra_gpu_op *op = &model->gpu.ops[call->op];

	return ra_util_string_compare(call->name, ra_model_string(model, op->name)) == 0
	               ? ra_op_names_text(filling->input, ra_op_names_find(filling->input, op),
	                                  filling->table)
	               : call->name;
}

static void put_calls(const struct filling *filling, size_t first, size_t count)
{
	const struct ra_collectives_rank *rank = filling->rank;
	struct ra_table_cell *cells = ra_table_add_row(filling->table);
	int64_t total_ns = 0;
	int64_t transfer_ns = 0;
	int64_t bytes = 0;
	bool has_bytes = true;
	bool has_transfer = true;

	for (size_t i = first; i < first + count; i++) {
		const struct ra_collective *call = &rank->calls[i];

		total_ns = ra_util_add_time(total_ns, call->dur_ns);
		has_bytes = has_bytes && call->bytes >= 0;
		has_transfer = has_transfer && call->transfer_ns >= 0;
		bytes = has_bytes ? ra_util_add_time(bytes, call->bytes) : 0;
		transfer_ns = has_transfer ? ra_util_add_time(transfer_ns, call->transfer_ns) : 0;
	}
	cells[RANK] = ra_table_make_number(rank->number);
	cells[NAME] = ra_table_make_text(name_call(filling, &rank->calls[first]));
	cells[CALLS] = ra_table_make_count(count);
	cells[TOTAL] = ra_table_make_number(total_ns);
	cells[MEAN] = ra_table_make_number(total_ns / (int64_t) count);
	if (has_bytes) {
		cells[BYTES] = ra_table_make_number(bytes);
	}
	if (has_transfer) {
		cells[TRANSFER] = ra_table_make_number(transfer_ns);
		cells[WAIT] = ra_table_make_number(total_ns - transfer_ns);
	}
	put_exposed(filling, first, count, cells);
	put_next(filling, first, count, cells);
}

static void put_rank(const struct filling *filling)
{
	const struct ra_collectives_rank *rank = filling->rank;

	for (size_t first = 0; first < rank->count;) {
		size_t end = first + 1;

		while (end < rank->count && ra_util_string_compare(rank->calls[end].name,
		                                                   rank->calls[first].name) == 0) {
			end++;
		}
		put_calls(filling, first, end - first);
		first = end;
	}
}

static void fill_comm(struct ra_report_input *input, struct ra_table *table)
{
	struct ra_collectives collectives;
	const struct ra_files files = ra_report_files(input);

	ra_collectives_init(&collectives, &files);
	for (size_t r = 0; r < collectives.count; r++) {
		const struct ra_collectives_rank *rank = &collectives.ranks[r];
		struct ra_report_input file;
		struct ra_exposed_calls exposed;
		struct filling filling = {
			.input = &file,
			.rank = rank,
			.exposed = &exposed,
			.table = table,
		};

		ra_rank_names_input(&file, input, r);
		ra_exposed_calls_init(&exposed, file.model, rank->calls, rank->count);
		filling.nexts = ra_alloc_zeros(exposed.part_count + 1, sizeof(*filling.nexts));
		put_rank(&filling);
		free(filling.nexts);
		ra_exposed_calls_fini(&exposed);
	}
	if (table->row_count > 0) {
		ra_report_add_note(input, ra_exposed_note);
		ra_report_add_note(input, note);
	}
	ra_collectives_fini(&collectives);
}

const struct ra_report ra_report_comm = {
	.name = "comm",
	.reads_several = true,
	.title = "Collectives",
	.summary = "collectives by name: bytes, time, exposed and why, waiting for other ranks",
	.columns = columns,
	.column_count = COLUMNS,
	.fill = fill_comm,
	.none = "no kernels of NCCL or RCCL",
};
