/* SPDX-License-Identifier: MIT */
/* Finds which libraries a program is linked with. */
#ifndef RCAP_RANGES_NEEDS_H
#define RCAP_RANGES_NEEDS_H

#include <stdbool.h>

struct rcap_ranges_needs {
	bool misses_nvtx; /* it needs libnvToolsExt.so.1, and there is no such file */
	bool has_seccomp; /* it needs libseccomp: it will probably sandbox itself */
	/* it needs CUDA's driver or runtime; with libseccomp also a runtime linked into it */
	bool has_cuda;
};

/*
 * Asks the program's own dynamic linker, which runs none of the program's code, for its libraries
 * and theirs.
 *
 * @name: of a program, as for execvp().
 * @out: all false for scripts, static programs and if it can't be told.
 * Context: starts a child and waits for it; some ms.
 */
void rcap_ranges_needs_list(const char *name, struct rcap_ranges_needs *out);

#endif
