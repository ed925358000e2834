/* SPDX-License-Identifier: MIT */
/* A program forks while another of its threads loads the tool. Built with -DTOOL this is the tool:
 * its loading waits until the program lets it go on. Built without, it is the program: its exit
 * status says what the child got. */
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef TOOL

__attribute__((constructor)) static void load_slowly(void)
{
	char byte;

	/* The program's pipes, by the numbers that it has put there. */
	if (write(101, "l", 1) != 1 || read(102, &byte, 1) != 1) {
		_exit(4);
	}
}

__attribute__((visibility("default"))) int InitializeInjectionNvtx2(void *get_export_table);

int InitializeInjectionNvtx2(void *get_export_table)
{
	(void) get_export_table;
	if (write(103, "t", 1) != 1) {
		_exit(4);
	}
	return 1;
}

#else

#include "ranges/nvtx.h"

static void *mark(void *argument)
{
	nvtxMarkA("the first call");
	return argument;
}

static void make_pipe(int *read_end, int wanted_read, int wanted_write)
{
	int ends[2];

	if (pipe(ends) != 0) {
		_exit(5);
	}
	*read_end = wanted_read < 0 ? ends[0] : dup2(ends[0], wanted_read);
	if (dup2(ends[1], wanted_write) < 0) {
		_exit(5);
	}
	close(ends[1]); /* else the reader sees no end of file when wanted_write is closed */
}

int main(void)
{
	pthread_t thread;
	int loading;
	int go;
	int told;
	int status = 0;
	char byte;
	pid_t child;

	make_pipe(&loading, -1, 101);
	make_pipe(&go, 102, 104);
	make_pipe(&told, -1, 103);
	if (pthread_create(&thread, NULL, mark, NULL) != 0 || read(loading, &byte, 1) != 1) {
		return 5;
	}
	child = fork();
	if (child == 0) {
		alarm(60); /* a call that never comes back must not keep the test */
		nvtxMarkA("in the child");
		_exit(0);
	}
	if (waitpid(child, &status, 0) != child || status != 0) {
		return 1;
	}
	if (write(104, "g", 1) != 1) {
		return 5;
	}
	pthread_join(thread, NULL);
	/* The parent's thread has started the tool, the child has not. */
	if (read(told, &byte, 1) != 1) {
		return 5;
	}
	close(103);
	return read(told, &byte, 1) == 0 ? 0 : 2;
}

#endif
