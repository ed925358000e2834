/* SPDX-License-Identifier: MIT */
/* Finds the files that a client may name: only those below the roots. */
#include "analyzer/commands/mcp/mcp-files.h"

#include <dirent.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <fts.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/util.h"
#include "analyzer/io/peek.h"

#define MOST_FILES 200
#define MOST_DEPTH 8
/* bytes at the start of a JSON file that are searched: metadata may precede the events */
#define HEAD_BYTES   1048576
#define MOST_ENTRIES 10000 /* at most this many entries in a folder that a client names */

/* True if a path without links is a root or below one. */
static bool is_inside(const struct ra_mcp_roots *roots, const char *path)
{
	for (size_t i = 0; i < roots->count; i++) {
		const size_t length = strlen(roots->paths[i]);

		if (strncmp(path, roots->paths[i], length) == 0 &&
		    (path[length] == '/' || path[length] == '\0' ||
		     (length == 1 && path[0] == '/'))) {
			return true;
		}
	}
	return false;
}

static bool leads_inside(const struct ra_mcp_roots *roots, const char *link)
{
	char *real = realpath(link, NULL);
	const bool does = real != NULL && is_inside(roots, real);

	free(real);
	return does;
}

/* True if a command that reads the folder stays below the roots, and opens no file that could
 * block. */
static bool is_closed(const struct ra_mcp_roots *roots, char *folder)
{
	char *const paths[] = { folder, NULL };
	FTS *tree = fts_open(paths, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
	FTSENT *entry;
	size_t count = 0;
	bool is = tree != NULL;

	while (is && (entry = fts_read(tree)) != NULL) {
		switch (entry->fts_info) {
		case FTS_D:
		case FTS_DP:
		case FTS_F:
			break;
		case FTS_SL:
			is = leads_inside(roots, entry->fts_path);
			break;
		default:
			is = false;
			break;
		}
		is = is && ++count <= MOST_ENTRIES;
	}
	if (tree != NULL) {
		(void) fts_close(tree);
	}
	return is;
}

static bool may_read(const struct ra_mcp_roots *roots, char *real, bool may_be_folder)
{
	struct stat status;

	if (!is_inside(roots, real) || stat(real, &status) != 0) {
		return false;
	}
	return S_ISREG(status.st_mode) ||
	       (may_be_folder && S_ISDIR(status.st_mode) && is_closed(roots, real));
}

char *ra_mcp_files_find(const struct ra_mcp_roots *roots, const char *name, bool may_be_folder)
{
	for (size_t i = 0; name != NULL && name[0] != '\0' && i < roots->count; i++) {
		char *path = name[0] == '/' ? ra_alloc_format("%s", name)
		                            : ra_alloc_format("%s/%s", roots->paths[i], name);
		char *real = realpath(path, NULL);

		free(path);
		if (real != NULL && may_read(roots, real, may_be_folder)) {
			return real;
		}
		free(real);
	}
	return NULL;
}

/* Finds the files in one folder that match. Return: as ra_mcp_files_match(). */
static size_t match_in(const struct ra_mcp_roots *roots, const char *folder, const char *pattern,
                       char **paths, size_t most)
{
	struct dirent **entries = NULL;
	const int found = scandir(folder, &entries, NULL, alphasort);
	size_t count = 0;
	bool is_over = false;

	for (int i = 0; i < found; i++) {
		char *path = ra_alloc_format("%s/%s", folder, entries[i]->d_name);
		char *real = fnmatch(pattern, entries[i]->d_name, FNM_PERIOD) == 0
		                     ? ra_mcp_files_find(roots, path, false)
		                     : NULL;

		is_over = is_over || (real != NULL && count == most);
		if (real != NULL && count < most) {
			paths[count++] = real;
		} else {
			free(real);
		}
		free(path);
		free(entries[i]);
	}
	free(entries);
	while (is_over && count > 0) {
		free(paths[--count]);
	}
	return count;
}

size_t ra_mcp_files_match(const struct ra_mcp_roots *roots, const char *pattern, char **paths,
                          size_t most)
{
	size_t count = 0;

	for (size_t i = 0; i < roots->count && count == 0; i++) {
		char *path = pattern[0] == '/' ? ra_alloc_format("%s", pattern)
		                               : ra_alloc_format("%s/%s", roots->paths[i], pattern);
		char *last = strrchr(path, '/');
		char *folder;

		*last = '\0';
		folder = realpath(path, NULL);
		if (folder != NULL && is_inside(roots, folder)) {
			count = match_in(roots, folder, last + 1, paths, most);
		}
		free(folder);
		free(path);
	}
	return count;
}

static bool is_file_name(const char *name)
{
	static const char *const suffixes[] = { ".bin",        ".json", ".json.gz", ".pftrace",
		                                ".sqlite",     ".pb",   ".pb.gz",   ".sum",
		                                ".pftrace.gz", ".zst",  ".xz" };
	const size_t length = strlen(name);

	for (size_t i = 0; i < sizeof(suffixes) / sizeof(suffixes[0]); i++) {
		const size_t suffix = strlen(suffixes[i]);

		if (length > suffix && strcmp(name + length - suffix, suffixes[i]) == 0) {
			return true;
		}
	}
	return false;
}

static bool is_json_name(const char *name)
{
	const char *dot = strstr(name, ".json");

	return dot != NULL && (strcmp(dot, ".json") == 0 || strcmp(dot, ".json.gz") == 0);
}

/* Returns the number of bytes that can be read from the start of a file; -1: it can't be read. */
static ssize_t read_head(const char *path, char *head)
{
	const int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	const ssize_t count = fd < 0 ? -1 : read(fd, head, HEAD_BYTES);

	if (fd >= 0) {
		(void) close(fd);
	}
	return count;
}

/* True if a JSON file may be a trace: its head has one of a few words. The folders may also hold
 * other JSON. Also true if the file can't be read. */
static bool may_be_trace(const char *path)
{
	static const char *const words[] = { "\"traceEvents\"", "\"ph\"",
		                             "\"rocprofiler-sdk-tool\"" };
	char *head = ra_alloc_bytes(HEAD_BYTES);
	char *text = ra_alloc_bytes(HEAD_BYTES);
	const ssize_t count = read_head(path, head);
	const size_t length = count > 0 ? ra_peek_read(head, (size_t) count, text, HEAD_BYTES) : 0;
	bool may = count < 0;

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]) && !may; i++) {
		may = memmem(text, length, words[i], strlen(words[i])) != NULL;
	}
	free(head);
	free(text);
	return may;
}

