/* SPDX-License-Identifier: MIT */
/* Names of operations as Kineto writes them. */
#include "analyzer/figures/gpu/gpu-text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/util.h"
#include "analyzer/names/demangle.h"

/* A kernel's demangled name; release it with free(). */
static char *make_plain(struct rlog_string name)
{
	char *plain = NULL;

	ra_demangle_name(name, &plain);
	return plain != NULL ? plain : ra_util_copy(name.bytes, name.length);
}

void ra_gpu_text_init(struct ra_gpu_text *text, const struct ra_model *model)
{
	const struct ra_gpu *gpu = &model->gpu;

	*text = (struct ra_gpu_text){ .model = model };
	if (gpu->op_count == 0) {
		return;
	}
	text->kernels = ra_alloc_zeros(model->name_count + 1, sizeof(*text->kernels));
	text->count = model->name_count;
	for (size_t i = 0; i < gpu->op_count; i++) {
		const uint32_t id = gpu->ops[i].name;

		if (gpu->ops[i].kind == RA_GPU_KERNEL && id < text->count &&
		    text->kernels[id].bytes == NULL) {
			text->kernels[id] = ra_util_string(make_plain(ra_model_string(model, id)));
		}
	}
}

void ra_gpu_text_fini(struct ra_gpu_text *text)
{
	for (size_t i = 0; i < text->count; i++) {
		free((char *) text->kernels[i].bytes);
	}
	free(text->kernels);
	*text = (struct ra_gpu_text){ 0 };
}

struct rlog_string ra_gpu_text_kernel(const struct ra_gpu_text *text, uint32_t id)
{
	return id < text->count && text->kernels[id].bytes != NULL ? text->kernels[id]
	                                                           : ra_util_string("");
}

struct rlog_string ra_gpu_text_op(const struct ra_gpu_text *text, const struct ra_gpu_op *op,
                                  char *scratch)
{
	switch ((enum ra_gpu_kind) op->kind) {
	case RA_GPU_COPY:
		/* For copies between devices, the log has device numbers in the fields of memory
		 * kinds. */
		snprintf(scratch, RA_GPU_TEXT_BYTES, "%s (%s -> %s)",
		         ra_gpu_copy_name(op->copy_kind),
		         op->copy_kind == 10 ? "Device" : ra_gpu_memory_name(op->src_memory),
		         op->copy_kind == 10 ? "Device" : ra_gpu_memory_name(op->dst_memory));
		break;
	case RA_GPU_SET:
		snprintf(scratch, RA_GPU_TEXT_BYTES, "Memset (%s)",
		         ra_gpu_memory_name(op->dst_memory));
		break;
	case RA_GPU_GRAPH:
		snprintf(scratch, RA_GPU_TEXT_BYTES, "CUDA graph %" PRIu32, op->graph);
		break;
	case RA_GPU_KERNEL:
	default:
		return ra_gpu_text_kernel(text, op->name);
	}
	return ra_util_string(scratch);
}

struct rlog_string ra_gpu_text_sync(uint8_t kind)
{
	static const char *const names[] = { "Sync", "Event Sync", "Stream Wait Event",
		                             "Stream Sync", "Context Sync" };

	return ra_util_string(names[kind < sizeof(names) / sizeof(names[0]) ? kind : 0]);
}

struct rlog_string ra_gpu_text_overhead(uint32_t kind)
{
	return ra_util_string(ra_gpu_overhead_name(kind));
}

struct rlog_string ra_gpu_text_section(const struct ra_model *model,
                                       const struct ra_gpu_section *section, char *scratch)
{
	if (section->name != 0) {
		return ra_model_string(model, section->name);
	}
	snprintf(scratch, RA_GPU_TEXT_BYTES, "section %" PRIu32, section->id);
	return ra_util_string(scratch);
}
