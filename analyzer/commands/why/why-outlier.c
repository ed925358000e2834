/* SPDX-License-Identifier: MIT */
/* analyzer why FILE --step: finds the single long call of a step, if one stands out. */
#include "analyzer/commands/why/why-outlier.h"

#include <math.h>
#include <stdlib.h>

#include "analyzer/advice/advice.h"
#include "analyzer/base/alloc.h"
#include "analyzer/base/order/order.h"
#include "analyzer/base/text/util-string.h"
#include "analyzer/base/util.h"

#define LEAST_OTHERS 5 /* with fewer other calls of the name, it is not known what is usual */
#define LEAST_OF                                                                                  \
	0.2 /* a call is mentioned if it adds at least this part of the step's excess over others \
	       … */
#define LEAST_STEP 0.01 /* … and this part of the step */
/* if an inner call adds this part of the outer call's excess, the inner one is named */
#define NEARLY 0.8

enum kind {
	KIND_RANGE,
	KIND_CALL,
	KIND_KERNEL,
};

/* A range, a call of CUDA or a kernel. */
struct call {
	enum kind kind;
	uint32_t name; /* for a range, its label; else a string id */
	int64_t start_ns;
	int64_t dur_ns;
	size_t step; /* index of the step in whose range the call, or a kernel's launch, begins; the
	                number of steps: in none */
};

struct calls {
	struct call *rows; /* owned */
	size_t count;
	const struct ra_why *why;
	double least_ns;     /* ns: a call is mentioned only if it adds at least this much */
	int64_t *longest_ns; /* owned; room for one time per step */
};

/* The longest call of a name in the step. */
struct outlier {
	const struct call *call;
	int64_t usual_ns; /* median of the other calls */
	size_t others;
	int64_t longest_ns; /* median over the other steps of their longest call; a step without a
	                       call counts as 0 */
	int64_t more_ns;    /* how much longer the call is than longest_ns */
};

static void add(struct calls *calls, enum kind kind, uint32_t name, int64_t start_ns,
                int64_t dur_ns)
{
	calls->rows[calls->count++] = (struct call){
		.kind = kind,
		.name = name,
		.start_ns = start_ns,
		.dur_ns = dur_ns,
		.step = ra_steps_find(&calls->why->all, start_ns),
	};
}

static int compare_calls(const void *a, const void *b)
{
	const struct call *left = a;
	const struct call *right = b;
	int order = RA_ORDER_UP(left, right, kind);

	order = RA_ORDER_THEN(order, RA_ORDER_UP(left, right, name));
	order = RA_ORDER_THEN(order, RA_ORDER_UP(left, right, dur_ns));
	return RA_ORDER_THEN(order, RA_ORDER_UP(left, right, start_ns));
}

/* Lists all calls except steps, ordered by name and duration. */
static void collect(struct calls *calls, const struct ra_why *why)
{
	const struct ra_model *model = why->input->model;
	const struct ra_slices *slices = &model->slices;
	const struct ra_gpu *gpu = &model->gpu;

	*calls = (struct calls){ .why = why };
	calls->longest_ns =
		ra_alloc_zeros(why->all.times.step_count + 1, sizeof(*calls->longest_ns));
	calls->rows = ra_alloc_zeros(slices->count + gpu->api_count + gpu->op_count + 1,
	                             sizeof(*calls->rows));
	for (size_t i = 0; i < slices->count; i++) {
		if (why->all.is_step[i] == 0) {
			add(calls, KIND_RANGE, ra_labels_find(why->input->labels, slices->name[i]),
			    slices->start_ns[i], slices->dur_ns[i]);
		}
	}
	for (size_t i = 0; i < gpu->api_count; i++) {
		add(calls, KIND_CALL, gpu->apis[i].name, gpu->apis[i].start_ns,
		    gpu->apis[i].dur_ns);
	}
	for (size_t i = 0; i < gpu->op_count; i++) {
		const struct ra_gpu_op *op = &gpu->ops[i];

		if (op->name != 0) {
			add(calls, KIND_KERNEL, op->name, op->start_ns, op->dur_ns);
		}
		if (op->name != 0 && op->api != RA_NONE) { /* it belongs to the step of its call */
			calls->rows[calls->count - 1].step =
				ra_steps_find(&why->all, gpu->apis[op->api].start_ns);
		}
	}
	RA_SORT(calls->rows, calls->count, compare_calls);
}

/* Finds the median of the calls of a name outside of the step. If their number is even, the lower
 * middle one is taken. */
static int64_t find_usual(const struct call *rows, size_t count, size_t others, size_t step)
{
	size_t at = (others - 1) / 2;
	size_t i = 0;

	while (i + 1 < count && (rows[i].step == step || at-- > 0)) {
		i++;
	}
	return rows[i].dur_ns;
}

