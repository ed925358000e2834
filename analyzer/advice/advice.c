/* SPDX-License-Identifier: MIT */
/* The input of the rules of the report "advice": the window, events, and names of events. */
#include "analyzer/advice/advice.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/order/order.h"
#include "analyzer/base/text/util-string.h"
#include "analyzer/base/util.h"
#include "analyzer/names/name-tests.h"
#include "analyzer/report/op-names.h"

#define LEAST_TOLD 100 /* names with less than 1/100 of the time are left out */
#define TOLD_NAMES 3   /* number of names shown as evidence: those that took most of the time */

static void count_name(struct ra_advice_evidence *evidence, const struct ra_advice_event *event)
{
	static const char unknown[] = "no known operator";
	const struct rlog_string name =
		event->name.length > 0
			? event->name
			: (struct rlog_string){ unknown, sizeof(unknown) - 1, sizeof(unknown) - 1 };
	const uint64_t key = (uint64_t) (uintptr_t) name.bytes;
	uint32_t place = ra_util_map_find(&evidence->index, key);

	if (place >= evidence->name_count) { /* none */
		place = (uint32_t) evidence->name_count;
		ra_util_grow(&evidence->names, &evidence->name_capacity, evidence->name_count + 1,
		             sizeof(*evidence->names));
		ra_util_map_put(&evidence->index, key, place);
		evidence->names[evidence->name_count++] =
			(struct ra_advice_name){ .name = name, .place = place };
	}
	evidence->names[place].count++;
	evidence->names[place].total_ns =
		ra_util_add_time(evidence->names[place].total_ns, event->dur_ns);
}

/* Adds an event to the sums. @worst: the event to compare with the longest so far. */
static void count_event(struct ra_advice_evidence *evidence, const struct ra_advice_event *event,
                        const struct ra_advice_event *worst)
{
	evidence->total_ns = ra_util_add_time(evidence->total_ns, event->dur_ns);
	if (evidence->count == 0 || worst->dur_ns > evidence->longest.dur_ns ||
	    (worst->dur_ns == evidence->longest.dur_ns &&
	     worst->start_ns < evidence->longest.start_ns)) {
		evidence->longest = *worst;
	}
	evidence->count++;
}

void ra_advice_note(struct ra_advice_evidence *evidence, const struct ra_advice_event *event)
{
	ra_advice_note_sum(evidence, event, event);
}

void ra_advice_note_sum(struct ra_advice_evidence *evidence, const struct ra_advice_event *event,
                        const struct ra_advice_event *worst)
{
	if (event->dur_ns > 0) {
		count_event(evidence, event, worst);
		count_name(evidence, event);
	}
}

void ra_advice_note_parts(struct ra_advice_evidence *evidence, const struct ra_advice_event *event,
                          const struct ra_advice_event *parts, size_t part_count)
{
	if (event->dur_ns <= 0) {
		return;
	}
	count_event(evidence, event, event);
	for (size_t i = 0; i < part_count; i++) {
		count_name(evidence, &parts[i]);
	}
}

void ra_advice_evidence_fini(struct ra_advice_evidence *evidence)
{
	free(evidence->names);
	ra_util_map_free(&evidence->index);
	*evidence = (struct ra_advice_evidence){ 0 };
}

double ra_advice_share(const struct ra_advice *advice, int64_t dur_ns)
{
	const double share =
		(double) dur_ns / ((double) advice->end_ns - (double) advice->start_ns);

	return share > 1 ? 1 : share;
}

int64_t ra_advice_gpu_time(const struct ra_advice *advice, int64_t sum_ns)
{
	if (sum_ns > advice->devices_busy_ns) {
		sum_ns = advice->devices_busy_ns;
	}
	if (advice->devices_busy_ns > advice->busy_ns) {
		sum_ns = ra_advice_ns((double) sum_ns * (double) advice->busy_ns /
		                      (double) advice->devices_busy_ns);
	}
	return sum_ns;
}

