/* SPDX-License-Identifier: MIT */
/* The lines about the logs of a program that has ended. */
#include "libranges/launcher/logs/ranges-logs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "libranges/settings/config.h"
#include "libranges/base/log.h"
#include "libranges/launcher/logs/ranges-elf.h"
#include "libranges/launcher/shared/ranges-help.h"
#include "libranges/launcher/logs/ranges-plan.h"
#include "libranges/spool/room.h"

/* The line names so many logs, and counts the others. */
#define NAMED_LOGS 3

static const char *plural(uint64_t count)
{
	return count == 1 ? "" : "s";
}

/* Writes a size like 999 B, 1.2 kB, 34.5 MB, in decimal units, cut to one digit. */
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

/* Writes names like "a.bin" or "a.bin, b.bin, c.bin and 5 more". */
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

/* Writes the size of all logs together. The printed line names only the last log of a process. If
 * there are more, the text also says how many logs there are. */
static void format_sizes(const struct rcap_ranges_logs *logs, char *out, size_t size)
{
	char bytes[32];

	format_size(logs->size_bytes, bytes, sizeof(bytes));
	if (logs->cycles > logs->count) {
		rcap_log_format(out, size, "%s in %lu logs", bytes, (unsigned long) logs->cycles);
	} else {
		rcap_log_format(out, size, "%s", bytes);
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

/* True if all processes whose logs were completed here had ended in order. */
static bool had_all_ended(const struct rcap_ranges_logs *logs)
{
	for (size_t i = 0; i < logs->count; i++) {
		if (logs->logs[i].was_recovered && !logs->logs[i].was_ending) {
			return false;
		}
	}
	return true;
}

/* Adds remarks about what is unusual after the size, like ", 2 of them completed after the
 * program's death". Workers of Python's multiprocessing end normally by os._exit(), which is not
 * called a death. */
static void format_remarks(const struct rcap_ranges_logs *logs, char *out, size_t size)
{
	const size_t recovered = count_recovered(logs);
	const char *const how =
		logs->was_killed ? "completed after the program's death"
		: had_all_ended(logs)
			? "completed by ranges: the program ended before all was written"
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
		rcap_log_line(RCAP_LOG_WARN,
		              "%lu process%s of the program still run%s; complete their logs "
		              "afterwards: ranges recover %s",
		              (unsigned long) logs->alive, logs->alive == 1 ? "" : "es",
		              logs->alive == 1 ? "s" : "", spools);
	}
}

static void report_others(const struct rcap_ranges_logs *logs, const char *spools)
{
	if (logs->busy > 0) {
		rcap_log_line(RCAP_LOG_WARN,
		              "another recovery still works on %lu log%s; if it does not finish: "
		              "ranges recover %s",
		              (unsigned long) logs->busy, plural(logs->busy), spools);
	}
	if (logs->done > 0) {
		rcap_log_line(RCAP_LOG_WARN, "%lu log%s completed by another recovery",
		              (unsigned long) logs->done, logs->done == 1 ? " was" : "s were");
	}
}

/* Names the step or range that would have switched the capture on, but never came. */
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
			"; nobody called cudaProfilerStart(), or CUPTI was not there to report it");
	} else if (name) {
		rcap_log_format(out, size, "; no range matched %s%s%s%s", has_schedule ? "on=" : "",
		                name->text, name->has_domain ? "@" : "", name->domain);
	} else if (has_schedule) {
		rcap_log_format(out, size, "; nobody called ranges_step()");
	} else if (!logs->is_planned) {
		rcap_log_format(out, size, "; nobody started it");
	} else {
		rcap_log_format(out, size, "; the program ended before the capture was due");
	}
}

/* Reports captures that were never on. Return: false if there are none. */
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

/* Reports how many cycles a schedule has done, if the program's end cut it short. An endless
 * schedule was cut short if the program ended within the active steps of a cycle, or in the first
 * cycle. */
