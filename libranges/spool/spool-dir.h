/* SPDX-License-Identifier: MIT */
/* Chooses the directory of spools, which only we can use. */
#ifndef RCAP_SPOOL_DIR_H
#define RCAP_SPOOL_DIR_H

#include <stdbool.h>
#include <stddef.h>

#include "libranges/settings/config.h"

/*
 * Chooses the directory for this process' spool: the launcher's or, without a launcher,
 * ranges-<uid> in RANGES_SPOOL_DIR, /dev/shm, TMPDIR or /tmp. Makes it with mode 0700 if needed.
 *
 * If the launcher's directory (config->run_dir) does not exist, there is no launcher: run_dir is
 * set to "".
 *
 * Return: false if there is no directory of ours that only we may write to.
 * Context: any thread; no allocation.
 */
bool rcap_spool_dir_choose(struct rcap_config *config, char *out, size_t size);

#endif
