/* SPDX-License-Identifier: MIT */
/* The calls of tools that are under way: each is a command of ours in a process of its own, so that
 * the server hears what comes meanwhile, and can end one. */
#ifndef RA_MCP_JOBS_H
#define RA_MCP_JOBS_H

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>

#include "analyzer/base/text/util-text.h"
#include "analyzer/commands/mcp/mcp-tools.h"

#define RA_MCP_JOBS_RUNNING 4   /* at once; others wait */
#define RA_MCP_JOBS_MOST    256 /* with those that wait */

struct ra_mcp_job {
	char *id;          /* owned: of the request, as it is in JSON */
	bool is_stateless; /* so the answer is one of this revision */
	struct ra_mcp_command command;
	struct ra_util_text text; /* what it said so far */
	int pid;                  /* 0: it waits */
	int output;               /* the end of a pipe */
	bool is_error;            /* when it has ended */
};

struct ra_mcp_jobs {
	const struct ra_mcp_roots *roots; /* borrowed */
	struct ra_mcp_job *all;           /* owned; in the order in which they came */
	size_t count;
};

void ra_mcp_jobs_init(struct ra_mcp_jobs *jobs, const struct ra_mcp_roots *roots);

/* Ends all that are left. */
void ra_mcp_jobs_fini(struct ra_mcp_jobs *jobs);

/*
 * Takes a call over; ra_mcp_jobs_start() starts it.
 *
 * @id: copied.
 * @command: taken.
 * Return: false if there are too many; the command is then still the caller's.
 */
bool ra_mcp_jobs_add(struct ra_mcp_jobs *jobs, const char *id, bool is_stateless,
                     struct ra_mcp_command *command);

/* Ends the calls of an id; nobody will hear of them. */
void ra_mcp_jobs_cancel(struct ra_mcp_jobs *jobs, const char *id);

/* Sets what to poll for; of what waits nothing. @fds: RA_MCP_JOBS_RUNNING. Return: their number. */
size_t ra_mcp_jobs_watch(const struct ra_mcp_jobs *jobs, struct pollfd *fds);

/* Starts those that wait, as far as may run. @done: as below, of what cannot be started. */
void ra_mcp_jobs_start(struct ra_mcp_jobs *jobs, void (*done)(const struct ra_mcp_job *job));

/*
 * Reads what commands said, and starts those that waited.
 *
 * @fds: as polled; those of ra_mcp_jobs_watch().
 * @done: called for each job that has ended and was not cancelled.
 */
void ra_mcp_jobs_step(struct ra_mcp_jobs *jobs, const struct pollfd *fds,
                      void (*done)(const struct ra_mcp_job *job));

#endif
