/* SPDX-License-Identifier: MIT */
/* Calls the demangler of the C++ runtime library: the object that is linked in, or that of the
 * shared library. Most machines have the latter, but we don't require it. */
#include "config.h"

#include "analyzer/names/demangle.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/util.h"

/* The function of the C++ ABI. Its result is malloc'd. */
typedef char *demangle_fn(const char *name, char *buffer, size_t *size, int *status);

/* The status that the demangler returns when it ran out of memory. */
#define NO_MEMORY (-1)

/* Longer names come from templates that repeat without end, and the demangler's time grows faster
 * than a name's length. */
#define MAX_BYTES 8192u

#ifdef HAVE_STATIC_DEMANGLER
demangle_fn __cxa_demangle; /* NOLINT(readability-identifier-naming): the library's name */

static demangle_fn *find_demangler(void)
{
	return __cxa_demangle;
}
#else
static demangle_fn *find_demangler(void)
{
	static demangle_fn *found;
	static bool has_looked;
	void *library;

	if (!has_looked) {
		has_looked = true;
		library = dlopen("libstdc++.so.6", RTLD_LAZY | RTLD_LOCAL);
		if (library != NULL) {
			*(void **) &found = dlsym(library, "__cxa_demangle");
		}
	}
	return found;
}
#endif

void ra_demangle_name(struct rlog_string name, char **out)
{
	demangle_fn *demangle;
	char *copy;
	int status = 0;

	*out = NULL;
	if (name.length < 3 || name.length > MAX_BYTES || memcmp(name.bytes, "_Z", 2) != 0) {
		return;
	}
	demangle = find_demangler();
	if (demangle == NULL) {
		return;
	}
	copy = ra_util_copy(name.bytes, name.length);
	*out = demangle(copy, NULL, NULL, &status);
	free(copy);
	if (status == NO_MEMORY) {
		ra_alloc_end();
	}
}
