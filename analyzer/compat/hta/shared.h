/* SPDX-License-Identifier: MIT */
/* Makes the results that several of HTA's reports share: for each rank, when the first report
 * asks. */
#ifndef RA_HTA_SHARED_H
#define RA_HTA_SHARED_H

#include "analyzer/compat/hta/kernels.h"
#include "analyzer/compat/hta/spans.h"
#include "analyzer/compat/hta/steps.h"
#include "analyzer/compat/hta/streams.h"

/* The results live as long as the rank. The settings must be the same in each call. */
const struct ra_hta_spans *ra_hta_shared_spans(struct ra_hta_rank *rank);
const struct ra_hta_steps *ra_hta_shared_steps(struct ra_hta_rank *rank);
const struct ra_hta_streams *ra_hta_shared_idle(struct ra_hta_rank *rank, double delay_us);
const struct ra_hta_launches *ra_hta_shared_launches(struct ra_hta_rank *rank, bool with_memory);

/* NULL is allowed. */
void ra_hta_shared_destroy(struct ra_hta_shared *shared);

#endif
