/* SPDX-License-Identifier: MIT */
/* Splits the time from a launch call to the end of its operation. */
#include "analyzer/read-log/gpu/gpu-launch.h"

#include "analyzer/base/alloc.h"
#include "analyzer/base/util.h"

static int64_t no_less_than_0(int64_t time_ns)
{
	return time_ns > 0 ? time_ns : 0;
}

bool ra_gpu_launch_find(const struct ra_gpu *gpu, const struct ra_gpu_op *op,
                        struct ra_gpu_launch *out)
{
	const struct ra_gpu_api *api;
	int64_t delay_ns;

	if (op->api == RA_NONE) {
		return false;
	}
	api = &gpu->apis[op->api];
	delay_ns = op->start_ns - api->start_ns;
	*out = (struct ra_gpu_launch){
		.api_ns = api->dur_ns,
		.queue_ns = no_less_than_0(delay_ns - api->dur_ns),
		.run_ns = op->dur_ns,
		.is_backwards = delay_ns < 0,
	};
	out->launch_ns = no_less_than_0(delay_ns) - out->queue_ns;
	return true;
}

uint32_t *ra_gpu_launch_firsts(const struct ra_gpu *gpu)
{
	uint32_t *firsts = ra_alloc_bytes((gpu->api_count + 1) * sizeof(*firsts));

	for (size_t i = 0; i < gpu->api_count; i++) {
		firsts[i] = RA_NONE;
	}
	for (size_t i = 0; i < gpu->op_count; i++) {
		const struct ra_gpu_op *op = &gpu->ops[i];

		if (op->api != RA_NONE && (firsts[op->api] == RA_NONE ||
		                           op->start_ns < gpu->ops[firsts[op->api]].start_ns)) {
			firsts[op->api] = (uint32_t) i;
		}
	}
	return firsts;
}

void ra_gpu_launch_add(struct ra_gpu_launch_sum *sum, const struct ra_gpu *gpu, size_t op,
                       const uint32_t *firsts)
{
	struct ra_gpu_launch launch;

	if (!ra_gpu_launch_find(gpu, &gpu->ops[op], &launch)) {
		sum->no_call++;
		return;
	}
	sum->ops++;
	sum->backwards += launch.is_backwards;
	if (firsts[gpu->ops[op].api] == op) {
		sum->calls++;
		sum->api_ns = ra_util_add_time(sum->api_ns, launch.api_ns);
		sum->launch_ns = ra_util_add_time(sum->launch_ns, launch.launch_ns);
	}
	sum->queue_ns = ra_util_add_time(sum->queue_ns, launch.queue_ns);
	sum->run_ns = ra_util_add_time(sum->run_ns, launch.run_ns);
	if (launch.queue_ns > sum->queue_max_ns) {
		sum->queue_max_ns = launch.queue_ns;
	}
}
