/* SPDX-License-Identifier: MIT */
/* Reads times in values of options. */
#include "analyzer/commands/shared/times.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/commands/shared/cmd.h"

static const struct unit {
	const char *name;
	double ns;
} units[] = { { "", 1 }, { "ns", 1 }, { "us", 1e3 }, { "ms", 1e6 }, { "s", 1e9 } };

#define UNITS (sizeof(units) / sizeof(units[0]))

int ra_cmd_times_take(const char *option, const char *word, int64_t *time_ns)
{
	char *end;
	const double number = strtod(word, &end);

	for (size_t i = 0; i < UNITS && end != word; i++) {
		const double ns = number * units[i].ns;

		if (strcmp(end, units[i].name) == 0 && ns > -9e18 && ns < 9e18) {
			*time_ns = llround(ns);
			return 0;
		}
	}
	return ra_cmd_usage("%s: expected a time such as 121ms or 0.5s, found \"%s\"", option,
	                    word);
}
