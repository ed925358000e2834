/* SPDX-License-Identifier: MIT */
/* Adds to a summary's part the steps, facts about the input, and what its footer says. */
#include "analyzer/base/alloc.h"
#include "analyzer/summary-file/build/sum-build-rows.h"

#include <math.h>
#include <stdlib.h>

#include "analyzer/base/order/order.h"
#include "analyzer/base/text/util-string.h"
#include "analyzer/model/model-facts.h"
#include "analyzer/footer/footer.h"
#include "analyzer/steps/step-costs.h"
#include "analyzer/steps/steps.h"
#include "analyzer/base/util.h"
#include "analyzer/steps/step-roles.h"

static int64_t round_ns(double ns)
{
	return (int64_t) llround(ns);
}

static void fill_step(struct ra_sum_build_job *job, const struct ra_step *from,
                      const struct ra_step_cost *cost, struct ra_sum_step *step)
{
	step->start_ns = round_ns(from->start);
	for (size_t role = 0; role < RA_ROLES; role++) {
		step->role_ns[role] = round_ns(cost->role[role]);
	}
	step->computation_ns = round_ns(cost->overlap.computation);
	step->communication_ns = round_ns(cost->overlap.communication);
	step->overlap_ns = round_ns(cost->overlap.overlap);
	step->name = ra_sum_build_text(job, from->name);
}

/* Sets the step of a change: the step that was open on the CPU when a range began to take
 * longer. */
static void name_change(struct ra_sum_build_job *job, const struct ra_steps *steps,
                        struct ra_sum_change *change)
{
	for (size_t i = 0; i < steps->times.step_count; i++) {
		if (steps->hosts[i].start_ns <= change->at_ns &&
		    change->at_ns < steps->hosts[i].end_ns) {
			change->step = ra_sum_build_text(job, steps->times.steps[i].name);
			return;
		}
	}
}

static void name_changes(struct ra_sum_build_job *job, const struct ra_steps *steps)
{
	for (size_t i = 0; i < job->part->change_count && !steps->is_whole; i++) {
		name_change(job, steps, &job->part->changes[i]);
	}
}

/* If steps were found only by common names, adds a remark that tells this to readers of the
 * summary. */
static void add_guess(struct ra_sum_build_job *job, const char *guess)
{
	struct ra_sum_part *part = job->part;
	struct ra_util_text text = { 0 };

	if (guess == NULL) {
		return;
	}
	ra_util_text_format(&text, "ranges %s are taken as steps by their name (--step-range)",
	                    guess);
	ra_util_text_put_char(&text, '\0');
	part->remarks[part->remark_count++] = (struct ra_sum_remark){
		.key = ra_sum_build_text(job, ra_util_string(RA_SUM_REMARK_GUESS)),
		.text = ra_sum_build_text(job, ra_util_string(text.bytes)),
	};
	ra_util_text_free(&text);
}

static void add_steps(struct ra_sum_build_job *job)
{
	struct ra_steps *steps = &job->steps;
	struct ra_sum_part *part = job->part;
	struct ra_step_cost mean;

	ra_sum_make_lists(part, steps->times.step_count, 0, 0);
	if (job->costs == NULL) {
		job->costs = ra_alloc_zeros(steps->times.step_count + 1, sizeof(*job->costs));
		ra_step_roles_fill(steps, job->whole, job->costs, &mean);
	}
	for (size_t i = 0; i < steps->times.step_count; i++) {
		fill_step(job, &steps->times.steps[i], &job->costs[i], &part->steps[i]);
		part->step_count++;
	}
	part->is_whole = steps->is_whole;
	name_changes(job, steps);
	add_guess(job, steps->guess);
}

static void add_remarks(struct ra_sum_build_job *job)
{
	struct ra_sum_part *part = job->part;
	struct ra_footer_line lines[RA_FOOTER_LINES];
	const size_t count = ra_footer_collect(job->whole, lines);

	ra_sum_make_lists(part, 0, 0, count + 1); /* one more for add_guess() */
	for (size_t i = 0; i < count; i++) {
		part->remarks[i].count = lines[i].count;
		part->remarks[i].key = ra_sum_build_text(job, ra_util_string(lines[i].key));
		part->remarks[i].text = ra_sum_build_text(job, ra_util_string(lines[i].text));
		part->remark_count++;
	}
}

static int compare_facts(const void *a, const void *b)
{
	const struct ra_model_fact *left = a;
	const struct ra_model_fact *right = b;
	const int order = ra_util_string_compare(left->key, right->key);

	return RA_ORDER_THEN(order, ra_util_string_compare(left->text, right->text));
}

/* Adds the facts, ordered by key and text, so that the order in the input does not matter. */
static void add_environment(struct ra_sum_build_job *job)
{
	const struct ra_model *model = job->whole;
	struct ra_sum_part *part = job->part;
	struct ra_model_fact facts[RA_MODEL_FACTS];

	for (size_t i = 0; i < model->fact_count; i++) {
		facts[i] = model->facts[i];
	}
	RA_SORT(facts, model->fact_count, compare_facts);
	for (size_t i = 0; i < model->fact_count; i++) {
		struct ra_sum_fact fact = { 0 };

		if (i > 0 && compare_facts(&facts[i - 1], &facts[i]) == 0) {
			continue;
		}
		fact.key = ra_sum_build_text(job, facts[i].key);
		fact.text = ra_sum_build_text(job, facts[i].text);
		RA_UTIL_APPEND(part->facts, part->fact_count, part->fact_capacity, fact);
	}
}

static void add_process(struct ra_sum_build_job *job)
{
	static const struct ra_process none = { .rank = -1, .host = "", .exe = "" };
	const struct ra_model *model = job->whole;
	const struct ra_process *process = model->process_count > 0 ? &model->processes[0] : &none;
	struct ra_sum_part *part = job->part;

	part->host = ra_sum_build_text(job, ra_util_string(process->host));
	part->origin.rank = process->rank < 0 ? -1 : process->rank;
	part->pid = process->pid;
	part->program = ra_sum_build_text(job, ra_util_string(process->exe));
	part->options = ra_sum_build_text(job, ra_util_string(job->options->words));
}

void ra_sum_build_facts(struct ra_sum_build_job *job)
{
	const struct ra_model *model = job->whole;
	const struct ra_quality *quality = &model->quality;
	struct ra_sum_part *part = job->part;

	add_process(job);
	add_environment(job);
	part->is_trace = ra_model_has(model, RA_HAS_ROWS);
	part->events = quality->events;
	part->lost = quality->missing_rows;
	for (size_t i = 0; i < sizeof(quality->lost) / sizeof(quality->lost[0]); i++) {
		part->lost = ra_util_add(part->lost, quality->lost[i]);
	}
	part->start_real_ns = model->zero_real_ns;
	part->length_ns = model->end_ns;
	part->clock_error_ns = quality->clock_error_ns;
	part->state = ra_footer_is_incomplete(model) ? RA_SUM_INCOMPLETE
	              : ra_footer_is_complete(model) ? RA_SUM_COMPLETE
	                                             : RA_SUM_LOSSY;
	add_remarks(job);
	add_steps(job);
}
