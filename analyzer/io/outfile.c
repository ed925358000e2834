/* SPDX-License-Identifier: MIT */
/* An output file that appears whole or not at all. */
#include "analyzer/io/outfile.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/util.h"

/* The name of an unfinished file has at most this many bytes of the target's name, and a suffix
 * (NAME_MAX is 255). */
#define NAME_BYTES 200

/* A chain of links is followed over at most this many links, as by the kernel. */
#define LINKS 40

/* Number of names to try before giving up. A name can be taken by a file left over from a killed
 * run with our pid. */
#define NAME_TRIES 100

static const int signals[] = { SIGHUP, SIGINT, SIGTERM };

#define SIGNAL_COUNT (sizeof(signals) / sizeof(signals[0]))

/* The protected input files. */
static struct input {
	dev_t device;
	ino_t inode;
} * inputs;
static size_t input_count;
static size_t input_capacity;

/* The file to remove when a signal or lack of memory ends the process. It is changed only while
 * such signals are blocked. */
static const char *volatile unfinished_path;

static void remove_unfinished(void)
{
	if (unfinished_path != NULL) {
		unlink(unfinished_path);
	}
}

static void handle_signal(int number)
{
	remove_unfinished();
	raise(number); /* SA_RESETHAND: the default action follows when this handler returns */
}

static void watch(const char *path)
{
	sigset_t set;
	sigset_t old;

	sigemptyset(&set);
	for (size_t i = 0; i < SIGNAL_COUNT; i++) {
		sigaddset(&set, signals[i]);
	}
	pthread_sigmask(SIG_BLOCK, &set, &old);
	unfinished_path = path;
	ra_alloc_set_cleanup(remove_unfinished);
	for (size_t i = 0; i < SIGNAL_COUNT; i++) {
		struct sigaction current;
		struct sigaction action = { .sa_handler = handle_signal, .sa_flags = SA_RESETHAND };

		/* nohup and shells ignore some signals on purpose, so they stay ignored. */
		if (sigaction(signals[i], NULL, &current) == 0 && current.sa_handler != SIG_IGN) {
			sigaction(signals[i], &action, NULL);
		}
	}
	pthread_sigmask(SIG_SETMASK, &old, NULL);
}

bool ra_outfile_has_suffix(const char *text, const char *suffix)
{
	const size_t length = strlen(text);
	const size_t wanted = strlen(suffix);

	return length >= wanted && strcmp(text + length - wanted, suffix) == 0;
}

void ra_outfile_protect(const char *path)
{
	struct stat status;

	if (stat(path, &status) == 0 && S_ISREG(status.st_mode)) {
		RA_UTIL_APPEND(inputs, input_count, input_capacity,
		               (struct input){ status.st_dev, status.st_ino });
	}
}

bool ra_outfile_is_protected(const char *path)
{
	struct stat status;

	if (stat(path, &status) != 0) {
		return false;
	}
	for (size_t i = 0; i < input_count; i++) {
		if (inputs[i].device == status.st_dev && inputs[i].inode == status.st_ino) {
			return true;
		}
	}
	return false;
}

/* Opens a new file beside the target. Return: fd, or -1 with errno. */
static int create_beside(const char *path, mode_t mode, char **temp_path)
{
	const char *slash = strrchr(path, '/');
	const int folder = slash != NULL ? (int) (slash - path) + 1 : 0;

	for (int i = 0; i < NAME_TRIES; i++) {
		*temp_path = ra_alloc_format("%.*s.%.*s.%d-%d", folder, path, NAME_BYTES,
		                             path + folder, (int) getpid(), i);
		const int fd = open(*temp_path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode);

		if (fd >= 0) {
			return fd;
		}
		free(*temp_path); /* free keeps errno (glibc 2.33, POSIX 2024) */
		*temp_path = NULL;
		if (errno != EEXIST) {
			return -1;
		}
	}
	return -1;
}

/* The path that a link points to, resolved against the folder of the link. Return: owned; NULL with
 * errno. */
