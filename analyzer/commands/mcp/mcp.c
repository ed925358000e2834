/* SPDX-License-Identifier: MIT */
/* analyzer mcp FOLDER...: answers requests of the Model Context Protocol on standard input, a
 * message a line, of its revisions with a session (initialize) and of that without
 * (server/discover). */
#include "config.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/util.h"
#include "analyzer/commands/mcp/mcp-request.h"
#include "analyzer/commands/mcp/mcp-tools.h"
#include "analyzer/commands/shared/entries.h"

#define MOST_LINE (1u << 20)
#define STATELESS "2026-07-28"

/* With a session, the newest first. */
static const char *const sessions[] = { "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05" };

#define SERVER                                                                             \
	"\"capabilities\":{\"tools\":{}},\"serverInfo\":{\"name\":\"analyzer\",\"title\":" \
	"\"libranges "                                                                     \
	"analyzer\",\"version\":\"" PACKAGE_VERSION                                        \
	"\"},\"instructions\":\"Call list for the files "                                  \
	"and the reports, then why; answers say what the file lacks: tell it, too.\""
#define CACHED "\"ttlMs\":0,\"cacheScope\":\"private\""

enum rpc_error {
	NO_JSON = -32700,
	NO_REQUEST = -32600,
	NO_METHOD = -32601,
	NO_PARAMS = -32602,
	NO_VERSION = -32022,
};

static void put_line(struct ra_util_text *text)
{
	ra_util_text_put_char(text, '\n');
	(void) ra_util_text_write(text, stdout);
	fflush(stdout);
	ra_util_text_free(text);
}

/* @data: behind the message, in JSON; "": none. */
static void put_error(const struct ra_mcp_request *request, enum rpc_error code,
                      const char *message, const char *data)
{
	struct ra_util_text text = { 0 };
	const char *id = request != NULL && request->id != NULL ? request->id : "null";

	ra_util_text_format(&text, "{\"jsonrpc\":\"2.0\",\"id\":");
	ra_util_text_put(&text, id, strlen(id));
	ra_util_text_format(&text, ",\"error\":{\"code\":%d,\"message\":\"%s\"%s}}", (int) code,
	                    message, data);
	put_line(&text);
}

/* @body: the members of the result, those of all results of this revision apart. */
static void put_result(const struct ra_mcp_request *request, const struct ra_util_text *body)
{
	struct ra_util_text text = { 0 };
	const bool is_stateless = request->fields[RA_MCP_REVISION] != NULL;

	ra_util_text_format(&text, "{\"jsonrpc\":\"2.0\",\"id\":");
	ra_util_text_put(&text, request->id, strlen(request->id));
	ra_util_text_format(&text, ",\"result\":{%s",
	                    is_stateless ? "\"resultType\":\"complete\"" : "");
	ra_util_text_put(&text, ",", is_stateless && body->length > 0);
	ra_util_text_put(&text, body->bytes, body->length);
	ra_util_text_format(&text, "}}");
	put_line(&text);
}

static void call_tool(const struct ra_mcp_roots *roots, const struct ra_mcp_request *request)
{
	struct ra_util_text said = { 0 };
	struct ra_util_text body = { 0 };
	bool is_error = false;

	if (ra_mcp_tools_call(roots, request, &said, &is_error)) {
		ra_util_text_format(&body, "\"content\":[{\"type\":\"text\",\"text\":\"");
		ra_util_text_put_name(&body,
		                      (struct rlog_string){ said.bytes, (uint32_t) said.length, 0 },
		                      RA_TEXT_JSON);
		ra_util_text_format(&body, "\"}],\"isError\":%s", is_error ? "true" : "false");
		put_result(request, &body);
	} else {
		put_error(request, NO_PARAMS, "there is no such tool; tools/list names all", "");
	}
	ra_util_text_free(&said);
	ra_util_text_free(&body);
}

/* The revision with a session that a client asks for, else our newest. */
static const char *find_session(const char *version)
{
	for (size_t i = 0; version != NULL && i < sizeof(sessions) / sizeof(sessions[0]); i++) {
		if (strcmp(sessions[i], version) == 0) {
			return sessions[i];
		}
	}
	return sessions[0];
}

