/* SPDX-License-Identifier: MIT */
/* Reading a trace in JSON: file → rows → model. */
#ifndef RA_KINETO_LOAD_H
#define RA_KINETO_LOAD_H

#include "analyzer/model/input.h"
#include "analyzer/rows/kineto.h"

/* Its models have kineto, but are those of the log where the trace holds one (json-log.h). */
extern const struct ra_input ra_kineto_load_input;

/* For readers of other forms that make rows: the model of them, which takes them and *stop, both
 * malloc'd. @has: of their ra_input. */
struct ra_model *ra_kineto_load_rows(struct ra_kineto *kineto, struct rlog_error *stop,
                                     unsigned has, const struct ra_input_options *options);

/* What they have in struct ra_input. */
uint32_t *ra_kineto_load_find_causes(const struct ra_model *model);
void ra_kineto_load_finish(struct ra_model *model, const struct ra_input_options *options);

/* For commands that read logs: says that the source is `what`, and closes its pipe. Return:
 * -RLOG_E_NOT_A_LOG. */
int ra_kineto_load_refuse(struct ra_source *source, const char *what, struct rlog_error *err);

/* Opens the bytes of a source, whose pipe it takes. Return: 0 and *input, -RLOG_E_SYSTEM. */
struct ra_kineto_input;
int ra_kineto_load_open(struct ra_kineto_input **input, struct ra_source *source,
                        struct rlog_error *err);

/*
 * For readers that need all bytes at once, unpacked; damaged gzip data end them.
 *
 * @read: makes rows of the bytes, and sets *stop where it ended before they did.
 * @has: of their ra_input. Return: as ra_input's read().
 */
int ra_kineto_load_whole(struct ra_model **out, struct ra_source *source,
                         struct ra_kineto *(*read)(const void *bytes, size_t size,
                                                   struct rlog_error *stop),
                         unsigned has, const struct ra_input_options *options,
                         struct rlog_error *err);

#endif
