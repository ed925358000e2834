/* SPDX-License-Identifier: MIT */
/* Keeps a list of the files that batches wrote into OUT, so that a later batch removes those that
 * it does not rewrite. */
#include "analyzer/commands/batch/batch-outputs.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/order/order.h"
#include "analyzer/base/util.h"
#include "analyzer/io/outfile.h"

#define LIST ".outputs"

void ra_cmd_batch_outputs_fini(struct ra_cmd_batch_outputs *outputs)
{
	for (size_t i = 0; i < outputs->count; i++) {
		free(outputs->paths[i]);
	}
	free(outputs->paths);
	*outputs = (struct ra_cmd_batch_outputs){ 0 };
}

void ra_cmd_batch_outputs_add(struct ra_cmd_batch_outputs *outputs, char *path)
{
	RA_UTIL_APPEND(outputs->paths, outputs->count, outputs->capacity, path);
}

static char *join(const char *output, const char *below)
{
	return ra_alloc_format("%s/%s", output, below);
}

void ra_cmd_batch_outputs_read(struct ra_cmd_batch_outputs *outputs, const char *output)
{
	char *path = join(output, LIST);
	FILE *list = fopen(path, "re");
	char *line = NULL;
	size_t capacity = 0;
	ssize_t length;

	while (list != NULL && (length = getline(&line, &capacity, list)) > 0) {
		if (line[length - 1] == '\n') {
			line[length - 1] = '\0';
		}
		ra_cmd_batch_outputs_add(outputs, ra_alloc_copy(line));
	}
	if (list != NULL) {
		fclose(list);
	}
	free(line);
	free(path);
}

static int compare_paths(const void *a, const void *b)
{
	const char *const *left = a;
	const char *const *right = b;

	return strcmp(*left, *right);
}

void ra_cmd_batch_outputs_order(struct ra_cmd_batch_outputs *outputs)
{
	RA_SORT(outputs->paths, outputs->count, compare_paths);
}

int ra_cmd_batch_outputs_write(struct ra_cmd_batch_outputs *outputs, const char *output)
{
	char *path = join(output, LIST);
	struct ra_outfile out;
	int code;

	ra_cmd_batch_outputs_order(outputs);
	code = ra_outfile_open(&out, path);
	for (size_t i = 0; i < outputs->count && code == 0; i++) {
		if (i == 0 || strcmp(outputs->paths[i - 1], outputs->paths[i]) != 0) {
			ra_outbuf_text(&out.buffer, outputs->paths[i]);
			ra_outbuf_text(&out.buffer, "\n");
		}
	}
	code = code == 0 ? ra_outfile_commit(&out) : code;
	free(path);
	return code;
}

/* True if a path is below OUT. The list is an ordinary file: whatever it contains, no file outside
 * OUT is touched. */
static bool is_below(const char *path)
{
	for (const char *at = path; *at != '\0';) {
		const size_t length = strcspn(at, "/");

		if (length == 0 || (length == 2 && memcmp(at, "..", 2) == 0)) {
			return false;
		}
		at += length;
		at += *at == '/';
	}
	return path[0] != '\0';
}

/* Removes a file, and the folders around it that become empty. */
static void remove_one(const char *output, const char *below)
{
	char *path = join(output, below);
	const size_t first = strlen(output);
	struct stat status;

	if (lstat(path, &status) == 0 && S_ISREG(status.st_mode) &&
	    !ra_outfile_is_protected(path) && unlink(path) == 0) {
		for (char *slash = strrchr(path, '/'); slash > path + first;
		     slash = strrchr(path, '/')) {
			*slash = '\0';
			if (rmdir(path) != 0) {
				break;
			}
		}
	}
	free(path);
}

void ra_cmd_batch_outputs_remove(const struct ra_cmd_batch_outputs *before,
                                 const struct ra_cmd_batch_outputs *now, const char *output)
{
	for (size_t i = 0; i < before->count; i++) {
		const char *const *path = (const char *const *) &before->paths[i];

		if (RA_FIND(path, now->paths, now->count, compare_paths) == NULL &&
		    is_below(*path)) {
			remove_one(output, *path);
		}
	}
}
