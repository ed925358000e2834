/* SPDX-License-Identifier: MIT */
/* However threads and processes end, the logs have each call once. */
#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "format/read/reader.h"
#include "format/wire.h"
#include "tests/capture/pushing.h"
#include "tests/tap.h"

static char folder[] = "/tmp/ranges-endings.XXXXXX";
static const char *build;
static struct pushing *shared;

struct sum {
	uint64_t calls; /* events that are calls */
	uint64_t lost;
	uint64_t nested;
	uint64_t damages;
	int logs;
	int open_logs; /* not closed */
	int doubled;   /* gaps and overlaps in the ordinals */
};

static bool count_chunk(const struct rlog_reader *reader, const struct rlog_chunk *chunk,
                        struct rlog_batch *batch, struct sum *sum)
{
	if (rlog_reader_decode_events(reader, chunk, batch, NULL) != 0) {
		return false;
	}
	for (size_t row = 0; row < batch->count; row++) {
		sum->calls += batch->op[row] >= RLOG_OP_PUSH && batch->op[row] <= RLOG_OP_MARK;
	}
	return true;
}

static void count_log(const char *path, struct sum *sum)
{
	static uint64_t next[70000];
	struct rlog_reader *reader = NULL;
	struct rlog_batch batch;
	size_t count = 0;

	sum->logs++;
	if (rlog_reader_open(&reader, path, NULL) != 0 || rlog_batch_init(&batch, 16384) != 0) {
		tap_bail("%s can't be read", path);
	}
	memset(next, 0, sizeof(next));
	const struct rlog_chunk *chunks = rlog_reader_borrow_chunks(reader, &count);

	for (size_t i = 0; i < count; i++) {
		if (chunks[i].type != RLOG_CHUNK_EVENTS) {
			continue;
		}
		if (chunks[i].stream >= 70000 || chunks[i].sequence != next[chunks[i].stream]) {
			sum->doubled++;
		} else {
			next[chunks[i].stream] += chunks[i].count;
		}
		if (!count_chunk(reader, &chunks[i], &batch, sum)) {
			sum->damages++;
		}
	}
	const struct rlog_loss *losses = rlog_reader_borrow_losses(reader, &count);

	for (size_t i = 0; i < count; i++) {
		sum->lost += losses[i].count;
		sum->nested += losses[i].cause == RLOG_CAUSE_NESTED ? losses[i].count : 0;
	}
	rlog_reader_borrow_damages(reader, &count);
	sum->damages += count;
	sum->open_logs += !rlog_reader_is_closed(reader);
	rlog_batch_fini(&batch);
	rlog_reader_close(reader);
}

static struct sum count_logs(void)
{
	struct sum sum = { 0 };
	DIR *directory = opendir(folder);
	struct dirent *entry;

	while (directory && (entry = readdir(directory))) {
		char path[512];
		const char *suffix = strrchr(entry->d_name, '.');

		if (suffix && strcmp(suffix, ".bin") == 0) {
			snprintf(path, sizeof(path), "%s/%s", folder, entry->d_name);
			count_log(path, &sum);
			unlink(path);
		}
	}
	if (directory) {
		closedir(directory);
	}
	return sum;
}

/* A process that has ended; its parent may not have waited for it. */
static bool has_ended(pid_t pid)
{
	char path[64];
	char line[256] = "";
	const char *state;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int) pid);
	file = fopen(path, "re");
	if (!file) {
		return true;
	}
	if (!fgets(line, sizeof(line), file)) {
		line[0] = '\0';
	}
	fclose(file);
	state = strrchr(line, ')');
	return !state || state[2] == 'Z';
}

/* A mode may leave a process, and then prints its pid. */
static void wait_for_daemon(void)
{
	const pid_t pid = atomic_load(&shared->pid);
	const struct timespec nap = { .tv_nsec = 10000000 };

	for (int i = 0; pid != 0 && i < 3000 && !has_ended(pid); i++) {
		nanosleep(&nap, NULL);
	}
}