int64_t ra_advice_clip(const struct ra_advice *advice, int64_t start_ns, int64_t dur_ns)
{
	const int64_t end_ns = ra_util_add_time(start_ns, dur_ns);
	const int64_t from_ns = start_ns > advice->start_ns ? start_ns : advice->start_ns;
	const int64_t to_ns = end_ns < advice->end_ns ? end_ns : advice->end_ns;

	return to_ns > from_ns ? to_ns - from_ns : 0;
}

static int compare_names(const void *a, const void *b)
{
	const struct ra_advice_name *left = a;
	const struct ra_advice_name *right = b;
	int order = RA_ORDER_DOWN(left, right, total_ns);

	order = RA_ORDER_THEN(order, RA_ORDER_DOWN(left, right, count));
	return RA_ORDER_THEN(order, RA_ORDER_UP(left, right, place));
}

/* The length of a name without a number at its end, so that "batch 12" and "batch 13" count as one
 * name. */
static uint32_t find_stem(struct rlog_string name)
{
	uint32_t length = name.length;

	while (length > 0 && name.bytes[length - 1] >= '0' && name.bytes[length - 1] <= '9') {
		length--;
	}
	return length > 1 && (name.bytes[length - 1] == ' ' || name.bytes[length - 1] == '#')
	               ? length
	               : name.length;
}

static int compare_stems(const void *a, const void *b)
{
	const struct ra_advice_name *left = a;
	const struct ra_advice_name *right = b;
	const struct rlog_string left_stem = { .bytes = left->name.bytes,
		                               .length = find_stem(left->name) };
	const struct rlog_string right_stem = { .bytes = right->name.bytes,
		                                .length = find_stem(right->name) };
	const int order = ra_util_string_compare(left_stem, right_stem);

	return RA_ORDER_THEN(order, RA_ORDER_UP(left, right, place));
}

/* True if both are equal except for a number at the end. */
static bool has_stem_of(struct rlog_string name, struct rlog_string other)
{
	const uint32_t length = find_stem(name);

	return length == find_stem(other) && memcmp(name.bytes, other.bytes, length) == 0;
}

/* Joins names that differ only in the number at their end. Return: how many names are left. */
static size_t join_stems(struct ra_advice_name *names, size_t count)
{
	size_t last = 0;

	if (count < 2) {
		return count;
	}
	RA_SORT(names, count, compare_stems);
	for (size_t i = 1; i < count; i++) {
		if (!has_stem_of(names[i].name, names[last].name)) {
			names[++last] = names[i];
			continue;
		}
		names[last].count += names[i].count;
		names[last].total_ns = ra_util_add_time(names[last].total_ns, names[i].total_ns);
		names[last].is_joined = find_stem(names[last].name) < names[last].name.length;
	}
	return last + 1;
}

/* Appends a name with its share of all_ns. @words: follow the share. */
static void put_name(struct ra_util_text *text, const struct ra_advice_name *name, int64_t all_ns,
                     const char *words)
{
	ra_util_text_put(text, name->name.bytes,
	                 name->is_joined ? find_stem(name->name) : name->name.length);
	ra_util_text_put(text, "N", name->is_joined ? 1 : 0);
	ra_util_text_format(text, " (%llu%s", (unsigned long long) name->count,
	                    name->count == 1 ? " time" : " times");
	if (name->total_ns < all_ns) {
		ra_util_text_format(text, ", %.0f%%%s",
		                    100 * (double) name->total_ns / (double) all_ns, words);
	}
	ra_util_text_put_char(text, ')');
}

