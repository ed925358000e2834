/* SPDX-License-Identifier: MIT */
/* Runs calls of tools: each is an analyzer command in its own process. */
#include "analyzer/commands/mcp/mcp-jobs.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/util.h"
#include "analyzer/commands/mcp/mcp-words.h"

#define MOST_SECONDS 600     /* a command that runs longer is ended */
#define MOST_BYTES   2000000 /* most bytes of an answer; a longer one is an error */

void ra_mcp_jobs_init(struct ra_mcp_jobs *jobs, const struct ra_mcp_roots *roots)
{
	*jobs = (struct ra_mcp_jobs){ .roots = roots };
	jobs->all = ra_alloc_zeros(RA_MCP_JOBS_MOST, sizeof(*jobs->all));
}

/* In the child: writes the list of files, which comes before the command's output. */
static void put_files(const struct ra_mcp_roots *roots, int output)
{
	struct ra_util_text text = { 0 };

	ra_mcp_files_list(roots, &text);
	for (size_t at = 0; at < text.length;) {
		const ssize_t count = write(output, text.bytes + at, text.length - at);

		if (count <= 0) {
			_exit(127);
		}
		at += (size_t) count;
	}
	ra_util_text_free(&text);
}

/* In the child: runs this program, with stdout and stderr to the pipe. The child ends if the server
 * ends. */
static void run_child(const struct ra_mcp_job *job, const struct ra_mcp_roots *roots, int server,
                      int output)
{
	const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);

	(void) setpgid(0, 0);
	(void) prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != server) {
		_exit(127);
	}
	if (nothing >= 0) {
		(void) dup2(nothing, STDIN_FILENO);
	}
	(void) dup2(output, STDOUT_FILENO);
	(void) dup2(output, STDERR_FILENO);
	// NOLINTBEGIN(concurrency-mt-unsafe): there is one thread
	(void) setenv("RANGES_WIDTH", "120", 1);
	(void) setenv("NO_COLOR", "1", 1);
	// NOLINTEND(concurrency-mt-unsafe)
	(void) alarm(MOST_SECONDS);
	if (job->command.lists_files) {
		put_files(roots, STDOUT_FILENO);
	}
	execv("/proc/self/exe", job->command.words);
	_exit(127);
}

/* Starts a job's process. Return: false if no process can be created. */
static bool start(struct ra_mcp_job *job, const struct ra_mcp_roots *roots)
{
	const int server = getpid();
	int ends[2];

	if (pipe2(ends, O_CLOEXEC) != 0) {
		return false;
	}
	fflush(stdout);
	job->pid = fork();
	if (job->pid == 0) {
		run_child(job, roots, server, ends[1]);
	}
	close(ends[1]);
	if (job->pid < 0) {
		close(ends[0]);
		job->pid = 0;
		return false;
	}
	(void) setpgid(job->pid, job->pid); /* the child does this, too, because either process may
	                                       be first */
	job->output = ends[0];
	return true;
}

/* Waits for a job's process to end. Return: its status, as of waitpid(). */
static int wait_for(struct ra_mcp_job *job)
{
	int status = 0;

	close(job->output); /* a child that writes too much gets SIGPIPE */
	while (waitpid(job->pid, &status, 0) < 0 && errno == EINTR) {
	}
	return status;
}

static void fini_job(struct ra_mcp_job *job)
{
	free(job->id);
	ra_mcp_command_fini(&job->command);
	ra_util_text_free(&job->text);
}

/* Completes the answer: appends how the command ended, and the command itself. */
static void finish(struct ra_mcp_job *job, int status)
{
	const bool is_long = job->text.length > MOST_BYTES;

	ra_mcp_words_replace(&job->text);
	if (is_long) {
		ra_util_text_format(&job->text, "\nthe answer is longer than %d bytes\n",
		                    MOST_BYTES);
	} else if (WIFSIGNALED(status)) {
		ra_util_text_format(&job->text, "the command was ended, or took more than %d s\n",
		                    MOST_SECONDS);
	}
	job->is_error =
		is_long || WIFSIGNALED(status) ||
		(WEXITSTATUS(status) != 0 && !(job->command.may_find && WEXITSTATUS(status) == 1));
	ra_mcp_command_put(&job->command, &job->text);
}

