/* SPDX-License-Identifier: MIT */
/* Prints the numbers of events in logs, and of lost events by the logs' own counts. */
#include <stdio.h>
#include <stdlib.h>

#include "format/read/reader.h"
#include "format/wire.h"

struct sum {
	uint64_t calls; /* events that are calls of NVTX's core */
	uint64_t lost;  /* from LOSS chunks; without events that only lost their names */
	int open_logs;  /* that have no END */
};

static bool count_chunks(const struct rlog_reader *reader, struct rlog_batch *batch,
                         struct sum *sum)
{
	size_t count = 0;
	const struct rlog_chunk *chunks = rlog_reader_borrow_chunks(reader, &count);

	for (size_t i = 0; i < count; i++) {
		if (chunks[i].type != RLOG_CHUNK_EVENTS) {
			continue;
		}
		if (rlog_reader_decode_events(reader, &chunks[i], batch, NULL) != 0) {
			return false;
		}
		for (size_t row = 0; row < batch->count; row++) {
			sum->calls +=
				batch->op[row] >= RLOG_OP_PUSH && batch->op[row] <= RLOG_OP_MARK;
		}
	}
	return true;
}

static bool count_log(const char *path, struct sum *sum)
{
	struct rlog_reader *reader = NULL;
	struct rlog_error err = { 0 };
	struct rlog_batch batch;
	size_t count = 0;
	bool good;

	if (rlog_reader_open(&reader, path, &err) != 0 || rlog_batch_init(&batch, 16384) != 0) {
		fprintf(stderr, "%s: %s\n", path, err.message);
		rlog_reader_close(reader);
		return false;
	}
	good = count_chunks(reader, &batch, sum);
	const struct rlog_loss *losses = rlog_reader_borrow_losses(reader, &count);

	for (size_t i = 0; i < count; i++) {
		sum->lost += losses[i].cause == RLOG_CAUSE_INTERN_OVERFLOW ? 0 : losses[i].count;
	}
	rlog_reader_borrow_damages(reader, &count);
	sum->open_logs += !rlog_reader_is_closed(reader);
	rlog_batch_fini(&batch);
	rlog_reader_close(reader);
	return good && count == 0;
}

/* count-log LOG…: RECORDED LOST OPEN, sums of all. */
int main(int argc, char **argv)
{
	struct sum sum = { 0 };

	for (int i = 1; i < argc; i++) {
		if (!count_log(argv[i], &sum)) {
			return 1;
		}
	}
	printf("%llu %llu %d\n", (unsigned long long) sum.calls, (unsigned long long) sum.lost,
	       sum.open_logs);
	return 0;
}
