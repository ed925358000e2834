/* SPDX-License-Identifier: MIT */
/* Where spools live: a directory that is ours alone. */
#ifndef RCAP_SPOOL_DIR_H
#define RCAP_SPOOL_DIR_H

#include <stdbool.h>
#include <stddef.h>

#include "libranges/settings/config.h"

/*
 * The directory for this process' spool: the launcher's, else ranges-<uid> in RANGES_SPOOL_DIR,
 * /dev/shm, TMPDIR or /tmp, made with mode 0700 if it is not there.
 *
 * If the launcher's is not there (config->run_dir), there is no launcher for us: run_dir is
 * emptied.
 *
 * Return: false if there is none that is a directory of ours which nobody else may write to.
 * Context: any thread; no allocation.
 */
bool rcap_spool_dir_choose(struct rcap_config *config, char *out, size_t size);

#endif
