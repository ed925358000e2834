/* SPDX-License-Identifier: MIT */
/* Offers our libnvToolsExt.so.1. Programs that are linked with NVTX's library up to version 2 don't
 * start where CUDA is new or absent. They start if our library is in the search path. */
#include "libranges/launcher/ranges-dropin.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "libranges/settings/config.h"
#include "libranges/base/log.h"

/* The launcher has one thread. NOLINTBEGIN(concurrency-mt-unsafe) */

#define LIBRARY "libnvToolsExt.so.1"

/* Folders relative to that of libranges.so: after an installation, and in a build tree. */
static const char *const places[] = { "ranges", ".", NULL };

bool rcap_ranges_dropin_export(const char *library)
{
	const char *const before = getenv("LD_LIBRARY_PATH");
	const char *const slash = strrchr(library, '/');
	char folder[RCAP_CONFIG_PATH_BYTES];
	char path[RCAP_CONFIG_PATH_BYTES + 32];
	char *after = NULL;

	for (size_t i = 0; slash != NULL && places[i] != NULL; i++) {
		rcap_log_format(folder, sizeof(folder), "%.*s%s", (int) (slash + 1 - library),
		                library, places[i]);
		rcap_log_format(path, sizeof(path), "%s/" LIBRARY, folder);
		if (access(path, R_OK) != 0) {
			continue;
		}
		if (before == NULL || before[0] == '\0') {
			setenv("LD_LIBRARY_PATH", folder, 1);
		} else if (asprintf(&after, "%s:%s", before, folder) >= 0) {
			setenv("LD_LIBRARY_PATH", after, 1);
			free(after);
		}
		return true;
	}
	return false;
}

/* NOLINTEND(concurrency-mt-unsafe) */
