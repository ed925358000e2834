/* SPDX-License-Identifier: MIT */
/* Collects and loads the files of a command that reads several, such as those of a run's ranks. */
#include "analyzer/commands/shared/inputs.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "analyzer/base/alloc.h"
#include "analyzer/commands/shared/cmd.h"
#include "analyzer/commands/shared/progress.h"
#include "analyzer/load/inputs.h"
#include "analyzer/load/load-beside.h"
#include "analyzer/load/load.h"
#include "analyzer/base/util.h"

static void add_path(struct ra_cmd_inputs *inputs, const char *folder, const char *name)
{
	RA_UTIL_APPEND(inputs->paths, inputs->count, inputs->capacity,
	               ra_alloc_format("%s%s%s", folder, folder[0] == '\0' ? "" : "/", name));
}

static int is_trace(const struct dirent *entry)
{
	return entry->d_name[0] != '.' && ra_inputs_suffix(entry->d_name) > 0;
}

/* Compares names by bytes, so that the locale does not matter. */
static int compare_names(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

static int add_folder(struct ra_cmd_inputs *inputs, const char *folder)
{
	struct dirent **entries = NULL;
	const int count = scandir(folder, &entries, is_trace, compare_names);

	if (count < 0) {
		struct rlog_error err = { .sys_errno = errno, .offset = RLOG_NO_OFFSET };

		(void) rlog_error_set(&err, RLOG_E_SYSTEM, RLOG_NO_OFFSET, "cannot be read");
		return ra_cmd_print_error(folder, &err);
	}
	for (int i = 0; i < count; i++) {
		add_path(inputs, folder, entries[i]->d_name);
		free(entries[i]);
	}
	free(entries);
	return count == 0 ? ra_cmd_usage("%s: no file here ends in .bin, .json or .json.gz", folder)
	                  : 0;
}

int ra_cmd_inputs_init(struct ra_cmd_inputs *inputs, char *const *names, size_t count)
{
	int code = count == 0 ? ra_cmd_usage("no file given") : 0;

	for (size_t i = 0; i < count && code == 0; i++) {
		struct stat status;

		if (stat(names[i], &status) == 0 && S_ISDIR(status.st_mode)) {
			code = add_folder(inputs, names[i]);
		} else {
			add_path(inputs, "", ra_cmd_find_path(names[i]));
		}
	}
	return code;
}

void ra_cmd_inputs_fini(struct ra_cmd_inputs *inputs)
{
	for (size_t i = 0; i < inputs->count; i++) {
		free(inputs->paths[i]);
		if (inputs->models != NULL) {
			ra_model_destroy(inputs->models[i]);
		}
	}
	free(inputs->paths);
	free(inputs->models);
	free(inputs->ranks);
}

static int64_t find_rank(const struct ra_model *model)
{
	return model->process_count > 0 ? model->processes[0].rank : -1;
}

/* True if every file states its rank, and all ranks differ. Takes quadratic time, because there are
 * few files. */
static bool has_ranks(const struct ra_cmd_inputs *inputs)
{
	for (size_t i = 0; i < inputs->count; i++) {
		const int64_t rank = find_rank(inputs->models[i]);

		for (size_t j = 0; j < i; j++) {
			if (find_rank(inputs->models[j]) == rank) {
				return false;
			}
		}
		if (rank < 0) {
			return false;
		}
	}
	return true;
}

static void swap_inputs(struct ra_cmd_inputs *inputs, size_t a, size_t b)
{
	char *const path = inputs->paths[a];
	struct ra_model *const model = inputs->models[a];
	const int64_t rank = inputs->ranks[a];

	inputs->paths[a] = inputs->paths[b];
	inputs->models[a] = inputs->models[b];
	inputs->ranks[a] = inputs->ranks[b];
	inputs->paths[b] = path;
	inputs->models[b] = model;
	inputs->ranks[b] = rank;
}

static void order_by_rank(struct ra_cmd_inputs *inputs)
{
	const bool is_known = has_ranks(inputs);

	for (size_t i = 0; i < inputs->count; i++) {
		inputs->ranks[i] = is_known ? find_rank(inputs->models[i]) : (int64_t) i;
	}
	for (size_t i = 1; i < inputs->count; i++) {
		for (size_t j = i; j > 0 && inputs->ranks[j - 1] > inputs->ranks[j]; j--) {
			swap_inputs(inputs, j - 1, j);
		}
	}
}

int ra_cmd_inputs_load(struct ra_cmd_inputs *inputs, const struct ra_load_options *options)
{
	struct ra_cmd_progress progress = { .count = inputs->count };
	struct ra_load_options watched = *options;
	struct ra_load_beside *beside;
	int code = 0;

	// NOLINTNEXTLINE(bugprone-sizeof-expression): an array of pointers
	inputs->models = ra_alloc_zeros(inputs->count, sizeof(*inputs->models));
	inputs->ranks = ra_alloc_zeros(inputs->count, sizeof(*inputs->ranks));
	beside = ra_load_beside_create(inputs->paths, inputs->count, options);
	ra_cmd_progress_watch(&progress, &watched);
	for (size_t i = 0; i < inputs->count && code == 0; i++) {
		struct rlog_error err = { .offset = RLOG_NO_OFFSET };
		int rc;

		progress.index = i;
		rc = beside != NULL
		             ? ra_load_beside_take(beside, i, &inputs->models[i], &watched, &err)
		             : ra_load_file(&inputs->models[i], inputs->paths[i], &watched, &err);
		ra_cmd_progress_end(&progress);
		if (rc == 0 && inputs->count > 1) {
			rc = ra_load_check_any(inputs->models[i], &err);
		}
		if (rc != 0) {
			code = ra_cmd_print_error(inputs->paths[i], &err);
		}
	}
	ra_load_beside_destroy(beside);
	if (code == 0) {
		order_by_rank(inputs);
	}
	return code;
}
