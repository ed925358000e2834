/* SPDX-License-Identifier: MIT */
/* The command line of `ranges compare`. */
#include "libranges/launcher/compare/ranges-compare-options.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "libranges/settings/config.h"
#include "libranges/launcher/shared/ranges-help.h"
#include "libranges/launcher/shared/ranges-options.h"

#define NS_PER_S UINT64_C(1000000000)
/* Default limits of a comparison: runs of each side, and time. So there is a result within a
 * minute. */
#define USUAL_RUNS    10u
#define USUAL_TIME_NS (60 * NS_PER_S)
#define MOST_RUNS     100000u

static bool parse_number(const char *text, uint64_t most, uint64_t *out)
{
	char *end;

	errno = 0;
	*out = strtoull(text, &end, 10);
	return text[0] >= '0' && text[0] <= '9' && *end == '\0' && errno == 0 && *out <= most;
}

/* Parses a percentage like "2%". */
static bool parse_percent(const char *text, double *out)
{
	char *end;
	const double percent = strtod(text, &end);

	*out = percent / 100;
	return end != text && strcmp(end, "%") == 0 && percent > 0 && percent <= 100;
}

/* Adds a setting to a side. Return: false if the text is not a setting, or there are too many. */
static bool add_setting(struct rcap_ranges_compare_side *side, char *setting)
{
	size_t count = 0;

	while (side->settings[count] != NULL) {
		count++;
	}
	if (count == RCAP_RANGES_COMPARE_SETTINGS || setting[0] == '=' ||
	    strchr(setting, '=') == NULL) {
		return false;
	}
	side->settings[count] = setting;
	return true;
}

/* Takes an option without a value. */
static void take_flag(char code, struct rcap_ranges_compare_options *out)
{
	out->replace |= code == 'f';
	out->add |= code == 'a';
	out->show |= code == 'O';
	out->quiet |= code == 'q';
}

/* Takes an option with a value. Return: NULL if the value is valid, else what is expected
 * instead. */
static const char *take_value(char code, char *value, struct rcap_ranges_compare_options *out)
{
	switch (code) {
	case 'n':
		return parse_number(value, MOST_RUNS, &out->runs) && out->runs > 0
		               ? NULL
		               : "-n takes a number of runs, not";
	case 'u':
		return parse_percent(value, &out->until) ? NULL : "--until takes P%, like 2%, not";
	case 't':
		return rcap_config_parse_time(value, &out->time_ns) && out->time_ns > 0
		               ? NULL
		               : "--time takes a time like 60s, 500ms, 5m or 1h, not";
	case 'w':
		return parse_number(value, MOST_RUNS, &out->warmups)
		               ? NULL
		               : "--warmup takes a number of runs, not";
	case 's':
		out->has_seed = true;
		return parse_number(value, UINT64_MAX, &out->seed) ? NULL
		                                                   : "--seed takes a number, not";
	case 'o':
		out->folder = value;
		return NULL;
	case 'c':
		out->cpus = value;
		return NULL;
	case 'F':
		out->fail_on = value;
		/* Only checks the characters. The analyzer parses the value after all runs. */
		return value[0] >= '0' && value[0] <= '9' &&
		                       value[strspn(value, "0123456789.%,num s")] == '\0'
		               ? NULL
		               : "--fail-on takes P%, a time or both, like 5%,10us, not";
	default: /* options -e, -B and -A */
		return (code == 'A' || add_setting(&out->sides[0], value)) &&
		                       (code == 'B' || add_setting(&out->sides[1], value))
		               ? NULL
		               : "expected NAME=VALUE, at most 32 times, not";
	}
}

/* Takes an option. Return: 0, or the exit code if the option is refused. */
static int take_option(const struct rcap_ranges_command *self, const struct rlog_option *row,
                       void *context)
{
	struct rcap_ranges_compare_options *const out = context;
	const char *wrong = NULL;

	if (row->value == NULL) {
		take_flag(row->id, out);
	} else {
		wrong = take_value(row->id, optarg, out);
	}
	return wrong != NULL ? rcap_ranges_help_refuse(self, wrong, optarg) : 0;
}

/* True if both sides have the same settings for the environment. */
static bool have_same_settings(const struct rcap_ranges_compare_side *sides)
{
	size_t i = 0;

	while (sides[0].settings[i] != NULL && sides[1].settings[i] != NULL &&
	       strcmp(sides[0].settings[i], sides[1].settings[i]) == 0) {
		i++;
	}
	return sides[0].settings[i] == sides[1].settings[i]; /* both NULL */
}

/* Takes "BEFORE ::: AFTER", or one command if the sides differ in the environment. */
static int take_commands(const struct rcap_ranges_command *self, char **words,
                         struct rcap_ranges_compare_options *out)
{
	char **at = words;

	while (*at != NULL && strcmp(*at, ":::") != 0) {
		at++;
	}
	out->sides[0].command = words;
	out->sides[1].command = words;
	if (*at != NULL) {
		*at = NULL;
		out->sides[1].command = at + 1;
	} else if (words[0] != NULL && have_same_settings(out->sides)) {
		return rcap_ranges_help_refuse(self,
		                               "\":::\" and the second command are missing, or "
		                               "--after-env",
		                               "");
	}
	if (out->sides[0].command[0] == NULL || out->sides[1].command[0] == NULL) {
		return rcap_ranges_help_refuse(self, "the commands are missing", "");
	}
	for (at = out->sides[1].command; *at != NULL; at++) {
		if (strcmp(*at, ":::") == 0) {
			return rcap_ranges_help_refuse(self, "two commands are compared, not more",
			                               "");
		}
	}
	return 0;
}

bool rcap_ranges_compare_options_parse(const struct rcap_ranges_command *self, int argc,
                                       char **argv, struct rcap_ranges_compare_options *out,
                                       int *code)
{
	*out = (struct rcap_ranges_compare_options){ .folder = "compare", .warmups = 1 };
	out->sides[0].name = "before";
	out->sides[1].name = "after";
	if (!rcap_ranges_options_read(self, argc, argv, take_option, out, code)) {
		return false;
	}
	if (out->runs == 0 && out->time_ns == 0) {
		out->time_ns = USUAL_TIME_NS;
		out->runs = out->until > 0 ? 0 : USUAL_RUNS;
	}
	*code = take_commands(self, argv + optind, out);
	return *code == 0;
}
