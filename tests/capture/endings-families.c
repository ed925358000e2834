/* SPDX-License-Identifier: MIT */
/* Processes that start processes. */
#include "tests/capture/endings.h"

#include <pthread.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#define MODE "some"

static void wait_for_spawned(const char *self, char *const *arguments)
{
	pid_t pid = -1;

	if (posix_spawn(&pid, self, NULL, NULL, arguments, environ) != 0) {
		_exit(2);
	}
	endings_wait_for(pid);
}

/* Six processes of one program, and at last the same process a second time. */
void endings_exec(const char *self, const char *file)
{
	char *arguments[] = { (char *) self, (char *) file, (char *) MODE, NULL };
	char command[1024];
	FILE *pipe;
	pid_t pid;

	endings_emit(5);
	pid = fork();
	if (pid == 0) {
		execv(self, arguments);
		_exit(2);
	}
	endings_wait_for(pid);
	pid = fork();
	if (pid == 0) {
		endings_emit(5); /* the child has a log before it becomes another program */
		execv(self, arguments);
		_exit(2);
	}
	endings_wait_for(pid);
	/* What vfork is for. NOLINTNEXTLINE(clang-analyzer-security.insecureAPI.vfork) */
	pid = vfork();
	if (pid == 0) {
		execv(self, arguments);
		_exit(2);
	}
	endings_wait_for(pid);
	wait_for_spawned(self, arguments);
	(void) snprintf(command, sizeof(command), "'%s' '%s' %s; exit $?", self, file, MODE);
	/* A shell is what is meant. NOLINTNEXTLINE(cert-env33-c,concurrency-mt-unsafe) */
	if (system(command) != 0) {
		_exit(3);
	}
	/* NOLINTNEXTLINE(cert-env33-c) */
	pipe = popen(command, "re");
	if (!pipe || pclose(pipe) != 0) {
		_exit(3);
	}
	endings_emit(5);
	execv(self, arguments);
	_exit(2);
}

/* As deep as the caller says. NOLINTNEXTLINE(misc-no-recursion) */
void endings_nest(int levels)
{
	pid_t pid;

	endings_emit(3);
	if (levels == 0) {
		return;
	}
	pid = fork();
	if (pid == 0) {
		endings_nest(levels - 1);
		exit(0); /* NOLINT(concurrency-mt-unsafe): one thread */
	}
	endings_emit(3);
	endings_wait_for(pid);
	endings_emit(3);
}

static _Atomic int stop;

static void *emit_until_stop(void *argument)
{
	while (!atomic_load_explicit(&stop, memory_order_relaxed)) {
		endings_emit(1);
	}
	return argument;
}

static void *emit_some(void *argument)
{
	endings_emit(10);
	return argument;
}

static void start(pthread_t *thread, void *(*run)(void *) )
{
	if (pthread_create(thread, NULL, run, NULL) != 0) {
		_exit(2);
	}
}

static void *fork_often(void *argument)
{
	for (int i = 0; i < 20; i++) {
		const pid_t pid = fork();

		if (pid == 0) {
			pthread_t thread;

			start(&thread, emit_some);
			endings_emit(10);
			pthread_join(thread, NULL);
			exit(0); /* NOLINT(concurrency-mt-unsafe): one thread */
		}
		endings_emit(1);
		endings_wait_for(pid);
	}
	return argument;
}

void endings_fork_in_thread(void)
{
	pthread_t threads[3];

	endings_emit(1);
	start(&threads[0], emit_until_stop);
	start(&threads[1], emit_until_stop);
	start(&threads[2], fork_often);
	pthread_join(threads[2], NULL);
	atomic_store(&stop, 1);
	pthread_join(threads[0], NULL);
	pthread_join(threads[1], NULL);
}

static void live_as_daemon(struct pushing *shared)
{
	const struct timespec nap = { .tv_nsec = 50000000 };

	atomic_store(&shared->pid, getpid());
	for (int i = 0; i < 10; i++) {
		endings_emit(5);
		nanosleep(&nap, NULL);
	}
}

void endings_daemonise(struct pushing *shared)
{
	pid_t pid;

	endings_emit(5);
	pid = fork();
	if (pid == 0) {
		setsid();
		if (fork() != 0) {
			_exit(0);
		}
		if (chdir("/") == 0 && freopen("/dev/null", "w", stdout) &&
		    freopen("/dev/null", "w", stderr)) {
			live_as_daemon(shared);
		}
		exit(0); /* NOLINT(concurrency-mt-unsafe): one thread */
	}
	endings_wait_for(pid);
	while (atomic_load(&shared->pid) == 0) {
		endings_emit(1);
	}
}
