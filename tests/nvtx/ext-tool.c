/* SPDX-License-Identifier: MIT */
/*
 * NVTX tools for tests that know something of extensions, by EXT_TOOL: "refuse" (the entry returns
 * 0), "empty" (it works and sets nothing), "slow" (the same after a while), "core" (the core's
 * entry refuses, this one works). Prints what it is called for to stderr.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* NOLINTBEGIN(concurrency-mt-unsafe): one thread reads the environment */

int InitializeInjectionNvtx2(const void *get_table);
int InitializeInjectionNvtxExtension(const uint16_t *info);

static int is_mode(const char *mode)
{
	const char *const value = getenv("EXT_TOOL");

	return value != NULL && strcmp(value, mode) == 0;
}

int InitializeInjectionNvtx2(const void *get_table)
{
	(void) get_table;
	fprintf(stderr, "core ");
	return !is_mode("core");
}

int InitializeInjectionNvtxExtension(const uint16_t *info)
{
	fprintf(stderr, "extension %d ", info[2]);
	if (is_mode("slow")) {
		usleep(20000); /* so that other threads arrive while the extension starts */
	}
	return !is_mode("refuse");
}

/* NOLINTEND(concurrency-mt-unsafe) */
