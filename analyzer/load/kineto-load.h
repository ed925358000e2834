/* SPDX-License-Identifier: MIT */
/* Loading a trace in JSON: file → rows → model. */
#ifndef RA_KINETO_LOAD_H
#define RA_KINETO_LOAD_H

#include "analyzer/load/load.h"
#include "analyzer/io/pipe.h"

/* True if the first bytes of a file look like JSON or gzip. Other than regular files are no JSON.
 */
bool ra_kineto_load_is_json(const char *path);

/* As ra_load_file(); the model has kineto, but is that of the log where the trace holds one
 * (json-log.h). -RLOG_E_NOT_A_LOG: JSON, but no trace. */
int ra_kineto_load_file(struct ra_model **out, const char *path,
                        const struct ra_load_options *options, struct rlog_error *err);

/* The same of a pipe, which it closes: see ra_pipe_open(). */
int ra_kineto_load_pipe(struct ra_model **out, const struct ra_pipe *pipe,
                        const struct ra_load_options *options, struct rlog_error *err);

/* The same over memory, which may go afterwards. */
int ra_kineto_load_memory(struct ra_model **out, const void *bytes, size_t size,
                          const struct ra_load_options *options, struct rlog_error *err);

/*
 * Opens the log within a trace.
 *
 * @pipe: NULL: the path is read; else it is closed.
 * Return: as ra_load_log(); -RLOG_E_NOT_A_LOG if there is none.
 */
int ra_kineto_load_log(struct rlog_reader **out, const char *path, const struct ra_pipe *pipe,
                       struct rlog_error *err);

#endif
