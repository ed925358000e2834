/* SPDX-License-Identifier: MIT */
/* The report "comm-bandwidth": how fast collectives were, by size and group. */
#include <string.h>

#include "analyzer/base/order/order.h"
#include "analyzer/base/text/util-string.h"
#include "analyzer/base/util.h"
#include "analyzer/figures/collectives.h"
#include "analyzer/reports/reports.h"

enum column {
	RANK,
	NAME,
	GROUP,
	GROUP_SIZE,
	SIZE,
	CALLS,
	TOTAL,
	MEAN,
	ALGORITHM,
	BUS,
	COLUMNS,
};

static const struct ra_table_column columns[COLUMNS] = {
	[RANK] = { "rank", "Rank", RA_TABLE_COUNT, NULL },
	[NAME] = { "name", "Name", RA_TABLE_TEXT, NULL },
	[GROUP] = { "group", "Group", RA_TABLE_TEXT, "" },
	[GROUP_SIZE] = { "group_size", "Ranks", RA_TABLE_COUNT, NULL },
	[SIZE] = { "size_bytes", "Size", RA_TABLE_COUNT, NULL },
	[CALLS] = { "calls", "# of Calls", RA_TABLE_COUNT, NULL },
	[TOTAL] = { "total_ns", "Total", RA_TABLE_TIME, NULL },
	[MEAN] = { "mean_ns", "Mean", RA_TABLE_TIME, NULL },
	[ALGORITHM] = { "algorithm_bytes_per_s", "Alg. bandwidth", RA_TABLE_BYTE_RATE, NULL },
	[BUS] = { "bus_bytes_per_s", "Bus bandwidth", RA_TABLE_BYTE_RATE, NULL },
};

/* How nccl-tests computes the bytes that a collective of n ranks moves. */
static const struct collective {
	const char *word; /* word in names, without _ and in lower case; the first match is used */
	bool is_sum;      /* the size is the sum over all ranks: the larger of input and output */
	bool is_parted;   /* (n-1)/n of the size goes over the bus … */
	bool is_twice;    /* … and goes twice */
} collectives_known[] = {
	{ "allreduce", false, true, true },   { "reducescatter", true, true, false },
	{ "allgather", true, true, false },   { "alltoall", false, true, false },
	{ "broadcast", false, false, false }, { "reduce", false, false, false },
	{ "sendrecv", false, false, false },  { "send", false, false, false },
	{ "recv", false, false, false },
};

static const struct collective *find_collective(struct rlog_string name)
{
	char word[128];
	size_t length = 0;

	for (uint32_t i = 0; i < name.length && length + 1 < sizeof(word); i++) {
		const char c = name.bytes[i];

		if (c != '_') {
			word[length++] = (char) (c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
		}
	}
	word[length] = '\0';
	for (size_t i = 0; i < sizeof(collectives_known) / sizeof(collectives_known[0]); i++) {
		if (strstr(word, collectives_known[i].word) != NULL) {
			return &collectives_known[i];
		}
	}
	return NULL;
}

/* The size in the way of nccl-tests; -1: unknown. */
static int64_t find_size(const struct ra_collective *call)
{
	const struct collective *collective = find_collective(call->name);

	if (collective == NULL || !collective->is_sum) {
		return collective == NULL ? -1 : call->bytes;
	}
	if (call->bytes < 0 || call->out_bytes < 0) {
		return -1;
	}
	return call->bytes > call->out_bytes ? call->bytes : call->out_bytes;
}

/* Orders calls by name, group, the group's size, and the message's size. */
static int compare_calls(const void *a, const void *b)
{
	const struct ra_collective *left = a;
	const struct ra_collective *right = b;
	int order = ra_util_string_compare(left->name, right->name);

	order = RA_ORDER_THEN(order, ra_util_string_compare(left->group, right->group));
	order = RA_ORDER_THEN(order, RA_ORDER_UP(left, right, group_size));
	return RA_ORDER_THEN(order, RA_ORDER(find_size(left), find_size(right)));
}

static void put_calls(const struct ra_collective *calls, size_t count, int64_t rank,
                      struct ra_table *table)
{
	const struct collective *collective = find_collective(calls->name);
	const int64_t size = find_size(calls);
	const double ranks = (double) calls->group_size;
	struct ra_table_cell *cells = ra_table_add_row(table);
	int64_t total_ns = 0;
	int64_t moving_ns = 0; /* without the wait for later ranks, if that is known */

	for (size_t i = 0; i < count; i++) {
		total_ns = ra_util_add_time(total_ns, calls[i].dur_ns);
		moving_ns =
			ra_util_add_time(moving_ns, calls[i].transfer_ns >= 0 ? calls[i].transfer_ns
		                                                              : calls[i].dur_ns);
	}
	cells[RANK] = ra_table_make_number(rank);
	cells[NAME] = ra_table_make_text(calls->name);
	cells[GROUP] = ra_table_make_text(calls->group);
	cells[CALLS] = ra_table_make_count(count);
	cells[TOTAL] = ra_table_make_number(total_ns);
	cells[MEAN] = ra_table_make_number(total_ns / (int64_t) count);
	if (calls->group_size > 0) {
		cells[GROUP_SIZE] = ra_table_make_number(calls->group_size);
	}
	if (size >= 0) {
		cells[SIZE] = ra_table_make_number(size);
	}
	if (size > 0 && moving_ns > 0) {
		const double rate = (double) size * (double) count / (double) moving_ns * 1e9;

		cells[ALGORITHM] = ra_table_make_real(rate);
		if (!collective->is_parted) {
			cells[BUS] = ra_table_make_real(rate);
		} else if (calls->group_size > 0) {
			cells[BUS] = ra_table_make_real(rate * (collective->is_twice ? 2 : 1) *
			                                (ranks - 1) / ranks);
		}
	}
}

static void fill(struct ra_report_input *input, struct ra_table *table)
{
	struct ra_collectives collectives;
	const struct ra_files files = ra_report_files(input);

	ra_collectives_init(&collectives, &files);
	for (size_t r = 0; r < collectives.count; r++) {
		struct ra_collectives_rank *rank = &collectives.ranks[r];

		RA_SORT(rank->calls, rank->count, compare_calls);
		for (size_t first = 0; first < rank->count;) {
			size_t end = first + 1;

			while (end < rank->count &&
			       compare_calls(&rank->calls[end], &rank->calls[first]) == 0) {
				end++;
			}
			put_calls(&rank->calls[first], end - first, rank->number, table);
			first = end;
		}
	}
	ra_collectives_fini(&collectives);
}

const struct ra_report ra_report_comm_bandwidth = {
	.name = "comm-bandwidth",
	.reads_several = true,
	.title = "Bandwidth of collectives",
	.summary = "algorithm and bus bandwidth of collectives by size and group",
	.more_of = "comm",
	.columns = columns,
	.column_count = COLUMNS,
	.fill = fill,
	.none = "no kernels of NCCL or RCCL",
};
