/* SPDX-License-Identifier: MIT */
/* Inputs in their order, which processes read side by side, ahead of who takes them. */
#ifndef RA_BATCH_AHEAD_H
#define RA_BATCH_AHEAD_H

#include "analyzer/base/text/util-text.h"
#include "analyzer/batch/batch-one.h"

struct ra_batch_ahead;

/*
 * @inputs, @options: borrowed. @workers: processes at once; 0: one for each processor. There are
 * none for one input, nor for little ones.
 */
struct ra_batch_ahead *ra_batch_ahead_create(const struct ra_batch_inputs *inputs,
                                             const struct ra_batch_options *options,
                                             size_t workers);

/*
 * Appends what the next input comes to, as ra_batch_one() does.
 *
 * @messages: what was to be printed to stderr; to be printed before anything else of this input is.
 */
int ra_batch_ahead_take(struct ra_batch_ahead *ahead, struct ra_sum_file *file,
                        struct ra_util_text *messages, struct rlog_error *err);

void ra_batch_ahead_destroy(struct ra_batch_ahead *ahead);

#endif
