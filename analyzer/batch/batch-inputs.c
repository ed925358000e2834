/* SPDX-License-Identifier: MIT */
/* The inputs of a batch. */
#include "analyzer/batch/batch-inputs.h"

#include <errno.h>
#include <fts.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/order/order.h"
#include "analyzer/base/util.h"
#include "analyzer/io/outfile.h"
#include "analyzer/load/inputs.h"

static void add_row(struct ra_batch_inputs *inputs, const char *path, const char *run,
                    size_t length)
{
	struct ra_batch_input *row;
	const char *slash;

	ra_util_grow(&inputs->rows, &inputs->capacity, inputs->count + 1, sizeof(*inputs->rows));
	row = &inputs->rows[inputs->count];
	*row = (struct ra_batch_input){ 0 };
	row->path = ra_alloc_copy(path);
	row->run = ra_util_copy(run, length);
	slash = strrchr(row->path, '/');
	row->source = slash == NULL ? row->path : slash + 1;
	inputs->count++;
	ra_outfile_protect(path);
}

size_t ra_batch_inputs_suffix(const char *name)
{
	static const char summary[] = ".sum";
	const size_t end = sizeof(summary) - 1;
	const size_t length = strlen(name);

	return length > end && strcmp(name + length - end, summary) == 0 ? end
	                                                                 : ra_inputs_suffix(name);
}

static int compare_entries(const FTSENT **a, const FTSENT **b)
{
	return strcmp((*a)->fts_name, (*b)->fts_name);
}

/* Adds a file that was found in the user's folder, whose path has `root` bytes. The run is the
 * file's folder, relative to the user's folder. */
static void add_entry(struct ra_batch_inputs *inputs, const FTSENT *entry, size_t root)
{
	const char *run = entry->fts_path + root;
	const char *slash = strrchr(entry->fts_path, '/');

	run += *run == '/';
	add_row(inputs, entry->fts_path, run, slash > run ? (size_t) (slash - run) : 0);
}

/* If a batch made this folder, adds only its combined summary. Return: whether a batch made it. */
static bool add_output(struct ra_batch_inputs *inputs, const FTSENT *entry, size_t root)
{
	const char *run = entry->fts_path + root;
	char *path = ra_alloc_format("%s/summary.sum", entry->fts_path);
	struct stat status;
	const bool is_one = stat(path, &status) == 0 && S_ISREG(status.st_mode);

	if (is_one) {
		run += *run == '/';
		add_row(inputs, path, run, strlen(run));
	}
	free(path);
	return is_one;
}

static bool is_same(const FTSENT *entry, const struct stat *other)
{
	return other != NULL && entry->fts_statp->st_dev == other->st_dev &&
	       entry->fts_statp->st_ino == other->st_ino;
}

/* Return: false if nothing in the folder is wanted. */
static bool enter_folder(struct ra_batch_inputs *inputs, const FTSENT *entry, size_t root,
                         const struct stat *left_out)
{
	return (entry->fts_level == 0 || entry->fts_name[0] != '.') && !is_same(entry, left_out) &&
	       !add_output(inputs, entry, root);
}

static int add_folder(struct ra_batch_inputs *inputs, const char *folder,
                      const struct stat *left_out, struct rlog_error *err)
{
	char *path = ra_alloc_copy(folder);
	char *const paths[] = { path, NULL };
	size_t root = strlen(folder);
	FTS *tree;
	FTSENT *entry;
	int rc = 0;

	while (root > 1 && path[root - 1] == '/') {
		path[--root] = '\0';
	}
	tree = fts_open(paths, FTS_PHYSICAL | FTS_NOCHDIR, compare_entries);
	if (tree == NULL) {
		ra_alloc_end();
	}
	while (rc == 0 && (entry = fts_read(tree)) != NULL) {
		if (entry->fts_info == FTS_DNR || entry->fts_info == FTS_ERR) {
			errno = entry->fts_errno;
			rc = rlog_error_set(err, RLOG_E_SYSTEM, RLOG_NO_OFFSET, "cannot be read");
		} else if (entry->fts_info == FTS_D) {
			if (!enter_folder(inputs, entry, root, left_out)) {
				(void) fts_set(tree, entry, FTS_SKIP);
			}
		} else if ((entry->fts_info == FTS_F || entry->fts_info == FTS_SL) &&
		           entry->fts_name[0] != '.' &&
		           ra_batch_inputs_suffix(entry->fts_name) > 0) {
			add_entry(inputs, entry, root);
		}
	}
	fts_close(tree);
	free(path);
	return rc;
}

static int add_list(struct ra_batch_inputs *inputs, const char *path, struct rlog_error *err)
{
	FILE *list = fopen(path, "re");
	char *line = NULL;
	size_t capacity = 0;
	ssize_t length;
	int rc = 0;

	if (list == NULL) {
		return rlog_error_set(err, RLOG_E_SYSTEM, RLOG_NO_OFFSET, "cannot be read");
	}
	while ((length = getline(&line, &capacity, list)) > 0) {
		if (line[length - 1] == '\n') {
			line[--length] = '\0';
		}
		if (length > 0) {
			add_row(inputs, line, "", 0);
		}
	}
	if (ferror(list) != 0) {
		rc = rlog_error_set(err, RLOG_E_SYSTEM, RLOG_NO_OFFSET, "cannot be read");
	}
	free(line);
	fclose(list);
	return rc;
}

int ra_batch_inputs_add(struct ra_batch_inputs *inputs, const char *name, const char *leave_out,
                        struct rlog_error *err)
{
	struct stat status;
	struct stat left_out;
	const bool has_left_out = leave_out != NULL && stat(leave_out, &left_out) == 0;

	if (name[0] == '@') {
		return add_list(inputs, name + 1, err);
	}
	if (stat(name, &status) == 0 && S_ISDIR(status.st_mode)) {
		return add_folder(inputs, name, has_left_out ? &left_out : NULL, err);
	}
	add_row(inputs, name, "", 0);
	return 0;
}

static int compare_rows(const void *a, const void *b)
{
	const struct ra_batch_input *left = a;
	const struct ra_batch_input *right = b;
	const int order = strcmp(left->run, right->run);

	return RA_ORDER_THEN(order, strcmp(left->path, right->path));
}

void ra_batch_inputs_order(struct ra_batch_inputs *inputs, size_t first)
{
	if (inputs->count > first) {
		RA_SORT(inputs->rows + first, inputs->count - first, compare_rows);
	}
}

static void free_row(struct ra_batch_input *row)
{
	free(row->path);
	free(row->run);
	free(row->name);
}

void ra_batch_inputs_fini(struct ra_batch_inputs *inputs)
{
	for (size_t i = 0; i < inputs->count; i++) {
		free_row(&inputs->rows[i]);
	}
	free(inputs->rows);
	memset(inputs, 0, sizeof(*inputs));
}

void ra_batch_inputs_shard(struct ra_batch_inputs *inputs, size_t shard, size_t shards)
{
	size_t kept = 0;

	for (size_t i = 0; i < inputs->count; i++) {
		if (i % shards == shard) {
			inputs->rows[kept++] = inputs->rows[i];
		} else {
			free_row(&inputs->rows[i]);
		}
	}
	inputs->count = kept;
}
