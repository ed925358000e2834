/* SPDX-License-Identifier: MIT */
/* Finds which libraries a program is linked with, from its dynamic linker. */
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

#include "libranges/settings/config.h"
#include "libranges/launcher/logs/ranges-elf.h"
#include "libranges/launcher/shared/ranges-find.h"

#define NVTX "libnvToolsExt.so.1"

/* What dynamic linkers print for a missing library: glibc (two texts) and musl. They print it in
 * English. */
static const char *const complaints[] = { NVTX ": cannot open", NVTX " => not found",
	                                  "library " NVTX ": ", NULL };

/* A text by which CUDA's runtime is found in any file that it is linked into: the name of an
 * error. */
#define RUNTIME_TEXT "cudaErrorInsufficientDriver"

/* Starts `linker --list program` with its output in a pipe. Return: the pipe; NULL if that
 * fails. */
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

/* Appends the path in a line to `paths`, with a NUL. A line is like "    libm.so.6 =>
 * /lib/libm.so.6 (0x7f…)". It has no name before the path if the program names the file itself. */
static void keep_path(const char *line, FILE *paths)
{
	const char *arrow = strstr(line, " => ");
	const char *path = arrow != NULL ? arrow + 4 : line + strspn(line, "\t ");
	const char *end = strstr(path, " (");

	if (end != NULL && memchr(path, '/', (size_t) (end - path)) != NULL) {
		fprintf(paths, "%.*s%c", (int) (end - path), path, '\0');
	}
}

static void read_line(const char *line, FILE *paths, struct rcap_ranges_needs *out)
{
	out->misses_nvtx = out->misses_nvtx || is_complaint(line);
	out->has_seccomp = out->has_seccomp || strstr(line, "libseccomp.so") != NULL;
	out->has_cuda = out->has_cuda || strstr(line, "libcuda") != NULL;
	keep_path(line, paths);
}

/* Searches a file for the text. Return: true if the text is there. */
static bool has_runtime(const char *path)
{
	static const char text[] = RUNTIME_TEXT;
	const size_t overlap = sizeof(text) - 2;
	char block[65536];
	size_t kept = 0;
	bool found = false;
	ssize_t got;
	const int fd = open(path, O_RDONLY | O_CLOEXEC);

	while (fd >= 0 && !found && (got = read(fd, block + kept, sizeof(block) - kept)) > 0) {
		const size_t bytes = kept + (size_t) got;

		found = memmem(block, bytes, text, sizeof(text) - 1) != NULL;
		kept = bytes < overlap ? bytes : overlap;
		memmove(block, block + bytes - kept, kept);
	}
	if (fd >= 0) {
		close(fd);
	}
	return found;
}

/*
 * True if CUDA's runtime is linked into the program or into one of its libraries. By default it is
 * linked statically, and loads the driver only when it is used, so the linker does not show it.
 * This reads all files, so it is called only if the result is needed.
 *
 * @paths, @bytes: paths of the libraries, each with a NUL.
 */
static bool is_runtime_inside(const char *program, const char *paths, size_t bytes)
{
	bool found = has_runtime(program);

	for (size_t at = 0; at < bytes && !found; at += strlen(paths + at) + 1) {
		found = has_runtime(paths + at);
	}
	return found;
}

/* Reads the linker's output. Return: false if there is no memory. */
static bool read_list(FILE *list, const char *program, struct rcap_ranges_needs *out)
{
	char *paths = NULL;
	size_t bytes = 0;
	char *line = NULL;
	size_t size = 0;
	FILE *to = open_memstream(&paths, &bytes);

	if (to == NULL) {
		return false;
	}
	while (getline(&line, &size, list) > 0) {
		read_line(line, to, out);
	}
	free(line);
	if (fclose(to) == 0 && out->has_seccomp && !out->has_cuda) {
		out->has_cuda = is_runtime_inside(program, paths, bytes);
	}
	free(paths);
	return true;
}

void rcap_ranges_needs_list(const char *name, struct rcap_ranges_needs *out)
{
	char program[RCAP_CONFIG_PATH_BYTES];
	char linker[PATH_MAX];
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
	(void) read_list(list, program, out);
	fclose(list);
	while (waitpid(pid, NULL, 0) < 0 && errno == EINTR) {
	}
}
