/* SPDX-License-Identifier: MIT */
/* Finds the steps of a program: where they begin and end, in ns. */
#include "analyzer/steps/steps.h"

#include <stdio.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/order/search.h"
#include "analyzer/model/gpu-early.h"
#include "analyzer/model/model-part.h"
#include "analyzer/model/model-rows.h"
#include "analyzer/rows/kineto-details.h"
#include "analyzer/base/text/util-string.h"
#include "analyzer/read-log/ranges/step-events.h"
#include "analyzer/steps/step-guess.h"
#include "analyzer/steps/step-pattern.h"

#define STEP_PREFIX "ProfilerStep#"

/* Room for the number of a step as text. */
#define NAME_BYTES 24

static double end_of(const struct ra_model *model, uint32_t slice)
{
	return (double) (model->slices.start_ns[slice] + model->slices.dur_ns[slice]);
}

/* What makes a range a step. The first of these that the model has: the user's pattern, a call of
 * ranges_step(), PyTorch's name, JAX's arg, a common name for steps. */
struct rule {
	const struct ra_step_pattern *pattern; /* NULL: the rule is not a pattern */
	uint32_t domain;  /* domain of ranges_step(); RA_STEP_EVENTS_NONE: it was not called */
	bool is_numbered; /* steps have the arg step_num: JAX's StepTraceAnnotation */
};

static bool is_step(const struct ra_model *model, uint32_t slice, const struct rule *rule)
{
	const struct rlog_string name = ra_model_string(model, model->slices.name[slice]);
	const struct ra_domain *domain;

	if (rule->is_numbered) {
		return ra_kineto_details_step(model->kineto, ra_model_rows_find_slice(model, slice),
		                              &(uint64_t){ 0 });
	}
	if (rule->pattern == NULL) {
		return rule->domain == RA_STEP_EVENTS_NONE
		               ? ra_util_string_has_prefix(name, STEP_PREFIX)
		               : model->slices.domain[slice] == rule->domain;
	}
	domain = &model->domains[model->slices.domain[slice]];
	return ra_step_pattern_matches(rule->pattern, name, ra_model_string(model, domain->name),
	                               NULL);
}

bool ra_steps_may_be(const struct ra_steps_options *options, struct rlog_string name,
                     struct rlog_string domain)
{
	struct ra_step_pattern pattern;

	if (options->range == NULL) {
		return ra_util_string_has_prefix(name, STEP_PREFIX) || ra_step_guess_may_be(name) ||
		       ra_util_string_is(domain, RA_STEP_EVENTS_DOMAIN);
	}
	pattern = ra_step_pattern_make(options->range);
	return ra_step_pattern_matches(&pattern, name, domain, NULL);
}

/* Finds the track with the most steps. If several threads have steps, only one of them is used. */
static const struct ra_track *find_track(const struct ra_model *model, uint8_t *marks,
                                         const struct rule *rule)
{
	const struct ra_track *best = NULL;
	size_t most = 0;

	for (size_t t = 0; t < model->track_count; t++) {
		const struct ra_track *track = &model->tracks[t];
		size_t count = 0;

		for (size_t i = 0; i < track->slice_count; i++) {
			const uint32_t slice = (uint32_t) (track->first_slice + i);

			marks[slice] = is_step(model, slice, rule);
			count += marks[slice];
		}
		if (count > most) {
			most = count;
			best = track;
		}
	}
	return best;
}

/* Finds the next slice of a track, from `from` on, that is a step and does not begin inside the
 * step before. Return: false if there is none. */
static bool find_next(const struct ra_model *model, const struct ra_track *track,
                      const uint8_t *marks, size_t *from, double *last)
{
	for (size_t i = *from; i < track->slice_count; i++) {
		const uint32_t slice = (uint32_t) (track->first_slice + i);

		if (marks[slice] && (double) model->slices.start_ns[slice] >= *last) {
			*last = end_of(model, slice);
			*from = i + 1;
			return true;
		}
	}
	return false;
}

static size_t count_apart(const struct ra_model *model, const struct ra_track *track,
                          const uint8_t *marks)
{
	double last = -9e18;
	size_t from = 0;
	size_t count = 0;

	while (find_next(model, track, marks, &from, &last)) {
		count++;
	}
	return count;
}

