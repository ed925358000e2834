/* SPDX-License-Identifier: MIT */
/* Rules about communication that is not hidden, and about the backend that ranks use for it. */
#include "analyzer/advice/advice.h"
#include "analyzer/base/util.h"
#include "analyzer/figures/ranks/exposed.h"
#include "analyzer/figures/rank-gpu.h"
#include "analyzer/names/name-tests.h"
#include "analyzer/names/op-kinds.h"
#include "analyzer/base/text/util-string.h"
#include "analyzer/rows/kineto.h"

#define MUCH 100 /* a relative difference below 1/100 is not mentioned */

/* The communication of one device. Without GPU data: the communication ranges of all ranks. */
struct talk {
	struct ra_advice *advice;
	const struct ra_gpu_order_device *device; /* NULL: none */
	struct ra_intervals talk;                 /* collectives, cut to the window */
	struct ra_intervals other;                /* all other operations on the device, cut to the
	                                             window */
	struct ra_advice_evidence evidence;       /* for each collective, the part of it that is not
	                                             hidden */
};

static void fini_talk(struct talk *talk)
{
	ra_intervals_fini(&talk->talk);
	ra_intervals_fini(&talk->other);
	ra_advice_evidence_fini(&talk->evidence);
}

static void add_event(struct ra_intervals *set, const struct ra_advice *advice, int64_t start_ns,
                      int64_t dur_ns)
{
	const int64_t from_ns = start_ns > advice->start_ns ? start_ns : advice->start_ns;

	ra_intervals_join(set, from_ns,
	                  ra_util_add_time(from_ns, ra_advice_clip(advice, start_ns, dur_ns)));
}

static void add_talk(struct talk *talk, const struct ra_gpu_op *op, bool is_talk)
{
	if (is_talk) {
		add_event(&talk->talk, talk->advice, op->start_ns, op->dur_ns);
	}
}

static void add_other(struct talk *talk, const struct ra_gpu_op *op, bool is_talk)
{
	if (!is_talk) {
		add_event(&talk->other, talk->advice, op->start_ns, op->dur_ns);
	}
}

/* Notes the part of an event that no other operation on the device hides. */
static void note_exposed(struct talk *talk, const struct ra_gpu_op *op, bool is_talk)
{
	struct ra_advice_event event;

	if (!is_talk) {
		return;
	}
	event = ra_advice_read_op(talk->advice, op);
	event.dur_ns -= ra_intervals_cover(&talk->other, op->start_ns,
	                                   ra_util_add_time(op->start_ns, op->dur_ns));
	ra_advice_note(&talk->evidence, &event);
}

static void for_ops(struct talk *talk,
                    void (*visit)(struct talk *talk, const struct ra_gpu_op *op, bool is_talk))
{
	struct ra_advice *advice = talk->advice;

	for (size_t i = 0; talk->device != NULL && i < talk->device->count; i++) {
		const struct ra_gpu_op *op =
			&advice->model->gpu.ops[advice->order.ops[talk->device->first + i].op];
		struct ra_kernel_class class;

		ra_advice_classify(advice, op, &class);
		visit(talk, op, class.kind == RA_KERNEL_COMMUNICATION);
	}
}

static void add_ranges(struct talk *talk, bool (*is_it)(struct rlog_string name))
{
	const struct ra_slices *slices = &talk->advice->model->slices;
	struct ra_name_tests tests;

	ra_name_tests_init(&tests, talk->advice->model, is_it);
	for (size_t i = 0; i < slices->count; i++) {
		if (ra_name_tests_ask(&tests, slices->name[i])) {
			add_event(&talk->talk, talk->advice, slices->start_ns[i],
			          slices->dur_ns[i]);
		}
	}
	ra_name_tests_fini(&tests);
}

/* Adds kernels of collectives and ranges of gloo; without GPU data ranges of NCCL, too. Most
 * programs have no communication; then no other event is looked at. */
static void fill_talk(struct talk *talk)
{
	bool (*const is_it)(struct rlog_string name) =
		talk->device == NULL ? ra_op_kinds_is_gloo_or_nccl : ra_op_kinds_is_gloo;

	for_ops(talk, add_talk);
	add_ranges(talk, is_it);
	if (talk->talk.count == 0) {
		return;
	}
	for_ops(talk, add_other);
	ra_intervals_unite(&talk->talk);
	ra_intervals_unite(&talk->other);
	for_ops(talk, note_exposed);
	ra_advice_note_ranges(&talk->evidence, talk->advice, is_it, &talk->other);
}