static char *read_link(const char *path)
{
	const char *slash = strrchr(path, '/');
	char text[PATH_MAX];
	const ssize_t length = readlink(path, text, sizeof(text));

	if (length < 0 || (size_t) length == sizeof(text)) {
		errno = length < 0 ? errno : ENAMETOOLONG;
		return NULL;
	}
	if (text[0] == '/' || slash == NULL) {
		return ra_util_copy(text, (size_t) length);
	}
	return ra_alloc_format("%.*s%.*s", (int) (slash - path) + 1, path, (int) length, text);
}

/*
 * Finds the path of a file that does not exist yet. If the path is a link that points to nothing,
 * the result is the link's target, where a shell would write, too. Return: owned; NULL with errno.
 */
static char *find_new(const char *path)
{
	struct stat status;
	char *at = ra_alloc_copy(path);

	for (int i = 0; at != NULL && lstat(at, &status) == 0 && S_ISLNK(status.st_mode); i++) {
		char *next = i < LINKS ? read_link(at) : NULL;
		const int code = i < LINKS ? errno : ELOOP;

		free(at);
		errno = code;
		at = next;
	}
	return at;
}

static int open_target(struct ra_outfile *file, const char *path)
{
	struct stat status;

	if (strcmp(path, "-") == 0) {
		file->fd = STDOUT_FILENO;
		return 0;
	}
	const bool is_there = stat(path, &status) == 0;

	if (ra_outfile_is_protected(path)) {
		return RA_OUTFILE_IS_INPUT;
	}
	/* A pipe behind /dev/stdout can be opened, but has no path. */
	if (is_there && !S_ISREG(status.st_mode)) {
		file->fd = open(path, O_WRONLY | O_CLOEXEC);
		return file->fd >= 0 ? 0 : errno;
	}
	/* A link is kept: its target is replaced. */
	file->path = is_there ? realpath(path, NULL) : find_new(path);
	if (file->path == NULL) {
		return errno;
	}
	if (is_there && access(path, W_OK) != 0) {
		return errno; /* the caller may not write to this file, although replacing it by
		                 rename() would work */
	}
	file->fd = create_beside(file->path, 0666, &file->temp_path);
	if (file->fd < 0) {
		return errno;
	}
	if (is_there && fchmod(file->fd, status.st_mode & 0777) != 0) {
		return errno;
	}
	watch(file->temp_path);
	return 0;
}

int ra_outfile_open(struct ra_outfile *file, const char *path)
{
	*file = (struct ra_outfile){ .fd = -1 };

	int code = open_target(file, path);

	if (code == 0) {
		ra_outbuf_init(&file->buffer, file->fd, ra_outfile_has_suffix(path, ".gz"));
	} else {
		ra_outfile_abandon(file);
	}
	return code;
}

int ra_outfile_commit(struct ra_outfile *file)
{
	int code = ra_outbuf_finish(&file->buffer);

	if (file->fd >= 0 && file->fd != STDOUT_FILENO) {
		if (close(file->fd) != 0 && code == 0) {
			code = errno; /* some file systems report a full disk only here */
		}
		file->fd = -1;
	}
	if (code == 0 && file->temp_path != NULL) {
		if (ra_outfile_is_protected(file->path)) { /* the target may have become an input
			                                      since the output was opened */
			code = RA_OUTFILE_IS_INPUT;
		} else if (rename(file->temp_path, file->path) == 0) {
			watch(NULL);
			free(file->temp_path);
			file->temp_path = NULL;
		} else {
			code = errno;
		}
	}
	ra_outfile_abandon(file);
	return code;
}

void ra_outfile_abandon(struct ra_outfile *file)
{
	if (file->fd >= 0 && file->fd != STDOUT_FILENO) {
		close(file->fd);
	}
	if (file->temp_path != NULL) {
		unlink(file->temp_path);
		watch(NULL);
	}
	free(file->temp_path);
	file->temp_path = NULL;
	free(file->path);
	file->path = NULL;
	ra_outbuf_fini(&file->buffer);
	*file = (struct ra_outfile){ .fd = -1 };
}
