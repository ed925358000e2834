/* SPDX-License-Identifier: MIT */
/* Writes the footer's line about kernels of CUDA graphs that the recording probably lacks. */
#ifndef RA_FOOTER_GRAPHS_H
#define RA_FOOTER_GRAPHS_H

#include "analyzer/base/text/util-text.h"
#include "analyzer/model/model.h"

/* The text after the time, which is also in the report "footer". */
extern const char ra_footer_graphs_words[];

/*
 * Returns the time for which GPUs did nothing before nodes of CUDA graphs that were launched long
 * before (ra_gpu_gaps_of_all_graphs). Return: ns; 0 if that is less than a hundredth of all
 * operations' time, which is too little to report.
 */
int64_t ra_footer_graphs_find(const struct ra_model *model);

/* Appends a line after `prefix`. Appends nothing if there is no such time. */
void ra_footer_graphs_put_text(struct ra_util_text *text, const struct ra_model *model,
                               const char *prefix);

/* Appends ,"graph_queued_ns":N. Appends nothing if there is no such time. */
void ra_footer_graphs_put_json(struct ra_util_text *text, const struct ra_model *model);

#endif
