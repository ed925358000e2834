/* SPDX-License-Identifier: MIT */
/* Names GPU operations in reports: kernels as --kernel-name asks, copies by kind, graphs by
 * number. */
#ifndef RA_OP_NAMES_H
#define RA_OP_NAMES_H

#include "analyzer/names/labels.h"
#include "analyzer/report/report.h"

/* Makes a key that all operations with the same name and kind share. */
uint64_t ra_op_names_find(const struct ra_report_input *input, const struct ra_gpu_op *op);

/* The kind that a key contains. */
enum ra_gpu_kind ra_op_names_kind(uint64_t key);

/* The text of a key, valid as long as the input's labels and the table. */
struct rlog_string ra_op_names_text(const struct ra_report_input *input, uint64_t key,
                                    struct ra_table *table);

/* The name that reports show for ranges with this label, which ra_labels_find() returned for the
 * input's labels. */
struct rlog_string ra_op_names_of_label(const struct ra_report_input *input, uint32_t label);

/* The name that reports show for ranges with this name. @id: string id of the name. */
struct rlog_string ra_op_names_label(const struct ra_report_input *input, uint32_t id);

/* The name of a single range, with its own number. */
struct rlog_string ra_op_names_single(const struct ra_report_input *input, uint32_t id);

/* The name that reports show for the range of this slice. */
struct rlog_string ra_op_names_range(const struct ra_report_input *input, uint32_t slice);

#endif
