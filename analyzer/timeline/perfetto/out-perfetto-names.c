/* SPDX-License-Identifier: MIT */
/* Prepares the names of a drawing: unchanged names, names as in tables, operators without their
 * arguments, kernels. */
#include <stdlib.h>

#include "analyzer/base/alloc.h"
#include "analyzer/timeline/perfetto/out-perfetto-gpu.h"

/* Finds the name of an operator that contains no arguments. emit_nvtx() adds none to operators that
 * need no gradient. */
static struct rlog_string find_operator(struct ra_out_perfetto *perfetto, uint32_t name)
{
	const struct rlog_string text = ra_model_string(perfetto->model, name);

	return ra_out_perfetto_is(perfetto, name, RA_OUT_PERFETTO_OPERATOR) &&
	                       ra_split_name(text, &perfetto->split)
	               ? perfetto->split.op
	               : text;
}

static struct rlog_string find(void *context, enum ra_pen_table table, uint32_t name)
{
	struct ra_out_perfetto *perfetto = context;

	if (table == RA_PEN_KERNELS) {
		return ra_gpu_text_kernel(&perfetto->gpu->text, name);
	}
	/* this entry is used for all ids that are not in the file */
	if (name >= perfetto->model->name_count) {
		return (struct rlog_string){ "(string lost)", 13, 13 };
	}
	if (table == RA_PEN_NAMES) {
		return ra_model_string(perfetto->model, name);
	}
	return perfetto->has_labels
	               ? ra_labels_name(&perfetto->labels, ra_labels_find(&perfetto->labels, name))
	               : find_operator(perfetto, name);
}

static uint8_t classify(struct rlog_string name, struct ra_split *split)
{
	if (name.bytes == NULL) {
		return 0;
	}
	if (ra_split_name(name, split)) {
		return RA_OUT_PERFETTO_FIELDS | (split->is_operator ? RA_OUT_PERFETTO_OPERATOR : 0);
	}
	return name.length > 6 && memcmp(name.bytes, "aten::", 6) == 0 ? RA_OUT_PERFETTO_OPERATOR
	                                                               : 0;
}

void ra_out_perfetto_names_init(struct ra_out_perfetto *perfetto,
                                const struct ra_out_options *options)
{
	const struct ra_model *model = perfetto->model;
	uint8_t all = 0;

	perfetto->name_kinds = ra_alloc_zeros(model->string_count + 1, 1);
	for (size_t i = 1; i < model->string_count; i++) {
		perfetto->name_kinds[i] = classify(model->strings[i], &perfetto->split);
		all |= perfetto->name_kinds[i];
	}
	if (all == 0) {
		free(perfetto->name_kinds);
		perfetto->name_kinds = NULL;
	}
	perfetto->has_labels = !options->names.is_raw || options->names.rename != NULL;
	if (perfetto->has_labels) { /* if --rename changed the name, it is shown completely */
		ra_labels_init(&perfetto->labels, model, &options->names);
	}
	perfetto->shown = perfetto->has_labels || (options->has_plain_operators && all != 0)
	                          ? RA_PEN_SHOWN
	                          : RA_PEN_NAMES;
}

void ra_out_perfetto_names_begin(struct ra_out_perfetto *perfetto, struct ra_pen_names *names)
{
	const size_t count = perfetto->model->name_count;

	*names = (struct ra_pen_names){
		.counts = { count, perfetto->shown == RA_PEN_SHOWN ? count : 0,
		            perfetto->gpu != NULL ? count : 0 },
		.find = find,
		.context = perfetto,
	};
	perfetto->pen->begin(perfetto->pen, names);
}

void ra_out_perfetto_names_fini(struct ra_out_perfetto *perfetto)
{
	free(perfetto->name_kinds);
	if (perfetto->has_labels) {
		ra_labels_fini(&perfetto->labels);
	}
}
