/* SPDX-License-Identifier: MIT */
/* Runs a program as a child: signals passed on, exit code passed through. */
#include "libranges/launcher/ranges-child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "libranges/base/log.h"
#include "libranges/launcher/ranges-command.h"

static const int ignored_signals[] = { SIGINT, SIGQUIT };
static const int passed_signals[] = { SIGTERM, SIGHUP, SIGUSR1, SIGUSR2 };

/* Between two turns. */
#define TURN_MS 5

#define IGNORED (sizeof(ignored_signals) / sizeof(ignored_signals[0]))
#define PASSED  (sizeof(passed_signals) / sizeof(passed_signals[0]))

/* The signal state the caller was started with. */
struct signal_state {
	struct sigaction ignored[IGNORED];
	struct sigaction passed[PASSED];
	struct sigaction child;
	sigset_t mask;
};

/* Whom to pass signals on to; 0 while there is nobody. Read by the handler. */
static volatile sig_atomic_t receiver;

static void pass_signal(int number)
{
	const int saved_errno = errno;

	if (receiver > 0) {
		kill((pid_t) receiver, number);
	}
	errno = saved_errno;
}

/* Prepares the parent's signals. The passed ones stay blocked until there is a child to pass them
 * to. */
static void prepare_signals(struct signal_state *before)
{
	struct sigaction action;
	sigset_t set;

	sigemptyset(&set);
	for (size_t i = 0; i < PASSED; i++) {
		sigaddset(&set, passed_signals[i]);
	}
	pthread_sigmask(SIG_BLOCK, &set, &before->mask);
	memset(&action, 0, sizeof(action));
	sigemptyset(&action.sa_mask);
	action.sa_handler = SIG_IGN;
	for (size_t i = 0; i < IGNORED; i++) {
		sigaction(ignored_signals[i], &action, &before->ignored[i]);
	}
	action.sa_handler = SIG_DFL; /* where SIGCHLD is ignored, exit codes are thrown away */
	sigaction(SIGCHLD, &action, &before->child);
	action.sa_handler = pass_signal;
	action.sa_flags = SA_RESTART;
	for (size_t i = 0; i < PASSED; i++) {
		sigaction(passed_signals[i], &action, &before->passed[i]);
		if (before->passed[i].sa_handler == SIG_IGN) { /* nohup: keep it so */
			sigaction(passed_signals[i], &before->passed[i], NULL);
		}
	}
}

static void restore_signals(const struct signal_state *before)
{
	for (size_t i = 0; i < IGNORED; i++) {
		sigaction(ignored_signals[i], &before->ignored[i], NULL);
	}
	for (size_t i = 0; i < PASSED; i++) {
		sigaction(passed_signals[i], &before->passed[i], NULL);
	}
	sigaction(SIGCHLD, &before->child, NULL);
	pthread_sigmask(SIG_SETMASK, &before->mask, NULL);
}

/* Prints to that file, and reads nothing. */
static void redirect(int output_fd)
{
	const int null_fd = open("/dev/null", O_RDONLY | O_CLOEXEC);

	if (null_fd >= 0) {
		dup2(null_fd, STDIN_FILENO);
	}
	dup2(output_fd, STDOUT_FILENO);
	dup2(output_fd, STDERR_FILENO);
}

/* The child's side: becomes the program, or tells the parent why not. */
__attribute__((noreturn)) static void become(char *const argv[], bool is_root, int output_fd,
                                             int status_fd, const struct signal_state *before)
{
	char number[24];
	int error;

	restore_signals(before);
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

/* Reads what become() has to tell: 0 when the pipe was closed by a successful exec. */
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

	/* Waits without reaping: as long as the child is a zombie its pid is not given to another
	 * process. Orphans that have come to us are of no interest. */
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
			waitpid(info.si_pid, NULL, WNOHANG);
		}
	}
	receiver = 0;
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
	struct signal_state before;
	int status_pipe[2];
	int rc = 0;
	pid_t pid;

	memset(out, 0, sizeof(*out));
	if (pipe2(status_pipe, O_CLOEXEC) != 0) {
		return errno;
	}
	/* Processes whose parents die come to us: so we are told when they have ended. */
	prctl(PR_SET_CHILD_SUBREAPER, is_root ? 1ul : 0ul, 0ul, 0ul, 0ul);
	prepare_signals(&before);
	pid = fork();
	if (pid == 0) {
		become(argv, is_root, output_fd, status_pipe[1], &before);
	}
	close(status_pipe[1]);
	if (pid < 0) {
		rc = errno;
	} else {
		receiver = pid;
		pthread_sigmask(SIG_SETMASK, &before.mask, NULL);
		out->pid = pid;
		out->exec_errno = read_exec_errno(status_pipe[0]);
		out->exit_code = wait_for(pid, turn, context);
	}
	close(status_pipe[0]);
	restore_signals(&before);
	if (out->exec_errno != 0) {
		out->exit_code = out->exec_errno == ENOENT ? RCAP_RANGES_EXIT_NOT_FOUND
		                                           : RCAP_RANGES_EXIT_NOT_EXECUTABLE;
	}
	return rc;
}
