/* SPDX-License-Identifier: MIT */
/* Loading shared libraries. */
#include "analyzer/base/library.h"

#include <dlfcn.h>
#include <string.h>

bool ra_library_load(const char *soname, const struct ra_library_call *calls, size_t count,
                     void *functions, const char **why)
{
	void *handle = dlopen(soname, RTLD_LAZY | RTLD_LOCAL);

	for (size_t i = 0; handle != NULL && i < count; i++) {
		void *function = dlsym(handle, calls[i].name);

		if (function == NULL) {
			handle = NULL; /* the library stays loaded, since functions of it may be in
			                  use */
			break;
		}
		memcpy((char *) functions + calls[i].offset, &function, sizeof(function));
	}
	if (handle == NULL) {
		/* Only one thread loads libraries. NOLINTNEXTLINE(concurrency-mt-unsafe) */
		const char *said = dlerror();

		*why = said != NULL ? said : soname;
	}
	return handle != NULL;
}
