/* SPDX-License-Identifier: MIT */
/* A program that makes NVTX calls with little memory or few rights. Its output and exit status must
 * not depend on a recording. */
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <ranges/nvtx.h>

/* The exit status if all went well. */
#define END 3

static _Atomic uint64_t calls; /* that returned, of other threads than main */
static _Atomic int stop;

static void push(uint64_t pairs)
{
	for (uint64_t i = 0; i < pairs; i++) {
		nvtxRangePushA("guest");
		nvtxRangePop();
	}
}

static void nap(long ms)
{
	const struct timespec time = { ms / 1000, ms % 1000 * 1000000 };

	nanosleep(&time, NULL);
}

static void *push_for_ever(void *argument)
{
	uint64_t count = 0;

	while (!atomic_load(&stop)) {
		push(1000);
		count += 2000;
	}
	atomic_fetch_add(&calls, count);
	return argument;
}

/* Allocates that many MiB while two threads make calls faster than they can be written. */
static int take_memory(const char *mebibytes)
{
	const long wanted = strtol(mebibytes, NULL, 10);
	pthread_t threads[2];
	long taken = 0;

	for (int i = 0; i < 2; i++) {
		pthread_create(&threads[i], NULL, push_for_ever, NULL);
	}
	nap(500);
	for (; taken < wanted; taken++) {
		void *memory = malloc(1 << 20);

		if (!memory) {
			break;
		}
		memset(memory, 1, 1 << 20);
		nap(8);
	}
	nap(300);
	atomic_store(&stop, 1);
	for (int i = 0; i < 2; i++) {
		pthread_join(threads[i], NULL);
	}
	printf("%ld MiB\n", taken);
	fprintf(stderr, "calls %lu\n", (unsigned long) atomic_load(&calls));
	return END;
}

/* Takes address space until there is none; the first 300 MiB must be there. */
static int take_addresses(void)
{
	int taken = 0;

	push(10000);
	while (taken < 300 &&
	       mmap(NULL, 1 << 20, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED) {
		taken++;
	}
	push(10000);
	printf("%d MiB of addresses\n", taken);
	return END;
}

/* The system calls that an old sandbox allows (that of sshd): no open, no clone, no prctl. */
static const int allowed[] = {
	SYS_brk,   SYS_clock_gettime,  SYS_close,        SYS_exit,         SYS_exit_group,
	SYS_futex, SYS_getpid,         SYS_getrandom,    SYS_gettimeofday, SYS_madvise,
	SYS_mmap,  SYS_mremap,         SYS_munmap,       SYS_nanosleep,    SYS_clock_nanosleep,
	SYS_read,  SYS_rt_sigprocmask, SYS_rt_sigreturn, SYS_write,
};

#define ALLOWED (sizeof(allowed) / sizeof(allowed[0]))

/* Any other call ends the process. */
static int enter_sandbox(unsigned flags)
{
	struct sock_filter filter[2 * ALLOWED + 2];
	struct sock_fprog program = { .filter = filter };
	size_t count = 0;

	filter[count++] = (struct sock_filter) BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
	                                                offsetof(struct seccomp_data, nr));
	for (size_t i = 0; i < ALLOWED; i++) {
		filter[count++] = (struct sock_filter) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K,
		                                                (unsigned) allowed[i], 0, 1);
		filter[count++] = (struct sock_filter) BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
	}
	filter[count++] = (struct sock_filter) BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS);
	program.len = (unsigned short) count;
	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
	       syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &program) != 0;
}

/* With the filter for all threads if `flags` says so. */
static int be_confined(unsigned flags)
{
	push(10);
	if (enter_sandbox(flags) != 0) {
		return 77;
	}
	push(150000);
	if (write(STDOUT_FILENO, "confined\n", 9) != 9) {
		return 4;
	}
	return END;
}

static int change_root(void)
{
	push(10);
	if (mkdir("empty", 0700) != 0 || chroot("empty") != 0 || chdir("/") != 0) {
		return 77;
	}
	push(500000);
	puts(access("/proc", F_OK) == 0 ? "the same root" : "another root");
	fprintf(stderr, "calls %d\n", 2 * 500010);
	return END;
}

