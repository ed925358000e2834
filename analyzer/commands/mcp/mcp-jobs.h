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

#define RA_MCP_JOBS_RUNNING 4   /* processes at once; further calls wait */
#define RA_MCP_JOBS_MOST    256 /* including calls that wait */

struct ra_mcp_job {
	char *id;          /* owned: id of the request, as JSON */
	bool is_stateless; /* the answer is of the stateless revision */
	struct ra_mcp_command command;
	struct ra_util_text text; /* its output so far */
	int pid;                  /* 0: it waits to be started */
	int output;               /* our end of the pipe */
	bool is_error;            /* known when it has ended */
};

struct ra_mcp_jobs {
	const struct ra_mcp_roots *roots; /* borrowed */
	struct ra_mcp_job *all;           /* owned; in order of arrival */
	size_t count;
};

void ra_mcp_jobs_init(struct ra_mcp_jobs *jobs, const struct ra_mcp_roots *roots);

/* Ends all remaining jobs. */
void ra_mcp_jobs_fini(struct ra_mcp_jobs *jobs);

/*
 * Queues a command; ra_mcp_jobs_start() starts it.
 *
 * @id: copied.
 * @command: ownership is taken.
 * Return: false if there are too many; the command then stays with the caller.
 */
bool ra_mcp_jobs_add(struct ra_mcp_jobs *jobs, const char *id, bool is_stateless,
                     struct ra_mcp_command *command);

/* Cancels the calls with an id; they are not answered. */
void ra_mcp_jobs_cancel(struct ra_mcp_jobs *jobs, const char *id);

/* Fills in what to poll for, only for running jobs. @fds: RA_MCP_JOBS_RUNNING. Return: their
 * number. */
size_t ra_mcp_jobs_watch(const struct ra_mcp_jobs *jobs, struct pollfd *fds);

/* Starts waiting jobs, as many as may run. @done: as below, for those that can't be started. */
void ra_mcp_jobs_start(struct ra_mcp_jobs *jobs, void (*done)(const struct ra_mcp_job *job));

/*
 * Reads the output of commands, and starts waiting ones.
 *
 * @fds: as polled; those of ra_mcp_jobs_watch().
 * @done: called for each job that has ended and was not cancelled.
 */
void ra_mcp_jobs_step(struct ra_mcp_jobs *jobs, const struct pollfd *fds,
                      void (*done)(const struct ra_mcp_job *job));

#endif
