/* SPDX-License-Identifier: MIT */
/* Runs a command for each complete log, while the program runs and after its end. */
#include "libranges/launcher/ranges-done.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "libranges/base/clock.h"
#include "libranges/base/log.h"
#include "libranges/launcher/shared/ranges-child.h"
#include "libranges/launcher/shared/ranges-help.h"
#include "libranges/launcher/logs/ranges-plan.h"
#include "libranges/launcher/shared/ranges-signals.h"
#include "libranges/spool/spool.h"

/* The launcher has one thread. NOLINTBEGIN(concurrency-mt-unsafe) */

/* How often the spools are checked. */
#define LOOK_STEP_NS UINT64_C(20000000)
/* How long a command may take to end after SIGTERM. */
#define PATIENCE_NS UINT64_C(2000000000)

/* A spool of the run, and for how many of its logs the command was already run. */
struct rcap_ranges_done_spool {
	struct rcap_ranges_done_spool *next;
	char name[256];
	int64_t pid;
	uint32_t cycle;
	uint32_t snapshot;
};

/* A log whose command has not ended yet. */
struct rcap_ranges_done_log {
	struct rcap_ranges_done_log *next;
	char path[RCAP_CONFIG_PATH_BYTES];
};

static void nap(void)
{
	const struct timespec time = { .tv_nsec = 5000000 };

	nanosleep(&time, NULL);
}

/*
 * Replaces this process by `sh -c 'COMMAND "$1"' sh LOG`, in a process group of its own. So ^C goes
 * only to the program, and the signal to the group ends everything that the command has started.
 * The group must not read from a terminal, and must not stop when it writes to one.
 */
__attribute__((noreturn)) static void become(const char *command, const char *log)
{
	char text[RCAP_CONFIG_PATH_BYTES];
	const int null_fd = open("/dev/null", O_RDONLY | O_CLOEXEC);

	rcap_log_format(text, sizeof(text), "%s \"$1\"", command);
	if (null_fd >= 0) {
		dup2(null_fd, STDIN_FILENO);
	}
	setpgid(0, 0);
	rcap_ranges_plan_withdraw();
	rcap_ranges_signals_restore();
	(void) signal(SIGTTOU, SIG_IGN);
	(void) signal(SIGINT, SIG_DFL);
	(void) signal(SIGQUIT, SIG_DFL);
	execl("/bin/sh", "sh", "-c", text, "sh", log, (char *) NULL);
	_exit(127);
}

/* Starts the command for the first log in the queue. */
static void begin_command(struct rcap_ranges_done *done)
{
	const pid_t pid = fork();

	if (pid == 0) {
		become(done->command, done->waiting->path);
	}
	if (pid > 0) {
		setpgid(pid, pid); /* parent and child both call it, because either may run first */
		rcap_ranges_child_await(pid);
		done->pid = pid;
	} else {
		rcap_log_line(RCAP_LOG_WARN, "cannot run --on-done \"%s\": %s", done->command,
		              rcap_ranges_help_errno(errno));
	}
}

static void report_command(const struct rcap_ranges_done *done, int status)
{
	if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
		rcap_log_line(RCAP_LOG_WARN, "--on-done \"%s\" for %s: %s %d", done->command,
		              rcap_ranges_plan_shorten(done->waiting->path),
		              WIFEXITED(status) ? "exit status" : "signal",
		              WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status));
	}
}

static void drop_first(struct rcap_ranges_done *done)
{
	struct rcap_ranges_done_log *const log = done->waiting;

	done->waiting = log->next;
	done->pid = 0;
	free(log);
}

/* Runs commands one at a time: starts the next one when the last one has ended.
 * Return: false if there is nothing more to do. */
static bool step(struct rcap_ranges_done *done)
{
	int status;

	if (done->pid != 0) {
		if (!rcap_ranges_child_has_ended(&status)) {
			return true;
		}
		report_command(done, status);
		drop_first(done);
	}
	while (done->waiting && done->pid == 0) {
		begin_command(done);
		if (done->pid == 0) {
			drop_first(done);
		}
	}
	return done->waiting != NULL;
}

