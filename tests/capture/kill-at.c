/* SPDX-License-Identifier: MIT */
/*
 * Preloaded into a program: kills it before its call number KILL_AT of a function that changes
 * files or memory, if the program's name is KILL_WHO; of KILL_CALL alone, if that is given. Built
 * by a test's script.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static _Atomic int left;
static _Atomic int is_on;
static const char *only;

__attribute__((constructor)) static void begin(void)
{
	const char *at = getenv("KILL_AT");
	const char *who = getenv("KILL_WHO");

	if (at && who && strcmp(who, program_invocation_short_name) == 0) {
		left = (int) strtol(at, NULL, 10);
		only = getenv("KILL_CALL");
		is_on = 1;
	}
}

/* The rest of the budget goes to the file KILL_LEFT at a good end, where the script reads it. */
__attribute__((destructor)) static void end(void)
{
	const char *path = getenv("KILL_LEFT");

	if (is_on && path && left > 0) {
		is_on = 0;
		close(creat(path, 0600));
	}
}

static void step(const char *call)
{
	if (is_on && (!only || strcmp(only, call) == 0) && atomic_fetch_sub(&left, 1) == 1) {
		kill(getpid(), SIGKILL);
	}
}

/* glibc's parameters have names of its own.
 * NOLINTBEGIN(readability-inconsistent-declaration-parameter-name) */
#define PASS(type, name, parameters, ...)                                              \
	type name parameters                                                           \
	{                                                                              \
		type(*next) parameters = (type(*) parameters) dlsym(RTLD_NEXT, #name); \
                                                                                       \
		step(#name);                                                           \
		return next(__VA_ARGS__);                                              \
	}

PASS(ssize_t, pwrite, (int fd, const void *bytes, size_t count, off_t at), fd, bytes, count, at)
PASS(ssize_t, pwrite64, (int fd, const void *bytes, size_t count, off64_t at), fd, bytes, count, at)
PASS(ssize_t, write, (int fd, const void *bytes, size_t count), fd, bytes, count)
PASS(int, ftruncate, (int fd, off_t size), fd, size)
PASS(int, ftruncate64, (int fd, off64_t size), fd, size)
PASS(int, posix_fallocate, (int fd, off_t from, off_t size), fd, from, size)
PASS(int, posix_fallocate64, (int fd, off64_t from, off64_t size), fd, from, size)
PASS(void *, mmap, (void *at, size_t size, int prot, int flags, int fd, off_t from), at, size, prot,
     flags, fd, from)
PASS(int, munmap, (void *at, size_t size), at, size)
PASS(int, mprotect, (void *at, size_t size, int prot), at, size, prot)
PASS(int, madvise, (void *at, size_t size, int what), at, size, what)
PASS(int, flock, (int fd, int what), fd, what)
PASS(int, unlink, (const char *path), path)
PASS(int, close, (int fd), fd)
PASS(ssize_t, readlink, (const char *path, char *out, size_t size), path, out, size)
PASS(pid_t, getppid, (void), )

int open(const char *path, int flags, ...)
{
	int (*next)(const char *, int, ...) =
		(int (*)(const char *, int, ...)) dlsym(RTLD_NEXT, "open");
	va_list args;
	int mode;

	va_start(args, flags);
	mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(args, int) : 0;
	va_end(args);
	step("open");
	return next(path, flags, mode);
}
/* NOLINTEND(readability-inconsistent-declaration-parameter-name) */
