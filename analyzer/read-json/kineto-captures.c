/* SPDX-License-Identifier: MIT */
/* Reads the traces that contain the captures of another trace's CUDA graphs. */
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

static const char *find_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash != NULL ? slash + 1 : path;
}

/* Puts the file's name before the message. Return: -code. */
static int refuse(const char *path, const struct rlog_error *why, struct rlog_error *err)
{
	const int code = why->code;

	errno = why->sys_errno; /* because the new message prints the error that errno names, too */
	return rlog_error_set(err, code, why->offset, "graph capture %s: %s", find_name(path),
	                      why->message);
}

/* Adds a line about a file that was not used, or only in part. */
static void note(struct ra_kineto_captures *captures, const char *path,
                 const struct rlog_error *why, const char *outcome)
{
	struct ra_util_text *text = &captures->notes;
	const char *name = find_name(path);

	ra_util_text_format(text, "graph capture ");
	ra_util_text_put_name(text, ra_util_string(name), RA_TEXT_TERMINAL);
	if (why->offset != RLOG_NO_OFFSET) {
		ra_util_text_format(text, ": offset %llu", (unsigned long long) why->offset);
	}
	ra_util_text_format(text, ": %s", why->message);
	if (why->code == RLOG_E_SYSTEM && strerrordesc_np(why->sys_errno) != NULL) {
		ra_util_text_format(text, ": %s", strerrordesc_np(why->sys_errno));
	}
	ra_util_text_format(text, "; %s\n", outcome);
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

/* Notes that a trace was read but is not complete. */
static void note_damage(struct ra_kineto_captures *captures, const char *path,
                        const struct ra_kineto *kineto)
{
	if (kineto->stop->code != 0) {
		note(captures, path, kineto->stop,
		     kineto->goes_on ? "the rest is used" : "what stands before is used");
	}
	captures->damaged += kineto->stop->code != 0 || kineto->oddities.damages > 0;
}

static int read_file(struct ra_kineto_captures *captures, const char *path, struct rlog_error *why)
{
	struct ra_kineto *kineto = NULL;
	struct ra_source source;
	int rc = ra_source_open(&source, path, why);

	if (rc == 0) {
		rc = read_source(&kineto, &source, why);
		(void) ra_source_finish(&source, kineto != NULL ? kineto->stop : NULL);
	}
	if (rc == 0 && kineto != NULL) {
		note_damage(captures, path, kineto);
		// NOLINTNEXTLINE(bugprone-sizeof-expression): an array of pointers
		RA_UTIL_APPEND(captures->traces, captures->count, captures->capacity, kineto);
	}
	return rc;
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

/* Compares names by their bytes, so that the locale does not matter. */
static int compare_names(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

/* Accepts only regular files: reading a pipe could block, and a folder is not a trace. */
static int check_regular(const char *path, struct rlog_error *why)
{
	struct stat status;

	return stat(path, &status) == 0 && !S_ISREG(status.st_mode)
	               ? rlog_error_set(why, RLOG_E_NOT_A_FILE, RLOG_NO_OFFSET,
	                                "this is not a regular file")
	               : 0;
}

/* Reads one file of a folder. Return: 0 to go on with the others, -RLOG_E_NO_MEMORY. */
static int read_entry(struct ra_kineto_captures *captures, const char *path,
                      struct rlog_error *first)
{
	struct rlog_error why = { .offset = RLOG_NO_OFFSET };
	int rc = check_regular(path, &why);

	if (rc == 0) {
		rc = read_file(captures, path, &why);
	}
	if (rc == 0 || rc == -RLOG_E_NOT_A_LOG) {
		return 0; /* it may also be JSON of another kind */
	}
	if (rc == -RLOG_E_NO_MEMORY) {
		return refuse(path, &why, first);
	}
	if (captures->unread++ == 0) {
		(void) refuse(path, &why, first);
	}
	note(captures, path, &why, "it is left out");
	return 0;
}

static int read_folder(struct ra_kineto_captures *captures, const char *folder,
                       struct rlog_error *err)
{
	struct dirent **entries = NULL;
	const int count = scandir(folder, &entries, is_trace, compare_names);
	struct rlog_error first = { .offset = RLOG_NO_OFFSET };
	int rc = count < 0 ? rlog_error_set(err, RLOG_E_SYSTEM, RLOG_NO_OFFSET,
	                                    "the folder of graph captures")
	                   : 0;

	for (int i = 0; i < count; i++) {
		char *path = ra_alloc_format("%s/%s", folder, entries[i]->d_name);

		if (rc == 0) {
			rc = read_entry(captures, path, &first);
		}
		free(path);
		free(entries[i]);
	}
	free(entries);
	if (rc != 0 || captures->count > 0) {
		return rc;
	}
	if (captures->unread > 0) {
		*err = first;
		return -first.code;
	}
	return rlog_error_set(
		err, RLOG_E_NOT_A_LOG, RLOG_NO_OFFSET,
		"no trace in JSON is in the folder of graph captures; those below it are "
		"not looked into");
}

int ra_kineto_captures_read(struct ra_kineto_captures *captures, const char *path,
                            struct rlog_error *err)
{
	struct rlog_error why = { .offset = RLOG_NO_OFFSET };
	struct stat status;

	if (stat(path, &status) == 0 && S_ISDIR(status.st_mode)) {
		return read_folder(captures, path, err);
	}
	return read_file(captures, path, &why) == 0 ? 0 : refuse(path, &why, err);
}

void ra_kineto_captures_fini(struct ra_kineto_captures *captures)
{
	for (size_t i = 0; i < captures->count; i++) {
		ra_kineto_destroy(captures->traces[i]);
	}
	free(captures->traces);
	ra_util_text_free(&captures->notes);
}
