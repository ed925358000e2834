/* SPDX-License-Identifier: MIT */
/* Reports on captures that kept only their last part: snapshots and conditions. */
#include "libranges/launcher/logs/ranges-logs-kept.h"

#include <stdlib.h>
#include <string.h>

#include "libranges/base/log.h"
#include "libranges/settings/trigger.h"
#include "libranges/launcher/logs/ranges-plan.h"

struct rcap_ranges_logs_kept {
	struct rcap_recover_kept sum;
	uint64_t snapshots;
	uint64_t skipped;
};

void rcap_ranges_logs_kept_add(struct rcap_ranges_logs_kept **kept,
                               const struct rcap_recover_kept *process)
{
	struct rcap_recover_kept *sum;

	if (!*kept) {
		*kept = calloc(1, sizeof(**kept));
	}
	if (!*kept) {
		return;
	}
	sum = &(*kept)->sum;
	(*kept)->snapshots += process->snapshots;
	(*kept)->skipped += process->skipped;
	for (uint32_t i = 0; i < process->told && sum->told < RCAP_RECOVER_TOLD; i++) {
		sum->logs[sum->told++] = process->logs[i];
	}
	if (sum->when[0] == '\0') {
		memcpy(sum->when, process->when, sizeof(sum->when));
	}
	for (size_t i = 0; i < RCAP_TRIGGERS && strcmp(sum->when, process->when) == 0; i++) {
		sum->seen[i] += process->seen[i];
		sum->met[i] += process->met[i];
		sum->unnamed[i] += process->unnamed[i];
	}
}

static void report_snapshots(const struct rcap_ranges_logs_kept *kept)
{
	for (uint32_t i = 0; i < kept->sum.told; i++) {
		const struct rcap_kept_log *log = &kept->sum.logs[i];

		rcap_log_line(RCAP_LOG_WARN, "snapshot %lu, by %s%s%s%s: %s",
		              (unsigned long) log->number, log->by, log->why[0] != '\0' ? " (" : "",
		              log->why, log->why[0] != '\0' ? ")" : "",
		              rcap_ranges_plan_shorten(log->path));
	}
	if (kept->snapshots > kept->sum.told) {
		rcap_log_line(RCAP_LOG_WARN, "and %lu more",
		              (unsigned long) (kept->snapshots - kept->sum.told));
	}
}

/* Reports that nothing came that the condition applies to: what could have come, and what to do. */
static void explain_unseen(const struct rcap_trigger *trigger, char *out, size_t size)
{
	const char *const sign = memrchr(trigger->text, '>', trigger->length);
	const int limit = sign ? (int) (trigger->length - (size_t) (sign - trigger->text)) : 0;

	if (trigger->is_step) {
		rcap_log_format(out, size,
		                "no step was seen; call ranges_step(), or name the range that is a "
		                "step: %s NAME %.*s",
		                trigger->kind == RCAP_TRIGGER_GAP ? "gap" : "range", limit, sign);
	} else if (trigger->kind == RCAP_TRIGGER_COUNTER) {
		rcap_log_format(out, size, "no value of this counter was seen");
	} else {
		rcap_log_format(out, size, "no range of this name was seen");
	}
}

static void explain_unmet(const struct rcap_trigger *trigger, uint64_t seen, char *out, size_t size)
{
	const char *const what = trigger->kind == RCAP_TRIGGER_STEP      ? "step"
	                         : trigger->kind == RCAP_TRIGGER_COUNTER ? "value"
	                                                                 : "range";

	if (trigger->kind == RCAP_TRIGGER_GAP) {
		rcap_log_format(out, size, "never met");
		return;
	}
	rcap_log_format(out, size, "never met in %lu %s%s%s", (unsigned long) seen, what,
	                seen == 1 ? "" : "s",
	                trigger->thousandths > 0 && seen <= RCAP_TRIGGER_MEDIAN_LEAST
	                        ? ": the median needs more of them"
	                        : "");
}

/* Reports conditions that were never met, because a misspelt condition is never met either. */
static void report_conditions(const struct rcap_recover_kept *sum)
{
	struct rcap_trigger triggers[RCAP_TRIGGERS];
	char why[200];
	size_t count;

	if (sum->when[0] == '\0') {
		return;
	}
	count = rcap_trigger_parse(sum->when, triggers, why, sizeof(why));
	for (size_t i = 0; i < count; i++) {
		if (sum->unnamed[i] > 0) {
			rcap_log_line(
				RCAP_LOG_WARN,
				"%.*s: %lu range%s without a name may match, and %s not checked",
				(int) triggers[i].length, triggers[i].text,
				(unsigned long) sum->unnamed[i], sum->unnamed[i] == 1 ? "" : "s",
				sum->unnamed[i] == 1 ? "was" : "were");
		}
		if (sum->met[i] > 0 || sum->unnamed[i] > 0) {
			continue;
		}
		if (sum->seen[i] == 0) {
			explain_unseen(&triggers[i], why, sizeof(why));
		} else {
			explain_unmet(&triggers[i], sum->seen[i], why, sizeof(why));
		}
		rcap_log_line(RCAP_LOG_WARN, "%.*s: %s", (int) triggers[i].length, triggers[i].text,
		              why);
	}
}

void rcap_ranges_logs_kept_report(const struct rcap_ranges_logs_kept *kept)
{
	if (!kept) {
		return;
	}
	report_snapshots(kept);
	report_conditions(&kept->sum);
	if (kept->snapshots + kept->skipped > 0) {
		rcap_log_line(RCAP_LOG_WARN, "%lu snapshot%s, %lu skipped",
		              (unsigned long) kept->snapshots, kept->snapshots == 1 ? "" : "s",
		              (unsigned long) kept->skipped);
	}
}

void rcap_ranges_logs_kept_free(struct rcap_ranges_logs_kept *kept)
{
	free(kept);
}
