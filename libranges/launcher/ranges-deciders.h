/* SPDX-License-Identifier: MIT */
/* Checks the settings that can switch a capture: only one of them may be used. Also checks settings
 * that need another setting. */
#ifndef RCAP_RANGES_DECIDERS_H
#define RCAP_RANGES_DECIDERS_H

#include "libranges/settings/config.h"
#include "libranges/launcher/shared/ranges-command.h"

/* What the options of a command line say about switching the capture. */
struct rcap_ranges_deciders {
	unsigned chosen;    /* a bit for each decider that an option has chosen */
	bool has_condition; /* an option sets RANGES_WHEN */
	const char *detail; /* an option that sets a detail of a condition's snapshots; NULL if
	                     * there is none */
};

/* Notes that an option sets this variable. */
void rcap_ranges_deciders_note(struct rcap_ranges_deciders *deciders, const char *variable);

/* Unsets the deciders in the environment that the options have not chosen. The reason is that
 * options are for this run, and the environment is for all runs. */
void rcap_ranges_deciders_yield(const struct rcap_ranges_deciders *deciders);

/*
 * Checks the settings. Refuses an option that makes no sense. Reports a variable that makes no
 * sense, and removes it from `config` and from the environment: the environment is for all
 * programs, so it must not stop any.
 *
 * Return: 0, or an exit code.
 */
int rcap_ranges_deciders_check(const struct rcap_ranges_deciders *deciders,
                               const struct rcap_ranges_command *self, struct rcap_config *config);

/* Does the same for a program that will have no thread of ours. */
int rcap_ranges_deciders_check_thread(const struct rcap_ranges_deciders *deciders,
                                      const struct rcap_ranges_command *self,
                                      struct rcap_config *config);

#endif
