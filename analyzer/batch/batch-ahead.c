/* SPDX-License-Identifier: MIT */
/* Gives inputs in order, while processes read several of them ahead. */
#include "analyzer/batch/batch-ahead.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/side/beside.h"
#include "analyzer/base/side/pool.h"
#include "analyzer/base/util.h"

/* If all inputs together are smaller than this, reading them takes less time than starting two
 * processes. */
#define LEAST_BYTES 1000000

struct ra_batch_ahead {
	const struct ra_batch_inputs *inputs;
	const struct ra_batch_options *options;
	size_t *items;     /* owned: indices of the inputs that processes read. Summaries are read
	                      here */
	size_t item_count; /* 0: processes read none */
	size_t threads;    /* number of threads of each process */
	size_t next_item;
	size_t next;              /* index of the next input to give */
	struct ra_beside *beside; /* owned; NULL: no processes */
	struct far *far; /* owned, one for each item, shared with the processes; NULL: progress is
	                    not shown */
};

/* How far an item has been read. The accesses are relaxed, because it is only shown. */
struct far {
	_Atomic uint64_t rows;
	_Atomic uint64_t total;
};

/* The start of a process' result. After it come the part, the rows and calls of the series, and the
 * counters. */
struct head {
	int rc;
	struct rlog_error err;
	size_t part_bytes; /* 0: there is no part */
	size_t series_count;
	struct ra_sum_series series; /* its arrays follow */
};

static void put(struct ra_util_text *text, const void *bytes, size_t size)
{
	ra_util_text_put(text, bytes, size);
}

static void note_far(void *context, uint64_t rows, uint64_t total_rows)
{
	struct far *far = context;

	atomic_store_explicit(&far->total, total_rows, memory_order_relaxed);
	atomic_store_explicit(&far->rows, rows, memory_order_relaxed);
}

/* Shows how far an item has been read. Called while this process waits for the item. */
static void tell_far(void *context, size_t item)
{
	const struct ra_batch_ahead *ahead = context;
	const struct ra_load_options *load = &ahead->options->load;
	const uint64_t total = atomic_load_explicit(&ahead->far[item].total, memory_order_relaxed);

	load->progress(load->progress_context,
	               atomic_load_explicit(&ahead->far[item].rows, memory_order_relaxed),
	               total == 0 ? 1 : total);
}

static void work(void *context, size_t item, struct ra_util_text *result)
{
	const struct ra_batch_ahead *ahead = context;
	struct ra_batch_options options = *ahead->options;
	struct ra_batch_series series = { 0 };
	struct ra_sum_file file = { 0 };
	struct head head = { .err = { .offset = RLOG_NO_OFFSET } };

	ra_pool_set_jobs(ahead->threads);
	options.load.progress = ahead->far != NULL ? note_far : NULL;
	options.load.progress_context = ahead->far != NULL ? &ahead->far[item] : NULL;
	options.series = options.series == NULL ? NULL : &series;
	if (options.see_counters > 0) {
		options.see_context = ra_alloc_zeros(options.see_counters, sizeof(size_t));
	}
	head.rc =
		ra_batch_one(&file, &ahead->inputs->rows[ahead->items[item]], &options, &head.err);
	head.part_bytes = file.count > 0 ? file.parts[0].size : 0;
	head.series_count = series.count;
	if (series.count > 0) {
		head.series = series.rows[0];
	}
	put(result, &head, sizeof(head));
	if (file.count > 0) {
		put(result, file.parts[0].bytes, file.parts[0].size);
	}
	put(result, head.series.rows, head.series.row_count * sizeof(*head.series.rows));
	put(result, head.series.calls, head.series.call_count * sizeof(*head.series.calls));
	put(result, options.see_context, options.see_counters * sizeof(size_t));
}

/* Copies the next `size` bytes and advances *at. The caller frees the copy. */
static void *take_copy(const char **at, size_t size)
{
	void *copy = ra_alloc_bytes(size + 1);

	memcpy(copy, *at, size);
	*at += size;
	return copy;
}

static void take_series(struct ra_batch_series *all, const struct head *head, const char **at)
{
	struct ra_sum_series series = head->series;

	series.rows = take_copy(at, series.row_count * sizeof(*series.rows));
	series.calls = take_copy(at, series.call_count * sizeof(*series.calls));
	series.notes = NULL;
	series.note_count = 0;
	series.note_capacity = 0;
	RA_UTIL_APPEND(all->rows, all->count, all->capacity, series);
}

