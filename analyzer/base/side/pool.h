/* SPDX-License-Identifier: MIT */
/*
 * Threads that do parts of a piece of work beside the thread that owns it.
 *
 * Only the owner puts tasks and takes them back, in its own order, so results do not depend on the
 * number of threads. A task should be much work, at least a chunk of a file, because handing it
 * over takes a lock, and perhaps a system call.
 *
 * A task gets its input by its context. Data that the owner changes may be used by a task, too, but
 * only between put and take. If memory runs out in a task, the owner treats this as if its own
 * memory ran out when it takes the task (alloc.h).
 */
#ifndef RA_POOL_H
#define RA_POOL_H

#include <stdbool.h>
#include <stddef.h>

/* Smaller files are read faster than a thread starts. */
#define RA_POOL_LEAST_BYTES 1000000

struct ra_pool;

/* A queue of tasks, which begin in the order in which they were put. It is in the caller's memory,
 * zero at first. Once given to a pool, it belongs to the pool until the pool is destroyed. */
struct ra_pool_line {
	bool is_serial; /* each task ends before the next one begins */
	/* Used by the pool only: */
	size_t running;
	struct ra_pool_task *first;
	struct ra_pool_task *last;
	struct ra_pool_line *next;
};

enum ra_pool_state {
	RA_POOL_IDLE, /* never put, or already taken */
	RA_POOL_WAITS,
	RA_POOL_RUNS,
	RA_POOL_DONE,
	RA_POOL_FAILED, /* memory ran out */
};

/* A task, in the caller's memory. */
struct ra_pool_task {
	void (*run)(void *context);
	void *context;
	/* Used by the pool only: */
	struct ra_pool_line *line;
	enum ra_pool_state state;
	struct ra_pool_task *next;
};

/* Sets how many threads may work on a piece of work, including the owner. 0, the default: one for
 * each processor. */
void ra_pool_set_jobs(size_t jobs);

/*
 * Starts threads, one fewer than allowed, because the caller owns the work and helps.
 *
 * @most: threads that can have work at once, beside the owner.
 * Return: NULL if no thread was started. That is so within a task, because its owner has all
 * threads, and if memory is limited (RLIMIT_DATA).
 */
struct ra_pool *ra_pool_create(size_t most);

/* Waits for the tasks that run, drops those that have not begun, and ends the threads. NULL is
 * allowed. */
void ra_pool_destroy(struct ra_pool *pool);

/* Returns how many threads work, including the owner. @pool: NULL: 1. */
size_t ra_pool_threads(const struct ra_pool *pool);

/* Gives a line to the pool. Tasks of a line that was added earlier run first. */
void ra_pool_add_line(struct ra_pool *pool, struct ra_pool_line *line);

/* Waits until all tasks of a line are done, and runs some of them meanwhile. The owner must still
 * take each task. */
void ra_pool_settle_line(struct ra_pool *pool, struct ra_pool_line *line);

/* True within a task. */
bool ra_pool_is_task(void);

/* Waits for the tasks of a line that run, drops those that have not begun, and removes the line
 * from the pool. */
void ra_pool_drop_line(struct ra_pool *pool, struct ra_pool_line *line);

/* Sets a function that is called ten times a second while the owner waits. @wait: NULL: none is
 * called. */
void ra_pool_set_wait(struct ra_pool *pool, void (*wait)(void *context), void *context);

/* Appends a task, whose state must be idle, to a line. */
void ra_pool_put(struct ra_pool *pool, struct ra_pool_line *line, struct ra_pool_task *task);

/* Waits for a task that was put. If no thread has begun the task, runs it; else runs others
 * meanwhile. Afterwards the task is idle. */
void ra_pool_take(struct ra_pool *pool, struct ra_pool_task *task);

#endif