/* Closes all files but stdio's, then uses their numbers for its own files. */
static int close_all(void)
{
	char text[64] = "";
	int fds[8];

	push(1000);
	for (int fd = 3; fd < 1024; fd++) {
		close(fd);
	}
	for (int i = 0; i < 8; i++) {
		fds[i] = open("scratch", O_RDWR | O_CREAT | O_TRUNC, 0600);
	}
	push(200000);
	nap(300);
	for (int i = 0; i < 8; i++) {
		printf("%d:%ld ", fds[i], (long) read(fds[i], text, sizeof(text)));
	}
	puts("");
	return END;
}

/* Continues in the background, and shows its end by a file. */
static int be_daemon(void)
{
	push(1000);
	if (fork() == 0) {
		setsid();
		if (fork() != 0) {
			_exit(0);
		}
		for (int fd = 0; fd < 1024; fd++) {
			close(fd);
		}
		push(1000);
		for (int i = 0; i < 6000 && access("go", F_OK) != 0; i++) {
			nap(10);
			push(1);
		}
		exit(0);
	}
	puts("parent");
	return END;
}

static int leave_namespace(void)
{
	push(1000);
	puts(unshare(CLONE_NEWUSER) == 0 ? "a namespace of its own" : "refused");
	push(1000);
	return END;
}

static int drop_privileges(void)
{
	push(1000);
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || setgid(65534) != 0 ||
	    setuid(65534) != 0) {
		return 77;
	}
	push(300000);
	printf("%d %d\n", (int) getuid(), (int) geteuid());
	return END;
}

/* Prints the line of /proc/self/status with this beginning. */
static int print_status(const char *key)
{
	char line[128];
	FILE *status = fopen("/proc/self/status", "re");

	while (status && fgets(line, sizeof(line), status)) {
		if (strncmp(line, key, strlen(key)) == 0) {
			fputs(line, stdout);
		}
	}
	return END;
}

static int count_threads(void)
{
	push(1000);
	return print_status("Threads:");
}

static void *wait_for_stop(void *argument)
{
	(void) argument;
	while (!atomic_load(&stop)) {
		nap(1);
	}
	return NULL;
}

/* Threads that share a table of files wait for a grace period of the kernel's when it grows. */
static int count_files(void)
{
	pthread_t other;

	if (pthread_create(&other, NULL, wait_for_stop, NULL) != 0) {
		return 77;
	}
	push(1000);
	atomic_store(&stop, 1);
	pthread_join(other, NULL);
	return print_status("FDSize:");
}

/* Any read of the clock would end it. */
static int forbid_clock(void)
{
	if (prctl(PR_SET_TSC, PR_TSC_SIGSEGV, 0, 0, 0) != 0) {
		return 77;
	}
	push(1000);
	puts("timeless");
	return END;
}

static void handle(int number)
{
	(void) number;
	push(10);
}

/* Calls on the smallest possible stacks. */
static int use_small_stack(void)
{
	static char stack[8192] __attribute__((aligned(64)));
	const stack_t other = { .ss_sp = stack, .ss_size = sizeof(stack) };
	struct sigaction action = { .sa_handler = handle, .sa_flags = SA_ONSTACK };

	nvtxInitialize(NULL); /* loads the library */
	sigaltstack(&other, NULL);
	sigaction(SIGUSR1, &action, NULL);
	raise(SIGUSR1);
	push(1000);
	puts("small");
	return END;
}

static int run(int argc, char **argv)
{
	const char *const what = argc > 1 ? argv[1] : "";

	if (strcmp(what, "memory") == 0 && argc > 2) {
		return take_memory(argv[2]);
	}
	if (strcmp(what, "addresses") == 0) {
		return take_addresses();
	}
	if (strcmp(what, "filter") == 0) {
		return be_confined(0);
	}
	if (strcmp(what, "filter-all") == 0) {
		return be_confined(SECCOMP_FILTER_FLAG_TSYNC);
	}
	if (strcmp(what, "chroot") == 0) {
		return change_root();
	}
	if (strcmp(what, "closed") == 0) {
		return close_all();
	}
	if (strcmp(what, "daemon") == 0) {
		return be_daemon();
	}
	if (strcmp(what, "namespace") == 0) {
		return leave_namespace();
	}
	if (strcmp(what, "drop") == 0) {
		return drop_privileges();
	}
	if (strcmp(what, "threads") == 0) {
		return count_threads();
	}
	if (strcmp(what, "files") == 0) {
		return count_files();
	}
	if (strcmp(what, "clock") == 0) {
		return forbid_clock();
	}
	return strcmp(what, "small") == 0 ? use_small_stack() : 2;
}

int main(int argc, char **argv)
{
	const int status = run(argc, argv);

	fflush(stdout);
	return status;
}
