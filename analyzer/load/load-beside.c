/* SPDX-License-Identifier: MIT */
/*
 * Loads files side by side, for a caller that takes their models in order.
 *
 * Only the thread that owns the work (called the owner) may load libraries that unpack, or limit
 * the memory of the process. So files that need such a library are left to the owner. A file that
 * needs a limit fails in its task for lack of memory, and the owner loads it again.
 */
#include "analyzer/load/load-beside.h"

#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/side/pool.h"
#include "analyzer/io/outfile.h"
#include "analyzer/read-json/kineto-input.h"
#include "format/wire.h"

struct file {
	struct ra_pool_task task;
	struct ra_load_beside *beside;
	const char *path;       /* borrowed */
	struct ra_model *model; /* owned until it is taken */
	struct rlog_error error;
	int rc;
	bool is_put;
	/* How much of the file is read. Relaxed, because it is only shown to people. */
	_Atomic uint64_t rows;
	_Atomic uint64_t total;
};

struct ra_load_beside {
	struct ra_pool *pool; /* owned */
	struct ra_pool_line line;
	struct ra_load_options options;
	struct file *files; /* owned */
	size_t count;
	size_t waited; /* file that the owner waits for */
	const struct ra_load_options *telling;
};

/* Set in the owner's thread only. The owner runs tasks, too, and meanwhile shows the progress of
 * the file that it waits for. */
static _Thread_local const struct ra_load_beside *own;

static void tell_far(void *context)
{
	const struct ra_load_beside *beside = context;
	const struct ra_load_options *telling = beside->telling;
	const struct file *file = &beside->files[beside->waited];
	const uint64_t total = atomic_load_explicit(&file->total, memory_order_relaxed);

	if (telling != NULL && telling->progress != NULL) {
		telling->progress(telling->progress_context,
		                  atomic_load_explicit(&file->rows, memory_order_relaxed),
		                  total == 0 ? 1 : total);
	}
}

static void note_far(void *context, uint64_t rows, uint64_t total_rows)
{
	struct file *file = context;

	atomic_store_explicit(&file->total, total_rows, memory_order_relaxed);
	atomic_store_explicit(&file->rows, rows, memory_order_relaxed);
	if (own == file->beside) {
		tell_far(file->beside);
	}
}

/* Context: a task. */
static void load(void *context)
{
	struct file *file = context;
	struct ra_load_options options = file->beside->options;

	options.progress = note_far;
	options.progress_context = file;
	file->rc = ra_load_file(&file->model, file->path, &options, &file->error);
}

/* Return: size in bytes of a file that a task can load; 0: a task cannot load it. */
static uint64_t measure(const char *path)
{
	char head[64];
	struct stat status;
	const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	ssize_t count = -1;

	if (fd >= 0 && fstat(fd, &status) == 0 && S_ISREG(status.st_mode)) {
		count = read(fd, head, sizeof(head));
	}
	if (fd >= 0) {
		close(fd);
	}
	return count >= RLOG_MARKER_BYTES &&
	                       (memcmp(head, RLOG_MARKER, RLOG_MARKER_BYTES) == 0 ||
	                        ra_kineto_input_detect(head, (size_t) count) != RA_KINETO_FORM_NONE)
	               ? (uint64_t) status.st_size
	               : 0;
}

/* True if the options ask for no call of the caller's functions, and for nothing from other
 * files. */
static bool is_for_threads(const struct ra_load_options *options)
{
	return options->finding == NULL && options->sink == NULL && options->captures == NULL &&
	       !options->link.with_origin;
}

static void put_files(struct ra_load_beside *beside)
{
	for (size_t i = 0; i < beside->count; i++) {
		struct file *file = &beside->files[i];

		if (file->is_put) {
			ra_outfile_protect(file->path);
			ra_pool_put(beside->pool, &beside->line, &file->task);
		}
	}
}

struct ra_load_beside *ra_load_beside_create(char *const *paths, size_t count,
                                             const struct ra_load_options *options)
{
	struct ra_load_beside *beside = ra_alloc_zeros(1, sizeof(*beside));
	uint64_t bytes = 0;
	size_t fit = 0;

	beside->options = *options;
	beside->files = ra_alloc_zeros(count, sizeof(*beside->files));
	beside->count = count;
	for (size_t i = 0; i < count && count > 1 && is_for_threads(options); i++) {
		struct file *file = &beside->files[i];
		const uint64_t size = measure(paths[i]);

		file->beside = beside;
		file->path = paths[i];
		file->task.run = load;
		file->task.context = file;
		file->error.offset = RLOG_NO_OFFSET;
		file->is_put = size > 0;
		fit += file->is_put;
		bytes += size;
	}
	if (fit > 1 && bytes >= RA_POOL_LEAST_BYTES) {
		beside->pool = ra_pool_create(fit - 1);
	}
	if (beside->pool == NULL) {
		ra_load_beside_destroy(beside);
		return NULL;
	}
	own = beside;
	ra_pool_set_wait(beside->pool, tell_far, beside);
	ra_pool_add_line(beside->pool, &beside->line);
	put_files(beside);
	return beside;
}

void ra_load_beside_destroy(struct ra_load_beside *beside)
{
	if (beside == NULL) {
		return;
	}
	if (beside->pool != NULL) {
		ra_pool_drop_line(beside->pool, &beside->line);
		own = NULL;
	}
	ra_pool_destroy(beside->pool);
	for (size_t i = 0; i < beside->count; i++) {
		ra_model_destroy(beside->files[i].model);
	}
	free(beside->files);
	free(beside);
}

int ra_load_beside_take(struct ra_load_beside *beside, size_t i, struct ra_model **out,
                        const struct ra_load_options *options, struct rlog_error *err)
{
	struct file *file = &beside->files[i];

	if (!file->is_put) {
		return ra_load_file(out, file->path, options, err);
	}
	file->is_put = false; /* each file is taken only once, so it is forgotten */
	beside->waited = i;
	beside->telling = options;
	ra_pool_take(beside->pool, &file->task);
	beside->telling = NULL;
	if (file->rc == -RLOG_E_NO_MEMORY) {
		ra_pool_settle_line(beside->pool, &beside->line);
		return ra_load_file(out, file->path, options, err);
	}
	*out = file->model;
	file->model = NULL;
	if (file->rc != 0 && err != NULL) {
		*err = file->error;
	}
	return file->rc;
}
