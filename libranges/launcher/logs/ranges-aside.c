/* SPDX-License-Identifier: MIT */
/* Keeps logs that a run replaces under another name, until new ones have taken their places. */
#include "libranges/launcher/logs/ranges-aside.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "libranges/settings/config.h"
#include "libranges/base/log.h"
#include "libranges/launcher/shared/ranges-help.h"
#include "libranges/launcher/logs/ranges-plan.h"

struct kept {
	struct kept *next;
	char *name; /* owned: its original path */
};

static struct kept *all; /* owned */

static int make_name(char *out, size_t size, const char *path)
{
	/* A path that does not fit is not cut, because it could then be that of another file. */
	if (strlen(path) + 24 >= size) {
		return ENAMETOOLONG;
	}
	rcap_log_format(out, size, "%s.old-%ld", path, (long) getpid());
	return 0;
}

static struct kept *make_kept(const char *path)
{
	struct kept *kept = malloc(sizeof(*kept));
	char *name = strdup(path);

	if (!kept || !name) {
		free(kept);
		free(name);
		return NULL;
	}
	kept->name = name;
	return kept;
}

int rcap_ranges_aside_put(const char *path)
{
	char other[RCAP_CONFIG_PATH_BYTES];
	struct stat st;
	struct kept *kept = NULL;

	if (make_name(other, sizeof(other), path) == 0 && lstat(other, &st) != 0) {
		kept = make_kept(path);
	}
	if (!kept || rename(path, other) != 0) {
		if (kept) {
			free(kept->name);
			free(kept);
		}
		return unlink(path) == 0 || errno == ENOENT ? 0 : errno;
	}
	kept->next = all;
	all = kept;
	return 0;
}

/* link() fails if the name is taken. rename() would replace that file, but some file systems have
 * no hard links, only rename(). */
static int give_back(const char *other, const char *path)
{
	struct stat st;

	if (link(other, path) == 0) {
		return unlink(other);
	}
	if (errno == EEXIST || lstat(path, &st) == 0) {
		return unlink(other);
	}
	return rename(other, path);
}

/* Reports old logs that remain among the new ones, because this run made fewer logs than the one
 * before. */
static void tell_rest(const char *first, unsigned long rest)
{
	if (rest == 1) {
		rcap_log_line(RCAP_LOG_WARN, "%s is still from an earlier run", first);
	} else {
		rcap_log_line(RCAP_LOG_WARN, "%s and %lu more are still from an earlier run", first,
		              rest - 1);
	}
}

void rcap_ranges_aside_settle(void)
{
	char other[RCAP_CONFIG_PATH_BYTES];
	char first[RCAP_CONFIG_PATH_BYTES] = "";
	unsigned long replaced = 0;
	unsigned long rest = 0;
	struct stat st;

	while (all) {
		struct kept *kept = all;

		all = kept->next;
		if (lstat(kept->name, &st) == 0) {
			replaced++;
		} else {
			rest++;
			rcap_log_format(first, sizeof(first), "%s",
			                rcap_ranges_plan_shorten(kept->name));
		}
		if (make_name(other, sizeof(other), kept->name) == 0 &&
		    give_back(other, kept->name) != 0) {
			rcap_log_line(RCAP_LOG_WARN,
			              "the old log could not be replaced and is now %s: %s",
			              rcap_ranges_plan_shorten(other),
			              rcap_ranges_help_errno(errno));
		}
		free(kept->name);
		free(kept);
	}
	if (replaced > 0 && rest > 0) {
		tell_rest(first, rest);
	}
}

void rcap_ranges_aside_abandon(void)
{
	char other[RCAP_CONFIG_PATH_BYTES];

	for (const struct kept *kept = all; kept; kept = kept->next) {
		if (make_name(other, sizeof(other), kept->name) == 0) {
			(void) give_back(other, kept->name);
		}
	}
}
