/* SPDX-License-Identifier: MIT */
/* After the end of a program: completes the logs of the spools it left. */
#include "libranges/launcher/logs/ranges-logs.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "format/wire.h"
#include "libranges/settings/config.h"
#include "libranges/base/log.h"
#include "libranges/drain/output.h"
#include "libranges/launcher/logs/ranges-elf.h"
#include "libranges/launcher/shared/ranges-help.h"
#include "libranges/launcher/logs/ranges-plan.h"
#include "libranges/recover/recover.h"

void rcap_ranges_logs_fini(struct rcap_ranges_logs *logs)
{
	free(logs->logs);
	rcap_ranges_logs_kept_free(logs->kept_only);
	memset(logs, 0, sizeof(*logs));
}

static int add_log(struct rcap_ranges_logs *out, const struct rcap_recover_result *result)
{
	struct rcap_ranges_log *log;

	if (out->count == out->capacity) {
		const size_t capacity = out->capacity == 0 ? 8 : 2 * out->capacity;
		struct rcap_ranges_log *const grown = realloc(out->logs, capacity * sizeof(*grown));

		if (grown == NULL) {
			return -RLOG_E_NO_MEMORY;
		}
		out->logs = grown;
		out->capacity = capacity;
	}
	log = &out->logs[out->count++];
	rcap_log_format(log->path, sizeof(log->path), "%s", result->path);
	log->pid = result->pid;
	log->events = result->events;
	log->lost = result->lost;
	log->threads = result->threads;
	log->size_bytes = result->size_bytes;
	log->cycles = result->cycles;
	log->is_numbered = result->is_numbered;
	log->was_recovered = !result->was_closed;
	log->was_ending = result->was_ending;
	return 0;
}

static bool is_log(const char *path)
{
	uint8_t start[RLOG_MARKER_BYTES] = { 0 };
	/* O_NONBLOCK, because the file may be a pipe that nobody writes to. */
	const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	ssize_t length = -1;

	if (fd >= 0) {
		length = read(fd, start, sizeof(start));
		close(fd);
	}
	return length == RLOG_MARKER_BYTES && memcmp(start, RLOG_MARKER, sizeof(start)) == 0;
}

static const char *plural(uint64_t count)
{
	return count == 1 ? "" : "s";
}

/* Reports why a file is not a spool that we can use, to the user who named it. */
static void report_unreadable(const char *path, const struct rlog_error *err)
{
	const char *why = "it is not a spool of this version";
	char owner[80];
	struct stat st;

	if (is_log(path)) {
		why = "it is a log, not a spool";
	} else if (lstat(path, &st) == 0 && S_ISREG(st.st_mode) && st.st_uid != geteuid()) {
		rcap_log_format(owner, sizeof(owner),
		                "no permission: it belongs to user %u, who can recover it",
		                (unsigned) st.st_uid);
		why = owner;
	} else if (err->code == RLOG_E_SYSTEM && err->sys_errno != 0) {
		why = rcap_ranges_help_errno(err->sys_errno);
	}
	rcap_log_line(RCAP_LOG_ERROR, "cannot recover %s: %s", rcap_ranges_plan_shorten(path), why);
}

static void report_failure(const char *spool, const struct rcap_recover_result *result,
                           const struct rlog_error *err)
{
	if (result->pid == 0) {
		report_unreadable(spool, err);
		return;
	}
	rcap_log_line(RCAP_LOG_ERROR,
	              "the log of process %ld is not complete: %s; %lu event%s stay in the spool, "
	              "\"ranges recover %s -o FILE\" writes them",
	              (long) result->pid, err->message, (unsigned long) result->left,
	              plural(result->left), spool);
}