/* If the report `overlap` counts another time as exposed, adds that time. Only if there is one
 * device. */
static void put_of_overlap(struct ra_util_text *detail, const struct ra_advice *advice,
                           int64_t exposed_ns)
{
	struct ra_rank_gpu gpu;
	int64_t overlap_ns;

	if (advice->device_count != 1 || advice->model->gpu.op_count == 0) {
		return;
	}
	ra_rank_gpu_sum(&gpu, advice->model);
	overlap_ns = ra_rank_gpu_exposed(gpu.device_ns);
	if (overlap_ns - exposed_ns > overlap_ns / MUCH) {
		ra_util_text_format(detail, "; the report overlap says ");
		ra_util_text_put_time(detail, overlap_ns);
		ra_util_text_format(detail,
		                    ", which also counts time beside copies or outside steps");
	}
}

static void put_cause(struct ra_util_text *text, int64_t part_ns, int64_t whole_ns,
                      const char *words)
{
	if (part_ns >= whole_ns - whole_ns / MUCH) {
		ra_util_text_format(text, "%s", words);
	} else if (part_ns > whole_ns / MUCH) {
		ra_util_text_format(text, "%s%.0f%% %s", text->length > 0 ? ", " : "",
		                    100 * (double) part_ns / (double) whole_ns, words);
	}
}

/* Says what delays the next work on the device during exposed communication. Return: true if that
 * is mostly the CPU. */
static bool put_causes(struct ra_util_text *detail, const struct talk *talk, int64_t exposed_ns)
{
	struct ra_intervals exposed = { 0 };
	struct ra_intervals hidden = { 0 };
	struct ra_util_text text = { 0 };
	struct ra_exposed causes = { 0 };

	if (talk->device != NULL && exposed_ns > 0) {
		const struct ra_exposed_query query = { talk->advice->model, talk->device->id,
			                                RA_RANK_COMPUTATION | RA_RANK_MEMORY };

		ra_intervals_part(&talk->talk, &talk->other, &hidden, &exposed);
		ra_intervals_unite(&exposed);
		ra_exposed_split(&causes, &query, &exposed);
		put_cause(&text, causes.late_ns, exposed_ns,
		          "because the CPU had launched no kernel or copy in time");
		put_cause(&text, causes.held_ns, exposed_ns, "because it waited for a collective");
		put_cause(&text, causes.queued_ns, exposed_ns, "with work behind it");
	}
	if (text.length > 0) {
		ra_util_text_format(detail, ": ");
		ra_util_text_put(detail, text.bytes, text.length);
	}
	ra_util_text_free(&text);
	ra_intervals_fini(&exposed);
	ra_intervals_fini(&hidden);
	return causes.late_ns > 0 && causes.late_ns >= exposed_ns - causes.late_ns;
}

/* Reports exposed communication of one device: computation on another device does not hide it. */
static void advise_exposed(struct ra_advice *advice, const struct ra_gpu_order_device *device)
{
	struct talk talk = { .advice = advice, .device = device };
	struct ra_util_text detail = { 0 };

	fill_talk(&talk);
	const int64_t all_ns = ra_intervals_length(&talk.talk);
	const int64_t hidden_ns = ra_intervals_overlap(&talk.talk, &talk.other);

	if (all_ns > 0) {
		ra_util_text_format(&detail, "%.0f%% of communication is not hidden",
		                    100 * (1 - (double) hidden_ns / (double) all_ns));
		const bool is_late = put_causes(&detail, &talk, all_ns - hidden_ns);
		put_of_overlap(&detail, advice, all_ns - hidden_ns);
		talk.evidence.longest.device = device != NULL ? (int64_t) device->id : -1;
		ra_advice_add(advice,
		              is_late ? RA_ADVICE_COMMUNICATION_LATE : RA_ADVICE_COMMUNICATION,
		              all_ns - hidden_ns, &talk.evidence, &detail);
	}
	ra_util_text_free(&detail);
	fini_talk(&talk);
}

static void advise_devices(struct ra_advice *advice)
{
	if (advice->model->gpu.op_count == 0) {
		advise_exposed(advice, NULL);
	}
	for (size_t d = 0; d < advice->order.device_count; d++) {
		if (advice->order.devices[d].count > 0) {
			advise_exposed(advice, &advice->order.devices[d]);
		}
	}
}

