/* SPDX-License-Identifier: MIT */
/* Reports on captures that kept only their last part: snapshots and conditions. */
#ifndef RCAP_RANGES_LOGS_KEPT_H
#define RCAP_RANGES_LOGS_KEPT_H

#include "libranges/recover/recover.h"

struct rcap_ranges_logs_kept;

/* Adds the results of a process. @kept: created if NULL. If there is no memory, nothing is
 * reported. */
void rcap_ranges_logs_kept_add(struct rcap_ranges_logs_kept **kept,
                               const struct rcap_recover_kept *process);

/* Prints lines on stderr: each snapshot with its reason, conditions that were never met, and the
 * sum. @kept: if NULL, prints nothing. */
void rcap_ranges_logs_kept_report(const struct rcap_ranges_logs_kept *kept);

void rcap_ranges_logs_kept_free(struct rcap_ranges_logs_kept *kept);

#endif