/* Finds steps by common names; there must be at least two. @pattern: gets their pattern,
 * borrowed from steps->guess. Return: the track that has them; NULL: there are none. */
static const struct ra_track *guess_track(struct ra_steps *steps, const struct ra_model *model,
                                          struct ra_step_pattern *pattern)
{
	const struct rule rule = { .pattern = pattern, .domain = RA_STEP_EVENTS_NONE };
	const struct ra_track *track = NULL;
	struct ra_step_guesses guesses;

	ra_step_guess_list(&guesses, model);
	for (size_t i = 0; i < guesses.count && track == NULL; i++) {
		*pattern = ra_step_pattern_make(guesses.patterns[i]);
		track = find_track(model, steps->is_step, &rule);
		if (track != NULL && count_apart(model, track, steps->is_step) < 2) {
			track = NULL;
		}
		if (track != NULL) {
			steps->guess = guesses.patterns[i];
			guesses.patterns[i] = NULL;
		}
	}
	if (track == NULL) {
		memset(steps->is_step, 0, model->slices.count + 1);
	}
	ra_step_guess_free(&guesses);
	return track;
}

/* Names a step. Its number comes from PyTorch's name, from a # in the pattern, from the payload of
 * ranges_step(), or from JAX's arg; steps without such a number are counted. */
static struct rlog_string name_step(struct ra_steps *steps, const struct ra_model *model,
                                    const struct rule *rule, uint32_t slice, size_t place)
{
	struct rlog_string name = ra_model_string(model, model->slices.name[slice]);
	char *text = steps->names + place * NAME_BYTES;
	uint64_t number = place;

	if (!rule->is_numbered && rule->pattern == NULL && rule->domain == RA_STEP_EVENTS_NONE) {
		name.bytes += strlen(STEP_PREFIX);
		name.length -= (uint32_t) strlen(STEP_PREFIX);
		return name;
	}
	if (rule->is_numbered) {
		(void) ra_kineto_details_step(model->kineto, ra_model_rows_find_slice(model, slice),
		                              &number);
	} else if (rule->pattern != NULL) {
		struct rlog_string found;

		(void) ra_step_pattern_matches(rule->pattern, name, rule->pattern->domain, &found);
		if (found.length > 0) {
			return found;
		}
	} else {
		(void) ra_step_events_number(model, slice, &number);
	}
	name.bytes = text;
	name.length = (uint32_t) snprintf(text, NAME_BYTES, "%llu", (unsigned long long) number);
	name.full_length = name.length;
	return name;
}

static void add_steps(struct ra_steps *steps, const struct ra_model *model,
                      const struct ra_track *track, const struct rule *rule)
{
	size_t room = 0;
	size_t number = 0;
	size_t next = 0;
	double last = -9e18;

	for (size_t i = 0; i < track->slice_count; i++) {
		room += steps->is_step[track->first_slice + i] ? NAME_BYTES : 0;
	}
	steps->names = ra_alloc_bytes(room + 1);
	while (find_next(model, track, steps->is_step, &next, &last)) {
		const uint32_t slice = (uint32_t) (track->first_slice + next - 1);
		struct ra_step step = { (double) model->slices.start_ns[slice],
			                end_of(model, slice),
			                { 0 } };

		step.name = name_step(steps, model, rule, slice, number);
		number++;
		ra_step_times_add(&steps->times, &step);
	}
}

/* Adds one step from the begin of the first range or call to the last end. GPU work is used only if
 * there is nothing else. */
