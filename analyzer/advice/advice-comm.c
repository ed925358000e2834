/* SPDX-License-Identifier: MIT */
/* Communication that nothing hides, and by what ranks talk. */
#include "analyzer/advice/advice.h"
#include "analyzer/base/util.h"
#include "analyzer/names/name-tests.h"
#include "analyzer/names/op-kinds.h"
#include "analyzer/base/util-string.h"
#include "analyzer/rows/kineto.h"
#include "format/error.h"

struct talk {
	struct ra_intervals talk;  /* collectives, in the window */
	struct ra_intervals other; /* all else that devices do */
	struct ra_advice_evidence evidence;
};

static int add_event(struct ra_intervals *set, const struct ra_advice *advice, int64_t start_ns,
                     int64_t dur_ns)
{
	const int64_t from_ns = start_ns > advice->start_ns ? start_ns : advice->start_ns;

	return ra_intervals_add(
		set, from_ns, ra_util_add_time(from_ns, ra_advice_clip(advice, start_ns, dur_ns)));
}

static int add_ops(struct talk *talk, struct ra_advice *advice)
{
	const struct ra_gpu *gpu = &advice->model->gpu;
	int rc = 0;

	for (size_t i = 0; i < gpu->op_count && rc == 0; i++) {
		const struct ra_gpu_op *op = &gpu->ops[i];
		struct ra_kernel_class class;
		struct ra_advice_event event;
		bool is_talk;

		rc = ra_advice_classify(advice, op, &class);
		is_talk = class.kind == RA_KERNEL_COMMUNICATION;
		if (rc == 0) {
			rc = add_event(is_talk ? &talk->talk : &talk->other, advice, op->start_ns,
			               op->dur_ns);
		}
		if (rc == 0 && is_talk) {
			rc = ra_advice_read_op(advice, op, &event);
			if (rc == 0) {
				rc = ra_advice_note(&talk->evidence, &event);
			}
		}
	}
	return rc;
}

/* Ranges of gloo; without GPU data those of NCCL, too. */
static int add_ranges(struct talk *talk, const struct ra_advice *advice,
                      bool (*is_it)(struct rlog_string name))
{
	const struct ra_slices *slices = &advice->model->slices;
	struct ra_name_tests tests;
	int rc = ra_name_tests_init(&tests, advice->model, is_it);

	if (rc == 0) {
		rc = ra_advice_note_ranges(&talk->evidence, advice, is_it);
	}
	for (size_t i = 0; i < slices->count && rc == 0; i++) {
		if (ra_name_tests_ask(&tests, slices->name[i])) {
			rc = add_event(&talk->talk, advice, slices->start_ns[i], slices->dur_ns[i]);
		}
	}
	ra_name_tests_fini(&tests);
	return rc;
}

