/* SPDX-License-Identifier: MIT */
/* What is odd about the text of a trace, in words: for `verify`, the footer, standard error. */
#ifndef RA_KINETO_NOTES_H
#define RA_KINETO_NOTES_H

#include "analyzer/json/json.h"
#include "analyzer/read-json/kineto-read.h"
#include "analyzer/rows/kineto-store.h"

/* Hands a finding to the caller who wants to know; @options may be NULL. */
void ra_kineto_notes_put(const struct ra_kineto_read_options *options, uint64_t offset,
                         const char *what);
void ra_kineto_notes_put_text(const struct ra_kineto_read_options *options, uint64_t offset,
                              enum ra_json_oddity oddity);

/* The same of what an event lacks. */
void ra_kineto_notes_put_row(const struct ra_kineto_read_options *options, uint64_t offset,
                             const struct ra_kineto_row *row);

/* Takes over what the tokenizer counted. */
/* Counts short kernels where a clock of whole us makes their times unsure. */
void ra_kineto_notes_count_short(struct ra_kineto *kineto);

void ra_kineto_notes_count(struct ra_kineto_oddities *odd, const struct ra_json *json);

/* Where text was left out and the reading went on behind it, says so as *stop. Return: true then.
 */
bool ra_kineto_notes_stop(struct rlog_error *stop, const struct ra_json *json,
                          const struct ra_kineto_input *input);

/* Why it is no trace. Return: -RLOG_E_NOT_A_LOG. */
int ra_kineto_notes_refuse(const struct ra_kineto_input *input, bool has_events,
                           const struct rlog_error *stop, struct rlog_error *err);

#endif
