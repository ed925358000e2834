/* SPDX-License-Identifier: MIT */
/*
 * Preloaded into a program: makes call number FAIL_AT of the function FAIL_CALL fail, if the
 * program's name is FAIL_WHO and the call comes from a file with FAIL_FROM in its path. If there
 * are not so many calls, the file FAIL_LEFT is made at the end, and says how many were left. Built
 * by a test's script.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static _Atomic int left;
static const char *name = "";
static const char *from = "";

__attribute__((constructor)) static void begin(void)
{
	const char *at = getenv("FAIL_AT");
	const char *who = getenv("FAIL_WHO");

	if (at && who && strcmp(who, program_invocation_short_name) == 0) {
		name = getenv("FAIL_CALL");
		from = getenv("FAIL_FROM");
		left = (int) strtol(at, NULL, 10);
	}
}

__attribute__((destructor)) static void end(void)
{
	const char *path = getenv("FAIL_LEFT");

	if (path && left > 0) {
		char text[16];
		const int length = snprintf(text, sizeof(text), "%d\n", atomic_exchange(&left, 0));
		const int file = creat(path, 0600);

		(void) !write(file, text, (size_t) length);
		close(file);
	}
}

/* Whether this call of the function, from there, is the one. */
static bool is_it(const char *function, const void *caller)
{
	Dl_info info;

	if (left <= 0 || strcmp(function, name) != 0 || dladdr(caller, &info) == 0 ||
	    strstr(info.dli_fname, from) == NULL) {
		return false;
	}
	return atomic_fetch_sub(&left, 1) == 1;
}

static bool fail(const char *function, const void *caller, int error)
{
	const int saved = errno;
	const bool is_failing = is_it(function, caller);

	errno = is_failing ? error : saved;
	return is_failing;
}

/* glibc's parameters have names of its own.
 * NOLINTBEGIN(readability-inconsistent-declaration-parameter-name) */
#define PASS(type, function, error, failure, parameters, ...)                                   \
	type function parameters                                                                \
	{                                                                                       \
		type(*next) parameters = (type(*) parameters) dlsym(RTLD_NEXT, #function);      \
                                                                                                \
		return fail(#function, __builtin_return_address(0), error) ? failure            \
		                                                           : next(__VA_ARGS__); \
	}
/* Functions that report errors by their value, not by errno. */
#define PASS_CODE(function, error, parameters, ...)                                             \
	int function parameters                                                                 \
	{                                                                                       \
		int(*next) parameters = (int(*) parameters) dlsym(RTLD_NEXT, #function);        \
                                                                                                \
		return fail(#function, __builtin_return_address(0), errno) ? error              \
		                                                           : next(__VA_ARGS__); \
	}

PASS(ssize_t, write, ENOSPC, -1, (int fd, const void *bytes, size_t count), fd, bytes, count)
PASS(ssize_t, pwrite, ENOSPC, -1, (int fd, const void *bytes, size_t count, off_t at), fd, bytes,
     count, at)
PASS(ssize_t, pread, EIO, -1, (int fd, void *bytes, size_t count, off_t at), fd, bytes, count, at)
PASS(ssize_t, read, EIO, -1, (int fd, void *bytes, size_t count), fd, bytes, count)
PASS(int, ftruncate, ENOSPC, -1, (int fd, off_t size), fd, size)
PASS(int, fallocate, ENOSPC, -1, (int fd, int mode, off_t offset, off_t size), fd, mode, offset,
     size)
PASS(void *, mmap, ENOMEM, MAP_FAILED,
     (void *at, size_t size, int prot, int flags, int fd, off_t offset), at, size, prot, flags, fd,
     offset)
PASS(void *, malloc, ENOMEM, NULL, (size_t size), size)
PASS(void *, calloc, ENOMEM, NULL, (size_t count, size_t size), count, size)
PASS(void *, realloc, ENOMEM, NULL, (void *memory, size_t size), memory, size)
PASS(int, mkdir, EACCES, -1, (const char *path, mode_t mode), path, mode)
PASS(int, fstat, EIO, -1, (int fd, struct stat *out), fd, out)
PASS(int, flock, ENOLCK, -1, (int fd, int what), fd, what)
PASS(int, mprotect, ENOMEM, -1, (void *at, size_t size, int prot), at, size, prot)
PASS_CODE(posix_fallocate, ENOSPC, (int fd, off_t offset, off_t size), fd, offset, size)
PASS_CODE(pthread_create, EAGAIN,
          (pthread_t *restrict thread, const pthread_attr_t *restrict attributes,
           void *(*run)(void *), void *restrict argument),
          thread, attributes, run, argument)
PASS_CODE(pthread_key_create, EAGAIN, (pthread_key_t * key, void (*destroy)(void *)), key, destroy)

int open(const char *path, int flags, ...)
{
	int (*next)(const char *, int, ...) =
		(int (*)(const char *, int, ...)) dlsym(RTLD_NEXT, "open");
	va_list args;
	int mode;

	va_start(args, flags);
	mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(args, int) : 0;
	va_end(args);
	return fail("open", __builtin_return_address(0), EMFILE) ? -1 : next(path, flags, mode);
}
/* NOLINTEND(readability-inconsistent-declaration-parameter-name) */
