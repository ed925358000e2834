/* SPDX-License-Identifier: MIT */
/* The names of a model, escaped for JSON once; as they are, or as tables have them. */
#include <stdlib.h>

#include "analyzer/base/alloc.h"
#include "analyzer/figures/gpu/gpu-text.h"
#include "analyzer/timeline/out-perfetto.h"

/* Room for one more name of this length. */
static void reserve(struct ra_out_perfetto_names *names, size_t used, size_t *capacity,
                    uint32_t length)
{
	const size_t wanted = used + (size_t) length * RA_UTIL_JSON_GROWTH;

	if (wanted > *capacity) {
		*capacity = wanted * 2;
		names->bytes = ra_alloc_resize(names->bytes, *capacity, 1);
	}
}

/* Where names come from; both NULL: the model as it is. */
struct source {
	struct ra_labels *labels;
	const struct ra_gpu_text *kernels;
};

static struct rlog_string find_text(const struct ra_model *model, const struct source *source,
                                    uint32_t name)
{
	struct ra_labels *labels = source->labels;

	if (source->kernels != NULL) {
		return ra_gpu_text_kernel(source->kernels, name);
	}
	if (name == model->name_count) { /* stands for all ids that are not in the file */
		return (struct rlog_string){ "(string lost)", 13, 13 };
	}
	if (labels == NULL) {
		return ra_model_string(model, name);
	}
	return ra_labels_name(labels, ra_labels_find(labels, name));
}

static void fill(struct ra_out_perfetto_names *names, const struct ra_model *model,
                 const struct source *source)
{
	size_t capacity = 0;
	size_t used = 0;

	*names = (struct ra_out_perfetto_names){ .count = model->name_count };
	names->ends = ra_alloc_zeros(names->count + 2, sizeof(*names->ends));
	for (size_t i = 0; i <= names->count; i++) {
		const struct rlog_string name = find_text(model, source, (uint32_t) i);

		reserve(names, used, &capacity, name.length + 1);
		used = (size_t) (ra_util_json_escape(names->bytes + used, name.bytes, name.length) -
		                 names->bytes);
		names->ends[i + 1] = used;
	}
}

void ra_out_perfetto_names_init(struct ra_out_perfetto_names *names, const struct ra_model *model,
                                struct ra_labels *labels)
{
	const struct source source = { .labels = labels };

	fill(names, model, &source);
}

void ra_out_perfetto_names_init_kernels(struct ra_out_perfetto_names *names,
                                        const struct ra_model *model,
                                        const struct ra_gpu_text *kernels)
{
	const struct source source = { .kernels = kernels };

	fill(names, model, &source);
}

void ra_out_perfetto_names_fini(struct ra_out_perfetto_names *names)
{
	free(names->bytes);
	free(names->ends);
	*names = (struct ra_out_perfetto_names){ 0 };
}
