/* SPDX-License-Identifier: MIT */
/* After the end of a program: completes the logs of the spools it left, and says what came of it.
 */
#include "libranges/launcher/ranges-logs.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "format/wire.h"
#include "libranges/base/config.h"
#include "libranges/base/log.h"
#include "libranges/drain/output.h"
#include "libranges/launcher/ranges-elf.h"
#include "libranges/launcher/ranges-help.h"
#include "libranges/launcher/ranges-plan.h"
#include "libranges/drain/recover.h"

/* Logs named in the line about many; the others are counted. */
#define NAMED_LOGS 3

void rcap_ranges_logs_fini(struct rcap_ranges_logs *logs)
{
	free(logs->logs);
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
	/* O_NONBLOCK: it may be a pipe that nobody writes to. */
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

/* Says why a file is no spool for us, in words for who named it. */
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

/* What became of the log's name. */
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
	} else if (result->missing > 0) {
		rcap_log_line(RCAP_LOG_WARN, "%s was cut: %lu event%s are missing",
		              rcap_ranges_plan_shorten(result->path),
		              (unsigned long) result->missing, plural(result->missing));
	}
}

/* Counts what was left alone. */
static void count_refusal(struct rcap_ranges_logs *out, int refusal)
{
	out->alive += refusal == RCAP_RECOVER_ALIVE;
	out->busy += refusal == RCAP_RECOVER_BUSY;
	out->done += refusal == RCAP_RECOVER_GONE;
	out->unused += refusal == RCAP_RECOVER_UNUSED;
}

/* A process that loads libranges.so leaves a folder of this name in the run's. */
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

