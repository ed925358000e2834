/* SPDX-License-Identifier: MIT */
/* Makes the names by which reports show operations of GPUs, waits and overheads. */
#ifndef RA_GPU_TEXT_H
#define RA_GPU_TEXT_H

#include "analyzer/model/model.h"

/* Names that take more bytes than this are only names of kernels. */
#define RA_GPU_TEXT_BYTES 96u

struct ra_gpu_text {
	const struct ra_model *model;
	struct rlog_string *kernels; /* owned, with their texts; for each string id; set only for
	                                names of kernels */
	size_t count;
};

/* Demangles the names of kernels, each once. */
void ra_gpu_text_init(struct ra_gpu_text *text, const struct ra_model *model);
void ra_gpu_text_fini(struct ra_gpu_text *text);

/* Returns a kernel's name by its string id; empty for ids that no kernel has. */
struct rlog_string ra_gpu_text_kernel(const struct ra_gpu_text *text, uint32_t id);

/*
 * Returns the name of an operation; Kineto's where it has one: "Memcpy HtoD (Pinned -> Device)".
 *
 * @scratch: RA_GPU_TEXT_BYTES, for the name of anything but a kernel.
 */
struct rlog_string ra_gpu_text_op(const struct ra_gpu_text *text, const struct ra_gpu_op *op,
                                  char *scratch);

/* Returns the name of a kind of wait, such as "Stream Sync". */
struct rlog_string ra_gpu_text_sync(uint8_t kind);

struct rlog_string ra_gpu_text_overhead(uint32_t kind);

/*
 * Returns the name of a section of a kernel; "section 3" if the section has none.
 *
 * @scratch: RA_GPU_TEXT_BYTES, for a name such as "section 3".
 */
struct rlog_string ra_gpu_text_section(const struct ra_model *model,
                                       const struct ra_gpu_section *section, char *scratch);

#endif
