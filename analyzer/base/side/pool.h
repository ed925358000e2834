/* SPDX-License-Identifier: MIT */
/*
 * Threads that do parts of a piece of work beside the thread that owns it.
 *
 * Only the owner puts tasks and takes them back, in its own order, so results do not depend on the
 * number of threads. A task should be much work, at least a chunk of a file: handing it over takes
 * a lock, and perhaps a system call.
 *
 * A task gets its input by its context. It may touch data that the owner changes, too, only between
 * put and take. If memory runs out in a task, the owner treats this as its own when it takes the
 * task (alloc.h).
 */
#ifndef RA_POOL_H
#define RA_POOL_H

#include <stdbool.h>
#include <stddef.h>

/* Files that are smaller are read before a thread has started. */
#define RA_POOL_LEAST_BYTES 1000000

struct ra_pool;

/* A row of tasks, which begin in the order in which they were put. It is in the caller's memory,
 * zero at first. Once given to a pool, it belongs to the pool until the pool is destroyed. */
struct ra_pool_line {
	bool is_serial; /* and each ends before the next one begins */
	/* The pool's: */
	size_t running;
	struct ra_pool_task *first;
	struct ra_pool_task *last;
	struct ra_pool_line *next;
};

enum ra_pool_state {
	RA_POOL_IDLE, /* not put, or taken */
	RA_POOL_WAITS,
	RA_POOL_RUNS,
	RA_POOL_DONE,
	RA_POOL_FAILED, /* without memory */
};

/* In caller's memory. */
struct ra_pool_task {
	void (*run)(void *context);
	void *context;
	/* The pool's: */
	struct ra_pool_line *line;
	enum ra_pool_state state;
	struct ra_pool_task *next;
};

/* Sets how many threads a piece of work may have, including the owner. 0, the default: one for each
 * processor. */
void ra_pool_set_jobs(size_t jobs);

/*
 * Starts threads, one fewer than allowed, because the caller owns the work and helps.
 *
 * @most: threads that can have work at once, beside the owner.
 * Return: NULL: there are none. There are none within a task either, because its owner has them
 * all, nor where memory is limited (RLIMIT_DATA).
 */
struct ra_pool *ra_pool_create(size_t most);

/* Waits for the tasks that run, drops those that have not begun, and ends the threads. NULL is
 * allowed. */
void ra_pool_destroy(struct ra_pool *pool);

/* Returns how many threads work, the owner's included. NULL: 1. */
size_t ra_pool_threads(const struct ra_pool *pool);

/* Gives a line to the pool. Tasks of a line that was added earlier run first. */
void ra_pool_add_line(struct ra_pool *pool, struct ra_pool_line *line);

/* Waits until all tasks of a line are done, and works on them meanwhile. The owner still takes each
 * task. */
void ra_pool_settle_line(struct ra_pool *pool, struct ra_pool_line *line);

/* True within a task. */
bool ra_pool_is_task(void);

/* Waits for the tasks of a line that run, drops those that have not begun, and takes the line from
 * the pool. */
void ra_pool_drop_line(struct ra_pool *pool, struct ra_pool_line *line);

/* While the owner waits, wait(context) is called ten times a second; NULL: it is not. */
void ra_pool_set_wait(struct ra_pool *pool, void (*wait)(void *context), void *context);

/* Puts a task, which is idle, at the end of a line. */
void ra_pool_put(struct ra_pool *pool, struct ra_pool_line *line, struct ra_pool_task *task);

/* Waits for a task that was put, and works on others meanwhile. If no thread has begun this task,
 * works on this one. Afterwards it is idle. */
void ra_pool_take(struct ra_pool *pool, struct ra_pool_task *task);

#endif
