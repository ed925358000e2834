/* SPDX-License-Identifier: MIT */
/* The report "comm": collectives of each rank, and how much of their time was waiting for other
 * ranks. */
#include "analyzer/report/report-steps.h"

#include "analyzer/base/text/util-string.h"
#include "analyzer/reports/reports.h"
#include "analyzer/figures/collectives.h"
#include "analyzer/base/util.h"

enum column {
	RANK,
	NAME,
	CALLS,
	BYTES,
	TOTAL,
	MEAN,
	TRANSFER,
	WAIT,
	COLUMNS,
};

static const struct ra_table_column columns[COLUMNS] = {
	[RANK] = { "rank", "Rank", RA_TABLE_COUNT, NULL },
	[NAME] = { "name", "Name", RA_TABLE_TEXT, NULL },
	[CALLS] = { "calls", "# of Calls", RA_TABLE_COUNT, NULL },
	[BYTES] = { "bytes", "Bytes", RA_TABLE_COUNT, NULL },
	[TOTAL] = { "total_ns", "Total", RA_TABLE_TIME, NULL },
	[MEAN] = { "mean_ns", "Mean", RA_TABLE_TIME, NULL },
	[TRANSFER] = { "transfer_ns", "Transfer", RA_TABLE_TIME, NULL },
	[WAIT] = { "wait_ns", "Wait", RA_TABLE_TIME, NULL },
};

static void put_calls(const struct ra_collectives_rank *rank, size_t first, size_t count,
                      struct ra_table *table)
{
	struct ra_table_cell *cells = ra_table_add_row(table);
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
	cells[NAME] = ra_table_make_text(rank->calls[first].name);
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
}

static void put_rank(const struct ra_collectives_rank *rank, struct ra_table *table)
{
	for (size_t first = 0; first < rank->count;) {
		size_t end = first + 1;

		while (end < rank->count && ra_util_string_compare(rank->calls[end].name,
		                                                   rank->calls[first].name) == 0) {
			end++;
		}
		put_calls(rank, first, end - first, table);
		first = end;
	}
}

static void fill_comm(struct ra_report_input *input, struct ra_table *table)
{
	struct ra_collectives collectives;
	const struct ra_files files = ra_report_files(input);

	ra_collectives_init(&collectives, &files);
	for (size_t r = 0; r < collectives.count; r++) {
		put_rank(&collectives.ranks[r], table);
	}
	ra_collectives_fini(&collectives);
}

const struct ra_report ra_report_comm = {
	.name = "comm",
	.reads_several = true,
	.title = "Collectives",
	.summary = "kernels of collectives by name: bytes, time, waiting for other ranks",
	.columns = columns,
	.column_count = COLUMNS,
	.fill = fill_comm,
	.none = "no kernels of NCCL or RCCL",
};
