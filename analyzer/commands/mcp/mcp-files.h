/* SPDX-License-Identifier: MIT */
/* Finds the files that a client may name: only those below the roots. */
#ifndef RA_MCP_FILES_H
#define RA_MCP_FILES_H

#include <stdbool.h>
#include <stddef.h>

#include "analyzer/base/text/util-text.h"

struct ra_mcp_roots {
	char *const *paths; /* absolute, without links */
	size_t count;
};

/*
 * Finds the regular file that a client names. The file must be below a root, even if links lead to
 * it.
 *
 * @may_be_folder: also accepts a folder that contains only folders, regular files, and links to
 * files below a root. Return: the file's path, absolute and without links, owned by the caller;
 * NULL if there is no such file.
 */
char *ra_mcp_files_find(const struct ra_mcp_roots *roots, const char *name, bool may_be_folder);

/*
 * Finds regular files in the same way, by a path with * in its last part. If the path is relative,
 * uses the first root in which a file matches.
 *
 * @paths: gets up to `most` paths, each owned by the caller.
 * Return: their number, sorted by name; 0 also if there are more than `most`.
 */
size_t ra_mcp_files_match(const struct ra_mcp_roots *roots, const char *pattern, char **paths,
                          size_t most);

/* Appends a line for each of the first 200 logs and traces below the roots, and their number. */
void ra_mcp_files_list(const struct ra_mcp_roots *roots, struct ra_util_text *text);

#endif
