/* SPDX-License-Identifier: MIT */
/* Writes folded stacks: one line "outer;inner WEIGHT" for each path of ranges, for flamegraph.pl,
 * inferno and others. Weights are self times in ns. */
#include <stdlib.h>

#include "analyzer/base/alloc.h"
#include "analyzer/timeline/pens/out.h"
#include "analyzer/timeline/stacks.h"

/* Writes a frame's name without ; because that ends a frame for readers, which know no escape for
 * it. */
static void put_frame(struct ra_util_text *line, struct rlog_string name)
{
	const size_t start = line->length;

	ra_util_text_put_name(line, name, RA_TEXT_TERMINAL);
	for (size_t i = start; i < line->length; i++) {
		line->bytes[i] = line->bytes[i] == ';' ? ',' : line->bytes[i];
	}
}

static void write_lines(const struct ra_stacks *stacks, bool is_gpu, struct ra_outbuf *out)
{
	const size_t depth = stacks->depth;
	uint32_t *path = ra_alloc_bytes((depth + 1) * sizeof(*path));
	struct ra_util_text line = { 0 };

	for (size_t i = 0; i < stacks->count; i++) {
		const struct ra_stacks_node *node = &stacks->nodes[i];
		const int64_t weight = is_gpu ? node->gpu_ns : node->cpu_ns;
		const size_t length =
			weight == 0 ? 0 : ra_stacks_find_path(stacks, (uint32_t) i, path, depth);

		ra_util_text_clear(&line);
		for (size_t p = 0; p < length; p++) {
			ra_util_text_put(&line, ";", p == 0 ? 0 : 1);
			put_frame(&line, stacks->nodes[path[p]].name);
		}
		if (length > 0) {
			ra_util_text_format(&line, " %lld\n", (long long) weight);
			ra_outbuf_put(out, line.bytes, line.length);
		}
	}
	ra_util_text_free(&line);
	free(path);
}

static void write(const struct ra_model *model, const struct ra_out_options *options,
                  struct ra_outbuf *out, bool is_gpu)
{
	struct ra_stacks stacks;

	ra_stacks_init(&stacks, model, &options->names);
	write_lines(&stacks, is_gpu, out);
	ra_stacks_fini(&stacks);
}

static void write_cpu(const struct ra_model *model, const struct ra_out_options *options,
                      struct ra_outbuf *out, struct ra_out_report *report)
{
	*report = (struct ra_out_report){ 0 };
	write(model, options, out, false);
}

static void write_gpu(const struct ra_model *model, const struct ra_out_options *options,
                      struct ra_outbuf *out, struct ra_out_report *report)
{
	*report = (struct ra_out_report){ 0 };
	write(model, options, out, true);
}

const struct ra_out out_folded = {
	.name = "folded",
	.summary = "self CPU time by path, for flame graphs;",
	.suffix = ".folded",
	.opens = "flamegraph.pl, inferno and speedscope read it",
	.has_figures = true,
	.walks = true,
	.once = true,
	.write = write_cpu,
};

const struct ra_out out_folded_gpu = {
	.name = "folded-gpu",
	.summary = "self GPU time",
	.suffix = ".gpu.folded",
	.opens = "flamegraph.pl, inferno and speedscope read it",
	.has_figures = true,
	.walks = true,
	.once = true,
	.write = write_gpu,
};
