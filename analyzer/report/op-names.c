/* SPDX-License-Identifier: MIT */
/* Keys and texts of GPU operations. */
#include "analyzer/report/op-names.h"

#include "analyzer/base/util.h"
#include "format/error.h"

int ra_op_names_find(const struct ra_report_input *input, const struct ra_gpu_op *op, uint64_t *key)
{
	uint32_t low = 0;
	int rc = 0;

	switch ((enum ra_gpu_kind) op->kind) {
	case RA_GPU_KERNEL:
		low = op->name;
		if (input->kernels != NULL) {
			rc = ra_labels_find(input->kernels, op->name, &low);
		}
		break;
	case RA_GPU_COPY:
		low = op->copy_kind;
		break;
	case RA_GPU_GRAPH:
		low = op->graph;
		break;
	case RA_GPU_SET:
	case RA_GPU_KINDS:
		break;
	}
	*key = (uint64_t) op->kind << 32 | low;
	return rc;
}

enum ra_gpu_kind ra_op_names_kind(uint64_t key)
{
	return (enum ra_gpu_kind)(key >> 32);
}

static int name_graph(uint32_t graph, struct ra_table *table, struct rlog_string *name)
{
	struct ra_util_text text = { 0 };
	int rc;

	if (graph == 0) {
		*name = ra_util_string("graph");
		return 0;
	}
	ra_util_text_format(&text, "graph %lu", (unsigned long) graph);
	rc = text.failed ? -RLOG_E_NO_MEMORY
	                 : ra_table_keep_text(table, text.bytes, text.length, name);
	ra_util_text_free(&text);
	return rc;
}

int ra_op_names_text(const struct ra_report_input *input, uint64_t key, struct ra_table *table,
                     struct rlog_string *name)
{
	const uint32_t low = (uint32_t) key;

	switch (ra_op_names_kind(key)) {
	case RA_GPU_KERNEL:
		*name = input->kernels != NULL ? ra_labels_name(input->kernels, low)
		                               : ra_model_string(input->model, low);
		return 0;
	case RA_GPU_COPY:
		*name = ra_util_string(ra_gpu_copy_name((uint8_t) low));
		return 0;
	case RA_GPU_GRAPH:
		return name_graph(low, table, name);
	case RA_GPU_SET:
	case RA_GPU_KINDS:
		break;
	}
	*name = ra_util_string("Memset");
	return 0;
}

int ra_op_names_label(const struct ra_report_input *input, uint32_t id, struct rlog_string *name)
{
	uint32_t label;
	int rc = 0;

	if (input->labels == NULL) {
		*name = ra_model_string(input->model, id);
	} else {
		rc = ra_labels_find(input->labels, id, &label);
		if (rc == 0) {
			*name = ra_labels_name(input->labels, label);
		}
	}
	return rc;
}

int ra_op_names_range(const struct ra_report_input *input, uint32_t slice, struct rlog_string *name)
{
	return ra_op_names_label(input, input->model->slices.name[slice], name);
}
