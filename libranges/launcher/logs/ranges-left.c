/* SPDX-License-Identifier: MIT */
/* Finds the spools that programs of this user have left, or still use. */
#include "libranges/launcher/logs/ranges-left.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "libranges/settings/config.h"
#include "libranges/base/log.h"
#include "libranges/recover/recover.h"
#include "libranges/launcher/logs/ranges-logs.h"

#define SUFFIX ".spool"

static int compare_entries(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

/* Names of directories: ranges-1000 for programs without a launcher, ranges-a1B2c3 for a
 * launcher. */
static int keep_directory(const struct dirent *entry)
{
	return strncmp(entry->d_name, "ranges-", 7) == 0;
}

static int keep_spool(const struct dirent *entry)
{
	const size_t length = strlen(entry->d_name);

	return length > strlen(SUFFIX) &&
	       strcmp(entry->d_name + length - strlen(SUFFIX), SUFFIX) == 0;
}

static size_t print_spool(void *context, const char *path)
{
	static struct rcap_recover_result result; /* static, because a path is too large for a stack
	                                           * frame */
	struct rlog_error err = { .code = RLOG_OK };
	const int rc = rcap_recover_look(path, &result, &err);
	const char *state = "dead";

	(void) context;
	if (rc == RCAP_RECOVER_GONE) {
		return 0;
	}
	if (rc < 0 && rc != -RLOG_E_EMPTY) { /* the spool was removed meanwhile, or is of another
		                              * version */
		if (access(path, F_OK) == 0) {
			rcap_log_line(RCAP_LOG_WARN, "%s", err.message);
		}
		return 0;
	}
	if (rc == RCAP_RECOVER_ALIVE) {
		state = "alive";
	} else if (rc == RCAP_RECOVER_BUSY) {
		state = "busy";
	} else if (result.is_unsure) {
		state = "unknown";
	}
	printf("%-7s %7ld  %s  %s\n", state, (long) result.pid, result.program, path);
	return 1;
}

/* True for a directory that is not a link, and belongs to us, unless others are allowed. */
static bool is_directory(const char *path, bool with_others)
{
	struct stat st;

	return lstat(path, &st) == 0 && S_ISDIR(st.st_mode) &&
	       (with_others || st.st_uid == geteuid());
}

/* Called with the path of each entry. Return: number of spools that are counted. */
typedef size_t visit_fn(void *context, const char *path);

static size_t visit_entries(const char *directory, int (*keep)(const struct dirent *),
                            visit_fn *visit, void *context)
{
	struct dirent **entries = NULL;
	const int count = scandir(directory, &entries, keep, compare_entries);
	size_t count_visited = 0;

	for (int i = 0; i < count; i++) {
		char path[RCAP_CONFIG_PATH_BYTES];

		rcap_log_format(path, sizeof(path), "%s/%s", directory, entries[i]->d_name);
		count_visited += visit(context, path);
		free(entries[i]);
	}
	free(entries);
	return count_visited;
}

/* State of a visit to the spools in all directories. */
struct tour {
	visit_fn *spool;
	void *context;
	bool with_launcher; /* visits also spools of runs whose launcher lives */
	bool with_others;   /* visits also spools of other users */
};

static size_t visit_directory(void *context, const char *path)
{
	const struct tour *const tour = context;
	size_t count = 0;
	int fd = -1;

	if (!is_directory(path, tour->with_others)) {
		return 0;
	}
	/* Leaves out spools that a launcher will complete. A launcher locks its directory. */
	fd = tour->with_launcher ? -1 : open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0 || flock(fd, LOCK_EX | LOCK_NB) == 0) {
		count = visit_entries(path, keep_spool, tour->spool, tour->context);
	}
	if (fd >= 0) {
		close(fd);
	}
	return count;
}

/* Visits the directories of all places. */
static size_t visit_places(const char *spool_dir, visit_fn *visit, void *context)
{
	/* Both variables may name the same place. */
	const char *const temporary = secure_getenv("TMPDIR");
	const bool is_other = temporary && temporary[0] == '/' && strcmp(temporary, "/tmp") != 0 &&
	                      strcmp(temporary, "/dev/shm") != 0;
	size_t visited;

	if (spool_dir[0] != '\0') {
		return visit_entries(spool_dir, keep_directory, visit, context);
	}
	visited = visit_entries("/dev/shm", keep_directory, visit, context);
	if (is_other) {
		visited += visit_entries(temporary, keep_directory, visit, context);
	}
	return visited + visit_entries("/tmp", keep_directory, visit, context);
}

