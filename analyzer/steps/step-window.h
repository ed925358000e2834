/* SPDX-License-Identifier: MIT */
/* Tells a reader when the chosen steps run, so that it need not read the rest. */
#ifndef RA_STEP_WINDOW_H
#define RA_STEP_WINDOW_H

#include "analyzer/model/input.h"
#include "analyzer/steps/steps.h"

/*
 * Makes the hooks for struct ra_load_options.
 *
 * @options: must have `only`; borrowed as long as the hooks are used.
 * @least_events: see struct ra_input_steps.
 */
void ra_step_window_init(struct ra_input_steps *hooks, const struct ra_steps_options *options,
                         uint64_t least_events);

#endif
