/* SPDX-License-Identifier: MIT */
/* Puts several inputs on one time axis (doc/metrics.md, section 31). */
#include "analyzer/timeline/ranks/ranks-align.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/order/order.h"
#include "analyzer/base/text/util-string.h"
#include "analyzer/base/util.h"
#include "analyzer/figures/collectives.h"
#include "analyzer/timeline/layout/layout.h"

/* Times from hostile files are limited to this, so that no difference overflows. */
#define FAR_NS (INT64_C(1) << 61)

void ra_ranks_fini(struct ra_ranks *ranks)
{
	for (size_t i = 0; i < ranks->count; i++) {
		free(ranks->inputs[i].meetings);
	}
	for (size_t i = 0; i < ranks->texts.count; i++) {
		free((void *) ranks->texts.rows[i].bytes);
	}
	free(ranks->inputs);
	ra_sum_texts_fini(&ranks->texts);
	memset(ranks, 0, sizeof(*ranks));
}

static uint32_t keep_text(struct ra_ranks *ranks, struct rlog_string text)
{
	const size_t count = ranks->texts.count;
	uint32_t id;

	ra_sum_texts_find(&ranks->texts, text, &id);
	if (id == count) {
		ranks->texts.rows[id] = ra_sum_texts_copy(text);
	}
	return id;
}

static int64_t place(int64_t real_ns, int64_t time_ns)
{
	int64_t sum;

	if (__builtin_add_overflow(real_ns, time_ns, &sum)) {
		sum = time_ns;
	}
	return sum < -FAR_NS ? -FAR_NS : sum > FAR_NS ? FAR_NS : sum;
}

static void add_meeting(struct ra_ranks *ranks, struct ra_ranks_input *input,
                        struct rlog_string name, int64_t start_ns, int64_t dur_ns)
{
	struct ra_ranks_meeting *meeting;

	ra_util_grow(&input->meetings, &input->meeting_capacity, input->meeting_count + 1,
	             sizeof(*input->meetings));
	meeting = &input->meetings[input->meeting_count++];
	meeting->start_ns = place(input->real_ns, start_ns);
	meeting->end_ns = place(meeting->start_ns, dur_ns);
	meeting->name = keep_text(ranks, name);
}

static void add_collectives(struct ra_ranks *ranks, struct ra_ranks_input *input,
                            const struct ra_model *model)
{
	const struct ra_files files = { .model = model };
	struct ra_collectives collectives = { 0 };

	ra_collectives_init(&collectives, &files);
	for (size_t i = 0; i < collectives.ranks[0].count; i++) {
		const struct ra_collective *call = &collectives.ranks[0].calls[i];

		add_meeting(ranks, input, call->name, call->start_ns, call->dur_ns);
	}
	ra_collectives_fini(&collectives);
}

static void add_ranges(struct ra_ranks *ranks, struct ra_ranks_input *input,
                       const struct ra_model *model, const char *range)
{
	const struct rlog_string wanted = ra_util_string(range);
	const struct ra_slices *slices = &model->slices;

	for (size_t i = 0; i < slices->count; i++) {
		const struct rlog_string name = ra_model_string(model, slices->name[i]);

		if (ra_util_string_is_same(name, wanted)) {
			add_meeting(ranks, input, wanted, slices->start_ns[i], slices->dur_ns[i]);
		}
	}
}

static int compare_meetings(const void *a, const void *b)
{
	const struct ra_ranks_meeting *left = a;
	const struct ra_ranks_meeting *right = b;
	int order = RA_ORDER_UP(left, right, name);

	order = RA_ORDER_THEN(order, RA_ORDER_UP(left, right, start_ns));
	return RA_ORDER_THEN(order, RA_ORDER_UP(left, right, end_ns));
}

static int64_t find_first(const struct ra_model *model)
{
	struct ra_layout *layout = ra_layout_create(model);
	const int64_t first_ns = ra_layout_find_zero(layout);

	ra_layout_destroy(layout);
	return first_ns;
}

void ra_ranks_add(struct ra_ranks *ranks, const struct ra_model *model, const char *path,
                  const char *range)
{
	const struct ra_process *process = model->process_count > 0 ? model->processes : NULL;
	const char *host = process == NULL || process->host == NULL ? "" : process->host;
	struct ra_ranks_input *input;

	ra_util_grow(&ranks->inputs, &ranks->capacity, ranks->count + 1, sizeof(*ranks->inputs));
	input = &ranks->inputs[ranks->count++];
	*input = (struct ra_ranks_input){ .path = path,
		                          .rank = process == NULL ? -1 : process->rank,
		                          .real_ns = place(0, model->zero_real_ns),
		                          .error_ns = model->quality.clock_error_ns };
	input->host = keep_text(ranks, ra_util_string(host));
	input->first_ns = find_first(model);
	if (range != NULL) {
		add_ranges(ranks, input, model, range);
	} else {
		add_collectives(ranks, input, model);
	}
	if (range == NULL && input->meeting_count == 0) {
		add_ranges(ranks, input, model, "MPI_Barrier");
	}
	RA_SORT(input->meetings, input->meeting_count, compare_meetings);
}

/* Counts the meetings that have the name of the meeting at `at`. */
static size_t count_name(const struct ra_ranks_input *input, size_t at)
{
	size_t end = at;

	while (end < input->meeting_count &&
	       input->meetings[end].name == input->meetings[at].name) {
		end++;
	}
	return end - at;
}

