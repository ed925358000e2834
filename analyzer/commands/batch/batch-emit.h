/* SPDX-License-Identifier: MIT */
/* analyzer batch --emit: writes outputs for each input, besides its summary. */
#ifndef RA_CMD_BATCH_EMIT_H
#define RA_CMD_BATCH_EMIT_H

#include "analyzer/batch/batch-run.h"
#include "analyzer/commands/shared/sums.h"
#include "analyzer/table/forms/table-forms.h"
#include "analyzer/timeline/pens/out.h"

#define RA_CMD_BATCH_EMITS 16

/* Suffix of files in OUT/parts that record which outputs were written. */
#define RA_CMD_BATCH_EMIT_MARK ".emit"

/* An output. Either `out` or `form` is set. */
struct ra_cmd_batch_emit {
	char suffix[24];                  /* suffix of its files: "json.gz" */
	const struct ra_out *out;         /* a timeline of the log or trace; … */
	const struct ra_table_form *form; /* … or the reports of its summary */
};

struct ra_cmd_batch_emits {
	struct ra_cmd_batch_emit rows[RA_CMD_BATCH_EMITS];
	size_t count;
	const char *output; /* OUT; this and `sums` are set after the options have been read */
	const struct ra_cmd_sums *sums;
};

/* Reads a list such as "json.gz,table". Return: 0, RA_CMD_USAGE or RA_CMD_UNWRITTEN with a line on
 * stderr. */
int ra_cmd_batch_emit_take(struct ra_cmd_batch_emits *emits, const char *words);

/* Makes the path of an input's output below OUT; the caller frees it. */
char *ra_cmd_batch_emit_path(const struct ra_cmd_batch_emit *emit,
                             const struct ra_batch_input *input);

/* Set the functions by which a batch writes these outputs. They borrow `emits`. */
void ra_cmd_batch_emit_set_options(struct ra_batch_options *options,
                                   struct ra_cmd_batch_emits *emits);
void ra_cmd_batch_emit_set_job(struct ra_batch_job *job, struct ra_cmd_batch_emits *emits);

#endif
