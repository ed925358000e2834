/* SPDX-License-Identifier: MIT */
/* What PyTorch's TensorBoard plugin recommended, with evidence and without its faults. */
#include "analyzer/advice/advice.h"

#include <math.h>
#include <string.h>

#include "analyzer/names/op-kinds.h"
#include "analyzer/base/util-string.h"
#include "analyzer/rows/kineto.h"
#include "analyzer/compat/tb/events.h"
#include "analyzer/names/tensor.h"
#include "analyzer/base/util.h"
#include "format/error.h"

static double share_of_steps(const struct ra_advice *advice, enum ra_role role)
{
	const double *mean = advice->steps->mean.role;

	return mean[RA_ROLE_TOTAL] > 0 ? mean[role] / mean[RA_ROLE_TOTAL] : 0;
}

static int advise_loading(const struct ra_advice *advice)
{
	const struct ra_advice_rule rule = {
		"dataloader", share_of_steps(advice, RA_ROLE_DATALOADER), 0.05, "of steps",
		"much of the steps is loading of data: load in worker processes"
	};
	struct ra_advice_evidence evidence = { 0 };
	int rc = 0;

	if (rule.value > rule.threshold) {
		rc = ra_advice_note_ranges(&evidence, advice, ra_op_kinds_is_loader);
		if (rc == 0) {
			rc = ra_advice_add(advice, &rule, &evidence, NULL);
		}
	}
	ra_advice_evidence_fini(&evidence);
	return rc;
}

static int note_collectives(struct ra_advice_evidence *evidence, const struct ra_advice *advice)
{
	const struct ra_gpu *gpu = &advice->model->gpu;
	int rc = 0;

	for (size_t i = 0; i < gpu->op_count && rc == 0; i++) {
		struct ra_advice_event event;

		if (ra_steps_is_collective(advice->model, &gpu->ops[i])) {
			rc = ra_advice_read_op(advice, &gpu->ops[i], &event);
			if (rc == 0) {
				rc = ra_advice_note(evidence, advice, &event);
			}
		}
	}
	return rc;
}

static int advise_communication(const struct ra_advice *advice)
{
	const struct ra_advice_rule rule = {
		"communication", share_of_steps(advice, RA_ROLE_COMMUNICATION), 0.1, "of steps",
		"much of the steps is communication that no kernel hides: compress or accumulate "
		"gradients, or use larger batches"
	};
	struct ra_advice_evidence evidence = { 0 };
	int rc = 0;

	if (rule.value > rule.threshold) {
		rc = note_collectives(&evidence, advice);
		if (rc == 0) {
			rc = ra_advice_note_ranges(&evidence, advice, ra_op_kinds_is_gloo);
		}
		if (rc == 0 && advice->model->gpu.op_count == 0) {
			rc = ra_advice_note_ranges(&evidence, advice, ra_op_kinds_is_nccl);
		}
		if (rc == 0) {
			rc = ra_advice_add(advice, &rule, &evidence, NULL);
		}
	}
	ra_advice_evidence_fini(&evidence);
	return rc;
}

static bool is_data_parallel(struct rlog_string name)
{
	return ra_util_string_is(name, "DataParallel.forward");
}

static bool is_distributed(struct rlog_string name)
{
	return ra_util_string_is(name, "DistributedDataParallel.forward");
}

/* Devices that ran anything. */
static size_t count_devices(const struct ra_gpu *gpu)
{
	size_t count = 0;
	uint32_t last = RA_NONE;

	for (size_t q = 0; q < gpu->queue_count; q++) {
		if (gpu->queues[q].op_count > 0 && gpu->queues[q].device != last) {
			last = gpu->queues[q].device;
			count++;
		}
	}
	return count;
}

static int advise_parallel(const struct ra_advice *advice)
{
	const struct ra_advice_rule rule = {
		"data_parallel", (double) count_devices(&advice->model->gpu), 1, "GPUs",
		"DataParallel copies the model to each GPU in every step, from one process: use "
		"DistributedDataParallel"
	};
	struct ra_advice_evidence evidence = { 0 };
	int rc = 0;

	if (rule.value > rule.threshold) {
		rc = ra_advice_note_ranges(&evidence, advice, is_data_parallel);
		if (rc == 0 && evidence.count > 0) {
			rc = ra_advice_add(advice, &rule, &evidence, NULL);
		}
	}
	ra_advice_evidence_fini(&evidence);
	return rc;
}

