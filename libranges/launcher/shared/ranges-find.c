/* SPDX-License-Identifier: MIT */
/* Finds the launcher's companions: libranges.so and the analyzer, installed or in a build tree. */
#include "libranges/launcher/shared/ranges-find.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "libranges/settings/config.h"
#include "libranges/base/log.h"

#ifndef RCAP_LIBDIR
#define RCAP_LIBDIR "/usr/local/lib"
#endif

/* Places of the library relative to this executable's directory, in the order of the search. In a
 * build tree the library is in libranges/ or libranges/.libs/. */
static const char *const library_places[] = {
	".libs/libranges.so", "libranges.so", "../lib/libranges.so", "../lib/libranges.so.0", NULL,
};
static const char *const analyzer_places[] = {
	"../analyzer/analyzer",
	"../../analyzer/analyzer",
	"analyzer",
	NULL,
};

static bool find_own_directory(char *out, size_t size)
{
	const ssize_t length = readlink("/proc/self/exe", out, size - 1);
	char *slash;

	if (length <= 0) {
		return false;
	}
	out[length] = '\0';
	slash = strrchr(out, '/');
	if (slash == NULL) {
		return false;
	}
	*slash = '\0';
	return true;
}

/* Makes a path absolute and free of links; leaves it unchanged if that fails. */
static void make_absolute(char *path, size_t size)
{
	char *const real = realpath(path, NULL);

	if (real != NULL && strlen(real) < size) {
		memcpy(path, real, strlen(real) + 1);
	}
	free(real);
}

static bool find_place(char *out, size_t size, const char *const *places, int mode)
{
	char directory[RCAP_CONFIG_PATH_BYTES];

	if (!find_own_directory(directory, sizeof(directory))) {
		return false;
	}
	for (; *places != NULL; places++) {
		rcap_log_format(out, size, "%s/%s", directory, *places);
		if (access(out, mode) == 0) {
			make_absolute(out, size);
			return true;
		}
	}
	return false;
}

bool rcap_ranges_find_library(char *out, size_t size, const char *wanted)
{
	if (wanted[0] != '\0') {
		rcap_log_format(out, size, "%s", wanted);
	} else if (find_place(out, size, library_places, R_OK)) {
		return true;
	} else {
		/* Uses the name with a version number. The name without a number is for linking,
		 * and in distributions another package has it. */
		rcap_log_format(out, size, "%s/libranges.so.0", RCAP_LIBDIR);
	}
	if (access(out, R_OK) != 0) {
		return false;
	}
	make_absolute(out, size);
	return true;
}

bool rcap_ranges_find_analyzer(char *out, size_t size)
{
	if (find_place(out, size, analyzer_places, X_OK)) {
		return true;
	}
	rcap_log_format(out, size, "analyzer");
	return false;
}

bool rcap_ranges_find_program(const char *name, char *out, size_t size)
{
	const char *at = getenv("PATH"); /* NOLINT(concurrency-mt-unsafe): one thread */

	if (strchr(name, '/') != NULL) {
		rcap_log_format(out, size, "%s", name);
		return true;
	}
	for (; at != NULL && name[0] != '\0'; at = strchr(at, ':'), at = at ? at + 1 : NULL) {
		const size_t length = strcspn(at, ":");
		struct stat st;

		rcap_log_format(out, size, "%.*s/%s", (int) length, length > 0 ? at : ".", name);
		if (access(out, X_OK) == 0 && stat(out, &st) == 0 && S_ISREG(st.st_mode)) {
			return true;
		}
	}
	return false;
}
