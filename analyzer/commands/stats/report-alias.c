/* SPDX-License-Identifier: MIT */
/* Lists nsys' names for our reports: the names of `nsys stats`, new and old, and those of `nsys
 * analyze` and `nsys recipe`. */
#include "analyzer/commands/stats/report-alias.h"

#include <string.h>

static const struct ra_report_alias aliases[] = {
	{ "nvtx_sum", "ranges" },
	{ "nvtx_pushpop_sum", "ranges" },
	{ "nvtx_startend_sum", "ranges" },
	{ "nvtx_gpu_proj_sum", "range-projection-sum" },
	{ "nvtx_gpu_proj_trace", "range-projection" },
	{ "nvtx_kern_sum", "range-kernels" },
	{ "cuda_api_sum", "api" },
	{ "cuda_gpu_kern_sum", "kernels" },
	{ "cuda_gpu_mem_time_sum", "memcpy" },
	{ "cuda_gpu_mem_size_sum", "copy-sizes" },
	{ "cuda_api_gpu_sum", "spread" },
	{ "cuda_gpu_sum", "spread" },
	{ "cuda_gpu_trace", "launch" },
	{ "cuda_kern_exec_sum", "launch-calls" },
	{ "cuda_kern_exec_trace", "launch" },
	{ "osrt_sum", "os-calls" },
	{ "gpu_gaps", "gaps" },
	{ "gpu_time_util", "devices" },
	{ "cuda_api_sync", "gpu-sync" },
	{ "nccl_sum", "comm" },
	{ "nccl_straggler", "stragglers" },
	{ "nccl_gpu_overlap_trace", "overlap" },
	{ "nvtxsum", "ranges" },
	{ "nvtxppsum", "ranges" },
	{ "nvtxkernsum", "range-kernels" },
	{ "cudaapisum", "api" },
	{ "gpukernsum", "kernels" },
	{ "gpumemtimesum", "memcpy" },
	{ "gpumemsizesum", "copy-sizes" },
	{ "gputrace", "launch" },
	{ "kernexecsum", "launch-calls" },
	{ "kernexectrace", "launch" },
	{ "osrtsum", "os-calls" },
	{ NULL, NULL },
};

const struct ra_report_alias *ra_report_alias_borrow(void)
{
	return aliases;
}

const char *ra_report_alias_find(const char *name, size_t length)
{
	for (const struct ra_report_alias *alias = aliases; alias->theirs != NULL; alias++) {
		if (strlen(alias->theirs) == length && memcmp(alias->theirs, name, length) == 0) {
			return alias->ours;
		}
	}
	return NULL;
}
