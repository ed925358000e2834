/* SPDX-License-Identifier: MIT */
/*
 * Makes ranges, then executes its arguments in order:
 *	N          N pushes and pops    exit=K     ends with code K
 *	open=N     N pushes             signal=K   sends itself signal K
 *	fork=N     a child with N       wait=FILE  until the file is there
 *	touch=FILE makes the file       catch      SIGTERM, SIGINT: end with code 40
 *	quit=K     _exit with code K            become=FILE  is that program from here on
 */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <ranges/nvtx.h>

static void emit(long count)
{
	for (long i = 0; i < count; i++) {
		nvtxRangePushA("emit");
		nvtxRangePop();
	}
}

static void open_ranges(long count)
{
	for (long i = 0; i < count; i++) {
		nvtxRangePushA("left open");
	}
}

static void emit_in_child(long count)
{
	const pid_t pid = fork();

	if (pid == 0) {
		emit(count);
		exit(0); /* NOLINT(concurrency-mt-unsafe): one thread */
	}
	waitpid(pid, NULL, 0);
}

static void wait_for_file(const char *path)
{
	const struct timespec pause = { 0, 10000000 };

	/* Half a minute, so that nothing stays behind when a test fails. */
	for (int i = 0; i < 3000 && access(path, F_OK) != 0; i++) {
		nanosleep(&pause, NULL);
	}
}

static void touch_file(const char *path)
{
	const int fd = open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0600);

	if (fd >= 0) {
		close(fd);
	}
}

static void end_by_signal(int number)
{
	(void) number;
	_exit(40);
}

static void act(const char *argument)
{
	const char *const equals = strchr(argument, '=');
	const char *const value = equals != NULL ? equals + 1 : argument;
	const long number = strtol(value, NULL, 10);

	switch (argument[0]) {
	case 'o':
		open_ranges(number);
		break;
	case 'f':
		emit_in_child(number);
		break;
	case 'e':
		exit((int) number); /* NOLINT(concurrency-mt-unsafe): one thread */
	case 'b':
		execl(value, value, (char *) NULL);
		_exit(127);
	case 'q':
		_exit((int) number);
	case 's':
		raise((int) number);
		break;
	case 'w':
		wait_for_file(value);
		break;
	case 't':
		touch_file(value);
		break;
	case 'c':
		signal(SIGTERM, end_by_signal);
		signal(SIGINT, end_by_signal);
		break;
	default:
		emit(number);
		break;
	}
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		act(argv[i]);
	}
	return 0;
}
