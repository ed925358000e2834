/* SPDX-License-Identifier: MIT */
/* Programs are killed at random moments, in each way that leaves events in a spool: alone, before
 * their first call, after their launcher, with a recovery that is killed, too, ... Every call that
 * had returned is in the log, once. */
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tests/capture/judge.h"
#include "tests/tap.h"

#define THREADS 4u
/* Kills in each way; RANGES_TEST_KILLS sets more. */
#define KILLS 3
/* Longest run before the kill; most are shorter. */
#define RUN_NS 60000000u
/* Longest time from main() to the kill, for kills during the loading of the library. */
#define START_NS 20000000u
/* Longest time between two kills, and before the kill of a recovery. */
#define LATER_NS 5000000u

struct way {
	const char *what;
	const char *options[5]; /* of ranges run; none: the program loads the library itself */
	bool has_launcher;
	bool is_early;       /* the kill comes while the library is loaded, or just after */
	bool orphans;        /* the launcher is killed first */
	bool with_death;     /* the first recovery is killed */
	unsigned recoveries; /* recoveries at once, when all programs are dead */
};

static const struct way ways[] = {
	{ .what = "the program alone", .has_launcher = true },
	{ .what = "the program, at its start", .has_launcher = true, .is_early = true },
	{ .what = "with a small buffer that blocks",
	  .options = { "--buffer", "1M", "--on-full", "block" },
	  .has_launcher = true },
	{ .what = "without a thread of ours",
	  .options = { "--no-thread", "--on-full", "block" },
	  .has_launcher = true },
	{ .what = "after its launcher", .has_launcher = true, .orphans = true, .recoveries = 1 },
	{ .what = "after its launcher, two recoveries at once",
	  .has_launcher = true,
	  .orphans = true,
	  .recoveries = 2 },
	{ .what = "after its launcher, the recovery is killed, too",
	  .has_launcher = true,
	  .orphans = true,
	  .with_death = true,
	  .recoveries = 1 },
	{ .what = "without a launcher", .recoveries = 1 },
	{ .what = "without a launcher, at its start", .is_early = true, .recoveries = 1 },
};

static char folder[] = "/tmp/ranges-kill.XXXXXX";
static char file[64];
static char log_name[64];
static char spool[64];
static char ranges[4096];
static char pusher[4096];
static char library[4096];
static struct pushing *shared;
static uint64_t random_state = 0x243F6A8885A308D3u;

static uint64_t next_random(void)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return random_state;
}

static void nap(uint64_t ns)
{
	const struct timespec time = { .tv_sec = (time_t) (ns / 1000000000u),
		                       .tv_nsec = (long) (ns % 1000000000u) };

	nanosleep(&time, NULL);
}

static void find_programs(void)
{
	const char *build = getenv("top_builddir");

	build = build ? build : ".";
	snprintf(ranges, sizeof(ranges), "%s/libranges/ranges", build);
	snprintf(pusher, sizeof(pusher), "%s/tests/capture/pusher", build);
	snprintf(library, sizeof(library), "%s/libranges/.libs/libranges.so", build);
	if (access(ranges, X_OK) != 0 || access(pusher, X_OK) != 0) {
		tap_skip_all("ranges or tests/capture/pusher is not built");
	}
}

/* Programs whose launcher is dead become this one's children. */
static void set_up(void)
{
	const char *seed = getenv("RANGES_TEST_SEED");
	int fd;

	if (!mkdtemp(folder)) {
		tap_bail("no temporary folder: %s", strerror(errno));
	}
	snprintf(file, sizeof(file), "%s/calls", folder);
	snprintf(log_name, sizeof(log_name), "%s/log.bin", folder);
	snprintf(spool, sizeof(spool), "%s/spool", folder);
	fd = open(file, O_RDWR | O_CREAT, 0600);
	if (fd < 0 || ftruncate(fd, sizeof(*shared)) != 0 || mkdir(spool, 0700) != 0 ||
	    setenv("RANGES_SPOOL_DIR", spool, 1) != 0 ||
	    prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0) {
		tap_bail("%s: %s", folder, strerror(errno));
	}
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	close(fd);
	if (shared == MAP_FAILED) {
		tap_bail("%s: %s", file, strerror(errno));
	}
	random_state += seed ? strtoull(seed, NULL, 10) * 0x9E3779B97F4A7C15u : 0;
}

