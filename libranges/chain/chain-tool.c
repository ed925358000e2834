/* SPDX-License-Identifier: MIT */
/* Loads the second NVTX tool, in the shared library. */
#include "libranges/chain/chain-tool.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <string.h>

#include "libranges/base/log.h"

/* True if the function is in libranges. Calling ourselves would never end. Another copy of us would
 * write a second log with the same name. */
static bool is_libranges(const void *function)
{
	static const char name[] = "libranges.so";
	Dl_info other;
	Dl_info self;
	const char *base;

	if (dladdr(function, &other) == 0 || !other.dli_fname ||
	    dladdr((void *) is_libranges, &self) == 0) {
		return false;
	}
	base = strrchr(other.dli_fname, '/');
	return other.dli_fbase == self.dli_fbase ||
	       strncmp(base ? base + 1 : other.dli_fname, name, sizeof(name) - 1) == 0;
}

void *rcap_chain_tool_open(const char *path, const char *entry, void **library, char *why,
                           size_t why_size)
{
	const char *said;
	void *found;

	*library = dlopen(path, RTLD_LAZY | RTLD_LOCAL);
	if (!*library) {
		said = dlerror(); /* glibc's is per thread. NOLINT(concurrency-mt-unsafe) */
		rcap_log_format(why, why_size, "cannot chain an NVTX tool: %s", said ? said : path);
		return NULL;
	}
	found = dlsym(*library, entry);
	if (found && !is_libranges(found)) {
		return found;
	}
	rcap_log_format(why, why_size, "cannot chain the NVTX tool %s: %s%s", path,
	                found ? "it is libranges itself" : "it has no ", found ? "" : entry);
	dlclose(*library);
	return NULL;
}

void *rcap_chain_tool_find(void *library, const char *entry)
{
	return dlsym(library, entry);
}

void rcap_chain_tool_close(void *library)
{
	dlclose(library);
}
