/* SPDX-License-Identifier: MIT */
/* Makes the input of one of several files: its model and the labels of its names. */
#include "analyzer/report/rank-names.h"

#include <stdlib.h>

#include "analyzer/base/alloc.h"
#include "analyzer/names/labels.h"

struct file {
	struct ra_labels labels; /* owned, like `kernels`; not made yet if their model is NULL */
	struct ra_labels kernels;
};

struct ra_rank_names {
	size_t count;
	struct file files[]; /* by file index; the entry for input->model is not used */
};

static void make_labels(struct ra_labels *labels, const struct ra_model *model,
                        const struct ra_labels *like)
{
	if (like != NULL && labels->model == NULL) {
		ra_labels_init(labels, model, &like->options);
	}
}

static void destroy(void *thing)
{
	struct ra_rank_names *names = thing;

	for (size_t i = 0; i < names->count; i++) {
		ra_labels_fini(&names->files[i].labels);
		ra_labels_fini(&names->files[i].kernels);
	}
	free(names);
}

void ra_rank_names_input(struct ra_report_input *out, struct ra_report_input *input, size_t index)
{
	const size_t count = ra_report_file_count(input);
	struct file *file;

	*out = *input;
	out->model = ra_report_file_model(input, index);
	out->has_metrics = false;
	if (out->model == input->model) {
		return;
	}
	if (input->rank_names == NULL) {
		input->rank_names =
			ra_alloc_zeros(1, sizeof(*input->rank_names) + count * sizeof(struct file));
		input->rank_names->count = count;
		ra_report_keep(input, input->rank_names, destroy);
		out->rank_names = input->rank_names;
	}
	file = &input->rank_names->files[index];
	make_labels(&file->labels, out->model, input->labels);
	make_labels(&file->kernels, out->model, input->kernels);
	out->labels = input->labels == NULL ? NULL : &file->labels;
	out->kernels = input->kernels == NULL ? NULL : &file->kernels;
}
