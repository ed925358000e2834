/* SPDX-License-Identifier: MIT */
/* The files that a client may name: those below the roots, and no others. */
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
 * Finds the regular file that a client names, below a root and without links on the way out.
 *
 * @may_be_folder: a folder will do in which there are only folders, regular files, and links to
 *                 what is below a root.
 * Return: its path, absolute and without links, owned by the caller; NULL if there is none: which
 * of these it lacks is nobody's business.
 */
char *ra_mcp_files_find(const struct ra_mcp_roots *roots, const char *name, bool may_be_folder);

/*
 * Finds the regular files, likewise, whose name matches a pattern with * in its last part: the
 * first root below which there are some.
 *
 * @paths: room for `most`, each owned by the caller.
 * Return: how many there are, by name; 0 also if they are more than `most`.
 */
size_t ra_mcp_files_match(const struct ra_mcp_roots *roots, const char *pattern, char **paths,
                          size_t most);

/* Appends a line for each log and trace below the roots, the first 200, and their number. */
void ra_mcp_files_list(const struct ra_mcp_roots *roots, struct ra_util_text *text);

#endif
