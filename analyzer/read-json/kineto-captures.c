/* SPDX-License-Identifier: MIT */
/* The traces that hold the captures of another trace's CUDA graphs. */
#include "analyzer/read-json/kineto-captures.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/util.h"
#include "analyzer/read-json/kineto-load.h"
#include "analyzer/read-json/kineto-read.h"

/* Names the file before what is wrong with it. Return: -code. */
static int refuse(const char *path, const struct rlog_error *why, struct rlog_error *err)
{
	const char *slash = strrchr(path, '/');
	const int code = why->code;

	errno = why->sys_errno; /* of which the new one tells as well */
	return rlog_error_set(err, code, why->offset, "graph capture %s: %s",
	                      slash != NULL ? slash + 1 : path, why->message);
}

static int read_input(struct ra_kineto **kineto, struct ra_kineto_input *input,
                      struct rlog_error *err)
{
	static const struct ra_kineto_read_options options = { .few_args = true };
	struct rlog_error *stop = ra_alloc_zeros(1, sizeof(*stop));
	const int rc = ra_kineto_read(kineto, input, &options, stop, err);

	ra_kineto_input_close(input);
	if (rc != 0) {
		free(stop);
		return rc;
	}
	(*kineto)->stop = stop;
	ra_kineto_index(*kineto);
	return 0;
}

static int read_source(struct ra_kineto **kineto, struct ra_source *source, struct rlog_error *err)
{
	struct ra_kineto_input *input = NULL;
	int rc;

	if (source->pipe.count > 0 &&
	    !ra_kineto_load_input.probe(source->pipe.head, source->pipe.count)) {
		if (source->is_pipe) {
			close(source->pipe.fd);
		}
		return rlog_error_set(err, RLOG_E_NOT_A_LOG, RLOG_NO_OFFSET, "no trace in JSON");
	}
	rc = ra_kineto_load_open(&input, source, err);
	return rc != 0 ? rc : read_input(kineto, input, err);
}

static int read_file(struct ra_kineto_captures *captures, const char *path, struct rlog_error *err)
{
	struct rlog_error why = { .offset = RLOG_NO_OFFSET };
	struct ra_kineto *kineto = NULL;
	struct ra_source source;
	int rc = ra_source_open(&source, path, &why);

	if (rc == 0) {
		rc = read_source(&kineto, &source, &why);
		/* What is there is used, and the footer tells that it is not all. */
		(void) ra_source_finish(&source, kineto != NULL ? kineto->stop : NULL);
	}
	if (rc != 0) {
		return refuse(path, &why, err);
	}
	// NOLINTNEXTLINE(bugprone-sizeof-expression): an array of pointers
	RA_UTIL_APPEND(captures->traces, captures->count, captures->capacity, kineto);
	return 0;
}

static int is_trace(const struct dirent *entry)
{
	static const char suffix[] = ".json";
	const char *name = entry->d_name;
	size_t length = strlen(name);

	length -= ra_unpack_suffix(name, length);
	if (length > 3 && memcmp(name + length - 3, ".gz", 3) == 0) {
		length -= 3;
	}
	return name[0] != '.' && length >= sizeof(suffix) - 1 &&
	       memcmp(name + length - (sizeof(suffix) - 1), suffix, sizeof(suffix) - 1) == 0;
}

/* By bytes, so that a locale does not matter. */
static int compare_names(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

static int read_folder(struct ra_kineto_captures *captures, const char *folder,
                       struct rlog_error *err)
{
	struct dirent **entries = NULL;
	const int count = scandir(folder, &entries, is_trace, compare_names);
	int rc = count < 0 ? rlog_error_set(err, RLOG_E_SYSTEM, RLOG_NO_OFFSET,
	                                    "the folder of graph captures")
	                   : 0;

	for (int i = 0; i < count; i++) {
		char *path = ra_alloc_format("%s/%s", folder, entries[i]->d_name);

		if (rc == 0) {
			rc = read_file(captures, path, err);
			rc = rc == -RLOG_E_NOT_A_LOG ? 0 : rc; /* JSON of something else */
		}
		free(path);
		free(entries[i]);
	}
	free(entries);
	if (rc == 0 && captures->count == 0) {
		rc = rlog_error_set(err, RLOG_E_NOT_A_LOG, RLOG_NO_OFFSET,
		                    "no trace in JSON is in the folder of graph captures");
	}
	return rc;
}

int ra_kineto_captures_read(struct ra_kineto_captures *captures, const char *path,
                            struct rlog_error *err)
{
	struct stat status;

	return stat(path, &status) == 0 && S_ISDIR(status.st_mode)
	               ? read_folder(captures, path, err)
	               : read_file(captures, path, err);
}

void ra_kineto_captures_fini(struct ra_kineto_captures *captures)
{
	for (size_t i = 0; i < captures->count; i++) {
		ra_kineto_destroy(captures->traces[i]);
	}
	free(captures->traces);
}