/* Lists the files in a folder and the folders below it. Links are not followed. */
/* NOLINTNEXTLINE(misc-no-recursion): MOST_DEPTH ends it */
static void list_folder(struct ra_util_text *text, const char *folder, unsigned depth,
                        size_t *count)
{
	struct dirent **entries = NULL;
	const int found = scandir(folder, &entries, NULL, alphasort);

	for (int i = 0; i < found; i++) {
		const char *name = entries[i]->d_name;
		char *path = ra_alloc_format("%s/%s", folder, name);
		struct stat status;

		if (name[0] == '.' || lstat(path, &status) != 0) {
			/* the file is hidden, or has disappeared */
		} else if (S_ISDIR(status.st_mode) && depth < MOST_DEPTH) {
			list_folder(text, path, depth + 1, count);
		} else if (S_ISREG(status.st_mode) && is_file_name(name) &&
		           (!is_json_name(name) || may_be_trace(path))) {
			(*count)++;
			if (*count <= MOST_FILES) {
				ra_util_text_put_name(text, ra_util_string(path), RA_TEXT_TERMINAL);
				ra_util_text_format(text, "  %lld bytes\n",
				                    (long long) status.st_size);
			}
		}
		free(path);
		free(entries[i]);
	}
	free(entries);
}

void ra_mcp_files_list(const struct ra_mcp_roots *roots, struct ra_util_text *text)
{
	size_t count = 0;

	for (size_t i = 0; i < roots->count; i++) {
		list_folder(text, roots->paths[i], 0, &count);
	}
	if (count > MOST_FILES) {
		ra_util_text_format(text, "... and %zu more\n", count - MOST_FILES);
	}
	ra_util_text_format(text, "%zu file%s\n\n", count, ra_util_text_plural(count));
}
