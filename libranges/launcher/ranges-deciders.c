/* SPDX-License-Identifier: MIT */
/* Checks the settings that can switch a capture: only one of them may be used. Also checks settings
 * that need another setting. */
#include "libranges/launcher/ranges-deciders.h"

#include <stdlib.h>
#include <string.h>

#include "libranges/settings/keep-text.h"
#include "libranges/base/log.h"
#include "libranges/launcher/shared/ranges-help.h"

enum decider {
	DECIDER_SCHEDULE = 1,
	DECIDER_RANGE = 2,
	DECIDER_STANDBY = 4,
	DECIDER_TIME = 8,
};

/* The deciders. If the environment sets several, the first one is used, as in a program without
 * `ranges run`. */
static const struct {
	const char *variable;
	enum decider decider;
} table[] = {
	{ "RANGES_SCHEDULE", DECIDER_SCHEDULE }, { "RANGES_CAPTURE_RANGE", DECIDER_RANGE },
	{ "RANGES_STANDBY", DECIDER_STANDBY },   { "RANGES_DELAY", DECIDER_TIME },
	{ "RANGES_DURATION", DECIDER_TIME },
};

/* The settings of snapshots that a condition triggers. */
static const struct {
	const char *variable;
	const char *option;
} details[] = {
	{ "RANGES_BEFORE", "--before" },
	{ "RANGES_COOL_DOWN", "--cool-down" },
	{ "RANGES_SNAPSHOTS", "--snapshots" },
};

#define COUNT (sizeof(table) / sizeof(table[0]))

void rcap_ranges_deciders_note(struct rcap_ranges_deciders *deciders, const char *variable)
{
	for (size_t i = 0; i < COUNT; i++) {
		if (strcmp(table[i].variable, variable) == 0) {
			deciders->chosen |= (unsigned) table[i].decider;
		}
	}
	for (size_t i = 0; i < sizeof(details) / sizeof(details[0]); i++) {
		if (strcmp(details[i].variable, variable) == 0) {
			deciders->detail = details[i].option;
		}
	}
}

/* Unsets the variables of all deciders that are not in `kept`. */
static void forget_others(unsigned kept)
{
	for (size_t i = 0; i < COUNT; i++) {
		if ((kept & (unsigned) table[i].decider) == 0) {
			/* NOLINTNEXTLINE(concurrency-mt-unsafe): one thread */
			unsetenv(table[i].variable);
		}
	}
}

void rcap_ranges_deciders_yield(const struct rcap_ranges_deciders *deciders)
{
	if (deciders->chosen != 0) {
		forget_others(deciders->chosen);
	}
}

static unsigned find_set(const struct rcap_config *config)
{
	unsigned set = 0;

	set |= config->schedule[0] != '\0' ? DECIDER_SCHEDULE : 0;
	set |= config->capture_range[0] != '\0' ? DECIDER_RANGE : 0;
	set |= config->delay_ns > 0 || config->duration_ns > 0 ? DECIDER_TIME : 0;
	set |= config->standby == 1 ? DECIDER_STANDBY : 0;
	return set;
}

/* Returns the first variable of these deciders that is in the environment. */
static const char *name_of(unsigned of)
{
	for (size_t i = 0; i < COUNT; i++) {
		if (((unsigned) table[i].decider & of) != 0 &&
		    secure_getenv(table[i].variable) != NULL) {
			return table[i].variable;
		}
	}
	return "";
}

/* Refuses a snapshot that would need data from before what is kept. */
static int check_before(const struct rcap_ranges_deciders *deciders,
                        const struct rcap_ranges_command *self, const struct rcap_config *config)
{
	struct rcap_keep_text keep;
	char why[1];

	if (!rcap_keep_text_parse(config->keep, &keep, why, sizeof(why)) || keep.ns == 0 ||
	    config->before_ns <= keep.ns) {
		return 0;
	}
	if (deciders->detail) {
		return rcap_ranges_help_refuse(self, "--before is longer than --keep, which is",
		                               config->keep);
	}
	RCAP_LOG(RCAP_LOG_WARN, "%s: RANGES_BEFORE is longer than RANGES_KEEP: %s", self->name,
	         config->keep);
	return 0;
}

/* Checks that something is kept if there is a condition, and that there is a condition if there are
 * settings of its snapshots. */
static int check_condition(const struct rcap_ranges_deciders *deciders,
                           const struct rcap_ranges_command *self, struct rcap_config *config)
{
	if (config->when[0] == '\0' && deciders->detail) {
		return rcap_ranges_help_refuse(self, "this option needs --when", deciders->detail);
	}
	if (config->when[0] == '\0' || config->keep[0] != '\0') {
		return config->when[0] == '\0' ? 0 : check_before(deciders, self, config);
	}
	if (deciders->has_condition) {
		return rcap_ranges_help_refuse(
			self, "--when needs --keep, which says how much is kept", "");
	}
	RCAP_LOG(RCAP_LOG_WARN,
	         "%s: RANGES_WHEN is ignored: it needs RANGES_KEEP, which says how much is kept",
	         self->name);
	/* NOLINTNEXTLINE(concurrency-mt-unsafe): one thread */
	unsetenv("RANGES_WHEN");
	config->when[0] = '\0';
	return 0;
}

int rcap_ranges_deciders_check(const struct rcap_ranges_deciders *deciders,
                               const struct rcap_ranges_command *self, struct rcap_config *config)
{
	const unsigned set = find_set(config);
	const unsigned first = set & (0u - set);

	if (set != first && deciders->chosen != 0) {
		return rcap_ranges_help_refuse(self,
		                               "only one of --schedule, --capture-range, --standby "
		                               "and --delay/--duration can switch the capture",
		                               "");
	}
	if (set != first) {
		RCAP_LOG(RCAP_LOG_WARN, "%s: %s switches the capture, %s is ignored", self->name,
		         name_of(first), name_of(set & ~first));
		forget_others(first);
		rcap_config_load(config, NULL, NULL);
	}
	return check_condition(deciders, self, config);
}

int rcap_ranges_deciders_check_thread(const struct rcap_ranges_deciders *deciders,
                                      const struct rcap_ranges_command *self,
                                      struct rcap_config *config)
{
	const unsigned waiting = find_set(config) & (DECIDER_STANDBY | DECIDER_TIME);

	if (waiting == 0) {
		return 0;
	}
	if ((deciders->chosen & waiting) != 0) {
		rcap_log_line(RCAP_LOG_ERROR,
		              "%s: --standby, --delay and --duration need a libranges thread in "
		              "the program (RANGES_THREAD=on)",
		              self->name);
		return RCAP_RANGES_EXIT_USAGE;
	}
	RCAP_LOG(RCAP_LOG_WARN,
	         "%s: %s is ignored: it needs a libranges thread in the program (RANGES_THREAD=on)",
	         self->name, name_of(waiting));
	forget_others(~waiting);
	config->standby = 0;
	config->delay_ns = 0;
	config->duration_ns = 0;
	return 0;
}