/* True if some GPU can use NCCL: compute capability 3.5, or one that nothing is known of. */
static bool has_capable_device(const struct ra_gpu *gpu)
{
	for (size_t i = 0; i < gpu->device_count; i++) {
		const struct ra_occupancy_device *limits = &gpu->devices[i].limits;

		if (limits->cc_major == 0 || limits->cc_major > 3 ||
		    (limits->cc_major == 3 && limits->cc_minor >= 5)) {
			return true;
		}
	}
	return gpu->device_count == 0;
}

/* What the trace says the ranks talk by; empty: nothing. */
static struct rlog_string find_backend(const struct ra_kineto *kineto)
{
	const struct rlog_string none = { "", 0, 0 };

	return kineto != NULL && kineto->backend != 0 ? ra_kineto_string(kineto, kineto->backend)
	                                              : none;
}

static int tell_backend(const struct ra_advice *advice, const struct ra_advice_evidence *gloo,
                        const struct ra_advice_evidence *ddp)
{
	const struct ra_advice_rule rule = {
		"nccl", NAN, NAN, NULL,
		"ranks with GPUs do not talk by NCCL: it is the fastest backend for them "
		"(init_process_group(\"nccl\"))"
	};
	const struct rlog_string backend = find_backend(advice->model->kineto);
	struct ra_util_text words = { 0 };
	int rc;

	if (backend.length > 0) {
		ra_util_text_format(&words, "backend ");
		ra_util_text_put(&words, backend.bytes, backend.length);
	} else if (gloo->name_count > 0) {
		ra_util_text_put(&words, gloo->longest.name.bytes, gloo->longest.name.length);
		ra_util_text_format(&words, " and the like");
	}
	rc = ra_advice_add(advice, &rule, gloo->count > 0 ? gloo : ddp, &words);
	ra_util_text_free(&words);
	return rc;
}

/*
 * Holds where ranks are known to work together, one has a GPU, and what is known of their
 * communication is something else than NCCL. The plugin only looks for ranges.
 */
static int advise_backend(const struct ra_advice *advice)
{
	const struct ra_kineto *kineto = advice->model->kineto;
	const struct rlog_string backend = find_backend(kineto);
	struct ra_advice_evidence nccl = { 0 };
	struct ra_advice_evidence gloo = { 0 };
	struct ra_advice_evidence ddp = { 0 };
	int rc = 0;

	if (advice->model->gpu.op_count == 0 || !has_capable_device(&advice->model->gpu) ||
	    memmem(backend.bytes, backend.length, "nccl", 4) != NULL) {
		return 0;
	}
	rc = note_collectives(&nccl, advice);
	if (rc == 0) {
		rc = ra_advice_note_ranges(&nccl, advice, ra_op_kinds_is_nccl);
	}
	if (rc == 0) {
		rc = ra_advice_note_ranges(&gloo, advice, ra_op_kinds_is_gloo);
	}
	if (rc == 0) {
		rc = ra_advice_note_ranges(&ddp, advice, is_distributed);
	}
	if (rc == 0 && nccl.count == 0 && (backend.length > 0 || gloo.count > 0) &&
	    (ddp.count > 0 || gloo.count > 0 || (kineto != NULL && kineto->world_size > 1))) {
		rc = tell_backend(advice, &gloo, &ddp);
	}
	ra_advice_evidence_fini(&nccl);
	ra_advice_evidence_fini(&gloo);
	ra_advice_evidence_fini(&ddp);
	return rc;
}

/* The stretches without a kernel in the window are what it is about. */
static int note_idle(struct ra_advice_evidence *evidence, const struct ra_advice *advice,
                     const struct ra_gpu_usage *usage)
{
	int64_t until_ns = advice->start_ns;
	int rc = 0;

	for (size_t i = 0; i <= usage->busy.count && rc == 0; i++) {
		const bool is_last = i == usage->busy.count;
		int64_t start_ns =
			is_last ? advice->end_ns : ra_advice_ns(usage->busy.rows[i].start);
		const int64_t end_ns = is_last ? start_ns : ra_advice_ns(usage->busy.rows[i].end);

		start_ns = start_ns < advice->end_ns ? start_ns : advice->end_ns;
		if (start_ns > until_ns) {
			const struct ra_advice_event event = {
				until_ns, start_ns - until_ns, { "", 0, 0 }, RA_NONE, usage->device
			};

			rc = ra_advice_note(evidence, advice, &event);
		}
		until_ns = end_ns > until_ns ? end_ns : until_ns;
	}
	return rc;
}

