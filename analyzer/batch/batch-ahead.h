/* SPDX-License-Identifier: MIT */
/* Gives inputs in order, while processes read several of them ahead. */
#ifndef RA_BATCH_AHEAD_H
#define RA_BATCH_AHEAD_H

#include "analyzer/base/text/util-text.h"
#include "analyzer/batch/batch-one.h"

struct ra_batch_ahead;

/*
 * @inputs, @options: borrowed. @workers: processes at once; 0: one per processor. A single input,
 * or inputs that are small in total, are read without processes.
 */
struct ra_batch_ahead *ra_batch_ahead_create(const struct ra_batch_inputs *inputs,
                                             const struct ra_batch_options *options,
                                             size_t workers);

/*
 * Appends the summary of the next input, as ra_batch_one() does.
 *
 * @messages: gets the text for stderr. Print it before anything else about this input.
 */
int ra_batch_ahead_take(struct ra_batch_ahead *ahead, struct ra_sum_file *file,
                        struct ra_util_text *messages, struct rlog_error *err);

void ra_batch_ahead_destroy(struct ra_batch_ahead *ahead);

#endif
