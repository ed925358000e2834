/* SPDX-License-Identifier: MIT */
/* Tests threads that help another thread: order, lines, and running out of memory. */
#include <stdatomic.h>
#include <sys/resource.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/side/pool.h"
#include "format/error.h"
#include "tests/tap.h"

#define TASKS  200
#define ROUNDS 20

struct job {
	struct ra_pool_task task;
	struct work *work;
	int number;
	long result;
};

struct work {
	struct ra_pool *pool;
	struct ra_pool_line line;
	struct job jobs[TASKS];
	int order[TASKS]; /* in which tasks of a serial line began; nobody locks it */
	int begun;
	_Atomic int running;
	_Atomic int most;
};

static void count(void *context)
{
	struct job *job = context;
	const int now = atomic_fetch_add(&job->work->running, 1) + 1;

	if (now > atomic_load(&job->work->most)) {
		atomic_store(&job->work->most, now);
	}
	for (long i = 0; i < 2000; i++) {
		job->result += i % (job->number + 1);
	}
	atomic_fetch_sub(&job->work->running, 1);
}

static void note_order(void *context)
{
	struct job *job = context;

	job->work->order[job->work->begun++] = job->number;
	count(job);
}

static void end_memory(void *context)
{
	struct job *job = context;

	if (job->number == 3) {
		ra_alloc_end();
	}
	count(job);
}

static void put_all(struct work *work, void (*run)(void *context))
{
	ra_pool_add_line(work->pool, &work->line);
	for (int i = 0; i < TASKS; i++) {
		struct job *job = &work->jobs[i];

		job->work = work;
		job->number = i;
		job->task.run = run;
		job->task.context = job;
		ra_pool_put(work->pool, &work->line, &job->task);
	}
}

static long sum_results(const struct work *work)
{
	long sum = 0;

	for (int i = 0; i < TASKS; i++) {
		sum += work->jobs[i].result;
	}
	return sum;
}

/* @is_serial: of the line. Return: what all tasks came to. */
static long run_all(size_t jobs, bool is_serial, int *most, bool *is_ordered)
{
	static struct work work;

	work = (struct work){ .line = { .is_serial = is_serial } };
	ra_pool_set_jobs(jobs);
	work.pool = ra_pool_create(7);
	put_all(&work, is_serial ? note_order : count);
	for (int i = 0; i < TASKS; i++) {
		ra_pool_take(work.pool, &work.jobs[i].task);
	}
	ra_pool_drop_line(work.pool, &work.line);
	ra_pool_destroy(work.pool);
	*most = atomic_load(&work.most);
	*is_ordered = true;
	for (int i = 0; i < TASKS; i++) {
		*is_ordered &= work.order[i] == i;
	}
	return sum_results(&work);
}

static void test_lines(void)
{
	bool is_right = true;
	bool are_ordered = true;
	int most = 0;
	int most_serial = 0;
	bool is_ordered;
	long wanted = 0;

	for (int round = 0; round < ROUNDS; round++) {
		const size_t jobs = 2 + (size_t) round % 6;
		int here;
		long sum = run_all(jobs, false, &here, &is_ordered);

		wanted = round == 0 ? sum : wanted;
		is_right &= sum == wanted && here <= (int) jobs;
		most = here > most ? here : most;
		sum = run_all(jobs, true, &here, &is_ordered);
		is_right &= sum == wanted;
		are_ordered &= is_ordered;
		most_serial = here > most_serial ? here : most_serial;
	}
	tap_ok(is_right, "each task is done once, by no more threads than there may be");
	tap_ok(are_ordered && most_serial == 1, "those of a serial line one after the other");
	tap_diag("most at once: %d", most);
}

static void ask_for_threads(void *context)
{
	struct job *job = context;

	job->result = ra_pool_create(7) == NULL && ra_pool_is_task();
}

static void test_none(void)
{
	static struct work work;

	ra_pool_set_jobs(1);
	tap_ok(ra_pool_create(7) == NULL, "one job has no threads");
	ra_pool_destroy(NULL);
	work = (struct work){ 0 };
	ra_pool_set_jobs(2);
	work.pool = ra_pool_create(7);
	put_all(&work, ask_for_threads);
	ra_pool_settle_line(work.pool, &work.line);
	tap_is_int(sum_results(&work), TASKS, "nor has a task, also one that the owner does");
	ra_pool_drop_line(work.pool, &work.line);
	ra_pool_destroy(work.pool);
	tap_ok(!ra_pool_is_task(), "behind it nobody is in a task");
}

static struct work no_memory;

static int take_all(void *context)
{
	int *taken = context;

	no_memory.pool = ra_pool_create(7);
	put_all(&no_memory, end_memory);
	for (; *taken < TASKS; ++*taken) {
		ra_pool_take(no_memory.pool, &no_memory.jobs[*taken].task);
	}
	return 0;
}

static int end_here(void *context)
{
	(void) context;
	no_memory.pool = ra_pool_create(7);
	put_all(&no_memory, count);
	ra_alloc_end();
	return 0;
}

static void test_memory(void)
{
	int taken = 0;
	bool is_right = true;

	for (size_t jobs = 2; jobs < 9; jobs++) {
		ra_pool_set_jobs(jobs);
		taken = 0;
		no_memory = (struct work){ 0 };
		is_right &= ra_alloc_try(take_all, &taken) == -RLOG_E_NO_MEMORY && taken == 3;
		is_right &= atomic_load(&no_memory.running) == 0;
	}
	tap_ok(is_right,
	       "memory that ends in a task ends in who takes it, and all threads are gone");
	no_memory = (struct work){ 0 };
	tap_ok(ra_alloc_try(end_here, NULL) == -RLOG_E_NO_MEMORY &&
	               atomic_load(&no_memory.running) == 0,
	       "where it ends in the owner no task runs on");
}

int main(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_DATA, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY) {
		ra_pool_set_jobs(8);
		tap_ok(ra_pool_create(7) == NULL, "there are no threads if memory is limited");
		return tap_done();
	}
	test_lines();
	test_none();
	test_memory();
	return tap_done();
}
