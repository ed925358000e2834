/* SPDX-License-Identifier: MIT */
/* Reads a log: makes a model of it in one pass over its events. */
#ifndef RA_LOG_LOAD_H
#define RA_LOG_LOAD_H

#include "analyzer/model/input.h"

/* Makes a model, not linked yet, of an open log. The model then owns the reader. On failure the
 * reader is closed. */
int ra_log_load_reader(struct ra_model **out, struct rlog_reader *reader,
                       const struct ra_input_options *options, struct rlog_error *err);

#endif
