/* SPDX-License-Identifier: MIT */
/* Threads that do parts of another thread's work in parallel with it. */
#include "analyzer/base/side/pool.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/side/beside.h"

/* More threads would only wait for the owner, because the owner takes the results in order. */
#define MOST_THREADS 64

#define NS_PER_S 1000000000L
#define WAIT_NS  100000000L

struct ra_pool {
	pthread_mutex_t lock; /* protects all members but `threads`; whoever holds it takes no other
	                         lock */
	pthread_cond_t work;  /* signals that a task may begin, or that the threads should end */
	pthread_cond_t done;  /* signals that a task has ended, if the owner waits */
	bool is_over;
	bool owner_waits;
	size_t sleeping; /* threads that wait for work */
	struct ra_pool_line *lines;
	pthread_t threads[MOST_THREADS];
	size_t thread_count;
	void (*wait)(void *context); /* called by the owner while it waits; may be NULL */
	void *wait_context;
	struct ra_pool *next; /* the pool that this thread created before this one */
};

static size_t jobs_wanted;

/* True while this thread runs a task. Then it starts no threads. */
static _Thread_local bool is_in_task;

/* Pools of this thread, the newest first. */
static _Thread_local struct ra_pool *pools;

void ra_pool_set_jobs(size_t jobs)
{
	jobs_wanted = jobs;
}

/* Finds the next task that may begin; NULL: none. Context: locked. */
static struct ra_pool_task *find_task(const struct ra_pool *pool)
{
	for (struct ra_pool_line *line = pool->lines; line != NULL; line = line->next) {
		if (line->first != NULL && (!line->is_serial || line->running == 0)) {
			return line->first;
		}
	}
	return NULL;
}

static int run_task(void *context)
{
	struct ra_pool_task *task = context;

	task->run(task->context);
	return 0;
}

/* Runs the first task of its line. Context: the pool is locked, but not while the task runs. */
static void run_first(struct ra_pool *pool, struct ra_pool_task *task)
{
	struct ra_pool_line *line = task->line;
	const bool was_in_task = is_in_task;
	int rc;

	line->first = task->next;
	line->running++;
	task->state = RA_POOL_RUNS;
	pthread_mutex_unlock(&pool->lock);
	is_in_task = true;
	rc = ra_alloc_try(run_task, task);
	is_in_task = was_in_task;
	pthread_mutex_lock(&pool->lock);
	task->state = rc == 0 ? RA_POOL_DONE : RA_POOL_FAILED;
	line->running--;
	if (pool->owner_waits) {
		pthread_cond_signal(&pool->done);
	}
}

static void *run_thread(void *context)
{
	struct ra_pool *pool = context;

	pthread_mutex_lock(&pool->lock);
	while (!pool->is_over) {
		struct ra_pool_task *task = find_task(pool);

		if (task != NULL) {
			run_first(pool, task);
			continue;
		}
		pool->sleeping++;
		pthread_cond_wait(&pool->work, &pool->lock);
		pool->sleeping--;
	}
	pthread_mutex_unlock(&pool->lock);
	return NULL;
}

/* Blocks all signals in the new threads, so that the thread that calls this handles them. */
static void start_threads(struct ra_pool *pool, size_t count)
{
	sigset_t all;
	sigset_t before;

	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &before);
	while (pool->thread_count < count &&
	       pthread_create(&pool->threads[pool->thread_count], NULL, run_thread, pool) == 0) {
		pool->thread_count++;
	}
	pthread_sigmask(SIG_SETMASK, &before, NULL);
}

/* Called when there is no memory. The owner then jumps to ra_alloc_try(), where its pools are not
 * known, so this function destroys them. A task jumps back into its pool, so that pool is kept. */
static void destroy_all(void)
{
	while (pools != NULL && !is_in_task) {
		ra_pool_destroy(pools);
	}
}