/* True if the device ran collectives. */
static bool has_collectives(struct ra_advice *advice)
{
	bool has = false;

	for (size_t d = 0; d < advice->order.device_count && !has; d++) {
		struct talk talk = { .advice = advice, .device = &advice->order.devices[d] };

		for_ops(&talk, add_talk);
		has = talk.talk.count > 0;
		fini_talk(&talk);
	}
	return has;
}

static bool is_data_parallel(struct rlog_string name)
{
	return ra_util_string_is(name, "DataParallel.forward");
}

static bool is_distributed(struct rlog_string name)
{
	return ra_util_string_is(name, "DistributedDataParallel.forward");
}

static void advise_parallel(struct ra_advice *advice)
{
	struct ra_advice_evidence evidence = { 0 };
	struct ra_util_text detail = { 0 };
	size_t devices = 0;

	for (size_t d = 0; d < advice->order.device_count; d++) {
		devices += advice->order.devices[d].count > 0;
	}
	if (devices > 1) {
		ra_util_text_format(&detail, "%zu GPUs", devices);
		ra_advice_note_ranges(&evidence, advice, is_data_parallel, NULL);
		ra_advice_add(advice, RA_ADVICE_DATA_PARALLEL, evidence.total_ns, &evidence,
		              &detail);
	}
	ra_util_text_free(&detail);
	ra_advice_evidence_fini(&evidence);
}

/* True if some GPU can use NCCL: compute capability 3.5 or later, or unknown. */
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

/* The backend that the trace names for communication; empty: none. */
static struct rlog_string find_backend(const struct ra_model *model)
{
	return ra_model_has(model, RA_HAS_ROWS)
	               ? ra_kineto_string(model->kineto, model->kineto->backend)
	               : (struct rlog_string){ "", 0, 0 };
}

static void tell_backend(struct ra_advice *advice, const struct ra_advice_evidence *gloo,
                         const struct ra_advice_evidence *ddp)
{
	const struct rlog_string backend = find_backend(advice->model);
	const struct ra_advice_evidence *evidence = gloo->count > 0 ? gloo : ddp;
	struct ra_util_text words = { 0 };

	if (backend.length > 0) {
		ra_util_text_format(&words, "backend ");
		ra_util_text_put(&words, backend.bytes, backend.length);
	} else if (gloo->name_count > 0) {
		ra_util_text_put(&words, gloo->longest.name.bytes, gloo->longest.name.length);
		ra_util_text_format(&words, " and the like");
	}
	ra_advice_add(advice, RA_ADVICE_BACKEND, evidence->total_ns, evidence, &words);
	ra_util_text_free(&words);
}

/* Applies if ranks are known to work together, one has a GPU, and the known communication is not
 * NCCL's. TensorBoard's plugin, which has such a rule, looks only for ranges. */
static void advise_backend(struct ra_advice *advice)
{
	const struct ra_model *model = advice->model;
	const struct rlog_string backend = find_backend(model);
	struct ra_advice_evidence nccl = { 0 };
	struct ra_advice_evidence gloo = { 0 };
	struct ra_advice_evidence ddp = { 0 };

	if (model->gpu.op_count == 0 || !has_capable_device(&model->gpu) ||
	    ra_util_string_has(backend, "nccl") || has_collectives(advice)) {
		return;
	}
	ra_advice_note_ranges(&nccl, advice, ra_op_kinds_is_nccl, NULL);
	ra_advice_note_ranges(&gloo, advice, ra_op_kinds_is_gloo, NULL);
	ra_advice_note_ranges(&ddp, advice, is_distributed, NULL);
	if (nccl.count == 0 && (backend.length > 0 || gloo.count > 0) &&
	    (ddp.count > 0 || gloo.count > 0 ||
	     (ra_model_has(model, RA_HAS_ROWS) && model->kineto->world_size > 1))) {
		tell_backend(advice, &gloo, &ddp);
	}
	ra_advice_evidence_fini(&nccl);
	ra_advice_evidence_fini(&gloo);
	ra_advice_evidence_fini(&ddp);
}

void ra_advice_comm_apply(struct ra_advice *advice)
{
	advise_devices(advice);
	advise_parallel(advice);
	advise_backend(advice);
}