/* Reports if the log is not at its old path, or was copied. */
static void report_place(const struct rcap_recover_result *result)
{
	char begun[RCAP_CONFIG_PATH_BYTES];

	rcap_log_format(begun, sizeof(begun), "%s", rcap_ranges_plan_shorten(result->begun));
	if (result->is_elsewhere && result->path[0] == '\0') {
		rcap_log_line(
			RCAP_LOG_WARN,
			"the log of process %ld, with %lu event%s, is no longer at %s: it was "
			"moved, deleted or replaced",
			(long) result->pid, (unsigned long) result->events, plural(result->events),
			begun);
	} else if (result->is_elsewhere) {
		rcap_log_line(RCAP_LOG_WARN,
		              "%s was moved, deleted or replaced: %lu event%s of process %ld that "
		              "were in it are missing in %s",
		              begun, (unsigned long) result->missing, plural(result->missing),
		              (long) result->pid, rcap_ranges_plan_shorten(result->path));
	} else if (result->begun[0] != '\0') {
		rcap_log_line(RCAP_LOG_WARN, "%s stays as it is: %s is a complete copy", begun,
		              rcap_ranges_plan_shorten(result->path));
	} else if (result->missing > 0 && result->is_kept) {
		rcap_log_line(
			RCAP_LOG_WARN,
			"pieces of what was kept were moved, deleted or replaced: %lu event%s "
			"of process %ld that were in them are missing in %s",
			(unsigned long) result->missing, plural(result->missing),
			(long) result->pid, rcap_ranges_plan_shorten(result->path));
	} else if (result->missing > 0) {
		rcap_log_line(RCAP_LOG_WARN, "%s was cut: %lu event%s are missing",
		              rcap_ranges_plan_shorten(result->path),
		              (unsigned long) result->missing, plural(result->missing));
	}
}

/* Counts the spools that are left alone. */
static void count_refusal(struct rcap_ranges_logs *out, int refusal)
{
	out->alive += refusal == RCAP_RECOVER_ALIVE;
	out->busy += refusal == RCAP_RECOVER_BUSY;
	out->done += refusal == RCAP_RECOVER_GONE;
	out->unused += refusal == RCAP_RECOVER_UNUSED;
}

/* A process that loads libranges.so makes a folder of this name in the run's folder. */
static bool take_loaded_mark(const char *directory)
{
	char path[RCAP_CONFIG_PATH_BYTES + sizeof(RCAP_CONFIG_LOADED_MARK) + 1];

	rcap_log_format(path, sizeof(path), "%s/" RCAP_CONFIG_LOADED_MARK, directory);
	return rmdir(path) == 0;
}

void rcap_ranges_logs_remove_directory(const char *spool)
{
	char path[RCAP_CONFIG_PATH_BYTES];
	char shared[32];
	const char *const slash = strrchr(spool, '/');
	const char *name;

	if (slash == NULL) {
		return;
	}
	rcap_log_format(path, sizeof(path), "%.*s", (int) (slash - spool), spool);
	rcap_log_format(shared, sizeof(shared), "ranges-%u", (unsigned) geteuid());
	name = strrchr(path, '/');
	name = name != NULL ? name + 1 : path;
	if (strncmp(name, "ranges-", 7) == 0 && strcmp(name, shared) != 0) {
		take_loaded_mark(path);
		rmdir(path);
	}
}

/* Adds the results of a capture that was switched on and off. */
static void add_switched(struct rcap_ranges_logs *out, const struct rcap_recover_result *result)
{
	out->outside += result->outside;
	out->kept += result->is_kept;
	if (result->is_kept) {
		rcap_ranges_logs_kept_add(&out->kept_only, &result->kept);
	}
	if (!result->is_switched) {
		return;
	}
	out->switched++;
	out->cycles += result->cycles;
	out->refused += result->refused;
	out->steps = result->steps > out->steps ? result->steps : out->steps;
	out->first_on_step = result->first_on_step;
	out->is_planned = result->is_planned;
	memcpy(out->plan, result->plan, sizeof(out->plan));
}

static void add_full(struct rcap_ranges_logs *out, const struct rcap_recover_result *result)
{
	out->full += result->full;
	if (result->full > out->most_full) {
		out->most_full = result->full;
		out->buffer_bytes = result->buffer_bytes;
		out->bound = result->bound;
		out->grow_error = result->grow_error;
	}
}