static int advise_utilization(const struct ra_advice *advice)
{
	int rc = 0;

	for (size_t i = 0; i < advice->usages->count && rc == 0; i++) {
		const struct ra_gpu_usage *usage = &advice->usages->rows[i];
		const struct ra_advice_rule rule = {
			"low_gpu_utilization", usage->utilization, 0.5, "of window",
			"the GPU has few kernels to run: larger batches may help"
		};
		struct ra_advice_evidence evidence = { 0 };
		struct ra_util_text words = { 0 };

		if (rule.value < rule.threshold) {
			rc = note_idle(&evidence, advice, usage);
			ra_util_text_format(&words, "%zu stretch%s with kernels", usage->busy.count,
			                    usage->busy.count == 1 ? "" : "es");
			if (rc == 0) {
				rc = ra_advice_add(advice, &rule, &evidence, &words);
			}
		}
		ra_util_text_free(&words);
		ra_advice_evidence_fini(&evidence);
	}
	return rc;
}

/* The innermost range around the launch that could have used tensor cores; RA_NONE: none. */
static uint32_t find_eligible(const struct ra_model *model, const struct ra_gpu_op *op)
{
	uint32_t at = op->slice;

	while (at != RA_NONE &&
	       !ra_tensor_is_operator(ra_model_string(model, model->slices.name[at]))) {
		at = model->slices.parent[at];
	}
	return at;
}

static bool has_tensor_cores(const struct ra_gpu *gpu, const struct ra_gpu_op *op)
{
	const struct ra_gpu_device *device = ra_gpu_find_device(gpu, gpu->queues[op->queue].device);

	return device != NULL && device->limits.cc_major >= 7;
}

/* Kernels under operators that could use tensor cores, where no kernel does. */
static int advise_tensor(const struct ra_advice *advice)
{
	const struct ra_model *model = advice->model;
	struct ra_advice_rule rule = { "tensor_cores", 0, 0, "of kernels",
		                       "tensor cores are idle: enable automatic mixed precision" };
	struct ra_advice_evidence evidence = { 0 };
	int64_t all_ns = 0;
	bool is_idle = true;
	int rc = 0;

	for (size_t i = 0; i < model->gpu.op_count && rc == 0 && is_idle; i++) {
		const struct ra_gpu_op *op = &model->gpu.ops[i];
		uint32_t range;
		struct ra_advice_event event;

		if (op->kind != RA_GPU_KERNEL) {
			continue;
		}
		is_idle = has_tensor_cores(&model->gpu, op) &&
		          !ra_tensor_is_any_kernel(ra_model_string(model, op->name));
		range = find_eligible(model, op);
		rc = ra_advice_read_op(advice, op, &event);
		if (event.start_ns >= advice->start_ns && event.start_ns <= advice->end_ns) {
			all_ns = ra_util_add_time(all_ns, op->dur_ns);
		}
		if (rc == 0 && range != RA_NONE) {
			event.name = ra_model_string(model, model->slices.name[range]);
			rc = ra_advice_note(&evidence, advice, &event);
		}
	}
	rule.value = all_ns > 0 ? (double) evidence.total_ns / (double) all_ns : 0;
	if (rc == 0 && is_idle && rule.value > rule.threshold) {
		rc = ra_advice_add(advice, &rule, &evidence, NULL);
	}
	ra_advice_evidence_fini(&evidence);
	return rc;
}

int ra_advice_plugin_apply(const struct ra_advice *advice)
{
	int rc = advise_loading(advice);

	if (rc == 0) {
		rc = advise_parallel(advice);
	}
	if (rc == 0) {
		rc = advise_backend(advice);
	}
	if (rc == 0) {
		rc = advise_communication(advice);
	}
	if (rc == 0) {
		rc = advise_utilization(advice);
	}
	if (rc == 0) {
		rc = advise_tensor(advice);
	}
	return rc != 0 ? rc : ra_advice_memory_apply(advice);
}
