/* SPDX-License-Identifier: MIT */
/* A program under `ranges run` is killed at random moments: every call that had returned is in the
 * log, once. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tests/capture/judge.h"
#include "tests/tap.h"

#define THREADS 4u
/* More with RANGES_TEST_KILLS; the promise was tried with 500. */
#define KILLS 25
/* Longest run before the kill. */
#define RUN_NS 60000000u

static char folder[] = "/tmp/ranges-kill.XXXXXX";
static char file[64];
static char log_name[64];
static struct pushing *shared;

static uint64_t next_random(void)
{
	static uint64_t state = 0x243F6A8885A308D3u;

	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state;
}

static void nap(uint64_t ns)
{
	const struct timespec time = { .tv_sec = (time_t) (ns / 1000000000u),
		                       .tv_nsec = (long) (ns % 1000000000u) };

	nanosleep(&time, NULL);
}

static void set_up(void)
{
	int fd;

	if (!mkdtemp(folder)) {
		tap_bail("no temporary folder: %s", strerror(errno));
	}
	snprintf(file, sizeof(file), "%s/calls", folder);
	snprintf(log_name, sizeof(log_name), "%s/log.bin", folder);
	fd = open(file, O_RDWR | O_CREAT, 0600);
	if (fd < 0 || ftruncate(fd, sizeof(*shared)) != 0) {
		tap_bail("%s: %s", file, strerror(errno));
	}
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	close(fd);
	if (shared == MAP_FAILED) {
		tap_bail("%s: %s", file, strerror(errno));
	}
}

static pid_t start(const char *ranges, const char *pusher, const char *pairs)
{
	const pid_t pid = fork();

	if (pid == 0) {
		execl(ranges, ranges, "run", "-q", "-f", "-o", log_name, "--", pusher, file, "4",
		      pairs, (char *) NULL);
		_exit(126);
	}
	return pid;
}

/* Return: exit status of the launcher. */
static int run_once(const char *ranges, const char *pusher)
{
	const pid_t launcher =
		(memset(shared, 0, sizeof(*shared)), start(ranges, pusher, "1000000000"));
	int status = 0;

	while (atomic_load(&shared->started) < THREADS) {
		if (waitpid(launcher, &status, WNOHANG) == launcher) {
			tap_bail("the launcher ended early: status %d", status);
		}
		nap(200000);
	}
	nap(next_random() % RUN_NS);
	kill((pid_t) atomic_load(&shared->pid), SIGKILL);
	while (waitpid(launcher, &status, 0) < 0 && errno == EINTR) {
	}
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void kill_often(const char *ranges, const char *pusher, int kills)
{
	struct judgement sum = { 0 };
	int good = 0;
	int exits = 0;

	for (int i = 0; i < kills; i++) {
		struct judgement one;
		const int status = run_once(ranges, pusher);

		exits += status == 128 + SIGKILL;
		if (judge_log(log_name, shared, THREADS, &one) && judge_is_good(&one)) {
			good++;
		} else {
			tap_diag("kill %d: calls %llu, events %llu, missing %llu, excess %llu, "
			         "wrong %llu, lost %llu, damages %llu, closed %d: %s",
			         i, (unsigned long long) one.calls, (unsigned long long) one.events,
			         (unsigned long long) one.missing, (unsigned long long) one.excess,
			         (unsigned long long) one.wrong, (unsigned long long) one.lost,
			         (unsigned long long) one.damages, one.is_closed, one.why);
		}
		sum.calls += one.calls;
		sum.events += one.events;
	}
	tap_is_int(good, kills,
	           "after each kill the log holds every call that had returned, once, "
	           "in order, under its name");
	tap_is_int(exits, kills, "the launcher exits with 128 + SIGKILL each time");
	tap_diag("%d kills, %llu calls had returned, %llu events in the logs", kills,
	         (unsigned long long) sum.calls, (unsigned long long) sum.events);
}

/* The same programs left to end by themselves: the harness itself is tested by this. */
static void let_end(const char *ranges, const char *pusher)
{
	struct judgement one;
	int status = 0;
	const pid_t launcher = (memset(shared, 0, sizeof(*shared)), start(ranges, pusher, "50000"));

	waitpid(launcher, &status, 0);
	tap_ok(WIFEXITED(status) && WEXITSTATUS(status) == 7, "the exit code is passed through");
	tap_ok(judge_log(log_name, shared, THREADS, &one), "a log of a good end can be read");
	tap_ok(judge_is_good(&one), "it holds exactly the calls made: %s", one.why);
	tap_is_uint(one.events, UINT64_C(2) * 50000 * THREADS, "all of them");
	atomic_fetch_add(&shared->thread[1].calls, 1);
	judge_log(log_name, shared, THREADS, &one);
	tap_is_uint(one.missing, 1, "the judge notices a single missing call");
}

int main(void)
{
	const char *build = getenv("top_builddir");
	const char *kills = getenv("RANGES_TEST_KILLS");
	char ranges[4096];
	char pusher[4096];

	snprintf(ranges, sizeof(ranges), "%s/libranges/ranges", build ? build : ".");
	snprintf(pusher, sizeof(pusher), "%s/tests/capture/pusher", build ? build : ".");
	if (access(ranges, X_OK) != 0 || access(pusher, X_OK) != 0) {
		tap_skip_all("ranges or tests/capture/pusher is not built");
	}
	set_up();
	let_end(ranges, pusher);
	kill_often(ranges, pusher, kills ? (int) strtol(kills, NULL, 10) : KILLS);
	unlink(file);
	unlink(log_name);
	rmdir(folder);
	return tap_done();
}