/* Of a capture that was switched on and off. */
static void add_switched(struct rcap_ranges_logs *out, const struct rcap_recover_result *result)
{
	out->outside += result->outside;
	out->kept += result->is_kept;
	out->snapshots += result->snapshots;
	out->skipped += result->skipped;
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

int rcap_ranges_logs_add_spool(struct rcap_ranges_logs *out, const char *spool, const char *output)
{
	const struct rcap_recover_options options = { .output = output,
		                                      .wait_ms = (int64_t) out->wait_ms };
	static struct rcap_recover_result result; /* holds a path: too large for a stack frame */
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
	out->bad_records += result.bad_records;
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

/* The name of log number `index` of those that the user wants under one name. */
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
	rmdir(directory); /* fails, as it should, while something is in it */
	return 0;
}

/* Of the logs of one process, which was several programs in turn: the plain name is the first's. */
static bool is_named_before(const char *path, const char *other)
{
	const size_t length = strlen(path);
	const size_t other_length = strlen(other);

	return length != other_length ? length < other_length : strcmp(path, other) < 0;
}

void rcap_ranges_logs_sort(struct rcap_ranges_logs *logs, int64_t root_pid)
{
	static struct rcap_ranges_log root; /* too large for a stack frame */
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

/* 999 B, 1.2 kB, 34.5 MB: decimal units, cut to one digit. */
static void format_size(uint64_t bytes, char *out, size_t size)
{
	static const char *const units[] = { "kB", "MB", "GB", "TB" };
	uint64_t tenths = bytes / 100;
	size_t unit = 0;

	if (bytes < 1000) {
		rcap_log_format(out, size, "%lu B", (unsigned long) bytes);
		return;
	}
	while (tenths >= 10000 && unit + 1 < sizeof(units) / sizeof(units[0])) {
		tenths /= 1000;
		unit++;
	}
	rcap_log_format(out, size, "%lu.%lu %s", (unsigned long) (tenths / 10),
	                (unsigned long) (tenths % 10), units[unit]);
}

/* "a.bin", "a.bin, b.bin, c.bin and 5 more". */
static void format_names(const struct rcap_ranges_logs *logs, char *out, size_t size)
{
	size_t length = 0;

	for (size_t i = 0; i < logs->count && i < NAMED_LOGS; i++) {
		length += rcap_log_format(out + length, size - length, "%s%s", i == 0 ? "" : ", ",
		                          rcap_ranges_plan_shorten(logs->logs[i].path));
	}
	if (logs->count > NAMED_LOGS) {
		rcap_log_format(out + length, size - length, " and %lu more",
		                (unsigned long) (logs->count - NAMED_LOGS));
	}
}

static size_t count_recovered(const struct rcap_ranges_logs *logs)
{
	size_t recovered = 0;

	for (size_t i = 0; i < logs->count; i++) {
		recovered += logs->logs[i].was_recovered;
	}
	return recovered;
}

/* True if all processes whose logs were completed had come to their end in order. */
static bool had_all_ended(const struct rcap_ranges_logs *logs)
{
	for (size_t i = 0; i < logs->count; i++) {
		if (logs->logs[i].was_recovered && !logs->logs[i].was_ending) {
			return false;
		}
	}
	return true;
}

/* What is out of the ordinary, behind the size: ", 2 of them completed after the program's death".
 * Workers of Python's multiprocessing end by os._exit() when all is well: that is no death. */
static void format_remarks(const struct rcap_ranges_logs *logs, char *out, size_t size)
{
	const size_t recovered = count_recovered(logs);
	const char *const how =
		logs->was_killed ? "completed after the program's death"
		: had_all_ended(logs)
			? "completed by ranges: the program had ended before all was written"
			: "completed by ranges: a process ended by _exit or was killed";
	size_t length = 0;

	out[0] = '\0';
	if (recovered > 0 && logs->count == 1) {
		length += rcap_log_format(out, size, ", %s", how);
	} else if (recovered > 0) {
		length += rcap_log_format(out, size, ", %lu of them %s", (unsigned long) recovered,
		                          how);
	}
	if (logs->bad_records > 0) {
		rcap_log_format(out + length, size - length, ", %lu damaged record%s left out",
		                (unsigned long) logs->bad_records, plural(logs->bad_records));
	}
}

static void report_alive(const struct rcap_ranges_logs *logs, const char *spools)
{
	if (logs->alive > 0) {
		rcap_log_line(
			RCAP_LOG_WARN,
			"%lu process%s of the program still run%s; afterwards: ranges recover %s",
			(unsigned long) logs->alive, logs->alive == 1 ? "" : "es",
			logs->alive == 1 ? "s" : "", spools);
	}
}

static void report_others(const struct rcap_ranges_logs *logs)
{
	if (logs->busy > 0) {
		rcap_log_line(RCAP_LOG_WARN, "another recovery is still at work on %lu log%s",
		              (unsigned long) logs->busy, plural(logs->busy));
	}
	if (logs->done > 0) {
		rcap_log_line(RCAP_LOG_WARN, "%lu log%s completed by another recovery",
		              (unsigned long) logs->done, logs->done == 1 ? " was" : "s were");
	}
}

/* What never came, of what was to switch the capture on. */
static void explain_never_on(const struct rcap_ranges_logs *logs, char *out, size_t size)
{
	const bool has_schedule = logs->first_on_step > 0;
	struct rcap_schedule schedule = { .skip = 0 };
	struct rcap_schedule_range range;
	const struct rcap_schedule_name *name = NULL;
	char why[1];

	out[0] = '\0';
	if (has_schedule && rcap_schedule_parse(logs->plan, &schedule, why, sizeof(why)) &&
	    schedule.on.length > 0) {
		name = &schedule.on;
	} else if (!has_schedule && logs->plan[0] != '\0' &&
	           rcap_schedule_parse_range(logs->plan, &range, why, sizeof(why))) {
		name = &range.name;
	}
	if (has_schedule && logs->steps > 0) {
		return;
	}
	if (name && !has_schedule && rcap_schedule_is_profiler(name)) {
		rcap_log_format(
			out, size,
			"; nobody called cudaProfilerStart(), or CUPTI was not there to tell");
	} else if (name) {
		rcap_log_format(out, size, "; no range matched %s%s%s%s", has_schedule ? "on=" : "",
		                name->text, name->has_domain ? "@" : "", name->domain);
	} else if (has_schedule) {
		rcap_log_format(out, size, "; nobody called ranges_step()");
	} else if (!logs->is_planned) {
		rcap_log_format(out, size, "; nobody started it");
	} else {
		rcap_log_format(out, size, "; the program ended before its time came");
	}
}

/* Captures that were switched, and never on. Return: false: it is not that. */
static bool report_never_on(const struct rcap_ranges_logs *logs)
{
	char why[2 * RCAP_SCHEDULE_NAME + 40];

	if (logs->switched == 0) {
		return false;
	}
	explain_never_on(logs, why, sizeof(why));
	if (logs->first_on_step > 0) {
		rcap_log_line(RCAP_LOG_WARN,
		              "the schedule was never active: %lu of %lu steps%s; there is no log "
		              "(%lu events outside the schedule)",
		              (unsigned long) logs->steps, (unsigned long) logs->first_on_step, why,
		              (unsigned long) logs->outside);
	} else {
		rcap_log_line(RCAP_LOG_WARN,
		              "the capture was never on%s; there is no log (%lu events while it "
		              "was off)",
		              why, (unsigned long) logs->outside);
	}
	return true;
}

/* A schedule that the program's end cut short: how far it came. Of one without end the first cycle
 * counts: each later one is as good as the program is long. */
static void report_short(const struct rcap_ranges_logs *logs)
{
	struct rcap_schedule schedule;
	char of[32] = "";
	char why[1];
	uint64_t length;
	uint64_t off;
	uint64_t at;

	if (logs->first_on_step == 0 || logs->steps < logs->first_on_step ||
	    !rcap_schedule_parse(logs->plan, &schedule, why, sizeof(why))) {
		return;
	}
	off = schedule.wait + schedule.warmup;
	length = off + schedule.active;
	if (logs->steps >=
	    (schedule.repeat == 0 ? schedule.skip + length : rcap_schedule_last(&schedule))) {
		return;
	}
	if (schedule.repeat != 0) {
		rcap_log_format(of, sizeof(of), " of %lu", (unsigned long) schedule.repeat);
	}
	at = logs->steps - schedule.skip - 1;
	rcap_log_line(RCAP_LOG_WARN,
	              "the schedule ended early: cycle %lu%s, %lu of %lu active steps",
	              (unsigned long) (at / length + 1), of,
	              (unsigned long) (at % length < off ? 0 : at % length + 1 - off),
	              (unsigned long) schedule.active);
}

/* No process recorded anything. */
static void report_none(const struct rcap_ranges_logs *logs, const char *domains)
{
	const char *why = "";
	const char *colon = ": ";

	if (logs->alive + logs->failed + logs->alone + logs->busy + logs->done + logs->gone != 0) {
		return;
	}
	if (logs->was_loaded && domains[0] == '\0') {
		why = "the program loaded libranges.so, but made no call that is recorded";
	} else if (!logs->was_loaded && logs->program != NULL) {
		why = rcap_ranges_elf_explain(logs->program);
	} else {
		colon = "";
	}
	rcap_log_line(RCAP_LOG_WARN, "no NVTX range was seen%s; there is no log%s%s", domains,
	              colon, why);
}

static void report_logs(const struct rcap_ranges_logs *logs)
{
	char names[600];
	char size[32];
	char remarks[200];
	char processes[48] = "";
	char outside[80] = "";
	char domains[200] = "";

	if (logs->domains != NULL && logs->domains[0] != '\0') {
		rcap_log_format(domains, sizeof(domains), " with RANGES_DOMAINS=%s", logs->domains);
	}
	if (logs->count == 0) {
		if (!report_never_on(logs)) {
			report_none(logs, domains);
		}
		return;
	}
	format_names(logs, names, sizeof(names));
	format_size(logs->size_bytes, size, sizeof(size));
	format_remarks(logs, remarks, sizeof(remarks));
	if (logs->count > 1) {
		rcap_log_format(processes, sizeof(processes), " in %lu processes",
		                (unsigned long) logs->count);
	}
	if (logs->switched > 0) {
		rcap_log_format(outside, sizeof(outside), ", %lu outside of %lu cycle%s",
		                (unsigned long) logs->outside, (unsigned long) logs->cycles,
		                plural(logs->cycles));
	}
	if (logs->switched == 0 && logs->kept > 0) {
		rcap_log_format(outside, sizeof(outside), ", %lu outside of the window",
		                (unsigned long) logs->outside);
	}
	if (logs->events == 0 && logs->lost == 0 && logs->switched == 0) {
		rcap_log_line(RCAP_LOG_WARN,
		              "no NVTX range was seen%s; the log is empty: %s (%s%s)", domains,
		              names, size, remarks);
		return;
	}
	rcap_log_line(RCAP_LOG_WARN, "%lu event%s, %lu thread%s, %lu lost%s%s: %s (%s%s)",
	              (unsigned long) logs->events, plural(logs->events),
	              (unsigned long) logs->threads, plural(logs->threads),
	              (unsigned long) logs->lost, outside, processes, names, size, remarks);
	for (size_t i = 0; logs->count > 1 && i < logs->count; i++) {
		RCAP_LOG(RCAP_LOG_INFO, "%s: %lu events, process %ld",
		         rcap_ranges_plan_shorten(logs->logs[i].path),
		         (unsigned long) logs->logs[i].events, (long) logs->logs[i].pid);
	}
}

void rcap_ranges_logs_report(const struct rcap_ranges_logs *logs, const char *spools)
{
	report_alive(logs, spools);
	report_others(logs);
	report_logs(logs);
	report_short(logs);
	if (logs->snapshots + logs->skipped > 0) {
		rcap_log_line(RCAP_LOG_WARN, "%lu snapshot%s, %lu skipped",
		              (unsigned long) logs->snapshots, plural(logs->snapshots),
		              (unsigned long) logs->skipped);
	}
	if (logs->refused > 0) {
		rcap_log_line(RCAP_LOG_WARN,
		              "the capture was not switched %lu time%s: that came faster than logs "
		              "could be written",
		              (unsigned long) logs->refused, plural(logs->refused));
	}
	if (logs->gpu_note[0] != '\0') {
		rcap_log_line(RCAP_LOG_WARN, "%s", logs->gpu_note);
	}
}