static void add_whole(struct ra_steps *steps, const struct ra_model *model)
{
	struct ra_step whole = { 9e18, -9e18, { "0", 1, 1 } };
	const struct ra_gpu *gpu = &model->gpu;

	steps->is_whole = true;
	for (uint32_t i = 0; i < model->slices.count; i++) {
		const double start = (double) model->slices.start_ns[i];

		whole.start = start < whole.start ? start : whole.start;
		whole.end = end_of(model, i) > whole.end ? end_of(model, i) : whole.end;
	}
	for (size_t i = 0; i < gpu->api_count; i++) {
		const double start = (double) gpu->apis[i].start_ns;
		const double end = start + (double) gpu->apis[i].dur_ns;

		whole.start = start < whole.start ? start : whole.start;
		whole.end = end > whole.end ? end : whole.end;
	}
	for (size_t i = 0; i < gpu->op_count && model->slices.count + gpu->api_count == 0; i++) {
		const double start = (double) gpu->ops[i].start_ns;
		const double end = start + (double) gpu->ops[i].dur_ns;

		whole.start = start < whole.start ? start : whole.start;
		whole.end = end > whole.end ? end : whole.end;
	}
	if (whole.end >= whole.start) {
		ra_step_times_add(&steps->times, &whole);
	}
}

/* The index of the step whose CPU part contains a time; step_count: there is none. */
static size_t find_step(const struct ra_step_times *times, double time)
{
	struct ra_search at = ra_search_in(0, times->step_count);

	while (ra_search_next(&at)) {
		ra_search_tell(&at, times->steps[at.middle].end <= time);
	}
	return at.low < times->step_count && times->steps[at.low].start <= time ? at.low
	                                                                        : times->step_count;
}

/* Saves the CPU parts of the steps before the steps are stretched. If the step is the whole
 * capture, its CPU part also contains what begins at its end. */
static void keep_hosts(struct ra_steps *steps)
{
	const struct ra_step_times *times = &steps->times;

	steps->all_count = times->step_count;
	steps->has_first = times->step_count > 0;
	steps->hosts = ra_alloc_zeros(times->step_count + 1, sizeof(*steps->hosts));
	for (size_t i = 0; i < times->step_count; i++) {
		steps->hosts[i].start_ns = (int64_t) times->steps[i].start;
		steps->hosts[i].end_ns = (int64_t) times->steps[i].end + steps->is_whole;
	}
}

/* The index of the step in whose CPU part an operation's call began; step_count: there is none. */
static size_t find_op_step(const struct ra_step_times *times, const struct ra_gpu *gpu, size_t op)
{
	const uint32_t api = gpu->ops[op].api;

	return api == RA_NONE ? times->step_count
	                      : find_step(times, (double) gpu->apis[api].start_ns);
}

static double end_of_op(const struct ra_gpu *gpu, size_t op)
{
	return (double) (gpu->ops[op].start_ns + gpu->ops[op].dur_ns);
}

/* Finds the end of each step's GPU work. The entry in `ends` of a step without GPU work stays. */
static void find_ends(const struct ra_step_times *times, const struct ra_gpu *gpu, double *ends)
{
	for (size_t i = 0; i < gpu->op_count; i++) {
		const size_t step = find_op_step(times, gpu, i);
		const double end = end_of_op(gpu, i);

		if (step < times->step_count) {
			ends[step] = end > ends[step] ? end : ends[step];
		}
	}
}

/*
 * Finds when the work ends that was launched before the first step: by calls before the step's
 * range, or before the recording began. Work that lasts longer than the step's own work is ignored.
 * Counts the work that was running when the range began. Return: the time of the end, but at least
 * the range's begin.
 */
static double find_left_over(struct ra_steps *steps, const struct ra_model *model, double own_end)
{
	const struct ra_gpu *gpu = &model->gpu;
	const double start = steps->times.steps[0].start;
	struct ra_gpu_early early;
	double until = start;

	ra_gpu_early_init(&early, model);
	for (size_t i = 0; i < gpu->op_count; i++) {
		const uint32_t api = gpu->ops[i].api;
		const double end = end_of_op(gpu, i);

		if (end > start && end <= own_end &&
		    (api == RA_NONE ? ra_gpu_early_is(&early, i)
		                    : (double) gpu->apis[api].start_ns < start)) {
			until = end > until ? end : until;
			steps->left_over_ops++;
		}
	}
	ra_gpu_early_fini(&early);
	steps->left_over_ns = (int64_t) (until - start);
	return until;
}

/* Stretches the steps. A step lasts until the GPU work launched in it ends, and the next step
 * begins then. The first step begins when the work launched before it ends. */
