/* SPDX-License-Identifier: MIT */
/* Programs that begin and end threads and processes in every awkward way, and count the calls they
 * made. */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "ranges/nvtx.h"
#include "tests/capture/endings.h"

static struct pushing *shared;
static _Atomic int stop;

/* Thread 0 of the shared file holds all calls that returned, of all threads and processes. */
static void count(uint64_t calls)
{
	atomic_fetch_add_explicit(&shared->thread[0].calls, calls, memory_order_relaxed);
}

void endings_emit(int pairs)
{
	for (int i = 0; i < pairs; i++) {
		nvtxRangePushA("emitted");
		count(1);
		nvtxRangePop();
		count(1);
	}
}

static void *emit_until_stop(void *argument)
{
	while (!atomic_load_explicit(&stop, memory_order_relaxed)) {
		endings_emit(1);
	}
	return argument;
}

static void *leave_open(void *argument)
{
	nvtxRangePushA("left open");
	nvtxRangePushA("and this");
	count(2);
	endings_emit(3);
	return argument;
}

static void *emit_some(void *argument)
{
	endings_emit(20);
	return argument;
}

static void start(pthread_t *threads, int number, void *(*run)(void *) )
{
	for (int i = 0; i < number; i++) {
		if (pthread_create(&threads[i], NULL, run, NULL) != 0) {
			_exit(2);
		}
	}
}

static void nap_ms(long ms)
{
	const struct timespec time = { .tv_nsec = ms * 1000000 };

	nanosleep(&time, NULL);
}

static void join(const pthread_t *threads, int number)
{
	for (int i = 0; i < number; i++) {
		pthread_join(threads[i], NULL);
	}
}

/* Threads that end in the middle of a range; more of them, one after the other, than there are
 * records. */
static void end_threads(void)
{
	pthread_t threads[50];

	for (int round = 0; round < 20; round++) {
		start(threads, 50, leave_open);
		join(threads, 50);
	}
}

/* The main thread leaves while others make calls. */
static void leave_behind(const char *how)
{
	pthread_t threads[4];

	start(threads, 4, emit_until_stop);
	nap_ms(30);
	if (strcmp(how, "exit") == 0) {
		exit(0);
	}
	if (strcmp(how, "_exit") == 0) {
		_exit(0);
	}
	if (strcmp(how, "quick_exit") == 0) {
		quick_exit(0);
	}
	if (strcmp(how, "pthread_exit") == 0) {
		nap_ms(10);
		atomic_store(&stop, 1);
		pthread_exit(NULL);
	}
	raise(SIGKILL);
}

void endings_wait_for(pid_t pid)
{
	int status = 0;

	if (pid < 0 || waitpid(pid, &status, 0) != pid || status != 0) {
		_exit(3);
	}
}

static void live_as_child(int number)
{
	endings_emit(10);
	if (number % 4 == 0) {
		const pid_t inner = fork();

		if (inner == 0) {
			endings_emit(5);
			_exit(0);
		}
		endings_wait_for(inner);
	}
	if (number % 2 == 0) {
		exit(0);
	}
	_exit(0);
}

static void fork_often(void)
{
	pthread_t threads[2];

	/* A fork while another thread loads the tool leaves a child without one. */
	endings_emit(1);
	start(threads, 2, emit_until_stop);
	for (int i = 0; i < 40; i++) {
		const pid_t pid = fork();

		if (pid == 0) {
			live_as_child(i);
		}
		endings_emit(1);
		endings_wait_for(pid);
	}
	atomic_store(&stop, 1);
	join(threads, 2);
}

/* clone() without glibc: no atfork handler runs in the child. */
static void clone_raw(void)
{
	endings_emit(10);
	for (int i = 0; i < 10; i++) {
		const pid_t pid = (pid_t) syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);

		if (pid == 0) {
			endings_emit(10);
			syscall(SYS_exit_group, 0);
		}
		endings_wait_for(pid);
	}
	endings_emit(10);
}

static void spawn_often(void)
{
	static char name[] = "true";
	char *arguments[] = { name, NULL };
	pthread_t thread;

	start(&thread, 1, emit_until_stop);
	for (int i = 0; i < 50; i++) {
		pid_t pid = -1;

		if (posix_spawnp(&pid, "true", NULL, NULL, arguments, environ) != 0) {
			_exit(2);
		}
		endings_wait_for(pid);
	}
	atomic_store(&stop, 1);
	join(&thread, 1);
}