/* Unpacks what work() wrote. */
static int unpack(const struct ra_batch_ahead *ahead, struct ra_sum_file *file,
                  const struct ra_util_text *result, struct rlog_error *err)
{
	const struct ra_batch_options *options = ahead->options;
	const char *at = result->bytes;
	size_t *counters = options->see_context;
	struct head head;

	memcpy(&head, at, sizeof(head));
	at += sizeof(head);
	if (head.part_bytes > 0) {
		ra_sum_file_append(file, (const uint8_t *) at, head.part_bytes);
		at += head.part_bytes;
	}
	if (head.series_count > 0) {
		take_series(options->series, &head, &at);
	}
	for (size_t i = 0; i < options->see_counters; i++) {
		size_t count;

		memcpy(&count, at + i * sizeof(count), sizeof(count));
		counters[i] += count;
	}
	*err = head.err;
	return head.rc;
}

/* Finds the inputs that processes should read. */
static void find_items(struct ra_batch_ahead *ahead)
{
	const struct ra_batch_inputs *inputs = ahead->inputs;
	int64_t bytes = 0;
	struct stat status;

	ahead->items = ra_alloc_zeros(inputs->count + 1, sizeof(*ahead->items));
	for (size_t i = 0; i < inputs->count; i++) {
		/* A pipe can be read only once, and summaries are quick to read: no process reads
		 * these. */
		if (stat(inputs->rows[i].path, &status) == 0 && S_ISREG(status.st_mode) &&
		    !ra_sum_file_is(inputs->rows[i].path)) {
			ahead->items[ahead->item_count++] = i;
			bytes += status.st_size;
		}
	}
	if (bytes < LEAST_BYTES || ahead->item_count < 2) {
		ahead->item_count = 0;
	}
}

/* Return: NULL if there is no memory: then progress is not shown. */
static struct far *share_far(size_t count)
{
	void *far = mmap(NULL, count * sizeof(struct far), PROT_READ | PROT_WRITE,
	                 MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	return far == MAP_FAILED ? NULL : far;
}

struct ra_batch_ahead *ra_batch_ahead_create(const struct ra_batch_inputs *inputs,
                                             const struct ra_batch_options *options, size_t workers)
{
	struct ra_batch_ahead *ahead = ra_alloc_zeros(1, sizeof(*ahead));

	ahead->inputs = inputs;
	ahead->options = options;
	workers = workers == 0 ? ra_beside_count_processors() : workers;
	if (workers > 1) {
		find_items(ahead);
	}
	if (ahead->item_count > 0 && options->load.progress != NULL) {
		ahead->far = share_far(ahead->item_count);
	}
	ahead->threads = workers > ahead->item_count && ahead->item_count > 0
	                         ? workers / ahead->item_count
	                         : 1;
	if (ahead->item_count > 0) {
		const struct ra_beside_job job = {
			.count = ahead->item_count,
			.workers = workers,
			.work = work,
			.wait = ahead->far != NULL ? tell_far : NULL,
			.context = ahead,
		};

		ahead->beside = ra_beside_create(&job);
	}
	return ahead;
}

int ra_batch_ahead_take(struct ra_batch_ahead *ahead, struct ra_sum_file *file,
                        struct ra_util_text *messages, struct rlog_error *err)
{
	const size_t input = ahead->next++;
	struct ra_util_text result = { 0 };
	int rc;

	if (ahead->next_item < ahead->item_count && ahead->items[ahead->next_item] == input) {
		ahead->next_item++;
		if (ra_beside_take(ahead->beside, &result, messages)) {
			rc = unpack(ahead, file, &result, err);
			ra_util_text_free(&result);
			return rc;
		}
		ra_util_text_clear(messages); /* the input is read again, with its messages */
	}
	ra_util_text_free(&result);
	return ra_batch_one(file, &ahead->inputs->rows[input], ahead->options, err);
}

void ra_batch_ahead_destroy(struct ra_batch_ahead *ahead)
{
	ra_beside_destroy(ahead->beside);
	if (ahead->far != NULL) {
		munmap(ahead->far, ahead->item_count * sizeof(*ahead->far));
	}
	free(ahead->items);
	free(ahead);
}
