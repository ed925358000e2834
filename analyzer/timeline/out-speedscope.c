/* SPDX-License-Identifier: MIT */
/* Writes flame graphs for speedscope: two profiles of the ranges' paths, by self CPU time and by
 * self GPU time. */
#include <stdlib.h>

#include "analyzer/base/alloc.h"
#include "analyzer/io/jsonw.h"
#include "analyzer/timeline/pens/out.h"
#include "analyzer/timeline/stacks.h"

static int64_t find_weight(const struct ra_stacks_node *node, bool is_gpu)
{
	return is_gpu ? node->gpu_ns : node->cpu_ns;
}

/* Writes the names in the order of frame numbers. Nodes with the same name share a frame. */
static void put_frames(struct ra_jsonw *json, const struct ra_stacks *stacks)
{
	struct rlog_string *names = ra_alloc_zeros(stacks->frame_count + 1, sizeof(*names));

	for (size_t i = 0; i < stacks->count; i++) {
		names[stacks->nodes[i].frame] = stacks->nodes[i].name;
	}
	ra_jsonw_key(json, "frames");
	ra_jsonw_open(json, '[');
	for (size_t f = 0; f < stacks->frame_count; f++) {
		ra_jsonw_open(json, '{');
		ra_jsonw_key(json, "name");
		/* A frame has no name if all of its nodes were too deep. */
		ra_jsonw_bytes(json, names[f].bytes == NULL ? "" : names[f].bytes, names[f].length);
		ra_jsonw_close(json, '}');
		ra_jsonw_newline(json);
	}
	ra_jsonw_close(json, ']');
	free(names);
}

static void put_samples(struct ra_jsonw *json, const struct ra_stacks *stacks, bool is_gpu)
{
	const size_t depth = stacks->depth;
	uint32_t *path = ra_alloc_bytes((depth + 1) * sizeof(*path));

	ra_jsonw_key(json, "samples");
	ra_jsonw_open(json, '[');
	for (size_t i = 0; i < stacks->count; i++) {
		const size_t length =
			find_weight(&stacks->nodes[i], is_gpu) == 0
				? 0
				: ra_stacks_find_path(stacks, (uint32_t) i, path, depth);

		if (length == 0) {
			continue;
		}
		ra_jsonw_open(json, '[');
		for (size_t p = 0; p < length; p++) {
			ra_jsonw_unsigned(json, stacks->nodes[path[p]].frame);
		}
		ra_jsonw_close(json, ']');
	}
	ra_jsonw_close(json, ']');
	free(path);
}

static void put_profile(struct ra_jsonw *json, const struct ra_stacks *stacks, bool is_gpu)
{
	int64_t sum_ns = 0;

	ra_jsonw_open(json, '{');
	ra_jsonw_key(json, "type");
	ra_jsonw_text(json, "sampled");
	ra_jsonw_key(json, "name");
	ra_jsonw_text(json, is_gpu ? "self GPU" : "self CPU");
	ra_jsonw_key(json, "unit");
	ra_jsonw_text(json, "nanoseconds");
	put_samples(json, stacks, is_gpu);
	ra_jsonw_newline(json);
	ra_jsonw_key(json, "weights");
	ra_jsonw_open(json, '[');
	for (size_t i = 0; i < stacks->count; i++) {
		const int64_t weight = find_weight(&stacks->nodes[i], is_gpu);

		if (weight != 0) {
			ra_jsonw_signed(json, weight);
			sum_ns += weight;
		}
	}
	ra_jsonw_close(json, ']');
	ra_jsonw_key(json, "startValue");
	ra_jsonw_unsigned(json, 0);
	ra_jsonw_key(json, "endValue");
	ra_jsonw_signed(json, sum_ns);
	ra_jsonw_close(json, '}');
	ra_jsonw_newline(json);
}

static void put_all(struct ra_jsonw *json, const struct ra_stacks *stacks, bool has_gpu)
{
	ra_jsonw_open(json, '{');
	ra_jsonw_key(json, "$schema");
	ra_jsonw_text(json, "https://www.speedscope.app/file-format-schema.json");
	ra_jsonw_key(json, "exporter");
	ra_jsonw_text(json, "libranges analyzer");
	ra_jsonw_key(json, "shared");
	ra_jsonw_open(json, '{');
	put_frames(json, stacks);
	ra_jsonw_close(json, '}');
	ra_jsonw_newline(json);
	ra_jsonw_key(json, "profiles");
	ra_jsonw_open(json, '[');
	put_profile(json, stacks, false);
	if (has_gpu) {
		put_profile(json, stacks, true);
	}
	ra_jsonw_close(json, ']');
	ra_jsonw_close(json, '}');
	ra_jsonw_newline(json);
}

static void write(const struct ra_model *model, const struct ra_out_options *options,
                  struct ra_outbuf *out, struct ra_out_report *report)
{
	struct ra_stacks stacks;
	struct ra_jsonw json;

	ra_stacks_init(&stacks, model, &options->names);
	*report = (struct ra_out_report){ 0 };
	ra_jsonw_init(&json, out);
	put_all(&json, &stacks, model->gpu.op_count > 0);
	ra_stacks_fini(&stacks);
}

const struct ra_out out_speedscope = {
	.name = "speedscope",
	.summary = "both, for speedscope",
	.suffix = ".speedscope.json",
	.opens = "https://www.speedscope.app opens it",
	.has_figures = true,
	.walks = true,
	.once = true,
	.write = write,
};
