/* SPDX-License-Identifier: MIT */
/* The command line of `ranges compare`. */
#include "libranges/launcher/ranges-compare-options.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "libranges/base/config.h"
#include "libranges/launcher/ranges-help.h"

#define NS_PER_S UINT64_C(1000000000)
/* Where the command line does not say: an answer should be there in a minute. */
#define USUAL_RUNS    10u
#define USUAL_TIME_NS (60 * NS_PER_S)
#define MOST_RUNS     100000u

static const struct entry {
	const char *short_name;
	const char *long_name;
	char code;
	bool takes_value;
} entries[] = {
	{ "-n", "--runs", 'n', true },     { "", "--until", 'u', true },
	{ "", "--time", 't', true },       { "", "--warmup", 'w', true },
	{ "-o", "--output", 'o', true },   { "-f", "--force", 'f', false },
	{ "-a", "--add", 'a', false },     { "", "--cpu", 'c', true },
	{ "", "--env", 'e', true },        { "", "--before-env", 'B', true },
	{ "", "--after-env", 'A', true },  { "", "--seed", 's', true },
	{ "", "--fail-on", 'F', true },    { "", "--show-output", 'O', false },
	{ "-q", "--quiet", 'q', false },   { "-h", "--help", 'h', false },
	{ "-V", "--version", 'V', false },
};

#define ENTRY_COUNT (sizeof(entries) / sizeof(entries[0]))

static bool parse_number(const char *text, uint64_t most, uint64_t *out)
{
	char *end;

	errno = 0;
	*out = strtoull(text, &end, 10);
	return text[0] >= '0' && text[0] <= '9' && *end == '\0' && errno == 0 && *out <= most;
}

/* "2%". */
static bool parse_percent(const char *text, double *out)
{
	char *end;
	const double percent = strtod(text, &end);

	*out = percent / 100;
	return end != text && strcmp(end, "%") == 0 && percent > 0 && percent <= 100;
}

/* Return: false if it is no setting, or there are too many. */
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

/* An option without a value. */
static void take_flag(char code, struct rcap_ranges_compare_options *out)
{
	out->replace |= code == 'f';
	out->add |= code == 'a';
	out->show |= code == 'O';
	out->quiet |= code == 'q';
	out->help |= code == 'h';
	out->version |= code == 'V';
}

/* Return: what is expected instead, NULL if the value is all right. */
static const char *take_value(char code, char *value, struct rcap_ranges_compare_options *out)
{
	switch (code) {
	case 'n':
		return parse_number(value, MOST_RUNS, &out->runs) && out->runs > 0
		               ? NULL
		               : "-n takes a number of runs, not";
	case 'u':
		return parse_percent(value, &out->until) ? NULL : "--until is like 2%, not";
	case 't':
		return rcap_config_parse_time(value, &out->time_ns) && out->time_ns > 0
		               ? NULL
		               : "--time is like 60s, 500ms, 5m, 1h, not";
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
		/* The analyzer reads it when all has run. */
		return value[0] >= '0' && value[0] <= '9' &&
		                       value[strspn(value, "0123456789.%,num s")] == '\0'
		               ? NULL
		               : "--fail-on takes P%, a time or both, like 5%,10us, not";
	default: /* e, B, A */
		return (code == 'A' || add_setting(&out->sides[0], value)) &&
		                       (code == 'B' || add_setting(&out->sides[1], value))
		               ? NULL
		               : "settings are like NAME=VALUE, 32 at most, not";
	}
}

/* Finds the option an argument names; *value gets what follows "=" or stands behind -n or -o. */
static const struct entry *find_entry(char *argument, char **value)
{
	const size_t length = strcspn(argument, "=");

	*value = NULL;
	for (size_t i = 0; i < ENTRY_COUNT; i++) {
		const struct entry *const entry = &entries[i];

		if (strcmp(argument, entry->short_name) == 0) {
			return entry;
		}
		if (strlen(entry->long_name) == length &&
		    strncmp(argument, entry->long_name, length) == 0) {
			*value = argument[length] == '=' ? argument + length + 1 : NULL;
			return entry;
		}
		if (entry->takes_value && entry->short_name[0] != '\0' &&
		    strncmp(argument, entry->short_name, 2) == 0) {
			*value = argument + 2;
			return entry;
		}
	}
	return NULL;
}

/* One option with its value. *argv is left at its last word. Return: 0, or an exit code. */
static int take_option(const struct rcap_ranges_command *self, char ***argv,
                       struct rcap_ranges_compare_options *out)
{
	char *value;
	const struct entry *const entry = find_entry(**argv, &value);
	const char *wrong;

	if (entry == NULL) {
		return rcap_ranges_help_refuse(self, "there is no option", **argv);
	}
	if (!entry->takes_value) {
		if (value != NULL) {
			return rcap_ranges_help_refuse(self, "no argument is expected by",
			                               entry->long_name);
		}
		take_flag(entry->code, out);
		return 0;
	}
	if (value == NULL && (*argv)[1] != NULL) {
		value = *++*argv;
	}
	if (value == NULL || value[0] == '\0') {
		return rcap_ranges_help_refuse(self, "an argument is missing for",
		                               entry->long_name);
	}
	wrong = take_value(entry->code, value, out);
	return wrong != NULL ? rcap_ranges_help_refuse(self, wrong, value) : 0;
}

/* Whether what the sides add to the environment is the same. */
static bool have_same_settings(const struct rcap_ranges_compare_side *sides)
{
	size_t i = 0;

	while (sides[0].settings[i] != NULL && sides[1].settings[i] != NULL &&
	       strcmp(sides[0].settings[i], sides[1].settings[i]) == 0) {
		i++;
	}
	return sides[0].settings[i] == sides[1].settings[i]; /* both NULL */
}

/* "BEFORE ::: AFTER", or one command where the environment makes the difference. */
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

int rcap_ranges_compare_options_parse(const struct rcap_ranges_command *self, char **argv,
                                      struct rcap_ranges_compare_options *out)
{
	*out = (struct rcap_ranges_compare_options){ .folder = "compare", .warmups = 1 };
	out->sides[0].name = "before";
	out->sides[1].name = "after";
	for (argv++; *argv != NULL && (*argv)[0] == '-' && (*argv)[1] != '\0'; argv++) {
		int rc;

		if (strcmp(*argv, "--") == 0) {
			argv++;
			break;
		}
		rc = take_option(self, &argv, out);
		if (rc != 0 || out->help || out->version) {
			return rc;
		}
	}
	if (out->replace && out->add) {
		return rcap_ranges_help_refuse(self, "--force and --add exclude each other", "");
	}
	if (out->runs == 0 && out->time_ns == 0) {
		out->time_ns = USUAL_TIME_NS;
		out->runs = out->until > 0 ? 0 : USUAL_RUNS;
	}
	return take_commands(self, argv, out);
}
