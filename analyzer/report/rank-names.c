/* SPDX-License-Identifier: MIT */
/* One of several files as the input of a report: its model, and the labels of its names. */
#include "analyzer/report/rank-names.h"

#include <stdlib.h>

#include "analyzer/names/labels.h"
#include "format/error.h"

struct file {
	struct ra_labels labels; /* owned, if they have a model */
	struct ra_labels kernels;
};

struct ra_rank_names {
	size_t count;
	struct file files[]; /* by index of the file; that of input->model is not used */
};

static int make_labels(struct ra_labels *labels, const struct ra_model *model,
                       const struct ra_labels *like)
{
	return like == NULL || labels->model != NULL
	               ? 0
	               : ra_labels_init(labels, model, &like->options);
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

int ra_rank_names_input(struct ra_report_input *out, struct ra_report_input *input, size_t index)
{
	const size_t count = ra_report_file_count(input);
	struct file *file;
	int rc;

	*out = *input;
	out->model = ra_report_file_model(input, index);
	out->has_metrics = false;
	if (out->model == input->model) {
		return 0;
	}
	if (input->rank_names == NULL) {
		input->rank_names =
			calloc(1, sizeof(*input->rank_names) + count * sizeof(struct file));
		if (input->rank_names == NULL) {
			return -RLOG_E_NO_MEMORY;
		}
		input->rank_names->count = count;
		ra_report_keep(input, input->rank_names, destroy);
		out->rank_names = input->rank_names;
	}
	file = &input->rank_names->files[index];
	rc = make_labels(&file->labels, out->model, input->labels);
	if (rc == 0) {
		rc = make_labels(&file->kernels, out->model, input->kernels);
	}
	out->labels = input->labels == NULL ? NULL : &file->labels;
	out->kernels = input->kernels == NULL ? NULL : &file->kernels;
	return rc;
}

int ra_rank_names_status(const struct ra_report_input *input)
{
	const struct ra_rank_names *names = input->rank_names;
	bool has_failed =
		ra_labels_status(input->labels) != 0 || ra_labels_status(input->kernels) != 0;

	for (size_t i = 0; names != NULL && i < names->count; i++) {
		has_failed |= names->files[i].labels.has_failed;
		has_failed |= names->files[i].kernels.has_failed;
	}
	return has_failed ? -RLOG_E_NO_MEMORY : 0;
}
