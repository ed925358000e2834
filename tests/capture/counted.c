/* SPDX-License-Identifier: MIT */
/*
 * Ranges whose page faults are known: "touch" sees PAGES pages for the first time, "idle" none, in
 * the main thread, in a second one and in a fork child; then all files that are not its own are
 * closed, and their numbers given to files of zeros, and "after" runs. `many` opens a range in each
 * of MANY threads at a time instead, and prints how many files are open then, and afterwards.
 *
 * usage: counted [closing|many]
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <ranges/nvtx.h>

enum {
	PAGES = 200,
	PAGE_BYTES = 4096,
	LAST_FD = 5000,
	MANY = 200,
};

static int touch(void)
{
	const size_t bytes = (size_t) PAGES * PAGE_BYTES;
	volatile char *const memory =
		mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (memory == MAP_FAILED) {
		return 1;
	}
	madvise((void *) memory, bytes, MADV_NOHUGEPAGE);
	nvtxRangePushA("outer");
	nvtxRangePushA("touch");
	for (size_t i = 0; i < bytes; i += PAGE_BYTES) {
		memory[i] = 1;
	}
	nvtxRangePop();
	nvtxRangePushA("idle");
	nvtxRangePop();
	nvtxRangePop();
	munmap((void *) memory, bytes);
	return 0;
}

static void *run_thread(void *unused)
{
	(void) unused;
	return touch() == 0 ? NULL : (void *) &errno;
}

/* Closes files as programs do that become daemons. */
static int close_all(void)
{
	const int zero = open("/dev/zero", O_RDONLY);

	if (zero < 0) {
		return 1;
	}
	for (int fd = 3; fd < LAST_FD; fd++) {
		if (fd != zero && (fcntl(fd, F_GETFD) >= 0 || fd % 100 == 0)) {
			dup2(zero, fd);
		}
	}
	errno = 77;
	nvtxRangePushA("after");
	nvtxRangePop();
	return errno == 77 ? 0 : 1;
}

static pthread_barrier_t barrier;

static void *wait_in_range(void *unused)
{
	nvtxRangePushA("wait");
	pthread_barrier_wait(&barrier);
	pthread_barrier_wait(&barrier);
	nvtxRangePop();
	return unused;
}

static int count_files(void)
{
	int count = 0;

	for (int fd = 0; fd < LAST_FD; fd++) {
		count += fcntl(fd, F_GETFD) >= 0;
	}
	return count;
}

static int run_many(void)
{
	static pthread_t threads[MANY];
	int open_files;

	pthread_barrier_init(&barrier, NULL, MANY + 1);
	for (int i = 0; i < MANY; i++) {
		if (pthread_create(&threads[i], NULL, wait_in_range, NULL) != 0) {
			return 1;
		}
	}
	pthread_barrier_wait(&barrier);
	open_files = count_files();
	pthread_barrier_wait(&barrier);
	for (int i = 0; i < MANY; i++) {
		pthread_join(threads[i], NULL);
	}
	printf("%d %d\n", open_files, count_files());
	return 0;
}

int main(int argc, char **argv)
{
	pthread_t thread;
	void *result = NULL;
	int status = 1;
	pid_t pid;

	if (argc > 1 && strcmp(argv[1], "many") == 0) {
		return run_many();
	}
	if (touch() != 0 || pthread_create(&thread, NULL, run_thread, NULL) != 0 ||
	    pthread_join(thread, &result) != 0 || result != NULL) {
		return 1;
	}
	pid = fork();
	if (pid == 0) {
		return touch();
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid || status != 0) {
		return 1;
	}
	return argc > 1 && strcmp(argv[1], "closing") == 0 ? close_all() : 0;
}
