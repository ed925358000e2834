/* SPDX-License-Identifier: MIT */
/* Rules about kernels that other types, shapes or operators would make faster. */
#include <stdlib.h>

#include "analyzer/base/order/order.h"
#include "analyzer/base/text/util-string.h"
#include "analyzer/advice/advice-attention.h"
#include "analyzer/advice/advice.h"
#include "analyzer/base/util.h"
#include "analyzer/figures/throughput/op-work.h"
#include "analyzer/model/model-rows.h"

/* part of the window for which the GPU must be busy for these rules to apply */
#define LEAST_BUSY  0.5
#define LARGE       0.45 /* part of the GPU time that one kernel must take … */
#define LEAST_LARGE 0.3  /* … and part of the window */
/* with a larger part of TF32 in the time of FP32 and TF32, allowing TF32 changes nothing */
#define MOSTLY 0.9
/* part of the GPU time that kernels must take that only pass data through */
#define MOST_PASSING 0.5

/* Kernels of one name. */
struct sum {
	struct ra_advice_event event; /* the longest operation of this name */
	struct rlog_string op_name;
	int64_t total_ns;
	uint64_t count;
	uint32_t name;
	uint8_t kind;
};

struct work {
	struct ra_advice *advice;
	struct ra_advice_evidence precision;
	struct rlog_string fp32_name; /* the recorded name of the longest kernel in FP32 */
	int64_t fp32_longest_ns;
	struct ra_advice_evidence alignment;
	struct ra_advice_evidence layout;
	struct ra_advice_evidence passing;
	struct ra_advice_evidence attention; /* softmax, and the matrix products around it */
	struct ra_advice_evidence copies;
	uint64_t softmaxes;
	uint64_t products;
	int64_t fp32_ns; /* time of matrix kernels, by the type in the kernel's name … */
	int64_t tf32_ns;
	int64_t fp32_inputs_ns; /* … or by the type of the operator's inputs */
	bool has_device;
	int32_t least_major; /* lowest major compute capability of the devices, 0: not known */
	int64_t all_ns;
	uint32_t least_aligned; /* the operation that lost most time by its alignment; RA_NONE:
	                           none */
	int64_t least_aligned_ns;
	uint16_t alignment_found;
	uint16_t alignment_full;
	struct sum *sums; /* owned */
	size_t sum_count;
	size_t sum_capacity;
	struct ra_util_map index; /* name → sums */
};

static bool has_any(struct rlog_string name, const char *const *words)
{
	for (; *words != NULL; words++) {
		if (ra_util_string_has(name, *words)) {
			return true;
		}
	}
	return false;
}

/* True if the device has matrix units for 16-bit types: by its compute capability (every AMD
 * device that has traces does), else by what the kernel was built for. */
static bool has_faster(const struct ra_advice *advice, const struct ra_gpu_op *op)
{
	static const char *const made_for[] = { "volta_", "turing_", "ampere_", "hopper",
		                                "sm70_",  "sm75_",   "sm80_",   "sm86_",
		                                "sm89_",  "sm90_",   "sm100_",  NULL };
	const struct ra_gpu *gpu = &advice->model->gpu;
	const struct ra_gpu_device *device = ra_gpu_find_device(gpu, gpu->queues[op->queue].device);

	if (advice->is_hip) {
		return true;
	}
	if (device != NULL && device->limits.cc_major > 0) {
		return device->limits.cc_major >= 7;
	}
	return has_any(ra_model_string(advice->model, op->name), made_for);
}

/* The number of elements in the widest memory access, which has 16 bytes. */
static uint16_t full_alignment(uint8_t type)
{
	switch (type) {
	case RA_KERNEL_TF32:
		return 4;
	case RA_KERNEL_FP16:
	case RA_KERNEL_BF16:
		return 8;
	default:
		return 0;
	}
}

/* True if the name has no type and the operator's inputs are FP32. False for kernels that
 * compute addresses for cuDNN: they have such inputs, but are not part of the product. */
static bool has_fp32_inputs(const struct ra_model *model, const struct ra_gpu_op *op,
                            const struct ra_kernel_class *class)
{
	const uint32_t row = ra_model_rows_find_slice(model, op->slice);

	if (row == RA_KINETO_NONE || class->type != RA_KERNEL_TYPE_UNKNOWN ||
	    ra_util_string_has(ra_model_string(model, op->name), "OffsetsKernel")) {
		return false;
	}
	return ra_op_work_find_type(ra_model_rows_text(model, row, RA_KINETO_ARG_INPUT_TYPE)) ==
	       RA_KERNEL_FP32;
}

