/* SPDX-License-Identifier: MIT */
/* Serves the summary and the page if a log's ranges are not held in memory. Collects the sums for
 * each name, and the few ranges from which steps and advice are made. */
#include "analyzer/commands/analyze/summary-stream.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/advice/advice.h"
#include "analyzer/base/alloc.h"
#include "analyzer/model/few-ranges.h"
#include "analyzer/model/walk.h"
#include "analyzer/names/op-kinds.h"
#include "analyzer/read-log/ranges/step-events.h"
#include "analyzer/steps/step-roles.h"
#include "analyzer/steps/steps.h"

/* Facts about a name: whether its ranges are wanted in any domain, or in the domain of the last
 * question. */
struct known {
	uint16_t domain;
	bool is_known;
	bool is_wanted;
};

struct ra_summary_stream {
	struct ra_slice_sink sink;
	const char *step_range; /* borrowed */
	bool walks;             /* for a page: the model has a walk */
	struct ra_range_stream *sums;
	const struct ra_slice_sink *out; /* borrowed: the sink of the sums */
	const struct ra_model *model;    /* borrowed: the model of the first pass */
	struct ra_few_ranges few;
	struct ra_model view;
	bool has_view;
	bool has_few;   /* ranges of some names or domains are wanted … */
	bool has_steps; /* … and some of these may be steps */
	bool must_walk; /* the last reading found too late that there are steps */
	unsigned pass;
	struct known *names; /* owned: one for each name of the model */
	size_t name_count;
	uint32_t step_domain; /* domain of the steps; RA_STEP_EVENTS_NONE: there is none */
};

static struct ra_steps_options take_options(const struct ra_summary_stream *stream)
{
	return (struct ra_steps_options){ .range = stream->step_range };
}

/* True of names for which advice looks if there is no GPU work, and of names that have their own
 * role in a step. */
static bool is_told_apart(struct rlog_string name)
{
	return ra_advice_host_is_loader(name) || ra_op_kinds_is_loader(name) ||
	       ra_op_kinds_is_gloo_or_nccl(name);
}

static void reserve_names(struct ra_summary_stream *stream)
{
	const size_t count = stream->model->name_count;

	if (count > stream->name_count) {
		stream->names = ra_alloc_resize(stream->names, count, sizeof(*stream->names));
		memset(stream->names + stream->name_count, 0,
		       (count - stream->name_count) * sizeof(*stream->names));
		stream->name_count = count;
	}
}

/* Answers whether ranges are wanted (ra_few_ranges_wants). */
static bool wants(void *context, uint32_t name, uint16_t domain)
{
	struct ra_summary_stream *stream = context;
	const struct ra_steps_options options = take_options(stream);
	const struct ra_model *model = stream->model;
	struct known *known = &stream->names[name];
	struct rlog_string text;

	/* Without a pattern for steps, the answer depends on the name alone. */
	if (!known->is_known || (options.range != NULL && known->domain != domain)) {
		text = ra_model_string(model, name);
		known->is_known = true;
		known->domain = domain;
		known->is_wanted =
			is_told_apart(text) ||
			ra_steps_may_be(
				&options, text,
				options.range == NULL
					? ra_util_string("")
					: ra_model_string(model, model->domains[domain].name));
	}
	return known->is_wanted || domain == stream->step_domain;
}

static void begin(void *context, const struct ra_model *model)
{
	struct ra_summary_stream *stream = context;

	if (stream->pass++ == 0) {
		stream->model = model;
	}
	stream->out->begin(stream->out->context, model);
}

/* Asks for all ranges once more if there may be steps, because a step's roles depend on the other
 * ranges in it. */
static enum ra_slice_sink_wish choose(void *context, uint64_t rows)
{
	struct ra_summary_stream *stream = context;
	const struct ra_steps_options options = take_options(stream);
	const struct ra_model *model = stream->model;

	reserve_names(stream);
	stream->step_domain = ra_step_events_find_domain(model);
	stream->has_steps = options.range != NULL || stream->must_walk ||
	                    stream->step_domain != RA_STEP_EVENTS_NONE;
	stream->has_few = stream->has_steps || stream->walks;
	for (uint32_t i = 0; i < model->name_count && !stream->has_steps; i++) {
		const struct rlog_string name = ra_model_string(model, i);

		stream->has_steps = ra_steps_may_be(&options, name, ra_util_string(""));
		stream->has_few |= stream->has_steps || is_told_apart(name);
	}
	if (!stream->has_steps && !stream->walks) {
		return RA_SLICE_SINK_ENOUGH;
	}
	return rows < RA_WALK_LEAST_EVENTS && !stream->walks ? RA_SLICE_SINK_HOLD
	                                                     : RA_SLICE_SINK_WALK;
}

