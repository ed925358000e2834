/* SPDX-License-Identifier: MIT */
/* Finding the spools that programs of this user have left, or still use. */
#include "libranges/launcher/ranges-left.h"

#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "libranges/base/config.h"
#include "libranges/base/log.h"
#include "libranges/drain/recover.h"

#define SUFFIX ".spool"

static int compare_entries(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

/* ranges-1000 of a program without launcher, ranges-a1B2c3 of a launcher. */
static int keep_directory(const struct dirent *entry)
{
	return strncmp(entry->d_name, "ranges-", 7) == 0;
}

static int keep_spool(const struct dirent *entry)
{
	const size_t length = strlen(entry->d_name);

	return length > strlen(SUFFIX) &&
	       strcmp(entry->d_name + length - strlen(SUFFIX), SUFFIX) == 0;
}

static size_t print_spool(const char *path)
{
	static struct rcap_recover_result result; /* holds a path: too large for a stack frame */
	struct rlog_error err = { .code = RLOG_OK };
	const int rc = rcap_recover_look(path, &result, &err);
	const char *state = "dead";

	if (rc == RCAP_RECOVER_GONE) {
		return 0;
	}
	if (rc < 0 && rc != -RLOG_E_EMPTY) { /* gone in the meantime, or of another version */
		if (access(path, F_OK) == 0) {
			rcap_log_line(RCAP_LOG_WARN, "%s", err.message);
		}
		return 0;
	}
	if (rc == RCAP_RECOVER_ALIVE) {
		state = "alive";
	} else if (rc == RCAP_RECOVER_BUSY) {
		state = "busy";
	} else if (result.is_unsure) {
		state = "unknown";
	}
	printf("%-7s %7ld  %s  %s\n", state, (long) result.pid, result.program, path);
	return 1;
}

/* A directory that is ours and no link. */
static bool is_own_directory(const char *path)
{
	struct stat st;

	return lstat(path, &st) == 0 && S_ISDIR(st.st_mode) && st.st_uid == geteuid();
}

/* What to do with each entry's path. Return: spools printed. */
typedef size_t visit_fn(const char *path);

static size_t visit_entries(const char *directory, int (*keep)(const struct dirent *),
                            visit_fn *visit)
{
	struct dirent **entries = NULL;
	const int count = scandir(directory, &entries, keep, compare_entries);
	size_t printed = 0;

	for (int i = 0; i < count; i++) {
		char path[RCAP_CONFIG_PATH_BYTES];

		rcap_log_format(path, sizeof(path), "%s/%s", directory, entries[i]->d_name);
		printed += visit(path);
		free(entries[i]);
	}
	free(entries);
	return printed;
}

static size_t print_directory(const char *path)
{
	return is_own_directory(path) ? visit_entries(path, keep_spool, print_spool) : 0;
}

size_t rcap_ranges_left_print(const char *spool_dir)
{
	/* Both may name one place. */
	const char *const temporary = secure_getenv("TMPDIR");
	const bool is_other = temporary && temporary[0] == '/' && strcmp(temporary, "/tmp") != 0 &&
	                      strcmp(temporary, "/dev/shm") != 0;
	size_t printed;

	if (spool_dir[0] != '\0') {
		return visit_entries(spool_dir, keep_directory, print_directory);
	}
	printed = visit_entries("/dev/shm", keep_directory, print_directory);
	if (is_other) {
		printed += visit_entries(temporary, keep_directory, print_directory);
	}
	return printed + visit_entries("/tmp", keep_directory, print_directory);
}
