/* SPDX-License-Identifier: MIT */
/* Programs linked with the library that NVTX was until version 2 don't start where CUDA is new or
 * absent; with ours in the search path they do. */
#include "libranges/launcher/ranges-dropin.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "libranges/base/config.h"
#include "libranges/base/log.h"
#include "libranges/launcher/ranges-elf.h"
#include "libranges/launcher/ranges-find.h"

/* The launcher has one thread. NOLINTBEGIN(concurrency-mt-unsafe) */

#define LIBRARY "libnvToolsExt.so.1"

/* How dynamic linkers say that it is missing: glibc (two ways), musl. They say it in English. */
static const char *const complaints[] = { LIBRARY ": cannot open", LIBRARY " => not found",
	                                  "library " LIBRARY ": ", NULL };

/* Relative to the folder of libranges.so: installed, in a build tree. */
static const char *const places[] = { "ranges", ".", NULL };

/* Starts `linker --list program`, its output in a pipe. Return: the pipe, NULL if that fails. */
static FILE *start_list(char *linker, char *program, pid_t *pid)
{
	char option[] = "--list";
	char *const argv[] = { linker, option, program, NULL };
	posix_spawn_file_actions_t actions;
	FILE *list = NULL;
	int ends[2];

	if (pipe2(ends, O_CLOEXEC) != 0) {
		return NULL;
	}
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
	posix_spawn_file_actions_adddup2(&actions, ends[1], 2);
	if (posix_spawn(pid, linker, &actions, NULL, argv, environ) == 0) {
		list = fdopen(ends[0], "r");
		if (list == NULL) {
			close(ends[0]);
			waitpid(*pid, NULL, 0);
		}
	} else {
		close(ends[0]);
	}
	posix_spawn_file_actions_destroy(&actions);
	close(ends[1]);
	return list;
}

static bool is_complaint(const char *line)
{
	for (size_t i = 0; complaints[i] != NULL; i++) {
		if (strstr(line, complaints[i]) != NULL) {
			return true;
		}
	}
	return false;
}

bool rcap_ranges_dropin_is_missed(const char *name)
{
	char program[RCAP_CONFIG_PATH_BYTES];
	char linker[PATH_MAX];
	char *line = NULL;
	size_t size = 0;
	bool is_missed = false;
	bool has_linker;
	FILE *list;
	pid_t pid;
	int fd;

	if (!rcap_ranges_find_program(name, program, sizeof(program))) {
		return false;
	}
	fd = open(program, O_RDONLY | O_CLOEXEC);
	has_linker = fd >= 0 && rcap_ranges_elf_interpreter(fd, linker, sizeof(linker));
	if (fd >= 0) {
		close(fd);
	}
	list = has_linker ? start_list(linker, program, &pid) : NULL;
	if (list == NULL) {
		return false;
	}
	while (getline(&line, &size, list) > 0) {
		is_missed = is_missed || is_complaint(line);
	}
	free(line);
	fclose(list);
	while (waitpid(pid, NULL, 0) < 0 && errno == EINTR) {
	}
	return is_missed;
}

bool rcap_ranges_dropin_export(const char *library)
{
	const char *const before = getenv("LD_LIBRARY_PATH");
	const char *const slash = strrchr(library, '/');
	char folder[RCAP_CONFIG_PATH_BYTES];
	char path[RCAP_CONFIG_PATH_BYTES + 32];
	char *after = NULL;

	for (size_t i = 0; slash != NULL && places[i] != NULL; i++) {
		rcap_log_format(folder, sizeof(folder), "%.*s%s", (int) (slash + 1 - library),
		                library, places[i]);
		rcap_log_format(path, sizeof(path), "%s/" LIBRARY, folder);
		if (access(path, R_OK) != 0) {
			continue;
		}
		if (before == NULL || before[0] == '\0') {
			setenv("LD_LIBRARY_PATH", folder, 1);
		} else if (asprintf(&after, "%s:%s", before, folder) >= 0) {
			setenv("LD_LIBRARY_PATH", after, 1);
			free(after);
		}
		return true;
	}
	return false;
}

/* NOLINTEND(concurrency-mt-unsafe) */