/* Return: exit status of the launcher; *sum of all logs. */
static int run(const char *mode, struct sum *sum)
{
	/* In a child of a program with threads, what these had allocated has no owner any more:
	 * the leak checker of a build with -fsanitize=address would end each child with it. */
	const char *no_leaks =
		strncmp(mode, "fork", 4) == 0 ? "ASAN_OPTIONS=$ASAN_OPTIONS:detect_leaks=0" : "";
	char command[10240];
	int status;

	memset(shared, 0, sizeof(*shared));
	/* A busy machine writes slowly, so the buffer is larger than usual: a program that runs for
	 * a second fills more than the usual one. */
	snprintf(command, sizeof(command),
	         "%s '%s/libranges/ranges' run -q --buffer 4G -o %s/log.bin -- "
	         "'%s/tests/capture/endings' "
	         "%s/calls %s",
	         no_leaks, build, folder, build, folder, mode);
	status = system(command);
	wait_for_daemon();
	*sum = count_logs();
	return status >> 8;
}

static uint64_t calls(void)
{
	return atomic_load(&shared->thread[0].calls);
}

/* @logs: the expected number. All calls must be there exactly. */
static void try_exact(const char *mode, int logs, const char *sentence)
{
	struct sum sum;
	const int status = run(mode, &sum);

	tap_is_int(status, 0, "%s: the program ends well", mode);
	tap_is_uint(sum.calls, calls(), "%s: %s", mode, sentence);
	tap_is_int(sum.logs, logs, "%s: a log for each process that made calls", mode);
	tap_is_int(sum.open_logs + sum.doubled + (int) sum.damages + (int) sum.lost, 0,
	           "%s: each closed, nothing doubled, damaged or lost", mode);
}

/* With a sanitizer, threads that never pause can be faster than the thread that writes the log.
 * Then losses must be counted exactly. Return: how many events may be missing. */
static uint64_t excused(const struct sum *sum)
{
	const char *sanitizers = getenv("SANITIZERS");

	return sanitizers && strcmp(sanitizers, "no") != 0 ? sum->lost : 0;
}

/* Others go on while the process ends: calls under way then may be in the log or not. */
static void try_race(const char *mode, int wanted)
{
	struct sum sum;
	const int status = run(mode, &sum);
	const uint64_t seen = sum.calls + excused(&sum);

	tap_is_int(status, wanted, "%s: the exit code is right", mode);
	tap_ok(seen >= calls() && seen <= calls() + 4,
	       "%s: all %llu calls that had returned are in the log (%llu, %llu lost)", mode,
	       (unsigned long long) calls(), (unsigned long long) sum.calls,
	       (unsigned long long) sum.lost);
	tap_is_int(sum.open_logs + sum.doubled + (int) sum.damages, 0,
	           "%s: it is closed, nothing is doubled or damaged", mode);
}

static void try_handler(const char *mode)
{
	struct sum sum;
	const int status = run(mode, &sum);

	tap_is_int(status, 0, "%s: the program ends well", mode);
	tap_is_uint(sum.calls + sum.nested, calls(),
	            "%s: each call is in the log, or counted as nested (%llu were)", mode,
	            (unsigned long long) sum.nested);
	tap_is_uint(sum.lost, sum.nested, "%s: nothing else was lost", mode);
}

/* A signal while a thread ends. @sanitizers: of the build; NULL if that is not known. */
static void try_handler_ends(const char *sanitizers)
{
#ifdef __clang__
	if (sanitizers && strstr(sanitizers, "thread")) {
		tap_skip("handler-ends: handlers while threads end",
		         "clang's ThreadSanitizer crashes in its own code");
		return;
	}
#else
	(void) sanitizers;
#endif
	try_handler("handler-ends");
}

