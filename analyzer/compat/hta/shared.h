/* SPDX-License-Identifier: MIT */
/* Results shared by several of HTA's reports, made for each rank when the first one asks. */
#ifndef RA_HTA_SHARED_H
#define RA_HTA_SHARED_H

#include "analyzer/compat/hta/kernels.h"
#include "analyzer/compat/hta/spans.h"
#include "analyzer/compat/hta/steps.h"
#include "analyzer/compat/hta/streams.h"

/* Results live as long as the rank; settings are the same each time. */
const struct ra_hta_spans *ra_hta_shared_spans(struct ra_hta_rank *rank);
const struct ra_hta_steps *ra_hta_shared_steps(struct ra_hta_rank *rank);
const struct ra_hta_streams *ra_hta_shared_idle(struct ra_hta_rank *rank, double delay_us);
const struct ra_hta_launches *ra_hta_shared_launches(struct ra_hta_rank *rank, bool with_memory);

/* NULL is allowed. */
void ra_hta_shared_destroy(struct ra_hta_shared *shared);

#endif
