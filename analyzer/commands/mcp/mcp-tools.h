/* SPDX-License-Identifier: MIT */
/* The tools that a client can call: files below the roots, and what the other commands say of them.
 */
#ifndef RA_MCP_TOOLS_H
#define RA_MCP_TOOLS_H

#include <stdbool.h>

#include "analyzer/base/util-text.h"
#include "analyzer/commands/mcp/mcp-request.h"

struct ra_mcp_roots {
	char *const *paths; /* absolute, without links */
	size_t count;
};

/* The tools in JSON: names, what they do, and the schemas of their arguments. */
extern const char ra_mcp_tools_json[];

/*
 * Calls the tool that a request names.
 *
 * @text: gets what it says, for the client.
 * @is_error: the same where it could not do what was asked.
 * Return: false if there is no such tool.
 */
bool ra_mcp_tools_call(const struct ra_mcp_roots *roots, const struct ra_mcp_request *request,
                       struct ra_util_text *text, bool *is_error);

#endif