static int advise_exposed(struct ra_advice *advice)
{
	struct talk talk = { 0 };
	struct ra_util_text detail = { 0 };
	int64_t all_ns;
	int64_t hidden_ns;
	int rc = add_ops(&talk, advice);

	if (rc == 0) {
		rc = add_ranges(&talk, advice, ra_op_kinds_is_gloo);
	}
	if (rc == 0 && advice->model->gpu.op_count == 0) {
		rc = add_ranges(&talk, advice, ra_op_kinds_is_nccl);
	}
	ra_intervals_unite(&talk.talk);
	ra_intervals_unite(&talk.other);
	all_ns = ra_intervals_length(&talk.talk);
	hidden_ns = ra_intervals_overlap(&talk.talk, &talk.other);
	if (rc == 0 && all_ns > 0) {
		ra_util_text_format(&detail, "%.0f%% of the communication is not hidden",
		                    100 * (1 - (double) hidden_ns / (double) all_ns));
		rc = ra_advice_add(advice, RA_ADVICE_COMMUNICATION, all_ns - hidden_ns,
		                   &talk.evidence, &detail);
	}
	ra_util_text_free(&detail);
	ra_intervals_fini(&talk.talk);
	ra_intervals_fini(&talk.other);
	ra_advice_evidence_fini(&talk.evidence);
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

static int advise_parallel(struct ra_advice *advice)
{
	struct ra_advice_evidence evidence = { 0 };
	struct ra_util_text detail = { 0 };
	size_t devices = 0;
	int rc = 0;

	for (size_t d = 0; d < advice->order.device_count; d++) {
		devices += advice->order.devices[d].count > 0;
	}
	if (devices > 1) {
		ra_util_text_format(&detail, "%zu GPUs", devices);
		rc = ra_advice_note_ranges(&evidence, advice, is_data_parallel);
		if (rc == 0) {
			rc = ra_advice_add(advice, RA_ADVICE_DATA_PARALLEL, evidence.total_ns,
			                   &evidence, &detail);
		}
	}
	ra_util_text_free(&detail);
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
static struct rlog_string find_backend(const struct ra_model *model)
{
	return ra_model_has(model, RA_HAS_ROWS)
	               ? ra_kineto_string(model->kineto, model->kineto->backend)
	               : (struct rlog_string){ "", 0, 0 };
}

static int tell_backend(struct ra_advice *advice, const struct ra_advice_evidence *gloo,
                        const struct ra_advice_evidence *ddp)
{
	const struct rlog_string backend = find_backend(advice->model);
	const struct ra_advice_evidence *evidence = gloo->count > 0 ? gloo : ddp;
	struct ra_util_text words = { 0 };
	int rc;

	if (backend.length > 0) {
		ra_util_text_format(&words, "backend ");
		ra_util_text_put(&words, backend.bytes, backend.length);
	} else if (gloo->name_count > 0) {
		ra_util_text_put(&words, gloo->longest.name.bytes, gloo->longest.name.length);
		ra_util_text_format(&words, " and the like");
	}
	rc = ra_advice_add(advice, RA_ADVICE_BACKEND, evidence->total_ns, evidence, &words);
	ra_util_text_free(&words);
	return rc;
}

/*
 * Holds where ranks are known to work together, one has a GPU, and what is known of their
 * communication is something else than NCCL. The plugin only looks for ranges.
 */
static int advise_backend(struct ra_advice *advice)
{
	const struct ra_model *model = advice->model;
	const struct rlog_string backend = find_backend(model);
	struct talk ops = { 0 };
	struct ra_advice_evidence gloo = { 0 };
	struct ra_advice_evidence ddp = { 0 };
	int rc = 0;

	if (model->gpu.op_count == 0 || !has_capable_device(&model->gpu) ||
	    ra_advice_has_word(backend, "nccl")) {
		return 0;
	}
	rc = add_ops(&ops, advice);
	if (rc == 0) {
		rc = ra_advice_note_ranges(&ops.evidence, advice, ra_op_kinds_is_nccl);
	}
	if (rc == 0) {
		rc = ra_advice_note_ranges(&gloo, advice, ra_op_kinds_is_gloo);
	}
	if (rc == 0) {
		rc = ra_advice_note_ranges(&ddp, advice, is_distributed);
	}
	if (rc == 0 && ops.evidence.count == 0 && (backend.length > 0 || gloo.count > 0) &&
	    (ddp.count > 0 || gloo.count > 0 ||
	     (ra_model_has(model, RA_HAS_ROWS) && model->kineto->world_size > 1))) {
		rc = tell_backend(advice, &gloo, &ddp);
	}
	ra_intervals_fini(&ops.talk);
	ra_intervals_fini(&ops.other);
	ra_advice_evidence_fini(&ops.evidence);
	ra_advice_evidence_fini(&gloo);
	ra_advice_evidence_fini(&ddp);
	return rc;
}

int ra_advice_comm_apply(struct ra_advice *advice)
{
	int rc = advise_exposed(advice);

	if (rc == 0) {
		rc = advise_parallel(advice);
	}
	return rc != 0 ? rc : advise_backend(advice);
}