/* Return: the launcher, or the program if there is no launcher. */
static pid_t start(const struct way *way, const char *pairs)
{
	const pid_t pid = fork();
	const char *arguments[16] = { ranges, "run", "-q", "-f", "-o", log_name };
	size_t count = 6;

	if (pid != 0) {
		return pid;
	}
	if (!way->has_launcher) {
		setenv("NVTX_INJECTION64_PATH", library, 1);
		setenv("RANGES_OUTPUT", log_name, 1);
		execl(pusher, pusher, file, "4", pairs, (char *) NULL);
		_exit(126);
	}
	for (size_t i = 0; way->options[i] != NULL; i++) {
		arguments[count++] = way->options[i];
	}
	arguments[count++] = "--";
	arguments[count++] = pusher;
	arguments[count++] = file;
	arguments[count++] = "4";
	arguments[count] = pairs;
	/* execv() does not change them. NOLINTNEXTLINE(performance-no-int-to-ptr) */
	execv(ranges, (char *const *) (uintptr_t) arguments);
	_exit(126);
}

/* Return: exit status as a shell has it, or -1. */
static int await(pid_t pid)
{
	int status = 0;

	while (waitpid(pid, &status, 0) < 0) {
		if (errno != EINTR) {
			return -1;
		}
	}
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static bool has_begun(const struct way *way)
{
	return way->is_early ? atomic_load(&shared->pid) != 0
	                     : atomic_load(&shared->started) == THREADS;
}

static pid_t recover(void)
{
	const pid_t pid = fork();

	if (pid == 0) {
		const int fd = open("/dev/null", O_WRONLY);

		dup2(fd, STDERR_FILENO);
		dup2(fd, STDOUT_FILENO);
		execl(ranges, ranges, "recover", "--all", (char *) NULL);
		_exit(126);
	}
	return pid;
}

static void recover_all(const struct way *way)
{
	pid_t pids[2];

	if (way->with_death) {
		pids[0] = recover();
		nap(next_random() % LATER_NS);
		kill(pids[0], SIGKILL);
		await(pids[0]);
	}
	for (unsigned i = 0; i < way->recoveries; i++) {
		pids[i] = recover();
	}
	for (unsigned i = 0; i < way->recoveries; i++) {
		await(pids[i]);
	}
}

/* Return: exit status of the launcher or the program. */
static int run_once(const struct way *way)
{
	const pid_t child =
		(memset(shared, 0, sizeof(*shared)), unlink(log_name), start(way, "1000000000"));
	const uint64_t longest = (way->is_early ? START_NS : RUN_NS) >> (next_random() % 6);
	int status = 0;
	pid_t program;

	while (!has_begun(way)) {
		if (waitpid(child, &status, WNOHANG) == child) {
			tap_bail("the launcher ended early: status %d", status);
		}
		nap(200000);
	}
	nap(next_random() % longest);
	program = (pid_t) atomic_load(&shared->pid);
	if (way->orphans) {
		kill(child, SIGKILL);
		status = await(child);
		nap(next_random() % LATER_NS);
		kill(program, SIGKILL);
		await(program);
	} else {
		kill(program, SIGKILL);
		status = await(child);
	}
	recover_all(way);
	return status;
}

/* Return: whether no spool is left. Two folders may be left: the user's own, for spools of programs
 * without a launcher, and that of a recovery that was killed before its last step. */
static bool is_spool_empty(void)
{
	char pattern[128];
	glob_t found;
	bool is_empty;

	snprintf(pattern, sizeof(pattern), "%s/*/*", spool);
	is_empty = glob(pattern, 0, NULL, &found) == GLOB_NOMATCH;
	globfree(&found);
	snprintf(pattern, sizeof(pattern), "%s/*", spool);
	if (glob(pattern, 0, NULL, &found) == 0) {
		for (size_t i = 0; i < found.gl_pathc; i++) {
			rmdir(found.gl_pathv[i]);
		}
	}
	globfree(&found);
	return is_empty;
}

/* A program that was killed before its first call need not have a log. */
static bool has_nothing_to_tell(void)
{
	bool is_silent = access(log_name, F_OK) != 0;

	for (unsigned i = 0; i < THREADS; i++) {
		is_silent = is_silent && atomic_load(&shared->thread[i].calls) == 0;
	}
	return is_silent;
}

static bool is_good_kill(const struct way *way, int number, struct judgement *one)
{
	const bool is_empty = is_spool_empty();
	const bool is_good = has_nothing_to_tell() ||
	                     (judge_log(log_name, shared, THREADS, one) && judge_is_good(one));

	if (!is_good || !is_empty) {
		tap_diag("%s, kill %d: calls %llu, events %llu, missing %llu, excess %llu, "
		         "wrong %llu, lost %llu, damages %llu, closed %d, spool empty %d: %s",
		         way->what, number, (unsigned long long) one->calls,
		         (unsigned long long) one->events, (unsigned long long) one->missing,
		         (unsigned long long) one->excess, (unsigned long long) one->wrong,
		         (unsigned long long) one->lost, (unsigned long long) one->damages,
		         one->is_closed, is_empty, one->why);
	}
	return is_good && is_empty;
}

static void kill_often(const struct way *way, int kills)
{
	struct judgement sum = { 0 };
	int good = 0;
	int exits = 0;

	for (int i = 0; i < kills; i++) {
		struct judgement one = { 0 };

		exits += run_once(way) == 128 + SIGKILL;
		good += is_good_kill(way, i, &one);
		sum.calls += one.calls;
		sum.events += one.events;
	}
	tap_is_int(good, kills, "killed %s: the log has every call, once, in order, under its name",
	           way->what);
	tap_is_int(exits, kills, "and the launcher ends with 128 + SIGKILL, or was killed itself");
	tap_diag("%d kills, %llu calls had returned, %llu events in the logs", kills,
	         (unsigned long long) sum.calls, (unsigned long long) sum.events);
}

/* Lets the same programs end by themselves, to test the harness itself. */
static void let_end(void)
{
	struct judgement one;
	const int status = (memset(shared, 0, sizeof(*shared)), await(start(&ways[0], "50000")));

	tap_is_int(status, 7, "the exit code is passed through");
	tap_ok(judge_log(log_name, shared, THREADS, &one), "a log of a good end can be read");
	tap_ok(judge_is_good(&one), "it holds exactly the calls made: %s", one.why);
	tap_is_uint(one.events, UINT64_C(2) * 50000 * THREADS, "all of them");
	atomic_fetch_add(&shared->thread[1].calls, 1);
	judge_log(log_name, shared, THREADS, &one);
	tap_is_uint(one.missing, 1, "the judge notices a single missing call");
}

int main(void)
{
	const char *kills = getenv("RANGES_TEST_KILLS");
	const size_t count = sizeof(ways) / sizeof(ways[0]);
	const int each = kills ? (int) ((strtoul(kills, NULL, 10) + count - 1) / count) : KILLS;

	find_programs();
	set_up();
	let_end();
	for (size_t i = 0; i < count; i++) {
		kill_often(&ways[i], each);
	}
	unlink(file);
	unlink(log_name);
	rmdir(spool);
	rmdir(folder);
	return tap_done();
}