int rcap_ranges_logs_add_spool(struct rcap_ranges_logs *out, const char *spool, const char *output)
{
	const struct rcap_recover_options options = { .output = output,
		                                      .wait_ms = (int64_t) out->wait_ms };
	static struct rcap_recover_result result; /* static, because a path is too large for a stack
	                                           * frame */
	struct rlog_error err = { .code = RLOG_OK };
	int rc;

	memset(&result, 0, sizeof(result));
	out->spools++;
	rc = rcap_recover_spool(spool, &options, &result, &err);
	if (rc > 0) {
		count_refusal(out, rc);
		if (rc == RCAP_RECOVER_GONE || rc == RCAP_RECOVER_UNUSED) {
			rcap_ranges_logs_remove_directory(spool);
		}
		return 0;
	}
	if (rc == 0 && result.path[0] != '\0') {
		rc = add_log(out, &result);
	}
	if (rc < 0) {
		out->failed++;
		report_failure(spool, &result, &err);
		return rc;
	}
	report_place(&result);
	if (result.note[0] != '\0') {
		rcap_log_line(RCAP_LOG_WARN, "process %ld had trouble with its log: %s",
		              (long) result.pid, result.note);
	}
	if (out->gpu_note[0] == '\0') {
		memcpy(out->gpu_note, result.gpu_note, sizeof(out->gpu_note));
	}
	rcap_ranges_logs_remove_directory(spool);
	add_switched(out, &result);
	if (result.path[0] == '\0') {
		out->gone += !result.is_switched;
		return 0;
	}
	out->events += result.events;
	out->lost += result.lost;
	add_full(out, &result);
	out->bad_records += result.bad_records;
	out->nameless += result.nameless;
	out->threads += result.threads;
	out->size_bytes += result.size_bytes;
	return 0;
}

static int keep_visible(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

static int compare_entries(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

/* Makes the name of log number `index`, if the user gave one name for all logs. */
static const char *name_output(char *out, size_t size, const char *output, size_t index)
{
	if (output == NULL || index == 0) {
		return output;
	}
	return rcap_output_number(out, size, output, index) == 0 ? out : NULL;
}

int rcap_ranges_logs_add_directory(struct rcap_ranges_logs *out, const char *directory,
                                   const char *output)
{
	struct dirent **entries = NULL;
	const int count = scandir(directory, &entries, keep_visible, compare_entries);

	if (count < 0) {
		return errno;
	}
	for (int i = 0; i < count; i++) {
		char spool[RCAP_CONFIG_PATH_BYTES];
		char numbered[RCAP_CONFIG_PATH_BYTES];
		struct stat st;

		rcap_log_format(spool, sizeof(spool), "%s/%s", directory, entries[i]->d_name);
		free(entries[i]);
		if (lstat(spool, &st) == 0 && S_ISREG(st.st_mode)) {
			rcap_ranges_logs_add_spool(
				out, spool,
				name_output(numbered, sizeof(numbered), output, out->count));
		} else if (strstr(spool, "/alone-") != NULL && rmdir(spool) == 0) {
			out->alone++;
		}
	}
	free(entries);
	out->was_loaded = take_loaded_mark(directory) || out->was_loaded;
	rmdir(directory); /* fails, as it should, while the directory is not empty */
	return 0;
}

/* If one process has run several programs one after the other, the first one has the plain name. */
static bool is_named_before(const char *path, const char *other)
{
	const size_t length = strlen(path);
	const size_t other_length = strlen(other);

	return length != other_length ? length < other_length : strcmp(path, other) < 0;
}

void rcap_ranges_logs_sort(struct rcap_ranges_logs *logs, int64_t root_pid)
{
	static struct rcap_ranges_log root; /* static, because it is too large for a stack frame */
	size_t first = logs->count;

	for (size_t i = 0; i < logs->count; i++) {
		if (logs->logs[i].pid == root_pid &&
		    (first == logs->count ||
		     is_named_before(logs->logs[i].path, logs->logs[first].path))) {
			first = i;
		}
	}
	if (first < logs->count) {
		root = logs->logs[first];
		memmove(&logs->logs[1], &logs->logs[0], first * sizeof(root));
		logs->logs[0] = root;
	}
}
