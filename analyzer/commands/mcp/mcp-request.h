/* SPDX-License-Identifier: MIT */
/* Parses a JSON-RPC message: reads the fields that we use. */
#ifndef RA_MCP_REQUEST_H
#define RA_MCP_REQUEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum ra_mcp_field {
	RA_MCP_METHOD,
	RA_MCP_VERSION,  /* the version that an `initialize` requests */
	RA_MCP_REVISION, /* the version in a request without a session */
	RA_MCP_TOOL,
	RA_MCP_FILE,
	RA_MCP_BEFORE,
	RA_MCP_AFTER,
	RA_MCP_RULES,
	RA_MCP_NAME,
	RA_MCP_THREAD,
	RA_MCP_STEP_RANGE,
	RA_MCP_WORD,
	RA_MCP_REPORT, /* this field and those after it are names, times and numbers */
	RA_MCP_ATTRIBUTE,
	RA_MCP_PYTHON,
	RA_MCP_FULL_NAMES,
	RA_MCP_WIDTH,
	RA_MCP_UNIT,
	RA_MCP_FROM,
	RA_MCP_TO,
	RA_MCP_STEP,
	RA_MCP_SORT,
	RA_MCP_LIMIT,
	RA_MCP_BYTES,
	RA_MCP_FIELDS,
};

struct ra_mcp_request {
	char *id;                    /* owned: the id as JSON; NULL: the message is a
	                                notification */
	char *cancelled;             /* owned: id of the request to cancel, as JSON */
	char *fields[RA_MCP_FIELDS]; /* owned: texts; numbers as they were written; "true" and
	                                "false". NULL: not there */
	uint32_t given;              /* bit N: field N is an argument that is present, even if its
	                                value is not usable */
	char *unknown;               /* owned: the name of an unknown argument; NULL: none */
	bool is_json;                /* the line is one object and nothing else */
};

/* Parses a line. Call fini in any case. */
void ra_mcp_request_init(struct ra_mcp_request *request, const char *line, size_t length);
void ra_mcp_request_fini(struct ra_mcp_request *request);

/* Returns the name of the tool's argument for a field. */
const char *ra_mcp_request_argument(enum ra_mcp_field field);

#endif
