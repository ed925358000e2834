/* SPDX-License-Identifier: MIT */
/* Runs calls of tools. Each is an analyzer command in its own process, so that the server can read
 * further messages meanwhile and cancel a call. */
#ifndef RA_MCP_JOBS_H
#define RA_MCP_JOBS_H

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>

#include "analyzer/base/text/util-text.h"
#include "analyzer/commands/mcp/mcp-tools.h"

#define RA_MCP_JOBS_RUNNING 4   /* most processes at once; further calls wait */
#define RA_MCP_JOBS_MOST    256 /* most calls, including those that wait */

struct ra_mcp_job {
	char *id;          /* owned: id of the request, as JSON */
	bool is_stateless; /* the request is of the revision without a session */
	struct ra_mcp_command command;
	struct ra_util_text text; /* the output of its process so far */
	int pid;                  /* 0: its process has not been started */
	int output;               /* the server's end of the pipe */
	bool is_error;            /* known once the process has ended */
};

struct ra_mcp_jobs {
	const struct ra_mcp_roots *roots; /* borrowed */
	struct ra_mcp_job *all;           /* owned; in order of arrival */
	size_t count;
};

void ra_mcp_jobs_init(struct ra_mcp_jobs *jobs, const struct ra_mcp_roots *roots);

/* Ends all remaining jobs and frees them. */
void ra_mcp_jobs_fini(struct ra_mcp_jobs *jobs);

/*
 * Queues a command; ra_mcp_jobs_start() starts it.
 *
 * @id: copied.
 * @command: taken over if the call succeeds.
 * Return: false if there are too many jobs; then the caller still owns the command.
 */
bool ra_mcp_jobs_add(struct ra_mcp_jobs *jobs, const char *id, bool is_stateless,
                     struct ra_mcp_command *command);

/* Cancels the calls with an id. They get no answer. */
void ra_mcp_jobs_cancel(struct ra_mcp_jobs *jobs, const char *id);

/* Fills in what to poll for the running jobs. @fds: an array of RA_MCP_JOBS_RUNNING. Return: how
 * many elements are filled. */
size_t ra_mcp_jobs_watch(const struct ra_mcp_jobs *jobs, struct pollfd *fds);

/* Starts as many waiting jobs as may run. @done: called for each job that can't be started, as by
 * ra_mcp_jobs_step(). */
void ra_mcp_jobs_start(struct ra_mcp_jobs *jobs, void (*done)(const struct ra_mcp_job *job));

/*
 * Reads the output of running commands, and starts waiting ones.
 *
 * @fds: the array that ra_mcp_jobs_watch() filled, after poll().
 * @done: called for each job that has ended and was not cancelled.
 */
void ra_mcp_jobs_step(struct ra_mcp_jobs *jobs, const struct pollfd *fds,
                      void (*done)(const struct ra_mcp_job *job));

#endif
