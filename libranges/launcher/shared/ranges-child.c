/* SPDX-License-Identifier: MIT */
/* Runs a program as a child: passes signals on and its exit code through. */
#include "libranges/launcher/shared/ranges-child.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "libranges/base/log.h"
#include "libranges/launcher/shared/ranges-command.h"
#include "libranges/launcher/shared/ranges-signals.h"

/* How often `turn` is called. */
#define TURN_MS 5

/* The child that the caller waits for. */
static struct {
	pid_t pid;
	int status;
	bool has_ended;
} awaited;

void rcap_ranges_child_await(int64_t pid)
{
	awaited.pid = (pid_t) pid;
	awaited.has_ended = false;
}

/* Reaps a child that has ended. Return: false if there is none. */
static bool reap(pid_t pid)
{
	int status = 0;
	pid_t ended;

	while ((ended = waitpid(pid, &status, WNOHANG)) < 0 && errno == EINTR) {
	}
	if (ended > 0 && ended == awaited.pid) {
		awaited.status = status;
		awaited.has_ended = true;
	}
	return ended > 0;
}

void rcap_ranges_child_reap(void)
{
	while (reap(-1)) {
	}
}

bool rcap_ranges_child_has_ended(int *status)
{
	if (!awaited.has_ended) {
		reap(awaited.pid);
	}
	*status = awaited.status;
	return awaited.has_ended;
}

/* Sends the child's output to that file. Makes its input empty. */
static void redirect(int output_fd)
{
	const int null_fd = open("/dev/null", O_RDONLY | O_CLOEXEC);

	if (null_fd >= 0) {
		dup2(null_fd, STDIN_FILENO);
	}
	dup2(output_fd, STDOUT_FILENO);
	dup2(output_fd, STDERR_FILENO);
}

/* Runs in the child: becomes the program, or reports to the parent why not. */
__attribute__((noreturn)) static void become(char *const argv[], bool is_root, int output_fd,
                                             int status_fd)
{
	char number[24];
	int error;

	rcap_ranges_signals_restore();
	if (is_root) {
		rcap_log_format(number, sizeof(number), "%d", (int) getpid());
		/* NOLINTNEXTLINE(concurrency-mt-unsafe): one thread */
		setenv("RANGES_ROOT_PID", number, 1);
	}
	if (output_fd >= 0) {
		redirect(output_fd);
	}
	execvp(argv[0], argv);
	error = errno;
	while (write(status_fd, &error, sizeof(error)) < 0 && errno == EINTR) {
	}
	_exit(RCAP_RANGES_EXIT_NOT_FOUND);
}

/* Reads what become() reports. Return: 0 if a successful exec has closed the pipe. */
static int read_exec_errno(int fd)
{
	int error = 0;
	ssize_t length;

	do {
		length = read(fd, &error, sizeof(error));
	} while (length < 0 && errno == EINTR);
	return length == (ssize_t) sizeof(error) ? error : 0;
}

static int wait_for(pid_t pid, rcap_ranges_child_turn_fn *turn, void *context)
{
	const struct timespec step = { .tv_nsec = TURN_MS * 1000000l };
	const int flags = turn != NULL ? WEXITED | WNOWAIT | WNOHANG : WEXITED | WNOWAIT;
	siginfo_t info;
	int status = 0;

	/* Waits without reaping. As long as the child is a zombie, no other process gets its pid.
	 * Orphans that we have inherited do not end this wait. */
	for (;;) {
		info.si_pid = 0;
		if (waitid(P_ALL, 0, &info, flags) != 0 && errno != EINTR) {
			break;
		}
		if (info.si_pid == pid) {
			break;
		}
		if (info.si_pid == 0 && turn != NULL) {
			turn(context);
			nanosleep(&step, NULL);
		}
		if (info.si_pid > 0) {
			reap(info.si_pid);
		}
	}
	rcap_ranges_signals_pass_to(0);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
	}
	if (WIFSIGNALED(status)) {
		return RCAP_RANGES_EXIT_SIGNAL + WTERMSIG(status);
	}
	return WEXITSTATUS(status);
}

int rcap_ranges_child_run(char *const argv[], bool is_root, int output_fd,
                          rcap_ranges_child_turn_fn *turn, void *context,
                          struct rcap_ranges_child *out)
{
	int status_pipe[2];
	int rc = 0;
	pid_t pid;

	memset(out, 0, sizeof(*out));
	if (pipe2(status_pipe, O_CLOEXEC) != 0) {
		return errno;
	}
	/* Makes us the parent of orphans, so that we learn when they end. */
	prctl(PR_SET_CHILD_SUBREAPER, is_root ? 1ul : 0ul, 0ul, 0ul, 0ul);
	rcap_ranges_signals_hold();
	pid = fork();
	if (pid == 0) {
		become(argv, is_root, output_fd, status_pipe[1]);
	}
	close(status_pipe[1]);
	if (pid < 0) {
		rc = errno;
		rcap_ranges_signals_pass_to(0);
	} else {
		rcap_ranges_signals_pass_to(pid);
		out->pid = pid;
		out->exec_errno = read_exec_errno(status_pipe[0]);
		out->exit_code = wait_for(pid, turn, context);
	}
	close(status_pipe[0]);
	out->was_interrupted = rcap_ranges_signals_was_interrupted();
	rcap_ranges_signals_release();
	if (out->exec_errno != 0) {
		out->exit_code = out->exec_errno == ENOENT ? RCAP_RANGES_EXIT_NOT_FOUND
		                                           : RCAP_RANGES_EXIT_NOT_EXECUTABLE;
	}
	return rc;
}
