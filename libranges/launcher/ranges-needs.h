/* SPDX-License-Identifier: MIT */
/* Which libraries a program is linked with. */
#ifndef RCAP_RANGES_NEEDS_H
#define RCAP_RANGES_NEEDS_H

#include <stdbool.h>

struct rcap_ranges_needs {
	bool misses_nvtx; /* libnvToolsExt.so.1, and there is no such file */
	bool has_seccomp; /* libseccomp: the program is about to confine itself */
	bool has_cuda;    /* CUDA's driver or runtime, with libseccomp also one inside of it */
};

/*
 * Asks the program's own dynamic linker, which runs nothing of the program, for its libraries and
 * those that these need.
 *
 * @name: of a program as execvp() takes it.
 * @out: nothing of all that for scripts, static programs and where it can't be told.
 * Context: starts and awaits a child; some ms.
 */
void rcap_ranges_needs_list(const char *name, struct rcap_ranges_needs *out);

#endif
