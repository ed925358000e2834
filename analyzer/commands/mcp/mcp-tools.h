/* SPDX-License-Identifier: MIT */
/* The tools that a client can call, and the analyzer command behind each call. */
#ifndef RA_MCP_TOOLS_H
#define RA_MCP_TOOLS_H

#include <stdbool.h>

#include "analyzer/base/text/util-text.h"
#include "analyzer/commands/mcp/mcp-files.h"
#include "analyzer/commands/mcp/mcp-request.h"

#define RA_MCP_WORDS 112 /* room for 64 files, 40 rules, and the words before them */

struct ra_mcp_command {
	char *words[RA_MCP_WORDS + 1]; /* owned; ends with NULL */
	size_t count;
	bool lists_files; /* the list of files below the roots is printed before its output */
	bool may_find;    /* exit code 1 is also an answer, no error */
};

void ra_mcp_command_fini(struct ra_mcp_command *command);

/* Appends the command as a line for a shell. */
void ra_mcp_command_put(const struct ra_mcp_command *command, struct ra_util_text *text);

/* The tools as JSON: names, purposes, and schemas of their arguments. */
extern const char ra_mcp_tools_json[];

enum ra_mcp_tools_answer {
	RA_MCP_TOOLS_OK,
	RA_MCP_TOOLS_REFUSED, /* the arguments are not valid */
	RA_MCP_TOOLS_NONE,    /* there is no such tool */
};

/*
 * Makes the command for the tool that a request names.
 *
 * @command: call fini in any case.
 * @text: gets the reason for a refusal, for the client.
 */
enum ra_mcp_tools_answer ra_mcp_tools_make(const struct ra_mcp_roots *roots,
                                           const struct ra_mcp_request *request,
                                           struct ra_mcp_command *command,
                                           struct ra_util_text *text);

#endif