static void add_log(struct rcap_ranges_done *done, const char *path)
{
	struct rcap_ranges_done_log *const log = calloc(1, sizeof(*log));
	struct rcap_ranges_done_log **at = &done->waiting;

	if (!log) {
		done->missed++;
		return;
	}
	rcap_log_format(log->path, sizeof(log->path), "%s", path);
	while (*at) {
		at = &(*at)->next;
	}
	*at = log;
}

static struct rcap_ranges_done_spool *find_spool(struct rcap_ranges_done *done, const char *name)
{
	struct rcap_ranges_done_spool *spool = done->first;

	while (spool && strcmp(spool->name, name) != 0) {
		spool = spool->next;
	}
	if (!spool && (spool = calloc(1, sizeof(*spool))) != NULL) {
		rcap_log_format(spool->name, sizeof(spool->name), "%s", name);
		spool->next = done->first;
		done->first = spool;
	}
	return spool;
}

static void hand_on(struct rcap_ranges_done *done, struct rcap_ranges_done_spool *spool,
                    const struct rcap_control *control)
{
	/* Acquire pairs with the drain's release, so the entries are complete. */
	const uint32_t last = atomic_load_explicit(&control->cycles_done, memory_order_acquire);

	if (last > spool->cycle + RCAP_CONTROL_LOGS) {
		done->missed += last - spool->cycle - RCAP_CONTROL_LOGS;
		spool->cycle = last - RCAP_CONTROL_LOGS;
	}
	while (spool->cycle < last) {
		struct rcap_closed_log closed;

		spool->cycle++;
		closed = control->closed[spool->cycle % RCAP_CONTROL_LOGS];
		closed.path[sizeof(closed.path) - 1] = '\0';
		if (closed.cycle == spool->cycle && closed.path[0] != '\0') {
			add_log(done, closed.path);
		} else {
			done->missed++;
		}
	}
}

static void hand_on_snapshots(struct rcap_ranges_done *done, struct rcap_ranges_done_spool *spool,
                              const struct rcap_kept *kept)
{
	/* Acquire pairs with the drain's release, so the entries are complete. A failed snapshot
	 * has a number, but no entry. */
	const uint32_t last = atomic_load_explicit(&kept->snapshots_done, memory_order_acquire);

	if (last > spool->snapshot + RCAP_KEPT_LOGS) {
		done->missed += last - spool->snapshot - RCAP_KEPT_LOGS;
		spool->snapshot = last - RCAP_KEPT_LOGS;
	}
	while (spool->snapshot < last) {
		struct rcap_kept_log log;

		spool->snapshot++;
		log = kept->logs[spool->snapshot % RCAP_KEPT_LOGS];
		log.path[sizeof(log.path) - 1] = '\0';
		if (log.number == spool->snapshot && log.path[0] != '\0') {
			add_log(done, log.path);
		}
	}
}

static void look_at(struct rcap_ranges_done *done, const char *name)
{
	const size_t bytes = sizeof(struct rcap_spool_header);
	const struct rcap_spool_header *header;
	struct rcap_ranges_done_spool *spool;
	char path[RCAP_CONFIG_PATH_BYTES];
	void *memory = MAP_FAILED;
	uint8_t magic[8];
	struct stat st;
	int fd;

	rcap_log_format(path, sizeof(path), "%s/%s", done->run_dir, name);
	fd = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
	if (fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && (size_t) st.st_size >= bytes) {
		memory = mmap(NULL, bytes, PROT_READ, MAP_SHARED, fd, 0);
	}
	if (fd >= 0) {
		close(fd);
	}
	if (memory == MAP_FAILED) {
		return;
	}
	header = memory;
	rcap_spool_hide_magic(magic);
	if (memcmp(header->magic, magic, sizeof(magic)) == 0 &&
	    header->version == RCAP_SPOOL_VERSION && (spool = find_spool(done, name)) != NULL) {
		spool->pid = header->facts.pid;
		hand_on_snapshots(done, spool, &header->control.kept);
		hand_on(done, spool, &header->control);
	}
	munmap(memory, bytes);
}