/* Finds the longest call of a name in each of the other steps, and the median of these. */
static int64_t find_longest(const struct calls *calls, const struct call *rows, size_t count)
{
	const struct ra_why *why = calls->why;
	const size_t steps = why->all.times.step_count;
	int64_t *longest_ns = calls->longest_ns;
	size_t kept = 0;

	for (size_t s = 0; s <= steps; s++) {
		longest_ns[s] = 0;
	}
	for (size_t i = 0; i < count; i++) {
		longest_ns[rows[i].step] = rows[i].dur_ns; /* the rows are ordered by duration */
	}
	for (size_t s = why->others.lacks_first ? 1 : 0; s < steps; s++) {
		if (s != why->others.index) {
			longest_ns[kept++] = longest_ns[s];
		}
	}
	if (kept == 0) {
		return INT64_MAX;
	}
	RA_SORT(longest_ns, kept, ra_order_int64);
	return longest_ns[kept / 2];
}

/* Looks at the calls of one name. Return: false if there are too few calls, or no single long one
 * in the step. */
static bool look_at(struct outlier *outlier, const struct calls *calls, const struct call *rows,
                    size_t count)
{
	const size_t step = calls->why->others.index;
	const struct call *second = NULL;

	*outlier = (struct outlier){ 0 };
	for (size_t i = 0; i < count; i++) {
		if (rows[i].step == step) {
			second = outlier->call;
			outlier->call = &rows[i];
		} else {
			outlier->others++;
		}
	}
	if (outlier->call == NULL || outlier->others < LEAST_OTHERS ||
	    (double) outlier->call->dur_ns < calls->least_ns) {
		return false;
	}
	outlier->usual_ns = find_usual(rows, count, outlier->others, step);
	outlier->longest_ns = find_longest(calls, rows, count);
	outlier->more_ns = outlier->call->dur_ns - outlier->longest_ns;
	return (double) outlier->more_ns >= calls->least_ns &&
	       outlier->more_ns >= outlier->longest_ns / 2 &&
	       (second == NULL || second->dur_ns - outlier->longest_ns < outlier->more_ns / 2);
}

/* True if a call is inside the longest one and adds nearly as much time. */
static bool is_within(const struct outlier *one, const struct outlier *longest)
{
	const struct call *outer = longest->call;
	const struct call *inner = one->call;

	return (double) one->more_ns >= NEARLY * (double) longest->more_ns &&
	       inner->start_ns >= outer->start_ns &&
	       ra_util_add_time(inner->start_ns, inner->dur_ns) <=
	               ra_util_add_time(outer->start_ns, outer->dur_ns);
}

/*
 * Finds the call that adds most time.
 *
 * @longest: NULL; else only calls inside this one that add nearly as much are compared, and the
 * shortest of them is returned.
 */
static struct outlier find_best(const struct calls *calls, const struct outlier *longest)
{
	struct outlier best = { 0 };
	size_t end;

	for (size_t i = 0; i < calls->count; i = end) {
		const struct call *first = &calls->rows[i];
		struct outlier one;

		for (end = i + 1; end < calls->count && calls->rows[end].kind == first->kind &&
		                  calls->rows[end].name == first->name;
		     end++) {
		}
		if (!look_at(&one, calls, first, end - i) ||
		    (longest != NULL && !is_within(&one, longest))) {
			continue;
		}
		if (best.call == NULL || (longest == NULL ? one.more_ns > best.more_ns
		                                          : one.call->dur_ns < best.call->dur_ns)) {
			best = one;
		}
	}
	return best;
}

static void put(struct ra_util_text *text, const struct ra_why *why, const struct outlier *outlier)
{
	static const char *const words[] = {
		[KIND_RANGE] = "range",
		[KIND_CALL] = "call",
		[KIND_KERNEL] = "kernel",
	};
	const struct call *call = outlier->call;

	ra_util_text_format(text, "A single %s stands out: ", words[call->kind]);
	ra_advice_put_prose(text, call->kind == KIND_RANGE
	                                  ? ra_labels_name(why->input->labels, call->name)
	                                  : ra_model_string(why->input->model, call->name));
	ra_util_text_format(text, ", ");
	ra_util_text_put_time(text, call->start_ns - why->all.hosts[why->others.index].start_ns);
	ra_util_text_format(text, " into the step's range, took ");
	ra_util_text_put_time(text, call->dur_ns);
	ra_util_text_format(text, "; the longest of that name in another step takes ");
	ra_util_text_put_time(text, outlier->longest_ns);
	ra_util_text_format(text, " in the median, and half of the %zu others take ",
	                    outlier->others);
	ra_util_text_put_time(text, outlier->usual_ns);
	ra_util_text_format(text, " or less. ");
}

void ra_why_outlier_put(struct ra_util_text *text, const struct ra_why *why)
{
	const double own_ns = why->others.own_ns[RA_ROLE_TOTAL];
	const double longer_ns = own_ns - why->others.median_ns[RA_ROLE_TOTAL];
	struct outlier longest;
	struct calls calls;

	collect(&calls, why);
	calls.least_ns = fmax(LEAST_OF * longer_ns, LEAST_STEP * own_ns);
	longest = find_best(&calls, NULL);
	if (longest.call != NULL) {
		const struct outlier inner = find_best(&calls, &longest);

		put(text, why, &inner);
	}
	free(calls.rows);
	free(calls.longest_ns);
}
