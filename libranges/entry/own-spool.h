/* SPDX-License-Identifier: MIT */
/* The spool of this process. */
#ifndef RCAP_OWN_SPOOL_H
#define RCAP_OWN_SPOOL_H

#include <stdbool.h>

#include "libranges/settings/config.h"

/*
 * Makes rcap_process.spool, and decides who drains it.
 *
 * @config: loses its run_dir where that can't be used. Return: false if there is no memory for it.
 * Context: start of a capture.
 */
bool rcap_own_spool_make(struct rcap_config *config);

/* Says that it has no file, to the user and to the launcher. */
void rcap_own_spool_tell_alone(void);

/* Removes its file, when the log is closed; unless a launcher is there, which still wants to read
 * the totals and takes the file away itself. Context: the drain. */
void rcap_own_spool_remove(void);

#endif
