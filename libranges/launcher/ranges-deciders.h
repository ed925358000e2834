/* SPDX-License-Identifier: MIT */
/* The settings that can switch a capture, of which only one may be used, and settings that need
 * another. */
#ifndef RCAP_RANGES_DECIDERS_H
#define RCAP_RANGES_DECIDERS_H

#include "libranges/settings/config.h"
#include "libranges/launcher/shared/ranges-command.h"

/* What the options of a command line say about it. */
struct rcap_ranges_deciders {
	unsigned chosen;    /* bits: deciders chosen by options */
	bool has_condition; /* an option sets RANGES_WHEN */
	const char *detail; /* an option with a detail of its snapshots; NULL: none */
};

/* Notes that an option sets this variable. */
void rcap_ranges_deciders_note(struct rcap_ranges_deciders *deciders, const char *variable);

/* Options are for this run, the environment is for all: unsets deciders in the environment that
 * differ from those of options. */
void rcap_ranges_deciders_yield(const struct rcap_ranges_deciders *deciders);

/*
 * Checks the settings. If an option makes no sense it is refused. If the environment makes none,
 * which is for all programs and must stop none, it is reported and ignored, in `config` and in the
 * environment.
 *
 * Return: 0, or an exit code.
 */
int rcap_ranges_deciders_check(const struct rcap_ranges_deciders *deciders,
                               const struct rcap_ranges_command *self, struct rcap_config *config);

/* As above, for a program that will have no thread of ours. */
int rcap_ranges_deciders_check_thread(const struct rcap_ranges_deciders *deciders,
                                      const struct rcap_ranges_command *self,
                                      struct rcap_config *config);

#endif
