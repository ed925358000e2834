/* SPDX-License-Identifier: MIT */
/* Reads a trace in JSON: file → rows → model. */
#ifndef RA_KINETO_LOAD_H
#define RA_KINETO_LOAD_H

#include "analyzer/model/input.h"
#include "analyzer/rows/kineto.h"

/* Its models have kineto, unless the trace contains a log (json-log.h): then they are the
 * log's. */
extern const struct ra_input ra_kineto_load_input;

/* For readers of other formats that make rows: makes a model of them. It takes over the rows and
 * *stop, both malloc'd. @has: of their ra_input. */
struct ra_model *ra_kineto_load_rows(struct ra_kineto *kineto, struct rlog_error *stop,
                                     unsigned has, const struct ra_input_options *options);

/* These readers use it in struct ra_input. */
uint32_t *ra_kineto_load_find_causes(const struct ra_model *model);
void ra_kineto_load_finish(struct ra_model *model, const struct ra_input_options *options);

/* For commands that read only logs: reports that the source is `what`, and closes its pipe. Return:
 * -RLOG_E_NOT_A_LOG. */
int ra_kineto_load_refuse(struct ra_source *source, const char *what, struct rlog_error *err);

/* Opens the bytes of a source and takes over its pipe. Return: 0 and *input, -RLOG_E_SYSTEM. */
struct ra_kineto_input;
int ra_kineto_load_open(struct ra_kineto_input **input, struct ra_source *source,
                        struct rlog_error *err);

/*
 * For readers that need all bytes at once, unpacked. Damage in gzip data ends the bytes.
 *
 * @read: makes rows of the bytes; sets *stop to where it ended, if that was before their end.
 * @has: of their ra_input. Return: as ra_input's read().
 */
int ra_kineto_load_whole(struct ra_model **out, struct ra_source *source,
                         struct ra_kineto *(*read)(const void *bytes, size_t size,
                                                   struct rlog_error *stop),
                         unsigned has, const struct ra_input_options *options,
                         struct rlog_error *err);

#endif
