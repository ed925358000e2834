/* SPDX-License-Identifier: MIT */
/* Lists facts about ranks, waits and collectives that a trace could contain, but does not. */
#include "analyzer/footer/footer-lacks.h"

#include "analyzer/base/text/util-string.h"
#include "analyzer/figures/collectives.h"
#include "analyzer/model/model-rows.h"
#include "analyzer/rows/kineto.h"

static void find_ranks(struct ra_footer_lack *lack, const struct ra_model *model, size_t file_count)
{
	const int64_t ranks = model->kineto->world_size;

	if (ranks > 1 && (uint64_t) ranks > file_count) {
		lack->key = "ranks_missing";
		ra_util_text_format(&lack->text,
		                    "%zu of %lld ranks %s here: which rank comes last, and how "
		                    "long others wait for it, is not known",
		                    file_count, (long long) ranks, file_count == 1 ? "is" : "are");
	}
}

/* The number of calls that make a stream wait for an event. */
static uint64_t count_waits(const struct ra_gpu *gpu, const struct ra_model *model)
{
	uint64_t count = 0;

	for (size_t i = 0; i < gpu->api_count; i++) {
		const struct rlog_string name = ra_model_string(model, gpu->apis[i].name);

		count += ra_util_string_has_prefix(name, "cu") &&
		         ra_util_string_has(name, "StreamWaitEvent");
	}
	return count;
}

static void find_waits(struct ra_footer_lack *lack, const struct ra_model *model)
{
	const uint64_t count = model->gpu.sync_count == 0 ? count_waits(&model->gpu, model) : 0;

	if (count > 0) {
		lack->key = "no_sync";
		lack->count = count;
		ra_util_text_format(&lack->text,
		                    "calls of cudaStreamWaitEvent, but no records of "
		                    "synchronization (cuda_sync): which stream or event is waited "
		                    "for is not known (enable_cuda_sync_events=True)");
	}
}

static void find_sizes(struct ra_footer_lack *lack, const struct ra_model *model)
{
	const struct ra_files files = { .model = model };
	struct ra_collectives collectives;

	ra_collectives_init(&collectives, &files);
	for (size_t i = 0; i < collectives.ranks[0].count; i++) {
		lack->count += collectives.ranks[0].calls[i].bytes < 0;
	}
	ra_collectives_fini(&collectives);
	if (lack->count > 0) {
		lack->key = "no_collective_sizes";
		ra_util_text_format(&lack->text, "kernels of collectives have no size: their "
		                                 "bandwidth is not known");
	}
}

size_t ra_footer_lacks_find(const struct ra_model *model, size_t file_count,
                            struct ra_footer_lack *lacks)
{
	struct ra_footer_lack found[RA_FOOTER_LACKS] = { 0 };
	size_t count = 0;

	if (!ra_model_has(model, RA_HAS_ROWS)) {
		return 0;
	}
	find_ranks(&found[0], model, file_count);
	find_waits(&found[1], model);
	find_sizes(&found[2], model);
	for (size_t i = 0; i < RA_FOOTER_LACKS; i++) {
		if (found[i].key != NULL) {
			ra_util_text_put_char(&found[i].text, '\0');
			lacks[count++] = found[i];
		}
	}
	return count;
}