static void note_major(struct work *work, const struct ra_gpu_op *op)
{
	const struct ra_gpu *gpu = &work->advice->model->gpu;
	const struct ra_gpu_device *device = ra_gpu_find_device(gpu, gpu->queues[op->queue].device);
	const int32_t major = device != NULL ? (int32_t) device->limits.cc_major : 0;

	if (!work->has_device || major < work->least_major) {
		work->least_major = major;
	}
	work->has_device = true;
}

/* Chooses the rule whose remedy works on the devices: bfloat16 and TF32 need compute capability
 * 8. */
static enum ra_advice_id choose_precision(const struct work *work)
{
	if (work->advice->is_hip) {
		return RA_ADVICE_PRECISION;
	}
	if (work->least_major <= 0) {
		return RA_ADVICE_PRECISION_ANY;
	}
	if (work->least_major < 8) {
		return RA_ADVICE_PRECISION_FP16;
	}
	return (double) work->tf32_ns < MOSTLY * (double) work->precision.total_ns
	               ? RA_ADVICE_PRECISION_TF32
	               : RA_ADVICE_PRECISION;
}

/* Notes a kernel that computes in 32 bits although the device has a faster type. */
static void note_precision(struct work *work, const struct ra_gpu_op *op,
                           const struct ra_kernel_class *class, const struct ra_advice_event *event)
{
	const bool is_fp32 = class->type == RA_KERNEL_FP32;
	const bool is_tf32 = class->type == RA_KERNEL_TF32;
	const bool is_by_inputs = has_fp32_inputs(work->advice->model, op, class);

	if (class->kind == RA_KERNEL_ATTENTION || (!is_fp32 && !is_tf32 && !is_by_inputs) ||
	    (!is_tf32 && !has_faster(work->advice, op))) {
		return;
	}
	note_major(work, op);
	if (is_fp32 && event->dur_ns > work->fp32_longest_ns) {
		work->fp32_longest_ns = event->dur_ns;
		work->fp32_name = ra_advice_read_op(work->advice, op).name;
	}
	work->fp32_ns = ra_util_add_time(work->fp32_ns, is_fp32 ? event->dur_ns : 0);
	work->tf32_ns = ra_util_add_time(work->tf32_ns, is_tf32 ? event->dur_ns : 0);
	work->fp32_inputs_ns =
		ra_util_add_time(work->fp32_inputs_ns, is_by_inputs ? event->dur_ns : 0);
	ra_advice_note(&work->precision, event);
}

static void note_matrix(struct work *work, const struct ra_gpu_op *op,
                        const struct ra_kernel_class *class, struct ra_advice_event event)
{
	const uint16_t full = full_alignment(class->type);

	event.name = ra_advice_name_operator(work->advice, op);
	note_precision(work, op, class, &event);
	if (class->alignment > 0 && class->alignment < full && class->alignment <= 2) {
		ra_advice_note(&work->alignment, &event);
		if (event.dur_ns > work->least_aligned_ns) {
			work->least_aligned_ns = event.dur_ns;
			work->least_aligned = (uint32_t) (op - work->advice->model->gpu.ops);
			work->alignment_found = class->alignment;
			work->alignment_full = full;
		}
	}
}

static void note_attention(struct work *work, const struct ra_gpu_op *op,
                           const struct ra_kernel_class *class, struct ra_advice_event event)
{
	const struct rlog_string name = ra_advice_operator(work->advice, op);

	event.name = ra_advice_name_operator(work->advice, op);
	if (class->kind == RA_KERNEL_SOFTMAX && ra_util_string_has(name, "_softmax") &&
	    !ra_util_string_has(name, "log_softmax")) {
		work->softmaxes++;
		ra_advice_note(&work->attention, &event);
		return;
	}
	if (class->kind == RA_KERNEL_GEMM && ra_util_string_has(name, "bmm") &&
	    !ra_util_string_has(name, "addbmm")) {
		work->products++;
		ra_advice_note(&work->attention, &event);
	}
}

/* The range around a launch, except steps, as these enclose everything. */
static struct rlog_string find_range(const struct ra_advice *advice, const struct ra_gpu_op *op)
{
	return op->slice == RA_NONE || advice->steps->steps.is_step[op->slice]
	               ? (struct rlog_string){ "", 0, 0 }
	               : ra_advice_operator(advice, op);
}

static void sum_name(struct work *work, const struct ra_gpu_op *op, uint8_t kind,
                     const struct ra_advice_event *event)
{
	uint32_t place = ra_util_map_find(&work->index, op->name);

	if (place >= work->sum_count) { /* none */
		place = (uint32_t) work->sum_count;
		ra_util_grow(&work->sums, &work->sum_capacity, work->sum_count + 1,
		             sizeof(*work->sums));
		ra_util_map_put(&work->index, op->name, place);
		work->sums[work->sum_count++] =
			(struct sum){ .event = *event,
			              .op_name = find_range(work->advice, op),
			              .name = op->name,
			              .kind = kind };
	}
	work->sums[place].total_ns = ra_util_add_time(work->sums[place].total_ns, event->dur_ns);
	work->sums[place].count++;
	if (event->dur_ns > work->sums[place].event.dur_ns) {
		work->sums[place].event = *event;
	}
}

