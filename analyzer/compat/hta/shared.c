/* SPDX-License-Identifier: MIT */
/* What several of HTA's reports are made from, made for each rank when the first one asks. */
#include "analyzer/compat/hta/shared.h"

#include <stdlib.h>

#include "format/error.h"

struct ra_hta_shared {
	bool has_spans;
	bool has_steps;
	bool has_idle;
	bool has_launches;
	struct ra_hta_spans spans;
	struct ra_hta_steps steps;
	struct ra_hta_streams idle;
	struct ra_hta_launches launches;
};

/* Return: NULL if there is no memory. */
static struct ra_hta_shared *need(struct ra_hta_rank *rank)
{
	if (rank->shared == NULL) {
		rank->shared = calloc(1, sizeof(*rank->shared));
	}
	return rank->shared;
}

int ra_hta_shared_spans(struct ra_hta_rank *rank, const struct ra_hta_spans **spans)
{
	struct ra_hta_shared *shared = need(rank);
	int rc = shared == NULL ? -RLOG_E_NO_MEMORY : 0;

	if (rc == 0 && !shared->has_spans) {
		rc = ra_hta_spans_init(&shared->spans, rank);
		shared->has_spans = true;
	}
	*spans = rc == 0 ? &shared->spans : NULL;
	return rc;
}

int ra_hta_shared_steps(struct ra_hta_rank *rank, const struct ra_hta_steps **steps)
{
	struct ra_hta_shared *shared = need(rank);
	int rc = shared == NULL ? -RLOG_E_NO_MEMORY : 0;

	if (rc == 0 && !shared->has_steps) {
		rc = ra_hta_steps_init(&shared->steps, rank);
		shared->has_steps = true;
	}
	*steps = rc == 0 ? &shared->steps : NULL;
	return rc;
}

int ra_hta_shared_idle(struct ra_hta_rank *rank, double delay_us,
                       const struct ra_hta_streams **streams)
{
	struct ra_hta_shared *shared = need(rank);
	int rc = shared == NULL ? -RLOG_E_NO_MEMORY : 0;

	if (rc == 0 && !shared->has_idle) {
		rc = ra_hta_streams_idle(&shared->idle, rank, delay_us);
		shared->has_idle = true;
	}
	*streams = rc == 0 ? &shared->idle : NULL;
	return rc;
}

int ra_hta_shared_launches(struct ra_hta_rank *rank, bool with_memory,
                           const struct ra_hta_launches **launches)
{
	struct ra_hta_shared *shared = need(rank);
	int rc = shared == NULL ? -RLOG_E_NO_MEMORY : 0;

	if (rc == 0 && !shared->has_launches) {
		rc = ra_hta_kernels_launches(&shared->launches, rank, with_memory);
		shared->has_launches = true;
	}
	*launches = rc == 0 ? &shared->launches : NULL;
	return rc;
}

void ra_hta_shared_destroy(struct ra_hta_shared *shared)
{
	if (shared != NULL) {
		ra_hta_spans_fini(&shared->spans);
		ra_hta_steps_fini(&shared->steps);
		ra_hta_streams_fini(&shared->idle);
		free(shared->launches.rows);
	}
	free(shared);
}
