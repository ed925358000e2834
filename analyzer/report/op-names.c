/* SPDX-License-Identifier: MIT */
/* Names GPU operations in reports, by keys. */
#include "analyzer/report/op-names.h"

#include "analyzer/base/util.h"

uint64_t ra_op_names_find(const struct ra_report_input *input, const struct ra_gpu_op *op)
{
	uint32_t low = 0;

	switch ((enum ra_gpu_kind) op->kind) {
	case RA_GPU_KERNEL:
		low = ra_labels_find(input->kernels, op->name);
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
	return (uint64_t) op->kind << 32 | low;
}

enum ra_gpu_kind ra_op_names_kind(uint64_t key)
{
	return (enum ra_gpu_kind)(key >> 32);
}

static struct rlog_string name_graph(uint32_t graph, struct ra_table *table)
{
	struct ra_util_text text = { 0 };

	if (graph == 0) {
		return ra_util_string("graph");
	}
	ra_util_text_format(&text, "graph %lu", (unsigned long) graph);
	return ra_table_take_text(table, &text);
}

struct rlog_string ra_op_names_text(const struct ra_report_input *input, uint64_t key,
                                    struct ra_table *table)
{
	const uint32_t low = (uint32_t) key;

	switch (ra_op_names_kind(key)) {
	case RA_GPU_KERNEL:
		return input->kernels != NULL ? ra_labels_name(input->kernels, low)
		                              : ra_model_string(input->model, low);
	case RA_GPU_COPY:
		return ra_util_string(ra_gpu_copy_name((uint8_t) low));
	case RA_GPU_GRAPH:
		return name_graph(low, table);
	case RA_GPU_SET:
	case RA_GPU_KINDS:
		break;
	}
	return ra_util_string("Memset");
}

struct rlog_string ra_op_names_of_label(const struct ra_report_input *input, uint32_t label)
{
	return input->labels != NULL ? ra_labels_name(input->labels, label)
	                             : ra_model_string(input->model, label);
}

struct rlog_string ra_op_names_label(const struct ra_report_input *input, uint32_t id)
{
	return ra_op_names_of_label(input, ra_labels_find(input->labels, id));
}

struct rlog_string ra_op_names_single(const struct ra_report_input *input, uint32_t id)
{
	return ra_op_names_of_label(input, ra_labels_find_single(input->labels, id));
}

struct rlog_string ra_op_names_range(const struct ra_report_input *input, uint32_t slice)
{
	return ra_op_names_label(input, input->model->slices.name[slice]);
}