void ra_advice_put_names(struct ra_util_text *text, const struct ra_advice_evidence *evidence)
{
	struct ra_advice_name *names = ra_alloc_zeros(evidence->name_count + 1, sizeof(*names));
	size_t count = evidence->name_count;
	size_t told = 0;

	if (count > 0) {
		memcpy(names, evidence->names, count * sizeof(*names));
		count = join_stems(names, count);
		RA_SORT(names, count, compare_names);
	}
	for (; told < count && told < TOLD_NAMES; told++) {
		if (told > 0 && names[told].total_ns < evidence->total_ns / LEAST_TOLD) {
			break;
		}
		ra_util_text_put(text, ", ", told == 0 ? 0 : 2);
		put_name(text, &names[told], evidence->total_ns, told == 0 ? " of it" : "");
	}
	if (count > told) {
		const size_t rest = count - told;

		ra_util_text_format(text, ", %zu other name%s", rest, rest == 1 ? "" : "s");
	}
	if (count == 0) {
		ra_util_text_format(text, "no range and no call");
	}
	free(names);
}

struct ra_advice_event ra_advice_read_op(const struct ra_advice *advice, const struct ra_gpu_op *op)
{
	const struct ra_gpu *gpu = &advice->model->gpu;

	return (struct ra_advice_event){
		.start_ns = op->start_ns,
		.dur_ns = ra_advice_clip(advice, op->start_ns, op->dur_ns),
		.track = op->api == RA_NONE ? RA_NONE : gpu->apis[op->api].track,
		.device = gpu->queues[op->queue].device,
		.name = ra_op_names_text(advice->input, ra_op_names_find(advice->input, op),
		                         advice->table),
	};
}

struct rlog_string ra_advice_operator(const struct ra_advice *advice, const struct ra_gpu_op *op)
{
	const struct ra_model *model = advice->model;

	if (op->slice != RA_NONE) {
		return ra_model_string(model, model->slices.name[op->slice]);
	}
	return op->api != RA_NONE ? ra_model_string(model, model->gpu.apis[op->api].name)
	                          : (struct rlog_string){ "", 0, 0 };
}

struct rlog_string ra_advice_name_call(const struct ra_advice *advice, uint32_t api, uint32_t slice)
{
	if (slice != RA_NONE && !advice->steps->steps.is_step[slice]) {
		return ra_op_names_range(advice->input, slice);
	}
	return api != RA_NONE ? ra_model_string(advice->model, advice->model->gpu.apis[api].name)
	                      : ra_util_string("");
}

void ra_advice_classify(struct ra_advice *advice, const struct ra_gpu_op *op,
                        struct ra_kernel_class *class)
{
	*class = (struct ra_kernel_class){ 0 };
	if (op->kind == RA_GPU_KERNEL) {
		ra_kernel_kinds_find(&advice->kinds, advice->model, op->name, class);
	}
}

void ra_advice_note_ranges(struct ra_advice_evidence *evidence, const struct ra_advice *advice,
                           bool (*is_it)(struct rlog_string name),
                           const struct ra_intervals *hidden)
{
	const struct ra_model *model = advice->model;
	const struct ra_slices *slices = &model->slices;
	struct ra_name_tests tests;

	ra_name_tests_init(&tests, model, is_it);
	for (uint32_t t = 0; t < model->track_count; t++) {
		const struct ra_track *track = &model->tracks[t];

		for (size_t i = 0; i < track->slice_count; i++) {
			const size_t slice = track->first_slice + i;
			struct ra_advice_event event = {
				.start_ns = slices->start_ns[slice],
				.dur_ns = ra_advice_clip(advice, slices->start_ns[slice],
				                         slices->dur_ns[slice]),
				.track = t,
				.device = -1,
			};

			if ((slices->flags[slice] & RA_SLICE_WAIT) != 0 ||
			    !ra_name_tests_ask(&tests, slices->name[slice])) {
				continue;
			}
			if (hidden != NULL) {
				event.dur_ns -= ra_intervals_cover(
					hidden, event.start_ns,
					ra_util_add_time(event.start_ns, slices->dur_ns[slice]));
			}
			event.name = ra_op_names_range(advice->input, (uint32_t) slice);
			ra_advice_note(evidence, &event);
		}
	}
	ra_name_tests_fini(&tests);
}
