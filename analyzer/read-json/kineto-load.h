/* SPDX-License-Identifier: MIT */
/* Reads a trace in JSON: file → rows → model. */
#ifndef RA_KINETO_LOAD_H
#define RA_KINETO_LOAD_H

#include "analyzer/model/input.h"
#include "analyzer/rows/kineto.h"

/* Its models have `kineto`. If the trace contains a log (json-log.h), the model is made from that
 * log instead. */
extern const struct ra_input ra_kineto_load_input;

/* For readers of other formats that make rows: makes a model from these. Takes ownership of the
 * rows and of *stop, both malloc'd. @has: the `has` of the reader's ra_input. */
struct ra_model *ra_kineto_load_rows(struct ra_kineto *kineto, struct rlog_error *stop,
                                     unsigned has, const struct ra_input_options *options);

/* The find_causes of such readers' ra_input. */
uint32_t *ra_kineto_load_find_causes(const struct ra_model *model);
void ra_kineto_load_finish(struct ra_model *model, const struct ra_input_options *options);

/* For commands that read only logs: reports that the source is `what`, and closes the source's
 * pipe. Return: -RLOG_E_NOT_A_LOG. */
int ra_kineto_load_refuse(struct ra_source *source, const char *what, struct rlog_error *err);

/* Opens the bytes of a source and takes ownership of its pipe. Return: 0 and *input;
 * -RLOG_E_SYSTEM. */
struct ra_kineto_input;
int ra_kineto_load_open(struct ra_kineto_input **input, struct ra_source *source,
                        struct rlog_error *err);

/*
 * For readers that need all bytes at once, unpacked. If gzip data are damaged, the bytes end there.
 *
 * @read: makes rows of the bytes; sets *stop if it ended before the end of the bytes. @has: the
 * `has` of the reader's ra_input. Return: the values of ra_input's read().
 */
int ra_kineto_load_whole(struct ra_model **out, struct ra_source *source,
                         struct ra_kineto *(*read)(const void *bytes, size_t size,
                                                   struct rlog_error *stop),
                         unsigned has, const struct ra_input_options *options,
                         struct rlog_error *err);

#endif