static void note_kernel(struct work *work, const struct ra_gpu_op *op, struct ra_advice_event event)
{
	struct ra_kernel_class class;

	ra_advice_classify(work->advice, op, &class);
	if (class.kind == RA_KERNEL_COMMUNICATION) {
		return;
	}
	sum_name(work, op, class.kind, &event);
	if (ra_kernel_kinds_is_matrix(class.kind)) {
		note_matrix(work, op, &class, event);
	}
	note_attention(work, op, &class, event);
	if (class.kind == RA_KERNEL_LAYOUT) {
		ra_advice_note(&work->layout, &event);
	}
	if (class.kind == RA_KERNEL_ELEMENTWISE || class.kind == RA_KERNEL_COPY ||
	    class.kind == RA_KERNEL_REDUCTION) {
		ra_advice_note(&work->passing, &event);
	}
}

#define COPY_ON_DEVICE 8 /* the kind of copy, by CUPTI's numbers */

static void note_all(struct work *work)
{
	const struct ra_gpu *gpu = &work->advice->model->gpu;

	for (size_t i = 0; i < gpu->op_count; i++) {
		const struct ra_gpu_op *op = &gpu->ops[i];
		const int64_t dur_ns = ra_advice_clip(work->advice, op->start_ns, op->dur_ns);
		struct ra_advice_event event;

		if (dur_ns <= 0) {
			continue;
		}
		work->all_ns = ra_util_add_time(work->all_ns, dur_ns);
		if (op->kind == RA_GPU_KERNEL) {
			note_kernel(work, op, ra_advice_read_op(work->advice, op));
		} else if (op->kind == RA_GPU_COPY && op->copy_kind == COPY_ON_DEVICE) {
			event = ra_advice_read_op(work->advice, op);
			ra_advice_note(&work->copies, &event);
		}
	}
}

/* Appends ", the longest with inputs [128, 511] …". These are the inputs of the operator that
 * launched the operation. */
static void put_shapes(struct ra_util_text *text, const struct ra_model *model, uint32_t op)
{
	const uint32_t id = ra_kineto_get_shape(
		model->kineto, ra_model_rows_find_slice(model, model->gpu.ops[op].slice));
	struct rlog_string shapes;

	if (id != 0) {
		shapes = ra_kineto_string(model->kineto, id);
		ra_util_text_format(text, ", the longest with inputs ");
		ra_util_text_put(text, shapes.bytes, shapes.length < 120 ? shapes.length : 120);
	}
}

/* Writes the types of matrix kernels, such as "FP32 (41%, ampere_sgemm_128x64_nn) and TF32 (59%)".
 * The longest kernel in FP32 is named. */
static void put_types(struct ra_util_text *text, const struct work *work)
{
	const double all = (double) work->precision.total_ns / 100;
	const bool is_mixed = work->fp32_ns > 0 && work->tf32_ns > 0;

	if (work->fp32_ns == 0) {
		ra_util_text_format(text, work->tf32_ns > 0 ? "TF32"
		                                            : "FP32 or TF32 (the operators' inputs "
		                                              "are FP32)");
	} else {
		ra_util_text_format(text, "FP32 (");
		if (is_mixed) {
			ra_util_text_format(text, "%.0f%% of their time, ",
			                    (double) work->fp32_ns / all);
		}
		ra_advice_put_prose(text, work->fp32_name);
		ra_util_text_put_char(text, ')');
	}
	if (is_mixed) {
		ra_util_text_format(text, " and TF32 (%.0f%%)", (double) work->tf32_ns / all);
	}
	if (work->fp32_inputs_ns > 0 && work->fp32_ns + work->tf32_ns > 0) {
		ra_util_text_format(text, " (for some the operators' inputs tell it)");
	}
}

static void tell_matrix(struct work *work)
{
	struct ra_util_text detail = { 0 };

	put_types(&detail, work);
	ra_advice_add(work->advice, choose_precision(work),
	              ra_advice_gpu_time(work->advice, work->precision.total_ns) / 2,
	              &work->precision, &detail);
	ra_util_text_clear(&detail);
	if (work->least_aligned != RA_NONE) {
		ra_util_text_format(&detail, "%d element%s at a time where %d would fit (align%d)",
		                    (int) work->alignment_found,
		                    work->alignment_found == 1 ? "" : "s",
		                    (int) work->alignment_full, (int) work->alignment_found);
		put_shapes(&detail, work->advice->model, work->least_aligned);
		ra_advice_add(work->advice, RA_ADVICE_ALIGNMENT,
		              ra_advice_gpu_time(work->advice, work->alignment.total_ns) / 2,
		              &work->alignment, &detail);
	}
	ra_util_text_free(&detail);
}

