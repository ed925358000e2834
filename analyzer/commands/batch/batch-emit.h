/* SPDX-License-Identifier: MIT */
/* analyzer batch --emit: what is written of each input beside its summary. */
#ifndef RA_CMD_BATCH_EMIT_H
#define RA_CMD_BATCH_EMIT_H

#include "analyzer/batch/batch-run.h"
#include "analyzer/commands/shared/sums.h"
#include "analyzer/table/table-forms.h"
#include "analyzer/timeline/pens/out.h"

#define RA_CMD_BATCH_EMITS 16

/* Suffix of files in OUT/parts that say which outputs were written. */
#define RA_CMD_BATCH_EMIT_MARK ".emit"

/* One of the two is there. */
struct ra_cmd_batch_emit {
	char suffix[24];                  /* of its files: "json.gz" */
	const struct ra_out *out;         /* of the log or trace; … */
	const struct ra_table_form *form; /* … the reports of its summary */
};

struct ra_cmd_batch_emits {
	struct ra_cmd_batch_emit rows[RA_CMD_BATCH_EMITS];
	size_t count;
	const char *output; /* OUT, once the options are read, as the next */
	const struct ra_cmd_sums *sums;
};

/* Takes "json.gz,table". Return: 0, RA_CMD_USAGE or RA_CMD_UNWRITTEN with a line on stderr. */
int ra_cmd_batch_emit_take(struct ra_cmd_batch_emits *emits, const char *words);

/* Where an output of an input goes, below OUT; the caller frees it. */
char *ra_cmd_batch_emit_path(const struct ra_cmd_batch_emit *emit,
                             const struct ra_batch_input *input);

/* Let a job write them, by its options and by itself; the emits must live as long. */
void ra_cmd_batch_emit_set_options(struct ra_batch_options *options,
                                   struct ra_cmd_batch_emits *emits);
void ra_cmd_batch_emit_set_job(struct ra_batch_job *job, struct ra_cmd_batch_emits *emits);

#endif
