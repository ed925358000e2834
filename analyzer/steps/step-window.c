/* SPDX-License-Identifier: MIT */
/* Tells a reader when the chosen steps run. */
#include "analyzer/steps/step-window.h"

static bool may_be(void *context, struct rlog_string name, struct rlog_string domain)
{
	return ra_steps_may_be(context, name, domain);
}

static bool choose(void *context, const struct ra_model *model, struct ra_input_window *window)
{
	struct ra_steps steps;
	bool has_steps;

	ra_steps_init(&steps, model, context);
	has_steps = !steps.is_whole && steps.all_count > 0;
	/* no chosen step exists, so nothing is needed */
	*window = (struct ra_input_window){ 0, 1 };
	for (size_t i = 0; i < steps.times.step_count; i++) {
		const struct ra_steps_host *host = &steps.hosts[i];

		window->from_ns = i == 0 ? host->start_ns : window->from_ns;
		window->to_ns = host->end_ns > window->to_ns ? host->end_ns : window->to_ns;
	}
	window->to_ns = window->to_ns > window->from_ns ? window->to_ns : window->from_ns + 1;
	ra_steps_fini(&steps);
	return has_steps;
}

void ra_step_window_init(struct ra_input_steps *hooks, const struct ra_steps_options *options,
                         uint64_t least_events)
{
	*hooks = (struct ra_input_steps){
		.context = (void *) options,
		.least_events = least_events,
		.may_be = may_be,
		.choose = choose,
	};
}