/* If memory is limited, only one thread runs, because several would need more memory. */
static bool is_memory_limited(void)
{
	struct rlimit limit;

	return getrlimit(RLIMIT_DATA, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
}

struct ra_pool *ra_pool_create(size_t most)
{
	size_t jobs = jobs_wanted;
	struct ra_pool *pool;

	jobs = jobs == 0 ? ra_beside_count_processors() : jobs;
	if (is_in_task || jobs < 2 || is_memory_limited()) {
		return NULL;
	}
	pool = ra_alloc_zeros(1, sizeof(*pool));
	pthread_mutex_init(&pool->lock, NULL);
	pthread_cond_init(&pool->work, NULL);
	pthread_cond_init(&pool->done, NULL);
	pool->next = pools;
	pools = pool;
	ra_alloc_set_retreat(destroy_all);
	most = most < MOST_THREADS ? most : MOST_THREADS;
	start_threads(pool, jobs - 1 < most ? jobs - 1 : most);
	if (pool->thread_count == 0) {
		ra_pool_destroy(pool);
		return NULL;
	}
	return pool;
}

void ra_pool_destroy(struct ra_pool *pool)
{
	struct ra_pool **at = &pools;

	if (pool == NULL) {
		return;
	}
	pthread_mutex_lock(&pool->lock);
	pool->is_over = true;
	pthread_cond_broadcast(&pool->work);
	pthread_mutex_unlock(&pool->lock);
	for (size_t i = 0; i < pool->thread_count; i++) {
		pthread_join(pool->threads[i], NULL);
	}
	while (*at != pool) {
		at = &(*at)->next;
	}
	*at = pool->next;
	pthread_cond_destroy(&pool->done);
	pthread_cond_destroy(&pool->work);
	pthread_mutex_destroy(&pool->lock);
	free(pool);
}

size_t ra_pool_threads(const struct ra_pool *pool)
{
	return pool == NULL ? 1 : pool->thread_count + 1;
}

void ra_pool_add_line(struct ra_pool *pool, struct ra_pool_line *line)
{
	struct ra_pool_line **at = &pool->lines;

	pthread_mutex_lock(&pool->lock);
	while (*at != NULL) {
		at = &(*at)->next;
	}
	*at = line;
	pthread_mutex_unlock(&pool->lock);
}

static struct timespec find_deadline(void)
{
	struct timespec at = { 0 };

	clock_gettime(CLOCK_REALTIME, &at);
	at.tv_nsec += WAIT_NS;
	at.tv_sec += at.tv_nsec / NS_PER_S;
	at.tv_nsec %= NS_PER_S;
	return at;
}

/* Waits for a task. Context: the pool is locked, but not while the owner waits. */
static void wait_for_done(struct ra_pool *pool)
{
	pool->owner_waits = true;
	if (pool->wait == NULL) {
		pthread_cond_wait(&pool->done, &pool->lock);
	} else {
		const struct timespec deadline = find_deadline();

		if (pthread_cond_timedwait(&pool->done, &pool->lock, &deadline) != 0) {
			pthread_mutex_unlock(&pool->lock);
			pool->wait(pool->wait_context);
			pthread_mutex_lock(&pool->lock);
		}
	}
	pool->owner_waits = false;
}

void ra_pool_set_wait(struct ra_pool *pool, void (*wait)(void *context), void *context)
{
	pool->wait = wait;
	pool->wait_context = context;
}

bool ra_pool_is_task(void)
{
	return is_in_task;
}

void ra_pool_settle_line(struct ra_pool *pool, struct ra_pool_line *line)
{
	pthread_mutex_lock(&pool->lock);
	while (line->first != NULL || line->running > 0) {
		if (line->first != NULL && (!line->is_serial || line->running == 0)) {
			run_first(pool, line->first);
		} else {
			wait_for_done(pool);
		}
	}
	pthread_mutex_unlock(&pool->lock);
}

void ra_pool_drop_line(struct ra_pool *pool, struct ra_pool_line *line)
{
	struct ra_pool_line **at = &pool->lines;

	pthread_mutex_lock(&pool->lock);
	line->first = NULL;
	while (line->running > 0) {
		wait_for_done(pool);
	}
	while (*at != line) {
		at = &(*at)->next;
	}
	*at = line->next;
	pthread_mutex_unlock(&pool->lock);
}

void ra_pool_put(struct ra_pool *pool, struct ra_pool_line *line, struct ra_pool_task *task)
{
	pthread_mutex_lock(&pool->lock);
	task->line = line;
	task->state = RA_POOL_WAITS;
	task->next = NULL;
	if (line->first == NULL) {
		line->first = task;
	} else {
		line->last->next = task;
	}
	line->last = task;
	if (pool->sleeping > 0) {
		pthread_cond_signal(&pool->work);
	}
	pthread_mutex_unlock(&pool->lock);
}

/* Wakes a thread if a task can run now. The task may have had to wait for the task that the owner
 * ran.
 * Context: locked. */
static void wake_one(struct ra_pool *pool)
{
	if (pool->sleeping > 0 && find_task(pool) != NULL) {
		pthread_cond_signal(&pool->work);
	}
}

static bool is_over(const struct ra_pool_task *task)
{
	return task->state == RA_POOL_DONE || task->state == RA_POOL_FAILED;
}

void ra_pool_take(struct ra_pool *pool, struct ra_pool_task *task)
{
	bool has_failed;

	pthread_mutex_lock(&pool->lock);
	while (!is_over(task)) {
		struct ra_pool_task *other = task->line->first;

		if (task->state != RA_POOL_WAITS || other != task ||
		    (task->line->is_serial && task->line->running > 0)) {
			other = find_task(pool);
		}
		if (other != NULL) {
			run_first(pool, other);
			wake_one(pool);
			continue;
		}
		wait_for_done(pool);
	}
	has_failed = task->state == RA_POOL_FAILED;
	task->state = RA_POOL_IDLE;
	pthread_mutex_unlock(&pool->lock);
	if (has_failed) {
		ra_alloc_end();
	}
}
