/* SPDX-License-Identifier: MIT */
/* Settings of reports (--set KEY=VALUE), each with its default. */
#include "analyzer/report/settings.h"

#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum kind {
	KIND_SWITCH, /* 0 or 1 */
	KIND_COUNT,
	KIND_REAL, /* not negative */
	KIND_TEXT,
};

struct key {
	const char *name;
	enum kind kind;
	size_t at; /* offset in struct ra_settings */
	double usual;
	const char *text; /* default of KIND_TEXT */
};

static const struct key keys[] = {
	{ "idle-delay", KIND_REAL, offsetof(struct ra_settings, idle_delay_us), 30, NULL },
	{ "last-step", KIND_SWITCH, offsetof(struct ra_settings, last_step), 0, NULL },
	{ "memory", KIND_SWITCH, offsetof(struct ra_settings, memory), 1, NULL },
	{ "kernels", KIND_COUNT, offsetof(struct ra_settings, kernels), 10, NULL },
	{ "kernel-share", KIND_REAL, offsetof(struct ra_settings, kernel_share), 0.8, NULL },
	{ "stragglers", KIND_COUNT, offsetof(struct ra_settings, stragglers), 2, NULL },
	{ "op", KIND_TEXT, offsetof(struct ra_settings, op), 0, "aten::linear" },
	{ "op-kernels", KIND_COUNT, offsetof(struct ra_settings, op_kernels), 3, NULL },
	{ "annotation", KIND_TEXT, offsetof(struct ra_settings, annotation), 0, NULL },
	{ "instance", KIND_COUNT, offsetof(struct ra_settings, instance), 0, NULL },
	{ "instances", KIND_COUNT, offsetof(struct ra_settings, instances), 1, NULL },
	{ "launch-edges", KIND_SWITCH, offsetof(struct ra_settings, launch_edges), 1, NULL },
	{ "data-load", KIND_TEXT, offsetof(struct ra_settings, data_load), 0, NULL },
	{ "short-cutoff", KIND_REAL, offsetof(struct ra_settings, short_cutoff_us), 50, NULL },
	{ "delay-cutoff", KIND_REAL, offsetof(struct ra_settings, delay_cutoff_us), 100, NULL },
	{ "memory-points", KIND_COUNT, offsetof(struct ra_settings, memory_points), 0, NULL },
	{ "flops", KIND_SWITCH, offsetof(struct ra_settings, flops), 0, NULL },
};

#define KEY_COUNT (sizeof(keys) / sizeof(keys[0]))

static void *place(struct ra_settings *settings, const struct key *key)
{
	return (char *) settings + key->at;
}

void ra_settings_init(struct ra_settings *settings)
{
	memset(settings, 0, sizeof(*settings));
	for (size_t i = 0; i < KEY_COUNT; i++) {
		switch (keys[i].kind) {
		case KIND_SWITCH:
		case KIND_COUNT:
			*(uint64_t *) place(settings, &keys[i]) = (uint64_t) keys[i].usual;
			break;
		case KIND_REAL:
			*(double *) place(settings, &keys[i]) = keys[i].usual;
			break;
		case KIND_TEXT:
			*(const char **) place(settings, &keys[i]) = keys[i].text;
			break;
		}
	}
}

static const char *take_value(void *to, enum kind kind, const char *value)
{
	char *end;
	double real;

	if (kind == KIND_TEXT) {
		*(const char **) to = value;
		return value[0] == '\0' ? "this takes a text" : NULL;
	}
	errno = 0;
	real = strtod(value, &end);
	if (end == value || *end != '\0' || errno != 0 || !isfinite(real) || real < 0 ||
	    real > 1e15) {
		return "this takes a number that is not negative";
	}
	if (kind == KIND_REAL) {
		*(double *) to = real;
		return NULL;
	}
	if (real != floor(real) || (kind == KIND_SWITCH && real > 1)) {
		return kind == KIND_SWITCH ? "this takes 0 or 1" : "this takes a whole number";
	}
	*(uint64_t *) to = (uint64_t) real;
	return NULL;
}

const char *ra_settings_take(struct ra_settings *settings, const char *value)
{
	const size_t length = strcspn(value, "=");

	for (size_t i = 0; i < KEY_COUNT; i++) {
		if (strlen(keys[i].name) == length && memcmp(keys[i].name, value, length) == 0) {
			return value[length] == '\0' ? "KEY=VALUE was expected"
			                             : take_value(place(settings, &keys[i]),
			                                          keys[i].kind, value + length + 1);
		}
	}
	return "there are idle-delay, last-step, memory, kernels, kernel-share, stragglers, op, "
	       "op-kernels, annotation, instance, instances, launch-edges, data-load, "
	       "short-cutoff, delay-cutoff, memory-points";
}
