/* SPDX-License-Identifier: MIT */
/* Which libraries a program is linked with, as its dynamic linker says. */
#include "libranges/launcher/ranges-needs.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "libranges/base/config.h"
#include "libranges/launcher/ranges-elf.h"
#include "libranges/launcher/ranges-find.h"

#define NVTX "libnvToolsExt.so.1"

/* How dynamic linkers say that it is missing: glibc (two ways), musl. They say it in English. */
static const char *const complaints[] = { NVTX ": cannot open", NVTX " => not found",
	                                  "library " NVTX ": ", NULL };

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

static void read_line(const char *line, struct rcap_ranges_needs *out)
{
	out->misses_nvtx = out->misses_nvtx || is_complaint(line);
	out->has_seccomp = out->has_seccomp || strstr(line, "libseccomp.so") != NULL;
	out->has_cuda = out->has_cuda || strstr(line, "libcuda") != NULL;
}

void rcap_ranges_needs_list(const char *name, struct rcap_ranges_needs *out)
{
	char program[RCAP_CONFIG_PATH_BYTES];
	char linker[PATH_MAX];
	char *line = NULL;
	size_t size = 0;
	bool has_linker;
	FILE *list;
	pid_t pid;
	int fd;

	memset(out, 0, sizeof(*out));
	if (!rcap_ranges_find_program(name, program, sizeof(program))) {
		return;
	}
	fd = open(program, O_RDONLY | O_CLOEXEC);
	has_linker = fd >= 0 && rcap_ranges_elf_interpreter(fd, linker, sizeof(linker));
	if (fd >= 0) {
		close(fd);
	}
	list = has_linker ? start_list(linker, program, &pid) : NULL;
	if (list == NULL) {
		return;
	}
	while (getline(&line, &size, list) > 0) {
		read_line(line, out);
	}
	free(line);
	fclose(list);
	while (waitpid(pid, NULL, 0) < 0 && errno == EINTR) {
	}
}
