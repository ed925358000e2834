/* SPDX-License-Identifier: MIT */
/* `analyzer why`: finds the steps at the start that take longer only because they are the first. */
#ifndef RA_WHY_WARMUP_H
#define RA_WHY_WARMUP_H

#include "analyzer/base/text/util-text.h"
#include "analyzer/model/model.h"

struct ra_why_warmup {
	char only[24]; /* the other steps, as a value of --step: "1-" */
	char first[24];
	char last[24]; /* name of the last step that is left out; `first` is that of the first
	                  one */
	size_t count;  /* number of steps that warm up */
	int64_t sum_ns;
};

/*
 * Finds steps that warm up: steps at the start that take over 1.5 times the median. There must be
 * eight steps or more. At most a quarter of all steps may warm up. One of them must take over 1.5
 * times any other step. Together they must exceed as many median steps by at least 5 % of the whole
 * time. First uses, allocations and compiling make such steps long, which hides what the other
 * steps wait for (doc/metrics.md, section 22).
 *
 * @step_range: as in struct ra_steps_options. Return: false if no step warms up.
 */
bool ra_why_warmup_find(struct ra_why_warmup *warmup, const struct ra_model *model,
                        const char *step_range);

/* Appends "Step 0, of 488.4ms, warms up and is left out: --step 0- has it. " */
void ra_why_warmup_put(struct ra_util_text *text, const struct ra_why_warmup *warmup);

#endif