static int compare_sums(const void *a, const void *b)
{
	const struct sum *left = a;
	const struct sum *right = b;

	return RA_ORDER_THEN(RA_ORDER_DOWN(left, right, total_ns), RA_ORDER_UP(left, right, name));
}

/* Reports a kernel, or two of one operator and kind, that take most of a busy GPU's time. */
static void tell_big(struct work *work)
{
	const struct sum *sums = work->sums;
	struct ra_advice_evidence evidence = { 0 };
	struct ra_util_text detail = { 0 };
	uint64_t kernels = 0;

	if (work->sum_count == 0) {
		return;
	}
	RA_SORT(work->sums, work->sum_count, compare_sums);
	for (size_t i = 0; i < work->sum_count; i++) {
		struct ra_advice_event event = sums[i].event;

		if (i > 0 && ((double) evidence.total_ns > LARGE * (double) work->all_ns ||
		              sums[i].kind != sums[0].kind || sums[i].op_name.length == 0 ||
		              sums[i].op_name.bytes != sums[0].op_name.bytes)) {
			continue;
		}
		if (evidence.name_count == 2) {
			break;
		}
		event.dur_ns = sums[i].total_ns;
		ra_advice_note(&evidence, &event);
		kernels += sums[i].count;
		if (evidence.name_count > 0) {
			evidence.names[evidence.name_count - 1].count = sums[i].count;
		}
	}
	if ((double) evidence.total_ns > LARGE * (double) work->all_ns &&
	    ra_advice_share(work->advice, ra_advice_gpu_time(work->advice, evidence.total_ns)) >=
	            LEAST_LARGE) {
		ra_util_text_format(&detail, "%s %.0f%% of",
		                    evidence.count == 1 ? "one kernel takes"
		                                        : "two kernels of one operator take",
		                    100 * (double) evidence.total_ns / (double) work->all_ns);
		evidence.longest = sums[0].event;
		evidence.count = kernels;
		ra_advice_add(work->advice, RA_ADVICE_BIG_KERNEL,
		              ra_advice_gpu_time(work->advice, evidence.total_ns), &evidence,
		              &detail);
	}
	ra_advice_evidence_fini(&evidence);
	ra_util_text_free(&detail);
}

static void tell_fusion(struct work *work)
{
	struct ra_advice *advice = work->advice;
	const double part =
		work->all_ns > 0 ? (double) work->passing.total_ns / (double) work->all_ns : 0;
	struct ra_util_text detail = { 0 };

	if (part > MOST_PASSING && work->passing.count > 1 &&
	    ra_advice_share(advice, advice->busy_ns) >= LEAST_BUSY) {
		ra_util_text_format(&detail, "%.0f%%", 100 * part);
		ra_advice_add(advice, RA_ADVICE_ELEMENTWISE,
		              ra_advice_gpu_time(advice, work->passing.total_ns) / 2,
		              &work->passing, &detail);
	}
	ra_util_text_free(&detail);
	if (work->softmaxes == 0 && work->products == 0 &&
	    !ra_model_has(advice->model, RA_HAS_ROWS)) {
		work->softmaxes = ra_advice_attention_find(advice, &work->attention);
		work->products = 2 * work->softmaxes;
	}
	if (work->softmaxes > 0 && work->products >= work->softmaxes) {
		ra_advice_add(advice, RA_ADVICE_ATTENTION,
		              ra_advice_gpu_time(advice, work->attention.total_ns) / 2,
		              &work->attention, NULL);
	}
}

static void fini(struct work *work)
{
	ra_advice_evidence_fini(&work->precision);
	ra_advice_evidence_fini(&work->alignment);
	ra_advice_evidence_fini(&work->layout);
	ra_advice_evidence_fini(&work->passing);
	ra_advice_evidence_fini(&work->attention);
	ra_advice_evidence_fini(&work->copies);
	free(work->sums);
	ra_util_map_free(&work->index);
}

void ra_advice_kernels_apply(struct ra_advice *advice)
{
	struct work work = { .advice = advice, .least_aligned = RA_NONE };

	note_all(&work);
	tell_matrix(&work);
	tell_big(&work);
	tell_fusion(&work);
	ra_advice_add(advice, RA_ADVICE_LAYOUT, ra_advice_gpu_time(advice, work.layout.total_ns),
	              &work.layout, NULL);
	ra_advice_add(advice, RA_ADVICE_DEVICE_COPIES,
	              ra_advice_gpu_time(advice, work.copies.total_ns), &work.copies, NULL);
	fini(&work);
}
