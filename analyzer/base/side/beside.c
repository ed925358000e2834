/* SPDX-License-Identifier: MIT */
/*
 * Runs several work items in parallel processes and takes their results in order.
 *
 * It uses processes so that a crash, or anything else that an item does to its process, harms no
 * other item. The caller then does the item again itself, with the same result as without
 * processes.
 */
#include "analyzer/base/side/beside.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "analyzer/base/alloc.h"

/* Two files are open for each item whose result is waiting to be taken. */
#define MOST_AHEAD 64

#define WAIT_MS 100

enum state {
	STATE_WAITS,
	STATE_WORKS,
	STATE_DONE,
	STATE_FAILED, /* the caller of ra_beside_take() has to do it */
};

struct item {
	enum state state;
	pid_t pid;
	int alive;    /* a pipe that is never written to; its end closes when the process ends */
	int result;   /* a file in memory: the result */
	int messages; /* a file in memory: the messages */
};

struct ra_beside {
	struct ra_beside_job job;
	struct item *items; /* owned */
	size_t next;        /* index of the item to be taken next */
	size_t started;
	size_t at_work;
};

size_t ra_beside_count_processors(void)
{
	cpu_set_t set;
	/* sched_getaffinity() fails where the machine has more processors than fit into the
	 * set. */
	const long count = sched_getaffinity(0, sizeof(set), &set) == 0
	                           ? CPU_COUNT(&set)
	                           : sysconf(_SC_NPROCESSORS_ONLN);

	return count > 0 ? (size_t) count : 1;
}

static bool write_all(int fd, const char *bytes, size_t count)
{
	while (count > 0) {
		const ssize_t step = write(fd, bytes, count);

		if (step <= 0) {
			return false;
		}
		bytes += step;
		count -= (size_t) step;
	}
	return true;
}

static void run(const struct ra_beside *beside, size_t at, pid_t parent)
{
	const struct item *item = &beside->items[at];
	struct ra_util_text result = { 0 };

	(void) prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent || dup2(item->messages, STDERR_FILENO) < 0) {
		_exit(1);
	}
	beside->job.work(beside->job.context, at, &result);
	_exit(write_all(item->result, result.bytes, result.length) ? 0 : 1);
}

static void close_item(struct item *item)
{
	close(item->result);
	close(item->messages);
	close(item->alive);
}

static void start(struct ra_beside *beside)
{
	struct item *item = &beside->items[beside->started];
	const pid_t parent = getpid();
	int alive[2] = { -1, -1 };

	item->result = memfd_create("result", MFD_CLOEXEC);
	item->messages = memfd_create("messages", MFD_CLOEXEC);
	item->pid = -1;
	if (item->result >= 0 && item->messages >= 0 && pipe2(alive, O_CLOEXEC) == 0) {
		item->alive = alive[0];
		item->pid = fork();
		if (item->pid == 0) {
			run(beside, beside->started, parent);
		}
		close(alive[1]);
	} else {
		item->alive = -1;
	}
	beside->started++;
	if (item->pid < 0) {
		item->state = STATE_FAILED;
		close_item(item);
		return;
	}
	item->state = STATE_WORKS;
	beside->at_work++;
}

static void finish(struct ra_beside *beside, struct item *item)
{
	int status = 0;

	while (waitpid(item->pid, &status, 0) < 0 && errno == EINTR) {
	}
	beside->at_work--;
	/* Exit status 0 means that the whole result is written. A memory checker may change it. */
	item->state = WIFEXITED(status) && WEXITSTATUS(status) == 0 ? STATE_DONE : STATE_FAILED;
	if (item->state == STATE_FAILED) {
		close_item(item);
	}
}

/* Sleeps until one of the processes ends, or for WAIT_MS if job.wait is set. */
static void wait_any(struct ra_beside *beside)
{
	struct pollfd polls[MOST_AHEAD];
	size_t of[MOST_AHEAD];
	nfds_t count = 0;

	for (size_t i = beside->next; i < beside->started; i++) {
		if (beside->items[i].state == STATE_WORKS) {
			of[count] = i;
			polls[count++] =
				(struct pollfd){ .fd = beside->items[i].alive, .events = POLLIN };
		}
	}
	while (poll(polls, count, beside->job.wait != NULL ? WAIT_MS : -1) < 0 && errno == EINTR) {
	}
	for (nfds_t i = 0; i < count; i++) {
		if (polls[i].revents != 0) {
			finish(beside, &beside->items[of[i]]);
		}
	}
}

static void start_more(struct ra_beside *beside)
{
	while (beside->started < beside->job.count && beside->started < beside->next + MOST_AHEAD &&
	       beside->at_work < beside->job.workers) {
		start(beside);
	}
}

struct ra_beside *ra_beside_create(const struct ra_beside_job *job)
{
	struct ra_beside *beside = ra_alloc_zeros(1, sizeof(*beside));

	beside->job = *job;
	beside->items = ra_alloc_zeros(job->count + 1, sizeof(*beside->items));
	start_more(beside);
	return beside;
}

/* Return: false after an error. */
static bool read_all(int fd, struct ra_util_text *text)
{
	char bytes[16384];
	ssize_t count = lseek(fd, 0, SEEK_SET);

	while (count >= 0 && (count = read(fd, bytes, sizeof(bytes))) > 0) {
		ra_util_text_put(text, bytes, (size_t) count);
	}
	return count == 0;
}

bool ra_beside_take(struct ra_beside *beside, struct ra_util_text *result,
                    struct ra_util_text *messages)
{
	struct item *item = &beside->items[beside->next];
	bool is_there = false;

	while (item->state == STATE_WAITS || item->state == STATE_WORKS) {
		start_more(beside);
		if (item->state == STATE_WORKS && beside->job.wait != NULL) {
			beside->job.wait(beside->job.context, beside->next);
		}
		if (item->state == STATE_WORKS) {
			wait_any(beside);
		}
	}
	beside->next++;
	if (item->state == STATE_DONE) {
		is_there = read_all(item->result, result) && read_all(item->messages, messages);
		close_item(item);
	}
	start_more(beside);
	return is_there;
}

void ra_beside_destroy(struct ra_beside *beside)
{
	if (beside == NULL) {
		return;
	}
	for (size_t i = beside->next; i < beside->started; i++) {
		if (beside->items[i].state == STATE_WORKS) {
			kill(beside->items[i].pid, SIGKILL);
			finish(beside, &beside->items[i]);
		}
		if (beside->items[i].state == STATE_DONE) {
			close_item(&beside->items[i]);
		}
	}
	free(beside->items);
	free(beside);
}
