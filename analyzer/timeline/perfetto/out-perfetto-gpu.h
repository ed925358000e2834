/* SPDX-License-Identifier: MIT */
/* State of drawing the GPUs. */
#ifndef RA_OUT_PERFETTO_GPU_H
#define RA_OUT_PERFETTO_GPU_H

#include "analyzer/figures/gpu/gpu-order.h"
#include "analyzer/figures/gpu/gpu-text.h"
#include "analyzer/timeline/perfetto/out-perfetto.h"

struct ra_out_perfetto_gpu {
	struct ra_out_perfetto *perfetto; /* borrowed */
	struct ra_gpu_text text;          /* owned */
	struct ra_gpu_order order;        /* owned */
	/* Owned; by API call: the number of operations that arrows from the call may still go to,
	 * with marks of out-perfetto-gpu.c. */
	uint32_t *arrows;
};

/* Draws the counters of a device. */
void ra_out_perfetto_gpu_counters_put(struct ra_out_perfetto_gpu *gpu, uint32_t device,
                                      uint32_t pid);

#endif
