/* SPDX-License-Identifier: MIT */
/* Checks the settings that can switch a capture: only one of them may be used. Also checks settings
 * that need another setting. */
#ifndef RCAP_RANGES_DECIDERS_H
#define RCAP_RANGES_DECIDERS_H

#include "libranges/settings/config.h"
#include "libranges/launcher/shared/ranges-command.h"

/* What the options of a command line say about the switching of a capture. */
struct rcap_ranges_deciders {
	unsigned chosen;    /* bits: deciders chosen by options */
	bool has_condition; /* an option sets RANGES_WHEN */
	const char
		*detail; /* an option that sets a detail of a condition's snapshots; NULL: none */
};

/* Notes that an option sets this variable. */
void rcap_ranges_deciders_note(struct rcap_ranges_deciders *deciders, const char *variable);

/* Unsets deciders in the environment that differ from those of options: options are for this run,
 * the environment is for all runs. */
void rcap_ranges_deciders_yield(const struct rcap_ranges_deciders *deciders);

/*
 * Checks the settings. An option that makes no sense is refused. A variable that makes no sense is
 * reported and ignored, in `config` and in the environment: the environment is for all programs and
 * must stop none of them.
 *
 * Return: 0, or an exit code.
 */
int rcap_ranges_deciders_check(const struct rcap_ranges_deciders *deciders,
                               const struct rcap_ranges_command *self, struct rcap_config *config);

/* Does the same, for a program that will have no thread of ours. */
int rcap_ranges_deciders_check_thread(const struct rcap_ranges_deciders *deciders,
                                      const struct rcap_ranges_command *self,
                                      struct rcap_config *config);

#endif
