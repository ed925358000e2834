/* SPDX-License-Identifier: MIT */
/* analyzer mcp FOLDER...: a server of the Model Context Protocol on standard input, one message
 * a line. It speaks the revisions with a session (initialize) and the one without
 * (server/discover). */
#include "config.h"

#include <errno.h>
#include <getopt.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/util.h"
#include "analyzer/commands/mcp/mcp-files.h"
#include "analyzer/commands/mcp/mcp-jobs.h"
#include "analyzer/commands/mcp/mcp-request.h"
#include "analyzer/commands/mcp/mcp-tools.h"
#include "analyzer/commands/options/options.h"
#include "analyzer/commands/shared/entries.h"

#define MOST_LINE (1u << 20)
#define STATELESS "2026-07-28"

/* Revisions of the protocol that have a session, newest first. */
static const char *const sessions[] = { "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05" };

#define SERVER                                                                             \
	"\"capabilities\":{\"tools\":{}},\"serverInfo\":{\"name\":\"analyzer\",\"title\":" \
	"\"libranges "                                                                     \
	"analyzer\",\"version\":\"" PACKAGE_VERSION                                        \
	"\"},\"instructions\":\"Call list for the files "                                  \
	"and the reports, then why. Answers say what the file lacks: repeat it.\""
#define CACHED "\"ttlMs\":0,\"cacheScope\":\"private\""

enum rpc_error {
	NO_JSON = -32700,
	NO_REQUEST = -32600,
	NO_METHOD = -32601,
	NO_PARAMS = -32602,
	NO_VERSION = -32022,
	TOO_MANY = -32000,
};

static void put_line(struct ra_util_text *text)
{
	ra_util_text_put_char(text, '\n');
	(void) ra_util_text_write(text, stdout);
	fflush(stdout);
	ra_util_text_free(text);
}

/* Answers with an error. @data: JSON that is appended to the error; "": none. */
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

/* Answers with a result. @body: the result's members, except those that every result of this
 * revision has. */
static void put_result(const char *id, bool is_stateless, const struct ra_util_text *body)
{
	struct ra_util_text text = { 0 };

	ra_util_text_format(&text, "{\"jsonrpc\":\"2.0\",\"id\":");
	ra_util_text_put(&text, id, strlen(id));
	ra_util_text_format(&text, ",\"result\":{%s",
	                    is_stateless ? "\"resultType\":\"complete\"" : "");
	ra_util_text_put(&text, ",", is_stateless && body->length > 0);
	ra_util_text_put(&text, body->bytes, body->length);
	ra_util_text_format(&text, "}}");
	put_line(&text);
}

/* Answers with the output of a tool. */
static void put_said(const char *id, bool is_stateless, const struct ra_util_text *said,
                     bool is_error)
{
	struct ra_util_text body = { 0 };

	ra_util_text_format(&body, "\"content\":[{\"type\":\"text\",\"text\":\"");
	ra_util_text_put_name(&body,
	                      (struct rlog_string){ said->bytes, (uint32_t) said->length, 0 },
	                      RA_TEXT_JSON);
	ra_util_text_format(&body, "\"}],\"isError\":%s", is_error ? "true" : "false");
	put_result(id, is_stateless, &body);
	ra_util_text_free(&body);
}

static void put_done(const struct ra_mcp_job *job)
{
	put_said(job->id, job->is_stateless, &job->text, job->is_error);
}

static void call_tool(struct ra_mcp_jobs *jobs, const struct ra_mcp_request *request)
{
	const bool is_stateless = request->fields[RA_MCP_REVISION] != NULL;
	struct ra_mcp_command command = { 0 };
	struct ra_util_text said = { 0 };

	switch (ra_mcp_tools_make(jobs->roots, request, &command, &said)) {
	case RA_MCP_TOOLS_OK:
		if (!ra_mcp_jobs_add(jobs, request->id, is_stateless, &command)) {
			put_error(request, TOO_MANY, "too many calls are under way", "");
		}
		break;
	case RA_MCP_TOOLS_REFUSED:
		put_said(request->id, is_stateless, &said, true);
		break;
	case RA_MCP_TOOLS_NONE:
		put_error(request, NO_PARAMS, "there is no such tool; tools/list names all", "");
		break;
	}
	ra_mcp_command_fini(&command);
	ra_util_text_free(&said);
}

/* Returns the revision with a session that a client requests, if we support it; else our newest. */
static const char *find_session(const char *version)
{
	for (size_t i = 0; version != NULL && i < sizeof(sessions) / sizeof(sessions[0]); i++) {
		if (strcmp(sessions[i], version) == 0) {
			return sessions[i];
		}
	}
	return sessions[0];
}

static void answer(struct ra_mcp_jobs *jobs, const struct ra_mcp_request *request)
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
		call_tool(jobs, request);
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
	put_result(request->id, revision != NULL, &body);
	ra_util_text_free(&body);
}

