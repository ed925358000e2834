/* SPDX-License-Identifier: MIT */
/* The tools that a client can call, and the command of ours that answers each call. */
#ifndef RA_MCP_TOOLS_H
#define RA_MCP_TOOLS_H

#include <stdbool.h>

#include "analyzer/base/text/util-text.h"
#include "analyzer/commands/mcp/mcp-files.h"
#include "analyzer/commands/mcp/mcp-request.h"

#define RA_MCP_WORDS 112 /* 64 files, 40 rules, and what is before them */

struct ra_mcp_command {
	char *words[RA_MCP_WORDS + 1]; /* owned; ends with NULL */
	size_t count;
	bool lists_files; /* what is below the roots stands before its output */
	bool may_find;    /* its exit code 1 is an answer, too */
};

void ra_mcp_command_fini(struct ra_mcp_command *command);

/* Appends the line that says which command it was, as a shell takes it. */
void ra_mcp_command_put(const struct ra_mcp_command *command, struct ra_util_text *text);

/* The tools in JSON: names, what they do, and the schemas of their arguments. */
extern const char ra_mcp_tools_json[];

enum ra_mcp_tools_answer {
	RA_MCP_TOOLS_OK,
	RA_MCP_TOOLS_REFUSED, /* the arguments will not do */
	RA_MCP_TOOLS_NONE,    /* there is no such tool */
};

/*
 * Makes the command of the tool that a request names.
 *
 * @command: fini in any case.
 * @text: gets why it is refused, for the client.
 */
enum ra_mcp_tools_answer ra_mcp_tools_make(const struct ra_mcp_roots *roots,
                                           const struct ra_mcp_request *request,
                                           struct ra_mcp_command *command,
                                           struct ra_util_text *text);

#endif