static void on_signal(int signal)
{
	(void) signal;
	nvtxRangePushA("in a handler");
	nvtxRangePop();
	count(2);
}

/* A handler that makes calls in the middle of calls. */
static void interrupt(void)
{
	const struct itimerval interval = { .it_interval = { .tv_usec = 100 },
		                            .it_value = { .tv_usec = 100 } };
	const struct itimerval off = { 0 };
	struct sigaction action = { .sa_handler = on_signal };

	endings_emit(1);
	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &interval, NULL);
	endings_emit(2000000);
	setitimer(ITIMER_REAL, &off, NULL);
}

static void *emit_interrupted(void *argument)
{
	pthread_sigmask(SIG_UNBLOCK, argument, NULL);
	endings_emit(1);
	return NULL;
}

/* A handler that makes calls while threads end. */
static void interrupt_ends(void)
{
	const struct itimerval interval = { .it_interval = { .tv_usec = 40 },
		                            .it_value = { .tv_usec = 40 } };
	const struct itimerval off = { 0 };
	struct sigaction action = { .sa_handler = on_signal };
	sigset_t alarms;
	pthread_t thread;

	endings_emit(1); /* a first call loads the tool, which no handler may do */
	sigemptyset(&alarms);
	sigaddset(&alarms, SIGALRM);
	/* Signals go only to the threads, which live little longer than a call takes. */
	pthread_sigmask(SIG_BLOCK, &alarms, NULL);
	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &interval, NULL);
	for (int i = 0; i < 20000; i++) {
		if (pthread_create(&thread, NULL, emit_interrupted, &alarms) != 0) {
			_exit(3);
		}
		pthread_join(thread, NULL);
	}
	setitimer(ITIMER_REAL, &off, NULL);
}

static void emit_late(void)
{
	endings_emit(5);
}

/* Runs after main and its atexit functions, before the libraries' own destructors. */
__attribute__((destructor)) static void emit_last(void)
{
	if (shared && atomic_load(&shared->started) == 77) {
		endings_emit(5);
	}
}

static void storm(void)
{
	pthread_t threads[100];

	for (int round = 0; round < 20; round++) {
		start(threads, 100, emit_some);
		join(threads, 100);
	}
}

/* endings FILE MODE */
int main(int argc, char **argv)
{
	const int fd = argc == 3 ? open(argv[1], O_RDWR | O_CLOEXEC) : -1;

	if (fd < 0) {
		return 2;
	}
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	close(fd);
	if (shared == MAP_FAILED) {
		return 2;
	}
	if (strcmp(argv[2], "threads") == 0) {
		end_threads();
	} else if (strcmp(argv[2], "fork") == 0) {
		fork_often();
	} else if (strcmp(argv[2], "clone") == 0) {
		clone_raw();
	} else if (strcmp(argv[2], "spawn") == 0) {
		spawn_often();
	} else if (strcmp(argv[2], "some") == 0) {
		endings_emit(10);
	} else if (strcmp(argv[2], "exec") == 0) {
		endings_exec(argv[0], argv[1]);
	} else if (strcmp(argv[2], "nested") == 0) {
		endings_nest(5);
	} else if (strcmp(argv[2], "fork-in-thread") == 0) {
		endings_fork_in_thread();
	} else if (strcmp(argv[2], "daemon") == 0) {
		endings_daemonise(shared);
	} else if (strcmp(argv[2], "handler") == 0) {
		interrupt();
	} else if (strcmp(argv[2], "handler-ends") == 0) {
		interrupt_ends();
	} else if (strcmp(argv[2], "jump") == 0) {
		endings_jump(&shared->thread[1].calls);
	} else if (strcmp(argv[2], "switch") == 0) {
		endings_switch();
	} else if (strcmp(argv[2], "storm") == 0) {
		storm();
	} else if (strcmp(argv[2], "late") == 0) {
		endings_emit(5);
		atexit(emit_late);
		atomic_store(&shared->started, 77);
	} else {
		leave_behind(argv[2]);
	}
	return 0;
}