static void report_short(const struct rcap_ranges_logs *logs)
{
	struct rcap_schedule schedule;
	char of[32] = "";
	char why[1];
	uint64_t length;
	uint64_t active; /* number of steps begun in the last cycle */
	uint64_t off;
	uint64_t at;

	if (logs->first_on_step == 0 || logs->steps < logs->first_on_step ||
	    !rcap_schedule_parse(logs->plan, &schedule, why, sizeof(why))) {
		return;
	}
	off = schedule.wait + schedule.warmup;
	length = off + schedule.active;
	at = logs->steps - schedule.skip - 1;
	active = at % length < off ? 0 : at % length + 1 - off;
	if (schedule.repeat != 0 ? logs->steps >= rcap_schedule_last(&schedule)
	                         : active == schedule.active || (active == 0 && at >= length)) {
		return;
	}
	if (schedule.repeat != 0) {
		rcap_log_format(of, sizeof(of), " of %lu", (unsigned long) schedule.repeat);
	}
	rcap_log_line(RCAP_LOG_WARN,
	              "the schedule ended early: cycle %lu%s, %lu of %lu active steps",
	              (unsigned long) (at / length + 1), of, (unsigned long) active,
	              (unsigned long) schedule.active);
}

/* Says why a buffer was full, and what to do about it. */
static void report_full(const struct rcap_ranges_logs *logs)
{
	const bool is_file = logs->bound == RCAP_ROOM_FILES || logs->grow_error == ENOSPC ||
	                     logs->grow_error == EDQUOT;
	const char *advice = is_file ? ": RANGES_SPOOL_DIR names another folder"
	                     : logs->bound == RCAP_ROOM_SETTING && logs->grow_error == 0
	                             ? ": --buffer makes it larger, --on-full block waits"
	                             : "";
	char size[32];

	if (logs->full == 0) {
		return;
	}
	format_size(logs->buffer_bytes, size, sizeof(size));
	if (logs->grow_error != 0) {
		rcap_log_line(RCAP_LOG_WARN,
		              "%lu lost because the buffer was full and could not grow (%s)%s",
		              (unsigned long) logs->full, rcap_ranges_help_errno(logs->grow_error),
		              advice);
	} else {
		rcap_log_line(RCAP_LOG_WARN,
		              "%lu lost because the buffer was full (%s, limited by %s)%s",
		              (unsigned long) logs->full, size,
		              rcap_room_name((enum rcap_room_bound) logs->bound), advice);
	}
}

/* Reports that no process recorded anything. */
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
	char size[64];
	char remarks[200];
	char processes[48] = "";
	char outside[80] = "";
	char nameless[48] = "";
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
	format_sizes(logs, size, sizeof(size));
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
	if (logs->events == 0 && logs->kept > 0 && logs->outside > 0 && logs->switched == 0) {
		rcap_log_line(RCAP_LOG_WARN,
		              "the part that is kept has no events: all events are older");
	} else if (logs->events == 0 && logs->lost == 0 && logs->switched == 0) {
		rcap_log_line(RCAP_LOG_WARN,
		              "no NVTX range was seen%s; the log is empty: %s (%s%s)", domains,
		              names, size, remarks);
		return;
	}
	if (logs->nameless > 0) {
		rcap_log_format(nameless, sizeof(nameless), ", %lu without a name",
		                (unsigned long) logs->nameless);
	}
	rcap_log_line(RCAP_LOG_WARN, "%lu event%s, %lu thread%s, %lu lost%s%s%s: %s (%s%s)",
	              (unsigned long) logs->events, plural(logs->events),
	              (unsigned long) logs->threads, plural(logs->threads),
	              (unsigned long) logs->lost, outside, nameless, processes, names, size,
	              remarks);
	if (logs->nameless > 0) {
		rcap_log_line(RCAP_LOG_WARN,
		              "there were more names than RANGES_NAMES_MAX or RANGES_NAMES_BYTES "
		              "allow: events with further names have no name");
	}
	for (size_t i = 0; logs->count > 1 && i < logs->count; i++) {
		RCAP_LOG(RCAP_LOG_INFO, "%s: %lu events, process %ld",
		         rcap_ranges_plan_shorten(logs->logs[i].path),
		         (unsigned long) logs->logs[i].events, (long) logs->logs[i].pid);
	}
}

void rcap_ranges_logs_report(const struct rcap_ranges_logs *logs, const char *spools)
{
	report_alive(logs, spools);
	report_others(logs, spools);
	report_logs(logs);
	report_full(logs);
	report_short(logs);
	rcap_ranges_logs_kept_report(logs->count > 0 ? logs->kept_only : NULL);
	if (logs->refused > 0) {
		rcap_log_line(RCAP_LOG_WARN,
		              "the capture was not switched %lu time%s: the switches came faster "
		              "than logs could be written",
		              (unsigned long) logs->refused, plural(logs->refused));
	}
	if (logs->gpu_note[0] != '\0') {
		rcap_log_line(RCAP_LOG_WARN, "%s", logs->gpu_note);
	}
}
