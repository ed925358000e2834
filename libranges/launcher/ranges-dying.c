/* SPDX-License-Identifier: MIT */
/* Waits for processes of a run that are still ending after the program. */
#include "libranges/launcher/ranges-dying.h"

#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "libranges/settings/config.h"
#include "libranges/base/log.h"
#include "libranges/recover/recover.h"
#include "libranges/launcher/shared/ranges-child.h"

#define NAP_MS 5
/* Flag in field 9 of /proc/PID/stat: the kernel is ending the process. */
#define PF_EXITING 0x4ul

/* True if SIGKILL is pending for the process. */
static bool has_pending_kill(int64_t pid)
{
	const unsigned long long bit = 1ull << (SIGKILL - 1);
	char path[64];
	char line[256];
	bool found = false;
	FILE *file;

	rcap_log_format(path, sizeof(path), "/proc/%ld/status", (long) pid);
	file = fopen(path, "re");
	while (file && !found && fgets(line, sizeof(line), file)) {
		if (strncmp(line, "SigPnd:", 7) == 0 || strncmp(line, "ShdPnd:", 7) == 0) {
			found = (strtoull(line + 7, NULL, 16) & bit) != 0;
		}
	}
	if (file) {
		fclose(file);
	}
	return found;
}

/* True if the process is ending, or does not exist. */
static bool is_exiting(int64_t pid)
{
	char path[64];
	char line[512] = "";
	const char *field;
	FILE *file;

	rcap_log_format(path, sizeof(path), "/proc/%ld/stat", (long) pid);
	file = fopen(path, "re");
	if (!file) {
		return true;
	}
	if (!fgets(line, sizeof(line), file)) {
		line[0] = '\0';
	}
	fclose(file);
	/* The name in parentheses may contain anything. The state is field 3, the flags are field
	 * 9. */
	field = strrchr(line, ')');
	if (!field || field[1] != ' ' || field[2] == 'X' || field[2] == 'Z') {
		return true;
	}
	for (int blanks = 0; blanks < 7 && field; blanks++) {
		field = strchr(field + 1, ' ');
	}
	return !field || (strtoul(field, NULL, 10) & PF_EXITING) != 0;
}

static int keep_spool(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

/* True if there is a process to wait for. */
static bool has_dying(const char *directory, bool was_killed)
{
	static struct rcap_recover_result result; /* static, because a path is too large for a stack
	                                           * frame */
	struct dirent **entries = NULL;
	const int count = scandir(directory, &entries, keep_spool, NULL);
	bool found = false;

	for (int i = 0; i < count; i++) {
		char path[RCAP_CONFIG_PATH_BYTES];

		rcap_log_format(path, sizeof(path), "%s/%s", directory, entries[i]->d_name);
		free(entries[i]);
		found = found ||
		        (rcap_recover_look(path, &result, NULL) == RCAP_RECOVER_ALIVE &&
		         (was_killed || is_exiting(result.pid) || has_pending_kill(result.pid)));
	}
	free(entries);
	return found;
}

void rcap_ranges_dying_wait(const char *directory, bool was_killed, uint64_t wait_ms)
{
	const struct timespec nap = { .tv_nsec = NAP_MS * 1000000l };

	for (uint64_t ms = 0; ms < wait_ms && has_dying(directory, was_killed); ms += NAP_MS) {
		nanosleep(&nap, NULL);
		rcap_ranges_child_reap();
	}
}
