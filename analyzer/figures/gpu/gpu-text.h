/* SPDX-License-Identifier: MIT */
/* Names of the GPU's operations, waits and overheads where each one is shown. */
#ifndef RA_GPU_TEXT_H
#define RA_GPU_TEXT_H

#include "analyzer/model/model.h"

/* Only names of kernels are longer. */
#define RA_GPU_TEXT_BYTES 96u

struct ra_gpu_text {
	const struct ra_model *model;
	struct rlog_string
		*kernels; /* owned, with their texts; by string id; set only for names of kernels */
	size_t count;
};

/* Demangles the names of kernels, once each. */
void ra_gpu_text_init(struct ra_gpu_text *text, const struct ra_model *model);
void ra_gpu_text_fini(struct ra_gpu_text *text);

/* A kernel's name by its string id; empty for ids that no kernel has. */
struct rlog_string ra_gpu_text_kernel(const struct ra_gpu_text *text, uint32_t id);

/*
 * The name of an operation, Kineto's where it has one: "Memcpy HtoD (Pinned -> Device)".
 *
 * @scratch: RA_GPU_TEXT_BYTES, for the name of anything but a kernel.
 */
struct rlog_string ra_gpu_text_op(const struct ra_gpu_text *text, const struct ra_gpu_op *op,
                                  char *scratch);

/* "Stream Sync". */
struct rlog_string ra_gpu_text_sync(uint8_t kind);

struct rlog_string ra_gpu_text_overhead(uint32_t kind);

/*
 * The name of a section of a kernel, "section 3" if it has none.
 *
 * @scratch: RA_GPU_TEXT_BYTES, for a name like the latter.
 */
struct rlog_string ra_gpu_text_section(const struct ra_model *model,
                                       const struct ra_gpu_section *section, char *scratch);

#endif