/* Handles a message without an id, which gets no answer. */
static void take_notification(struct ra_mcp_jobs *jobs, const struct ra_mcp_request *request)
{
	if (strcmp(request->fields[RA_MCP_METHOD], "notifications/cancelled") == 0 &&
	    request->cancelled != NULL) {
		ra_mcp_jobs_cancel(jobs, request->cancelled);
	}
}

static void take_line(struct ra_mcp_jobs *jobs, const char *line, size_t length)
{
	struct ra_mcp_request request;

	if (strspn(line, " \t\r") == length) {
		return;
	}
	ra_mcp_request_init(&request, line, length);
	if (!request.is_json) {
		put_error(NULL, NO_JSON, "a line is not a JSON object", "");
	} else if (request.fields[RA_MCP_METHOD] == NULL) {
		put_error(&request, NO_REQUEST, "a request has a method", "");
	} else if (request.id == NULL) {
		take_notification(jobs, &request);
	} else {
		answer(jobs, &request);
	}
	ra_mcp_request_fini(&request);
}

/* The line that is being read, at most MOST_LINE bytes. A greater length means that the line is too
 * long. */
struct input {
	char *line; /* owned */
	size_t length;
	bool has_ended;
};

static void end_line(struct ra_mcp_jobs *jobs, struct input *input)
{
	if (input->length > MOST_LINE) {
		put_error(NULL, NO_REQUEST, "a line is too long", "");
	} else {
		input->line[input->length] = '\0';
		take_line(jobs, input->line, input->length);
	}
	input->length = 0;
}

/* Processes new input. At the end of the input, bytes after the last newline count as a line. */
static void take_input(struct ra_mcp_jobs *jobs, struct input *input)
{
	char buffer[65536];
	const ssize_t count = read(STDIN_FILENO, buffer, sizeof(buffer));

	if (count <= 0) {
		input->has_ended = count == 0 || errno != EINTR;
		if (input->has_ended && input->length > 0) {
			end_line(jobs, input);
		}
		return;
	}
	for (ssize_t i = 0; i < count; i++) {
		if (buffer[i] == '\n') {
			end_line(jobs, input);
		} else if (input->length <= MOST_LINE) {
			input->line[input->length] = buffer[i];
			input->length++;
		}
	}
}

/* Handles events once. Commands come first, so that those that have ended are answered before the
 * next line can cancel them. */
static void serve_once(struct ra_mcp_jobs *jobs, struct input *input)
{
	struct pollfd fds[1 + RA_MCP_JOBS_RUNNING] = { { STDIN_FILENO, POLLIN, 0 } };
	const size_t watched = ra_mcp_jobs_watch(jobs, fds + 1);

	fds[0].fd = input->has_ended ? -1 : STDIN_FILENO;
	if (poll(fds, 1 + watched, -1) < 0) {
		return;
	}
	ra_mcp_jobs_step(jobs, fds + 1, put_done);
	if (fds[0].revents != 0) {
		take_input(jobs, input);
		ra_mcp_jobs_start(jobs, put_done);
	}
}

static int serve(const struct ra_mcp_roots *roots)
{
	struct input input = { .line = ra_alloc_zeros(MOST_LINE + 2, 1) };
	struct ra_mcp_jobs jobs;

	ra_mcp_jobs_init(&jobs, roots);
	while (!ferror(stdout) && (!input.has_ended || jobs.count > 0)) {
		serve_once(&jobs, &input);
	}
	ra_mcp_jobs_fini(&jobs);
	free(input.line);
	return RA_CMD_OK;
}

static int run(int argc, char **argv)
{
	char **paths = ra_alloc_zeros((size_t) argc + 1, sizeof(*paths));
	struct ra_mcp_roots roots = { .paths = paths };
	int code = 0;

	if (ra_cmd_options_next("mcp", argc, argv) != -1) {
		code = RA_CMD_USAGE;
	} else if (optind == argc) {
		code = ra_cmd_usage("no folder given: name the folders that may be read");
	}
	for (int i = optind; i < argc && code == 0; i++) {
		char *path = realpath(argv[i], NULL);
		struct stat status;

		if (path == NULL || stat(path, &status) != 0 || !S_ISDIR(status.st_mode)) {
			code = ra_cmd_usage("mcp: %s is not a folder", argv[i]);
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
	.notes = "Reads requests on standard input and answers on standard output, a line of\n"
		 "JSON each: revisions 2025-11-25 and before, and 2026-07-28. The tools are\n"
		 "list, why, summary, report, search, diff, check and explain. They read only\n"
		 "files below the FOLDERs, follow no link out of them, and write nothing. Each\n"
		 "answer says what the file lacks, and which command prints the same. Calls run\n"
		 "side by side, and can be cancelled. The server ends when its input ends and\n"
		 "all calls are answered.\n",
	.run = run,
};