static void answer(const struct ra_mcp_roots *roots, const struct ra_mcp_request *request)
{
	const char *method = request->fields[RA_MCP_METHOD];
	const char *revision = request->fields[RA_MCP_REVISION];
	struct ra_util_text body = { 0 };

	if (revision != NULL && strcmp(revision, STATELESS) != 0) {
		put_error(request, NO_VERSION,
		          "this protocol version is not known without initialize",
		          ",\"data\":{\"supported\":[\"" STATELESS "\"]}");
		return;
	}
	if (strcmp(method, "tools/call") == 0) {
		call_tool(roots, request);
		return;
	}
	if (strcmp(method, "initialize") == 0) {
		ra_util_text_format(&body, "\"protocolVersion\":\"%s\"," SERVER,
		                    find_session(request->fields[RA_MCP_VERSION]));
	} else if (strcmp(method, "server/discover") == 0) {
		ra_util_text_format(&body,
		                    "\"supportedVersions\":[\"" STATELESS "\"]," SERVER "," CACHED);
	} else if (strcmp(method, "tools/list") == 0) {
		ra_util_text_format(&body, "\"tools\":");
		ra_util_text_put(&body, ra_mcp_tools_json, strlen(ra_mcp_tools_json));
		ra_util_text_format(&body, "%s", revision != NULL ? "," CACHED : "");
	} else if (strcmp(method, "ping") != 0) {
		put_error(request, NO_METHOD, "there is no such method", "");
		return;
	}
	put_result(request, &body);
	ra_util_text_free(&body);
}

static void take_line(const struct ra_mcp_roots *roots, const char *line, size_t length)
{
	struct ra_mcp_request request;

	if (strspn(line, " \t\r") == length) {
		return;
	}
	ra_mcp_request_init(&request, line, length);
	if (!request.is_json) {
		put_error(NULL, NO_JSON, "a line is no object of JSON", "");
	} else if (request.fields[RA_MCP_METHOD] == NULL) {
		put_error(&request, NO_REQUEST, "a request has a method", "");
	} else if (request.id != NULL) { /* else a notification, to which nobody answers */
		answer(roots, &request);
	}
	ra_mcp_request_fini(&request);
}

/* Reads a line of MOST_LINE bytes at most, without its end; of a longer one *length is more.
 * Return: false at the end. */
static bool read_line(char *line, size_t *length)
{
	int c;

	*length = 0;
	while ((c = getc(stdin)) != EOF && c != '\n') {
		if (*length < MOST_LINE) {
			line[*length] = (char) c;
		}
		*length += *length <= MOST_LINE;
	}
	line[*length <= MOST_LINE ? *length : 0] = '\0';
	return c != EOF || *length > 0;
}

static int serve(const struct ra_mcp_roots *roots)
{
	char *line = ra_alloc_zeros(MOST_LINE + 1, 1);
	size_t length;

	while (!ferror(stdout) && read_line(line, &length)) {
		if (length > MOST_LINE) {
			put_error(NULL, NO_REQUEST, "a line is too long", "");
		} else {
			take_line(roots, line, length);
		}
	}
	free(line);
	return RA_CMD_OK;
}

static int run(int argc, char **argv)
{
	static const struct option none[] = { { NULL, 0, NULL, 0 } };
	char **paths = ra_alloc_zeros((size_t) argc + 1, sizeof(*paths));
	struct ra_mcp_roots roots = { .paths = paths };
	int code = 0;

	/* NOLINTNEXTLINE(concurrency-mt-unsafe): one thread */
	if (getopt_long(argc, argv, "", none, NULL) != -1) {
		code = RA_CMD_USAGE;
	} else if (optind == argc) {
		code = ra_cmd_usage("which folders may be read?");
	}
	for (int i = optind; i < argc && code == 0; i++) {
		char *path = realpath(argv[i], NULL);
		struct stat status;

		if (path == NULL || stat(path, &status) != 0 || !S_ISDIR(status.st_mode)) {
			code = ra_cmd_usage("mcp: %s is no folder", argv[i]);
			free(path);
		} else {
			paths[roots.count++] = path;
		}
	}
	code = code != 0 ? code : serve(&roots);
	for (size_t i = 0; i < roots.count; i++) {
		free(paths[i]);
	}
	free(paths);
	return code;
}

const struct ra_cmd cmd_mcp = {
	.name = "mcp",
	.synopsis = "mcp FOLDER...",
	.summary = "Answer assistants in the Model Context Protocol",
	.help = "Reads requests on standard input and answers on standard output, a line of JSON\n"
		"each: revisions 2025-11-25 and before, and 2026-07-28. The tools are list, why,\n"
		"summary and report, of files below the FOLDERs only, links out of them "
		"excluded;\n"
		"nothing is written. Each answer has what the file lacks, and the command that "
		"says\n"
		"the same. It ends with its input.\n",
	.run = run,
};