/* Two inputs that are compared. */
struct pair {
	const struct ra_ranks_input *a;
	const struct ra_ranks_input *b;
	void (*visit)(void *context, const struct ra_ranks_meeting *a,
	              const struct ra_ranks_meeting *b);
	void *context;
};

/* Matches the meetings of two inputs. If both have the same number of meetings with a name, the
 * n-th ones are the same meeting. */
static void visit_meetings(const struct pair *pair)
{
	size_t a = 0;
	size_t b = 0;

	while (a < pair->a->meeting_count && b < pair->b->meeting_count) {
		const uint32_t names[2] = { pair->a->meetings[a].name, pair->b->meetings[b].name };
		const size_t counts[2] = { count_name(pair->a, a), count_name(pair->b, b) };

		for (size_t i = 0; names[0] == names[1] && counts[0] == counts[1] && i < counts[0];
		     i++) {
			pair->visit(pair->context, &pair->a->meetings[a + i],
			            &pair->b->meetings[b + i]);
		}
		a += names[0] <= names[1] ? counts[0] : 0;
		b += names[1] <= names[0] ? counts[1] : 0;
	}
}

/* The limits that meetings set to an offset: neither input left a meeting before the other came. */
struct bounds {
	int64_t low_ns;
	int64_t high_ns;
	int64_t *ends_ns; /* by meeting: how much later the first input left */
	size_t count;
};

static void take_bound(void *context, const struct ra_ranks_meeting *first,
                       const struct ra_ranks_meeting *own)
{
	struct bounds *bounds = context;
	const int64_t low_ns = first->start_ns - own->end_ns;
	const int64_t high_ns = first->end_ns - own->start_ns;

	bounds->low_ns = low_ns > bounds->low_ns ? low_ns : bounds->low_ns;
	bounds->high_ns = high_ns < bounds->high_ns ? high_ns : bounds->high_ns;
	bounds->ends_ns[bounds->count++] = first->end_ns - own->end_ns;
}

/* Handles an input that has no meeting in common with the first one. Only clocks of the same
 * machine are then known to agree. */
static void trust_clocks(const struct ra_ranks *ranks, struct ra_ranks_input *input)
{
	const struct ra_ranks_input *first = &ranks->inputs[0];

	input->uncertainty_ns =
		input == first ? 0
		: input->host == first->host && ranks->texts.rows[input->host].length > 0
			? ra_util_add_time(first->error_ns, input->error_ns)
			: -1;
}

/* Finds an input's offset. All inputs leave a meeting at about the same time. So the offset is the
 * median difference of the ends, kept within the limits. */
static void align(const struct ra_ranks *ranks, struct ra_ranks_input *input, int64_t *ends_ns)
{
	struct bounds bounds = { -2 * FAR_NS, 2 * FAR_NS - 1, ends_ns, 0 };
	const struct pair pair = { &ranks->inputs[0], input, take_bound, &bounds };
	int64_t low_ns;
	int64_t high_ns;

	visit_meetings(&pair);
	input->matched = bounds.count;
	if (bounds.count == 0) {
		trust_clocks(ranks, input);
		return;
	}
	RA_SORT(ends_ns, bounds.count, ra_order_int64);
	input->offset_ns = ends_ns[bounds.count / 2];
	low_ns = bounds.low_ns < bounds.high_ns ? bounds.low_ns : bounds.high_ns;
	high_ns = bounds.low_ns < bounds.high_ns ? bounds.high_ns : bounds.low_ns;
	if (input->offset_ns < low_ns) {
		input->offset_ns = low_ns;
	} else if (input->offset_ns > high_ns) {
		input->offset_ns = high_ns;
	}
	low_ns = input->offset_ns - low_ns;
	high_ns -= input->offset_ns;
	input->uncertainty_ns = low_ns > high_ns ? low_ns : high_ns;
}

/* Counts the pairs of inputs of which one left before the other came, with both offsets applied. */
struct check {
	struct ra_ranks *ranks;
	int64_t apart_ns;
};

static void check_pair(void *context, const struct ra_ranks_meeting *a,
                       const struct ra_ranks_meeting *b)
{
	const struct check *check = context;

	check->ranks->pairs++;
	check->ranks->reversed += a->end_ns + check->apart_ns < b->start_ns ||
	                          b->end_ns < a->start_ns + check->apart_ns;
}

void ra_ranks_align(struct ra_ranks *ranks)
{
	size_t most = 0;
	int64_t *ends_ns;

	for (size_t i = 0; i < ranks->count; i++) {
		most = ranks->inputs[i].meeting_count > most ? ranks->inputs[i].meeting_count
		                                             : most;
		trust_clocks(ranks, &ranks->inputs[i]);
	}
	ends_ns = ra_alloc_zeros(most + 1, sizeof(*ends_ns));
	for (size_t i = 1; i < ranks->count; i++) {
		align(ranks, &ranks->inputs[i], ends_ns);
	}
	free(ends_ns);
	for (size_t i = 0; i < ranks->count; i++) {
		for (size_t k = i + 1; k < ranks->count; k++) {
			struct check check = { ranks, ranks->inputs[i].offset_ns -
				                              ranks->inputs[k].offset_ns };
			const struct pair pair = { &ranks->inputs[i], &ranks->inputs[k], check_pair,
				                   &check };

			visit_meetings(&pair);
		}
	}
}