void rcap_ranges_done_look(struct rcap_ranges_done *done)
{
	DIR *const directory = done->command ? opendir(done->run_dir) : NULL;
	const struct dirent *entry;

	while (directory && (entry = readdir(directory)) != NULL) {
		const size_t length = strlen(entry->d_name);

		if (length > sizeof(RCAP_SPOOL_SUFFIX) - 1 &&
		    strcmp(entry->d_name + length - (sizeof(RCAP_SPOOL_SUFFIX) - 1),
		           RCAP_SPOOL_SUFFIX) == 0) {
			look_at(done, entry->d_name);
		}
	}
	if (directory) {
		closedir(directory);
	}
}

void rcap_ranges_done_turn(struct rcap_ranges_done *done)
{
	const uint64_t now_ns = rcap_clock_mono_ns();

	if (now_ns >= done->next_ns) {
		done->next_ns = now_ns + LOOK_STEP_NS;
		rcap_ranges_done_look(done);
	}
	step(done);
}

/* Returns for how many cycles of that process the command was run. */
static uint32_t count_handed(const struct rcap_ranges_done *done, int64_t pid)
{
	for (const struct rcap_ranges_done_spool *spool = done->first; spool; spool = spool->next) {
		if (spool->pid == pid) {
			return spool->cycle;
		}
	}
	return 0;
}

/* Ends the running command, and starts no other, because a signal asks us to end. */
static void stop(struct rcap_ranges_done *done)
{
	const uint64_t until = rcap_clock_mono_ns() + PATIENCE_NS;
	uint64_t others = 0;
	int status = 0;
	bool has_ended = false;

	for (const struct rcap_ranges_done_log *log = done->waiting; log; log = log->next) {
		others++;
	}
	if (done->pid != 0) {
		others--;
		kill((pid_t) -done->pid, SIGTERM);
		while (!(has_ended = rcap_ranges_child_has_ended(&status)) &&
		       rcap_clock_mono_ns() < until) {
			nap();
		}
		if (has_ended) {
			report_command(done, status);
		} else {
			rcap_log_line(RCAP_LOG_WARN,
			              "--on-done \"%s\" for %s was interrupted, but still runs: "
			              "process %ld",
			              done->command, rcap_ranges_plan_shorten(done->waiting->path),
			              (long) done->pid);
		}
	}
	if (others > 0) {
		rcap_log_line(RCAP_LOG_WARN, "interrupted: --on-done was not run for %lu log%s",
		              (unsigned long) others, others == 1 ? "" : "s");
	}
	while (done->waiting) {
		drop_first(done);
	}
}

void rcap_ranges_done_end(struct rcap_ranges_done *done, const struct rcap_ranges_logs *logs)
{
	for (size_t i = 0; done->command && i < logs->count; i++) {
		if (logs->logs[i].cycles > count_handed(done, logs->logs[i].pid)) {
			add_log(done, logs->logs[i].path);
		}
	}
	if (done->missed > 0) {
		rcap_log_line(
			RCAP_LOG_WARN,
			"--on-done was not run for %lu log%s: too many were completed at once",
			(unsigned long) done->missed, done->missed == 1 ? "" : "s");
	}
	while (done->waiting && rcap_ranges_signals_count() == 0 && step(done)) {
		nap();
	}
	stop(done);
	while (done->first) {
		struct rcap_ranges_done_spool *const spool = done->first;

		done->first = spool->next;
		free(spool);
	}
}

/* NOLINTEND(concurrency-mt-unsafe) */
