/* SPDX-License-Identifier: MIT */
/* analyzer batch FILE... -o OUT: summarises many inputs in worker processes, merges the summaries,
 * and writes reports. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "analyzer/base/alloc.h"
#include "analyzer/batch/batch-names.h"
#include "analyzer/commands/batch/batch-parts.h"
#include "analyzer/commands/shared/entries.h"
#include "analyzer/commands/shared/progress.h"

struct progress {
	struct ra_cmd_progress line;
	size_t total;
};

static void show_progress(void *context, size_t done, uint64_t bytes)
{
	struct progress *progress = context;
	double seconds;

	if (!ra_cmd_progress_is_due(&progress->line)) {
		return;
	}
	seconds = (double) (progress->line.last_ms - progress->line.start_ms) / 1000;
	fprintf(stderr, "\rbatch: %zu of %zu files, %.1f MB/s, %.0f s left  ", done,
	        progress->total, (double) bytes / 1e6 / seconds,
	        seconds / (double) done * (double) (progress->total - done));
}

static int run_all(struct ra_cmd_batch *batch, const struct ra_batch_inputs *inputs,
                   struct ra_batch_result *results)
{
	struct progress progress = { .total = inputs->count };
	struct ra_batch_job job = {
		.inputs = inputs,
		.options = &batch->sums.batch,
		.folder = batch->parts,
		.workers = batch->workers,
		.resume = batch->resume,
		.progress = isatty(STDERR_FILENO) ? show_progress : NULL,
		.progress_context = &progress,
	};
	struct rlog_error err = { .offset = RLOG_NO_OFFSET };
	int rc;

	ra_cmd_batch_emit_set_job(&job, &batch->emits);
	ra_cmd_progress_start(&progress.line);
	rc = ra_batch_run(&job, results, &err);
	ra_cmd_progress_end(&progress.line);
	return rc == 0 ? 0 : ra_cmd_print_error("batch", &err);
}

static int summarise(struct ra_cmd_batch *batch, const struct ra_batch_inputs *inputs)
{
	struct ra_batch_result *results = ra_alloc_zeros(inputs->count + 1, sizeof(*results));
	struct ra_sum_file file = { 0 };
	int code = run_all(batch, inputs, results);

	for (size_t i = 0; i < inputs->count && code == 0; i++) {
		ra_cmd_batch_read(batch, &file, &results[i]);
	}
	if (code == 0) {
		code = ra_cmd_batch_finish(batch, inputs, results, &file);
	}
	ra_sum_file_fini(&file);
	ra_batch_free_results(results, inputs->count);
	return code;
}

static int run_batch(int argc, char **argv)
{
	struct ra_cmd_batch batch;
	struct ra_batch_inputs inputs = { 0 };
	int code = ra_cmd_batch_parse(&batch, argc, argv);

	if (code == 0) {
		code = ra_cmd_sums_collect(&inputs, argv + optind, (size_t) (argc - optind),
		                           batch.output);
	}
	code = code != 0 ? code : ra_cmd_batch_check(&batch, &inputs);
	if (code == 0) {
		ra_batch_names_make(&inputs);
		ra_batch_inputs_shard(&inputs, batch.shard, batch.shards);
		code = ra_cmd_batch_open(&batch);
	}
	if (code == 0) {
		code = ra_cmd_batch_plan(&batch, &inputs);
	}
	if (code == 0) {
		code = summarise(&batch, &inputs);
	}
	ra_batch_inputs_fini(&inputs);
	ra_cmd_batch_fini(&batch);
	return code;
}

const struct ra_cmd cmd_batch = {
	.name = "batch",
	.synopsis = "batch FILE... -o OUT [options]",
	.summary = "Summarise many logs and traces in parallel, into a folder",
	.notes = "A FILE is a log, a trace in JSON, a summary, a folder with all files below it, "
		 "or\n"
		 "@LIST, a file with a name on each line. Each folder below a given one is a run.\n"
		 "If a file cannot be read, batch says so, goes on, and exits with 5.\n"
		 "OUT/summary.sum depends only on the inputs, not on -j or shards.\n",
	.run = run_batch,
};
