/* SPDX-License-Identifier: MIT */
/* Messages about oddities in a trace's text: for `verify`, the footer, and standard error. */
#ifndef RA_KINETO_NOTES_H
#define RA_KINETO_NOTES_H

#include "analyzer/json/json.h"
#include "analyzer/read-json/kineto-read.h"
#include "analyzer/rows/kineto-store.h"

/* Gives a finding to the caller, if it asked for findings. @options may be NULL. */
void ra_kineto_notes_put(const struct ra_kineto_read_options *options, uint64_t offset,
                         const char *what);
void ra_kineto_notes_put_text(const struct ra_kineto_read_options *options, uint64_t offset,
                              enum ra_json_oddity oddity);

/* Notes data that an event lacks. */
void ra_kineto_notes_put_row(const struct ra_kineto_read_options *options, uint64_t offset,
                             const struct ra_kineto_row *row);

/* Counts short kernels whose durations are inexact because the clock counts whole µs. */
void ra_kineto_notes_count_short(struct ra_kineto *kineto);

/* Adds the tokenizer's counts. */
void ra_kineto_notes_count(struct ra_kineto_oddities *odd, const struct ra_json *json);

/* If text was skipped and reading continued after it, reports that in *stop. Return: true if so. */
bool ra_kineto_notes_stop(struct rlog_error *stop, const struct ra_json *json,
                          const struct ra_kineto_input *input);

/* Reports why the file is not a trace. Return: -RLOG_E_NOT_A_LOG. */
int ra_kineto_notes_refuse(const struct ra_kineto_input *input, bool has_events,
                           const struct rlog_error *stop, struct rlog_error *err);

#endif