static void end_job(struct ra_mcp_job *job)
{
	if (job->pid > 0) {
		(void) kill(-job->pid, SIGKILL);
		(void) kill(job->pid, SIGKILL); /* it may not lead its group yet */
		(void) wait_for(job);
	}
	fini_job(job);
}

static void take_out(struct ra_mcp_jobs *jobs, size_t at)
{
	jobs->count--;
	memmove(&jobs->all[at], &jobs->all[at + 1], (jobs->count - at) * sizeof(*jobs->all));
}

void ra_mcp_jobs_fini(struct ra_mcp_jobs *jobs)
{
	for (size_t i = 0; i < jobs->count; i++) {
		end_job(&jobs->all[i]);
	}
	free(jobs->all);
}

bool ra_mcp_jobs_add(struct ra_mcp_jobs *jobs, const char *id, bool is_stateless,
                     struct ra_mcp_command *command)
{
	if (jobs->count == RA_MCP_JOBS_MOST) {
		return false;
	}
	jobs->all[jobs->count++] = (struct ra_mcp_job){ .id = ra_alloc_copy(id),
		                                        .is_stateless = is_stateless,
		                                        .command = *command };
	*command = (struct ra_mcp_command){ 0 };
	return true;
}

void ra_mcp_jobs_cancel(struct ra_mcp_jobs *jobs, const char *id)
{
	for (size_t i = jobs->count; i > 0; i--) {
		if (strcmp(jobs->all[i - 1].id, id) == 0) {
			end_job(&jobs->all[i - 1]);
			take_out(jobs, i - 1);
		}
	}
}

size_t ra_mcp_jobs_watch(const struct ra_mcp_jobs *jobs, struct pollfd *fds)
{
	size_t count = 0;

	for (size_t i = 0; i < jobs->count; i++) {
		if (jobs->all[i].pid > 0) {
			fds[count++] = (struct pollfd){ jobs->all[i].output, POLLIN, 0 };
		}
	}
	return count;
}

/* Reads what a job's process has written. Return: false at the end of its output. */
static bool read_output(struct ra_mcp_job *job)
{
	char buffer[65536];
	const ssize_t count = read(job->output, buffer, sizeof(buffer));

	if (count < 0 && errno == EINTR) {
		return true;
	}
	ra_util_text_put(&job->text, buffer, count > 0 ? (size_t) count : 0);
	return count > 0 && job->text.length <= MOST_BYTES;
}

void ra_mcp_jobs_start(struct ra_mcp_jobs *jobs, void (*done)(const struct ra_mcp_job *job))
{
	size_t running = 0;

	for (size_t i = 0; i < jobs->count; i++) {
		running += jobs->all[i].pid > 0;
	}
	for (size_t i = 0; i < jobs->count && running < RA_MCP_JOBS_RUNNING;) {
		struct ra_mcp_job *job = &jobs->all[i];

		if (job->pid > 0) {
			i++;
		} else if (start(job, jobs->roots)) {
			running++;
			i++;
		} else {
			ra_util_text_format(&job->text, "no process can be made for it\n");
			job->is_error = true;
			done(job);
			fini_job(job);
			take_out(jobs, i);
		}
	}
}

void ra_mcp_jobs_step(struct ra_mcp_jobs *jobs, const struct pollfd *fds,
                      void (*done)(const struct ra_mcp_job *job))
{
	size_t polled = 0;

	for (size_t i = 0; i < jobs->count;) {
		struct ra_mcp_job *job = &jobs->all[i];

		if (job->pid == 0 || fds[polled++].revents == 0 || read_output(job)) {
			i++;
			continue;
		}
		if (job->text.length > MOST_BYTES) {
			(void) kill(-job->pid, SIGKILL);
		}
		finish(job, wait_for(job));
		done(job);
		fini_job(job);
		take_out(jobs, i);
	}
	ra_mcp_jobs_start(jobs, done);
}
