/* SPDX-License-Identifier: MIT */
/* What can switch a capture on and off, of which one does; and what makes no sense alone. */
#ifndef RCAP_RANGES_DECIDERS_H
#define RCAP_RANGES_DECIDERS_H

#include "libranges/settings/config.h"
#include "libranges/launcher/shared/ranges-command.h"

/* What the options of a command line say of it. */
struct rcap_ranges_deciders {
	unsigned chosen;    /* bits: what is to switch the capture */
	bool has_condition; /* RANGES_WHEN is an option's */
	const char *detail; /* an option that says more of its snapshots; NULL: none */
};

/* An option sets the variable. */
void rcap_ranges_deciders_note(struct rcap_ranges_deciders *deciders, const char *variable);

/* An option is for this run, the environment for all: what that has of other kinds must yield. */
void rcap_ranges_deciders_yield(const struct rcap_ranges_deciders *deciders);

/*
 * Looks at what was set. What options say is refused if it makes no sense; what the environment
 * says is for all programs, and must stop none: it is told and ignored, in `config` and in the
 * environment.
 *
 * Return: 0, or an exit code.
 */
int rcap_ranges_deciders_check(const struct rcap_ranges_deciders *deciders,
                               const struct rcap_ranges_command *self, struct rcap_config *config);

/* The same once it is known that there will be no thread of ours. */
int rcap_ranges_deciders_check_thread(const struct rcap_ranges_deciders *deciders,
                                      const struct rcap_ranges_command *self,
                                      struct rcap_config *config);

#endif
