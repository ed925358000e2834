/* SPDX-License-Identifier: MIT */
/* Settings of reports (--set KEY=VALUE), each with its default. */
#include "analyzer/report/settings.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct key {
	const char *name;
	enum ra_setting_kind kind;
	size_t at; /* offset of the member in struct ra_settings */
	double usual;
	const char *text; /* default of a setting of kind RA_SETTING_TEXT */
};

static const struct key keys[] = {
	{ "idle-delay", RA_SETTING_REAL, offsetof(struct ra_settings, idle_delay_us), 30, NULL },
	{ "last-step", RA_SETTING_SWITCH, offsetof(struct ra_settings, last_step), 0, NULL },
	{ "memory", RA_SETTING_SWITCH, offsetof(struct ra_settings, memory), 1, NULL },
	{ "kernels", RA_SETTING_COUNT, offsetof(struct ra_settings, kernels), 10, NULL },
	{ "kernel-share", RA_SETTING_REAL, offsetof(struct ra_settings, kernel_share), 0.8, NULL },
	{ "stragglers", RA_SETTING_COUNT, offsetof(struct ra_settings, stragglers), 2, NULL },
	{ "op", RA_SETTING_TEXT, offsetof(struct ra_settings, op), 0, "aten::linear" },
	{ "op-kernels", RA_SETTING_COUNT, offsetof(struct ra_settings, op_kernels), 3, NULL },
	{ "annotation", RA_SETTING_TEXT, offsetof(struct ra_settings, annotation), 0, NULL },
	{ "instance", RA_SETTING_COUNT, offsetof(struct ra_settings, instance), 0, NULL },
	{ "instances", RA_SETTING_COUNT, offsetof(struct ra_settings, instances), 1, NULL },
	{ "launch-edges", RA_SETTING_SWITCH, offsetof(struct ra_settings, launch_edges), 1, NULL },
	{ "data-load", RA_SETTING_TEXT, offsetof(struct ra_settings, data_load), 0, NULL },
	{ "short-cutoff", RA_SETTING_REAL, offsetof(struct ra_settings, short_cutoff_us), 50,
	  NULL },
	{ "delay-cutoff", RA_SETTING_REAL, offsetof(struct ra_settings, delay_cutoff_us), 100,
	  NULL },
	{ "memory-points", RA_SETTING_COUNT, offsetof(struct ra_settings, memory_points), 0, NULL },
	{ "flops", RA_SETTING_SWITCH, offsetof(struct ra_settings, flops), 0, NULL },
};

#define KEY_COUNT (sizeof(keys) / sizeof(keys[0]))

static void *place(struct ra_settings *settings, size_t at)
{
	return (char *) settings + at;
}

void ra_settings_init(struct ra_settings *settings)
{
	memset(settings, 0, sizeof(*settings));
	for (size_t i = 0; i < KEY_COUNT; i++) {
		switch (keys[i].kind) {
		case RA_SETTING_SWITCH:
		case RA_SETTING_COUNT:
			*(uint64_t *) place(settings, keys[i].at) = (uint64_t) keys[i].usual;
			break;
		case RA_SETTING_REAL:
			*(double *) place(settings, keys[i].at) = keys[i].usual;
			break;
		case RA_SETTING_TEXT:
			*(const char **) place(settings, keys[i].at) = keys[i].text;
			break;
		}
	}
}

const char *ra_settings_put(struct ra_settings *settings, size_t at, enum ra_setting_kind kind,
                            const char *value)
{
	void *to = place(settings, at);
	char *end;
	double real;

	if (kind == RA_SETTING_TEXT) {
		*(const char **) to = value;
		return NULL;
	}
	errno = 0;
	real = strtod(value, &end);
	if (end == value || *end != '\0' || errno != 0 || !isfinite(real) || real < 0 ||
	    real > 1e15) {
		return "this takes a number that is not negative";
	}
	if (kind == RA_SETTING_REAL) {
		*(double *) to = real;
		return NULL;
	}
	if (real != floor(real) || (kind == RA_SETTING_SWITCH && real > 1)) {
		return kind == RA_SETTING_SWITCH ? "this takes 0 or 1"
		                                 : "this takes a whole number";
	}
	*(uint64_t *) to = (uint64_t) real;
	return NULL;
}

bool ra_settings_is_given(const struct ra_settings *settings, size_t at, enum ra_setting_kind kind)
{
	const void *from = (const char *) settings + at;

	switch (kind) {
	case RA_SETTING_REAL:
		return *(const double *) from > 0;
	case RA_SETTING_TEXT:
		return *(const char *const *) from != NULL;
	case RA_SETTING_SWITCH:
	case RA_SETTING_COUNT:
		break;
	}
	return *(const uint64_t *) from != 0;
}

/* Sets a setting. @rest: what follows its key, "=VALUE". */
static const char *take_key(struct ra_settings *settings, const struct key *key, const char *rest)
{
	if (rest[0] == '\0') {
		return "KEY=VALUE was expected";
	}
	if (key->kind == RA_SETTING_TEXT && rest[1] == '\0') {
		return "this takes a text";
	}
	return ra_settings_put(settings, key->at, key->kind, rest + 1);
}

/* A text that lists the keys. */
static const char *list_keys(void)
{
	static char list[400];
	size_t length = (size_t) snprintf(list, sizeof(list), "there are");

	for (size_t i = 0; i < KEY_COUNT && length < sizeof(list); i++) {
		length += (size_t) snprintf(list + length, sizeof(list) - length, "%s %s",
		                            i == 0 ? "" : ",", keys[i].name);
	}
	return list;
}

const char *ra_settings_take(struct ra_settings *settings, const char *value)
{
	const size_t length = strcspn(value, "=");

	for (size_t i = 0; i < KEY_COUNT; i++) {
		if (strlen(keys[i].name) == length && memcmp(keys[i].name, value, length) == 0) {
			return take_key(settings, &keys[i], value + length);
		}
	}
	return list_keys();
}
