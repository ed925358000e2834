/* SPDX-License-Identifier: MIT */
/* What came of captures that kept their last part only: snapshots, and conditions. */
#ifndef RCAP_RANGES_LOGS_KEPT_H
#define RCAP_RANGES_LOGS_KEPT_H

#include "libranges/recover/recover.h"

struct rcap_ranges_logs_kept;

/* Adds what a process did. @kept: gets one of its own. Without memory nothing is told. */
void rcap_ranges_logs_kept_add(struct rcap_ranges_logs_kept **kept,
                               const struct rcap_recover_kept *process);

/* Lines on stderr: each snapshot, with what made it be written; conditions that were never met;
 * the sum. @kept: NULL: nothing is to be said. */
void rcap_ranges_logs_kept_report(const struct rcap_ranges_logs_kept *kept);

void rcap_ranges_logs_kept_free(struct rcap_ranges_logs_kept *kept);

#endif
