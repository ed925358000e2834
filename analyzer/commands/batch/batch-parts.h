/* SPDX-License-Identifier: MIT */
/* Does the work of a batch before and after it summarises its inputs, without or with MPI. */
#ifndef RA_CMD_BATCH_PARTS_H
#define RA_CMD_BATCH_PARTS_H

#include "analyzer/batch/batch-run.h"
#include "analyzer/commands/batch/batch-emit.h"
#include "analyzer/commands/shared/sums.h"

struct ra_cmd_batch {
	const char *output;
	size_t workers; /* number of processes */
	size_t shard;   /* index of this shard, from 0 */
	size_t shards;
	bool resume;
	const char *timeline; /* words that select the ranks in the timeline; NULL: no timeline */
	bool archive;         /* the timeline is an archive for Perfetto */
	const char *align;    /* name of a range that all ranks leave together; NULL: it is found
	                         automatically */
	struct ra_cmd_batch_emits emits; /* the outputs for each input */
	struct ra_cmd_sums sums;
	char *parts; /* owned: OUT/parts */
	int lock;    /* the file that is locked as long as the batch runs; -1: none */
};

/* Reads the options; optind is then the first input. Call fini in any case. Return: 0,
 * RA_CMD_USAGE, RA_CMD_UNREADABLE. */
int ra_cmd_batch_parse(struct ra_cmd_batch *batch, int argc, char **argv);
void ra_cmd_batch_fini(struct ra_cmd_batch *batch);

/* Refuses options that no input supports: summaries can be neither drawn nor read again for
 * outputs. Return: 0, RA_CMD_USAGE. */
int ra_cmd_batch_check(const struct ra_cmd_batch *batch, const struct ra_batch_inputs *inputs);

/* Creates OUT and OUT/parts, and locks OUT against other batches. Return: 0, RA_CMD_UNWRITTEN. */
int ra_cmd_batch_open(struct ra_cmd_batch *batch);

/* Records which files will be written, so that a later batch knows them even if this one is killed.
 * @inputs: must have names. Return: 0, RA_CMD_UNWRITTEN. */
int ra_cmd_batch_plan(const struct ra_cmd_batch *batch, const struct ra_batch_inputs *inputs);

/* Appends the part of an input. If the part can't be read, it is removed from the result, with a
 * message. */
void ra_cmd_batch_read(const struct ra_cmd_batch *batch, struct ra_sum_file *file,
                       struct ra_batch_result *result);

/* Names the inputs without a part on stderr, writes OUT's summary and reports, and prints the
 * result. Return: an exit code. */
int ra_cmd_batch_finish(const struct ra_cmd_batch *batch, const struct ra_batch_inputs *inputs,
                        const struct ra_batch_result *results, struct ra_sum_file *file);

#endif
