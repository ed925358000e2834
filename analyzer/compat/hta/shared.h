/* SPDX-License-Identifier: MIT */
/* What several of HTA's reports are made from, made for each rank when the first one asks. */
#ifndef RA_HTA_SHARED_H
#define RA_HTA_SHARED_H

#include "analyzer/compat/hta/kernels.h"
#include "analyzer/compat/hta/spans.h"
#include "analyzer/compat/hta/steps.h"
#include "analyzer/compat/hta/streams.h"

/* All return 0 or -RLOG_E_NO_MEMORY. Results live as long as the rank; settings are the same each
 * time. */
void ra_hta_shared_spans(struct ra_hta_rank *rank, const struct ra_hta_spans **spans);
void ra_hta_shared_steps(struct ra_hta_rank *rank, const struct ra_hta_steps **steps);
void ra_hta_shared_idle(struct ra_hta_rank *rank, double delay_us,
                        const struct ra_hta_streams **streams);
void ra_hta_shared_launches(struct ra_hta_rank *rank, bool with_memory,
                            const struct ra_hta_launches **launches);

/* NULL is allowed. */
void ra_hta_shared_destroy(struct ra_hta_shared *shared);

#endif
