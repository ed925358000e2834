/* SPDX-License-Identifier: MIT */
/* Finds which libraries a program is linked with. */
#ifndef RCAP_RANGES_NEEDS_H
#define RCAP_RANGES_NEEDS_H

#include <stdbool.h>

struct rcap_ranges_needs {
	bool misses_nvtx; /* the program needs libnvToolsExt.so.1, and there is no such file */
	bool has_seccomp; /* the program needs libseccomp, so it will probably sandbox itself */
	/* the program needs CUDA's driver or runtime; if it needs libseccomp, also a runtime linked
	 * into it */
	bool has_cuda;
};

/*
 * Finds out which libraries a program and its libraries need. Asks the program's own dynamic
 * linker, which does not run the program's code.
 *
 * @name: of a program, as for execvp().
 * @out: all false for scripts, static programs, and if it can't be found out.
 * Context: starts a child and waits for it; some ms.
 */
void rcap_ranges_needs_list(const char *name, struct rcap_ranges_needs *out);

#endif
