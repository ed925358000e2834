/* SPDX-License-Identifier: MIT */
/* Makes threads, ranges, marks and GPU operations of a model from a Chrome trace's events. */
#ifndef RA_KINETO_MODEL_H
#define RA_KINETO_MODEL_H

#include "analyzer/rows/kineto.h"
#include "analyzer/model/model.h"

struct ra_kineto_model_options {
	bool with_python; /* make ranges of Python functions, too */
};

/* Fills a zeroed model, which then owns kineto. */
void ra_kineto_model_build(struct ra_model *model, struct ra_kineto *kineto,
                           const struct ra_kineto_model_options *options);

/* Fills model->gpu except for what linking finds (kineto-gpu.c). Tracks must be complete. */
void ra_kineto_model_build_gpu(struct ra_model *model);

/* The start in ns since time 0, and a duration that is not negative. */
static inline int64_t ra_kineto_model_start(const struct ra_kineto *kineto, uint32_t event)
{
	return ra_kineto_ts(kineto, event) - kineto->zero_ns;
}

static inline int64_t ra_kineto_model_dur(const struct ra_kineto *kineto, uint32_t event)
{
	return ra_kineto_dur(kineto, event) > 0 ? ra_kineto_dur(kineto, event) : 0;
}

#endif
