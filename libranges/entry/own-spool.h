/* SPDX-License-Identifier: MIT */
/* Makes the spool of this process. */
#ifndef RCAP_OWN_SPOOL_H
#define RCAP_OWN_SPOOL_H

#include <stdbool.h>

#include "libranges/settings/config.h"

/*
 * Creates rcap_process.spool, and decides who drains it.
 *
 * @config: its run_dir is set to "" if it can't be used. Return: false if there is no memory.
 * Context: start of a capture.
 */
bool rcap_own_spool_make(struct rcap_config *config);

/* Tells the user and the launcher that the spool has no file. */
void rcap_own_spool_tell_alone(void);

/* Removes the spool's file after the log is closed. If there is a launcher, it removes the file,
 * because it still reads the totals. Context: the drain. */
void rcap_own_spool_remove(void);

#endif