static void stretch(struct ra_steps *steps, const struct ra_model *model)
{
	struct ra_step_times *times = &steps->times;
	double *ends = ra_alloc_zeros(times->step_count + 1, sizeof(*ends));
	double before = times->step_count == 0 ? 0 : times->steps[0].start;

	find_ends(times, &model->gpu, ends);
	if (!steps->is_whole && times->step_count > 0) {
		before = find_left_over(steps, model, ends[0]);
	}
	for (size_t i = 0; i < times->step_count; i++) {
		struct ra_step *step = &times->steps[i];

		step->start = before > step->start ? before : step->start;
		step->end = ends[i] > step->end ? ends[i] : step->end;
		step->end = step->end < step->start ? step->start : step->end;
		before = step->end;
	}
	free(ends);
}

/* Reads "5", "5-9" or "5-". Return: false if it is something else. */
static bool read_only(const char *only, unsigned long long *first, unsigned long long *last)
{
	char *end;

	if (*only < '0' || *only > '9') {
		return false;
	}
	*first = strtoull(only, &end, 10);
	*last = *first;
	if (*end == '-') {
		if (end[1] == '\0') {
			*last = ULLONG_MAX;
			return true;
		}
		if (end[1] < '0' || end[1] > '9') {
			return false;
		}
		*last = strtoull(end + 1, &end, 10);
	}
	return *end == '\0' && *first <= *last;
}

uint64_t ra_steps_count_only(const char *only)
{
	unsigned long long first;
	unsigned long long last;

	return only != NULL && read_only(only, &first, &last) && last < ULLONG_MAX
	               ? last - first + 1
	               : 0;
}

const char *ra_steps_check_only(const char *only)
{
	unsigned long long first;
	unsigned long long last;

	return read_only(only, &first, &last) ? NULL : "a step's number, FIRST-LAST or FIRST-";
}

/* True if the step's name is a number from `first` to `last`. */
static bool is_named(const struct ra_step *step, unsigned long long first, unsigned long long last)
{
	char text[NAME_BYTES] = { 0 };
	unsigned long long number;
	char *end;

	if (step->name.length == 0 || step->name.length >= sizeof(text)) {
		return false;
	}
	memcpy(text, step->name.bytes, step->name.length);
	number = strtoull(text, &end, 10);
	return *text >= '0' && *text <= '9' && *end == '\0' && number >= first && number <= last;
}

static void keep_only(struct ra_steps *steps, const char *only)
{
	struct ra_step_times *times = &steps->times;
	unsigned long long first;
	unsigned long long last;
	size_t kept = 0;

	if (!read_only(only, &first, &last)) {
		return;
	}
	if (times->step_count > 0 && !is_named(&times->steps[0], first, last)) {
		steps->has_first = false;
		steps->left_over_ops = 0;
		steps->left_over_ns = 0;
	}
	for (size_t i = 0; i < times->step_count; i++) {
		if (is_named(&times->steps[i], first, last)) {
			times->steps[kept] = times->steps[i];
			steps->hosts[kept++] = steps->hosts[i];
		}
	}
	times->step_count = kept;
}

bool ra_steps_is_chosen(struct rlog_string name, const char *only)
{
	const struct ra_step step = { .name = name };
	unsigned long long first;
	unsigned long long last;

	return read_only(only, &first, &last) && is_named(&step, first, last);
}

bool ra_steps_has_any(const struct ra_steps *steps, const char *only)
{
	bool found = false;

	for (size_t i = 0; i < steps->times.step_count && !found; i++) {
		found = ra_steps_is_chosen(steps->times.steps[i].name, only);
	}
	return found;
}

static void find_steps(struct ra_steps *steps, const struct ra_model *model,
                       const struct ra_steps_options *options)
{
	struct ra_step_pattern pattern =
		ra_step_pattern_make(options->range == NULL ? "" : options->range);
	struct rule rule = {
		.pattern = options->range == NULL ? NULL : &pattern,
		.domain = ra_step_events_find_domain(model),
	};
	const struct ra_track *track;

	steps->is_step = ra_alloc_zeros(model->slices.count + 1, 1);
	track = find_track(model, steps->is_step, &rule);
	if (track == NULL && options->range == NULL && ra_model_has(model, RA_HAS_ROWS)) {
		rule.is_numbered = true;
		track = find_track(model, steps->is_step, &rule);
	}
	if (track == NULL && options->range == NULL) {
		track = guess_track(steps, model, &pattern);
		if (track != NULL) {
			rule = (struct rule){ .pattern = &pattern, .domain = RA_STEP_EVENTS_NONE };
		}
	}
	if (track == NULL) {
		add_whole(steps, model);
	} else {
		add_steps(steps, model, track, &rule);
	}
	keep_hosts(steps);
	stretch(steps, model);
	if (options->only != NULL) {
		keep_only(steps, options->only);
	}
}