static size_t visit_all(const char *spool_dir, struct tour *tour)
{
	return visit_places(spool_dir, visit_directory, tour);
}

static size_t count_spool(void *context, const char *path)
{
	(void) context;
	(void) path;
	return 1;
}

/* Returns 1 for the directory of a launcher whose programs have made no spool yet. */
static size_t count_waiting(void *context, const char *path)
{
	bool is_locked;
	int fd;

	(void) context;
	fd = is_directory(path, false) ? open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
	if (fd < 0) {
		return 0;
	}
	/* The launcher locks the directory as long as it lives. */
	is_locked = flock(fd, LOCK_EX | LOCK_NB) != 0;
	close(fd);
	return is_locked && visit_entries(path, keep_spool, count_spool, NULL) == 0;
}

size_t rcap_ranges_left_count_waiting(const char *spool_dir)
{
	return visit_places(spool_dir, count_waiting, NULL);
}

size_t rcap_ranges_left_print(const char *spool_dir)
{
	struct tour tour = { .spool = print_spool, .with_launcher = true };

	return visit_all(spool_dir, &tour);
}

/* Which spools are chosen, and what is done with them. */
struct choice {
	uint64_t older_s;
	rcap_ranges_left_visit_fn *visit;
	void *context;
};

/* True if the file was last written to that long ago, or does not exist. */
static bool is_older(const char *path, uint64_t seconds)
{
	const time_t now = time(NULL);
	struct stat st;

	return stat(path, &st) != 0 ||
	       (st.st_mtime <= now && (uint64_t) (now - st.st_mtime) >= seconds);
}

static size_t choose_spool(void *context, const char *path)
{
	static struct rcap_recover_result result; /* static, because a path is too large for a stack
	                                           * frame */
	const struct choice *const choice = context;
	struct rlog_error err = { .code = RLOG_OK };
	const int rc = rcap_recover_look(path, &result, &err);

	/* A spool without events also belongs to a dead program. */
	if ((rc != 0 && rc != -RLOG_E_EMPTY) || result.is_unsure) {
		return 0;
	}
	/* The time of a mapped file shows only when it grew. The log's time shows when the log was
	 * last written to. */
	if (choice->older_s > 0 &&
	    (!is_older(path, choice->older_s) ||
	     (result.path[0] != '\0' && !is_older(result.path, choice->older_s)))) {
		return 0;
	}
	if (choice->visit) {
		choice->visit(choice->context, path);
	}
	return 1;
}

size_t rcap_ranges_left_visit(const char *spool_dir, uint64_t older_s,
                              rcap_ranges_left_visit_fn *visit, void *context)
{
	struct choice choice = { older_s, visit, context };
	struct tour tour = { .spool = choose_spool, .context = &choice };

	return visit_all(spool_dir, &tour);
}

static size_t visit_spool(void *context, const char *path)
{
	const struct choice *const choice = context;

	choice->visit(choice->context, path);
	return 1;
}

void rcap_ranges_left_visit_any(const char *spool_dir, rcap_ranges_left_visit_fn *visit,
                                void *context)
{
	struct choice choice = { 0, visit, context };
	struct tour tour = { .spool = visit_spool, .context = &choice, .with_launcher = true };

	visit_all(spool_dir, &tour);
}

void rcap_ranges_left_visit_readable(const char *spool_dir, rcap_ranges_left_visit_fn *visit,
                                     void *context)
{
	struct choice choice = { 0, visit, context };
	struct tour tour = {
		.spool = visit_spool, .context = &choice, .with_launcher = true, .with_others = true
	};

	visit_all(spool_dir, &tour);
}

void rcap_ranges_left_delete(void *context, const char *path)
{
	(void) context;
	if (unlink(path) == 0) {
		rcap_ranges_logs_remove_directory(path);
	}
}