/* A jump leaves at most one call: it is in the log, or counted, or was not begun. */
static void try_jump(void)
{
	struct sum sum;
	const int status = run("jump", &sum);
	const uint64_t jumps = atomic_load(&shared->thread[1].calls);
	const uint64_t seen = sum.calls + sum.nested;

	tap_is_int(status, 0, "jump: the program ends well");
	tap_ok(jumps > 0 && sum.nested <= jumps,
	       "jump: %llu jumps cost no more than a call each (%llu)", (unsigned long long) jumps,
	       (unsigned long long) sum.nested);
	tap_ok(seen >= calls() && seen <= calls() + jumps,
	       "jump: all %llu calls that returned are in the log (%llu, %llu counted)",
	       (unsigned long long) calls(), (unsigned long long) sum.calls,
	       (unsigned long long) sum.nested);
	tap_is_uint(sum.lost, sum.nested, "jump: nothing else was lost");
}

int main(void)
{
	const char *sanitizers = getenv("SANITIZERS");
	char file[128];
	int fd;

	build = getenv("top_builddir") ? getenv("top_builddir") : ".";
	if (!mkdtemp(folder)) {
		tap_bail("no temporary folder");
	}
	snprintf(file, sizeof(file), "%s/calls", folder);
	fd = open(file, O_RDWR | O_CREAT, 0600);
	if (fd < 0 || ftruncate(fd, sizeof(*shared)) != 0) {
		tap_bail("%s can't be made", file);
	}
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	close(fd);
	if (shared == MAP_FAILED) {
		tap_bail("%s can't be mapped", file);
	}
	try_exact("threads", 1, "threads that end inside ranges leave all their events");
	try_exact("storm", 1, "so do 2000 threads in batches of 100");
	try_exact("late", 1, "calls of atexit functions and destructors are there");
	if (sanitizers && strstr(sanitizers, "address")) {
		/* LeakSanitizer warns of false leaks itself where a child is forked off under
		 * running threads. */
		setenv("ASAN_OPTIONS", "detect_leaks=0", 1);
	}
	if (sanitizers && strstr(sanitizers, "thread")) {
		tap_skip("clone: children of a raw clone have logs of their own",
		         "ThreadSanitizer does not notice that such a child is another process");
		tap_skip("fork: children and grandchildren have logs of their own",
		         "ThreadSanitizer ends a child that starts a thread");
	} else {
		try_exact("clone", 11, "children of a raw clone have logs of their own");
		try_exact("fork", 51, "children and grandchildren have logs of their own");
		if (sanitizers && strstr(sanitizers, "address")) {
			tap_skip("fork-in-thread: children of a thread have logs and threads",
			         "a child may inherit AddressSanitizer's lock, and then waits");
		} else {
			try_exact("fork-in-thread", 21,
			          "children of a thread have logs and threads");
		}
		try_exact("exec", 9, "programs that others turn into have logs of their own");
		try_exact("nested", 6, "five generations have logs of their own");
		try_exact("daemon", 2, "a daemon that outlives its parents has one too");
	}
	try_exact("spawn", 1, "posix_spawn does not disturb");
	try_handler("handler");
	try_handler_ends(sanitizers);
	if (sanitizers && strstr(sanitizers, "thread")) {
		tap_skip("jump: out of handlers", "ThreadSanitizer calls handlers within calls");
	} else {
		try_jump();
	}
	if (sanitizers && strcmp(sanitizers, "no") != 0) {
		tap_skip("switch: user-level threads", "a sanitizer does not know them");
	} else {
		try_handler("switch");
	}
	try_race("exit", 0);
	try_race("_exit", 0);
	try_race("quick_exit", 0);
	if (sanitizers && strstr(sanitizers, "thread")) {
		tap_skip("pthread_exit: the process ends",
		         "ThreadSanitizer has a thread of its own");
	} else {
		try_race("pthread_exit", 0);
	}
	try_race("kill", 128 + 9);
	unlink(file);
	rmdir(folder);
	return tap_done();
}