/* Finds the steps of a model that has only some ranges. The caller will not ask which ranges are
 * steps. */
static void find_steps_of_part(struct ra_steps *steps, const struct ra_model *model,
                               const struct ra_steps_options *options)
{
	struct ra_track *tracks = ra_alloc_zeros(model->track_count + 1, sizeof(*tracks));
	struct ra_model view;

	ra_model_part_view(model, &view, tracks);
	find_steps(steps, &view, options);
	free(tracks);
	free(steps->is_step);
	steps->is_step = ra_alloc_zeros(model->slices.count + 1, 1);
}

void ra_steps_init(struct ra_steps *steps, const struct ra_model *model,
                   const struct ra_steps_options *options)
{
	memset(steps, 0, sizeof(*steps));
	if (model->part != NULL) {
		find_steps_of_part(steps, model, options);
	} else {
		find_steps(steps, model, options);
	}
}

void ra_steps_fini(struct ra_steps *steps)
{
	ra_step_times_fini(&steps->times);
	free(steps->is_step);
	free(steps->names);
	free(steps->guess);
	free(steps->hosts);
	memset(steps, 0, sizeof(*steps));
}

/* Returns the time of a step from its begin to its end. */
static int64_t find_total(const struct ra_step *step)
{
	const double dur_ns = step->end - step->start;

	return dur_ns > 9e18 ? INT64_C(9000000000000000000) : dur_ns < 0 ? 0 : (int64_t) dur_ns;
}

bool ra_steps_is_filling(const struct ra_steps *steps, size_t index)
{
	const struct ra_steps_host *host = &steps->hosts[index];

	return index == 0 && steps->has_first &&
	       find_total(&steps->times.steps[0]) - (host->end_ns - host->start_ns) >
	               steps->left_over_ns;
}

int64_t ra_steps_length(const struct ra_steps *steps, size_t index)
{
	const struct ra_steps_host *host = &steps->hosts[index];

	return ra_steps_is_filling(steps, index) ? host->end_ns - host->start_ns
	                                         : find_total(&steps->times.steps[index]);
}

size_t ra_steps_longest(const struct ra_steps *steps)
{
	size_t longest = 0;

	for (size_t i = 1; i < steps->times.step_count; i++) {
		if (ra_steps_length(steps, i) > ra_steps_length(steps, longest)) {
			longest = i;
		}
	}
	return longest;
}

size_t ra_steps_longest_range(const struct ra_steps *steps)
{
	size_t longest = 0;

	for (size_t i = 1; i < steps->times.step_count; i++) {
		if (steps->hosts[i].end_ns - steps->hosts[i].start_ns >
		    steps->hosts[longest].end_ns - steps->hosts[longest].start_ns) {
			longest = i;
		}
	}
	return longest;
}

bool ra_steps_holds(const struct ra_steps *steps, int64_t time_ns)
{
	return find_step(&steps->times, (double) time_ns) < steps->times.step_count;
}

size_t ra_steps_find(const struct ra_steps *steps, int64_t time_ns)
{
	struct ra_search at = ra_search_in(0, steps->times.step_count);

	while (ra_search_next(&at)) {
		ra_search_tell(&at, steps->hosts[at.middle].end_ns <= time_ns);
	}
	return at.low < steps->times.step_count && steps->hosts[at.low].start_ns <= time_ns
	               ? at.low
	               : steps->times.step_count;
}

bool ra_steps_is_open(const struct ra_steps *steps, int64_t time_ns)
{
	return ra_steps_find(steps, time_ns) < steps->times.step_count;
}