static void take(void *context, const struct ra_slice_stretch *stretch)
{
	struct ra_summary_stream *stream = context;

	if (stream->pass == 1 && stream->has_few) {
		reserve_names(stream);
		ra_few_ranges_take(&stream->few, stretch, wants, stream);
	}
	stream->out->take(stream->out->context, stretch);
}

static int64_t take_run(void *context, const struct ra_slice_run *run)
{
	struct ra_summary_stream *stream = context;

	if (stream->pass == 1 && stream->has_few) {
		reserve_names(stream);
		ra_few_ranges_take_run(&stream->few, run, wants, stream);
	}
	return stream->out->take_run(stream->out->context, run);
}

/* True if a walk can find the parts of the steps, and everything that a page shows. */
static bool can_walk(const struct ra_summary_stream *stream)
{
	const struct ra_few_ranges *few = &stream->few;
	const struct ra_gpu *gpu = &stream->model->gpu;
	const uint64_t single =
		gpu->op_count + gpu->api_count + gpu->memory_count; /* a page shows each of them */

	return !few->is_full && (!stream->walks || single == 0) &&
	       (!few->has_any || ra_step_roles_can_reach(few->first_ns, few->last_ns));
}

static enum ra_slice_sink_wish end(void *context)
{
	struct ra_summary_stream *stream = context;

	/* If the program reported its steps one by one, their domain is known only now. */
	if (!stream->has_steps &&
	    ra_step_events_find_domain(stream->model) != RA_STEP_EVENTS_NONE) {
		stream->must_walk = true;
		return RA_SLICE_SINK_WALK;
	}
	return can_walk(stream) ? stream->out->end(stream->out->context) : RA_SLICE_SINK_HOLD;
}

static void forget(struct ra_summary_stream *stream)
{
	ra_few_ranges_fini(&stream->few);
	free(stream->names);
	stream->names = NULL;
	stream->name_count = 0;
	stream->pass = 0;
}

static void drop(void *context)
{
	struct ra_summary_stream *stream = context;

	forget(stream);
	stream->out->drop(stream->out->context);
}

/* @parts: the parts of the sums, as for ra_range_stream_create(). */
static struct ra_summary_stream *create(const char *step_range,
                                        const struct ra_labels_options *names, unsigned parts)
{
	struct ra_summary_stream *stream = ra_alloc_zeros(1, sizeof(*stream));

	stream->step_range = step_range;
	stream->sums = ra_range_stream_create(names, parts, RA_GROUP_BY_NAME);
	stream->out = ra_range_stream_borrow_sink(stream->sums);
	stream->sink = (struct ra_slice_sink){
		.context = stream,
		.choose = choose,
		.begin = begin,
		.take = take,
		.take_run = take_run,
		.end = end,
		.drop = drop,
	};
	return stream;
}

struct ra_summary_stream *ra_summary_stream_create(const char *step_range,
                                                   const struct ra_labels_options *names)
{
	return create(step_range, names, 1u << RA_RANGE_STREAM_NAMES);
}

struct ra_summary_stream *ra_summary_stream_create_walk(const char *step_range,
                                                        const struct ra_labels_options *names)
{
	struct ra_summary_stream *stream = create(
		step_range, names, 1u << RA_RANGE_STREAM_NAMES | 1u << RA_RANGE_STREAM_DOMAINS);

	stream->walks = true;
	return stream;
}

void ra_summary_stream_destroy(struct ra_summary_stream *stream)
{
	if (stream == NULL) {
		return;
	}
	forget(stream);
	if (stream->has_view) {
		ra_few_ranges_view_fini(&stream->view);
	}
	ra_range_stream_destroy(stream->sums);
	free(stream);
}

const struct ra_slice_sink *ra_summary_stream_borrow_sink(struct ra_summary_stream *stream)
{
	return &stream->sink;
}

struct ra_range_stream *ra_summary_stream_borrow_sums(struct ra_summary_stream *stream)
{
	return stream->sums;
}

const struct ra_model *ra_summary_stream_view(struct ra_summary_stream *stream,
                                              const struct ra_model *model)
{
	if (!stream->has_view) {
		ra_few_ranges_view(&stream->few, model, &stream->view);
		stream->has_view = true;
	}
	return &stream->view;
}
