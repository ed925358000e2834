/* SPDX-License-Identifier: MIT */
/* Writes the footer's line about kernels of CUDA graphs that the recording probably lacks. */
#include "analyzer/footer/footer-graphs.h"

#include "analyzer/base/util.h"
#include "analyzer/figures/gpu/gpu-gaps.h"

#define LEAST_PART 100 /* the gaps must take at least 1 / this of the GPU's time */

const char ra_footer_graphs_words[] = "idle ahead of CUDA graph nodes, likely kernels not recorded";

int64_t ra_footer_graphs_find(const struct ra_model *model)
{
	const int64_t idle_ns = ra_gpu_gaps_of_all_graphs(model);
	int64_t busy_ns = 0;

	for (size_t i = 0; i < model->gpu.op_count && idle_ns > 0; i++) {
		busy_ns = ra_util_add_time(busy_ns, model->gpu.ops[i].dur_ns);
	}
	return idle_ns > busy_ns / LEAST_PART ? idle_ns : 0;
}

void ra_footer_graphs_put_text(struct ra_util_text *text, const struct ra_model *model,
                               const char *prefix)
{
	const int64_t idle_ns = ra_footer_graphs_find(model);

	if (idle_ns > 0) {
		ra_util_text_format(text, "%sgpu: ", prefix);
		ra_util_text_put_time(text, idle_ns);
		ra_util_text_format(text, " %s\n", ra_footer_graphs_words);
	}
}

void ra_footer_graphs_put_json(struct ra_util_text *text, const struct ra_model *model)
{
	const int64_t idle_ns = ra_footer_graphs_find(model);

	if (idle_ns > 0) {
		ra_util_text_format(text, ",\"graph_queued_ns\":%lld", (long long) idle_ns);
	}
}
