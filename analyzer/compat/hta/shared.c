/* SPDX-License-Identifier: MIT */
/* Makes the results that several of HTA's reports share: for each rank, when the first report
 * asks. */
#include "analyzer/compat/hta/shared.h"

#include <stdlib.h>

#include "analyzer/base/alloc.h"

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

static struct ra_hta_shared *need(struct ra_hta_rank *rank)
{
	if (rank->shared == NULL) {
		rank->shared = ra_alloc_zeros(1, sizeof(*rank->shared));
	}
	return rank->shared;
}

const struct ra_hta_spans *ra_hta_shared_spans(struct ra_hta_rank *rank)
{
	struct ra_hta_shared *shared = need(rank);

	if (!shared->has_spans) {
		ra_hta_spans_init(&shared->spans, rank);
		shared->has_spans = true;
	}
	return &shared->spans;
}

const struct ra_hta_steps *ra_hta_shared_steps(struct ra_hta_rank *rank)
{
	struct ra_hta_shared *shared = need(rank);

	if (!shared->has_steps) {
		ra_hta_steps_init(&shared->steps, rank);
		shared->has_steps = true;
	}
	return &shared->steps;
}

const struct ra_hta_streams *ra_hta_shared_idle(struct ra_hta_rank *rank, double delay_us)
{
	struct ra_hta_shared *shared = need(rank);

	if (!shared->has_idle) {
		ra_hta_streams_idle(&shared->idle, rank, delay_us);
		shared->has_idle = true;
	}
	return &shared->idle;
}

const struct ra_hta_launches *ra_hta_shared_launches(struct ra_hta_rank *rank, bool with_memory)
{
	struct ra_hta_shared *shared = need(rank);

	if (!shared->has_launches) {
		ra_hta_kernels_launches(&shared->launches, rank, with_memory);
		shared->has_launches = true;
	}
	return &shared->launches;
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
